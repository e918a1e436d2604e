/* Writes a fat binary with one entry. */
#include "container.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "words.h"

/* The layout is described in fatbin/fatbin.c, which reads it. */
enum { HEADER_BYTES = 16, ENTRY_BYTES = 64, KIND_PTX = 1 };

static const uint32_t MAGIC = 0xba55ed50;
static const uint64_t FLAG_SPECIFIC = 0x100000;

static void put(uint8_t *p, uint64_t number, int bytes)
{
  for (int i = 0; i < bytes; i++)
    p[i] = (uint8_t)(number >> 8 * i);
}

void container_write(const char *path, const char *ptx, int architecture,
                     bool is_specific)
{
  /* The text ends with a NUL and fills whole words of 8 bytes. */
  size_t payload = (strlen(ptx) + 8) / 8 * 8;
  size_t n = HEADER_BYTES + ENTRY_BYTES + payload;
  uint8_t *file = host_new(n, 1), *entry = file + HEADER_BYTES;

  put(file, MAGIC, 4);
  put(file + 4, 1, 2);
  put(file + 6, HEADER_BYTES, 2);
  put(file + 8, ENTRY_BYTES + payload, 8);
  put(entry, KIND_PTX, 2);
  put(entry + 2, 0x101, 2);
  put(entry + 4, ENTRY_BYTES, 4);
  put(entry + 8, payload, 8);
  put(entry + 28, (uint64_t)architecture, 4);
  put(entry + 40, is_specific ? FLAG_SPECIFIC : 0, 8);
  memcpy(entry + ENTRY_BYTES, ptx, strlen(ptx));
  file_write(path, file, n);
  free(file);
}
