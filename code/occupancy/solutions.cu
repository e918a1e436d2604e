/* Solutions of the exercises: the block size with most warps, found with the
 * equations and compared with the runtime's suggestion; and a copy with few
 * warps that has as many bytes in flight as one with many.
 *
 *   nvcc -I code code/occupancy/solutions.cu -o solutions && ./solutions
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "occupancy/here.h"

/* ---- the block size with most warps ---------------------------------- */

/* From the largest block down; the first of those with most threads. */
static int suggest_block(const occupancy_limits *l, int thread_registers,
                         int block_shared, int most_threads)
{
  int best = 0, best_threads = 0;
  for (int threads = most_threads; threads > 0; threads -= WARP_THREADS) {
    occupancy_use use = {threads, thread_registers, block_shared, 0};
    int active = threads * occupancy_of(l, use).blocks;
    if (active > best_threads) {
      best = threads;
      best_threads = active;
    }
  }
  return best;
}

#define HOLDS(n)                                                          \
  __global__ void holds_##n(volatile float *x)                            \
  {                                                                       \
    float held[n];                                                        \
    _Pragma("unroll")                                                     \
    for (int i = 0; i < n; i++)                                           \
      held[i] = x[i * 1024 + threadIdx.x];                                \
    _Pragma("unroll")                                                     \
    for (int i = n - 1; i >= 0; i--)                                      \
      x[(n - 1 - i) * 1024 + threadIdx.x] = held[i];                      \
  }
HOLDS(8)
HOLDS(24)
HOLDS(40)
HOLDS(64)
HOLDS(90)
HOLDS(150)
HOLDS(230)

static const void *const holders[] = {
  (const void *)holds_8, (const void *)holds_24, (const void *)holds_40,
  (const void *)holds_64, (const void *)holds_90, (const void *)holds_150,
  (const void *)holds_230,
};

static int check_suggestions(const options *o)
{
  int n_bad = 0, n = 0;
  for (size_t k = 0; k < sizeof holders / sizeof holders[0]; k++)
    for (int bytes = 0; bytes <= 48 << 10; bytes += 3000) {
      int n_blocks, expected;
      CUDA_CHECK(cudaOccupancyMaxPotentialBlockSize(
          &n_blocks, &expected, holders[k], (size_t)bytes));
      int got = suggest_block(limits_here(), registers_here(holders[k]),
                              bytes, limits_here()->block_threads);
      n++;
      if (got == expected)
        continue;
      fprintf(stderr, "suggest: error: %d registers, %d bytes: expected "
              "blocks of %d, got %d: wrong\n", registers_here(holders[k]),
              bytes, expected, got);
      n_bad++;
    }
  if (n_bad == 0)
    fprintf(o->csv ? stderr : stdout,
            "%d suggestions are the runtime's\n", n);
  return n_bad;
}

/* ---- a copy with few warps ------------------------------------------- */

enum { BLOCK_THREADS = 256 };

__global__ void copy_many_warps(float *out, const float *in, size_t n)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step)
    out[i] = in[i];
}

// begin few_warps
enum { HELD = 8 };

/* 128 bytes at a time for each thread; n must be a multiple of 4. */
__global__ void copy_few_warps(float *out, const float *in, size_t n)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  const float4 *in4 = (const float4 *)in;
  float4 *out4 = (float4 *)out;
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < n / 4; i += HELD * step) {
    float4 held[HELD] = {};
#pragma unroll
    for (int k = 0; k < HELD; k++)
      if (i + k * step < n / 4)
        held[k] = in4[i + k * step];
#pragma unroll
    for (int k = 0; k < HELD; k++)
      if (i + k * step < n / 4)
        out4[i + k * step] = held[k];
  }
}
// end few_warps

typedef void copy_kernel(float *out, const float *in, size_t n);
static const struct {
  const char *name, *idea;
  copy_kernel *kernel;
  int blocks;         /* active on a multiprocessor */
} versions[] = {
  {"many_warps", "64 warps, 4 bytes a thread", copy_many_warps, 8},
  {"few_many_warps", "8 warps, 4 bytes a thread", copy_many_warps, 1},
  {"few_warps", "8 warps, 128 bytes a thread", copy_few_warps, 1},
  {"more_few_warps", "16 warps, 128 bytes a thread", copy_few_warps, 2},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void launch(int v, float *d_out, const float *d_in, size_t n)
{
  const void *kernel = (const void *)versions[v].kernel;
  int bytes = shared_for_here(kernel, versions[v].blocks);
  versions[v].kernel<<<versions[v].blocks * multiprocessors_here(),
                       BLOCK_THREADS, bytes>>>(d_out, d_in, n);
}

static int check_copies(const options *o)
{
  static const size_t sizes[] = {4, 100, 4096, 1000000};
  random_source source = random_from_seed(o->seed);
  size_t most = 1000000, most_bytes = most * sizeof(float);
  float *h_in = (float *)malloc(most_bytes), *d_in, *d_out;
  float *h_out = (float *)malloc(most_bytes + GUARD_BYTES);
  int n_bad = 0;
  random_fill_floats(&source, h_in, most);
  CUDA_CHECK(cudaMalloc(&d_in, most_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, most_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, most_bytes, cudaMemcpyHostToDevice));
  for (int v = 0; v < N_VERSIONS; v++)
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
      size_t n_bytes = sizes[s] * sizeof(float);
      if (!options_wants(o, versions[v].name))
        continue;
      poison_device(d_out, n_bytes + GUARD_BYTES);
      launch(v, d_out, d_in, sizes[s]);
      CUDA_CHECK_LAUNCH();
      CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                            cudaMemcpyDeviceToHost));
      n_bad += !compare_floats(versions[v].name, h_in, h_out, sizes[s]) ||
               !compare_guard(versions[v].name, h_out + sizes[s],
                              GUARD_BYTES);
    }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  free(h_out);
  return n_bad;
}

static void measure(const options *o)
{
  size_t n = o->n_sizes > 0 ? o->size[0] : (size_t)1 << 28;
  float *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  random_source source = random_from_seed(o->seed);
  fill_device_floats(&source, d_in, n);
  printf("version,active_warps,occupancy,n_elems,repetitions,time_us,"
         "time_spread_us,gb_per_s\n");
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      launch(v, d_out, d_in, n);
      CUDA_CHECK_LAUNCH();
    }
    int threads = versions[v].blocks * BLOCK_THREADS;
    printf("%s,%d,%.4f,%zu,%d,%.3f,%.3f,%.2f\n", versions[v].name,
           threads / WARP_THREADS, (double)threads / limits_here()->threads,
           n, t.repetitions, t.median_us, t.spread_us,
           timing_gb_per_s(8.0 * (double)n, t.median_us));
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "solutions of the exercises",
                            "solutions", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    options_fail(&o, "--count: this program only measures");
  if (check_suggestions(&o) + check_copies(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o);
  return EXIT_SUCCESS;
}
