/* A product and a sum, in one rounding or in two. The compiler chooses,
 * unless you do. */
#include <math.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"

enum { BLOCK_THREADS = 256 };

/* ---- kernels: a b - c d ---- */

// begin as_written
__global__ void as_written(float *out, const float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float a = x[4 * i], b = x[4 * i + 1];
    float c = x[4 * i + 2], d = x[4 * i + 3];
    out[i] = a * b - c * d;
  }
}
// end as_written

// begin separate
__global__ void separate(float *out, const float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float a = x[4 * i], b = x[4 * i + 1];
    float c = x[4 * i + 2], d = x[4 * i + 3];
    out[i] = __fsub_rn(__fmul_rn(a, b), __fmul_rn(c, d));
  }
}
// end separate

// begin fused
__global__ void fused(float *out, const float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float a = x[4 * i], b = x[4 * i + 1];
    float c = x[4 * i + 2], d = x[4 * i + 3];
    out[i] = fmaf(a, b, -__fmul_rn(c, d));
  }
}
// end fused

// begin repaired
/* After Kahan: the first fmaf finds what rounding c d has lost. */
__global__ void repaired(float *out, const float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float a = x[4 * i], b = x[4 * i + 1];
    float c = x[4 * i + 2], d = x[4 * i + 3];
    float product = __fmul_rn(c, d);
    float lost = fmaf(-c, d, product);
    out[i] = __fadd_rn(fmaf(a, b, -product), lost);
  }
}
// end repaired

/* How many 2^-24 of |a b| + |c d|, and of the result, may be wrong. */
typedef struct {
  const char *name;
  const char *idea;
  void (*kernel)(float *, const float *, int);
  double of_products, of_result;
} version;

static const version versions[] = {
  {"as_written", "as the compiler takes it", as_written, 1.5, 0.0},
  {"separate", "each product rounded", separate, 1.5, 0.0},
  {"fused", "one product rounded", fused, 1.5, 0.0},
  {"repaired", "what rounding loses is added back", repaired, 0.0, 2.0},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- CPU reference ---- */

/* Exact: a product of two floats fits into a double, and where the products
 * are of one size, so does their difference. */
static double exactly(const float *x)
{
  return (double)x[0] * x[1] - (double)x[2] * x[3];
}

/* The size that errors are measured by. */
static double size_of(const float *x)
{
  return fabs((double)x[0] * x[1]) + fabs((double)x[2] * x[3]);
}

/* Every fourth has equal products, so that nothing should be left; the
 * others are random. */
static float *inputs_new(random_source *random, int n)
{
  float *x = (float *)malloc((size_t)(n > 0 ? n : 1) * 4 * sizeof(float));
  if (!x) {
    fprintf(stderr, "error: no host memory for %d inputs\n", n);
    exit(EXIT_FAILURE);
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 4; k++)
      x[4 * i + k] = 1.5f + 0.5f * random_float(random);
    if (i % 4 == 0) {
      x[4 * i + 2] = x[4 * i + 1];
      x[4 * i + 3] = x[4 * i];
    }
  }
  return x;
}

static void run(const version *v, const float *x, float *out, int n)
{
  float *d_x, *d_out;
  size_t out_bytes = n * sizeof(float) + GUARD_BYTES;
  CUDA_CHECK(cudaMalloc(&d_x, n * 4 * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, out_bytes));
  CUDA_CHECK(cudaMemcpy(d_x, x, n * 4 * sizeof(float),
                        cudaMemcpyHostToDevice));
  poison_device(d_out, out_bytes);
  v->kernel<<<(n + BLOCK_THREADS - 1) / BLOCK_THREADS, BLOCK_THREADS>>>(
      d_out, d_x, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(out, d_out, out_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_out));
}

static float *results_new(int n)
{
  float *out = (float *)malloc((size_t)n * sizeof(float) + GUARD_BYTES);
  if (!out) {
    fprintf(stderr, "error: no host memory for %d results\n", n);
    exit(EXIT_FAILURE);
  }
  return out;
}

/* ---- check ---- */

static int is_right(const version *v, const float *x, const float *out,
                    int n)
{
  compare_mismatches m = {0, 0};
  for (int i = 0; i < n; i++) {
    double exact = exactly(x + 4 * i), error = fabs(out[i] - exact);
    double allowed = v->of_products * size_of(x + 4 * i) +
                     v->of_result * fabs(exact);
    if (!(error <= allowed * 0x1p-24))
      compare_note(&m, (size_t)i);
  }
  return compare_verdict(v->name, "elements", m, (size_t)n,
                         m.count ? exactly(x + 4 * m.first) : 0,
                         m.count ? out[m.first] : 0) &
         compare_guard(v->name, out + n, GUARD_BYTES);
}

static int check(const options *o)
{
  static const int sizes[] = {1, 255, 257, 10000};
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int s = 0; s < 4; s++) {
    float *x = inputs_new(&random, sizes[s]), *out = results_new(sizes[s]);
    for (int k = 0; k < N_VERSIONS; k++)
      if (options_wants(o, versions[k].name)) {
        run(&versions[k], x, out, sizes[s]);
        right &= is_right(&versions[k], x, out, sizes[s]);
      }
    free(x);
    free(out);
  }
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- differences ---- */

/* How the results of a version differ from those of `separate`, from those of
 * `fused` (in any bit), and from the exact ones. */
static void print_differences(const version *v, const float *x,
                              const float *apart, const float *at_once,
                              const float *out, int n)
{
  int n_differ = 0, n_bits = 0, n_not_zero = 0;
  double largest = 0.0;
  for (int i = 0; i < n; i++) {
    double exact = exactly(x + 4 * i);
    n_differ += out[i] != apart[i];
    n_bits += memcmp(&out[i], &at_once[i], sizeof out[i]) != 0;
    n_not_zero += exact == 0.0 && out[i] != 0.0f;
    if (exact != 0.0)
      largest = fmax(largest, fabs(out[i] - exact) / fabs(exact));
  }
  printf("%s,%d,%d,%d,%d,%.2f\n", v->name, n, n_differ, n_bits, n_not_zero,
         largest * 0x1p24);
}

static void print_table(const options *o)
{
  int n = o->n_sizes > 0 ? (int)o->size[0] : 1 << 16;
  random_source random = random_from_seed(1);
  float *x = inputs_new(&random, n);
  float *apart = results_new(n), *at_once = results_new(n);
  float *out = results_new(n);
  run(&versions[1], x, apart, n);
  run(&versions[2], x, at_once, n);
  printf("version,n_elems,differ_elems,differ_from_fused_elems,"
         "nonzero_elems,largest_error_u\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name)) {
      run(&versions[k], x, out, n);
      print_differences(&versions[k], x, apart, at_once, out, n);
    }
  free(x);
  free(apart);
  free(at_once);
  free(out);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv,
      "computes a b - c d with one rounding or with two", "fma", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    options_fail(&o, "--count: this program has nothing to count");
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check)
    print_table(&o);
  return EXIT_SUCCESS;
}
