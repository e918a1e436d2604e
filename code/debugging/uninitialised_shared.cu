/* Shared memory begins with whatever the previous block left there. */
#include "debugging/bug.h"

enum { N_BLOCKS = 64, BLOCK_THREADS = 256, N = N_BLOCKS * BLOCK_THREADS };
enum { N_BINS = 16 };

// begin broken
__global__ void histogram_broken(int *bins, const int *x)
{
  __shared__ int block_bins[N_BINS];
  int t = threadIdx.x;
  atomicAdd(&block_bins[x[blockIdx.x * blockDim.x + t]], 1);
  __syncthreads();
  if (t < N_BINS)
    atomicAdd(&bins[t], block_bins[t]);
}
// end broken

__global__ void histogram_fixed(int *bins, const int *x)
{
  __shared__ int block_bins[N_BINS];
  int t = threadIdx.x;
  if (t < N_BINS)
    block_bins[t] = 0;
  __syncthreads();
  atomicAdd(&block_bins[x[blockIdx.x * blockDim.x + t]], 1);
  __syncthreads();
  if (t < N_BINS)
    atomicAdd(&bins[t], block_bins[t]);
}

static int run(void (*kernel)(int *, const int *))
{
  static int h_x[N];
  int h_bins[N_BINS] = {0};
  for (int i = 0; i < N; i++)
    h_x[i] = i % N_BINS;
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  int *d_bins = (int *)bug_upload(h_bins, sizeof h_bins);
  kernel<<<N_BLOCKS, BLOCK_THREADS>>>(d_bins, d_x);
  TRY_LAUNCH();
  bug_download(h_bins, d_bins, sizeof h_bins);
  TRY(cudaFree(d_x));
  for (int bin = 0; bin < N_BINS; bin++)
    if (h_bins[bin] != N / N_BINS)
      return 0;
  return 1;
}

static int fixed(void) { return run(histogram_fixed); }
static int broken(void) { return run(histogram_broken); }

static const version versions[] = {
  {"fixed", "bins are set to zero first", 0, fixed},
  {"broken", "bins begin with what was there", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "uninitialised shared memory");
}
