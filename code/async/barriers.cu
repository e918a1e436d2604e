/* What does it cost to wait for each other? A barrier of a warp, a block, a
 * cluster and a grid, over and over, and a launch for comparison.
 *
 *   nvcc -arch=sm_90 -I code code/async/barriers.cu -o barriers && ./barriers
 *
 * Between two barriers every thread passes a number to a thread of another
 * warp or block, so a barrier that does not hold would give a wrong sum. */
#include <cooperative_groups.h>

#include "async/tma.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/timing.h"

namespace cg = cooperative_groups;

enum { BLOCK_THREADS = 256 };

/* ---- kernels --------------------------------------------------------- */

/* Each round, thread 0 of a block stores the round's number, and a barrier
 * later another block (or warp) looks whether it is there. */
__global__ void block_barrier(int *wrong, int n_rounds)
{
  __shared__ volatile int round_here;
  for (int round = 0; round < n_rounds; round += 2) {
    if (threadIdx.x == 0)
      round_here = round;
    __syncthreads();
    if (threadIdx.x == BLOCK_THREADS - 1 && round_here != round)
      *wrong = 1;
    __syncthreads();
  }
}

// begin cluster_barrier
__global__ void cluster_barrier(int *wrong, int n_rounds)
{
  __shared__ int round_here;
  cg::cluster_group cluster = cg::this_cluster();
  int next = (cluster.block_rank() + 1) % cluster.num_blocks();
  const int *there = cluster.map_shared_rank(&round_here, next);
  for (int round = 0; round < n_rounds; round += 2) {
    if (threadIdx.x == 0)
      round_here = round;
    cluster.sync();
    if (threadIdx.x == BLOCK_THREADS - 1 && *there != round)
      *wrong = 1;
    cluster.sync();
  }
}
// end cluster_barrier

__global__ void grid_barrier(int *wrong, int *rounds, int n_rounds)
{
  cg::grid_group grid = cg::this_grid();
  int next = (blockIdx.x + 1) % gridDim.x;
  for (int round = 0; round < n_rounds; round += 2) {
    if (threadIdx.x == 0)
      rounds[blockIdx.x] = round;
    grid.sync();
    if (threadIdx.x == BLOCK_THREADS - 1 && rounds[next] != round)
      *wrong = 1;
    grid.sync();
  }
}

__global__ void launch_barrier(int *wrong, int *rounds, int round)
{
  int next = (blockIdx.x + 1) % gridDim.x;
  if (threadIdx.x == 0 && round % 2 == 0)
    rounds[blockIdx.x] = round;
  if (threadIdx.x == BLOCK_THREADS - 1 && round % 2 == 1 &&
      rounds[next] != round - 1)
    *wrong = 1;
}

/* ---- launchers ------------------------------------------------------- */

static int *d_wrong, *d_rounds;

static int n_blocks_of_grid(void)
{
  return device_properties()->multiProcessorCount;
}

static void launch_block(int n_rounds, int n_blocks)
{
  (void)n_blocks;
  block_barrier<<<1, BLOCK_THREADS>>>(d_wrong, n_rounds);
}

static void launch_cluster(int n_rounds, int n_blocks)
{
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = n_blocks;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = n_blocks;
  config.blockDim = BLOCK_THREADS;
  config.attrs = &attribute;
  config.numAttrs = 1;
  CUDA_CHECK(cudaFuncSetAttribute(
      cluster_barrier, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CUDA_CHECK(cudaLaunchKernelEx(&config, cluster_barrier, d_wrong, n_rounds));
}

static void launch_grid(int n_rounds, int n_blocks)
{
  void *arguments[] = {&d_wrong, &d_rounds, &n_rounds};
  CUDA_CHECK(cudaLaunchCooperativeKernel((const void *)grid_barrier, n_blocks,
                                         BLOCK_THREADS, arguments, 0));
}

static void launch_launches(int n_rounds, int n_blocks)
{
  for (int round = 0; round < n_rounds; round++)
    launch_barrier<<<n_blocks, BLOCK_THREADS>>>(d_wrong, d_rounds, round);
}

/* ---- versions -------------------------------------------------------- */

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(int n_rounds, int n_blocks);
  int n_blocks;     /* that wait for each other; 0: one per multiprocessor */
} version;

static const version versions[] = {
  {"block", "__syncthreads()", launch_block, 1},
  {"cluster_2", "a cluster of 2 blocks", launch_cluster, 2},
  {"cluster_4", "of 4", launch_cluster, 4},
  {"cluster_8", "of 8", launch_cluster, 8},
  {"cluster_16", "of 16", launch_cluster, 16},
  {"grid", "a block on every multiprocessor", launch_grid, 0},
  {"launch", "a new launch per round", launch_launches, 0},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void launch_version(const version *v, int n_rounds)
{
  v->launch(n_rounds, v->n_blocks > 0 ? v->n_blocks : n_blocks_of_grid());
  CUDA_CHECK_LAUNCH();
}

static int check_version(const version *v, int n_rounds)
{
  int wrong;
  CUDA_CHECK(cudaMemset(d_wrong, 0, sizeof *d_wrong));
  CUDA_CHECK(cudaMemset(d_rounds, 0xff, n_blocks_of_grid() * sizeof(int)));
  launch_version(v, n_rounds);
  CUDA_CHECK(cudaMemcpy(&wrong, d_wrong, sizeof wrong,
                        cudaMemcpyDeviceToHost));
  if (wrong)
    fprintf(stderr, "%s: error: a thread passed the barrier too early\n",
            v->name);
  return !wrong;
}

/* ---- measuring ------------------------------------------------------- */

/* The difference between many rounds and few leaves out what a launch costs
 * by itself. */
static void measure(const options *o)
{
  enum { FEW = 200, MANY = 2200 };
  if (o->csv)
    printf("version,n_blocks,block_threads,n_rounds,repetitions,time_us,"
           "time_spread_us,barrier_us\n");
  else
    printf("%-12s %16s\n", "version", "us per barrier");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name))
      continue;
    timing few = timing_start(o->repetitions);
    while (timing_next(&few))
      launch_version(v, FEW);
    timing many = timing_start(o->repetitions);
    while (timing_next(&many))
      launch_version(v, MANY);
    double barrier_us = (many.median_us - few.median_us) / (MANY - FEW);
    if (o->csv)
      printf("%s,%d,%d,%d,%d,%.3f,%.3f,%.4f\n", v->name,
             v->n_blocks > 0 ? v->n_blocks : n_blocks_of_grid(),
             (int)BLOCK_THREADS, (int)MANY, many.repetitions, many.median_us,
             many.spread_us, barrier_us);
    else
      printf("%-12s %16.4f\n", v->name, barrier_us);
    fflush(stdout);
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "what waiting for each other costs",
                            "barriers", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  tma_need();
  CUDA_CHECK(cudaMalloc(&d_wrong, sizeof *d_wrong));
  CUDA_CHECK(cudaMalloc(&d_rounds, n_blocks_of_grid() * sizeof *d_rounds));
  int n_bad = 0;
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(&o, versions[i].name))
      n_bad += !check_version(&versions[i], device_is_software() ? 8 : 1000);
  if (n_bad == 0)
    fprintf(options_remarks(&o), "every barrier holds\n");
  if (n_bad == 0 && !o.check && timing_is_possible())
    measure(&o);
  CUDA_CHECK(cudaFree(d_wrong));
  CUDA_CHECK(cudaFree(d_rounds));
  return n_bad > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
