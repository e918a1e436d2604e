/* The kernel that all solvers of this chapter share: one step of the heat
 * equation for some rows of a grid. */
#ifndef CODE_MULTI_GPU_ROWS_H
#define CODE_MULTI_GPU_ROWS_H

#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/heat.h"

enum { BLOCK_THREADS = 256, ROWS_EACH = 8 };

// begin rows
/* Each thread computes up to ROWS_EACH points of one column, from the top
 * down, and keeps the last three in registers. */
__device__ static void march(float *__restrict__ out,
                             const float *__restrict__ in, size_t columns,
                             size_t row, size_t end, float r)
{
  size_t column = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (column == 0 || column + 1 >= columns || row >= end)
    return;
  const float *at = in + row * columns + column;
  float up = at[-(ptrdiff_t)columns], centre = at[0];
#pragma unroll 8
  for (; row < end; row++, at += columns) {
    float down = at[columns];
    out[row * columns + column] =
        heat_point(centre, up, down, at[-1], at[1], r);
    up = centre;
    centre = down;
  }
}

static __global__ void heat_rows(float *out, const float *in, size_t columns,
                                 size_t first, size_t end, float r)
{
  size_t row = first + (size_t)blockIdx.y * ROWS_EACH;
  size_t last = row + ROWS_EACH < end ? row + ROWS_EACH : end;
  march(out, in, columns, row, last, r);
}
// end rows

static inline dim3 blocks_for(size_t n_rows, size_t columns)
{
  return dim3((unsigned)((columns + BLOCK_THREADS - 1) / BLOCK_THREADS),
              (unsigned)((n_rows + ROWS_EACH - 1) / ROWS_EACH));
}

/* Rows first to end - 1 of the grid. */
static inline void launch_rows(float *d_out, const float *d_in,
                               size_t columns, size_t first, size_t end,
                               cudaStream_t stream)
{
  if (first >= end)
    return;
  heat_rows<<<blocks_for(end - first, columns), BLOCK_THREADS, 0, stream>>>(
      d_out, d_in, columns, first, end, HEAT_R);
  CUDA_CHECK_LAUNCH();
}

/* A band's two grids, for timing: any numbers, but never all the same. */
static inline void fill_grids(float *const d_grid[2], size_t n)
{
  random_source source = random_from_seed(1);
  for (int i = 0; i < 2; i++)
    fill_device_floats(&source, d_grid[i], n);
}

#endif
