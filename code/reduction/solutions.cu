/* Solutions of the exercises: other things than one sum of one array. */
#include <math.h>

#include "common/compare.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/timing.h"

enum { BLOCK_THREADS = 256, WARP = 32, BLOCK_WARPS = BLOCK_THREADS / WARP };

__device__ float sum_of_warp(float sum)
{
  for (int distance = WARP / 2; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  return sum;
}

// begin rows
/* One warp adds up one row. */
__global__ void sum_rows(float *sums, const float *x, size_t n_rows,
                         size_t n_cols)
{
  size_t row = (size_t)blockIdx.x * BLOCK_WARPS + threadIdx.x / WARP;
  unsigned lane = threadIdx.x % WARP;
  if (row >= n_rows)
    return;
  float sum = 0.0f;
  for (size_t col = lane; col < n_cols; col += WARP)
    sum += x[row * n_cols + col];
  sum = sum_of_warp(sum);
  if (lane == 0)
    sums[row] = sum;
}
// end rows

// begin thread_rows
/* One thread adds up one row. */
__global__ void sum_rows_by_thread(float *sums, const float *x,
                                   size_t n_rows, size_t n_cols)
{
  size_t row = (size_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;
  if (row >= n_rows)
    return;
  float sum = 0.0f;
  for (size_t col = 0; col < n_cols; col++)
    sum += x[row * n_cols + col];
  sums[row] = sum;
}
// end thread_rows

// begin largest
typedef struct {
  float value;
  unsigned at;        /* where it is: the first place, if there are several */
} place;

__device__ place larger(place a, place b)
{
  return b.value > a.value || (b.value == a.value && b.at < a.at) ? b : a;
}

/* The largest of the row's numbers, and where it is. */
__global__ void largest_of_rows(float *values, const float *x,
                                size_t n_rows, size_t n_cols)
{
  size_t row = (size_t)blockIdx.x * BLOCK_WARPS + threadIdx.x / WARP;
  unsigned lane = threadIdx.x % WARP;
  if (row >= n_rows)
    return;
  place best = {-INFINITY, 0xffffffff};
  for (size_t col = lane; col < n_cols; col += WARP)
    best = larger(best, place{x[row * n_cols + col], (unsigned)col});
  for (int distance = WARP / 2; distance > 0; distance /= 2) {
    place other;
    other.value = __shfl_down_sync(0xffffffff, best.value, distance);
    other.at = __shfl_down_sync(0xffffffff, best.at, distance);
    best = larger(best, other);
  }
  if (lane == 0)
    values[row] = (float)best.at;
}
// end largest

typedef void row_kernel(float *out, const float *x, size_t n_rows,
                        size_t n_cols);

typedef struct {
  const char *name;
  const char *idea;
  row_kernel *kernel;
  size_t block_rows;
  int is_place;
} version;

static const version versions[] = {
  {"thread_rows", "a thread a row", sum_rows_by_thread, BLOCK_THREADS, 0},
  {"rows", "a warp a row", sum_rows, BLOCK_WARPS, 0},
  {"largest", "where the largest is", largest_of_rows, BLOCK_WARPS, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void launch(const version *v, float *d_out, const float *d_x,
                   size_t n_rows, size_t n_cols)
{
  size_t n_blocks = (n_rows + v->block_rows - 1) / v->block_rows;
  v->kernel<<<(unsigned)n_blocks, BLOCK_THREADS>>>(d_out, d_x, n_rows,
                                                   n_cols);
  CUDA_CHECK_LAUNCH();
}

static void reference(const version *v, float *out, const float *x,
                      size_t n_rows, size_t n_cols)
{
  for (size_t row = 0; row < n_rows; row++) {
    size_t best = 0;
    double sum = 0.0;
    for (size_t col = 0; col < n_cols; col++) {
      sum += x[row * n_cols + col];
      if (x[row * n_cols + col] > x[row * n_cols + best])
        best = col;
    }
    out[row] = v->is_place ? (float)best : (float)sum;
  }
}

static int check_version(const version *v, random_source *source,
                         size_t n_rows, size_t n_cols)
{
  size_t n = n_rows * n_cols, n_out_bytes = n_rows * sizeof(float);
  char what[96];
  float *h_x = (float *)malloc(n * sizeof(float)), *d_x, *d_out;
  float *h_expected = (float *)malloc(n_out_bytes);
  char *h_out = (char *)malloc(n_out_bytes + GUARD_BYTES);
  for (size_t i = 0; i < n; i++)      /* whole numbers: no rounding */
    h_x[i] = (float)random_below(source, 1000) - 500.0f;
  reference(v, h_expected, h_x, n_rows, n_cols);
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n_out_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  poison_device(d_out, n_out_bytes + GUARD_BYTES);
  launch(v, d_out, d_x, n_rows, n_cols);
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_out_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  snprintf(what, sizeof what, "%s, %zu x %zu", v->name, n_rows, n_cols);
  int good = compare_floats(what, h_expected, (const float *)h_out,
                            n_rows) &&
             compare_guard(what, h_out + n_out_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_out));
  free(h_x);
  free(h_expected);
  free(h_out);
  return good;
}

static int check_versions(const options *o)
{
  static const size_t sizes[][2] = {{1, 1}, {3, 31}, {8, 32}, {9, 33},
                                    {257, 100}, {300, 1}, {17, 1000}};
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
    for (int i = 0; i < N_VERSIONS; i++)
      if (options_wants(o, versions[i].name))
        n_bad += !check_version(&versions[i], &source, sizes[s][0],
                                sizes[s][1]);
  if (n_bad == 0)
    fprintf(options_remarks(o), "every version is right (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

enum { N_COLS = 1024 };

static void measure(const options *o, int counts)
{
  size_t n_rows = memory_length(o, (size_t)1 << (counts ? 8 : 18),
                                N_COLS * sizeof(float));
  random_source source = random_from_seed(o->seed);
  float *d_x, *d_out;
  CUDA_CHECK(cudaMalloc(&d_x, n_rows * N_COLS * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n_rows * sizeof(float)));
  fill_device_floats(&source, d_x, n_rows * N_COLS);
  printf(counts ? "version,n_rows,n_cols\n"
                : "version,n_rows,n_cols,repetitions,time_us,"
                  "time_spread_us,gb_per_s\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name))
      continue;
    if (counts) {
      launch(v, d_out, d_x, n_rows, N_COLS);
      printf("%s,%zu,%d\n", v->name, n_rows, N_COLS);
      continue;
    }
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(v, d_out, d_x, n_rows, N_COLS);
    printf("%s,%zu,%d,%d,%.3f,%.3f,%.2f\n", v->name, n_rows, N_COLS,
           t.repetitions, t.median_us, t.spread_us,
           timing_gb_per_s((double)n_rows * N_COLS * sizeof(float),
                           t.median_us));
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "sums and largest numbers of rows",
                            "rows", "rows");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    measure(&o, 1);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o, 0);
  return EXIT_SUCCESS;
}
