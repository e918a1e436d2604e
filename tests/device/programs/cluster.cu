/* Clusters: their registers, barrier, and each other's shared memory. */
#include <cooperative_groups.h>
#include <cuda/barrier>

#include "check.h"

namespace cg = cooperative_groups;

enum { THREADS = 96, BINS = 64 };

/* ---- who is where ---- */

__global__ void places(int *out)
{
  cg::cluster_group cluster = cg::this_cluster();
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int *to = &out[block * 8];
  dim3 at = cluster.block_index(), extent = cluster.dim_blocks();

  if (threadIdx.x != 0)
    return;
  to[0] = cluster.block_rank();
  to[1] = cluster.num_blocks();
  to[2] = at.x + 10 * at.y + 100 * at.z;
  to[3] = extent.x + 10 * extent.y + 100 * extent.z;
  to[4] = cluster.num_threads();
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(to[5]));
  asm("mov.u32 %0, %%clusterid.y;" : "=r"(to[6]));
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(to[7]));
}

static void launch(const void *kernel, dim3 grid, dim3 block, dim3 cluster,
                   void **arguments, cudaError_t wanted = cudaSuccess)
{
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute = {};

  config.gridDim = grid;
  config.blockDim = block;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x;
  attribute.val.clusterDim.y = cluster.y;
  attribute.val.clusterDim.z = cluster.z;
  config.attrs = &attribute;
  config.numAttrs = 1;
  EXPECT(cudaLaunchKernelExC(&config, kernel, arguments) == wanted);
  cudaGetLastError();
  CUDA(cudaDeviceSynchronize());
}

static void test_places(void)
{
  int *out;

  CUDA(cudaMallocManaged(&out, 48 * 8 * sizeof *out));
  void *arguments[] = { &out };
  launch((const void *)places, dim3(6, 4, 2), dim3(40), dim3(3, 2, 1),
         arguments);
  for (int b = 0; b < 48; b++) {
    int x = b % 6, y = b / 6 % 4;

    EXPECT(out[b * 8] == x % 3 + 3 * (y % 2));
    EXPECT(out[b * 8 + 1] == 6);
    EXPECT(out[b * 8 + 2] == x % 3 + 10 * (y % 2));
    EXPECT(out[b * 8 + 3] == 3 + 20 + 100);
    EXPECT(out[b * 8 + 4] == 240);
    EXPECT(out[b * 8 + 5] == x / 3);
    EXPECT(out[b * 8 + 6] == y / 2);
    EXPECT(out[b * 8 + 7] == 2);
  }
  CUDA(cudaFree(out));
}

/* ---- a histogram whose bins are spread over the cluster ---- */

__global__ void __cluster_dims__(4, 1, 1)
    histogram(const unsigned char *in, int n, unsigned *bins)
{
  __shared__ unsigned part[BINS / 4];
  cg::cluster_group cluster = cg::this_cluster();

  for (int i = threadIdx.x; i < BINS / 4; i += blockDim.x)
    part[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    unsigned bin = in[i] % BINS;
    unsigned *of = cluster.map_shared_rank(part, bin / (BINS / 4));

    atomicAdd(&of[bin % (BINS / 4)], 1u);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < BINS / 4; i += blockDim.x)
    atomicAdd(&bins[cluster.block_rank() * (BINS / 4) + i], part[i]);
}

static void test_histogram(void)
{
  const int n = 10007;
  unsigned char *in;
  unsigned *bins, wanted[BINS] = { 0 };

  CUDA(cudaMallocManaged(&in, n));
  CUDA(cudaMallocManaged(&bins, BINS * sizeof *bins));
  for (int i = 0; i < n; i++) {
    in[i] = (unsigned char)(i * 37 % 251);
    wanted[in[i] % BINS]++;
  }
  memset(bins, 0, BINS * sizeof *bins);
  histogram<<<8, THREADS>>>(in, n, bins);
  CUDA(cudaGetLastError());
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < BINS; i++)
    EXPECT(bins[i] == wanted[i]);
  histogram<<<6, THREADS>>>(in, n, bins);
  EXPECT(cudaGetLastError() == cudaErrorInvalidClusterSize);
  CUDA(cudaFree(in));
  CUDA(cudaFree(bins));
}

/* ---- a ring: each block hands its numbers to the next, again and again ---- */

__global__ void ring(int *out, int rounds)
{
  extern __shared__ int box[];
  cg::cluster_group cluster = cg::this_cluster();
  int n = cluster.num_blocks(), rank = cluster.block_rank();
  int value = rank * 1000 + threadIdx.x;

  for (int i = 0; i < rounds; i++) {
    int *next = cluster.map_shared_rank(box, (rank + 1) % n);

    next[threadIdx.x] = value;
    auto token = cluster.barrier_arrive();
    value = 0;
    cluster.barrier_wait(std::move(token));
    value = box[threadIdx.x];
    cluster.sync();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

static void test_ring(void)
{
  const int clusters = 5, n = 8, rounds = 11;
  int *out;

  CUDA(cudaMallocManaged(&out, clusters * n * THREADS * sizeof *out));
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attributes[2] = {};
  config.gridDim = clusters * n;
  config.blockDim = THREADS;
  config.dynamicSmemBytes = THREADS * sizeof(int);
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim = { n, 1, 1 };
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = 1;
  config.attrs = attributes;
  for (int both = 1; both <= 2; both++) {
    config.numAttrs = both;
    CUDA(cudaLaunchKernelEx(&config, ring, out, rounds));
    CUDA(cudaDeviceSynchronize());
    for (int b = 0; b < clusters * n; b++)
      for (int t = 0; t < THREADS; t++)
        EXPECT(out[b * THREADS + t] ==
               ((b % n - rounds) % n + n) % n * 1000 + t);
  }
  CUDA(cudaFree(out));
}

/* ---- an address that a block makes of its own memory, and hands on ---- */

__global__ void __cluster_dims__(4, 1, 1) handed_on(int *out)
{
  __shared__ int mine;
  __shared__ int *from_next;
  cg::cluster_group cluster = cg::this_cluster();
  int rank = cluster.block_rank();

  if (threadIdx.x == 0) {
    mine = 70 + rank;
    *cluster.map_shared_rank(&from_next, (rank + 3) % 4) =
        cluster.map_shared_rank(&mine, rank);
  }
  cluster.sync();
  if (threadIdx.x == 0) {
    out[blockIdx.x] = *from_next;
    *from_next += 10;
  }
  cluster.sync();
  if (threadIdx.x == 0)
    out[blockIdx.x] += 100 * mine;
}

static void test_handed_on(void)
{
  int *out;

  CUDA(cudaMallocManaged(&out, 8 * sizeof *out));
  handed_on<<<8, 32>>>(out);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 8; i++)
    EXPECT(out[i] == 70 + (i + 1) % 4 + 100 * (80 + i % 4));
  CUDA(cudaFree(out));
}

/* ---- threads that end early do not hold up the barrier ---- */

__global__ void __cluster_dims__(2, 1, 1) early(int *out)
{
  __shared__ int mine;
  cg::cluster_group cluster = cg::this_cluster();

  if (threadIdx.x == 0)
    mine = 40 + cluster.block_rank();
  if (threadIdx.x % 3 == 2)
    return;
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0)
    out[blockIdx.x / 2] = *cluster.map_shared_rank(&mine, 1);
  cluster.sync();
}

static void test_early(void)
{
  int *out;

  CUDA(cudaMallocManaged(&out, 3 * sizeof *out));
  early<<<6, 70>>>(out);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 3; i++)
    EXPECT(out[i] == 41);
  CUDA(cudaFree(out));
}

/* ---- mbarriers of other blocks, copies between blocks ---- */

__device__ unsigned address_of(const void *p)
{
  return (unsigned)__cvta_generic_to_shared(p);
}

__device__ unsigned map(unsigned address, unsigned rank)
{
  unsigned mapped;

  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(mapped)
      : "r"(address), "r"(rank));
  return mapped;
}

__device__ void wait(unsigned barrier, unsigned parity)
{
  asm volatile("{\n.reg .pred p;\n"
               "again:\n"
               "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
               "p, [%0], %1;\n"
               "@!p bra again;\n}" ::"r"(barrier),
               "r"(parity)
               : "memory");
}

/* Rank 0 sends its tile to all by one copy; then each sends a word to rank 0
 * by st.async, and tells another mbarrier of rank 0 that it has gone on. */
__global__ void __cluster_dims__(4, 1, 1) messages(const int *in, int *out)
{
  __shared__ alignas(16) int tile[64];
  __shared__ int letters[4];
  __shared__ alignas(8) unsigned long long barriers[3];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank(), came = address_of(&barriers[0]);
  unsigned post = address_of(&barriers[1]), gone = address_of(&barriers[2]);

  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(came));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(post));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 4;" ::"r"(gone));
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(came)
        : "memory");
    if (rank == 0)
      asm volatile(
          "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16;" ::"r"(post)
          : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;");
  }
  cluster.sync();
  if (rank == 0 && threadIdx.x == 0)
    asm volatile("cp.async.bulk.shared::cluster.global"
                 ".mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1], 256, [%2], %3;" ::"r"(address_of(tile)),
                 "l"(in), "r"(came), "h"((short)15)
                 : "memory");
  wait(came, 0);
  if (threadIdx.x == 0) {
    int letter = tile[rank * 16] + 1;

    asm volatile("st.async.weak.shared::cluster"
                 ".mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                     map(address_of(&letters[rank]), 0)),
                 "r"(letter), "r"(map(post, 0))
                 : "memory");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 "
                 "_, [%0];" ::"r"(map(gone, 0))
                 : "memory");
  }
  if (rank == 0) {
    wait(post, 0);
    wait(gone, 0);
    if (threadIdx.x < 4)
      out[blockIdx.x + threadIdx.x] = letters[threadIdx.x];
  }
  cluster.sync();
}

static void test_messages(void)
{
  int *in, *out;

  CUDA(cudaMallocManaged(&in, 64 * sizeof *in));
  CUDA(cudaMallocManaged(&out, 12 * sizeof *out));
  for (int i = 0; i < 64; i++)
    in[i] = i * i;
  messages<<<12, 64>>>(in, out);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 12; i++)
    EXPECT(out[i] == i % 4 * 16 * (i % 4 * 16) + 1);
  CUDA(cudaFree(in));
  CUDA(cudaFree(out));
}

/* ---- which sizes there are ---- */

static void test_sizes(void)
{
  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute = {};
  cudaFuncAttributes attributes;
  int *out, value;

  CUDA(cudaMallocManaged(&out, 512 * sizeof *out));
  void *arguments[] = { &out };
  launch((const void *)places, dim3(16), dim3(32), dim3(16), arguments,
         cudaErrorInvalidClusterSize);
  CUDA(cudaFuncSetAttribute(places,
                            cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  launch((const void *)places, dim3(16), dim3(32), dim3(16), arguments);
  EXPECT(out[15 * 8] == 15);
  CUDA(cudaFuncGetAttributes(&attributes, histogram));
  EXPECT(attributes.clusterDimMustBeSet == 1);
  EXPECT(attributes.requiredClusterWidth == 4);
  config.gridDim = 64;
  config.blockDim = 1024;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = { 2, 1, 1 };
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA(cudaOccupancyMaxActiveClusters(&value, ring, &config));
  EXPECT(value == 132);
  /* An H200's answers: the last group is too small for clusters of 16. */
  static const struct {
    unsigned blocks;
    int small, large; /* of 32 and of 1024 threads */
  } clusters[] = { { 1, 1056, 264 },
                   { 3, 327, 79 },
                   { 4, 248, 62 },
                   { 7, 139, 32 },
                   { 8, 124, 30 } };
  for (const auto &c : clusters) {
    attribute.val.clusterDim = { c.blocks, 1, 1 };
    config.gridDim = 6 * c.blocks;
    config.blockDim = 32;
    CUDA(cudaOccupancyMaxActiveClusters(&value, ring, &config));
    EXPECT(value == c.small);
    config.blockDim = 1024;
    CUDA(cudaOccupancyMaxActiveClusters(&value, ring, &config));
    EXPECT(value == c.large);
  }
  attribute.val.clusterDim = { 16, 1, 1 };
  config.gridDim = 64;
  CUDA(cudaOccupancyMaxActiveClusters(&value, places, &config));
  EXPECT(value == 14);
  EXPECT(cudaOccupancyMaxActiveClusters(&value, ring, &config) ==
         cudaErrorInvalidClusterSize);
  EXPECT(cudaGetLastError() == cudaErrorInvalidClusterSize);
  attribute.val.clusterDim = { 3, 1, 1 };
  EXPECT(cudaOccupancyMaxActiveClusters(&value, places, &config) ==
         cudaErrorInvalidClusterSize);
  EXPECT(cudaGetLastError() == cudaErrorInvalidClusterSize);
  EXPECT(cudaOccupancyMaxPotentialClusterSize(&value, ring, &config) ==
         cudaErrorInvalidClusterSize);
  EXPECT(cudaGetLastError() == cudaErrorInvalidClusterSize);
  config.gridDim = 66;
  CUDA(cudaOccupancyMaxPotentialClusterSize(&value, ring, &config));
  EXPECT(value == 8);
  CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrClusterLaunch, 0));
  EXPECT(value == 1);
  CUDA(cudaFree(out));
}

int main(void)
{
  test_places();
  test_histogram();
  test_ring();
  test_handed_on();
  test_early();
  test_messages();
  test_sizes();
  if (failures == 0)
    printf("all as expected\n");
  return failures != 0;
}
