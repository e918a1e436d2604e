/* Solutions of the exercises: two dimensions in OpenCL's words, a product with
 * a transposed matrix in tiles, and one kernel for two kinds of tensor cores.
 *
 *   nvcc -I code code/outlook/solutions.cu -lnvrtc -o solutions && ./solutions
 */
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/random.h"
#include "outlook/opencl_words.h"
#include "outlook/tile.h"

enum { SIDE = 64, EDGE = 32 };

/* ---- two dimensions ---- */

// begin two_dimensions
#undef get_local_id
#undef get_group_id
#define get_local_id(d)      ((d) == 0 ? threadIdx.x : threadIdx.y)
#define get_group_id(d)      ((d) == 0 ? blockIdx.x : blockIdx.y)
// end two_dimensions

// begin transpose_opencl
__kernel void transpose_opencl(__global float *out, __global const float *in,
                               int n_rows, int n_columns)
{
  __local float tile[EDGE][EDGE + 1];
  int x = get_local_id(0), y = get_local_id(1);
  int row = get_group_id(1) * EDGE + y, column = get_group_id(0) * EDGE + x;
  if (row < n_rows && column < n_columns)
    tile[y][x] = in[row * n_columns + column];
  barrier(CLK_LOCAL_MEM_FENCE);
  row = get_group_id(0) * EDGE + y;
  column = get_group_id(1) * EDGE + x;
  if (row < n_columns && column < n_rows)
    out[row * n_rows + column] = tile[x][y];
}
// end transpose_opencl

/* ---- a transposed tile ---- */

// begin transpose_tile
template <int ROWS, int COLUMNS>
__device__ tile<COLUMNS, ROWS> transpose_tile(tile<ROWS, COLUMNS> t)
{
  __shared__ float shared[ROWS][COLUMNS + 1];
  tile<COLUMNS, ROWS> result;
  for (int e = 0; e < t.EACH; e++)
    shared[t.row(e)][t.column(e)] = t.element[e];
  __syncthreads();
  for (int e = 0; e < result.EACH; e++)
    result.element[e] = shared[result.column(e)][result.row(e)];
  __syncthreads();
  return result;
}

__global__ void product_transposed(matrix a, matrix b, matrix c)
{
  int n_tiles = (a.n_rows + 31) / 32;
  auto sum = zero_tile<SIDE, SIDE>();
  for (int k = 0; k < n_tiles; k++)
    sum = multiply_add(transpose_tile(load_tile<32, SIDE>(a, k, blockIdx.y)),
                       load_tile<32, SIDE>(b, k, blockIdx.x), sum);
  store_tile(c, blockIdx.y, blockIdx.x, sum);
}
// end transpose_tile

/* ---- one source, two kinds of tensor cores ---- */

// begin both_text
static const char both_text[] =
    "extern \"C\" __global__ void multiply(float f, unsigned long long d,\n"
    "                                    unsigned t)\n"
    "{\n"
    "#if defined(__CUDA_ARCH_FEAT_SM90_ALL)\n"
    "  asm volatile(\"wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16\"\n"
    "               \" {%0,%0,%0,%0}, %1, %1, 1, 1, 1, 0, 0;\"\n"
    "               : \"+f\"(f) : \"l\"(d));\n"
    "#elif defined(__CUDA_ARCH_FEAT_SM100_ALL)\n"
    "  asm volatile(\"{ .reg .pred q; setp.ne.u32 q, %0, 0;\"\n"
    "               \" tcgen05.mma.cta_group::1.kind::f16\"\n"
    "               \" [%0], %1, %1, %0, q; }\" :: \"r\"(t), \"l\"(d));\n"
    "#else\n"
    "  __trap();    /* the mma.sync of older GPUs would be here */\n"
    "#endif\n"
    "}\n";
// end both_text

static void fail(const char *call, const char *why)
{
  fflush(stdout);
  fprintf(stderr, "error: %s: %s\n", call, why);
  exit(EXIT_FAILURE);
}

#define NVRTC_CHECK(call) nvrtc_check((call), #call)
static void nvrtc_check(nvrtcResult error, const char *call)
{
  if (error != NVRTC_SUCCESS)
    fail(call, nvrtcGetErrorString(error));
}

/* The PTX of the text, which the caller frees. It has been assembled, too. */
static char *compile(const char *text, const char *flag)
{
  const char *flags[] = {flag};
  nvrtcProgram program;
  size_t n_bytes;
  NVRTC_CHECK(nvrtcCreateProgram(&program, text, "both.cu", 0, NULL, NULL));
  NVRTC_CHECK(nvrtcCompileProgram(program, 1, flags));
  NVRTC_CHECK(nvrtcGetPTXSize(program, &n_bytes));
  char *ptx = (char *)malloc(n_bytes + 1);
  if (!ptx)
    fail("malloc", "no host memory");
  NVRTC_CHECK(nvrtcGetPTX(program, ptx));
  NVRTC_CHECK(nvrtcDestroyProgram(&program));
  return ptx;
}

/* ---- check ---- */

static float *numbers(random_source *random, size_t n)
{
  float *x = (float *)malloc(n * sizeof(float));
  if (!x)
    fail("malloc", "no host memory");
  for (size_t i = 0; i < n; i++)
    x[i] = (float)random_below(random, 8) - 4.0f;
  return x;
}

static float *copy_to_device(const float *h, size_t n)
{
  float *d;
  CUDA_CHECK(cudaMalloc(&d, n * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
  return d;
}

static int check_transpose(random_source *random, int n_rows, int n_columns)
{
  size_t n = (size_t)n_rows * n_columns;
  float *in = numbers(random, n), *expected = numbers(random, n);
  float *got = numbers(random, n);
  float *d_in = copy_to_device(in, n), *d_out = copy_to_device(got, n);
  poison_device(d_out, n * sizeof(float));
  for (int row = 0; row < n_rows; row++)
    for (int column = 0; column < n_columns; column++)
      expected[column * n_rows + row] = in[row * n_columns + column];
  dim3 block(EDGE, EDGE);
  dim3 grid((n_columns + EDGE - 1) / EDGE, (n_rows + EDGE - 1) / EDGE);
  transpose_opencl<<<grid, block>>>(d_out, d_in, n_rows, n_columns);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(got, d_out, n * sizeof(float),
                        cudaMemcpyDeviceToHost));
  int right = compare_floats("transpose_opencl", expected, got, n);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(in);
  free(expected);
  free(got);
  return right;
}

static int check_product(random_source *random, int n_rows, int n_inner,
                         int n_columns)
{
  size_t n_a = (size_t)n_inner * n_rows, n_b = (size_t)n_inner * n_columns;
  size_t n = (size_t)n_rows * n_columns;
  float *h_a = numbers(random, n_a), *h_b = numbers(random, n_b);
  float *expected = numbers(random, n), *got = numbers(random, n);
  matrix a = {copy_to_device(h_a, n_a), n_inner, n_rows};
  matrix b = {copy_to_device(h_b, n_b), n_inner, n_columns};
  matrix c = {copy_to_device(got, n), n_rows, n_columns};
  poison_device(c.values, n * sizeof(float));
  for (int row = 0; row < n_rows; row++)
    for (int column = 0; column < n_columns; column++) {
      float sum = 0.0f;
      for (int k = 0; k < n_inner; k++)
        sum += h_a[k * n_rows + row] * h_b[k * n_columns + column];
      expected[row * n_columns + column] = sum;
    }
  dim3 grid((n_columns + SIDE - 1) / SIDE, (n_rows + SIDE - 1) / SIDE);
  product_transposed<<<grid, TILE_THREADS>>>(a, b, c);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(got, c.values, n * sizeof(float),
                        cudaMemcpyDeviceToHost));
  int right = compare_floats("product_transposed", expected, got, n);
  CUDA_CHECK(cudaFree(a.values));
  CUDA_CHECK(cudaFree(b.values));
  CUDA_CHECK(cudaFree(c.values));
  free(h_a);
  free(h_b);
  free(expected);
  free(got);
  return right;
}

static int check_both(const char *flag, const char *wanted)
{
  char *ptx = compile(both_text, flag);
  int right = strstr(ptx, wanted) != NULL;
  if (!right)
    fprintf(stderr, "error: both: no %s with %s: wrong\n", wanted, flag);
  free(ptx);
  return right;
}

typedef struct {
  const char *name;
  const char *idea;
} version;

static const version versions[] = {
  {"transpose", "two dimensions in OpenCL's words"},
  {"product", "a transposed tile"},
  {"both", "one source for wgmma and tcgen05"},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int check(const options *o)
{
  random_source random = random_from_seed(o->seed);
  int right = 1;
  if (options_wants(o, "transpose"))
    right &= check_transpose(&random, 64, 96) &
             check_transpose(&random, 33, 70) & check_transpose(&random, 1, 5);
  if (options_wants(o, "product"))
    right &= check_product(&random, 64, 64, 64) &
             check_product(&random, 70, 33, 100) &
             check_product(&random, 3, 5, 7);
  if (options_wants(o, "both"))
    right &= check_both("--gpu-architecture=sm_90a", "wgmma.mma_async") &
             check_both("--gpu-architecture=sm_100a", "tcgen05.mma") &
             check_both("--gpu-architecture=sm_80", "trap;");
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "solutions of the exercises", "", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  return check(&o) ? EXIT_SUCCESS : EXIT_FAILURE;
}
