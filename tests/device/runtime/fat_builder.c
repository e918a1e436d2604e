#include "fat_builder.h"

#include <stdlib.h>
#include <string.h>

#define ENTRY_BYTES 72

static void put(uint8_t *to, uint64_t n, int bytes)
{
  for (int i = 0; i < bytes; i++)
    to[i] = (uint8_t)(n >> 8 * i);
}

static void put_size(struct fat_builder *fat)
{
  put(fat->bytes + 8, fat->n - 16, 8);
}

void fat_begin(struct fat_builder *fat)
{
  memset(fat, 0, sizeof *fat);
  put(fat->bytes, 0xba55ed50, 4);
  put(fat->bytes + 4, 1, 2);
  put(fat->bytes + 6, 16, 2);
  fat->n = 16;
}

void fat_add(struct fat_builder *fat, int kind, int architecture,
             unsigned flags, const void *payload, size_t bytes,
             size_t plain_bytes)
{
  uint8_t *entry = fat->bytes + fat->n;
  size_t padded = (bytes + 7) / 8 * 8;
  if (fat->n + ENTRY_BYTES + padded > sizeof fat->bytes)
    abort();
  put(entry, (uint64_t)kind, 2);
  put(entry + 2, 0x101, 2);
  put(entry + 4, ENTRY_BYTES, 4);
  put(entry + 8, padded, 8);
  put(entry + 16, flags != 0 ? bytes : 0, 4);
  put(entry + 26, 9, 2);
  put(entry + 28, (uint64_t)architecture, 4);
  put(entry + 40, flags | 0x11, 8);
  put(entry + 56, flags != 0 ? plain_bytes : 0, 8);
  memcpy(entry + ENTRY_BYTES, payload, bytes);
  fat->n += ENTRY_BYTES + padded;
  put_size(fat);
}

void fat_add_ptx(struct fat_builder *fat, int architecture, const char *ptx)
{
  fat_add(fat, 1, architecture, 0, ptx, strlen(ptx), 0);
}
