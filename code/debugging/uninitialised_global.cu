/* cudaMalloc gives memory, not zeros. */
#include "debugging/bug.h"

enum { N = 4096, N_SUMS = 64, BLOCK_THREADS = 256 };

// begin kernel
__global__ void add_up(int *sums, const int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&sums[i % N_SUMS], x[i]);
}
// end kernel

// begin broken
static int *sums_broken(void)
{
  int *d_sums = NULL;
  TRY(cudaMalloc(&d_sums, N_SUMS * sizeof *d_sums));
  return d_sums;
}
// end broken

static int *sums_fixed(void)
{
  int *d_sums = NULL;
  TRY(cudaMalloc(&d_sums, N_SUMS * sizeof *d_sums));
  TRY(cudaMemset(d_sums, 0, N_SUMS * sizeof *d_sums));
  return d_sums;
}

static int run(int *(*allocate)(void))
{
  static int h_x[N], h_sums[N_SUMS];
  for (int i = 0; i < N; i++)
    h_x[i] = 1;
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  int *d_sums = allocate();
  add_up<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_sums, d_x, N);
  TRY_LAUNCH();
  bug_download(h_sums, d_sums, sizeof h_sums);
  TRY(cudaFree(d_x));
  for (int k = 0; k < N_SUMS; k++)
    if (h_sums[k] != N / N_SUMS)
      return 0;
  return 1;
}

static int fixed(void) { return run(sums_fixed); }
static int broken(void) { return run(sums_broken); }

static const version versions[] = {
  {"fixed", "sums are set to zero", 0, fixed},
  {"broken", "sums begin with what was there", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "uninitialised global memory");
}
