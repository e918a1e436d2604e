/* Pictures on the device, and what both ladders of this folder need around
 * their kernels. A pixel has four bytes: red, green, blue and one that is
 * free. Rows begin a whole number of 16-byte groups apart, so that a group
 * of four pixels can be loaded at once whatever the width is. */
#ifndef CODE_IMAGES_PIXELS_H
#define CODE_IMAGES_PIXELS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/cuda_check.h"

// begin image
typedef struct {
  uint32_t *pixels;   /* red + 2^8 green + 2^16 blue */
  int n_rows, n_cols;
  int pitch;          /* pixels from one row to the next; 4 divides it */
} image;

__host__ __device__ static inline int clamp(int i, int n)
{
  return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* The pixel there; outside of the picture, the nearest inside. */
__host__ __device__ static inline uint32_t pixel_at(image in, int row,
                                                    int col)
{
  return in.pixels[(size_t)clamp(row, in.n_rows) * in.pitch +
                   clamp(col, in.n_cols)];
}
// end image

__host__ __device__ static inline uint32_t channel_of(uint32_t pixel, int c)
{
  return pixel >> (8 * c) & 0xff;
}

static inline int pitch_for(int n_cols)
{
  return (n_cols + 3) / 4 * 4;
}

static inline size_t image_bytes(image m)
{
  return (size_t)m.n_rows * m.pitch * sizeof(uint32_t);
}

static inline image image_on_host(int n_rows, int n_cols)
{
  image m = {NULL, n_rows, n_cols, pitch_for(n_cols)};
  m.pixels = (uint32_t *)calloc(image_bytes(m) + 1, 1);
  if (!m.pixels) {
    fprintf(stderr, "error: no memory for %d x %d pixels\n", n_cols, n_rows);
    exit(EXIT_FAILURE);
  }
  return m;
}

/* The same size on the device; `guard_bytes` more after it. */
static inline image image_on_device(int n_rows, int n_cols,
                                    size_t guard_bytes)
{
  image m = {NULL, n_rows, n_cols, pitch_for(n_cols)};
  CUDA_CHECK(cudaMalloc(&m.pixels, image_bytes(m) + guard_bytes));
  return m;
}

static inline int blocks_for(int n, int per_block)
{
  return (n + per_block - 1) / per_block;
}

/* ---- four pixels of a row, and their neighbours ---- */

enum { GROUP = 4, SIDE = 2, SPAN = GROUP + 2 * SIDE };

// begin load_span
/* Pixels col - 2 ... col + 5 of a row, where 4 divides col: a group of four
 * and two on either side, in one load of 16 bytes and two of 8. */
__device__ static inline void load_inside(uint32_t *span,
                                          const uint32_t *at)
{
  uint2 left = *(const uint2 *)(at - SIDE);
  uint4 own = *(const uint4 *)at;
  uint2 right = *(const uint2 *)(at + GROUP);
  span[0] = left.x, span[1] = left.y;
  span[2] = own.x, span[3] = own.y, span[4] = own.z, span[5] = own.w;
  span[6] = right.x, span[7] = right.y;
}

__device__ static inline void load_span(uint32_t *span, image in, int row,
                                        int col)
{
  const uint32_t *line = in.pixels + (size_t)clamp(row, in.n_rows) * in.pitch;
  if (col >= SIDE && col + GROUP + SIDE <= in.n_cols)
    load_inside(span, line + col);
  else
    for (int i = 0; i < SPAN; i++)
      span[i] = line[clamp(col - SIDE + i, in.n_cols)];
}
// end load_span

// begin load_row
/* The same; is_inside: nothing of it can lie outside of the picture. */
__device__ static inline void load_row(uint32_t *span, image in, int row,
                                       int col, int is_inside)
{
  if (is_inside)
    load_inside(span, in.pixels + (size_t)row * in.pitch + col);
  else
    load_span(span, in, row, col);
}

/* Do these rows and columns have SIDE more pixels on every side? */
__device__ static inline int has_all_around(image in, int row, int n_rows,
                                            int col, int n_cols)
{
  return row >= SIDE && row + n_rows + SIDE <= in.n_rows && col >= SIDE &&
         col + n_cols + SIDE <= in.n_cols;
}
// end load_row

/* Four pixels into the output; those beyond its width go into the padding
 * between the rows, which holds no pixels. */
__device__ static inline void store_group(image out, int row, int col,
                                          const uint32_t *pixel)
{
  *(uint4 *)(out.pixels + (size_t)row * out.pitch + col) =
      make_uint4(pixel[0], pixel[1], pixel[2], pixel[3]);
}

#endif
