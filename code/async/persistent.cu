/* A small plate and many steps: what a step costs when the arithmetic is
 * nothing, and how to keep the plate on the chip between steps.
 *
 *   nvcc -arch=sm_90 -I code code/async/persistent.cu -o persistent
 *   ./persistent
 *
 * Every version takes all its steps on the device. They differ in how a block
 * learns that its neighbours' rows are there, and where those rows are. */
#include <cooperative_groups.h>
#include <cuda/atomic>

#include "async/tma.h"
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/heat.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

namespace cg = cooperative_groups;

enum {
  THREAD_COLUMNS = 128,     /* a block has 128 × 4 threads */
  THREAD_ROWS = 4,
  LINE = 32                 /* ints between two flags: a line for each */
};

/* The plate and its steps. `halo` has space for two rows per block, twice. */
typedef struct {
  float *a, *b;             /* the result is in a after an even number */
  float *halo;              /* [parity][block][upper, lower][columns] */
  int *ready;               /* [block][LINE]: how many steps are published */
  int rows, columns, n_steps;
  float r;
} plate;

/* ---- what the versions share ----------------------------------------- */

/* Inner rows first … end - 1 belong to part i of n. */
typedef struct {
  int first, end;
} band;

__host__ __device__ static inline band band_of(int rows, int i, int n)
{
  int inner = rows - 2;
  return (band){1 + (int)((long)inner * i / n),
                1 + (int)((long)inner * (i + 1) / n)};
}

/* One step of `n_rows` rows by the whole block. Both arrays begin with the
 * row above the first one. */
__device__ static void step_of_rows(float *next, const float *now, int n_rows,
                                    int columns, float r)
{
  for (int y = 1 + threadIdx.y; y <= n_rows; y += THREAD_ROWS)
    for (int x = 1 + threadIdx.x; x < columns - 1; x += THREAD_COLUMNS) {
      int i = y * columns + x;
      next[i] = heat_point(now[i], now[i - columns], now[i + columns],
                           now[i - 1], now[i + 1], r);
    }
}

__device__ static void swap_pointers(float **a, float **b)
{
  float *swap = *a;
  *a = *b;
  *b = swap;
}

/* Number of this thread within its block, and how many there are. */
__device__ static int this_thread(void)
{
  return threadIdx.y * THREAD_COLUMNS + threadIdx.x;
}

enum { BLOCK_THREADS = THREAD_COLUMNS * THREAD_ROWS };

__device__ static void copy_row(float *to, const float *from, int columns)
{
  for (int x = this_thread(); x < columns; x += BLOCK_THREADS)
    to[x] = from[x];
}

/* ---- one launch per step --------------------------------------------- */

__global__ void one_step(float *next, const float *now, int rows, int columns,
                         float r)
{
  band mine = band_of(rows, blockIdx.x, gridDim.x);
  size_t above = (size_t)(mine.first - 1) * columns;
  step_of_rows(next + above, now + above, mine.end - mine.first, columns, r);
}

/* ---- all blocks wait for each other ---------------------------------- */

// begin grid_sync
__global__ void steps_grid_sync(plate p)
{
  cg::grid_group grid = cg::this_grid();
  band mine = band_of(p.rows, blockIdx.x, gridDim.x);
  size_t above = (size_t)(mine.first - 1) * p.columns;
  float *now = p.a, *next = p.b;

  for (int step = 0; step < p.n_steps; step++) {
    step_of_rows(next + above, now + above, mine.end - mine.first, p.columns,
                 p.r);
    grid.sync();
    swap_pointers(&now, &next);
  }
}
// end grid_sync

/* ---- each block waits for its two neighbours ------------------------- */

// begin publish
typedef cuda::atomic_ref<int, cuda::thread_scope_device> device_flag;

/* By all threads of the block, after the last store of the step. */
__device__ static void publish(int *ready, int n_steps)
{
  __syncthreads();
  if (this_thread() == 0)
    device_flag(ready[blockIdx.x * LINE])
        .store(n_steps, cuda::memory_order_release);
}
// end publish

// begin wait_acquire
/* By one thread: returns once that block has published so many steps. */
__device__ static void wait_acquire(int *ready, int block, int n_steps)
{
  device_flag published(ready[block * LINE]);
  while (published.load(cuda::memory_order_acquire) < n_steps)
    ;
}

/* By all threads: one thread waits for each neighbour. */
__device__ static void wait_for_neighbours(int *ready, int n_steps)
{
  if (this_thread() == 0 && blockIdx.x > 0)
    wait_acquire(ready, blockIdx.x - 1, n_steps);
  if (this_thread() == 32 && blockIdx.x + 1 < gridDim.x)
    wait_acquire(ready, blockIdx.x + 1, n_steps);
  __syncthreads();
}
// end wait_acquire

// begin neighbours
__global__ void steps_neighbours(plate p)
{
  band mine = band_of(p.rows, blockIdx.x, gridDim.x);
  size_t above = (size_t)(mine.first - 1) * p.columns;
  float *now = p.a, *next = p.b;

  for (int step = 0; step < p.n_steps; step++) {
    step_of_rows(next + above, now + above, mine.end - mine.first, p.columns,
                 p.r);
    publish(p.ready, step + 1);
    wait_for_neighbours(p.ready, step + 1);
    swap_pointers(&now, &next);
  }
}
// end neighbours

/* ---- the plate stays in shared memory -------------------------------- */

/* The block's band and the rows around it, from global memory into both
 * shared arrays: the columns on the boundary must be in both. */
__device__ static int load_band(float *now, float *next, const plate *p,
                                band mine)
{
  int n_rows = mine.end - mine.first;
  const float *from = p->a + (size_t)(mine.first - 1) * p->columns;
  for (int i = this_thread(); i < (n_rows + 2) * p->columns;
       i += BLOCK_THREADS)
    now[i] = next[i] = from[i];
  __syncthreads();
  return n_rows;
}

__device__ static void store_band(const plate *p, const float *now, band mine)
{
  float *to = (p->n_steps % 2 ? p->b : p->a) + (size_t)mine.first * p->columns;
  for (int i = this_thread(); i < (mine.end - mine.first) * p->columns;
       i += BLOCK_THREADS)
    to[i] = now[p->columns + i];
}

__device__ static float *halo_row(const plate *p, int step, int block,
                                  int is_lower)
{
  return p->halo + (((size_t)(step % 2) * gridDim.x + block) * 2 + is_lower) *
                       p->columns;
}

// begin resident
__global__ void steps_resident(plate p)
{
  extern __shared__ float rows_here[];
  band mine = band_of(p.rows, blockIdx.x, gridDim.x);
  int columns = p.columns, n_rows = mine.end - mine.first;
  float *now = rows_here, *next = now + (n_rows + 2) * columns;

  load_band(now, next, &p, mine);
  for (int step = 0; step < p.n_steps; step++) {
    step_of_rows(next, now, n_rows, columns, p.r);
    __syncthreads();
    copy_row(halo_row(&p, step, blockIdx.x, 0), next + columns, columns);
    copy_row(halo_row(&p, step, blockIdx.x, 1), next + n_rows * columns,
             columns);
    publish(p.ready, step + 1);
    wait_for_neighbours(p.ready, step + 1);
    if (blockIdx.x > 0)
      copy_row(next, halo_row(&p, step, blockIdx.x - 1, 1), columns);
    if (blockIdx.x + 1 < gridDim.x)
      copy_row(next + (n_rows + 1) * columns,
               halo_row(&p, step, blockIdx.x + 1, 0), columns);
    __syncthreads();
    swap_pointers(&now, &next);
  }
  store_band(&p, now, mine);
}
// end resident

/* ---- one cluster, whose blocks write into each other's memory -------- */

// begin cluster
__global__ void steps_cluster(plate p)
{
  extern __shared__ float rows_here[];
  cg::cluster_group cluster = cg::this_cluster();
  int rank = cluster.block_rank(), last = cluster.num_blocks() - 1;
  band mine = band_of(p.rows, rank, last + 1);
  int columns = p.columns, n_rows = mine.end - mine.first;
  int size = p.rows / (last + 1) + 3;      /* rows of an array: no band has
                                              more, and all have the same */
  float *now = rows_here, *next = now + size * columns;

  load_band(now, next, &p, mine);
  cluster.sync();
  for (int step = 0; step < p.n_steps; step++) {
    step_of_rows(next, now, n_rows, columns, p.r);
    __syncthreads();
    if (rank > 0) {
      band upper = band_of(p.rows, rank - 1, last + 1);
      float *there = cluster.map_shared_rank(next, rank - 1);
      copy_row(there + (upper.end - upper.first + 1) * columns, next + columns,
               columns);
    }
    if (rank < last)
      copy_row(cluster.map_shared_rank(next, rank + 1),
               next + n_rows * columns, columns);
    cluster.sync();
    swap_pointers(&now, &next);
  }
  store_band(&p, now, mine);
}
// end cluster

/* ---- launchers ------------------------------------------------------- */

static int n_multiprocessors(void)
{
  return device_properties()->multiProcessorCount;
}

/* As many blocks as there are multiprocessors, and at least one row each. */
static int n_bands(const plate *p)
{
  int most = n_multiprocessors();
  return p->rows - 2 < most ? p->rows - 2 : most;
}

static void launch_each(plate p)
{
  float *now = p.a, *next = p.b;
  for (int step = 0; step < p.n_steps; step++) {
    one_step<<<n_bands(&p), dim3(THREAD_COLUMNS, THREAD_ROWS)>>>(
        next, now, p.rows, p.columns, p.r);
    float *swap = now;
    now = next;
    next = swap;
  }
}

static void launch_together(const void *kernel, plate p, int n_blocks,
                            size_t shared_bytes)
{
  void *arguments[] = {&p};
  CUDA_CHECK(cudaMemsetAsync(p.ready, 0, n_blocks * LINE * sizeof *p.ready));
  CUDA_CHECK(cudaFuncSetAttribute(kernel,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)shared_bytes));
  CUDA_CHECK(cudaLaunchCooperativeKernel(
      kernel, n_blocks, dim3(THREAD_COLUMNS, THREAD_ROWS), arguments,
      shared_bytes));
}

static void launch_grid_sync(plate p)
{
  launch_together((const void *)steps_grid_sync, p, n_bands(&p), 0);
}

static void launch_neighbours(plate p)
{
  launch_together((const void *)steps_neighbours, p, n_bands(&p), 0);
}

/* Two arrays of a band and a row on each side of it. */
static size_t shared_bytes_for(const plate *p, int n_blocks)
{
  return 2 * (size_t)((p->rows - 2 + n_blocks - 1) / n_blocks + 2) *
         p->columns * sizeof(float);
}

static void launch_resident(plate p)
{
  launch_together((const void *)steps_resident, p, n_bands(&p),
                  shared_bytes_for(&p, n_bands(&p)));
}

static size_t cluster_bytes(const plate *p, int n_blocks)
{
  return 2 * (size_t)(p->rows / n_blocks + 3) * p->columns * sizeof(float);
}

// begin launch_cluster
static void launch_cluster(plate p, int n_blocks)
{
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = n_blocks;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;

  cudaLaunchConfig_t config = {};
  config.gridDim = n_blocks;
  config.blockDim = dim3(THREAD_COLUMNS, THREAD_ROWS);
  config.dynamicSmemBytes = cluster_bytes(&p, n_blocks);
  config.attrs = &attribute;
  config.numAttrs = 1;

  CUDA_CHECK(cudaFuncSetAttribute(steps_cluster,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)config.dynamicSmemBytes));
  CUDA_CHECK(cudaFuncSetAttribute(
      steps_cluster, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CUDA_CHECK(cudaLaunchKernelEx(&config, steps_cluster, p));
}
// end launch_cluster

static void launch_cluster_8(plate p) { launch_cluster(p, 8); }
static void launch_cluster_16(plate p) { launch_cluster(p, 16); }

/* ---- versions -------------------------------------------------------- */

static size_t no_shared(const plate *p)
{
  (void)p;
  return 0;
}

static size_t resident_shared(const plate *p)
{
  return shared_bytes_for(p, n_bands(p));
}

static size_t cluster_8_shared(const plate *p) { return cluster_bytes(p, 8); }
static size_t cluster_16_shared(const plate *p)
{
  return cluster_bytes(p, 16);
}

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(plate p);
  size_t (*shared_bytes)(const plate *p);
  int least_rows;
} version;

static const version versions[] = {
  {"launches", "one launch per step", launch_each, no_shared, 3},
  {"grid_sync", "one launch; all blocks wait for all", launch_grid_sync,
   no_shared, 3},
  {"neighbours", "each block waits for two others", launch_neighbours,
   no_shared, 3},
  {"resident", "the plate stays in shared memory", launch_resident,
   resident_shared, 3},
  {"cluster_8", "one cluster of 8 blocks", launch_cluster_8, cluster_8_shared,
   10},
  {"cluster_16", "one cluster of 16 blocks", launch_cluster_16,
   cluster_16_shared, 18},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* Does the plate fit into the shared memory that this version uses? */
static int fits(const version *v, const plate *p)
{
  return p->rows >= v->least_rows &&
         v->shared_bytes(p) <= device_properties()->sharedMemPerBlockOptin;
}

static plate allocate_plate(const float *h_start, int rows, int columns,
                            int n_steps)
{
  size_t n_bytes = (size_t)rows * columns * sizeof(float);
  plate p = {};
  p.rows = rows;
  p.columns = columns;
  p.n_steps = n_steps;
  p.r = HEAT_R;
  CUDA_CHECK(cudaMalloc(&p.a, n_bytes));
  CUDA_CHECK(cudaMalloc(&p.b, n_bytes));
  CUDA_CHECK(cudaMalloc(&p.halo, 4 * (size_t)n_multiprocessors() * columns *
                                     sizeof(float)));
  CUDA_CHECK(cudaMalloc(&p.ready,
                        n_multiprocessors() * LINE * sizeof *p.ready));
  CUDA_CHECK(cudaMemcpy(p.a, h_start, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(p.b, h_start, n_bytes, cudaMemcpyHostToDevice));
  return p;
}

static void free_plate(plate p)
{
  CUDA_CHECK(cudaFree(p.a));
  CUDA_CHECK(cudaFree(p.b));
  CUDA_CHECK(cudaFree(p.halo));
  CUDA_CHECK(cudaFree(p.ready));
}

/* ---- checking -------------------------------------------------------- */

static int check_version(const version *v, const float *h_start, int rows,
                         int columns, int n_steps)
{
  size_t n_bytes = (size_t)rows * columns * sizeof(float);
  char what[96];
  snprintf(what, sizeof what, "%s, %d x %d, %d steps", v->name, rows, columns,
           n_steps);
  plate p = allocate_plate(h_start, rows, columns, n_steps);
  int good = 1;
  if (fits(v, &p)) {
    float *h_got = heat_allocate(rows, columns);
    float *h_expected = heat_reference(h_start, rows, columns, HEAT_R,
                                       n_steps);
    v->launch(p);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(h_got, n_steps % 2 ? p.b : p.a, n_bytes,
                          cudaMemcpyDeviceToHost));
    good = heat_check(what, h_expected, h_got, rows, columns);
    free(h_got);
    free(h_expected);
  }
  free_plate(p);
  return good;
}

static int check_versions(const options *o)
{
  static const int sizes[][2] = {
    {3, 3}, {10, 33}, {18, 64}, {67, 65}, {150, 40},
  };
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    int rows = sizes[s][0], columns = sizes[s][1];
    float *h_start = heat_allocate(rows, columns);
    heat_random(h_start, rows, columns, &source);
    for (int i = 0; i < N_VERSIONS; i++)
      if (options_wants(o, versions[i].name))
        for (int n_steps = 4; n_steps <= 5; n_steps++)
          n_bad += !check_version(&versions[i], h_start, rows, columns,
                                  n_steps);
    free(h_start);
  }
  if (n_bad == 0)
    fprintf(options_remarks(o),
            "every version agrees with the reference (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

/* Time per step over many, on plates of different sizes. */
static void measure(const options *o)
{
  static const int sides[] = {128, 256, 384, 512, 640, 1024, 1536, 2048};
  enum { N_STEPS = 1000 };
  if (o->csv)
    printf("version,n_rows,n_cols,n_steps,repetitions,time_us,time_spread_us,"
           "step_us\n");
  else
    printf("%-12s %6s %12s\n", "version", "side", "us per step");
  for (size_t s = 0; s < sizeof sides / sizeof sides[0]; s++) {
    int side = sides[s];
    float *h_start = heat_allocate(side, side);
    heat_plate(h_start, side, side);
    plate p = allocate_plate(h_start, side, side, N_STEPS);
    for (int i = 0; i < N_VERSIONS; i++) {
      const version *v = &versions[i];
      if (!options_wants(o, v->name) || !fits(v, &p))
        continue;
      timing t = timing_start(o->repetitions);
      while (timing_next(&t)) {
        v->launch(p);
        CUDA_CHECK_LAUNCH();
      }
      if (o->csv)
        printf("%s,%d,%d,%d,%d,%.3f,%.3f,%.4f\n", v->name, side, side,
               N_STEPS, t.repetitions, t.median_us, t.spread_us,
               t.median_us / N_STEPS);
      else
        printf("%-12s %6d %12.3f\n", v->name, side, t.median_us / N_STEPS);
      fflush(stdout);
    }
    free_plate(p);
    free(h_start);
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "many steps on a small plate",
                            "sizes", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  tma_need();
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o);
  return EXIT_SUCCESS;
}
