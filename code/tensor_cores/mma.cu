/* A product by mma.sync: tiles in shared memory, fragments in registers that
 * the program fills itself.
 *
 *   nvcc -arch=sm_80 -I code code/tensor_cores/mma.cu -o mma && ./mma
 *
 * A block computes 128 × 128 elements, each of its eight warps 64 × 32. */
#include <cuda_pipeline.h>

#include "tensor_cores/product.h"

enum {
  SIDE = 128,                   /* of a block's tile of C */
  DEPTH = 64,                   /* of its tiles of A and B: rows of 128 bytes */
  TILE_BYTES = SIDE * DEPTH * 2,
  STAGES = 3,
  BLOCK_THREADS = 256,
  WARP_ROWS = 64, WARP_COLS = 32
};

// begin place
/* Where group g of row r is: 16 bytes, eight groups to a row. */
template <int SWIZZLED> static __device__ int place(int r, int g)
{
  return 128 * r + 16 * (SWIZZLED ? g ^ r % 8 : g);
}
// end place

// begin fragments
/* Four 8 × 8 matrices: lane l names row l % 8 of matrix l / 8, and gets of
 * each matrix the two elements in row l / 4 from column 2 (l % 4). */
static __device__ void load_fragments(unsigned (&x)[4], const char *row)
{
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
               : "r"((unsigned)__cvta_generic_to_shared(row))
               : "memory");
}

/* 16 × 8 sums += 16 × 16 elements of A times 16 × 8 of B. */
static __device__ void multiply_add(float (&c)[4], const unsigned (&a)[4],
                                    unsigned b0, unsigned b1)
{
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0),
                 "r"(b1));
}
// end fragments

/* Starts the copies of one tile: 128 rows of eight groups. */
template <int SWIZZLED>
static __device__ void start_copy(char *to, const bf16 *from, int n_inner)
{
#pragma unroll
  for (int i = threadIdx.x; i < SIDE * 8; i += BLOCK_THREADS) {
    int r = i / 8, g = i % 8;
    __pipeline_memcpy_async(to + place<SWIZZLED>(r, g),
                            from + (size_t)r * n_inner + 8 * g, 16);
  }
}

// begin tile_product
/* A warp's 64 × 32 sums, for the 64 columns of A and B that are here. */
template <int SWIZZLED>
static __device__ void multiply_tile(float (&c)[4][4][4], const char *a,
                                     const char *b)
{
  int lane = threadIdx.x % 32;
  for (int g = 0; g < 8; g += 2) {      /* 16 of the 64 columns */
    unsigned rows[4][4], cols[2][4];
    for (int i = 0; i < 4; i++)
      load_fragments(rows[i], a + place<SWIZZLED>(16 * i + lane % 16,
                                                  g + lane / 16));
    for (int j = 0; j < 2; j++)
      load_fragments(cols[j],
                     b + place<SWIZZLED>(16 * j + lane % 8 + lane / 16 * 8,
                                         g + lane / 8 % 2));
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++)
        multiply_add(c[i][j], rows[i], cols[j / 2][j % 2 * 2],
                     cols[j / 2][j % 2 * 2 + 1]);
  }
}
// end tile_product

// begin mma
template <int SWIZZLED>
__global__ void __launch_bounds__(BLOCK_THREADS, 2)
    product_mma(bf16 *c, const bf16 *a, const bf16 *b, shape s)
{
  extern __shared__ __align__(128) char stage[];
  const bf16 *rows = a + (size_t)SIDE * blockIdx.y * s.n_inner;
  const bf16 *columns = b + (size_t)SIDE * blockIdx.x * s.n_inner;
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = warp / 4 * WARP_ROWS, col = warp % 4 * WARP_COLS;
  int n_tiles = s.n_inner / DEPTH;
  float sums[4][4][4] = {};

  for (int t = 1 - STAGES; t < n_tiles; t++) {
    if (t >= 0) {
      __pipeline_wait_prior(STAGES - 2);
      __syncthreads();          /* tile t is here, t - 1 is done with */
    }
    int next = t + STAGES - 1;
    if (next < n_tiles) {       /* into the stage that t - 1 was in */
      char *to = stage + next % STAGES * 2 * TILE_BYTES;
      start_copy<SWIZZLED>(to, rows + next * DEPTH, s.n_inner);
      start_copy<SWIZZLED>(to + TILE_BYTES, columns + next * DEPTH, s.n_inner);
    }
    __pipeline_commit();
    if (t < 0)
      continue;
    const char *here = stage + t % STAGES * 2 * TILE_BYTES;
    multiply_tile<SWIZZLED>(sums, here + 128 * row,
                            here + TILE_BYTES + 128 * col);
  }

  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int half = 0; half < 2; half++) {
        size_t r = SIDE * blockIdx.y + row + 16 * i + 8 * half + lane / 4;
        size_t at = r * s.n_cols + SIDE * blockIdx.x + col + 8 * j +
                    lane % 4 * 2;
        *(__nv_bfloat162 *)(c + at) = __floats2bfloat162_rn(
            sums[i][j][2 * half], sums[i][j][2 * half + 1]);
      }
}
// end mma

template <int SWIZZLED>
static void launch(bf16 *d_c, const bf16 *d_a, const bf16 *d_b, shape s)
{
  int bytes = STAGES * 2 * TILE_BYTES;
  CUDA_CHECK(cudaFuncSetAttribute(product_mma<SWIZZLED>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  bytes));
  dim3 grid(s.n_cols / SIDE, s.n_rows / SIDE);
  product_mma<SWIZZLED><<<grid, BLOCK_THREADS, bytes>>>(d_c, d_a, d_b, s);
}

static const version versions[] = {
  {"mma_plain", "mma.sync, tiles stored row by row", launch<0>,
   {128, 128, 64}, 80},
  {"mma", "mma.sync, tiles swizzled", launch<1>, {128, 128, 64}, 80},
};

PRODUCT_MAIN(versions)
