/* Softmax of rows: in three passes, and in two that carry a maximum and a sum
 * along.
 *
 *   nvcc -I code code/attention/softmax.cu -o softmax && ./softmax
 *
 * A block takes a row. Its threads read float4s, so rows are multiples of 4
 * floats long. */
#include <math.h>
#include <math_constants.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum { BLOCK_THREADS = 256, N_WARPS = BLOCK_THREADS / 32 };

/* ---- helpers ------------------------------------------------------------ */

/* The largest value of all threads, in all of them. */
__device__ static float block_max(float x)
{
  __shared__ float of_warp[N_WARPS];
  for (int step = 16; step > 0; step /= 2)
    x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, step));
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  for (int i = 0; i < N_WARPS; i++)
    x = fmaxf(x, of_warp[i]);
  __syncthreads();      /* before the next call overwrites it */
  return x;
}

__device__ static float block_sum(float x)
{
  __shared__ float of_warp[N_WARPS];
  for (int step = 16; step > 0; step /= 2)
    x += __shfl_xor_sync(0xffffffff, x, step);
  if (threadIdx.x % 32 == 0)
    of_warp[threadIdx.x / 32] = x;
  __syncthreads();
  x = 0.0f;
  for (int i = 0; i < N_WARPS; i++)
    x += of_warp[i];
  __syncthreads();
  return x;
}

__device__ static float max_of(float4 x)
{
  return fmaxf(fmaxf(x.x, x.y), fmaxf(x.z, x.w));
}

__device__ static float4 exp_of(float4 x, float top)
{
  return make_float4(__expf(x.x - top), __expf(x.y - top), __expf(x.z - top),
                     __expf(x.w - top));
}

__device__ static float sum_of(float4 x)
{
  return x.x + x.y + (x.z + x.w);
}

/* ---- kernels ------------------------------------------------------------ */

// begin three_passes
__global__ void softmax_three_passes(float4 *out, const float4 *in, int n)
{
  const float4 *row = in + (size_t)blockIdx.x * n;
  float top = -CUDART_INF_F, sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += BLOCK_THREADS)
    top = fmaxf(top, max_of(row[i]));
  top = block_max(top);
  for (int i = threadIdx.x; i < n; i += BLOCK_THREADS)
    sum += sum_of(exp_of(row[i], top));
  float inverse = 1.0f / block_sum(sum);
  for (int i = threadIdx.x; i < n; i += BLOCK_THREADS) {
    float4 x = exp_of(row[i], top);
    out[(size_t)blockIdx.x * n + i] = make_float4(
        x.x * inverse, x.y * inverse, x.z * inverse, x.w * inverse);
  }
}
// end three_passes

// begin online
__global__ void softmax_online(float4 *out, const float4 *in, int n)
{
  const float4 *row = in + (size_t)blockIdx.x * n;
  float top = -CUDART_INF_F, sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += BLOCK_THREADS) {
    float4 x = row[i];
    float higher = fmaxf(top, max_of(x));
    sum = sum * __expf(top - higher) + sum_of(exp_of(x, higher));
    top = higher;
  }
  float own = top;
  top = block_max(own);
  float inverse = 1.0f / block_sum(sum * __expf(own - top));
  for (int i = threadIdx.x; i < n; i += BLOCK_THREADS) {
    float4 x = exp_of(row[i], top);
    out[(size_t)blockIdx.x * n + i] = make_float4(
        x.x * inverse, x.y * inverse, x.z * inverse, x.w * inverse);
  }
}
// end online

/* ---- versions ----------------------------------------------------------- */

typedef struct {
  const char *name;
  const char *idea;
  void (*kernel)(float4 *, const float4 *, int);
  int n_reads;          /* of the input */
} version;

static const version versions[] = {
  { "three_passes", "maximum, sum, quotient", softmax_three_passes, 3 },
  { "online", "maximum and sum in one pass", softmax_online, 2 },
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void launch(const version *v, float *d_out, const float *d_in,
                   size_t n_rows, size_t n)
{
  v->kernel<<<(unsigned)n_rows, BLOCK_THREADS>>>((float4 *)d_out,
                                                 (const float4 *)d_in,
                                                 (int)(n / 4));
  CUDA_CHECK_LAUNCH();
}

/* Row i is i % 4 times as spread out as a row of scores, and begins at
 * 100 times that: exp() overflows unless the maximum is taken off. */
static int check_version(const options *o, const version *v, size_t n_rows,
                         size_t n)
{
  size_t n_all = n_rows * n, n_bytes = n_all * sizeof(float);
  float *h_in = (float *)malloc(n_bytes);
  float *h_expected = (float *)malloc(n_bytes);
  char *h_out = (char *)malloc(n_bytes + GUARD_BYTES);
  float *d_in, *d_out;
  random_source source = random_from_seed(o->seed);
  for (size_t i = 0; i < n_all; i++)
    h_in[i] = (float)(i / n % 4) * (100.0f + 8.0f * random_float(&source));
  for (size_t row = 0; row < n_rows; row++) {
    double top = -INFINITY, sum = 0.0;
    for (size_t i = row * n; i < (row + 1) * n; i++)
      top = fmax(top, h_in[i]);
    for (size_t i = row * n; i < (row + 1) * n; i++)
      sum += exp(h_in[i] - top);
    for (size_t i = row * n; i < (row + 1) * n; i++)
      h_expected[i] = (float)(exp(h_in[i] - top) / sum);
  }
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  launch(v, d_out, d_in, n_rows, n);
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  char what[80];
  snprintf(what, sizeof what, "%s, %zu x %zu", v->name, n_rows, n);
  /* __expf is off by 2 + x / 2 units in the last place for an exponent x. */
  int is_right = compare_floats_within(what, h_expected, (float *)h_out, n_all,
                                       1e-5, 0.0) &&
                 compare_guard(what, h_out + n_bytes, GUARD_BYTES);
  free(h_in);
  free(h_expected);
  free(h_out);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  return is_right;
}

static void run(const options *o, int is_timed)
{
  size_t n = is_timed ? memory_side(o, 16384, 2 * sizeof(float)) : 4096;
  size_t n_rows = is_timed ? n : 16;
  float *d_in, *d_out;
  random_source source = random_from_seed(o->seed);
  CUDA_CHECK(cudaMalloc(&d_in, n_rows * n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n_rows * n * sizeof(float)));
  fill_device_floats(&source, d_in, n_rows * n);
  if (!is_timed)
    puts("version,n_rows,n_columns");
  else if (o->csv)
    puts("version,n_rows,n_columns,repetitions,time_us,time_spread_us,"
         "gb_per_s");
  else
    timing_print_head();
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name))
      continue;
    if (!is_timed) {
      launch(v, d_out, d_in, n_rows, n);
      printf("%s,%zu,%zu\n", v->name, n_rows, n);
      continue;
    }
    double n_bytes = (v->n_reads + 1.0) * (double)(n_rows * n) * sizeof(float);
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(v, d_out, d_in, n_rows, n);
    if (o->csv)
      printf("%s,%zu,%zu,%d,%.3f,%.3f,%.1f\n", v->name, n_rows, n,
             t.repetitions, t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(v->name, t, n_bytes);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "softmax of rows", "softmax",
                            "softmax");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    run(&o, 0);
    return EXIT_SUCCESS;
  }
  int n_bad = 0;
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(&o, versions[i].name))
      n_bad += !check_version(&o, &versions[i], 8, 4096) +
               !check_version(&o, &versions[i], 5, 100);
  if (n_bad > 0)
    return EXIT_FAILURE;
  fprintf(options_remarks(&o), "every version agrees (--seed %llu)\n",
          (unsigned long long)o.seed);
  if (!o.check && timing_is_possible())
    run(&o, 1);
  return EXIT_SUCCESS;
}
