/* Writes a picture as PNG, which every browser shows. The pixels are stored
 * as they are: PNG wants a zlib stream, and zlib allows blocks that are not
 * compressed. So no library is needed, and the files are as large as PPM's.
 *
 *   png_write(&p, path, error) */
#ifndef CODE_COMMON_PNG_H
#define CODE_COMMON_PNG_H

#include <stdint.h>

#include "common/picture.h"

typedef struct {
  FILE *file;
  uint32_t crc;    /* of the chunk that is being written */
  uint32_t a, b;   /* Adler's sums of what the zlib stream holds */
} png_writer;

static inline void png_bytes(png_writer *w, const void *data, size_t n)
{
  const unsigned char *bytes = (const unsigned char *)data;
  for (size_t i = 0; i < n; i++) {
    w->crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++)
      w->crc = w->crc >> 1 ^ (w->crc & 1 ? 0xedb88320u : 0);
  }
  fwrite(data, 1, n, w->file);
}

/* Numbers in PNG begin with their highest byte. */
static inline void png_u32(png_writer *w, uint32_t value)
{
  unsigned char bytes[4] = {
    (unsigned char)(value >> 24), (unsigned char)(value >> 16),
    (unsigned char)(value >> 8), (unsigned char)value};
  png_bytes(w, bytes, 4);
}

static inline void png_chunk(png_writer *w, uint32_t n_bytes,
                             const char *type)
{
  png_u32(w, n_bytes);
  w->crc = 0xffffffffu;
  png_bytes(w, type, 4);
}

static inline void png_end_chunk(png_writer *w)
{
  png_u32(w, ~w->crc);
}

enum { PNG_BLOCK_BYTES = 65535 };   /* what a stored block may hold */

/* One row, the byte that names its filter (none) first, as one stored
 * block. A row of 32768 pixels is longer than that: then as several. */
static inline void png_row(png_writer *w, const unsigned char *row,
                           size_t n_bytes, int is_last)
{
  size_t n_left = n_bytes + 1;
  for (size_t at = 0; n_left > 0;) {
    size_t n = n_left < PNG_BLOCK_BYTES ? n_left : PNG_BLOCK_BYTES;
    unsigned char head[6] = {
      (unsigned char)(is_last && n == n_left), (unsigned char)n,
      (unsigned char)(n >> 8), (unsigned char)~n,
      (unsigned char)(~n >> 8), 0};
    size_t of_row = at == 0 && n_left == n_bytes + 1 ? n - 1 : n;
    png_bytes(w, head, of_row < n ? 6 : 5);
    png_bytes(w, row + at, of_row);
    if (of_row < n)
      w->b += w->a;                 /* the filter's byte, a zero */
    for (size_t i = 0; i < of_row; i++) {
      w->a = (w->a + row[at + i]) % 65521;
      w->b = (w->b + w->a) % 65521;
    }
    w->b %= 65521;
    at += of_row;
    n_left -= n;
  }
}

/* How many bytes the zlib stream has. */
static inline uint64_t png_stream_bytes(const picture *p)
{
  uint64_t row = 3 * (uint64_t)p->n_cols + 1;
  uint64_t blocks = (row + PNG_BLOCK_BYTES - 1) / PNG_BLOCK_BYTES;
  return 2 + p->n_rows * (row + 5 * blocks) + 4;
}

/* 1: written.  0: error[] says why not. */
static inline int png_write_open(const picture *p, FILE *file,
                                 const char *path, char *error)
{
  static const unsigned char signature[] = "\x89PNG\r\n\x1a\n";
  static const unsigned char depth[] = {8, 2, 0, 0, 0};   /* 8 bits, RGB */
  static const unsigned char zlib[] = {0x78, 0x01};
  png_writer w = {file, 0, 1, 0};
  uint64_t n_bytes = png_stream_bytes(p);
  if (n_bytes > 0x7fffffff)
    return picture_refuse(error, path, "too large for one chunk of a PNG");
  png_bytes(&w, signature, 8);
  png_chunk(&w, 13, "IHDR");
  png_u32(&w, (uint32_t)p->n_cols);
  png_u32(&w, (uint32_t)p->n_rows);
  png_bytes(&w, depth, sizeof depth);
  png_end_chunk(&w);
  png_chunk(&w, (uint32_t)n_bytes, "IDAT");
  png_bytes(&w, zlib, sizeof zlib);
  for (size_t row = 0; row < p->n_rows; row++)
    png_row(&w, p->rgb + 3 * row * p->n_cols, 3 * p->n_cols,
            row + 1 == p->n_rows);
  png_u32(&w, w.b << 16 | w.a);
  png_end_chunk(&w);
  png_chunk(&w, 0, "IEND");
  png_end_chunk(&w);
  return fflush(file) == 0 && !ferror(file)
             ? 1 : picture_refuse(error, path, "cannot be written");
}

/* The same into a file, of which nothing is left if it fails. */
static inline int png_write(const picture *p, const char *path, char *error)
{
  FILE *file = fopen(path, "wb");
  if (!file)
    return picture_refuse(error, path, "cannot be opened for writing");
  int good = png_write_open(p, file, path, error);
  if (fclose(file) != 0 && good)
    good = picture_refuse(error, path, "cannot be written");
  if (!good)
    remove(path);
  return good;
}

#endif
