/* A small array of each thread's own: how often does each of 16 values occur
 * in the thread's share of the data? The array's index comes from the data. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"

enum { BINS = 16, N_EACH = 64, BLOCK_THREADS = 128 };

/* ---- CPU reference ---- */

/* Thread t has the elements t, t + n, t + 2 n, …; its bins likewise. */
static void tally_on_host(int *out, const int *in, size_t n)
{
  memset(out, 0, n * BINS * sizeof(int));
  for (size_t t = 0; t < n; t++)
    for (int i = 0; i < N_EACH; i++)
      out[in[i * n + t] * n + t]++;
}

/* ---- kernels ---- */

// begin local
__global__ void tally_local(int *out, const int *in, int n)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int bins[BINS] = {0};
  if (t >= n)
    return;
  for (int i = 0; i < N_EACH; i++)
    bins[in[(size_t)i * n + t]]++;
  for (int b = 0; b < BINS; b++)
    out[(size_t)b * n + t] = bins[b];
}
// end local

// begin registers
__global__ void tally_registers(int *out, const int *in, int n)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int bins[BINS] = {0};
  if (t >= n)
    return;
  for (int i = 0; i < N_EACH; i++) {
    int value = in[(size_t)i * n + t];
    for (int b = 0; b < BINS; b++)
      bins[b] += b == value;
  }
  for (int b = 0; b < BINS; b++)
    out[(size_t)b * n + t] = bins[b];
}
// end registers

// begin shared
__global__ void tally_shared(int *out, const int *in, int n)
{
  __shared__ int bins[BINS][BLOCK_THREADS];  /* a column for each thread */
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  for (int b = 0; b < BINS; b++)
    bins[b][threadIdx.x] = 0;
  for (int i = 0; i < N_EACH; i++)
    bins[in[(size_t)i * n + t]][threadIdx.x]++;
  for (int b = 0; b < BINS; b++)
    out[(size_t)b * n + t] = bins[b][threadIdx.x];
}
// end shared

// begin packed
/* Sixteen bins of 8 bits in two 64-bit registers; N_EACH fits into 8 bits. */
__global__ void tally_packed(int *out, const int *in, int n)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long low = 0, high = 0;
  if (t >= n)
    return;
  for (int i = 0; i < N_EACH; i++) {
    int value = in[(size_t)i * n + t];
    unsigned long long one = 1ull << value % 8 * 8;
    low += value < 8 ? one : 0;
    high += value < 8 ? 0 : one;
  }
  for (int b = 0; b < BINS; b++)
    out[(size_t)b * n + t] = (b < 8 ? low : high) >> b % 8 * 8 & 0xff;
}
// end packed

typedef struct {
  const char *name;
  const char *idea;
  void (*kernel)(int *out, const int *in, int n);
} version;

static const version versions[] = {
  {"local", "an array with an index out of the data", tally_local},
  {"registers", "the same array, compared with every index",
   tally_registers},
  {"shared", "a column of shared memory for each thread", tally_shared},
  {"packed", "sixteen bytes in two registers", tally_packed},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- launcher ---- */

static void launch(const version *v, int *d_out, const int *d_in, int n)
{
  int n_blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  v->kernel<<<n_blocks, BLOCK_THREADS>>>(d_out, d_in, n);
  CUDA_CHECK_LAUNCH();
}

/* ---- check ---- */

static int *host_ints(size_t n)
{
  int *memory = (int *)malloc(n * sizeof(int) + GUARD_BYTES);
  if (!memory) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  return memory;
}

static int check_case(const version *v, random_source *random, int n)
{
  size_t in_bytes = (size_t)n * N_EACH * sizeof(int);
  size_t out_bytes = (size_t)n * BINS * sizeof(int);
  int *h_in = host_ints((size_t)n * N_EACH), *d_in, *d_out;
  int *h_expected = host_ints((size_t)n * BINS);
  int *h_got = host_ints((size_t)n * BINS);
  char what[64];
  for (size_t i = 0; i < (size_t)n * N_EACH; i++)
    h_in[i] = (int)random_below(random, BINS);
  tally_on_host(h_expected, h_in, n);
  CUDA_CHECK(cudaMalloc(&d_in, in_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, out_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, in_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, out_bytes + GUARD_BYTES);
  launch(v, d_out, d_in, n);
  CUDA_CHECK(cudaMemcpy(h_got, d_out, out_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  snprintf(what, sizeof what, "%s, n = %d", v->name, n);
  int right = compare_ints(what, h_expected, h_got, (size_t)n * BINS) &
              compare_guard(what, (char *)h_got + out_bytes, GUARD_BYTES);
  free(h_in);
  free(h_expected);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const int sizes[] = {1, 31, 127, 128, 129, 1000};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int v = 0; v < N_VERSIONS; v++)
    for (int s = 0; s < N_SIZES && options_wants(o, versions[v].name); s++)
      right &= check_case(&versions[v], &random, sizes[s]);
  fprintf(options_remarks(o), "check: %d sizes, seed %llu: %s\n", N_SIZES,
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

static void run(const options *o, int n, int timed)
{
  size_t n_in = (size_t)n * N_EACH;
  int *h_in = host_ints(n_in), *d_in, *d_out;
  random_source random = random_from_seed(o->seed);
  for (size_t i = 0; i < n_in; i++)
    h_in[i] = (int)random_below(&random, BINS);
  CUDA_CHECK(cudaMalloc(&d_in, n_in * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_out, (size_t)n * BINS * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_in * sizeof(int),
                        cudaMemcpyHostToDevice));
  for (int v = 0; v < N_VERSIONS; v++) {
    double n_bytes = ((double)n_in + (double)n * BINS) * sizeof(int);
    if (!options_wants(o, versions[v].name))
      continue;
    if (!timed) {
      launch(&versions[v], d_out, d_in, n);
      printf("%s,%d\n", versions[v].name, n);
      continue;
    }
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(&versions[v], d_out, d_in, n);
    if (o->csv)
      printf("%s,%d,%d,%.3f,%.3f,%.2f\n", versions[v].name, n, t.repetitions,
             t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(versions[v].name, t, n_bytes);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
}

int main(int argc, char **argv)
{
  double each = (N_EACH + BINS) * sizeof(int);
  options o = options_parse(argc, argv, "tallies values, thread by thread",
                            "tally", "tally");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    printf("version,n_threads\n");
    run(&o, (int)memory_length(&o, 256, each), 0);
    return EXIT_SUCCESS;
  }
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv)
    printf("version,n_threads,repetitions,time_us,time_spread_us,"
           "gb_per_s\n");
  else
    timing_print_head();
  run(&o, (int)memory_length(&o, (size_t)1 << 20, each), 1);
  return EXIT_SUCCESS;
}
