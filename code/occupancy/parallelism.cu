/* How much work must be under way at a time? Bandwidth against the bytes that
 * the warps of a multiprocessor have asked for, and arithmetic against the
 * operations in flight: the same number can come from many warps or from few
 * warps with several independent operations each.
 *
 *   nvcc -I code code/occupancy/parallelism.cu -o parallelism && ./parallelism
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "occupancy/here.h"

/* ---- kernels --------------------------------------------------------- */

__device__ __forceinline__ float sum_of(float x) { return x; }
__device__ __forceinline__ float sum_of(float4 x)
{
  return (x.x + x.y) + (x.z + x.w);
}

// begin reads
/* Each thread asks for `loads` values, none of which waits for another, and
 * only then uses them. There are as many threads as fit on the GPU at once;
 * they go through the array together. */
#define READS(name, word, loads)                                          \
  __global__ void name(float *out, const word *x, size_t n)               \
  {                                                                       \
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;        \
    size_t step = (size_t)gridDim.x * blockDim.x;                         \
    float sum = 0.0f;                                                     \
    _Pragma("unroll 1")                                                   \
    for (size_t i = thread; i < n; i += loads * step) {                   \
      word got[loads] = {};                                               \
      _Pragma("unroll")                                                   \
      for (int k = 0; k < loads; k++)                                     \
        if (i + k * step < n)                                             \
          got[k] = x[i + k * step];                                       \
      _Pragma("unroll")                                                   \
      for (int k = 0; k < loads; k++)                                     \
        sum += sum_of(got[k]);                                            \
    }                                                                     \
    out[thread] = sum;                                                    \
  }
READS(reads_1, float, 1)
READS(reads_2, float, 2)
READS(reads_4, float, 4)
READS(reads_8, float, 8)
READS(reads_16_bytes_1, float4, 1)
READS(reads_16_bytes_4, float4, 4)
// end reads

/* Long enough that starting the kernel does not count; few to check. */
enum { ROUNDS = 32768, CHECK_ROUNDS = 48 };

// begin chains
/* `chains` results grow side by side; within a chain, each multiply-add
 * needs the one before it. */
#define CHAINS(chains)                                                    \
  __global__ void chains_##chains(float *out, const float *x, float m,    \
                                  int n_rounds)                           \
  {                                                                       \
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;        \
    float result[chains], sum = 0.0f;                                     \
    _Pragma("unroll")                                                     \
    for (int k = 0; k < chains; k++)                                      \
      result[k] = x[thread] + k;                                          \
    _Pragma("unroll 16")                                                  \
    for (int i = 0; i < n_rounds; i++) {                                  \
      _Pragma("unroll")                                                   \
      for (int k = 0; k < chains; k++)                                    \
        result[k] = fmaf(result[k], m, 1.0f);                             \
    }                                                                     \
    _Pragma("unroll")                                                     \
    for (int k = 0; k < chains; k++)                                      \
      sum += result[k];                                                   \
    out[thread] = sum;                                                    \
  }
CHAINS(1)
CHAINS(2)
CHAINS(3)
CHAINS(4)
CHAINS(6)
// end chains

/* ---- versions -------------------------------------------------------- */

typedef struct {
  const char *name, *idea;
  const void *kernel;
  int n_parallel;       /* loads or chains of a thread */
  int word_bytes;       /* 0: chains */
} version;

static const version versions[] = {
  {"reads_1", "one load of 4 bytes at a time", (const void *)reads_1, 1, 4},
  {"reads_2", "two", (const void *)reads_2, 2, 4},
  {"reads_4", "four", (const void *)reads_4, 4, 4},
  {"reads_8", "eight", (const void *)reads_8, 8, 4},
  {"reads_16_bytes_1", "one load of 16 bytes",
   (const void *)reads_16_bytes_1, 1, 16},
  {"reads_16_bytes_4", "four of 16 bytes",
   (const void *)reads_16_bytes_4, 4, 16},
  {"chains_1", "one chain of multiply-adds", (const void *)chains_1, 1, 0},
  {"chains_2", "two chains side by side", (const void *)chains_2, 2, 0},
  {"chains_3", "three", (const void *)chains_3, 3, 0},
  {"chains_4", "four", (const void *)chains_4, 4, 0},
  {"chains_6", "six", (const void *)chains_6, 6, 0},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* Warps of a multiprocessor, and the blocks in which they come. */
static const struct { int warps, blocks; } shapes[] = {
  {1, 1}, {2, 1}, {4, 1}, {8, 2}, {12, 2}, {16, 2}, {24, 4}, {32, 4},
  {48, 8}, {64, 8},
};
enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

static void launch(const version *v, int shape, float *d_out,
                   const float *d_x, size_t n, int n_rounds)
{
  int blocks = shapes[shape].blocks;
  unsigned threads = (unsigned)(WARP_THREADS * shapes[shape].warps / blocks);
  int bytes = shared_for_here(v->kernel, blocks);
  float m = 0.5f;
  size_t n_words = v->word_bytes ? n * sizeof(float) / v->word_bytes : 0;
  void *reads[] = {&d_out, &d_x, &n_words};
  void *chains[] = {&d_out, &d_x, &m, &n_rounds};
  CUDA_CHECK(cudaLaunchKernel(
      v->kernel, dim3((unsigned)(blocks * multiprocessors_here())),
      dim3(threads), v->word_bytes ? reads : chains, (size_t)bytes, 0));
}

/* ---- checking -------------------------------------------------------- */

static double expected_read(const version *v, const float *h_x, size_t n,
                            size_t thread, size_t n_threads)
{
  size_t words = (size_t)v->word_bytes / sizeof(float);
  float sum = 0.0f;
  for (size_t i = thread; i < n / words; i += n_threads) {
    const float *w = h_x + i * words;
    sum += words == 1 ? w[0] : (w[0] + w[1]) + (w[2] + w[3]);
  }
  return sum;
}

static double expected_chain(const version *v, const float *h_x,
                             size_t thread)
{
  float sum = 0.0f;
  for (int k = 0; k < v->n_parallel; k++) {
    float x = h_x[thread] + (float)k;
    for (int i = 0; i < CHECK_ROUNDS; i++)
      x = fmaf(x, 0.5f, 1.0f);
    sum += x;
  }
  return sum;
}

static int check_version(const version *v, int shape, const float *h_x,
                         const float *d_x, float *d_out, size_t n)
{
  size_t n_threads = (size_t)shapes[shape].warps * WARP_THREADS *
                     (size_t)multiprocessors_here();
  float *h_out = (float *)malloc(n_threads * sizeof(float));
  float *expected = (float *)malloc(n_threads * sizeof(float));
  poison_device(d_out, n_threads * sizeof(float));
  launch(v, shape, d_out, d_x, n, CHECK_ROUNDS);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_threads * sizeof(float),
                        cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n_threads; i++)
    expected[i] = (float)(v->word_bytes ?
        expected_read(v, h_x, n, i, n_threads) : expected_chain(v, h_x, i));
  int is_right = compare_floats(v->name, expected, h_out, n_threads);
  int active = active_blocks_here(
      v->kernel, WARP_THREADS * shapes[shape].warps / shapes[shape].blocks,
      shared_for_here(v->kernel, shapes[shape].blocks));
  if (active != shapes[shape].blocks) {
    fprintf(stderr, "%s: error: %d active blocks, expected %d\n", v->name,
            active, shapes[shape].blocks);
    is_right = 0;
  }
  free(h_out);
  free(expected);
  return is_right;
}

static int check(const options *o)
{
  /* Each thread's first element must exist, for the chains. */
  size_t n = (size_t)multiprocessors_here() * 2048 + 1236;
  random_source source = random_from_seed(o->seed);
  float *h_x = (float *)malloc(n * sizeof(float)), *d_x, *d_out;
  int n_bad = 0;
  random_fill_floats(&source, h_x, n);
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  for (int v = 0; v < N_VERSIONS; v++)
    if (options_wants(o, versions[v].name))
      for (int shape = 0; shape < 4; shape += 3)
        n_bad += !check_version(&versions[v], shape, h_x, d_x, d_out, n);
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_out));
  free(h_x);
  if (n_bad == 0)
    fprintf(o->csv ? stderr : stdout, "every version is right (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

static void measure_one(const options *o, const version *v, int shape,
                        float *d_out, const float *d_x, size_t n)
{
  int warps = shapes[shape].warps;
  timing t = timing_start(o->repetitions);
  while (timing_next(&t)) {
    launch(v, shape, d_out, d_x, n, ROUNDS);
    CUDA_CHECK_LAUNCH();
  }
  double threads = (double)warps * WARP_THREADS;
  int flight = warps * WARP_THREADS * v->n_parallel *
               (v->word_bytes ? v->word_bytes : 1);
  double gb_per_s = timing_gb_per_s(v->word_bytes ? 4.0 * (double)n : 0.0,
                                    t.median_us);
  double gflop_per_s = v->word_bytes ? 0.0 : 2e-3 * threads * ROUNDS *
      v->n_parallel * multiprocessors_here() / t.median_us;
  if (v->word_bytes)
    printf("%s,%d,%d,%d,%d,%d,%d,%zu,%d,%.3f,%.3f,%.2f\n", v->name,
           v->n_parallel, v->word_bytes, shapes[shape].blocks, warps, flight,
           multiprocessors_here(), n, t.repetitions, t.median_us,
           t.spread_us, gb_per_s);
  else
    printf("%s,%d,%d,%d,%d,%d,%.3f,%.3f,%.1f\n", v->name, v->n_parallel,
           shapes[shape].blocks, warps, flight, t.repetitions, t.median_us,
           t.spread_us, gflop_per_s);
  fflush(stdout);
}

static void measure(const options *o, const char *experiment)
{
  int wants_reads = strcmp(experiment, "reads") == 0;
  size_t n = o->n_sizes > 0 ? o->size[0] : (size_t)1 << 27;
  size_t least = (size_t)multiprocessors_here() * 2048;
  if (n < least || n % 4 != 0)
    options_fail(o, "--size must be a multiple of 4, at least %zu", least);
  float *d_x, *d_out;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, least * sizeof(float)));
  random_source source = random_from_seed(o->seed);
  fill_device_floats(&source, d_x, n);
  printf(wants_reads ? "version,loads,word_bytes,active_blocks,active_warps,"
         "in_flight_bytes,multiprocessors,n_elems,repetitions,time_us,"
         "time_spread_us,gb_per_s\n" : "version,chains,active_blocks,"
         "active_warps,in_flight,repetitions,time_us,time_spread_us,"
         "gflop_per_s\n");
  for (int v = 0; v < N_VERSIONS; v++)
    for (int shape = 0; shape < N_SHAPES; shape++)
      if (options_wants(o, versions[v].name) &&
          (versions[v].word_bytes > 0) == wants_reads &&
          active_blocks_here(versions[v].kernel, WARP_THREADS *
              shapes[shape].warps / shapes[shape].blocks, 0) >=
              shapes[shape].blocks)
        measure_one(o, &versions[v], shape, d_out, d_x, n);
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "bandwidth and arithmetic against "
                            "what is in flight", "reads,chains", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    options_fail(&o, "--count: this program only measures");
  if (check(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o, o.csv ? o.csv : "reads");
  return EXIT_SUCCESS;
}
