#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "fatbin/fatbin.h"

#include <sys/mman.h>
#include <unistd.h>

#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "fat_builder.h"
#include "test.h"

static struct fat_builder fat;
static struct fatbin_entry entry;
static struct fatbin_error error;

static enum fatbin_choice choose(int capability)
{
  return fatbin_choose(fat.bytes, fat.n, capability, &entry, &error);
}

/* Checks what comes out of the chosen entry. */
static void check_text(const char *expected)
{
  size_t bytes;
  char *text = fatbin_extract(&entry, &bytes, &error);
  CHECK(text != NULL);
  CHECK_EQUAL(bytes, strlen(text));
  CHECK_TEXT(text, expected);
  free(text);
}

BEHAVIOUR(plain_ptx_is_read)
{
  fat_begin(&fat);
  fat_add_ptx(&fat, 90, ".version 9.0");
  CHECK_EQUAL(choose(90), FATBIN_CHOSEN);
  check_text(".version 9.0");
}

BEHAVIOUR(size_comes_from_the_header)
{
  fat_begin(&fat);
  fat_add_ptx(&fat, 90, ".version 9.0");
  CHECK_EQUAL(fatbin_size(fat.bytes), fat.n);
  fat.bytes[0] ^= 1;
  CHECK_EQUAL(fatbin_size(fat.bytes), 0);
}

BEHAVIOUR(newest_ptx_not_newer_than_the_device_is_chosen)
{
  fat_begin(&fat);
  fat_add_ptx(&fat, 80, "eighty");
  fat_add_ptx(&fat, 100, "hundred");
  fat_add_ptx(&fat, 90, "ninety");
  fat_add_ptx(&fat, 75, "seventy-five");
  CHECK_EQUAL(choose(90), FATBIN_CHOSEN);
  check_text("ninety");
  CHECK_EQUAL(choose(89), FATBIN_CHOSEN);
  check_text("eighty");
}

BEHAVIOUR(sass_beside_ptx_is_ignored)
{
  fat_begin(&fat);
  fat_add(&fat, 2, 90, 0, "\177ELF", 4, 0);
  fat_add_ptx(&fat, 90, "ninety");
  CHECK_EQUAL(choose(90), FATBIN_CHOSEN);
  check_text("ninety");
}

BEHAVIOUR(unknown_kinds_are_ignored)
{
  fat_begin(&fat);
  fat_add(&fat, 77, 90, 0, "?", 1, 0);
  fat_add_ptx(&fat, 90, "ninety");
  CHECK_EQUAL(choose(90), FATBIN_CHOSEN);
}

BEHAVIOUR(sass_alone_is_told_apart)
{
  fat_begin(&fat);
  fat_add(&fat, 2, 90, 0, "\177ELF", 4, 0);
  CHECK_EQUAL(choose(90), FATBIN_NO_PTX);
}

BEHAVIOUR(ptx_for_newer_devices_is_told_apart)
{
  fat_begin(&fat);
  fat_add_ptx(&fat, 90, "ninety");
  CHECK_EQUAL(choose(80), FATBIN_TOO_NEW);
}

BEHAVIOUR(no_entries_is_told_apart)
{
  fat_begin(&fat);
  CHECK_EQUAL(choose(90), FATBIN_EMPTY);
}

/* "abcabcabcabcabcabcabc!" : 3 literals, a match of 18 at offset 3, and a
 * last literal. */
static const char lz4[] = { 0x3e, 'a', 'b', 'c', 3, 0, 0x10, '!' };

BEHAVIOUR(lz4_is_decompressed)
{
  fat_begin(&fat);
  fat_add(&fat, 1, 90, FAT_LZ4, lz4, sizeof lz4, 22);
  CHECK_EQUAL(choose(90), FATBIN_CHOSEN);
  check_text("abcabcabcabcabcabcabc!");
}

BEHAVIOUR(lz4_long_lengths_are_read)
{
  uint8_t in[300], out[293];
  in[0] = 0xf0;
  in[1] = 255;
  in[2] = 23; /* 15 + 255 + 23 literals */
  memset(in + 3, 'x', 293);
  CHECK(lz4_decompress(in, 296, out, 293));
  CHECK(memcmp(in + 3, out, 293) == 0);
}

BEHAVIOUR(lz4_damage_is_refused)
{
  uint8_t out[64];
  uint8_t damaged[sizeof lz4];
  CHECK(!lz4_decompress((const uint8_t *)lz4, sizeof lz4, out, 21));
  CHECK(!lz4_decompress((const uint8_t *)lz4, sizeof lz4, out, 23));
  for (size_t n = 0; n < sizeof lz4; n++)
    CHECK(!lz4_decompress((const uint8_t *)lz4, n, out, 22));
  memcpy(damaged, lz4, sizeof lz4);
  damaged[4] = 4; /* an offset before the beginning */
  CHECK(!lz4_decompress(damaged, sizeof lz4, out, 22));
  damaged[4] = 0;
  CHECK(!lz4_decompress(damaged, sizeof lz4, out, 22));
}

BEHAVIOUR(zstd_is_decompressed)
{
#ifdef HAVE_ZSTD
  uint8_t packed[256];
  const char *text = "a text a text a text a text a text a text a text";
  size_t n = ZSTD_compress(packed, sizeof packed, text, strlen(text), 3);
  fat_begin(&fat);
  fat_add(&fat, 1, 90, FAT_ZSTD, packed, n, strlen(text));
  CHECK_EQUAL(choose(90), FATBIN_CHOSEN);
  check_text(text);
#else
  exit(77);
#endif
}

BEHAVIOUR(zstd_damage_is_refused)
{
  size_t bytes;
  fat_begin(&fat);
  fat_add(&fat, 1, 90, FAT_ZSTD, "no zstd data at all", 19, 100);
  CHECK_EQUAL(choose(90), FATBIN_CHOSEN);
  CHECK(fatbin_extract(&entry, &bytes, &error) == NULL);
  CHECK_HAS(error.message, "zstd");
}

BEHAVIOUR(wrong_magic_is_refused)
{
  fat_begin(&fat);
  fat.bytes[3] = 0;
  CHECK_EQUAL(choose(90), FATBIN_BROKEN);
  CHECK_HAS(error.message, "does not begin as one");
}

BEHAVIOUR(entry_beyond_the_end_is_refused)
{
  fat_begin(&fat);
  fat_add_ptx(&fat, 90, "ninety");
  fat.bytes[16 + 8] = 0xff;
  CHECK_EQUAL(choose(90), FATBIN_BROKEN);
  CHECK_HAS(error.message, "beyond the end");
}

BEHAVIOUR(monstrous_size_is_refused)
{
  fat_begin(&fat);
  fat_add(&fat, 1, 90, FAT_LZ4, lz4, sizeof lz4, (size_t)1 << 50);
  CHECK_EQUAL(choose(90), FATBIN_BROKEN);
}

/* Every prefix of a good file, with a header that fits it. */
BEHAVIOUR(every_cut_is_refused_or_read)
{
  struct fat_builder whole;
  fat_begin(&whole);
  fat_add_ptx(&whole, 80, "eighty");
  fat_add(&whole, 1, 90, FAT_LZ4, lz4, sizeof lz4, 22);
  for (size_t n = 0; n < whole.n; n++) {
    uint8_t *exact = malloc(n + 1); /* so that a sanitizer sees overruns */
    memcpy(exact, whole.bytes, n);
    if (n >= 16) {
      exact[8] = (uint8_t)(n - 16);
      exact[9] = (uint8_t)((n - 16) >> 8);
    }
    fatbin_choose(exact, n, 90, &entry, &error);
    free(exact);
  }
}

/* Every byte of a good file, set to several values. */
BEHAVIOUR(every_changed_byte_is_refused_or_read)
{
  static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff };
  struct fat_builder whole;
  size_t bytes;
  fat_begin(&whole);
  fat_add_ptx(&whole, 80, "eighty");
  fat_add(&whole, 1, 90, FAT_LZ4, lz4, sizeof lz4, 22);
  for (size_t i = 0; i < whole.n; i++)
    for (size_t v = 0; v < sizeof values; v++) {
      uint8_t *copy = malloc(whole.n);
      memcpy(copy, whole.bytes, whole.n);
      copy[i] = values[v];
      if (fatbin_choose(copy, whole.n, 90, &entry, &error) == FATBIN_CHOSEN &&
          entry.plain_bytes < 1 << 20)
        free(fatbin_extract(&entry, &bytes, &error));
      free(copy);
    }
}

/* A place for `bytes` bytes behind which nothing can be read. */
static uint8_t *at_the_end_of_a_page(size_t bytes)
{
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t room = (bytes + page - 1) / page * page;
  uint8_t *start = mmap(NULL, room + page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(start != MAP_FAILED);
  CHECK_EQUAL(mprotect(start + room, page, PROT_NONE), 0);
  return start + room - bytes;
}

/* The sizes in the header, each byte set to every value: what they claim may
 * not be there. */
BEHAVIOUR(sizes_beyond_the_memory_are_refused)
{
  struct fat_builder whole;
  fat_begin(&whole);
  fat_add_ptx(&whole, 80, "eighty");
  uint8_t *copy = at_the_end_of_a_page(whole.n);
  for (size_t i = 6; i < 16; i++)
    for (unsigned value = 0; value < 256; value++) {
      memcpy(copy, whole.bytes, whole.n);
      copy[i] = (uint8_t)value;
      fatbin_choose(copy, fatbin_size(copy), 90, &entry, &error);
    }
  memcpy(copy, whole.bytes, whole.n);
  CHECK_EQUAL(fatbin_size(copy), whole.n);
  copy[9] = 0xff;
  CHECK_EQUAL(fatbin_choose(copy, fatbin_size(copy), 90, &entry, &error),
              FATBIN_BROKEN);
  CHECK_HAS(error.message, "its size does not fit");
}
