/* A product as fast as an H100 or H200 allows: every block stays and takes
 * tile after tile, two blocks share what they load, and each tile is stored
 * while the next is multiplied.
 *
 *   nvcc -gencode arch=compute_90a,code=sm_90a -I code \
 *     code/tensor_cores/fastest.cu -o fastest && ./fastest
 *
 * A block computes tiles of 128 × 256 elements, each warpgroup half of the
 * rows. The matrices may have any number of rows; their rows must be multiples
 * of 16 bytes. */
#include "common/hopper.h"
#include "tensor_cores/product.h"

enum {
  ROWS = 128, COLS = 256, DEPTH = TILE_COLUMNS,
  GROUPS = 2,                   /* warpgroups that multiply */
  PARTS = COLS / 64,            /* a tile is stored 64 columns at a time */
  BLOCK_THREADS = 128 * (GROUPS + 1)
};

/* TALL × WIDE blocks are a cluster and take that many tiles of C together;
 * BAND of these side by side are walked down before the next ones. */
template <int TALL_, int WIDE_, int STAGES_, int BAND_> struct plan {
  static constexpr int TALL = TALL_, WIDE = WIDE_, STAGES = STAGES_,
                       BAND = BAND_, BLOCKS = TALL * WIDE,
                       SHARERS = TALL + WIDE - 1;
};

template <typename PLAN> struct memory {
  bf16 a[PLAN::STAGES][ROWS * DEPTH];
  bf16 b[PLAN::STAGES][COLS * DEPTH];
  bf16 out[GROUPS][2][64 * DEPTH];      /* 64 × 64 sums on their way out */
  mbarrier full[PLAN::STAGES], empty[PLAN::STAGES];
};

typedef struct {
  int at, parity;               /* of the ring's stage that is next */
} position;

template <typename PLAN> static __device__ void advance(position *p)
{
  if (++p->at == PLAN::STAGES) {
    p->at = 0;
    p->parity ^= 1;
  }
}

static __host__ __device__ int pieces(int n, int size)
{
  return (n + size - 1) / size;
}

typedef struct {
  int row, col;                 /* of C, where the tile begins */
} corner;

/* The i-th tile of this cluster's blocks. Bands of BAND tiles' width are
 * walked back and forth, so that what is in L2 is used again soon. */
template <typename PLAN>
static __device__ corner tile_corner(int i, shape s, int down, int across)
{
  int tall = pieces(s.n_rows, ROWS * PLAN::TALL);
  int wide = pieces(s.n_cols, COLS * PLAN::WIDE);
  int band = i / (PLAN::BAND * tall), first = band * PLAN::BAND;
  int width = min(PLAN::BAND, wide - first), inside = i % (PLAN::BAND * tall);
  int row = inside / width, col = first + inside % width;
  row = band % 2 ? tall - 1 - row : row;
  return corner{ (row * PLAN::TALL + down) * ROWS,
                 (col * PLAN::WIDE + across) * COLS };
}

/* One thread. Blocks in a row of the cluster need the same rows of A: each
 * loads a part of them for all. So it is with B, down the columns. */
template <typename PLAN>
static __device__ void produce(memory<PLAN> *m, const CUtensorMap *map_a,
                               const CUtensorMap *map_b, shape s, int n_tiles,
                               int down, int across)
{
  constexpr int a_rows = ROWS / PLAN::WIDE, b_rows = COLS / PLAN::TALL;
  unsigned row_of_blocks = 0;
  for (int i = 0; i < PLAN::WIDE; i++)
    row_of_blocks |= 1u << (down + i * PLAN::TALL);
  unsigned column_of_blocks = ((1u << PLAN::TALL) - 1) << (across * PLAN::TALL);
  position p = { 0, 0 };
  for (int i = blockIdx.x / PLAN::BLOCKS; i < n_tiles;
       i += gridDim.x / PLAN::BLOCKS) {
    corner c = tile_corner<PLAN>(i, s, down, across);
    for (int k = 0; k < s.n_inner; k += DEPTH) {
      mbarrier *full = &m->full[p.at];
      mbarrier_wait(&m->empty[p.at], p.parity ^ 1);
      mbarrier_expect(full, sizeof m->a[0] + sizeof m->b[0]);
      box_multicast(m->a[p.at] + across * a_rows * DEPTH, map_a,
                    c.row + across * a_rows, k, full, row_of_blocks);
      box_multicast(m->b[p.at] + down * b_rows * DEPTH, map_b,
                    c.col + down * b_rows, k, full, column_of_blocks);
      advance<PLAN>(&p);
    }
  }
}

/* By a warpgroup: tells the blocks that load for this one that it has read
 * the stage. */
template <typename PLAN>
static __device__ void release(mbarrier *empty, int down, int across)
{
  int i = threadIdx.x % 128;
  int block = i < PLAN::WIDE
                  ? down + i * PLAN::TALL
                  : (i - PLAN::WIDE + down + 1) % PLAN::TALL +
                        across * PLAN::TALL;
  if (i < PLAN::SHARERS)
    mbarrier_arrive_in(empty, block);
}

/* Two neighbouring sums become the halves of a register. */
static __device__ void round_sums(unsigned (&rounded)[64],
                                  const float (&sums)[128])
{
  for (int i = 0; i < 64; i++) {
    __nv_bfloat162 both = __floats2bfloat162_rn(sums[2 * i], sums[2 * i + 1]);
    memcpy(&rounded[i], &both, sizeof both);
  }
}

// begin store_part
/* 64 of a tile's columns go through one of two buffers; the TMA takes them
 * from there while the warpgroup goes on. */
template <typename PLAN>
static __device__ void store_part(memory<PLAN> *m, const CUtensorMap *map_c,
                                  const unsigned (&rounded)[64], corner c,
                                  int part)
{
  int group = threadIdx.x / 128, warp = threadIdx.x % 128 / 32;
  int lane = threadIdx.x % 32, r = 16 * warp + lane % 16;
  char *out = (char *)m->out[group][part % 2];
  if (threadIdx.x % 128 == 0)
    box_store_wait<1>();        /* the buffer's last store has been read */
  barrier_sync(1 + group, 128);
  for (int g = 0; g < 8; g += 2) {
    const unsigned *x = &rounded[16 * part + 2 * g];
    store_matrices(out + 128 * r + 16 * ((g + lane / 16) ^ r % 8), x[0], x[1],
                   x[2], x[3]);
  }
  fence_async();
  barrier_sync(1 + group, 128);
  if (threadIdx.x % 128 == 0) {
    box_store(out, map_c, c.row + 64 * group, c.col + 64 * part);
    box_store_commit();
  }
}
// end store_part

/* One stage: its product is still in flight at the end, and the stage before
 * is given back. */
template <typename PLAN>
static __device__ inline void multiply(memory<PLAN> *m, float (&sums)[128],
                                       position *p, int *before, int stage,
                                       int down, int across)
{
  const bf16 *a = m->a[p->at] + threadIdx.x / 128 * 64 * DEPTH;
  mbarrier_wait(&m->full[p->at], p->parity);
  wgmma_fence();
  for (int step = 0; step < DEPTH; step += 16)
    wgmma(sums, descriptor(a + step), descriptor(m->b[p->at] + step),
          stage + step > 0);
  wgmma_commit();
  wgmma_wait<1>();
  if (stage > 0)
    release<PLAN>(&m->empty[*before], down, across);
  *before = p->at;
  advance<PLAN>(p);
}

// begin consume
template <typename PLAN>
static __device__ void consume(memory<PLAN> *m, const CUtensorMap *map_c,
                               shape s, int n_tiles, int down, int across)
{
  int first = blockIdx.x / PLAN::BLOCKS, n_stages = pieces(s.n_inner, DEPTH);
  float sums[128];
  unsigned rounded[64];         /* the tile that was multiplied last … */
  corner c = { 0, 0 };          /* … and where it goes */
  position p = { 0, 0 };
  for (int i = first; i < n_tiles; i += gridDim.x / PLAN::BLOCKS) {
    int before = 0;
#pragma unroll
    for (int part = 0; part < PARTS; part++) {
      if (part < n_stages)
        multiply(m, sums, &p, &before, part, down, across);
      if (i > first)
        store_part(m, map_c, rounded, c, part);
    }
    for (int stage = PARTS; stage < n_stages; stage++)
      multiply(m, sums, &p, &before, stage, down, across);
    wgmma_wait<0>(sums);
    release<PLAN>(&m->empty[before], down, across);
    round_sums(rounded, sums);
    c = tile_corner<PLAN>(i, s, down, across);
  }
  if (first < n_tiles)
#pragma unroll
    for (int part = 0; part < PARTS; part++)
      store_part(m, map_c, rounded, c, part);
  if (threadIdx.x % 128 == 0)
    box_store_wait<0>();
}
// end consume

template <typename PLAN>
__global__ void __launch_bounds__(BLOCK_THREADS, 1)
    product_fastest(const __grid_constant__ CUtensorMap map_a,
                    const __grid_constant__ CUtensorMap map_b,
                    const __grid_constant__ CUtensorMap map_c, shape s)
{
  extern __shared__ __align__(PATTERN_BYTES) unsigned char bytes[];
  memory<PLAN> *m = (memory<PLAN> *)bytes;
  int rank = blockIdx.x % PLAN::BLOCKS;
  int down = rank % PLAN::TALL, across = rank / PLAN::TALL;
  int n_tiles = pieces(s.n_rows, ROWS * PLAN::TALL) *
                pieces(s.n_cols, COLS * PLAN::WIDE);
  if (threadIdx.x == 0)
    for (int i = 0; i < PLAN::STAGES; i++) {
      mbarrier_init(&m->full[i], 1);
      mbarrier_init(&m->empty[i], GROUPS * PLAN::SHARERS);
    }
  cluster_sync();               /* nothing comes before they are ready */
  if (threadIdx.x < 128 * GROUPS) {
    registers_more<240>();
    consume(m, &map_c, s, n_tiles, down, across);
  } else {
    registers_less<24>();
    if (threadIdx.x == 128 * GROUPS)
      produce(m, &map_a, &map_b, s, n_tiles, down, across);
  }
  __syncwarp();
  cluster_sync();               /* others may still send into this block */
}

template <typename PLAN>
static void launch(bf16 *d_c, const bf16 *d_a, const bf16 *d_b, shape s)
{
  CUtensorMap map_a = hopper_map(d_a, s.n_rows, s.n_inner, ROWS / PLAN::WIDE);
  CUtensorMap map_b = hopper_map(d_b, s.n_cols, s.n_inner, COLS / PLAN::TALL);
  CUtensorMap map_c = hopper_map(d_c, s.n_rows, s.n_cols, 64);
  void (*kernel)(CUtensorMap, CUtensorMap, CUtensorMap, shape) =
      product_fastest<PLAN>;
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = PLAN::BLOCKS;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = product_blocks() / PLAN::BLOCKS * PLAN::BLOCKS;
  config.blockDim = BLOCK_THREADS;
  config.dynamicSmemBytes = sizeof(memory<PLAN>);
  config.attrs = &cluster;
  config.numAttrs = 1;
  CUDA_CHECK(cudaFuncSetAttribute(kernel,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  sizeof(memory<PLAN>)));
  int n_clusters;
  CUDA_CHECK(cudaOccupancyMaxActiveClusters(&n_clusters, kernel, &config));
  if (n_clusters * PLAN::BLOCKS < (int)config.gridDim.x)
    config.gridDim = n_clusters * PLAN::BLOCKS;
  CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, map_a, map_b, map_c, s));
}

#ifndef PRODUCT_VARIANTS
static const version versions[] = {
  {"fastest", "stored later, by the TMA", launch<plan<2, 1, 4, 8>>, {1, 8, 8}, 90},
};

PRODUCT_MAIN(versions)
#endif
