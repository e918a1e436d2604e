/* Solutions of the exercises: fill an array with a value that cudaMemset
 * cannot write, add the same vector many times while it stays on the device,
 * and add two vectors in groups of four elements. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"

enum { BLOCK_THREADS = 256 };

static unsigned blocks_for(int n)
{
  return (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
}

/* ---- CPU reference ---- */

static void accumulate_on_host(const float *b, float *c, int n, int rounds)
{
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < n; i++)
      c[i] += b[i];
}

/* ---- kernels ---- */

// begin fill
__global__ void fill(float *x, float value, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = value;
}
// end fill

// begin accumulate
__global__ void accumulate(const float *b, float *c, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] += b[i];
}

/* h_c[i] += h_b[i], `rounds` times over; each vector is copied in once. */
static void accumulate_on_device(const float *h_b, float *h_c, int n,
                                 int rounds)
{
  size_t n_bytes = n * sizeof(float);
  float *d_b, *d_c;
  CUDA_CHECK(cudaMalloc(&d_b, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_c, n_bytes));
  CUDA_CHECK(cudaMemcpy(d_b, h_b, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_c, h_c, n_bytes, cudaMemcpyHostToDevice));
  for (int round = 0; round < rounds; round++) {
    accumulate<<<blocks_for(n), BLOCK_THREADS>>>(d_b, d_c, n);
    CUDA_CHECK_LAUNCH();
  }
  CUDA_CHECK(cudaMemcpy(h_c, d_c, n_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
}
// end accumulate

__global__ void add_one_each(const float *a, const float *b, float *c,
                             int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

// begin add_four_each
/* Each thread adds a group of four; the last one may have fewer left. */
__global__ void add_four_each(const float *a, const float *b, float *c,
                              int n)
{
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    float4 x = *(const float4 *)(a + i);
    float4 y = *(const float4 *)(b + i);
    *(float4 *)(c + i) = make_float4(x.x + y.x, x.y + y.y, x.z + y.z,
                                     x.w + y.w);
  } else {
    for (; i < n; i++)
      c[i] = a[i] + b[i];
  }
}
// end add_four_each

/* ---- check ---- */

static float *host_alloc(int n)
{
  float *h = (float *)malloc(n * sizeof(float));
  if (!h) {
    fprintf(stderr, "error: no host memory for %d floats; try a smaller "
            "--size\n", n);
    exit(EXIT_FAILURE);
  }
  return h;
}

// begin set_bytes
/* cudaMemset writes bytes.  Four bytes of value 1 are no 1.0f. */
static int check_set_bytes(void)
{
  float h_x[8], *d_x;
  const unsigned bits = 0x01010101u;
  float tiny;
  memcpy(&tiny, &bits, sizeof tiny);
  CUDA_CHECK(cudaMalloc(&d_x, sizeof h_x));
  CUDA_CHECK(cudaMemset(d_x, 1, sizeof h_x));
  CUDA_CHECK(cudaMemcpy(h_x, d_x, sizeof h_x, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_x));
  printf("after cudaMemset to 1: %g\n", h_x[0]);
  return h_x[0] == tiny && h_x[7] == tiny;
}
// end set_bytes

static int check_fill(random_source *random, int n)
{
  float value = random_float(random);
  float *h_expected = host_alloc(n), *h_got = host_alloc(n), *d_x;
  for (int i = 0; i < n; i++)
    h_expected[i] = value;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  poison_device(d_x, n * sizeof(float));
  fill<<<blocks_for(n), BLOCK_THREADS>>>(d_x, value, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_got, d_x, n * sizeof(float),
                        cudaMemcpyDeviceToHost));
  int right = compare_floats("fill", h_expected, h_got, n);
  CUDA_CHECK(cudaFree(d_x));
  free(h_expected);
  free(h_got);
  return right;
}

static int check_accumulate(random_source *random, int n)
{
  float *h_b = host_alloc(n), *h_expected = host_alloc(n);
  float *h_got = host_alloc(n);
  random_fill_floats(random, h_b, n);
  random_fill_floats(random, h_expected, n);
  memcpy(h_got, h_expected, n * sizeof(float));
  accumulate_on_host(h_b, h_expected, n, 5);
  accumulate_on_device(h_b, h_got, n, 5);
  int right = compare_floats("accumulate", h_expected, h_got, n);
  free(h_b);
  free(h_expected);
  free(h_got);
  return right;
}

static int check_add_four_each(random_source *random, int n)
{
  float *h_a = host_alloc(n), *h_b = host_alloc(n);
  float *h_expected = host_alloc(n);
  float *h_got = host_alloc(n + GUARD_BYTES / (int)sizeof(float));
  float *d_a, *d_b, *d_c;
  size_t n_bytes = n * sizeof(float);
  random_fill_floats(random, h_a, n);
  random_fill_floats(random, h_b, n);
  for (int i = 0; i < n; i++)
    h_expected[i] = h_a[i] + h_b[i];
  CUDA_CHECK(cudaMalloc(&d_a, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_b, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_c, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_a, h_a, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, h_b, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_c, n_bytes + GUARD_BYTES);
  add_four_each<<<blocks_for((n + 3) / 4), BLOCK_THREADS>>>(d_a, d_b, d_c,
                                                            n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_got, d_c, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int right = compare_floats("add_four_each", h_expected, h_got, n) &
              compare_guard("add_four_each", h_got + n, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  free(h_a);
  free(h_b);
  free(h_expected);
  free(h_got);
  return right;
}

typedef struct {
  const char *name;
  const char *idea;
  int (*check)(random_source *, int);
} version;

static const version versions[] = {
  {"fill", "a kernel writes what cudaMemset cannot", check_fill},
  {"accumulate", "many rounds on data that stay on the device",
   check_accumulate},
  {"add_four_each", "16 bytes with every access", check_add_four_each},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int check(const options *o)
{
  static const int sizes[] = {1, 3, 4, 255, 256, 257, 1022, 70001};
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; options_wants(o, versions[k].name) && s < 8; s++)
      right &= versions[k].check(&random, sizes[s]);
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- experiment `rounds` ---- */

enum { MAX_REPETITIONS = 1000 };

typedef void adder(const float *b, float *c, int n, int rounds);

static timing time_rounds(adder *add, const float *h_b, float *h_c, int n,
                          int rounds, int repetitions)
{
  static double samples_us[MAX_REPETITIONS];
  timing t = {};
  for (int pass = -1; pass < repetitions; pass++) {     /* -1 warms up */
    double start = timing_host_us();
    add(h_b, h_c, n, rounds);
    if (pass >= 0)
      samples_us[pass] = timing_host_us() - start;
  }
  timing_summarise(&t, samples_us, repetitions);
  return t;
}

static void measure_rounds(const options *o)
{
  int n = (int)memory_length(o, 1 << 24, 2 * sizeof(float));
  float *h_b = host_alloc(n), *h_c = host_alloc(n);
  random_source random = random_from_seed(n);
  random_fill_floats(&random, h_b, n);
  memset(h_c, 0, n * sizeof(float));
  printf("n_elems,rounds,cpu_us,cpu_spread_us,gpu_us,gpu_spread_us\n");
  for (int rounds = 1; rounds <= 64; rounds *= 2) {
    timing cpu = time_rounds(accumulate_on_host, h_b, h_c, n, rounds,
                             o->repetitions);
    timing gpu = time_rounds(accumulate_on_device, h_b, h_c, n, rounds,
                             o->repetitions);
    printf("%d,%d,%.3f,%.3f,%.3f,%.3f\n", n, rounds, cpu.median_us,
           cpu.spread_us, gpu.median_us, gpu.spread_us);
    fflush(stdout);
  }
  free(h_b);
  free(h_c);
}

/* ---- experiment `four`: the kernels alone, against a device copy ---- */

static void measure_four(const options *o)
{
  static const char *const names[] = {"one_each", "four_each", "copy"};
  int n = (int)memory_length(o, 1 << 26, 3 * sizeof(float));
  size_t n_bytes = n * sizeof(float);
  float *d_a, *d_b, *d_c;
  CUDA_CHECK(cudaMalloc(&d_a, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_b, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_c, n_bytes));
  CUDA_CHECK(cudaMemset(d_a, 0, n_bytes));
  CUDA_CHECK(cudaMemset(d_b, 0, n_bytes));
  printf("version,n_elems,time_us,spread_us,gb_per_s\n");
  for (int k = 0; k < 3; k++) {
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      if (k == 0)
        add_one_each<<<blocks_for(n), BLOCK_THREADS>>>(d_a, d_b, d_c, n);
      else if (k == 1)
        add_four_each<<<blocks_for((n + 3) / 4), BLOCK_THREADS>>>(d_a, d_b,
                                                                  d_c, n);
      else
        CUDA_CHECK(cudaMemcpyAsync(d_c, d_a, n_bytes,
                                   cudaMemcpyDeviceToDevice));
      CUDA_CHECK_LAUNCH();
    }
    printf("%s,%d,%.3f,%.3f,%.2f\n", names[k], n, t.median_us, t.spread_us,
           timing_gb_per_s((k < 2 ? 3.0 : 2.0) * n_bytes, t.median_us));
  }
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "solutions of the exercises",
                            "rounds,four", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && o.size[0] > 1 << 28))
    options_fail(&o, "--size must be one number up to 2^28");
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o) || !(o.csv || check_set_bytes()))
    return EXIT_FAILURE;
  if (o.csv && strcmp(o.csv, "four") == 0)
    measure_four(&o);
  else if (!o.check && timing_is_possible())
    measure_rounds(&o);
  return EXIT_SUCCESS;
}
