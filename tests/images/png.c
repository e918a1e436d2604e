/* The writer of PNG files against a reader of its own, which believes
 * nothing: signature, chunks, checksums, blocks, filters. With zlib here,
 * its inflate must agree.
 *
 *   png <folder for files>
 *
 * Exit status: 0 all as it should be, 1 not. */
#define _GNU_SOURCE /* clock_gettime */
#include "common/png.h"
#include "common/random.h"
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

static void fail(const char *what, size_t n_rows, size_t n_cols)
{
  fprintf(stderr, "png: error: %zu x %zu: %s\n", n_rows, n_cols, what);
  exit(EXIT_FAILURE);
}

static uint32_t u32(const unsigned char *at)
{
  return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 |
         at[3];
}

/* CRC-32 by long division, from the highest bit: another way than the
 * writer's. */
static uint32_t reversed(uint32_t x, int bits)
{
  uint32_t r = 0;
  for (int i = 0; i < bits; i++)
    r |= (x >> i & 1) << (bits - 1 - i);
  return r;
}

static uint32_t crc_of(const unsigned char *bytes, size_t n)
{
  uint32_t rest = 0xffffffffu;
  for (size_t i = 0; i < n; i++) {
    rest ^= reversed(bytes[i], 8) << 24;
    for (int bit = 0; bit < 8; bit++)
      rest = rest & 0x80000000u ? rest << 1 ^ 0x04c11db7u : rest << 1;
  }
  return ~reversed(rest, 32);
}

/* Stored blocks only; returns how many bytes they hold. */
static size_t unpack(unsigned char *to, size_t room, const unsigned char *from,
                     size_t n, const picture *p)
{
  size_t at = 2, made = 0;
  int is_last = 0;
  if (n < 6 || ((from[0] << 8) + from[1]) % 31 != 0 || (from[0] & 15) != 8)
    fail("no zlib stream", p->n_rows, p->n_cols);
  while (!is_last) {
    if (n - at < 5 || from[at] > 1)
      fail("no stored block", p->n_rows, p->n_cols);
    size_t length = from[at + 1] | (size_t)from[at + 2] << 8;
    size_t inverse = from[at + 3] | (size_t)from[at + 4] << 8;
    is_last = from[at];
    at += 5;
    if ((length ^ inverse) != 0xffff || length > n - at || length > room - made)
      fail("a wrong length", p->n_rows, p->n_cols);
    memcpy(to + made, from + at, length);
    made += length;
    at += length;
  }
  uint64_t a = 1, b = 0;
  for (size_t i = 0; i < made; i++) {
    a = (a + to[i]) % 65521;
    b = (b + a) % 65521;
  }
  if (n - at != 4 || u32(from + at) != (b << 16 | a))
    fail("a wrong sum of Adler's", p->n_rows, p->n_cols);
  return made;
}

static void check_file(const unsigned char *file, size_t n, const picture *p)
{
  static const char *const types[] = { "IHDR", "IDAT", "IEND" };
  size_t at = 8, room = p->n_rows * (3 * p->n_cols + 1);
  unsigned char *rows = (unsigned char *)malloc(room + 1);
  if (n < 8 || memcmp(file, "\x89PNG\r\n\x1a\n", 8) != 0)
    fail("no signature", p->n_rows, p->n_cols);
  for (int i = 0; i < 3; i++) {
    if (n - at < 12 || u32(file + at) > n - at - 12 ||
        memcmp(file + at + 4, types[i], 4) != 0)
      fail("a wrong chunk", p->n_rows, p->n_cols);
    size_t length = u32(file + at);
    const unsigned char *data = file + at + 8;
    if (crc_of(file + at + 4, length + 4) != u32(data + length))
      fail("a wrong checksum", p->n_rows, p->n_cols);
    if (i == 0 &&
        (length != 13 || u32(data) != p->n_cols || u32(data + 4) != p->n_rows ||
         memcmp(data + 8, "\x08\x02\0\0\0", 5) != 0))
      fail("a wrong header", p->n_rows, p->n_cols);
    if (i == 1 && unpack(rows, room, data, length, p) != room)
      fail("too few pixels", p->n_rows, p->n_cols);
#ifdef HAVE_ZLIB
    if (i == 1) {
      uLongf other_room = (uLongf)room;
      unsigned char *other = (unsigned char *)malloc(room + 1);
      if (uncompress(other, &other_room, data, length) != Z_OK ||
          other_room != room || memcmp(other, rows, room) != 0)
        fail("zlib reads something else", p->n_rows, p->n_cols);
      free(other);
    }
#endif
    at += length + 12;
  }
  if (at != n)
    fail("bytes behind the end", p->n_rows, p->n_cols);
  for (size_t row = 0; row < p->n_rows; row++) {
    const unsigned char *line = rows + row * (3 * p->n_cols + 1);
    if (line[0] != 0 ||
        memcmp(line + 1, p->rgb + 3 * row * p->n_cols, 3 * p->n_cols) != 0)
      fail("other pixels", p->n_rows, p->n_cols);
  }
  free(rows);
}

static void try_size(size_t n_rows, size_t n_cols, const char *path)
{
  random_source source = random_from_seed(n_rows * 40000 + n_cols);
  char error[PICTURE_ERROR_BYTES] = "";
  picture p = { n_rows, n_cols, (unsigned char *)malloc(3 * n_rows * n_cols) };
  random_fill_bytes(&source, p.rgb, 3 * n_rows * n_cols);
  if (!png_write(&p, path, error))
    fail(error, n_rows, n_cols);
  FILE *file = fopen(path, "rb");
  long long n = file ? picture_bytes_left(file) : -1;
  unsigned char *bytes = n > 0 ? (unsigned char *)malloc((size_t)n) : NULL;
  if (!bytes || fread(bytes, 1, (size_t)n, file) != (size_t)n)
    fail("cannot be read again", n_rows, n_cols);
  fclose(file);
  check_file(bytes, (size_t)n, &p);
  free(bytes);
  picture_free(&p);
  remove(path);
}

/* Rows of one block exactly, of a byte more, and of two blocks. */
int main(int argc, char **argv)
{
  static const size_t sizes[][2] = {
    { 1, 1 },     { 1, 2 },     { 3, 1 },     { 7, 5 },     { 214, 320 },
    { 2, 21844 }, { 2, 21845 }, { 2, 21846 }, { 1, 32768 },
  };
  char path[200], error[PICTURE_ERROR_BYTES] = "";
  picture p = { 1, 1, (unsigned char *)"abc" };
  snprintf(path, sizeof path, "%s/png-test.png", argc > 1 ? argv[1] : ".");
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    try_size(sizes[i][0], sizes[i][1], path);
  FILE *full = fopen("/dev/full", "wb"); /* a disk without room */
  if (full && (png_write_open(&p, full, "full", error) ||
               !strstr(error, "cannot be written")))
    fail("a full disk is not noticed", 1, 1);
  if (full)
    fclose(full);
  if (png_write(&p, "no/such/folder/a.png", error) || !strstr(error, "opened"))
    fail("an absent folder is not noticed", 1, 1);
  printf("%zu sizes: all right\n", sizeof sizes / sizeof sizes[0]);
  return EXIT_SUCCESS;
}
