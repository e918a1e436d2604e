/* Dot products of 16-bit numbers: what is lost, and where.
 *
 *   nvcc -I code code/precision/dot.cu -o dot && ./dot */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/random.h"
#include "precision/formats.h"

enum {
  LANES = 32,       /* dot products at once, one per thread */
  CHUNK = 16        /* products that sum_chunks adds in half */
};

/* Element i of vector l is at [i * LANES + l]. */

// begin in_half
/* Products and total in half; each step rounds once. */
__global__ void in_half(float *out, const __half *x, const __half *y, size_t n)
{
  unsigned l = threadIdx.x;
  __half total = __float2half_rn(0.0f);
  for (size_t i = 0; i < n; i++)
    total = __hfma(x[i * LANES + l], y[i * LANES + l], total);
  out[l] = __half2float(total);
}
// end in_half

// begin in_float
/* The product of two halves has 22 bits, so it is exact in a float. */
__global__ void in_float(float *out, const __half *x, const __half *y, size_t n)
{
  unsigned l = threadIdx.x;
  float total = 0.0f;
  for (size_t i = 0; i < n; i++)
    total += __half2float(x[i * LANES + l]) * __half2float(y[i * LANES + l]);
  out[l] = total;
}
// end in_float

// begin in_chunks
/* A few products in half, and their sums in float. */
__global__ void in_chunks(float *out, const __half *x, const __half *y,
                          size_t n)
{
  unsigned l = threadIdx.x;
  float total = 0.0f;
  for (size_t begin = 0; begin < n; begin += CHUNK) {
    __half sum = __float2half_rn(0.0f);
    for (size_t i = begin; i < begin + CHUNK && i < n; i++)
      sum = __hfma(x[i * LANES + l], y[i * LANES + l], sum);
    total += __half2float(sum);
  }
  out[l] = total;
}
// end in_chunks

/* ---- versions ---- */

typedef void kernel(float *, const __half *, const __half *, size_t);

typedef struct {
  const char *name;
  const char *idea;
  kernel *run;
  double most_in_half; /* roundings to half that a product goes through */
} version;

static const version versions[] = {
  { "in_half", "products and total in half", in_half, INFINITY },
  { "in_chunks", "16 products in half, their sums in float", in_chunks, CHUNK },
  { "in_float", "total in float", in_float, 0 },
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- workload ---- */

typedef struct {
  size_t n;
  float *h_x, *h_y;      /* before they were rounded to half */
  __half *h_xh, *h_yh;   /* as the kernels get them */
  __half *d_x, *d_y;
  float *d_out;
} workload;

static void *host_memory(size_t n_bytes)
{
  void *memory = malloc(n_bytes);
  if (memory == NULL) {
    fprintf(stderr, "error: no host memory for %zu bytes; try a smaller "
            "--size\n", n_bytes);
    exit(EXIT_FAILURE);
  }
  return memory;
}

static __half *device_copy(const __half *h_x, size_t n)
{
  __half *d_x;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof *d_x));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, n * sizeof *d_x, cudaMemcpyHostToDevice));
  return d_x;
}

/* Random numbers in [0, 1), so that nothing cancels. */
static workload workload_new(random_source *random, size_t n)
{
  size_t total = n * LANES;
  workload w;
  w.n = n;
  w.h_x = (float *)host_memory(total * sizeof(float));
  w.h_y = (float *)host_memory(total * sizeof(float));
  w.h_xh = (__half *)host_memory(total * sizeof(__half));
  w.h_yh = (__half *)host_memory(total * sizeof(__half));
  for (size_t i = 0; i < total; i++) {
    w.h_x[i] = fabsf(random_float(random));
    w.h_y[i] = fabsf(random_float(random));
    w.h_xh[i] = __float2half_rn(w.h_x[i]);
    w.h_yh[i] = __float2half_rn(w.h_y[i]);
  }
  w.d_x = device_copy(w.h_xh, total);
  w.d_y = device_copy(w.h_yh, total);
  CUDA_CHECK(cudaMalloc(&w.d_out, LANES * sizeof(float)));
  return w;
}

static void workload_free(workload *w)
{
  free(w->h_x);
  free(w->h_y);
  free(w->h_xh);
  free(w->h_yh);
  CUDA_CHECK(cudaFree(w->d_x));
  CUDA_CHECK(cudaFree(w->d_y));
  CUDA_CHECK(cudaFree(w->d_out));
}

// begin exact
/* In double precision: of the rounded numbers, or of those before. */
static double exact_dot(const workload *w, int lane, int rounded)
{
  double sum = 0.0;
  for (size_t i = 0; i < w->n; i++) {
    size_t at = i * LANES + (size_t)lane;
    sum += rounded
      ? (double)__half2float(w->h_xh[at]) * (double)__half2float(w->h_yh[at])
      : (double)w->h_x[at] * (double)w->h_y[at];
  }
  return sum;
}
// end exact

static void run(const version *v, const workload *w, float *h_out)
{
  poison_device(w->d_out, LANES * sizeof(float));
  v->run<<<1, LANES>>>(w->d_out, w->d_x, w->d_y, w->n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, w->d_out, LANES * sizeof(float),
                        cudaMemcpyDeviceToHost));
}

/* ---- check ---- */

/* Each rounding to half is wrong by at most 2^-11 of its result, each to float
 * by 2^-24. Below 2^-14, halves are subnormal and no longer get closer. */
static int check_version(const version *v, const workload *w)
{
  float got[LANES], expected[LANES];
  double n = (double)w->n;
  double tolerance = fmin(n, v->most_in_half) * 0x1p-11 + (n + 1) * 0x1p-24;
  run(v, w, got);
  for (int l = 0; l < LANES; l++)
    expected[l] = (float)exact_dot(w, l, 1);
  return compare_floats_within(v->name, expected, got, LANES, tolerance,
                               0x1p-14);
}

static int check(const options *o)
{
  static const size_t sizes[] = { 1, 2, 15, 16, 17, 1000 };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int s = 0; s < 6; s++) {
    workload w = workload_new(&random, sizes[s]);
    for (int i = 0; i < N_VERSIONS; i++)
      if (options_wants(o, versions[i].name))
        right &= check_version(&versions[i], &w);
    workload_free(&w);
  }
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- errors ---- */

static void print_row(const char *name, const workload *w, const double *error)
{
  double sum = 0.0, worst = 0.0;
  for (int l = 0; l < LANES; l++) {
    sum += error[l];
    worst = fmax(worst, error[l]);
  }
  printf("%s,%zu,%.6g,%.6g\n", name, w->n, sum / LANES, worst);
}

/* `inputs` is what rounding x and y has cost before anything was added. */
static void print_errors(const options *o)
{
  random_source random = random_from_seed(1);
  printf("version,n_elems,error_mean,error_worst\n");
  for (size_t n = 4; n <= 1 << 16; n *= 2) {
    workload w = workload_new(&random, n);
    double error[LANES];
    float got[LANES];
    for (int l = 0; l < LANES; l++)
      error[l] = fabs(exact_dot(&w, l, 1) / exact_dot(&w, l, 0) - 1.0);
    print_row("inputs", &w, error);
    for (int i = 0; i < N_VERSIONS; i++) {
      if (!options_wants(o, versions[i].name))
        continue;
      run(&versions[i], &w, got);
      for (int l = 0; l < LANES; l++)
        error[l] = fabs(got[l] / exact_dot(&w, l, 1) - 1.0);
      print_row(versions[i].name, &w, error);
    }
    workload_free(&w);
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "dot products of 16-bit numbers",
                            "errors", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check)
    print_errors(&o);
  return EXIT_SUCCESS;
}
