/* A product of matrices, written for threads and written for tiles.
 *
 *   nvcc -I code code/outlook/product.cu -o product && ./product
 */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "outlook/tile.h"

enum { SIDE = 64 };

/* ---- CPU reference ---- */

static void product_on_host(const float *a, const float *b, float *c,
                            int n_rows, int n_inner, int n_columns)
{
  for (int row = 0; row < n_rows; row++)
    for (int column = 0; column < n_columns; column++) {
      float sum = 0.0f;
      for (int k = 0; k < n_inner; k++)
        sum += a[row * n_inner + k] * b[k * n_columns + column];
      c[row * n_columns + column] = sum;
    }
}

/* ---- kernels ---- */

// begin product_threads
__global__ void product_threads(matrix a, matrix b, matrix c)
{
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= c.n_rows || column >= c.n_columns)
    return;
  float sum = 0.0f;
  for (int k = 0; k < a.n_columns; k++)
    sum += a.values[(size_t)row * a.n_columns + k] *
           b.values[(size_t)k * b.n_columns + column];
  c.values[(size_t)row * c.n_columns + column] = sum;
}
// end product_threads

// begin product_tiles
__global__ void product_tiles(matrix a, matrix b, matrix c)
{
  int n_tiles = (a.n_columns + 31) / 32;
  auto sum = zero_tile<SIDE, SIDE>();
  for (int k = 0; k < n_tiles; k++)
    sum = multiply_add(load_tile<SIDE, 32>(a, blockIdx.y, k),
                       load_tile<32, SIDE>(b, k, blockIdx.x), sum);
  store_tile(c, blockIdx.y, blockIdx.x, sum);
}
// end product_tiles

/* ---- versions ---- */

static unsigned parts_of(int n, int part)
{
  return (unsigned)((n + part - 1) / part);
}

static void launch_threads(matrix a, matrix b, matrix c)
{
  dim3 block(32, 8), grid(parts_of(c.n_columns, 32), parts_of(c.n_rows, 8));
  product_threads<<<grid, block>>>(a, b, c);
}

static void launch_tiles(matrix a, matrix b, matrix c)
{
  dim3 grid(parts_of(c.n_columns, SIDE), parts_of(c.n_rows, SIDE));
  product_tiles<<<grid, TILE_THREADS>>>(a, b, c);
}

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(matrix a, matrix b, matrix c);
} version;

static const version versions[] = {
  {"threads", "one thread per element", launch_threads},
  {"tiles", "one block per tile", launch_tiles},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check ---- */

static matrix matrix_on_device(int n_rows, int n_columns)
{
  matrix m = {NULL, n_rows, n_columns};
  CUDA_CHECK(cudaMalloc(&m.values, (size_t)n_rows * n_columns *
                        sizeof(float) + GUARD_BYTES));
  return m;
}

/* Small whole numbers, so that every order of adding is exact. */
static float *numbers(random_source *random, size_t n)
{
  float *x = (float *)malloc(n * sizeof(float));
  if (!x)
    return NULL;
  for (size_t i = 0; i < n; i++)
    x[i] = (float)random_below(random, 8) - 4.0f;
  return x;
}

static void fill(matrix m, const float *h_values)
{
  CUDA_CHECK(cudaMemcpy(m.values, h_values, (size_t)m.n_rows * m.n_columns *
                        sizeof(float), cudaMemcpyHostToDevice));
}

static int check_version(const version *v, random_source *random, int n_rows,
                         int n_inner, int n_columns)
{
  size_t n = (size_t)n_rows * n_columns;
  matrix a = matrix_on_device(n_rows, n_inner);
  matrix b = matrix_on_device(n_inner, n_columns);
  matrix c = matrix_on_device(n_rows, n_columns);
  float *h_a = numbers(random, (size_t)n_rows * n_inner);
  float *h_b = numbers(random, (size_t)n_inner * n_columns);
  float *expected = numbers(random, n), *got = numbers(random, n);
  char guard[GUARD_BYTES];
  product_on_host(h_a, h_b, expected, n_rows, n_inner, n_columns);
  poison_device(c.values, n * sizeof(float) + GUARD_BYTES);
  fill(a, h_a);
  fill(b, h_b);
  v->launch(a, b, c);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(got, c.values, n * sizeof(float),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(guard, c.values + n, sizeof guard,
                        cudaMemcpyDeviceToHost));
  int right = compare_floats(v->name, expected, got, n) &
              compare_guard(v->name, guard, sizeof guard);
  CUDA_CHECK(cudaFree(a.values));
  CUDA_CHECK(cudaFree(b.values));
  CUDA_CHECK(cudaFree(c.values));
  free(h_a);
  free(h_b);
  free(expected);
  free(got);
  return right;
}

static int check(const options *o)
{
  static const int sizes[][3] = {
    {1, 1, 1}, {64, 32, 64}, {65, 33, 63}, {100, 70, 130}, {7, 200, 5}};
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name))
      for (int s = 0; s < 5; s++)
        right &= check_version(&versions[i], &random, sizes[s][0],
                               sizes[s][1], sizes[s][2]);
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count, measure ---- */

static void clear(matrix m)
{
  CUDA_CHECK(cudaMemset(m.values, 0, (size_t)m.n_rows * m.n_columns *
                        sizeof(float)));
}

static void count(const options *o)
{
  int n = o->n_sizes > 0 ? (int)o->size[0] : 128;
  matrix a = matrix_on_device(n, n), c = matrix_on_device(n, n);
  clear(a);
  printf("version,n_side\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    if (!options_wants(o, versions[i].name))
      continue;
    versions[i].launch(a, a, c);
    CUDA_CHECK_LAUNCH();
    printf("%s,%d\n", versions[i].name, n);
  }
  CUDA_CHECK(cudaFree(a.values));
  CUDA_CHECK(cudaFree(c.values));
}

static void measure(const options *o)
{
  int n = (int)memory_side(o, 4096, 3 * sizeof(float));
  double flop = 2.0 * n * n * (double)n;
  matrix a = matrix_on_device(n, n), b = matrix_on_device(n, n);
  matrix c = matrix_on_device(n, n);
  random_source random = random_from_seed(o->seed);
  float *h = numbers(&random, (size_t)n * n);
  fill(a, h);
  fill(b, h);
  printf(o->csv ? "version,n_side,repetitions,time_us,time_spread_us,"
                  "gflop_per_s\n" : "%-10s %12s %12s\n", "version",
         "median (us)", "GFLOP/s");
  for (int i = 0; i < N_VERSIONS; i++) {
    if (!options_wants(o, versions[i].name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      versions[i].launch(a, b, c);
      CUDA_CHECK_LAUNCH();
    }
    double gflop_per_s = flop / t.median_us * 1e-3;
    if (o->csv)
      printf("%s,%d,%d,%.3f,%.3f,%.1f\n", versions[i].name, n, t.repetitions,
             t.median_us, t.spread_us, gflop_per_s);
    else
      printf("%-10s %12.1f %12.1f\n", versions[i].name, t.median_us,
             gflop_per_s);
  }
  free(h);
  CUDA_CHECK(cudaFree(a.values));
  CUDA_CHECK(cudaFree(b.values));
  CUDA_CHECK(cudaFree(c.values));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a product for threads and for tiles",
                            "product", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
