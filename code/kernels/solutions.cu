/* Solutions to exercises on first kernels: a vector turned round, and vector
 * addition with two elements for each thread, chosen in two ways. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/timing.h"

enum { BLOCK_THREADS = 256 };

/* ---- CPU reference ---- */

static void add_on_host(const float *a, const float *b, float *c, int n)
{
  for (int i = 0; i < n; i++)
    c[i] = a[i] + b[i];
}

static void reverse_on_host(const float *a, const float *, float *c, int n)
{
  for (int i = 0; i < n; i++)
    c[i] = a[n - 1 - i];
}

/* ---- kernels ---- */

// begin reverse
__global__ void reverse(const float *a, const float *, float *c, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[n - 1 - i];
}
// end reverse

// begin add_neighbours
/* Thread t adds elements 2 t and 2 t + 1. */
__global__ void add_neighbours(const float *a, const float *b, float *c,
                               int n)
{
  int first = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int i = first; i < first + 2 && i < n; i++)
    c[i] = a[i] + b[i];
}
// end add_neighbours

// begin add_halves
/* Thread t adds elements t and t + half, half of n rounded up. */
__global__ void add_halves(const float *a, const float *b, float *c, int n)
{
  int half = (n + 1) / 2;
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= half)
    return;
  c[t] = a[t] + b[t];
  if (t + half < n)
    c[t + half] = a[t + half] + b[t + half];
}
// end add_halves

typedef void kernel(const float *, const float *, float *, int);

typedef struct {
  const char *name;     /* the kernel's */
  const char *idea;
  kernel *launched;
  int elems_per_thread;
  void (*reference)(const float *, const float *, float *, int);
  int moved;            /* words read and written for each element */
} version;

static const version versions[] = {
  {"reverse", "c[i] = a[n - 1 - i]", reverse, 1, reverse_on_host, 2},
  {"add_neighbours", "two neighbours for each thread", add_neighbours, 2,
   add_on_host, 3},
  {"add_halves", "one element of each half for each thread", add_halves, 2,
   add_on_host, 3},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- launcher ---- */

static void launch(const version *v, const float *d_a, const float *d_b,
                   float *d_c, int n)
{
  int n_threads = (n + v->elems_per_thread - 1) / v->elems_per_thread;
  int n_blocks = (n_threads + BLOCK_THREADS - 1) / BLOCK_THREADS;
  if (n > 0)
    v->launched<<<n_blocks, BLOCK_THREADS>>>(d_a, d_b, d_c, n);
  CUDA_CHECK_LAUNCH();
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, int n)
{
  size_t n_bytes = n * sizeof(float);
  float *h_a = (float *)malloc(n_bytes + 1);
  float *h_b = (float *)malloc(n_bytes + 1);
  float *h_expected = (float *)malloc(n_bytes + 1);
  float *h_got = (float *)malloc(n_bytes + GUARD_BYTES);
  float *d_a, *d_b, *d_c;
  char what[64];
  if (!h_a || !h_b || !h_expected || !h_got) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  random_fill_floats(random, h_a, n);
  random_fill_floats(random, h_b, n);
  v->reference(h_a, h_b, h_expected, n);
  CUDA_CHECK(cudaMalloc(&d_a, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_b, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_c, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_a, h_a, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, h_b, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_c, n_bytes + GUARD_BYTES);
  launch(v, d_a, d_b, d_c, n);
  CUDA_CHECK(cudaMemcpy(h_got, d_c, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  snprintf(what, sizeof what, "%s, n = %d", v->name, n);
  int right = compare_floats(what, h_expected, h_got, n) &
              compare_guard(what, h_got + n, GUARD_BYTES);
  free(h_a);
  free(h_b);
  free(h_expected);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const int sizes[] = {0, 1, 2, 31, 32, 33, 511, 512, 513, 10007};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < N_SIZES && options_wants(o, versions[k].name); s++)
      right &= check_case(&versions[k], &random, sizes[s]);
  fprintf(options_remarks(o), "check: %d sizes, seed %llu: %s\n",
          (int)N_SIZES, (unsigned long long)o->seed,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

static int count(const options *o)
{
  int n = o->n_sizes > 0 ? (int)o->size[0] : 1024;
  float *d_x;
  CUDA_CHECK(cudaMalloc(&d_x, 3 * (size_t)n * sizeof(float)));
  CUDA_CHECK(cudaMemset(d_x, 0, 3 * (size_t)n * sizeof(float)));
  printf("version,n_elems\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name)) {
      launch(&versions[k], d_x, d_x + n, d_x + 2 * (size_t)n, n);
      printf("%s,%d\n", versions[k].name, n);
    }
  CUDA_CHECK(cudaFree(d_x));
  return EXIT_SUCCESS;
}

static void measure(const options *o)
{
  int n = o->n_sizes > 0 ? (int)o->size[0] : 1 << 26;
  float *d_x;
  CUDA_CHECK(cudaMalloc(&d_x, 3 * (size_t)n * sizeof(float)));
  CUDA_CHECK(cudaMemset(d_x, 0, 3 * (size_t)n * sizeof(float)));
  if (o->csv)
    printf("version,n_elems,time_us,spread_us,gb_per_s\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    double n_bytes = (double)v->moved * n * sizeof(float);
    if (!options_wants(o, v->name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(v, d_x, d_x + n, d_x + 2 * (size_t)n, n);
    if (o->csv)
      printf("%s,%d,%.3f,%.3f,%.2f\n", v->name, n, t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(v->name, t, n_bytes);
  }
  CUDA_CHECK(cudaFree(d_x));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "solutions: first kernels",
                            "solutions", "solutions");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && (o.size[0] < 1 ||
                                           o.size[0] > 1 << 28)))
    options_fail(&o, "--size must be one number, 1 to 2^28");
  if (o.count)
    return count(&o);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
