/* A product by wgmma with a warp that only loads and two warpgroups that only
 * multiply.
 *
 *   nvcc -gencode arch=compute_90a,code=sm_90a -I code \
 *     code/tensor_cores/specialised.cu -o specialised && ./specialised
 *
 * A block computes 128 × 256 elements, each warpgroup half of the rows. */
#include "common/hopper.h"
#include "tensor_cores/product.h"

enum {
  ROWS = 128, COLS = 256, DEPTH = TILE_COLUMNS,
  GROUPS = 2,                   /* warpgroups that multiply */
  BLOCK_THREADS = 128 * GROUPS + 32,
  STAGES = 4
};

typedef struct {
  bf16 a[STAGES][ROWS * DEPTH];
  bf16 b[STAGES][COLS * DEPTH];
  mbarrier full[STAGES], empty[STAGES];
} ring;

// begin position
/* Which stage is next, and the parity of its mbarriers' phase. */
typedef struct {
  int at, parity;
} position;

static __device__ void advance(position *p)
{
  if (++p->at == STAGES) {
    p->at = 0;
    p->parity ^= 1;
  }
}
// end position

// begin produce
/* One thread. A stage may be filled when both warpgroups have emptied it; the
 * first time, it is empty already. */
static __device__ void produce(ring *r, const CUtensorMap *map_a,
                               const CUtensorMap *map_b, int n_tiles)
{
  position p = { 0, 0 };
  for (int t = 0; t < n_tiles; t++) {
    mbarrier_wait(&r->empty[p.at], p.parity ^ 1);
    mbarrier_expect(&r->full[p.at], sizeof r->a[0] + sizeof r->b[0]);
    box_load(r->a[p.at], map_a, ROWS * blockIdx.y, t * DEPTH, &r->full[p.at]);
    box_load(r->b[p.at], map_b, COLS * blockIdx.x, t * DEPTH, &r->full[p.at]);
    advance(&p);
  }
}
// end produce

// begin consume
/* A warpgroup. The product of one stage is still in flight when the next is
 * started; only then is the stage before it known to be read. */
static __device__ void consume(float (&sums)[128], ring *r, int group,
                               int n_tiles)
{
  position p = { 0, 0 };
  int before = 0;
  for (int t = 0; t < n_tiles; t++) {
    mbarrier_wait(&r->full[p.at], p.parity);
    const bf16 *a = r->a[p.at] + group * 64 * DEPTH, *b = r->b[p.at];
    wgmma_fence();
    for (int i = 0; i < DEPTH; i += 16)
      wgmma(sums, descriptor(a + i), descriptor(b + i), t > 0 || i > 0);
    wgmma_commit();
    wgmma_wait<1>();
    if (t > 0 && threadIdx.x % 128 == 0)
      mbarrier_arrive(&r->empty[before]);
    before = p.at;
    advance(&p);
  }
  wgmma_wait<0>(sums);
}
// end consume

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

// begin specialised
__global__ void __launch_bounds__(BLOCK_THREADS, 1)
    product_specialised(bf16 *c, const __grid_constant__ CUtensorMap map_a,
                        const __grid_constant__ CUtensorMap map_b, shape s)
{
  extern __shared__ __align__(PATTERN_BYTES) unsigned char memory[];
  ring *r = (ring *)memory;
  int group = threadIdx.x / 128, n_tiles = s.n_inner / DEPTH;
  if (threadIdx.x == 0)
    for (int i = 0; i < STAGES; i++) {
      mbarrier_init(&r->full[i], 1);
      mbarrier_init(&r->empty[i], GROUPS);
    }
  __syncthreads();
  if (group == GROUPS) {        /* the ninth warp */
    if (threadIdx.x % 32 == 0)
      produce(r, &map_a, &map_b, n_tiles);
  } else {
    float sums[128];
    consume(sums, r, group, n_tiles);
    store_sums(c, sums, ROWS * blockIdx.y + 64 * group, COLS * blockIdx.x,
               s.n_cols);
  }
}
// end specialised

static void launch(bf16 *d_c, const bf16 *d_a, const bf16 *d_b, shape s)
{
  CUtensorMap map_a = hopper_map(d_a, s.n_rows, s.n_inner, ROWS);
  CUtensorMap map_b = hopper_map(d_b, s.n_cols, s.n_inner, COLS);
  CUDA_CHECK(cudaFuncSetAttribute(
      product_specialised, cudaFuncAttributeMaxDynamicSharedMemorySize,
      sizeof(ring)));
  dim3 grid(s.n_cols / COLS, s.n_rows / ROWS);
  product_specialised<<<grid, BLOCK_THREADS, sizeof(ring)>>>(d_c, map_a, map_b,
                                                             s);
}

static const version versions[] = {
  {"specialised", "a warp loads, two warpgroups multiply", launch,
   {128, 256, 64}, 90},
};

PRODUCT_MAIN(versions)
