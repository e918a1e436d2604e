/* The median filter: each channel of a pixel becomes the middle one of the
 * nine values in 3 x 3 around it. */
#ifndef CODE_IMAGES_MEDIAN_H
#define CODE_IMAGES_MEDIAN_H

#include "images/pixels.h"

// begin reference
static int by_value(const void *a, const void *b)
{
  return *(const unsigned char *)a - *(const unsigned char *)b;
}

static void median_reference(image out, image in)
{
  for (int row = 0; row < in.n_rows; row++)
    for (int col = 0; col < in.n_cols; col++) {
      uint32_t result = 0;
      for (int c = 0; c < 3; c++) {
        unsigned char value[9];
        for (int i = 0; i < 9; i++)
          value[i] = channel_of(pixel_at(in, row + i / 3 - 1,
                                         col + i % 3 - 1), c);
        qsort(value, 9, 1, by_value);
        result |= (uint32_t)value[4] << (8 * c);
      }
      out.pixels[(size_t)row * out.pitch + col] = result;
    }
}
// end reference

// begin sort_pairs
/* Two channels at once, 16 bits for each: a takes the smaller ones. */
__device__ static inline void sort(uint32_t *a, uint32_t *b)
{
  uint32_t smaller = __vminu2(*a, *b);
  *b = __vmaxu2(*a, *b);
  *a = smaller;
}

__device__ static inline uint32_t middle_of_3(uint32_t a, uint32_t b,
                                              uint32_t c)
{
  sort(&a, &b);
  return __vmaxu2(a, __vminu2(b, c));
}
// end sort_pairs

enum { MEDIAN_STRIP = 18, MEDIAN_THREADS = 32 };

// begin columns
typedef struct {
  uint32_t low, middle, high;
} column;

__device__ static inline column sorted(uint32_t a, uint32_t b, uint32_t c)
{
  sort(&a, &b);
  sort(&b, &c);
  sort(&a, &b);
  column s = {a, b, c};
  return s;
}

/* Of three sorted columns. */
__device__ static inline uint32_t median_of(column a, column b, column c)
{
  return middle_of_3(__vimax3_u16x2(a.low, b.low, c.low),
                     middle_of_3(a.middle, b.middle, c.middle),
                     __vimin3_u16x2(a.high, b.high, c.high));
}
// end columns

// begin median_rows
__device__ static inline void unpack_inner(uint32_t *red_blue,
                                           uint32_t *green,
                                           const uint32_t *span)
{
  for (int x = 1; x < SPAN - 1; x++) {
    red_blue[x] = __byte_perm(span[x], 0, 0x4240);   /* bytes 0 and 2 */
    green[x] = __byte_perm(span[x], 0, 0x4341);      /* bytes 1 and 3 */
  }
}

/* Four neighbouring pixels of MEDIAN_STRIP rows, which 3 divides. The last
 * three rows stay, unpacked, in registers. */
__device__ static __forceinline__ void median_rows(image out, image in,
                                                   int first, int col,
                                                   int is_inside)
{
  uint32_t red_blue[3][SPAN], green[3][SPAN], span[SPAN];
  for (int y = 0; y < 2; y++) {
    load_row(span, in, first + y - 1, col, is_inside);
    unpack_inner(red_blue[y], green[y], span);
  }
  load_row(span, in, first + 1, col, is_inside);
#pragma unroll 1
  for (int i = first; i < first + MEDIAN_STRIP; i += 3)
#pragma unroll
    for (int y = 0; y < 3; y++) {
      int row = i + y, newest = (y + 2) % 3;
      if (!is_inside && row >= out.n_rows)
        return;
      unpack_inner(red_blue[newest], green[newest], span);
      load_row(span, in, row + 2, col, is_inside);
      column of_red_blue[SPAN], of_green[SPAN];
      for (int x = 1; x < SPAN - 1; x++) {
        of_red_blue[x] = sorted(red_blue[0][x], red_blue[1][x],
                                red_blue[2][x]);
        of_green[x] = sorted(green[0][x], green[1][x], green[2][x]);
      }
      uint32_t made[GROUP];
      for (int x = 0; x < GROUP; x++)
        made[x] = median_of(of_red_blue[x + 1], of_red_blue[x + 2],
                            of_red_blue[x + 3]) |
                  median_of(of_green[x + 1], of_green[x + 2],
                            of_green[x + 3]) << 8;
      store_group(out, row, col, made);
    }
}
// end median_rows

// begin median_inside
__global__ static void median_inside(image out, image in)
{
  int block_col = GROUP * blockIdx.x * MEDIAN_THREADS;
  int col = block_col + GROUP * threadIdx.x;
  int first = blockIdx.y * MEDIAN_STRIP;
  if (has_all_around(in, first, MEDIAN_STRIP, block_col,
                     GROUP * MEDIAN_THREADS))
    median_rows(out, in, first, col, 1);
  else if (col < in.n_cols)
    median_rows(out, in, first, col, 0);
}
// end median_inside

static inline void launch_median(image d_out, image d_in)
{
  dim3 grid(blocks_for(d_in.n_cols, GROUP * MEDIAN_THREADS),
            blocks_for(d_in.n_rows, MEDIAN_STRIP));
  median_inside<<<grid, MEDIAN_THREADS>>>(d_out, d_in);
}

#endif
