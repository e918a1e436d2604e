/* The last block adds up what all blocks have left in memory. But what is
 * written first need not arrive first. */
#include "debugging/bug.h"

enum { N_BLOCKS = 64, BLOCK_THREADS = 256, N = N_BLOCKS * BLOCK_THREADS };

__device__ unsigned n_done;

__global__ void sum_broken(int *sum, int *part, const int *x)
{
  __shared__ int block_sum;
  int t = threadIdx.x;
  if (t == 0)
    block_sum = 0;
  __syncthreads();
  atomicAdd(&block_sum, x[blockIdx.x * blockDim.x + t]);
  __syncthreads();
  if (t != 0)
    return;
  // begin broken
  part[blockIdx.x] = block_sum;
  if (atomicAdd(&n_done, 1) == gridDim.x - 1) {
    int total = 0;
    for (unsigned block = 0; block < gridDim.x; block++)
      total += part[block];
    *sum = total;
  }
  // end broken
}

__global__ void sum_fixed(int *sum, int *part, const int *x)
{
  __shared__ int block_sum;
  int t = threadIdx.x;
  if (t == 0)
    block_sum = 0;
  __syncthreads();
  atomicAdd(&block_sum, x[blockIdx.x * blockDim.x + t]);
  __syncthreads();
  if (t != 0)
    return;
  // begin fixed
  part[blockIdx.x] = block_sum;
  __threadfence();
  if (atomicAdd(&n_done, 1) == gridDim.x - 1) {
    __threadfence();
    int total = 0;
    for (unsigned block = 0; block < gridDim.x; block++)
      total += part[block];
    *sum = total;
  }
  // end fixed
}

static int run(void (*kernel)(int *, int *, const int *))
{
  static int h_x[N], h_part[N_BLOCKS];
  unsigned none = 0;
  int sum = 0, expected = 0;
  for (int i = 0; i < N; i++)
    expected += h_x[i] = i % 19;
  TRY(cudaMemcpyToSymbol(n_done, &none, sizeof none));
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  int *d_part = (int *)bug_upload(h_part, sizeof h_part);
  int *d_sum = (int *)bug_upload(&sum, sizeof sum);
  kernel<<<N_BLOCKS, BLOCK_THREADS>>>(d_sum, d_part, d_x);
  TRY_LAUNCH();
  bug_download(&sum, d_sum, sizeof sum);
  TRY(cudaFree(d_x));
  TRY(cudaFree(d_part));
  return sum == expected;
}

static int fixed(void) { return run(sum_fixed); }
static int broken(void) { return run(sum_broken); }

static const version versions[] = {
  {"fixed", "a fence on both sides of the atomic", 0, fixed},
  {"broken", "nothing orders the parts and the atomic", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a fence that is missing");
}
