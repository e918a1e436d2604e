/* The motion blur: each pixel becomes a weighted average of 5 x 5 around it,
 * with the largest weights along the diagonal. */
#ifndef CODE_IMAGES_MOTION_H
#define CODE_IMAGES_MOTION_H

#include "images/pixels.h"

// begin weights
enum { RADIUS = 2, WEIGHTS = 5, WEIGHT_SUM = 114 };

/* In eighteenths; their sum is 114. */
#define MOTION_WEIGHTS \
  {{4, 5, 4, 1, 0}, {5, 8, 8, 4, 1}, {4, 8, 10, 8, 4}, {1, 4, 8, 8, 5}, \
   {0, 1, 4, 5, 4}}
// end weights

// begin reference
static void motion_reference(image out, image in)
{
  static const int weights[WEIGHTS][WEIGHTS] = MOTION_WEIGHTS;
  for (int row = 0; row < in.n_rows; row++)
    for (int col = 0; col < in.n_cols; col++) {
      uint32_t result = 0;
      for (int c = 0; c < 3; c++) {
        uint32_t sum = 0;
        for (int y = 0; y < WEIGHTS; y++)
          for (int x = 0; x < WEIGHTS; x++)
            sum += weights[y][x] *
                   channel_of(pixel_at(in, row + y - RADIUS,
                                       col + x - RADIUS), c);
        result |= (sum + WEIGHT_SUM / 2) / WEIGHT_SUM << (8 * c);
      }
      out.pixels[(size_t)row * out.pitch + col] = result;
    }
}
// end reference

// begin pairs
/* Two channels in one word, 16 bits for each: red and blue, or green and
 * nothing. No weighted sum is larger than 114 * 255 = 29070, so that the
 * low one never runs over into the high one. */
typedef struct {
  uint32_t red_blue, green;
} pair;

__device__ static inline pair pair_of(uint32_t pixel)
{
  pair p = {__byte_perm(pixel, 0, 0x4240),    /* bytes 0 and 2 */
            __byte_perm(pixel, 0, 0x4341)};   /* bytes 1 and 3 */
  return p;
}

/* x / 114, rounded down, in the highest byte: right for all x below 2^15. */
__host__ __device__ static inline uint32_t divided(uint32_t x)
{
  return x * 147169;
}

__device__ static inline uint32_t pixel_of(pair sum)
{
  uint32_t half = WEIGHT_SUM / 2 << 16 | WEIGHT_SUM / 2;   /* to round */
  uint32_t red = divided((sum.red_blue + half) & 0xffff);
  uint32_t green = divided((sum.green + half) & 0xffff);
  uint32_t blue = divided((sum.red_blue + half) >> 16);
  uint32_t red_green = __byte_perm(red, green, 0x0073);
  return __byte_perm(red_green, blue, 0x0710) & 0xffffff;
}
// end pairs

// begin weigh
/* The weighted sum of 5 x 5 words, what has the same weight added first. */
__device__ static inline uint32_t weigh(const uint32_t *a, const uint32_t *b,
                                        const uint32_t *c, const uint32_t *d,
                                        const uint32_t *e)
{
  uint32_t ones = a[3] + b[4] + d[0] + e[1];
  uint32_t fours = a[0] + a[2] + b[3] + c[0] + c[4] + d[1] + e[2] + e[4];
  uint32_t fives = a[1] + b[0] + d[4] + e[3];
  uint32_t eights = b[1] + b[2] + c[1] + c[3] + d[2] + d[3];
  return ones + 4 * fours + 5 * fives + 8 * eights + 10 * c[2];
}
// end weigh

enum { STRIP = 20, STRIP_THREADS = 32 };

// begin motion_rows
__device__ static inline void unpack(uint32_t *red_blue, uint32_t *green,
                                     const uint32_t *span)
{
  for (int x = 0; x < SPAN; x++) {
    pair p = pair_of(span[x]);
    red_blue[x] = p.red_blue;
    green[x] = p.green;
  }
}

/* Four neighbouring pixels of STRIP rows, which 5 divides. One turn of the
 * loop is five rows, so that each row is always in the same registers.
 * The next row is on its way while this one is summed. */
__device__ static __forceinline__ void motion_rows(image out, image in,
                                                   int first, int col,
                                                   int is_inside)
{
  uint32_t red_blue[WEIGHTS][SPAN], green[WEIGHTS][SPAN], span[SPAN];
  for (int y = 0; y < WEIGHTS - 1; y++) {
    load_row(span, in, first + y - RADIUS, col, is_inside);
    unpack(red_blue[y], green[y], span);
  }
  load_row(span, in, first + RADIUS, col, is_inside);
#pragma unroll 1
  for (int i = first; i < first + STRIP; i += WEIGHTS)
#pragma unroll
    for (int a = 0; a < WEIGHTS; a++) {
      int row = i + a, b = (a + 1) % WEIGHTS, c = (a + 2) % WEIGHTS,
          d = (a + 3) % WEIGHTS, e = (a + 4) % WEIGHTS;
      if (!is_inside && row >= out.n_rows)
        return;
      unpack(red_blue[e], green[e], span);
      load_row(span, in, row + RADIUS + 1, col, is_inside);
      uint32_t made[GROUP];
      for (int x = 0; x < GROUP; x++) {
        pair sum = {weigh(red_blue[a] + x, red_blue[b] + x, red_blue[c] + x,
                          red_blue[d] + x, red_blue[e] + x),
                    weigh(green[a] + x, green[b] + x, green[c] + x,
                          green[d] + x, green[e] + x)};
        made[x] = pixel_of(sum);
      }
      store_group(out, row, col, made);
    }
}
// end motion_rows

// begin inside
/* Blocks that touch no edge of the picture need no care for it. */
__global__ static void motion_inside(image out, image in)
{
  int block_col = GROUP * blockIdx.x * STRIP_THREADS;
  int col = block_col + GROUP * threadIdx.x, first = blockIdx.y * STRIP;
  if (has_all_around(in, first, STRIP + 1, block_col,
                     GROUP * STRIP_THREADS))
    motion_rows(out, in, first, col, 1);
  else if (col < in.n_cols)
    motion_rows(out, in, first, col, 0);
}
// end inside

static inline void launch_motion(image d_out, image d_in)
{
  dim3 grid(blocks_for(d_in.n_cols, GROUP * STRIP_THREADS),
            blocks_for(d_in.n_rows, STRIP));
  motion_inside<<<grid, STRIP_THREADS>>>(d_out, d_in);
}

#endif
