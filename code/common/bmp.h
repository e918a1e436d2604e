/* Pictures in BMP files: 24 or 32 bits a pixel, not compressed, rows from
 * the bottom up or from the top down, every header from 1987 to today.
 *
 *   picture p;
 *   char error[PICTURE_ERROR_BYTES];
 *   if (!bmp_decode(&p, bytes, n_bytes, path, error))
 *     fprintf(stderr, "error: %s\n", error);
 *
 * The same promise as picture.h: nothing that the file says about itself is
 * believed before it is known to fit the bytes that are there. */
#ifndef CODE_COMMON_BMP_H
#define CODE_COMMON_BMP_H

#include <stdarg.h>
#include <stdint.h>

#include "common/picture.h"

/* ---- numbers in a file begin with their lowest byte ---- */

static inline uint32_t bmp_u16(const unsigned char *at)
{
  return at[0] | (uint32_t)at[1] << 8;
}

static inline uint32_t bmp_u32(const unsigned char *at)
{
  return bmp_u16(at) | bmp_u16(at + 2) << 16;
}

static inline int bmp_refuse(char *error, const char *path,
                             const char *format, ...)
{
  char reason[160];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  return picture_refuse(error, path, reason);
}

// begin bmp_header
enum {
  BMP_FILE_HEADER = 14,   /* "BM", sizes, where the pixels begin */
  BMP_OLD_HEADER = 12,    /* OS/2: sides of 16 bits */
  BMP_HEADER = 40,        /* Windows: sides of 32 bits, with a sign */
  BMP_MASKS = 40,         /* where in the header the masks are */
  BMP_LONGEST_HEADER = 124
};

typedef struct {
  int64_t n_cols, n_rows;
  int top_down;             /* the first row of the file is the top one */
  uint32_t bits;            /* of a pixel: 24 or 32 */
  size_t first, row_bytes;  /* where the pixels begin; of a row, padded */
  int channel[3];           /* at which byte red, green and blue are */
} bmp_layout;
// end bmp_header

/* Red, green and blue of a 32-bit pixel are where masks say. Only whole
 * bytes, each channel another one. */
static inline int bmp_masks(bmp_layout *l, const unsigned char *masks)
{
  int seen = 0;
  for (int c = 0; c < 3; c++) {
    int at = 0;
    while (at < 4 && bmp_u32(masks + 4 * c) != (uint32_t)0xff << (8 * at))
      at++;
    if (at == 4 || seen & 1 << at)
      return 0;
    seen |= 1 << at;
    l->channel[c] = at;
  }
  return 1;
}

// begin bmp_layout
/* Reads the headers; 0, and error[] says why, if they cannot be true. */
static inline int bmp_read_layout(bmp_layout *l, const unsigned char *bytes,
                                  size_t n, const char *path, char *error)
{
  if (n < 2 || bytes[0] != 'B' || bytes[1] != 'M')
    return bmp_refuse(error, path, "not a BMP: it does not begin with BM");
  if (n < BMP_FILE_HEADER + 4)
    return bmp_refuse(error, path, "ends inside of its header, after %zu "
                      "bytes", n);
  uint32_t promised = bmp_u32(bytes + 2), header = bmp_u32(bytes + 14);
  if (promised > n)
    return bmp_refuse(error, path, "its header promises %u bytes; %zu are "
                      "there", promised, n);
  if (header != BMP_OLD_HEADER &&
      (header < BMP_HEADER || header > BMP_LONGEST_HEADER))
    return bmp_refuse(error, path, "a header of %u bytes; BMP has 12 or 40 "
                      "to 124", header);
  if (n - BMP_FILE_HEADER < header)
    return bmp_refuse(error, path, "ends inside of its header, after %zu "
                      "bytes", n);

  const unsigned char *h = bytes + BMP_FILE_HEADER;
  int old = header == BMP_OLD_HEADER;
  int32_t height = old ? (int32_t)bmp_u16(h + 6) : (int32_t)bmp_u32(h + 8);
  uint32_t compression = old ? 0 : bmp_u32(h + 16);
  l->n_cols = old ? (int64_t)bmp_u16(h + 4) : (int32_t)bmp_u32(h + 4);
  l->n_rows = height < 0 ? -(int64_t)height : height;
  l->top_down = height < 0;
  l->bits = bmp_u16(h + (old ? 10 : 14));
  if (l->n_cols < 1 || l->n_rows < 1 || l->n_cols > PICTURE_SIDE_LIMIT ||
      l->n_rows > PICTURE_SIDE_LIMIT)
    return bmp_refuse(error, path, "its width and height must be from 1 to "
                      "%d; they are %lld and %lld", PICTURE_SIDE_LIMIT,
                      (long long)l->n_cols, (long long)l->n_rows);
  if (bmp_u16(h + (old ? 8 : 12)) != 1)
    return bmp_refuse(error, path, "the number of its planes must be 1");
  if (l->bits != 24 && l->bits != 32)
    return bmp_refuse(error, path, "%u bits a pixel; this program reads 24 "
                      "and 32", l->bits);
  if (compression != 0 && (compression != 3 || l->bits != 32))
    return bmp_refuse(error, path, "compression %u with %u bits a pixel; "
                      "this program reads pixels that are not compressed",
                      compression, l->bits);

  size_t headers = BMP_FILE_HEADER + (size_t)header;
  l->channel[0] = 2, l->channel[1] = 1, l->channel[2] = 0;
  if (compression == 3) {            /* masks, in the header or after it */
    if (header < BMP_MASKS + 12)
      headers = BMP_FILE_HEADER + BMP_MASKS + 12;
    if (n < headers || !bmp_masks(l, h + BMP_MASKS))
      return bmp_refuse(error, path, "its masks must name a whole byte for "
                        "each of red, green and blue");
  }
  l->first = bmp_u32(bytes + 10);
  l->row_bytes = ((size_t)l->bits * l->n_cols + 31) / 32 * 4;
  size_t needed = l->row_bytes * l->n_rows;
  if (l->first < headers || l->first > n || n - l->first < needed)
    return bmp_refuse(error, path, "%lld x %lld pixels are %zu bytes, from "
                      "byte %zu on; the file has %zu bytes",
                      (long long)l->n_cols, (long long)l->n_rows, needed,
                      l->first, n);
  return 1;
}
// end bmp_layout

/* 1: *p is the picture.  0: error[] says why not, and *p is empty. */
static inline int bmp_decode(picture *p, const unsigned char *bytes,
                             size_t n, const char *path, char *error)
{
  bmp_layout l;
  memset(p, 0, sizeof *p);
  if (!bmp_read_layout(&l, bytes, n, path, error))
    return 0;
  p->rgb = (unsigned char *)malloc(3 * (size_t)l.n_rows * l.n_cols);
  if (!p->rgb)
    return picture_refuse(error, path, "no memory for its pixels");
  p->n_rows = l.n_rows;
  p->n_cols = l.n_cols;
  unsigned char *to = p->rgb;
  for (int64_t row = 0; row < l.n_rows; row++) {
    int64_t in_file = l.top_down ? row : l.n_rows - 1 - row;
    const unsigned char *from = bytes + l.first + in_file * l.row_bytes;
    for (int64_t col = 0; col < l.n_cols; col++, from += l.bits / 8)
      for (int c = 0; c < 3; c++)
        *to++ = from[l.channel[c]];
  }
  return 1;
}

/* A BMP or a PPM, by how the file begins. */
static inline int picture_read_any(picture *p, const char *path, char *error)
{
  memset(p, 0, sizeof *p);
  FILE *file = fopen(path, "rb");
  if (!file)
    return picture_refuse(error, path, "cannot be opened");
  int first = getc(file), second = getc(file);
  if (first != 'B' || second != 'M') {
    fclose(file);
    if (first != 'P' || second != '6')
      return picture_refuse(error, path, "neither a BMP nor a binary PPM: it "
                            "begins with neither BM nor P6");
    return picture_read(p, path, error);
  }
  rewind(file);
  long long n = picture_bytes_left(file);
  unsigned char *bytes = n > 0 ? (unsigned char *)malloc((size_t)n) : NULL;
  int good = bytes && fread(bytes, 1, (size_t)n, file) == (size_t)n;
  fclose(file);
  good = good ? bmp_decode(p, bytes, (size_t)n, path, error)
              : picture_refuse(error, path, "cannot be read");
  free(bytes);
  return good;
}

#endif
