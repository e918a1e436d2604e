/* Adds a table to every element of an array: with the table in constant
 * memory, after a program of lecture notes of 2018, and in global memory. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"

enum { N_VALUES = 100, BLOCK_THREADS = 64 };

/* ---- CPU reference ---- */

static void add_values_on_host(int *array, const int *values, int n)
{
  for (int idx = 0; idx < n; idx++)
    for (int i = 0; i < N_VALUES; i++)
      array[idx] += values[i];
}

/* ---- kernels ---- */

// begin constant
__constant__ int constant_values[N_VALUES];

__global__ void add_constant(int *d_array, int n)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n)
    for (int i = 0; i < N_VALUES; i++)
      d_array[idx] = d_array[idx] + constant_values[i];
}
// end constant

// begin global
__global__ void add_global(int *d_array, const int *values, int n)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n)
    for (int i = 0; i < N_VALUES; i++)
      d_array[idx] = d_array[idx] + values[i];
}
// end global

// begin restricted
__global__ void add_restricted(int *__restrict__ d_array,
                               const int *__restrict__ values, int n)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n)
    for (int i = 0; i < N_VALUES; i++)
      d_array[idx] = d_array[idx] + values[i];
}
// end restricted

/* ---- launchers ---- */

static int blocks_for(int n)
{
  return (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
}

static void launch_constant(int *d_array, const int *d_values, int n)
{
  (void)d_values;
  add_constant<<<blocks_for(n), BLOCK_THREADS>>>(d_array, n);
}

static void launch_global(int *d_array, const int *d_values, int n)
{
  add_global<<<blocks_for(n), BLOCK_THREADS>>>(d_array, d_values, n);
}

static void launch_restricted(int *d_array, const int *d_values, int n)
{
  add_restricted<<<blocks_for(n), BLOCK_THREADS>>>(d_array, d_values, n);
}

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(int *d_array, const int *d_values, int n);
} version;

static const version versions[] = {
  {"constant", "the table in constant memory", launch_constant},
  {"global", "the table behind a pointer", launch_global},
  {"restricted", "behind a pointer that is the only one", launch_restricted},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check ---- */

// begin fill
/* A symbol is filled by its name, and not with an address. */
static void fill_values(const int *h_values, int *d_values)
{
  CUDA_CHECK(cudaMemcpyToSymbol(constant_values, h_values,
                                N_VALUES * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_values, h_values, N_VALUES * sizeof(int),
                        cudaMemcpyHostToDevice));
}
// end fill

static int check_case(const version *v, random_source *random, int n)
{
  size_t n_bytes = n * sizeof(int);
  int h_values[N_VALUES], *d_array, *d_values;
  int *h_expected = (int *)malloc(n_bytes + 1);
  int *h_got = (int *)malloc(n_bytes + GUARD_BYTES);
  char what[64];
  if (!h_expected || !h_got) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  for (int i = 0; i < N_VALUES; i++)
    h_values[i] = (int)random_below(random, 1 << 16);
  for (int i = 0; i < n; i++)
    h_expected[i] = (int)random_below(random, 1 << 16);
  CUDA_CHECK(cudaMalloc(&d_array, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMalloc(&d_values, sizeof h_values));
  poison_device(d_array, n_bytes + GUARD_BYTES);
  CUDA_CHECK(cudaMemcpy(d_array, h_expected, n_bytes,
                        cudaMemcpyHostToDevice));
  fill_values(h_values, d_values);
  add_values_on_host(h_expected, h_values, n);
  v->launch(d_array, d_values, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_got, d_array, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_array));
  CUDA_CHECK(cudaFree(d_values));
  snprintf(what, sizeof what, "%s, n = %d", v->name, n);
  int right = compare_ints(what, h_expected, h_got, n) &
              compare_guard(what, (char *)h_got + n_bytes, GUARD_BYTES);
  free(h_expected);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const int sizes[] = {1, 63, 64, 65, 100, 1000};
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
  int *d_array, *d_values, h_values[N_VALUES];
  random_source random = random_from_seed(o->seed);
  for (int i = 0; i < N_VALUES; i++)
    h_values[i] = (int)random_below(&random, 1 << 16);
  CUDA_CHECK(cudaMalloc(&d_array, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_values, sizeof h_values));
  CUDA_CHECK(cudaMemset(d_array, 1, n * sizeof(int)));
  fill_values(h_values, d_values);
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name))
      continue;
    if (!timed) {
      versions[v].launch(d_array, d_values, n);
      CUDA_CHECK_LAUNCH();
      printf("%s,%d\n", versions[v].name, n);
      continue;
    }
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      versions[v].launch(d_array, d_values, n);
    if (o->csv)
      printf("%s,%d,%d,%.3f,%.3f\n", versions[v].name, n, t.repetitions,
             t.median_us, t.spread_us);
    else
      timing_print_row(versions[v].name, t, 2.0 * n * sizeof(int));
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_array));
  CUDA_CHECK(cudaFree(d_values));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "adds a table to an array",
                            "values", "values");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    printf("version,n_elems\n");
    run(&o, (int)memory_length(&o, 4096, sizeof(int)), 0);
    return EXIT_SUCCESS;
  }
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv)
    printf("version,n_elems,repetitions,time_us,time_spread_us\n");
  else
    timing_print_head();
  run(&o, (int)memory_length(&o, (size_t)1 << 24, sizeof(int)), 1);
  return EXIT_SUCCESS;
}
