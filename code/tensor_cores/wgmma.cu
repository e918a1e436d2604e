/* A product by wgmma: the TMA brings the tiles, and 128 threads multiply them
 * where they are.
 *
 *   nvcc -gencode arch=compute_90a,code=sm_90a -I code \
 *     code/tensor_cores/wgmma.cu -o wgmma && ./wgmma
 *
 * A block is one warpgroup and computes 64 × 256 elements. `ring` has several
 * stages of tiles in flight, `wgmma` is the case of one. */
#include "common/hopper.h"
#include "tensor_cores/product.h"

enum { ROWS = 64, COLS = 256, DEPTH = TILE_COLUMNS };

/* What is needed of A and B for 64 of the terms of each sum. */
typedef struct {
  bf16 a[ROWS * DEPTH];
  bf16 b[COLS * DEPTH];
} stage;

// begin load
static __device__ void load_stage(stage *to, const CUtensorMap *map_a,
                                  const CUtensorMap *map_b, int k,
                                  mbarrier *full)
{
  mbarrier_expect(full, sizeof *to);
  box_load(to->a, map_a, ROWS * blockIdx.y, k, full);
  box_load(to->b, map_b, COLS * blockIdx.x, k, full);
}
// end load

// begin multiply
/* Four instructions, each for 16 terms: 32 bytes further in every row. */
static __device__ void multiply_stage(float (&sums)[128], const stage *s,
                                      int add)
{
  wgmma_fence();
  for (int i = 0; i < DEPTH / 16; i++)
    wgmma(sums, descriptor(s->a + 16 * i), descriptor(s->b + 16 * i),
          add || i > 0);
  wgmma_commit();
}
// end multiply

/* Of warp w, lane l has rows 16 w + l / 4 and 8 further, and of these two
 * neighbouring columns in every 8. */
static __device__ void store_sums(bf16 *c, const float (&sums)[128], int row,
                                  int col, int n_cols)
{
  int warp = threadIdx.x % 128 / 32, lane = threadIdx.x % 32;
  bf16 *to = c + (size_t)(row + 16 * warp + lane / 4) * n_cols + col +
             lane % 4 * 2;
  for (int i = 0; i < 128; i += 4) {
    *(__nv_bfloat162 *)(to + 2 * i) =
        __floats2bfloat162_rn(sums[i], sums[i + 1]);
    *(__nv_bfloat162 *)(to + 8 * (size_t)n_cols + 2 * i) =
        __floats2bfloat162_rn(sums[i + 2], sums[i + 3]);
  }
}

// begin wgmma
__global__ void __launch_bounds__(128)
    product_wgmma(bf16 *c, const __grid_constant__ CUtensorMap map_a,
                  const __grid_constant__ CUtensorMap map_b, shape s)
{
  extern __shared__ __align__(PATTERN_BYTES) stage tiles[];
  __shared__ mbarrier full;
  float sums[128];
  if (threadIdx.x == 0)
    mbarrier_init(&full, 1);
  __syncthreads();
  for (int t = 0; t < s.n_inner / DEPTH; t++) {
    if (threadIdx.x == 0)
      load_stage(tiles, &map_a, &map_b, t * DEPTH, &full);
    mbarrier_wait(&full, t % 2);
    multiply_stage(sums, tiles, t > 0);
    wgmma_wait<0>(sums);
    __syncthreads();            /* before the next boxes overwrite these */
  }
  store_sums(c, sums, ROWS * blockIdx.y, COLS * blockIdx.x, s.n_cols);
}
// end wgmma

// begin ring
template <int STAGES>
__global__ void __launch_bounds__(128)
    product_ring(bf16 *c, const __grid_constant__ CUtensorMap map_a,
                 const __grid_constant__ CUtensorMap map_b, shape s)
{
  extern __shared__ __align__(PATTERN_BYTES) stage tiles[];
  __shared__ mbarrier full[STAGES];
  float sums[128];
  int n_tiles = s.n_inner / DEPTH;
  if (threadIdx.x == 0)
    for (int i = 0; i < STAGES; i++) {
      mbarrier_init(&full[i], 1);
      if (i < n_tiles)
        load_stage(&tiles[i], &map_a, &map_b, i * DEPTH, &full[i]);
    }
  __syncthreads();
  for (int t = 0; t < n_tiles; t++) {
    int at = t % STAGES, next = t + STAGES;
    mbarrier_wait(&full[at], t / STAGES % 2);
    multiply_stage(sums, &tiles[at], t > 0);
    wgmma_wait<0>(sums);
    __syncthreads();
    if (threadIdx.x == 0 && next < n_tiles)
      load_stage(&tiles[at], &map_a, &map_b, next * DEPTH, &full[at]);
  }
  store_sums(c, sums, ROWS * blockIdx.y, COLS * blockIdx.x, s.n_cols);
}
// end ring

/* ---- launchers ---------------------------------------------------------- */

template <typename KERNEL>
static void launch(KERNEL kernel, int n_stages, bf16 *d_c, const bf16 *d_a,
                   const bf16 *d_b, shape s)
{
  int bytes = n_stages * (int)sizeof(stage);
  CUtensorMap map_a = hopper_map(d_a, s.n_rows, s.n_inner, ROWS);
  CUtensorMap map_b = hopper_map(d_b, s.n_cols, s.n_inner, COLS);
  CUDA_CHECK(cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  dim3 grid(s.n_cols / COLS, s.n_rows / ROWS);
  kernel<<<grid, 128, bytes>>>(d_c, map_a, map_b, s);
}

static void launch_wgmma(bf16 *d_c, const bf16 *d_a, const bf16 *d_b, shape s)
{
  launch(product_wgmma, 1, d_c, d_a, d_b, s);
}

static void launch_ring_2(bf16 *d_c, const bf16 *d_a, const bf16 *d_b, shape s)
{
  launch(product_ring<2>, 2, d_c, d_a, d_b, s);
}

static void launch_ring_4(bf16 *d_c, const bf16 *d_a, const bf16 *d_b, shape s)
{
  launch(product_ring<4>, 4, d_c, d_a, d_b, s);
}

static const version versions[] = {
  {"wgmma", "TMA and wgmma take turns", launch_wgmma, {64, 256, 64}, 90},
  {"ring_2", "two stages", launch_ring_2, {64, 256, 64}, 90},
  {"ring_4", "four stages", launch_ring_4, {64, 256, 64}, 90},
};

PRODUCT_MAIN(versions)
