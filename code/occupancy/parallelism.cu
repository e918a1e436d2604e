/* How much work must be in flight? Bandwidth against the bytes that an SM's
 * warps have asked for, and arithmetic against operations in flight: the same
 * number can come from many warps or from a few warps with several
 * independent operations each.
 *
 *   nvcc -I code code/occupancy/parallelism.cu -o parallelism && ./parallelism
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "hardware/clocks.h"
#include "occupancy/here.h"

/* ---- kernels --------------------------------------------------------- */

__device__ __forceinline__ float sum_of(float x) { return x; }
__device__ __forceinline__ float sum_of(float4 x)
{
  return (x.x + x.y) + (x.z + x.w);
}

// begin reads
/* Each thread asks for LOADS values, none of which depends on another, and
 * only then adds them up. There are as many threads as fit on the GPU at
 * once; together they walk through the array. */
template <typename Word, int LOADS>
__global__ void reads(float *out, const Word *x, size_t n)
{
  size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t step = (size_t)gridDim.x * blockDim.x;
  float sum = 0.0f;
#pragma unroll 1
  for (size_t i = thread; i < n; i += LOADS * step) {
    Word got[LOADS] = {};
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      if (i + k * step < n)
        got[k] = x[i + k * step];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      sum += sum_of(got[k]);
  }
  out[thread] = sum;
}
// end reads

/* What the clocks saw of a warp. Loads of a batch are asked for and arrive one
 * after the other, so the first and the last stand for all of them. */
typedef struct {
  long long waited;             /* cycles from asking to arrival, of the … */
  long long batches;            /* … first and the last load of each batch */
  long long cycles;             /* from the first load to the last arrival */
  unsigned long long began_ns, ended_ns;
} watch;

/* The clock once `value` has arrived: the branch needs it. No sum here is
 * infinite. */
__device__ __forceinline__ long long clock_after(float value)
{
  if (isinf(value))
    __trap();
  return clock64();
}

// begin reads_watched
/* The same, with a clock read around the requests of a batch, and when the
 * first and the last of them have arrived. */
template <typename Word, int LOADS>
__global__ void reads_watched(float *out, const Word *x, size_t n,
                              watch *watches)
{
  size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t step = (size_t)gridDim.x * blockDim.x;
  float sum = 0.0f;
  watch w = {0, 0, 0, nanoseconds(), 0};
  long long began = clock64();
#pragma unroll 1
  for (size_t i = thread; i < n; i += LOADS * step) {
    Word got[LOADS] = {};
    long long asked = clock64();
#pragma unroll
    for (int k = 0; k < LOADS; k++)
      if (i + k * step < n)
        got[k] = x[i + k * step];
    asked += clock64();
    sum += sum_of(got[0]);
    long long arrived = clock_after(sum);
#pragma unroll
    for (int k = 1; k < LOADS; k++)
      sum += sum_of(got[k]);
    arrived += clock_after(sum);
    w.waited += arrived - asked;
    w.batches++;
  }
  w.cycles = clock64() - began;
  w.ended_ns = nanoseconds();
  out[thread] = sum;
  if (threadIdx.x % WARP_THREADS == 0)
    watches[thread / WARP_THREADS] = w;
}
// end reads_watched

/* Long enough that starting the kernel does not count; few to check. */
enum { ROUNDS = 32768, CHECK_ROUNDS = 48 };

// begin chains
/* CHAINS results grow side by side; within a chain, each multiply-add needs
 * the one before it. */
template <int CHAINS>
__global__ void chains(float *out, const float *x, float m, int n_rounds)
{
  size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  float result[CHAINS], sum = 0.0f;
#pragma unroll
  for (int k = 0; k < CHAINS; k++)
    result[k] = x[thread] + k;
#pragma unroll 16
  for (int i = 0; i < n_rounds; i++) {
#pragma unroll
    for (int k = 0; k < CHAINS; k++)
      result[k] = fmaf(result[k], m, 1.0f);
  }
#pragma unroll
  for (int k = 0; k < CHAINS; k++)
    sum += result[k];
  out[thread] = sum;
}
// end chains

/* ---- versions -------------------------------------------------------- */

typedef struct {
  const char *name, *idea;
  const void *kernel;
  const void *watched;  /* the same with a clock; NULL: chains */
  int n_parallel;       /* loads or chains of a thread */
  int word_bytes;       /* 0: chains */
} version;

#define READS(Word, loads)                                                \
  (const void *)reads<Word, loads>, (const void *)reads_watched<Word, loads>
#define CHAINS(n) (const void *)chains<n>, NULL
static const version versions[] = {
  {"reads_1", "one load of 4 bytes at a time", READS(float, 1), 1, 4},
  {"reads_2", "two", READS(float, 2), 2, 4},
  {"reads_4", "four", READS(float, 4), 4, 4},
  {"reads_8", "eight", READS(float, 8), 8, 4},
  {"reads_16_bytes_1", "one load of 16 bytes", READS(float4, 1), 1, 16},
  {"reads_16_bytes_4", "four of 16 bytes", READS(float4, 4), 4, 16},
  {"chains_1", "one chain of multiply-adds", CHAINS(1), 1, 0},
  {"chains_2", "two chains side by side", CHAINS(2), 2, 0},
  {"chains_3", "three", CHAINS(3), 3, 0},
  {"chains_4", "four", CHAINS(4), 4, 0},
  {"chains_6", "six", CHAINS(6), 6, 0},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* Warps per SM, and the blocks in which they come. */
static const struct { int warps, blocks; } shapes[] = {
  {1, 1}, {2, 1}, {4, 1}, {8, 2}, {12, 2}, {16, 2}, {24, 4}, {32, 4},
  {48, 8}, {64, 8},
};
enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

static int block_threads(int shape)
{
  return WARP_THREADS * shapes[shape].warps / shapes[shape].blocks;
}

/* With watches, the kernel that has a clock. */
static void launch(const version *v, int shape, float *d_out,
                   const float *d_x, size_t n, int n_rounds, watch *d_watches)
{
  int blocks = shapes[shape].blocks;
  const void *kernel = d_watches ? v->watched : v->kernel;
  int bytes = shared_for_here(kernel, blocks);
  float m = 0.5f;
  size_t n_words = v->word_bytes ? n * sizeof(float) / v->word_bytes : 0;
  void *reads[] = {&d_out, &d_x, &n_words, &d_watches};
  void *chains[] = {&d_out, &d_x, &m, &n_rounds};
  CUDA_CHECK(cudaLaunchKernel(
      kernel, dim3((unsigned)(blocks * multiprocessors_here())),
      dim3((unsigned)block_threads(shape)), v->word_bytes ? reads : chains,
      (size_t)bytes, 0));
}

/* Can the blocks of this shape be active together? */
static int fits(const void *kernel, int shape, int bytes)
{
  return active_blocks_here(kernel, block_threads(shape), bytes) >=
         shapes[shape].blocks;
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

static int check_results(const version *v, int shape, const float *h_x,
                         const float *d_x, float *d_out, size_t n,
                         watch *d_watches)
{
  size_t n_threads = (size_t)shapes[shape].warps * WARP_THREADS *
                     (size_t)multiprocessors_here();
  float *h_out = (float *)malloc(n_threads * sizeof(float));
  float *expected = (float *)malloc(n_threads * sizeof(float));
  poison_device(d_out, n_threads * sizeof(float));
  launch(v, shape, d_out, d_x, n, CHECK_ROUNDS, d_watches);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_threads * sizeof(float),
                        cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n_threads; i++)
    expected[i] = (float)(v->word_bytes ?
        expected_read(v, h_x, n, i, n_threads) : expected_chain(v, h_x, i));
  int is_right = compare_floats(v->name, expected, h_out, n_threads);
  const void *kernel = d_watches ? v->watched : v->kernel;
  int active = active_blocks_here(
      kernel, block_threads(shape),
      shared_for_here(kernel, shapes[shape].blocks));
  if (active != shapes[shape].blocks) {
    fprintf(stderr, "%s: error: %d active blocks, expected %d\n", v->name,
            active, shapes[shape].blocks);
    is_right = 0;
  }
  free(h_out);
  free(expected);
  return is_right;
}

static size_t n_warps_of(int shape)
{
  return (size_t)shapes[shape].warps * (size_t)multiprocessors_here();
}

/* The sums over all warps; their first beginning and last end. */
static watch all_watches(const watch *d_watches, size_t n)
{
  watch *h = (watch *)malloc(n * sizeof *h), all = {0, 0, 0, 0, 0};
  CUDA_CHECK(cudaMemcpy(h, d_watches, n * sizeof *h, cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++) {
    all.waited += h[i].waited;
    all.batches += h[i].batches;
    all.cycles += h[i].cycles;
    if (i == 0 || h[i].began_ns < all.began_ns)
      all.began_ns = h[i].began_ns;
    if (h[i].ended_ns > all.ended_ns)
      all.ended_ns = h[i].ended_ns;
  }
  free(h);
  return all;
}

/* Lane 0 of each warp has counted its batches, and waited for them between
 * its first and its last reading of the clock. */
static int check_watches(const version *v, int shape, size_t n,
                         const watch *d_watches)
{
  watch w = all_watches(d_watches, n_warps_of(shape));
  size_t words = n * sizeof(float) / (size_t)v->word_bytes;
  size_t step = n_warps_of(shape) * WARP_THREADS;
  size_t of_batch = (size_t)v->n_parallel * step;
  long long expected = 0;
  for (size_t i = 0; i < step && i < words; i += WARP_THREADS)
    expected += (long long)((words - i + of_batch - 1) / of_batch);
  if (w.batches == expected && w.waited > 0 && w.waited <= 2 * w.cycles)
    return 1;
  fprintf(stderr, "%s: error: watched %lld batches, expected %lld, for %lld / "
          "2 of %lld cycles\n", v->name, w.batches, expected, w.waited,
          w.cycles);
  return 0;
}

static int check_version(const version *v, int shape, const float *h_x,
                         const float *d_x, float *d_out, size_t n,
                         watch *d_watches)
{
  return check_results(v, shape, h_x, d_x, d_out, n, NULL) &&
         (!v->watched ||
          (check_results(v, shape, h_x, d_x, d_out, n, d_watches) &&
           check_watches(v, shape, n, d_watches)));
}

static int check(const options *o)
{
  /* Each thread's first element must exist, for the chains. */
  size_t n = (size_t)multiprocessors_here() * 2048 + 1236;
  random_source source = random_from_seed(o->seed);
  float *h_x = (float *)malloc(n * sizeof(float)), *d_x, *d_out;
  watch *d_watches;
  int n_bad = 0;
  random_fill_floats(&source, h_x, n);
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_watches, n_warps_of(3) * sizeof *d_watches));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  for (int v = 0; v < N_VERSIONS; v++)
    if (options_wants(o, versions[v].name))
      for (int shape = 0; shape < 4; shape += 3)
        n_bad += !check_version(&versions[v], shape, h_x, d_x, d_out, n,
                                d_watches);
  CUDA_CHECK(cudaFree(d_watches));
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
    launch(v, shape, d_out, d_x, n, ROUNDS, NULL);
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

/* Nanoseconds per cycle, by the warp that ran longest. */
static double ns_of_a_cycle(const watch *d_watches, size_t n)
{
  watch *h = (watch *)malloc(n * sizeof *h);
  size_t longest = 0;
  CUDA_CHECK(cudaMemcpy(h, d_watches, n * sizeof *h, cudaMemcpyDeviceToHost));
  for (size_t i = 1; i < n; i++)
    if (h[i].cycles > h[longest].cycles)
      longest = i;
  double ns = (double)(h[longest].ended_ns - h[longest].began_ns);
  ns /= (double)h[longest].cycles;
  free(h);
  return ns;
}

/* Little's law with averages: how many bytes were in flight on average, for
 * how long, and the bandwidth that follows. */
static void measure_watched(const options *o, const version *v, int shape,
                            float *d_out, const float *d_x, size_t n,
                            watch *d_watches)
{
  int warps = shapes[shape].warps;
  int request_bytes = WARP_THREADS * v->word_bytes;
  timing t = timing_start(o->repetitions);
  while (timing_next(&t)) {
    launch(v, shape, d_out, d_x, n, ROUNDS, d_watches);
    CUDA_CHECK_LAUNCH();
  }
  watch w = all_watches(d_watches, n_warps_of(shape));
  double span_ns = (double)(w.ended_ns - w.began_ns);
  double ns_per_cycle = ns_of_a_cycle(d_watches, n_warps_of(shape));
  double latency = 0.5 * (double)w.waited / (double)w.batches;
  double latency_ns = latency * ns_per_cycle;
  double average = 0.5 * (double)w.waited * ns_per_cycle / span_ns *
                   v->n_parallel * request_bytes / multiprocessors_here();
  printf("%s,%d,%d,%d,%d,%d,%.1f,%.1f,%.1f,%d,%zu,%d,%.3f,%.3f,%.2f,%.2f\n",
         v->name, v->n_parallel, v->word_bytes, shapes[shape].blocks, warps,
         warps * v->n_parallel * request_bytes, average, latency, latency_ns,
         multiprocessors_here(), n, t.repetitions, t.median_us, t.spread_us,
         timing_gb_per_s(4.0 * (double)n, t.median_us),
         average * multiprocessors_here() / latency_ns);
  fflush(stdout);
}

static void measure_little(const options *o, float *d_out, const float *d_x,
                           size_t n)
{
  watch *d_watches;
  CUDA_CHECK(cudaMalloc(&d_watches, n_warps_of(N_SHAPES - 1) *
                        sizeof *d_watches));
  printf("version,loads,word_bytes,active_blocks,active_warps,peak_bytes,"
         "average_bytes,latency_cycles,latency_ns,multiprocessors,n_elems,"
         "repetitions,time_us,time_spread_us,gb_per_s,law_gb_per_s\n");
  for (int v = 0; v < N_VERSIONS; v++)
    for (int shape = 0; shape < N_SHAPES; shape++)
      if (options_wants(o, versions[v].name) && versions[v].watched &&
          fits(versions[v].watched, shape, 0))
        measure_watched(o, &versions[v], shape, d_out, d_x, n, d_watches);
  CUDA_CHECK(cudaFree(d_watches));
}

static void measure_rows(const options *o, int wants_reads, float *d_out,
                         const float *d_x, size_t n)
{
  printf(wants_reads ? "version,loads,word_bytes,active_blocks,active_warps,"
         "in_flight_bytes,multiprocessors,n_elems,repetitions,time_us,"
         "time_spread_us,gb_per_s\n" : "version,chains,active_blocks,"
         "active_warps,in_flight,repetitions,time_us,time_spread_us,"
         "gflop_per_s\n");
  for (int v = 0; v < N_VERSIONS; v++)
    for (int shape = 0; shape < N_SHAPES; shape++)
      if (options_wants(o, versions[v].name) &&
          (versions[v].word_bytes > 0) == wants_reads &&
          fits(versions[v].kernel, shape, 0))
        measure_one(o, &versions[v], shape, d_out, d_x, n);
}

static void measure(const options *o, const char *experiment)
{
  int is_little = strcmp(experiment, "little") == 0;
  size_t n = o->n_sizes > 0 ? o->size[0] : (size_t)1 << (is_little ? 28 : 27);
  size_t least = (size_t)multiprocessors_here() * 2048;
  if (n < least || n % 4 != 0)
    options_fail(o, "--size must be a multiple of 4, at least %zu", least);
  float *d_x, *d_out;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, least * sizeof(float)));
  random_source source = random_from_seed(o->seed);
  fill_device_floats(&source, d_x, n);
  if (is_little)
    measure_little(o, d_out, d_x, n);
  else
    measure_rows(o, strcmp(experiment, "reads") == 0, d_out, d_x, n);
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "bandwidth and arithmetic against "
                            "what is in flight", "reads,little,chains", "");
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
