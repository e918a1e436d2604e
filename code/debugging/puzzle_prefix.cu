/* A puzzle: in each block, every element becomes the sum of all up to it. */
#include "debugging/bug.h"

enum { N_BLOCKS = 16, BLOCK_THREADS = 128, N = N_BLOCKS * BLOCK_THREADS };

// begin broken
__global__ void prefix_broken(int *x)
{
  __shared__ int part[BLOCK_THREADS];
  int t = threadIdx.x, first = blockIdx.x * blockDim.x;
  part[t] = x[first + t];
  __syncthreads();
  for (int step = 1; step < BLOCK_THREADS; step *= 2) {
    if (t >= step)
      part[t] += part[t - step];
    __syncthreads();
  }
  x[first + t] = part[t];
}
// end broken

// begin fixed
__global__ void prefix_fixed(int *x)
{
  __shared__ int part[BLOCK_THREADS];
  int t = threadIdx.x, first = blockIdx.x * blockDim.x;
  part[t] = x[first + t];
  __syncthreads();
  for (int step = 1; step < BLOCK_THREADS; step *= 2) {
    int before = t >= step ? part[t - step] : 0;
    __syncthreads();
    part[t] += before;
    __syncthreads();
  }
  x[first + t] = part[t];
}
// end fixed

static int run(void (*kernel)(int *))
{
  static int h_x[N], h_sum[N];
  for (int i = 0; i < N; i++)
    h_x[i] = 1 + i % 5;
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  kernel<<<N_BLOCKS, BLOCK_THREADS>>>(d_x);
  TRY_LAUNCH();
  bug_download(h_sum, d_x, sizeof h_sum);
  int sum = 0;
  for (int i = 0; i < N; i++) {
    sum = i % BLOCK_THREADS == 0 ? h_x[i] : sum + h_x[i];
    if (h_sum[i] != sum)
      return 0;
  }
  return 1;
}

static int fixed(void) { return run(prefix_fixed); }
static int broken(void) { return run(prefix_broken); }

static const version versions[] = {
  {"fixed", "the solution", 0, fixed},
  {"broken", "the puzzle", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a puzzle: sums up to each element");
}
