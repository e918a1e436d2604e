/* The median of 5 x 5 by forgetful selection: fourteen values are kept. */
#include "images/ladder.h"
#include "images/median.h"

enum { WINDOW = 25, KEPT_AT_FIRST = WINDOW / 2 + 2 };

static void wide_reference(image out, image in)
{
  for (int row = 0; row < in.n_rows; row++)
    for (int col = 0; col < in.n_cols; col++) {
      uint32_t result = 0;
      for (int c = 0; c < 3; c++) {
        unsigned char value[WINDOW];
        for (int i = 0; i < WINDOW; i++)
          value[i] = channel_of(pixel_at(in, row + i / 5 - 2,
                                         col + i % 5 - 2), c);
        qsort(value, WINDOW, 1, by_value);
        result |= (uint32_t)value[WINDOW / 2] << (8 * c);
      }
      out.pixels[(size_t)row * out.pitch + col] = result;
    }
}

// begin wide
/* The smallest of n values first and the largest last. */
__device__ static void ends(uint32_t *value, int n)
{
#pragma unroll
  for (int i = 0; i < n / 2; i++)
    sort(&value[i], &value[n - 1 - i]);
#pragma unroll
  for (int i = 1; i < (n + 1) / 2; i++)
    sort(&value[0], &value[i]);
#pragma unroll
  for (int i = n / 2; i < n - 1; i++)
    sort(&value[i], &value[n - 1]);
}

__device__ static uint32_t middle_of_25(const uint32_t *given)
{
  uint32_t kept[KEPT_AT_FIRST];
  for (int i = 0; i < KEPT_AT_FIRST; i++)
    kept[i] = given[i];
#pragma unroll
  for (int n = KEPT_AT_FIRST; n > 3; n--) {
    ends(kept, n);
    kept[0] = kept[n - 2];
    kept[n - 2] = given[2 * KEPT_AT_FIRST - n];
  }
  ends(kept, 3);
  return kept[1];
}

__global__ void median_wide(image out, image in)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= in.n_rows || col >= in.n_cols)
    return;
  uint32_t red_blue[WINDOW], green[WINDOW];
#pragma unroll
  for (int i = 0; i < WINDOW; i++) {
    uint32_t pixel = pixel_at(in, row + i / 5 - 2, col + i % 5 - 2);
    red_blue[i] = pixel & 0xff00ff;
    green[i] = pixel >> 8 & 0xff00ff;
  }
  out.pixels[(size_t)row * out.pitch + col] =
      middle_of_25(red_blue) | middle_of_25(green) << 8;
}
// end wide

static void launch_wide(image d_out, image d_in)
{
  median_wide<<<dim3(blocks_for(d_in.n_cols, 32),
                     blocks_for(d_in.n_rows, 8)), dim3(32, 8)>>>(d_out,
                                                                 d_in);
}

static const version versions[] = {
  {"copy", "16 bytes a thread: the ceiling", launch_copy, 0, 1},
  {"wide", "the middle of 25 values", launch_wide, 0, 0},
};

static const ladder wide = {versions, sizeof versions / sizeof versions[0],
                            wide_reference};

int main(int argc, char **argv)
{
  return run_ladder(argc, argv, "the middle of 5 x 5 values", &wide);
}
