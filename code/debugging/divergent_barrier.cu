/* A barrier that only some of the threads reach. */
#include "debugging/bug.h"

enum { N_BLOCKS = 64, BLOCK_THREADS = 128, N = N_BLOCKS * BLOCK_THREADS };

// begin broken
__global__ void sum_broken(int *sum, const int *x)
{
  __shared__ int part[BLOCK_THREADS];
  int t = threadIdx.x;
  part[t] = x[blockIdx.x * BLOCK_THREADS + t];
  __syncthreads();
  for (int step = BLOCK_THREADS / 2; step > 0; step /= 2)
    if (t < step) {
      part[t] += part[t + step];
      __syncthreads();
    }
  if (t == 0)
    sum[blockIdx.x] = part[0];
}
// end broken

__global__ void sum_fixed(int *sum, const int *x)
{
  __shared__ int part[BLOCK_THREADS];
  int t = threadIdx.x;
  part[t] = x[blockIdx.x * BLOCK_THREADS + t];
  __syncthreads();
  for (int step = BLOCK_THREADS / 2; step > 0; step /= 2) {
    if (t < step)
      part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0)
    sum[blockIdx.x] = part[0];
}

static int run(void (*kernel)(int *, const int *))
{
  static int h_x[N], h_sum[N_BLOCKS];
  for (int i = 0; i < N; i++)
    h_x[i] = i * i % 101;
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  int *d_sum = (int *)bug_upload(h_sum, sizeof h_sum);
  kernel<<<N_BLOCKS, BLOCK_THREADS>>>(d_sum, d_x);
  TRY_LAUNCH();
  bug_download(h_sum, d_sum, sizeof h_sum);
  TRY(cudaFree(d_x));
  for (int block = 0; block < N_BLOCKS; block++) {
    int sum = 0;
    for (int t = 0; t < BLOCK_THREADS; t++)
      sum += h_x[block * BLOCK_THREADS + t];
    if (h_sum[block] != sum)
      return 0;
  }
  return 1;
}

static int fixed(void) { return run(sum_fixed); }
static int broken(void) { return run(sum_broken); }

static const version versions[] = {
  {"fixed", "all threads reach the barrier", 0, fixed},
  {"broken", "the barrier is inside the if", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a barrier in divergent code");
}
