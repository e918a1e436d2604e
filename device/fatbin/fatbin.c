/* Reads the headers of a fat binary and chooses the PTX that fits best. The
 * input may be damaged: everything is checked before it is used. */
#include "fatbin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "readable.h"

/* Layout as nvcc 13.0 writes it; all numbers little-endian.
 *
 *   fat binary      entry
 *   0 u32 magic     0 u16 kind            24 u16 minor   40 u64 flags
 *   4 u16 version   2 u16 version         26 u16 major   48 u64
 *   6 u16 header    4 u32 header bytes    28 u32 arch    56 u64 plain bytes
 *   8 u64 bytes     8 u64 payload bytes   32 u32 name offset
 *                  16 u32 compressed      36 u32 name bytes
 *                  20 u32 options offset
 *
 * Options are there if their offset is not 0: u32 where they begin and u32 how
 * long they are, in the header, too.
 */
#define MAGIC UINT32_C(0xba55ed50)
#define HEADER_BYTES 16
#define ENTRY_BYTES 64 /* the least a header has */
#define FLAG_LZ4 UINT64_C(0x2000)
#define FLAG_ZSTD UINT64_C(0x8000)
#define FLAG_SPECIFIC UINT64_C(0x100000)

/* No PTX file is near this; a larger number is damage. */
#define LARGEST_PAYLOAD (UINT64_C(1) << 30)

static uint64_t number(const uint8_t *p, int bytes)
{
  uint64_t n = 0;
  for (int i = bytes; i-- > 0;)
    n = n << 8 | p[i];
  return n;
}

static bool broken(struct fatbin_error *error, const char *what)
{
  snprintf(error->message, sizeof error->message,
           "the fat binary is damaged: %s", what);
  return false;
}

size_t fatbin_size(const void *data)
{
  const uint8_t *p = data;
  size_t most = readable_bytes(data);
  if (most < HEADER_BYTES || number(p, 4) != MAGIC)
    return 0;
  uint64_t header = number(p + 6, 2), body = number(p + 8, 8);
  if (header > most || body > most - header)
    return HEADER_BYTES;
  return (size_t)(header + body);
}

bool fatbin_open(struct fatbin_reader *reader, const void *data, size_t bytes,
                 struct fatbin_error *error)
{
  const uint8_t *p = data;
  if (bytes < HEADER_BYTES || number(p, 4) != MAGIC)
    return broken(error, "it does not begin as one");
  uint64_t header = number(p + 6, 2), body = number(p + 8, 8);
  if (header < HEADER_BYTES || header > bytes || body > bytes - header)
    return broken(error, "its size does not fit");
  reader->next = p + header;
  reader->end = reader->next + body;
  return true;
}

/* What so many compressed bytes can become at most. A byte of LZ4 adds 255
 * to a match; a block of zstd is 4 bytes at least and gives up to 128 KiB.
 * A damaged number must not make us ask for much memory. */
static uint64_t most_plain_bytes(const struct fatbin_entry *entry)
{
  uint64_t n = entry->bytes;
  return entry->compression == FATBIN_LZ4 ? n * 255 + 64
                                          : (n / 4 + 1) * (UINT64_C(1) << 17);
}

static bool read_sizes(const uint8_t *p, uint64_t payload,
                       struct fatbin_entry *entry, struct fatbin_error *error)
{
  uint64_t flags = number(p + 40, 8), packed = number(p + 16, 4);
  entry->bytes = entry->plain_bytes = (size_t)payload;
  entry->compression = FATBIN_PLAIN;
  if ((flags & (FLAG_LZ4 | FLAG_ZSTD)) == 0)
    return true;
  entry->compression = flags & FLAG_ZSTD ? FATBIN_ZSTD : FATBIN_LZ4;
  entry->bytes = packed;
  if (packed > payload)
    return broken(error, "a compressed entry is larger than its place");
  if (number(p + 56, 8) > LARGEST_PAYLOAD)
    return broken(error, "an entry claims more than 1 GiB");
  if (number(p + 56, 8) > most_plain_bytes(entry))
    return broken(error, "an entry claims more than its data can hold");
  entry->plain_bytes = number(p + 56, 8);
  return true;
}

/* What ptxas is to be told, as text: " -maxrregcount=64 ". */
static unsigned read_max_registers(const uint8_t *p, uint64_t header)
{
  static const char name[] = "-maxrregcount";
  const size_t length = sizeof name - 1;
  uint64_t options = number(p + 20, 4), at, bytes;
  if (options < ENTRY_BYTES || options + 8 > header)
    return 0;
  at = number(p + options, 4);
  bytes = number(p + options + 4, 4);
  if (at > header || bytes > header - at)
    return 0;
  for (uint64_t i = 0; i + length + 1 < bytes; i++) {
    const uint8_t *text = p + at + i;
    uint64_t digit = i + length + 1;
    unsigned registers = 0;
    if (memcmp(text, name, length) != 0 ||
        (text[length] != '=' && text[length] != ' '))
      continue;
    for (; digit < bytes && registers < 1000; digit++) {
      unsigned d = p[at + digit] - (unsigned)'0';
      if (d > 9)
        break;
      registers = 10 * registers + d;
    }
    return registers;
  }
  return 0;
}

int fatbin_next(struct fatbin_reader *reader, struct fatbin_entry *entry,
                struct fatbin_error *error)
{
  const uint8_t *p = reader->next;
  size_t left = (size_t)(reader->end - p);
  if (left == 0)
    return 0;
  if (left < ENTRY_BYTES)
    return broken(error, "an entry is cut off") ? 1 : -1;
  uint64_t header = number(p + 4, 4), payload = number(p + 8, 8);
  if (header < ENTRY_BYTES || header > left || payload > left - header)
    return broken(error, "an entry reaches beyond the end") ? 1 : -1;
  entry->kind = (enum fatbin_kind)number(p, 2);
  entry->architecture = (int)number(p + 28, 4);
  entry->is_specific = (number(p + 40, 8) & FLAG_SPECIFIC) != 0;
  entry->payload = p + header;
  entry->max_registers = read_max_registers(p, header);
  reader->next = entry->payload + payload;
  return read_sizes(p, payload, entry, error) ? 1 : -1;
}

static bool decompress(const struct fatbin_entry *entry, uint8_t *out,
                       struct fatbin_error *error)
{
  switch (entry->compression) {
  case FATBIN_PLAIN: memcpy(out, entry->payload, entry->bytes); return true;
  case FATBIN_LZ4:
    return lz4_decompress(entry->payload, entry->bytes, out,
                          entry->plain_bytes) ||
           broken(error, "its LZ4 data cannot be decompressed");
  case FATBIN_ZSTD:
    if (zstd_is_available())
      return zstd_decompress(entry->payload, entry->bytes, out,
                             entry->plain_bytes) ||
             broken(error, "its zstd data cannot be decompressed");
  }
  snprintf(error->message, sizeof error->message,
           "the PTX is compressed with zstd, and this software device was "
           "built without it;\n  install libzstd-dev and build it again, or "
           "compile the program with\n  nvcc --compress-mode=none");
  return false;
}

char *fatbin_extract(const struct fatbin_entry *entry, size_t *bytes,
                     struct fatbin_error *error)
{
  char *text = host_try_new(entry->plain_bytes + 1, 1);
  if (text == NULL) {
    snprintf(error->message, sizeof error->message, "out of memory");
    return NULL;
  }
  if (!decompress(entry, (uint8_t *)text, error)) {
    free(text);
    return NULL;
  }
  text[entry->plain_bytes] = '\0';
  *bytes = strlen(text); /* the text is padded with NUL */
  return text;
}

enum fatbin_choice fatbin_choose(const void *data, size_t bytes, int capability,
                                 struct fatbin_entry *entry,
                                 struct fatbin_error *error)
{
  struct fatbin_reader reader;
  struct fatbin_entry candidate;
  enum fatbin_choice choice = FATBIN_EMPTY;
  int more;
  if (!fatbin_open(&reader, data, bytes, error))
    return FATBIN_BROKEN;
  while ((more = fatbin_next(&reader, &candidate, error)) > 0) {
    if (candidate.kind == FATBIN_ELF && choice == FATBIN_EMPTY)
      choice = FATBIN_NO_PTX;
    if (candidate.kind != FATBIN_PTX)
      continue;
    if (candidate.architecture > capability ||
        (candidate.is_specific && candidate.architecture != capability)) {
      if (choice != FATBIN_CHOSEN)
        choice = FATBIN_TOO_NEW;
    } else if (choice != FATBIN_CHOSEN ||
               candidate.architecture > entry->architecture ||
               (candidate.architecture == entry->architecture &&
                candidate.is_specific)) {
      choice = FATBIN_CHOSEN;
      *entry = candidate;
    }
  }
  return more < 0 ? FATBIN_BROKEN : choice;
}
