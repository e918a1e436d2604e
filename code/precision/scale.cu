/* Numbers of every size in eight and sixteen bits: which scale should they get?
 *
 *   nvcc -I code code/precision/scale.cu -o scale && ./scale */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/random.h"
#include "precision/formats.h"

enum { BLOCK_THREADS = 256, MOST_EXPONENT = 24 };

// begin store_scaled
/* What becomes of x if it is stored times `scale` and read back. */
template <typename FORMAT>
__global__ void store_scaled(float *out, const float *x, float scale, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = rounded<FORMAT>(x[i] * scale) / scale;
}
// end store_scaled

// begin largest
/* The scale that brings the largest number to the format's largest one, as a
 * power of two, so that scaling itself does not round. */
static float best_scale(const float *x, size_t n, float format_largest)
{
  float largest = 0.0f;
  for (size_t i = 0; i < n; i++)
    largest = fmaxf(largest, fabsf(x[i]));
  return exp2f(floorf(log2f(format_largest / largest)));
}
// end largest

/* ---- versions ---- */

template <typename FORMAT>
static void launch(float *d_out, const float *d_x, float scale, size_t n)
{
  unsigned n_blocks = (unsigned)((n + BLOCK_THREADS - 1) / BLOCK_THREADS);
  store_scaled<FORMAT><<<n_blocks, BLOCK_THREADS>>>(d_out, d_x, scale, n);
}

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(float *, const float *, float, size_t);
  float largest;
  int fraction_bits, least_exponent; /* of the smallest normal number */
  int saturates;                     /* what is too large becomes largest */
} version;

static const version versions[] = {
  { "half", "16 bits", launch<half_format>, 65504.0f, 10, -14, 0 },
  { "bfloat16", "16 bits", launch<bfloat16_format>, 0x1.fep127f, 7, -126, 0 },
  { "e4m3", "8 bits", launch<e4m3_format>, 448.0f, 3, -6, 1 },
  { "e5m2", "8 bits", launch<e5m2_format>, 57344.0f, 2, -14, 1 },
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- workload ---- */

typedef struct {
  size_t n;
  float *h_x, *h_out, *d_x, *d_out;
} workload;

/* About normally distributed, with a standard deviation of 1: the sum of twelve
 * numbers between -1/2 and 1/2. */
static workload workload_new(random_source *random, size_t n)
{
  workload w;
  w.n = n;
  w.h_x = (float *)malloc(n * sizeof(float));
  w.h_out = (float *)malloc(n * sizeof(float));
  if (w.h_x == NULL || w.h_out == NULL) {
    fprintf(stderr, "error: no host memory for %zu floats; try a smaller "
            "--size\n", n);
    exit(EXIT_FAILURE);
  }
  for (size_t i = 0; i < n; i++) {
    w.h_x[i] = 0.0f;
    for (int k = 0; k < 12; k++)
      w.h_x[i] += 0.5f * random_float(random);
  }
  CUDA_CHECK(cudaMalloc(&w.d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&w.d_out, n * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(w.d_x, w.h_x, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  return w;
}

static void workload_free(workload *w)
{
  free(w->h_x);
  free(w->h_out);
  CUDA_CHECK(cudaFree(w->d_x));
  CUDA_CHECK(cudaFree(w->d_out));
}

static void run(const version *v, workload *w, float scale)
{
  poison_device(w->d_out, w->n * sizeof(float));
  v->launch(w->d_out, w->d_x, scale, w->n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(w->h_out, w->d_out, w->n * sizeof(float),
                        cudaMemcpyDeviceToHost));
}

/* ---- check ---- */

/* x as the format's definition rounds it, in double precision. */
static float by_definition(const version *v, double x)
{
  int exponent;
  double step, magnitude;
  if (x == 0.0)
    return 0.0f;
  frexp(x, &exponent); /* x is between 2^(exponent - 1) and 2^exponent */
  exponent = exponent - 1 > v->least_exponent ? exponent - 1
                                              : v->least_exponent;
  step = ldexp(1.0, exponent - v->fraction_bits);
  magnitude = nearbyint(fabs(x) / step) * step; /* a tie goes to even */
  if (magnitude > v->largest)
    magnitude = v->saturates ? v->largest : INFINITY;
  return (float)copysign(magnitude, x);
}

static int check(const options *o)
{
  random_source random = random_from_seed(o->seed);
  workload w = workload_new(&random, 1000);
  float *expected = (float *)malloc(w.n * sizeof(float));
  int right = expected != NULL;
  for (int i = 0; i < N_VERSIONS && right; i++) {
    if (!options_wants(o, versions[i].name))
      continue;
    for (int exponent = -MOST_EXPONENT; exponent <= MOST_EXPONENT;
         exponent += 4) {
      float scale = ldexpf(1.0f, exponent);
      run(&versions[i], &w, scale);
      for (size_t k = 0; k < w.n; k++)
        expected[k] = by_definition(&versions[i], (double)w.h_x[k] * scale) /
                      scale;
      right &= compare_floats(versions[i].name, expected, w.h_out, w.n);
    }
  }
  free(expected);
  workload_free(&w);
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- errors ---- */

/* The root of the mean square of the errors, as a share of that of x. Infinity
 * if a number became infinity. */
static double relative_error(const workload *w)
{
  double errors = 0.0, squares = 0.0;
  for (size_t i = 0; i < w->n; i++) {
    double error = (double)w->h_out[i] - (double)w->h_x[i];
    errors += error * error;
    squares += (double)w->h_x[i] * (double)w->h_x[i];
  }
  return sqrt(errors / squares);
}

static void print_errors(const options *o)
{
  random_source random = random_from_seed(1);
  workload w = workload_new(&random, 1 << 15);
  printf("format,scale_exponent,error,is_best_scale\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name))
      continue;
    for (int exponent = -MOST_EXPONENT; exponent <= MOST_EXPONENT;
         exponent++) {
      float scale = ldexpf(1.0f, exponent);
      double error;
      run(v, &w, scale);
      error = relative_error(&w);
      if (isfinite(error))
        printf("%s,%d,%.6g,%d\n", v->name, exponent, error,
               scale == best_scale(w.h_x, w.n, v->largest));
    }
  }
  workload_free(&w);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "numbers in 8 and 16 bits, scaled",
                            "errors", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check)
    print_errors(&o);
  return EXIT_SUCCESS;
}
