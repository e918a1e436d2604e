/* cuBLAS takes matrices column by column, C stores them row by row. What
 * comes out if one forgets it, two remedies, and what each costs.
 *
 *   nvcc -I code code/matmul/storage.cu -lcublas -o storage && ./storage
 */
#include "common/compare.h"
#include "common/cublas_check.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

typedef struct {
  int n_rows, n_cols, n_inner;
} shape;

static const float one = 1.0f, zero = 0.0f;

/* ---- versions -------------------------------------------------------- */

// begin as_written
static void call_as_written(cublasHandle_t handle, float *d_c,
                            const float *d_a, const float *d_b, shape s)
{
  CUBLAS_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N,
                           s.n_rows, s.n_cols, s.n_inner,
                           &one, d_a, s.n_rows, d_b, s.n_inner,
                           &zero, d_c, s.n_rows));
}
// end as_written

// begin flags
static void call_flags(cublasHandle_t handle, float *d_c, const float *d_a,
                       const float *d_b, shape s)
{
  CUBLAS_CHECK(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_T,
                           s.n_rows, s.n_cols, s.n_inner,
                           &one, d_a, s.n_inner, d_b, s.n_cols,
                           &zero, d_c, s.n_rows));
}
// end flags

// begin swapped
static void call_swapped(cublasHandle_t handle, float *d_c, const float *d_a,
                         const float *d_b, shape s)
{
  CUBLAS_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N,
                           s.n_cols, s.n_rows, s.n_inner,
                           &one, d_b, s.n_cols, d_a, s.n_inner,
                           &zero, d_c, s.n_cols));
}
// end swapped

typedef enum { WRONG, BY_COLUMNS, BY_ROWS } outcome;

static const char *const outcome_names[] = {
  "wrong", "right, column by column", "right, row by row"};

typedef struct {
  const char *name;
  const char *idea;
  void (*call)(cublasHandle_t handle, float *d_c, const float *d_a,
               const float *d_b, shape s);
  outcome expected;
} version;

static const version versions[] = {
  {"as_written", "as if cuBLAS took rows", call_as_written, WRONG},
  {"flags", "both matrices transposed by flags", call_flags, BY_COLUMNS},
  {"swapped", "the second matrix first", call_swapped, BY_ROWS},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- checking -------------------------------------------------------- */

static void product(const version *v, float *h_c, const float *h_a,
                    const float *h_b, shape s)
{
  size_t n_a = (size_t)s.n_rows * s.n_inner, n_b = (size_t)s.n_inner * s.n_cols;
  size_t n_c = (size_t)s.n_rows * s.n_cols;
  float *d_a, *d_b, *d_c;
  cublasHandle_t handle;
  CUBLAS_CHECK(cublasCreate(&handle));
  CUDA_CHECK(cudaMalloc(&d_a, n_a * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_b, n_b * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_c, n_c * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_a, h_a, n_a * sizeof(float),
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, h_b, n_b * sizeof(float),
                        cudaMemcpyHostToDevice));
  poison_device(d_c, n_c * sizeof(float));
  v->call(handle, d_c, d_a, d_b, s);
  CUDA_CHECK(cudaMemcpy(h_c, d_c, n_c * sizeof(float),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  CUBLAS_CHECK(cublasDestroy(handle));
}

/* What h_c is: the product row by row, column by column, or neither. */
static outcome judge(const float *h_c, const float *h_a, const float *h_b,
                     shape s)
{
  int by_rows = 1, by_columns = 1;
  for (int row = 0; row < s.n_rows; row++)
    for (int col = 0; col < s.n_cols; col++) {
      float sum = 0.0f;
      for (int k = 0; k < s.n_inner; k++)
        sum += h_a[row * s.n_inner + k] * h_b[k * s.n_cols + col];
      by_rows = by_rows && h_c[row * s.n_cols + col] == sum;
      by_columns = by_columns && h_c[row + col * s.n_rows] == sum;
    }
  return by_rows ? BY_ROWS : by_columns ? BY_COLUMNS : WRONG;
}

static int check_shape(const options *o, random_source *source, shape s)
{
  int n_bad = 0;
  float *h_a = (float *)malloc(sizeof(float) * s.n_rows * s.n_inner);
  float *h_b = (float *)malloc(sizeof(float) * s.n_inner * s.n_cols);
  float *h_c = (float *)malloc(sizeof(float) * s.n_rows * s.n_cols);
  for (int i = 0; i < s.n_rows * s.n_inner; i++)
    h_a[i] = (float)random_below(source, 17) - 8.0f;
  for (int i = 0; i < s.n_inner * s.n_cols; i++)
    h_b[i] = (float)random_below(source, 17) - 8.0f;
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name))
      continue;
    product(v, h_c, h_a, h_b, s);
    outcome is = judge(h_c, h_a, h_b, s);
    if (is != v->expected) {
      fprintf(stderr, "%s, %d x %d x %d: error: the product is %s; "
              "expected: %s\n", v->name, s.n_rows, s.n_cols, s.n_inner,
              outcome_names[is], outcome_names[v->expected]);
      n_bad++;
    }
  }
  free(h_a);
  free(h_b);
  free(h_c);
  return n_bad;
}

static int check_versions(const options *o)
{
  static const shape shapes[] = {{2, 3, 4}, {31, 33, 17}, {64, 64, 64},
                                 {100, 36, 8}};
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
    n_bad += check_shape(o, &source, shapes[i]);
  if (n_bad == 0)
    fprintf(options_remarks(o), "every call gives what it should "
            "(--seed %llu)\n", (unsigned long long)o->seed);
  return n_bad;
}

/* ---- what is in memory afterwards ------------------------------------ */

static void example(void)
{
  static const float h_a[] = {1, 2, 3, 4}, h_b[] = {1, 2, 3, 4, 5, 6};
  shape s = {2, 3, 2};
  printf("version,in_memory,outcome\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    float h_c[6];
    product(&versions[i], h_c, h_a, h_b, s);
    printf("%s,", versions[i].name);
    for (int at = 0; at < 6; at++)
      printf(at ? " %g" : "%g", h_c[at]);
    printf(",%s\n", judge(h_c, h_a, h_b, s) == BY_ROWS ? "by rows"
           : judge(h_c, h_a, h_b, s) == BY_COLUMNS ? "by columns" : "wrong");
  }
}

/* ---- measuring ------------------------------------------------------- */

static void measure(const options *o)
{
  int n = (int)memory_side(o, 8192, 3 * sizeof(float));
  size_t n_elems = (size_t)n * n;
  shape s = {n, n, n};
  float *d_a, *d_b, *d_c;
  random_source source = random_from_seed(o->seed);
  cublasHandle_t handle;
  CUBLAS_CHECK(cublasCreate(&handle));
  CUDA_CHECK(cudaMalloc(&d_a, n_elems * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_b, n_elems * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_c, n_elems * sizeof(float)));
  fill_device_floats(&source, d_a, n_elems);
  fill_device_floats(&source, d_b, n_elems);
  printf(o->csv ? "version,n,repetitions,time_us,time_spread_us,"
                  "gflop_per_s\n"
                : "version        median us    GFLOP/s\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      v->call(handle, d_c, d_a, d_b, s);
    double gflop_per_s = 2e-3 * (double)n_elems * n / t.median_us;
    if (o->csv)
      printf("%s,%d,%d,%.3f,%.3f,%.1f\n", v->name, n, t.repetitions,
             t.median_us, t.spread_us, gflop_per_s);
    else
      printf("%-12s %11.1f %10.1f\n", v->name, t.median_us, gflop_per_s);
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  CUBLAS_CHECK(cublasDestroy(handle));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "row and column major with cuBLAS",
                            "times,example", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.csv && strcmp(o.csv, "example") == 0) {
    example();
    return EXIT_SUCCESS;
  }
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o);
  return EXIT_SUCCESS;
}
