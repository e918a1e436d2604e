/* A dot product in CUDA C, with HIP's calls, and in OpenCL C: the same
 * program, in three dialects.
 *
 *   nvcc -I code code/outlook/dialects.cu -o dialects && ./dialects
 */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/random.h"
#include "outlook/hip_words.h"
#include "outlook/opencl_words.h"

enum { BLOCK_THREADS = 256 };

/* ---- CPU reference ---- */

/* The terms are small whole numbers: every order of adding them is exact. */
static void sums_on_host(const float *x, const float *y, float *sums,
                         unsigned n)
{
  for (unsigned i = 0; i < n; i++) {
    float before = i % BLOCK_THREADS == 0 ? 0.0f : sums[i / BLOCK_THREADS];
    sums[i / BLOCK_THREADS] = before + x[i] * y[i];
  }
}

/* ---- the kernel in two languages ---- */

// begin dot_cuda
__global__ void dot_cuda(const float *x, const float *y, float *sums,
                         unsigned n)
{
  __shared__ float part[BLOCK_THREADS];
  unsigned t = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  part[t] = i < n ? x[i] * y[i] : 0.0f;
  for (unsigned width = blockDim.x / 2; width > 0; width /= 2) {
    __syncthreads();
    if (t < width)
      part[t] += part[t + width];
  }
  if (t == 0)
    sums[blockIdx.x] = part[0];
}
// end dot_cuda

// begin dot_opencl
__kernel void dot_opencl(__global const float *x, __global const float *y,
                         __global float *sums, uint n)
{
  __local float part[BLOCK_THREADS];
  uint t = get_local_id(0);
  uint i = get_global_id(0);
  part[t] = i < n ? x[i] * y[i] : 0.0f;
  for (uint width = get_local_size(0) / 2; width > 0; width /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < width)
      part[t] += part[t + width];
  }
  if (t == 0)
    sums[get_group_id(0)] = part[0];
}
// end dot_opencl

/* ---- the calls in two languages ---- */

static unsigned blocks_for(unsigned n)
{
  return (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
}

typedef void kernel(const float *x, const float *y, float *sums, unsigned n);

static void sums_by_cuda(kernel *dot, const float *h_x, const float *h_y,
                         float *h_sums, unsigned n)
{
  float *d_x, *d_y, *d_sums;
  size_t n_bytes = n * sizeof(float);
  CUDA_CHECK(cudaMalloc(&d_x, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_y, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_sums, blocks_for(n) * sizeof(float)));
  poison_device(d_sums, blocks_for(n) * sizeof(float));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_y, h_y, n_bytes, cudaMemcpyHostToDevice));
  dot<<<blocks_for(n), BLOCK_THREADS>>>(d_x, d_y, d_sums, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_sums, d_sums, blocks_for(n) * sizeof(float),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  CUDA_CHECK(cudaFree(d_sums));
}

static void hip_check(hipError_t error)
{
  if (error == hipSuccess)
    return;
  fprintf(stderr, "error: %s\n", hipGetErrorString(error));
  exit(EXIT_FAILURE);
}

// begin sums_by_hip
static void sums_by_hip(kernel *dot, const float *h_x, const float *h_y,
                        float *h_sums, unsigned n)
{
  float *d_x, *d_y, *d_sums;
  size_t n_bytes = n * sizeof(float);
  size_t n_sums_bytes = blocks_for(n) * sizeof(float);
  hip_check(hipMalloc(&d_x, n_bytes));
  hip_check(hipMalloc(&d_y, n_bytes));
  hip_check(hipMalloc(&d_sums, n_sums_bytes));
  hip_check(hipMemcpy(d_x, h_x, n_bytes, hipMemcpyHostToDevice));
  hip_check(hipMemcpy(d_y, h_y, n_bytes, hipMemcpyHostToDevice));
  dot<<<blocks_for(n), BLOCK_THREADS>>>(d_x, d_y, d_sums, n);
  hip_check(hipGetLastError());
  hip_check(hipMemcpy(h_sums, d_sums, n_sums_bytes, hipMemcpyDeviceToHost));
  hip_check(hipFree(d_x));
  hip_check(hipFree(d_y));
  hip_check(hipFree(d_sums));
}
// end sums_by_hip

/* ---- versions ---- */

typedef struct {
  const char *name;
  const char *idea;
  kernel *dot;
  void (*sums)(kernel *dot, const float *h_x, const float *h_y,
               float *h_sums, unsigned n);
} version;

static const version versions[] = {
  {"cuda", "CUDA C", dot_cuda, sums_by_cuda},
  {"hip", "the same kernel, HIP's calls", dot_cuda, sums_by_hip},
  {"opencl", "a kernel in OpenCL C", dot_opencl, sums_by_cuda},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check, count ---- */

static float *numbers(random_source *random, unsigned n)
{
  float *x = (float *)malloc((n + !n) * sizeof(float));
  for (unsigned i = 0; i < n; i++)
    x[i] = (float)random_below(random, 16);
  return x;
}

static int check_version(const version *v, random_source *random, unsigned n)
{
  float *x = numbers(random, n), *y = numbers(random, n);
  float *expected = numbers(random, blocks_for(n));
  float *got = numbers(random, blocks_for(n));
  sums_on_host(x, y, expected, n);
  poison_host(got, blocks_for(n) * sizeof(float));
  v->sums(v->dot, x, y, got, n);
  int right = compare_floats(v->name, expected, got, blocks_for(n));
  free(x);
  free(y);
  free(expected);
  free(got);
  return right;
}

static int check(const options *o)
{
  static const unsigned sizes[] = {1, 31, 256, 257, 10000};
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name))
      for (int s = 0; s < 5; s++)
        right &= check_version(&versions[i], &random, sizes[s]);
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

static void count(const options *o)
{
  unsigned n = o->n_sizes > 0 ? (unsigned)o->size[0] : 65536;
  random_source random = random_from_seed(o->seed);
  float *x = numbers(&random, n), *sums = numbers(&random, blocks_for(n));
  printf("version,n_elems\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    if (!options_wants(o, versions[i].name))
      continue;
    versions[i].sums(versions[i].dot, x, x, sums, n);
    printf("%s,%u\n", versions[i].name, n);
  }
  free(x);
  free(sums);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a dot product in three dialects", "",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  return check(&o) ? EXIT_SUCCESS : EXIT_FAILURE;
}
