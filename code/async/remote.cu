/* Distributed shared memory: how long a block waits for a word in another
 * block's shared memory, and how many bytes a second blocks can read from
 * each other.
 *
 *   nvcc -arch=sm_90 -I code code/async/remote.cu -o remote && ./remote */
#include <cooperative_groups.h>

#include "async/tma.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/timing.h"

namespace cg = cooperative_groups;

enum {
  RING = 1024,             /* words of the ring that is chased */
  STRIDE = 33,             /* odd, so that every word is visited */
  N_LOADS = 2000,          /* not a multiple of RING: the end is telling */
  BLOCK_THREADS = 1024,
  WINDOW = 8 * BLOCK_THREADS,    /* float4 per block: 128 KiB */
  MOST_BLOCKS = 16
};

/* ---- latency --------------------------------------------------------- */

/* A ring of words, each of which holds the address of the next. Thread 0 of
 * block 0 follows N_LOADS of them. Each load needs the one before it, so the
 * time per load is the latency, without any arithmetic in it. */
// begin load_shared
__device__ static unsigned load_own(unsigned address)
{
  unsigned word;
  asm volatile("ld.shared::cta.u32 %0, [%1];" : "=r"(word) : "r"(address));
  return word;
}

__device__ static unsigned load_cluster(unsigned address)
{
  unsigned word;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(word) : "r"(address));
  return word;
}

/* The address, anywhere in the cluster, of a variable of block `rank`. */
__device__ static unsigned cluster_address(const void *mine, int rank)
{
  unsigned address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(address) : "r"(shared_address(mine)), "r"(rank));
  return address;
}
// end load_shared

/* The word that is reached after so many loads. */
static __host__ __device__ int word_after(long n_loads)
{
  return (int)(n_loads * STRIDE % RING);
}

__global__ void chase_own(long long *cycles, int *end)
{
  __shared__ unsigned ring[RING];
  for (int i = threadIdx.x; i < RING; i += blockDim.x)
    ring[i] = shared_address(&ring[(i + STRIDE) % RING]);
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned at = shared_address(ring);
    long long start = clock64();
#pragma unroll 16
    for (int i = 0; i < N_LOADS; i++)
      at = load_own(at);
    *end = (int)(at - shared_address(ring)) / 4;
    *cycles = clock64() - start;
  }
}

// begin chase_remote
__global__ void chase_remote(long long *cycles, int *end, int rank)
{
  __shared__ unsigned ring[RING];
  cg::cluster_group cluster = cg::this_cluster();
  int mine = cluster.block_rank();
  for (int i = threadIdx.x; i < RING; i += blockDim.x)
    ring[i] = cluster_address(&ring[(i + STRIDE) % RING], mine);
  cluster.sync();
  if (mine == 0 && threadIdx.x == 0) {
    unsigned first = cluster_address(ring, rank), at = first;
    long long start = clock64();
#pragma unroll 16
    for (int i = 0; i < N_LOADS; i++)
      at = load_cluster(at);
    *end = (int)(at - first) / 4;
    *cycles = clock64() - start;
  }
  cluster.sync();         /* the other block must not end before the reading */
}
// end chase_remote

__global__ void chase_global(long long *cycles, int *end,
                             unsigned long long *ring)
{
  for (int i = threadIdx.x; i < RING; i += blockDim.x)
    ring[i] = (unsigned long long)&ring[(i + STRIDE) % RING];
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned long long *at = ring;
    long long start = clock64();
#pragma unroll 16
    for (int i = 0; i < N_LOADS; i++)   /* from L2, never from L1 */
      at = (const unsigned long long *)__ldcg(at);
    *end = (int)(at - ring);
    *cycles = clock64() - start;
  }
}

/* ---- bandwidth ------------------------------------------------------- */

/* volatile twice: neither the compiler nor the assembler may merge the loads
 * of two rounds. */
__device__ static float4 load_group(unsigned address)
{
  float4 group;
  asm volatile("ld.volatile.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(group.x), "=f"(group.y), "=f"(group.z), "=f"(group.w)
               : "r"(address));
  return group;
}

// begin read_next
/* Every block reads the shared memory of the next block of its cluster. */
__global__ void __launch_bounds__(BLOCK_THREADS)
    read_next(float *sums, int n_rounds)
{
  extern __shared__ float4 window[];
  cg::cluster_group cluster = cg::this_cluster();
  int next = (cluster.block_rank() + 1) % cluster.num_blocks();

  for (int i = threadIdx.x; i < WINDOW; i += BLOCK_THREADS)
    window[i] = make_float4(1, 1, 1, 1);
  cluster.sync();
  unsigned first = cluster_address(window + threadIdx.x, next);
  float4 sum = {};
  for (int round = 0; round < n_rounds; round++)
#pragma unroll
    for (int i = 0; i < WINDOW / BLOCK_THREADS; i++) {
      float4 got = load_group(first + i * BLOCK_THREADS * sizeof(float4));
      sum.x += got.x;
      sum.y += got.y;
      sum.z += got.z;
      sum.w += got.w;
    }
  sums[blockIdx.x * BLOCK_THREADS + threadIdx.x] =
      sum.x + sum.y + sum.z + sum.w;
  cluster.sync();
}
// end read_next

/* ---- launchers ------------------------------------------------------- */

static long long *d_cycles;
static int *d_end;
static unsigned long long *d_ring;
static float *d_sums;

static cudaLaunchConfig_t config_of(cudaLaunchAttribute *attribute,
                                    int n_blocks, int n_clusters,
                                    int n_threads, size_t shared_bytes)
{
  cudaLaunchConfig_t config = {};
  attribute->id = cudaLaunchAttributeClusterDimension;
  attribute->val.clusterDim.x = n_blocks;
  attribute->val.clusterDim.y = attribute->val.clusterDim.z = 1;
  config.gridDim = n_blocks * n_clusters;
  config.blockDim = n_threads;
  config.dynamicSmemBytes = shared_bytes;
  config.attrs = attribute;
  config.numAttrs = 1;
  return config;
}

static void launch_own(int rank)
{
  (void)rank;
  chase_own<<<1, 128>>>(d_cycles, d_end);
}

static void launch_remote(int rank)
{
  cudaLaunchAttribute attribute;
  cudaLaunchConfig_t config = config_of(&attribute, 8, 1, 128, 0);
  CUDA_CHECK(cudaLaunchKernelEx(&config, chase_remote, d_cycles, d_end, rank));
}

static void launch_global(int rank)
{
  (void)rank;
  chase_global<<<1, 128>>>(d_cycles, d_end, d_ring);
}

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(int rank);
  int rank;
} version;

static const version versions[] = {
  {"own", "the block's own shared memory, ordinary load", launch_own, 0},
  {"own_mapped", "the same, by an address of the cluster", launch_remote, 0},
  {"rank_1", "block 1 of the cluster", launch_remote, 1},
  {"rank_2", "block 2", launch_remote, 2},
  {"rank_4", "block 4", launch_remote, 4},
  {"rank_7", "block 7", launch_remote, 7},
  {"global", "global memory, from L2", launch_global, 0},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int launch_chase(const version *v, long long *cycles)
{
  int end;
  CUDA_CHECK(cudaMemset(d_end, 0xff, sizeof *d_end));
  v->launch(v->rank);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&end, d_end, sizeof end, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(cycles, d_cycles, sizeof *cycles,
                        cudaMemcpyDeviceToHost));
  if (end == word_after(N_LOADS))
    return 1;
  fprintf(stderr, "%s: error: the chase ended at %d instead of %d\n", v->name,
          end, word_after(N_LOADS));
  return 0;
}

/* How many clusters of this size the GPU holds at once. */
static int clusters_at_once(int n_blocks)
{
  cudaLaunchAttribute attribute;
  cudaLaunchConfig_t config = config_of(&attribute, n_blocks, 1, BLOCK_THREADS,
                                        WINDOW * sizeof(float4));
  int n = 0;
  CUDA_CHECK(cudaFuncSetAttribute(
      read_next, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CUDA_CHECK(cudaFuncSetAttribute(read_next,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  WINDOW * sizeof(float4)));
  CUDA_CHECK(cudaOccupancyMaxActiveClusters(&n, read_next, &config));
  return n;
}

static void launch_read(int n_blocks, int n_clusters, int n_rounds)
{
  cudaLaunchAttribute attribute;
  cudaLaunchConfig_t config = config_of(&attribute, n_blocks, n_clusters,
                                        BLOCK_THREADS,
                                        WINDOW * sizeof(float4));
  CUDA_CHECK(cudaLaunchKernelEx(&config, read_next, d_sums, n_rounds));
  CUDA_CHECK_LAUNCH();
}

static int check_read(int n_blocks)
{
  enum { N_ROUNDS = 4, N_CLUSTERS = 2 };
  static float h_sums[MOST_BLOCKS * N_CLUSTERS * BLOCK_THREADS];
  size_t n = (size_t)n_blocks * N_CLUSTERS * BLOCK_THREADS;
  (void)clusters_at_once(n_blocks);
  CUDA_CHECK(cudaMemset(d_sums, 0xff, n * sizeof *d_sums));
  launch_read(n_blocks, N_CLUSTERS, N_ROUNDS);
  CUDA_CHECK(cudaMemcpy(h_sums, d_sums, n * sizeof *h_sums,
                        cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++)
    if (h_sums[i] != 4.0f * 8 * N_ROUNDS) {
      fprintf(stderr, "clusters of %d: error: sum %zu is %g, not %g\n",
              n_blocks, i, h_sums[i], 4.0f * 8 * N_ROUNDS);
      return 0;
    }
  return 1;
}

/* ---- measuring ------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void free_all(void)
{
  CUDA_CHECK(cudaFree(d_cycles));
  CUDA_CHECK(cudaFree(d_end));
  CUDA_CHECK(cudaFree(d_ring));
  CUDA_CHECK(cudaFree(d_sums));
}

static void measure_latency(const options *o)
{
  if (o->csv)
    printf("version,n_loads,repetitions,latency_cycles,"
           "latency_spread_cycles\n");
  else
    printf("%-12s %16s\n", "version", "cycles per load");
  for (int i = 0; i < N_VERSIONS; i++) {
    double samples[1000];
    if (!options_wants(o, versions[i].name))
      continue;
    for (int k = -TIMING_WARM_UP; k < o->repetitions; k++) {
      long long cycles;
      if (!launch_chase(&versions[i], &cycles))
        exit(EXIT_FAILURE);
      if (k >= 0)
        samples[k] = (double)cycles / N_LOADS;
    }
    qsort(samples, (size_t)o->repetitions, sizeof *samples, by_size);
    double median = timing_quantile(samples, o->repetitions, 0.5);
    if (o->csv)
      printf("%s,%d,%d,%.2f,%.2f\n", versions[i].name, (int)N_LOADS,
             o->repetitions, median,
             timing_quantile(samples, o->repetitions, 0.75) -
                 timing_quantile(samples, o->repetitions, 0.25));
    else
      printf("%-12s %16.1f\n", versions[i].name, median);
  }
}

static void measure_bandwidth(const options *o)
{
  static const int sizes[] = {1, 2, 4, 8, 16};
  enum { N_ROUNDS = 2000 };
  if (o->csv)
    printf("cluster_blocks,n_clusters,block_threads,repetitions,time_us,"
           "time_spread_us,gb_per_s,gb_per_s_per_block\n");
  else
    printf("%-14s %10s %10s\n", "cluster size", "clusters", "GB/s");
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    int n_clusters = clusters_at_once(sizes[i]);
    int n_blocks = n_clusters * sizes[i];
    CUDA_CHECK(cudaFree(d_sums));
    CUDA_CHECK(cudaMalloc(&d_sums, (size_t)n_blocks * BLOCK_THREADS *
                                       sizeof *d_sums));
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch_read(sizes[i], n_clusters, N_ROUNDS);
    double rate = timing_gb_per_s((double)n_blocks * BLOCK_THREADS * 8 *
                                      N_ROUNDS * sizeof(float4),
                                  t.median_us);
    if (o->csv)
      printf("%d,%d,%d,%d,%.3f,%.3f,%.1f,%.2f\n", sizes[i], n_clusters,
             (int)BLOCK_THREADS, t.repetitions, t.median_us, t.spread_us,
             rate, rate / n_blocks);
    else
      printf("%-14d %10d %10.0f\n", sizes[i], n_clusters, rate);
    fflush(stdout);
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "reads other blocks' shared memory",
                            "latency,bandwidth", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  tma_need();
  CUDA_CHECK(cudaMalloc(&d_cycles, sizeof *d_cycles));
  CUDA_CHECK(cudaMalloc(&d_end, sizeof *d_end));
  CUDA_CHECK(cudaMalloc(&d_ring, RING * sizeof *d_ring));
  CUDA_CHECK(cudaMalloc(&d_sums, 2 * MOST_BLOCKS * BLOCK_THREADS *
                                     sizeof *d_sums));
  int n_bad = 0;
  for (int i = 0; i < N_VERSIONS; i++) {
    long long cycles;
    if (options_wants(&o, versions[i].name))
      n_bad += !launch_chase(&versions[i], &cycles);
  }
  for (int n_blocks = 1; n_blocks <= MOST_BLOCKS; n_blocks *= 2)
    n_bad += !check_read(n_blocks);
  if (n_bad == 0)
    fprintf(options_remarks(&o), "every load found what it should\n");
  if (n_bad == 0 && !o.check && timing_is_possible()) {
    if (o.csv && strcmp(o.csv, "bandwidth") == 0)
      measure_bandwidth(&o);
    else
      measure_latency(&o);
  }
  free_all();
  return n_bad > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
