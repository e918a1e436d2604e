/* Threads read what other threads of the block have not written yet. */
#include "debugging/bug.h"

enum { N_BLOCKS = 64, BLOCK_THREADS = 64, N = N_BLOCKS * BLOCK_THREADS };

// begin broken
__global__ void reverse_broken(int *x)
{
  __shared__ int part[BLOCK_THREADS];
  int t = threadIdx.x, first = blockIdx.x * blockDim.x;
  part[t] = x[first + t];
  x[first + t] = part[BLOCK_THREADS - 1 - t];
}
// end broken

__global__ void reverse_fixed(int *x)
{
  __shared__ int part[BLOCK_THREADS];
  int t = threadIdx.x, first = blockIdx.x * blockDim.x;
  part[t] = x[first + t];
  __syncthreads();
  x[first + t] = part[BLOCK_THREADS - 1 - t];
}

static int run(void (*kernel)(int *))
{
  static int h_x[N];
  for (int i = 0; i < N; i++)
    h_x[i] = i;
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  kernel<<<N_BLOCKS, BLOCK_THREADS>>>(d_x);
  TRY_LAUNCH();
  bug_download(h_x, d_x, sizeof h_x);
  for (int i = 0; i < N; i++) {
    int t = i % BLOCK_THREADS;
    if (h_x[i] != i - t + BLOCK_THREADS - 1 - t)
      return 0;
  }
  return 1;
}

static int fixed(void) { return run(reverse_fixed); }
static int broken(void) { return run(reverse_broken); }

static const version versions[] = {
  {"fixed", "a barrier between writing and reading", 0, fixed},
  {"broken", "no barrier", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a race in shared memory");
}
