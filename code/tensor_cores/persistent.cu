/* The product of cluster.cu by blocks that stay: one per multiprocessor, which
 * takes tile after tile, in an order that reuses what is in L2.
 *
 *   nvcc -gencode arch=compute_90a,code=sm_90a -I code \
 *     code/tensor_cores/persistent.cu -o persistent && ./persistent */
#include "common/hopper.h"
#include "tensor_cores/product.h"

enum {
  ROWS = 128, COLS = 256, DEPTH = TILE_COLUMNS,
  GROUPS = 2,                   /* warpgroups that multiply */
  BLOCK_THREADS = 128 * GROUPS + 32,
  STAGES = 4,
  BLOCKS = 2,                   /* of a cluster */
  BAND = 8                      /* tiles of C, side by side */
};

typedef struct {
  bf16 a[STAGES][ROWS * DEPTH];
  bf16 b[STAGES][COLS * DEPTH];
  mbarrier full[STAGES], empty[STAGES];
} ring;

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

// begin order
typedef struct {
  int row, col;                 /* of C, where the tile begins */
} corner;

/* The i-th tile of this cluster's upper block. Bands of BAND tiles' width are
 * walked down and up, so that what is in L2 is used again soon. */
template <int IN_BANDS> static __device__ corner tile_corner(int i, shape s)
{
  int tall = s.n_rows / (ROWS * BLOCKS), wide = s.n_cols / COLS;
  int band_cols = IN_BANDS ? BAND : wide;
  int band = i / (band_cols * tall), first = band * band_cols;
  int width = min(band_cols, wide - first), inside = i % (band_cols * tall);
  int row = inside / width, col = first + inside % width;
  row = band % 2 ? tall - 1 - row : row;
  return corner{ row * BLOCKS * ROWS, col * COLS };
}
// end order

// begin produce
/* One thread. It is ahead of the warpgroups by up to four stages, also into
 * the next tile of C. */
template <int IN_BANDS>
static __device__ void produce(ring *r, const CUtensorMap *map_a,
                               const CUtensorMap *map_b, shape s, int rank,
                               int n_tiles)
{
  constexpr int half = COLS / BLOCKS;
  position p = { 0, 0 };
  for (int i = blockIdx.x / BLOCKS; i < n_tiles; i += gridDim.x / BLOCKS) {
    corner c = tile_corner<IN_BANDS>(i, s);
    for (int k = 0; k < s.n_inner; k += DEPTH) {
      mbarrier *full = &r->full[p.at];
      mbarrier_wait(&r->empty[p.at], p.parity ^ 1);
      mbarrier_expect(full, sizeof r->a[0] + sizeof r->b[0]);
      box_load(r->a[p.at], map_a, c.row + rank * ROWS, k, full);
      box_multicast(r->b[p.at] + rank * half * DEPTH, map_b,
                    c.col + rank * half, k, full, 3);
      advance(&p);
    }
  }
}
// end produce

/* A warpgroup, for one tile of C. */
static __device__ void consume(float (&sums)[128], ring *r, position *p,
                               int group, int n_inner)
{
  int before = 0;
  for (int k = 0; k < n_inner; k += DEPTH) {
    mbarrier_wait(&r->full[p->at], p->parity);
    const bf16 *a = r->a[p->at] + group * 64 * DEPTH, *b = r->b[p->at];
    wgmma_fence();
    for (int i = 0; i < DEPTH; i += 16)
      wgmma(sums, descriptor(a + i), descriptor(b + i), k + i > 0);
    wgmma_commit();
    wgmma_wait<1>();
    if (k > 0 && threadIdx.x % 128 < BLOCKS)
      mbarrier_arrive_in(&r->empty[before], threadIdx.x % 128);
    before = p->at;
    advance(p);
  }
  wgmma_wait<0>(sums);
  if (threadIdx.x % 128 < BLOCKS)
    mbarrier_arrive_in(&r->empty[before], threadIdx.x % 128);
}

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

template <int IN_BANDS>
__global__ void __cluster_dims__(BLOCKS) __launch_bounds__(BLOCK_THREADS, 1)
    product_persistent(bf16 *c, const __grid_constant__ CUtensorMap map_a,
                       const __grid_constant__ CUtensorMap map_b, shape s)
{
  extern __shared__ __align__(PATTERN_BYTES) unsigned char memory[];
  ring *r = (ring *)memory;
  int group = threadIdx.x / 128, rank = blockIdx.x % BLOCKS;
  int n_tiles = s.n_rows / (ROWS * BLOCKS) * (s.n_cols / COLS);
  if (threadIdx.x == 0)
    for (int i = 0; i < STAGES; i++) {
      mbarrier_init(&r->full[i], 1);
      mbarrier_init(&r->empty[i], GROUPS * BLOCKS);
    }
  cluster_sync();
  if (group == GROUPS) {
    if (threadIdx.x % 32 == 0)
      produce<IN_BANDS>(r, &map_a, &map_b, s, rank, n_tiles);
  } else {
    position p = { 0, 0 };
    for (int i = blockIdx.x / BLOCKS; i < n_tiles; i += gridDim.x / BLOCKS) {
      float sums[128];
      corner at = tile_corner<IN_BANDS>(i, s);
      consume(sums, r, &p, group, s.n_inner);
      store_sums(c, sums, at.row + rank * ROWS + 64 * group, at.col, s.n_cols);
    }
  }
  __syncwarp();
  cluster_sync();
}

template <int IN_BANDS>
static void launch(bf16 *d_c, const bf16 *d_a, const bf16 *d_b, shape s)
{
  CUtensorMap map_a = hopper_map(d_a, s.n_rows, s.n_inner, ROWS);
  CUtensorMap map_b = hopper_map(d_b, s.n_cols, s.n_inner, COLS / BLOCKS);
  CUDA_CHECK(cudaFuncSetAttribute(product_persistent<IN_BANDS>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  sizeof(ring)));
  product_persistent<IN_BANDS>
      <<<product_blocks() / BLOCKS * BLOCKS, BLOCK_THREADS, sizeof(ring)>>>(
          d_c, map_a, map_b, s);
}

static const version versions[] = {
  {"rows", "blocks stay; tiles of C row by row", launch<0>, {256, 256, 64},
   90},
  {"bands", "blocks stay; tiles of C in bands", launch<1>, {256, 256, 64}, 90},
};

PRODUCT_MAIN(versions)
