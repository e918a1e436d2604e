/* A sum in four versions, from slow to fast, with Nsight Compute saying what
 * to do next. One launch of each version is in the NVTX range `measured`.
 *
 *   nvcc -lineinfo -I code code/measuring/profiled.cu -o profiled
 *   ncu --set full --nvtx --nvtx-include measured/ \
 *     ./profiled --count --version chunks
 */
#include <nvtx3/nvToolsExt.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"    /* and options.h */
#include "common/timing.h"

enum { BLOCK_THREADS = 256, FEW_BLOCKS = 128, LOADS = 4 };

/* ---- kernels --------------------------------------------------------- */

/* Adds the sums of a block's threads, and the block's sum to the total. */
__device__ void add_to_total(float *total, float sum)
{
  __shared__ float sums[BLOCK_THREADS];
  sums[threadIdx.x] = sum;
  for (int half = BLOCK_THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    atomicAdd(total, sums[0]);
}

// begin chunks
/* Each thread adds up a piece of the array, as threads of a CPU would. */
__global__ void chunks(float *total, const float *x, size_t n)
{
  size_t n_threads = (size_t)gridDim.x * blockDim.x;
  size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t each = (n + n_threads - 1) / n_threads;
  float sum = 0.0f;
  for (size_t i = thread * each; i < (thread + 1) * each && i < n; i++)
    sum += x[i];
  add_to_total(total, sum);
}
// end chunks

// begin neighbours
/* Neighbouring threads take neighbouring elements. */
__global__ void neighbours(float *total, const float *x, size_t n)
{
  size_t n_threads = (size_t)gridDim.x * blockDim.x;
  size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (size_t i = thread; i < n; i += n_threads)
    sum += x[i];
  add_to_total(total, sum);
}
// end neighbours

// begin wide
/* Four loads of 16 bytes in flight per thread. n is a multiple of 4. */
__global__ void wide(float *total, const float *x, size_t n)
{
  const float4 *quads = (const float4 *)x;
  size_t n_threads = (size_t)gridDim.x * blockDim.x;
  size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (size_t i = thread; i < n / 4; i += LOADS * n_threads) {
    float4 got[LOADS] = {};
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      if (i + k * n_threads < n / 4)
        got[k] = quads[i + k * n_threads];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      sum += (got[k].x + got[k].y) + (got[k].z + got[k].w);
  }
  add_to_total(total, sum);
}
// end wide

/* ---- versions -------------------------------------------------------- */

typedef void sum_kernel(float *total, const float *x, size_t n);

typedef struct {
  const char *name, *idea;
  sum_kernel *kernel;
  int fills_gpu;
} version;

static const version versions[] = {
  {"chunks", "each thread adds a piece of the array", chunks, 0},
  {"neighbours", "neighbouring threads, neighbouring elements", neighbours,
   0},
  {"filled", "the same, with as many blocks as fit", neighbours, 1},
  {"wide", "the same with four loads of 16 bytes", wide, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

// begin grid
/* As many blocks as can be active at once, or a round number. */
static unsigned grid_of(const version *v)
{
  int blocks;
  if (!v->fills_gpu)
    return FEW_BLOCKS;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, v->kernel, BLOCK_THREADS, 0));
  return (unsigned)(blocks * device_properties()->multiProcessorCount);
}
// end grid

static void launch(const version *v, float *d_total, const float *d_x,
                   size_t n)
{
  CUDA_CHECK(cudaMemsetAsync(d_total, 0, sizeof *d_total));
  v->kernel<<<grid_of(v), BLOCK_THREADS>>>(d_total, d_x, n);
  CUDA_CHECK_LAUNCH();
}

/* ---- checking -------------------------------------------------------- */

/* Small whole numbers: their sum is exact, in any order. */
static int check_version(const version *v, size_t n, random_source *source)
{
  float *h_x = (float *)malloc((n + 1) * sizeof(float)), *d_x, *d_total;
  float got, expected = 0.0f;
  for (size_t i = 0; i < n; i++) {
    h_x[i] = (float)random_below(source, 16);
    expected += h_x[i];
  }
  CUDA_CHECK(cudaMalloc(&d_x, (n + 1) * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_total, sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  poison_device(d_total, sizeof(float));
  launch(v, d_total, d_x, n);
  CUDA_CHECK(cudaMemcpy(&got, d_total, sizeof got, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_total));
  free(h_x);
  return compare_floats(v->name, &expected, &got, 1);
}

static int check(const options *o)
{
  static const size_t sizes[] = {0, 4, 1000, 65540, 300000};
  random_source source = random_from_seed(o->seed);
  int right = 1;
  for (int s = 0; s < 5; s++)
    for (int v = 0; v < N_VERSIONS; v++)
      if (options_wants(o, versions[v].name))
        right &= check_version(&versions[v], sizes[s], &source);
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- profiling and measuring ----------------------------------------- */

/* One launch, in the range that the profiler looks at. */
static void profile(const version *v, float *d_total, const float *d_x,
                    size_t n)
{
  printf("%s,%zu,%u\n", v->name, n, grid_of(v));
  nvtxRangePushA("measured");
  launch(v, d_total, d_x, n);
  CUDA_CHECK(cudaDeviceSynchronize());
  nvtxRangePop();
}

static void measure_one(const options *o, const version *v, float *d_total,
                        const float *d_x, size_t n)
{
  timing t = timing_start(o->repetitions);
  while (timing_next(&t))
    launch(v, d_total, d_x, n);
  double n_bytes = (double)n * sizeof(float);
  if (o->csv)
    printf("%s,%zu,%u,%d,%.3f,%.3f,%.1f\n", v->name, n, grid_of(v),
           o->repetitions, t.median_us, t.spread_us,
           timing_gb_per_s(n_bytes, t.median_us));
  else
    timing_print_row(v->name, t, n_bytes);
}

static void run(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 28, sizeof(float)) / 4 * 4;
  float *d_x, *d_total;
  if (device_is_software() && o->n_sizes == 0)
    n = 1 << 16;
  random_source source = random_from_seed(o->seed);
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_total, sizeof(float)));
  fill_device_floats(&source, d_x, n);
  if (o->csv)
    printf("version,n_elems,n_blocks,repetitions,time_us,spread_us,"
           "gb_per_s\n");
  else if (o->count)
    printf("version,n_elems,n_blocks\n");
  else
    timing_print_head();
  for (int v = 0; v < N_VERSIONS; v++)
    if (options_wants(o, versions[v].name)) {
      if (o->count)
        profile(&versions[v], d_total, d_x, n);
      else
        measure_one(o, &versions[v], d_total, d_x, n);
    }
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_total));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a sum, from slow to fast, for a "
                            "profiler to look at", "profiled", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!o.count && !check(&o))
    return EXIT_FAILURE;
  if (o.count || (!o.check && timing_is_possible()))
    run(&o);
  return EXIT_SUCCESS;
}
