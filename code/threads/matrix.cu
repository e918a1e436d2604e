/* A two-dimensional grid over a matrix of n_rows × n_cols floats, stored row
 * by row, in blocks of many shapes: out = factor · in.
 *
 *   nvcc -I code code/threads/matrix.cu -o matrix && ./matrix */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

// begin scale_matrix
__global__ void scale_matrix(float *out, const float *in, float factor,
                             size_t n_rows, size_t n_cols)
{
  size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n_rows && col < n_cols)
    out[row * n_cols + col] = factor * in[row * n_cols + col];
}
// end scale_matrix

// begin scale_swapped
__global__ void scale_swapped(float *out, const float *in, float factor,
                              size_t n_rows, size_t n_cols)
{
  size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t col = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n_rows && col < n_cols)
    out[row * n_cols + col] = factor * in[row * n_cols + col];
}
// end scale_swapped

static unsigned divide_up(size_t n, unsigned by)
{
  return (unsigned)((n + by - 1) / by);
}

// begin launch_matrix
static void launch_matrix(dim3 block, float *d_out, const float *d_in,
                          size_t n_rows, size_t n_cols)
{
  dim3 grid(divide_up(n_cols, block.x), divide_up(n_rows, block.y));
  scale_matrix<<<grid, block>>>(d_out, d_in, 2.5f, n_rows, n_cols);
}
// end launch_matrix

static void launch_swapped(dim3 block, float *d_out, const float *d_in,
                           size_t n_rows, size_t n_cols)
{
  dim3 grid(divide_up(n_rows, block.x), divide_up(n_cols, block.y));
  scale_swapped<<<grid, block>>>(d_out, d_in, 2.5f, n_rows, n_cols);
}

typedef struct {
  const char *name;
  const char *idea;
  dim3 block;
  void (*launch)(dim3 block, float *d_out, const float *d_in,
                 size_t n_rows, size_t n_cols);
} version;

static const version versions[] = {
  {"256x1", "one row of threads", dim3(256, 1), launch_matrix},
  {"128x2", "two rows", dim3(128, 2), launch_matrix},
  {"64x4", "two warps wide", dim3(64, 4), launch_matrix},
  {"32x8", "one warp wide", dim3(32, 8), launch_matrix},
  {"16x16", "square", dim3(16, 16), launch_matrix},
  {"8x32", "a sector wide", dim3(8, 32), launch_matrix},
  {"4x64", "half a sector wide", dim3(4, 64), launch_matrix},
  {"2x128", "two columns", dim3(2, 128), launch_matrix},
  {"1x256", "one column of threads", dim3(1, 256), launch_matrix},
  {"32x32", "as many as a block can have", dim3(32, 32), launch_matrix},
  {"30x8", "no whole warps in a row", dim3(30, 8), launch_matrix},
  {"swapped", "32x8 with x down the columns", dim3(32, 8), launch_swapped},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int check_version(const version *v, random_source *source,
                         size_t n_rows, size_t n_cols)
{
  size_t n = n_rows * n_cols, n_bytes = n * sizeof(float);
  float *h_in = (float *)malloc(n_bytes);
  float *h_expected = (float *)malloc(n_bytes);
  char *h_out = (char *)malloc(n_bytes + GUARD_BYTES);
  float *d_in, *d_out;
  char what[96];
  snprintf(what, sizeof what, "%s, %zu x %zu", v->name, n_rows, n_cols);
  random_fill_floats(source, h_in, n);
  for (size_t i = 0; i < n; i++)
    h_expected[i] = 2.5f * h_in[i];
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  v->launch(v->block, d_out, d_in, n_rows, n_cols);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int good = compare_floats(what, h_expected, (float *)h_out, n) &&
             compare_guard(what, h_out + n_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  free(h_expected);
  free(h_out);
  return good;
}

static int check_versions(const options *o)
{
  static const size_t sizes[][2] = {
    {1, 1}, {1, 1000}, {1000, 1}, {31, 33}, {64, 64}, {257, 129}, {11, 21},
  };
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  for (int i = 0; i < N_VERSIONS; i++)
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
      if (options_wants(o, versions[i].name))
        n_bad += !check_version(&versions[i], &source, sizes[s][0],
                                sizes[s][1]);
  if (n_bad == 0)
    fprintf(options_remarks(o), "every shape agrees with the reference "
            "(--seed %llu)\n", (unsigned long long)o->seed);
  return n_bad;
}

static void allocate_pair(float **d_in, float **d_out, size_t n)
{
  random_source source = random_from_seed(n);
  CUDA_CHECK(cudaMalloc(d_in, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(d_out, n * sizeof(float)));
  fill_device_floats(&source, *d_in, n);
  poison_device(*d_out, n * sizeof(float));
}

static void measure(const options *o)
{
  size_t side = memory_side(o, 16384, 2.0 * sizeof(float));
  double n_bytes = 2.0 * (double)(side * side) * sizeof(float);
  float *d_in, *d_out;
  allocate_pair(&d_in, &d_out, side * side);
  if (o->csv)
    printf("version,width,height,n_rows,n_cols,time_us,time_spread_us,"
           "gb_per_s\n");
  else
    timing_print_head();
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      v->launch(v->block, d_out, d_in, side, side);
      CUDA_CHECK_LAUNCH();
    }
    if (o->csv)
      printf("%s,%u,%u,%zu,%zu,%.3f,%.3f,%.2f\n", v->name, v->block.x,
             v->block.y, side, side, t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(v->name, t, n_bytes);
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

/* Each shape once, on a matrix that some of them do not divide. */
static void count(const options *o)
{
  size_t side = memory_side(o, 1024, 2.0 * sizeof(float));
  float *d_in, *d_out;
  allocate_pair(&d_in, &d_out, side * side);
  printf("version,width,height,n_rows,n_cols\n");
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name)) {
      const version *v = &versions[i];
      v->launch(v->block, d_out, d_in, side, side);
      CUDA_CHECK_LAUNCH();
      printf("%s,%u,%u,%zu,%zu\n", v->name, v->block.x, v->block.y, side,
             side);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "scales a matrix in blocks of many "
                            "shapes", "shapes", "shapes");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o);
  return EXIT_SUCCESS;
}
