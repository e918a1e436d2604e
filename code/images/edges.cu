/* Edges: the largest value of 3 x 3 minus the smallest one, per channel. */
#include "images/ladder.h"
#include "images/median.h"

static void edges_reference(image out, image in)
{
  for (int row = 0; row < in.n_rows; row++)
    for (int col = 0; col < in.n_cols; col++) {
      uint32_t result = 0;
      for (int c = 0; c < 3; c++) {
        uint32_t low = 255, high = 0;
        for (int i = 0; i < 9; i++) {
          uint32_t value = channel_of(pixel_at(in, row + i / 3 - 1,
                                               col + i % 3 - 1), c);
          low = value < low ? value : low;
          high = value > high ? value : high;
        }
        result |= (high - low) << (8 * c);
      }
      out.pixels[(size_t)row * out.pitch + col] = result;
    }
}

// begin edges
/* Largest minus smallest of three rows, for SPAN - 2 windows of a row. */
__device__ static void differences(uint32_t *made, const uint32_t *a,
                                   const uint32_t *b, const uint32_t *c,
                                   int shift)
{
  uint32_t low[SPAN], high[SPAN];
  for (int x = 1; x < SPAN - 1; x++) {
    uint32_t u = a[x] >> shift & 0xff00ff, v = b[x] >> shift & 0xff00ff;
    uint32_t w = c[x] >> shift & 0xff00ff;
    low[x] = __vimin3_u16x2(u, v, w);
    high[x] = __vimax3_u16x2(u, v, w);
  }
  for (int x = 0; x < GROUP; x++)
    made[x] |= (__vimax3_u16x2(high[x + 1], high[x + 2], high[x + 3]) -
               __vimin3_u16x2(low[x + 1], low[x + 2], low[x + 3])) << shift;
}

__global__ void edges_strip(image out, image in)
{
  int col = GROUP * (blockIdx.x * MEDIAN_THREADS + threadIdx.x);
  int first = blockIdx.y * MEDIAN_STRIP;
  if (col >= in.n_cols)
    return;
  uint32_t window[3][SPAN];
#pragma unroll 3
  for (int i = 0; i < MEDIAN_STRIP + 2; i++) {
    load_span(window[i % 3], in, first + i - 1, col);
    int row = first + i - 2;
    if (i < 2 || row >= in.n_rows)
      continue;
    uint32_t made[GROUP] = {};
    differences(made, window[0], window[1], window[2], 0);
    differences(made, window[0], window[1], window[2], 8);
    store_group(out, row, col, made);
  }
}
// end edges

static void launch_edges(image d_out, image d_in)
{
  edges_strip<<<dim3(blocks_for(d_in.n_cols, GROUP * MEDIAN_THREADS),
                     blocks_for(d_in.n_rows, MEDIAN_STRIP)),
                MEDIAN_THREADS>>>(d_out, d_in);
}

static const version versions[] = {
  {"copy", "16 bytes a thread: the ceiling", launch_copy, 0, 1},
  {"edges", "largest minus smallest, walking down", launch_edges, 0, 0},
};

static const ladder edges = {versions, sizeof versions / sizeof versions[0],
                             edges_reference};

int main(int argc, char **argv)
{
  return run_ladder(argc, argv, "how much values differ around a pixel",
                    &edges);
}
