/* The kernel wants two arrays in dynamic shared memory; the launch gives it
 * space for one. */
#include "debugging/bug.h"

enum { N_BLOCKS = 4, BLOCK_THREADS = 256, N = N_BLOCKS * BLOCK_THREADS };

// begin kernel
__global__ void mirror_sum(float *x)
{
  extern __shared__ float buffer[];
  float *value = buffer, *square = buffer + blockDim.x;
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  value[t] = x[i];
  square[t] = x[i] * x[i];
  __syncthreads();
  int mirror = blockDim.x - 1 - t;
  x[i] = value[mirror] + square[mirror];
}
// end kernel

static int run(size_t n_shared_bytes)
{
  float h_x[N];
  for (int i = 0; i < N; i++)
    h_x[i] = (float)i;
  float *d_x = (float *)bug_upload(h_x, sizeof h_x);
  mirror_sum<<<N_BLOCKS, BLOCK_THREADS, n_shared_bytes>>>(d_x);
  TRY_LAUNCH();
  bug_download(h_x, d_x, sizeof h_x);
  for (int i = 0; i < N; i++) {
    int first = i - i % BLOCK_THREADS;
    float from = (float)(first + BLOCK_THREADS - 1 - i % BLOCK_THREADS);
    if (!(h_x[i] == from + from * from))
      return 0;
  }
  return 1;
}

// begin launches
static int fixed(void) { return run(2 * BLOCK_THREADS * sizeof(float)); }
static int broken(void) { return run(BLOCK_THREADS * sizeof(float)); }
// end launches

static const version versions[] = {
  {"fixed", "space for both arrays", 0, fixed},
  {"broken", "space for one of them", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "too little dynamic shared memory");
}
