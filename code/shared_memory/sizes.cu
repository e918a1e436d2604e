/* How much shared memory may a block have, and what must be said for it?
 * Launches a kernel with more and more of it, with and without the opt-in,
 * and says what the runtime answered.
 *
 *   nvcc -I code code/shared_memory/sizes.cu -o sizes && ./sizes
 */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/random.h"

enum { BLOCK_THREADS = 256 };

/* ---- kernels: a block turns n elements around ---- */

// begin fixed
__global__ void reverse_fixed(int *out, const int *in, int n)
{
  __shared__ int tile[12288];           /* 48 KiB: the most */
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    tile[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = tile[n - 1 - i];
}
// end fixed

// begin dynamic
__global__ void reverse(int *out, const int *in, int n)
{
  extern __shared__ int tile[];         /* as much as the launch says */
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    tile[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = tile[n - 1 - i];
}
// end dynamic

// begin two_arrays
/* There is one piece of dynamic memory. If you want two arrays, cut it
 * up: the larger type first, so that both are aligned. */
__global__ void reverse_both(int *out, const int *in, int n)
{
  extern __shared__ double piece[];
  double *squares = piece;              /* n of them */
  int *ints = (int *)(squares + n);     /* n of them */
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    ints[i] = in[i];
    squares[i] = (double)in[i] * in[i];
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int x = ints[n - 1 - i];
    out[i] = squares[n - 1 - i] == (double)x * x ? x : 0;
  }
}
// end two_arrays

typedef void reverse_kernel(int *out, const int *in, int n);

/* ---- one case ---- */

typedef struct {
  const char *name, *idea;
  reverse_kernel *kernel;
  int optin;
  int elem_bytes;               /* of dynamic memory; 0: fixed */
} version;

static const version versions[] = {
  {"fixed", "static shared memory", reverse_fixed, 0, 0},
  {"dynamic", "dynamic shared memory", reverse, 0, sizeof(int)},
  {"two_arrays", "two arrays in it", reverse_both, 0,
   sizeof(double) + sizeof(int)},
  {"opted_in", "dynamic, with the opt-in", reverse, 1, sizeof(int)},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

typedef struct {
  cudaError_t attribute, launch;
  int active_blocks, is_right;
} outcome;

static int arrived(const int *h_in, const int *h_out, int n)
{
  int right = 1;
  for (int i = 0; i < n; i++)
    right &= h_out[i] == h_in[n - 1 - i];
  return right;
}

// begin try_size
static outcome try_size(const version *v, int n, size_t n_bytes, int *d_out,
                        const int *d_in)
{
  outcome o = {cudaSuccess, cudaSuccess, 0, 0};
  if (v->optin)
    o.attribute = cudaFuncSetAttribute(
        v->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
        (int)n_bytes);
  v->kernel<<<1, BLOCK_THREADS, n_bytes>>>(d_out, d_in, n);
  o.launch = cudaGetLastError();
  return o;
}
// end try_size

static outcome run_case(const version *v, size_t n_bytes, uint64_t seed)
{
  int n = v->elem_bytes ? (int)(n_bytes / v->elem_bytes) : 12288;
  size_t bytes = n * sizeof(int);
  int *h_in = (int *)malloc(bytes), *h_out = (int *)malloc(bytes);
  int *d_in, *d_out;
  random_source random = random_from_seed(seed);
  random_fill_bytes(&random, h_in, bytes);
  CUDA_CHECK(cudaMalloc(&d_in, bytes));
  CUDA_CHECK(cudaMalloc(&d_out, bytes));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, bytes);
  /* Every case begins as in a fresh program: with no more than 48 KiB. */
  CUDA_CHECK(cudaFuncSetAttribute(
      v->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
      v->elem_bytes ? (int)device_properties()->sharedMemPerBlock : 0));
  outcome o = try_size(v, n, v->elem_bytes ? n_bytes : 0, d_out, d_in);
  CUDA_CHECK(cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost));
  o.is_right = arrived(h_in, h_out, n);
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &o.active_blocks, v->kernel, BLOCK_THREADS,
          v->elem_bytes ? n_bytes : 0) != cudaSuccess)
    cudaGetLastError();                 /* none, then */
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  free(h_out);
  return o;
}

/* ---- the sizes ---- */

enum { N_SIZES = 9 };

static void list_sizes(size_t *sizes)
{
  size_t usual = device_properties()->sharedMemPerBlock;
  size_t most = device_properties()->sharedMemPerBlockOptin;
  size_t all[N_SIZES] = {usual / 48, usual / 12, usual / 3, usual,
                         usual + 1024, most / 2 / 1024 * 1024,
                         most / 2 / 1024 * 1024 + 1024, most, most + 1024};
  memcpy(sizes, all, sizeof all);
}

/* A case must come out right if its size is allowed, and only then. */
static int as_expected(const version *v, size_t n_bytes, outcome o)
{
  size_t allowed = v->optin ? device_properties()->sharedMemPerBlockOptin
                            : device_properties()->sharedMemPerBlock;
  int should = !v->elem_bytes || n_bytes <= allowed;
  if (o.is_right == should && (o.launch == cudaSuccess) == should)
    return 1;
  fprintf(stderr, "%s, %zu bytes: error: expected %s, got %s (%s)\n",
          v->name, n_bytes, should ? "the right results" : "an error",
          o.is_right ? "the right results" : "none",
          cudaGetErrorName(o.launch));
  return 0;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "how much shared memory there is",
                            "sizes", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  size_t sizes[N_SIZES];
  int right = 1;
  list_sizes(sizes);
  if (o.csv)
    printf("version,dynamic_bytes,attribute_error,launch_error,"
           "active_blocks,is_right\n");
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < N_SIZES && options_wants(&o, versions[k].name); s++) {
      const version *v = &versions[k];
      if (!v->elem_bytes && s > 0)
        continue;
      outcome of = run_case(v, sizes[s], o.seed);
      right &= as_expected(v, sizes[s], of);
      if (o.csv || !o.check)
        printf(o.csv ? "%s,%zu,%s,%s,%d,%d\n"
                     : "%-12s %8zu bytes: attribute %s, launch %s, "
                       "%d active blocks, right: %d\n",
               v->name, v->elem_bytes ? sizes[s] : 0,
               v->optin ? cudaGetErrorName(of.attribute) : "none",
               cudaGetErrorName(of.launch), of.active_blocks, of.is_right);
    }
  if (!o.csv)
    printf("check: %s\n", right ? "all right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
