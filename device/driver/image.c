/* Recognises PTX and fat binaries, and wraps plain PTX in a fat binary, so
 * that modules see only one kind. */
#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fatbin/fatbin.h"
#include "../support/host_memory.h"

#define WRAPPER_MAGIC 0x466243b1
#define FATBIN_MAGIC UINT32_C(0xba55ed50)
#define FATBIN_HEADER 16
#define ENTRY_HEADER 64
#define LARGEST_FILE (1L << 30)

static void put_number(unsigned char *to, uint64_t number, int bytes)
{
  for (int i = 0; i < bytes; i++)
    to[i] = (unsigned char)(number >> 8 * i);
}

/* The number after ".target sm_" or ".target compute_"; 0 if there is none:
 * the parser will say so. */
static unsigned target_of(const char *ptx)
{
  const char *target = strstr(ptx, ".target");
  unsigned architecture = 0;
  if (target != NULL)
    sscanf(target, ".target sm_%u", &architecture);
  return architecture;
}

/* A fat binary with one entry, PTX as it is: see fatbin/fatbin.c. */
static CUresult wrap_ptx(struct image *image, const char *ptx)
{
  if (strstr(ptx, ".version") == NULL) {
    explain("loading device code",
            "neither PTX, which begins with .version, nor a fat binary");
    return CUDA_ERROR_INVALID_IMAGE;
  }
  size_t bytes = strlen(ptx) + 1;
  unsigned char *fat = host_try_new(1, FATBIN_HEADER + ENTRY_HEADER + bytes);
  if (fat == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  unsigned char *entry = fat + FATBIN_HEADER;
  put_number(fat, FATBIN_MAGIC, 4);
  put_number(fat + 4, 1, 2);
  put_number(fat + 6, FATBIN_HEADER, 2);
  put_number(fat + 8, ENTRY_HEADER + bytes, 8);
  put_number(entry, 1, 2); /* PTX */
  put_number(entry + 2, 0x101, 2);
  put_number(entry + 4, ENTRY_HEADER, 4);
  put_number(entry + 8, bytes, 8);
  put_number(entry + 28, target_of(ptx), 4);
  memcpy(entry + ENTRY_HEADER, ptx, bytes);
  image->data = image->owned = fat;
  image->is_text = true;
  if (strncmp(ptx, IMAGE_LIMIT, sizeof IMAGE_LIMIT - 1) == 0)
    image->max_registers =
        (unsigned)strtoul(ptx + sizeof IMAGE_LIMIT - 1, NULL, 10);
  return CUDA_SUCCESS;
}

static CUresult copy_fatbin(struct image *image, const void *fat)
{
  size_t bytes = fatbin_size(fat);
  void *copy = bytes > 0 ? host_try_new(bytes, 1) : NULL;
  if (copy == NULL)
    return CUDA_ERROR_INVALID_IMAGE;
  memcpy(copy, fat, bytes);
  image->data = image->owned = copy;
  return CUDA_SUCCESS;
}

static CUresult refuse_cubin(void)
{
  explain("loading device code",
          "this is a cubin: machine code for GPUs, which the software "
          "device cannot run.\n  Load PTX (nvcc -ptx) or a fat binary "
          "that has it (nvcc -fatbin).");
  return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

CUresult image_read(struct image *image, const void *bytes)
{
  static const char elf[] = { 0x7f, 'E', 'L', 'F' };
  uint32_t magic;
  *image = (struct image){ .magic = WRAPPER_MAGIC, .version = 1 };
  if (bytes == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  /* A text may be shorter than a number. */
  if (memchr(bytes, '\0', sizeof magic) != NULL)
    return wrap_ptx(image, bytes);
  memcpy(&magic, bytes, sizeof magic);
  if (magic == FATBIN_MAGIC)
    return copy_fatbin(image, bytes);
  if (magic == WRAPPER_MAGIC) {
    memcpy(image, bytes, offsetof(struct image, owned));
    return CUDA_SUCCESS;
  }
  if (memcmp(bytes, elf, sizeof elf) == 0)
    return refuse_cubin();
  return wrap_ptx(image, bytes);
}

/* The file and a zero at its end. */
static char *read_whole(FILE *file, size_t *n_bytes)
{
  if (fseek(file, 0, SEEK_END) != 0)
    return NULL;
  long bytes = ftell(file);
  if (bytes < 0 || bytes > LARGEST_FILE || fseek(file, 0, SEEK_SET) != 0)
    return NULL;
  *n_bytes = (size_t)bytes;
  char *text = host_try_new(1, (size_t)bytes + FATBIN_HEADER);
  if (text != NULL && fread(text, 1, (size_t)bytes, file) != (size_t)bytes) {
    free(text);
    text = NULL;
  }
  return text;
}

char *image_bytes_of_file(const char *path, size_t *bytes, CUresult *status)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    *status = CUDA_ERROR_FILE_NOT_FOUND;
    return NULL;
  }
  char *text = read_whole(file, bytes);
  fclose(file);
  *status = text == NULL ? CUDA_ERROR_INVALID_IMAGE : CUDA_SUCCESS;
  return text;
}

CUresult image_read_file(struct image *image, const char *path)
{
  CUresult status;
  size_t bytes;
  *image = (struct image){ .magic = WRAPPER_MAGIC, .version = 1 };
  if (path == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  char *text = image_bytes_of_file(path, &bytes, &status);
  if (text == NULL)
    return status;
  status = image_read(image, text);
  free(text);
  return status;
}
