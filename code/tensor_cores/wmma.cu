/* A product by the interface that came with the first tensor cores, wmma.
 *
 *   nvcc -arch=sm_80 -I code code/tensor_cores/wmma.cu -o wmma && ./wmma
 *
 * A warp computes 16 × 16 elements and reads everything it needs from global
 * memory. */
#include <mma.h>

#include "tensor_cores/product.h"

enum { BLOCK_WARPS = 4, SIDE = 16 };

// begin wmma
__global__ void product_wmma(bf16 *c, const bf16 *a, const bf16 *b, shape s)
{
  using namespace nvcuda;
  __shared__ float staged[BLOCK_WARPS][SIDE * SIDE];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = SIDE * blockIdx.y, col = SIDE * (BLOCK_WARPS * blockIdx.x + warp);
  const bf16 *rows = a + (size_t)row * s.n_inner;
  const bf16 *columns = b + (size_t)col * s.n_inner;

  wmma::fragment<wmma::matrix_a, 16, 16, 16, bf16, wmma::row_major> a_part;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, bf16, wmma::col_major> b_part;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::fill_fragment(sums, 0.0f);
  for (int k = 0; k < s.n_inner; k += SIDE) {
    wmma::load_matrix_sync(a_part, rows + k, s.n_inner);
    wmma::load_matrix_sync(b_part, columns + k, s.n_inner);
    wmma::mma_sync(sums, a_part, b_part, sums);
  }

  /* Which lane holds which sum, wmma does not say: out through memory. */
  wmma::store_matrix_sync(staged[warp], sums, SIDE, wmma::mem_row_major);
  __syncwarp();
  for (int i = lane; i < SIDE * SIDE; i += 32)
    c[(size_t)(row + i / SIDE) * s.n_cols + col + i % SIDE] =
        __float2bfloat16(staged[warp][i]);
}
// end wmma

static void launch_wmma(bf16 *d_c, const bf16 *d_a, const bf16 *d_b, shape s)
{
  dim3 grid(s.n_cols / (BLOCK_WARPS * SIDE), s.n_rows / SIDE);
  product_wmma<<<grid, 32 * BLOCK_WARPS>>>(d_c, d_a, d_b, s);
}

static const version versions[] = {
  {"wmma", "a warp multiplies 16 x 16 tiles out of global memory",
   launch_wmma, {16, 64, 16}, 80},
};

PRODUCT_MAIN(versions)
