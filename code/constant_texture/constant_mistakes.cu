/* What is wrong with a published program: it starts too few threads, and what
 * hides the next mistake is an array four times as large as it should be. */
#include <stdio.h>
#include <stdlib.h>

#include "common/cuda_check.h"
#include "common/options.h"

enum { N_VALUES = 100, BLOCK_SIZE = 64 };

__constant__ int constant_values[N_VALUES];

// begin unguarded
__global__ void test_kernel(int *d_array)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < N_VALUES; i++)
    d_array[idx] = d_array[idx] + constant_values[i];
}
// end unguarded

__global__ void guarded_kernel(int *d_array, int n)
{
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n)
    for (int i = 0; i < N_VALUES; i++)
      d_array[idx] = d_array[idx] + constant_values[i];
}

// begin printed
/* As printed: `size` holds bytes, and cudaMalloc gets their number times the
 * size of an int once more. */
static size_t launch_printed(int **d_array)
{
  size_t size = N_VALUES * sizeof(int);
  CUDA_CHECK(cudaMalloc(d_array, sizeof(int) * size));
  CUDA_CHECK(cudaMemset(*d_array, 0, sizeof(int) * size));
  test_kernel<<<N_VALUES / BLOCK_SIZE, BLOCK_SIZE>>>(*d_array);
  return size;
}
// end printed

static size_t launch_rounded_up(int **d_array)
{
  size_t size = N_VALUES * sizeof(int);
  CUDA_CHECK(cudaMalloc(d_array, sizeof(int) * size));
  CUDA_CHECK(cudaMemset(*d_array, 0, sizeof(int) * size));
  test_kernel<<<(N_VALUES + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(
      *d_array);
  return size;
}

static size_t launch_right_size(int **d_array)
{
  size_t size = N_VALUES * sizeof(int);
  CUDA_CHECK(cudaMalloc(d_array, size));
  CUDA_CHECK(cudaMemset(*d_array, 0, size));
  test_kernel<<<(N_VALUES + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(
      *d_array);
  return size;
}

static size_t launch_guarded(int **d_array)
{
  size_t size = N_VALUES * sizeof(int);
  CUDA_CHECK(cudaMalloc(d_array, size));
  CUDA_CHECK(cudaMemset(*d_array, 0, size));
  guarded_kernel<<<(N_VALUES + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(
      *d_array, N_VALUES);
  return size;
}

typedef struct {
  const char *name;
  const char *idea;
  size_t (*launch)(int **d_array);
} version;

static const version versions[] = {
  {"printed", "the number of blocks is rounded down", launch_printed},
  {"rounded_up", "rounded up, in an array that is too large",
   launch_rounded_up},
  {"right_size", "rounded up, in an array that is not", launch_right_size},
  {"guarded", "and with a guard", launch_guarded},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* Fills the table with 1 … 100 and counts the elements that are its sum. */
static int is_right(const version *v)
{
  int h_values[N_VALUES], h_array[N_VALUES], *d_array, sum = 0, n_right = 0;
  for (int i = 0; i < N_VALUES; i++)
    sum += h_values[i] = i + 1;
  CUDA_CHECK(cudaMemcpyToSymbol(constant_values, h_values, sizeof h_values));
  size_t n_bytes = v->launch(&d_array);
  CUDA_CHECK_LAUNCH();
  cudaError_t error = cudaMemcpy(h_array, d_array, n_bytes,
                                 cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) {
    printf("%s: %s\n", v->name, cudaGetErrorString(error));
    return 0;
  }
  CUDA_CHECK(cudaFree(d_array));
  for (int i = 0; i < N_VALUES; i++)
    n_right += h_array[i] == sum;
  printf("%s: %d of %d elements are right\n", v->name, n_right, N_VALUES);
  return n_right == N_VALUES;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a published program", "", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int all_right = 1;
  for (int v = 0; v < N_VERSIONS; v++)
    if (o.version ? options_wants(&o, versions[v].name) : v == 3)
      all_right &= is_right(&versions[v]);
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
