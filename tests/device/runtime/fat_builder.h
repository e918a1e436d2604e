/* Fat binaries made in memory, as nvcc would write them. */
#ifndef TESTS_DEVICE_RUNTIME_FAT_BUILDER_H
#define TESTS_DEVICE_RUNTIME_FAT_BUILDER_H

#include <stddef.h>
#include <stdint.h>

struct fat_builder {
  uint8_t bytes[1 << 16];
  size_t n;
};

#define FAT_LZ4 0x2000u
#define FAT_ZSTD 0x8000u

void fat_begin(struct fat_builder *fat);

/* Kind 1 is PTX, 2 ELF. `plain_bytes` is told for compressed payloads. */
void fat_add(struct fat_builder *fat, int kind, int architecture,
             unsigned flags, const void *payload, size_t bytes,
             size_t plain_bytes);
void fat_add_ptx(struct fat_builder *fat, int architecture, const char *ptx);

#endif
