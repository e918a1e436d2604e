/* What a program hands over as device code: PTX as text, or a fat binary. */
#ifndef DEVICE_DRIVER_IMAGE_H
#define DEVICE_DRIVER_IMAGE_H

#include "driver.h"

/* As nvcc's generated code passes it to __cudaRegisterFatBinary. */
struct image {
  int magic, version;
  const void *data;
  void *parts;
  void *owned;            /* what to free */
  bool is_text;           /* PTX as text */
  unsigned max_registers; /* that the linker was told; 0: no limit */
};

/* How a linked text begins whose kernels have a limit; the number follows. */
#define IMAGE_LIMIT "// maxrregcount="

/* Copies what is needed; the caller's bytes may go afterwards. */
CUresult image_read(struct image *image, const void *bytes);

/* The same from a file. */
CUresult image_read_file(struct image *image, const char *path);

/* A file's bytes and zeros after them, to be freed; NULL: see `status`. */
char *image_bytes_of_file(const char *path, size_t *bytes, CUresult *status);

#endif
