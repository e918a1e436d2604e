/* One block sets a sum to zero while others already add to it. */
#include "debugging/bug.h"

enum { N = 1 << 14, BLOCK_THREADS = 256 };

// begin broken
__global__ void total_broken(unsigned *total, const unsigned *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0)
    *total = 0;
  __syncthreads();
  if (i < n)
    atomicAdd(total, x[i]);
}
// end broken

__global__ void total_kernel(unsigned *total, const unsigned *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(total, x[i]);
}

static void launch_broken(unsigned *d_total, const unsigned *d_x)
{
  total_broken<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_total, d_x, N);
}

static void launch_fixed(unsigned *d_total, const unsigned *d_x)
{
  TRY(cudaMemset(d_total, 0, sizeof *d_total));
  total_kernel<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_total, d_x, N);
}

static int run(void (*launch)(unsigned *, const unsigned *))
{
  static unsigned h_x[N];
  unsigned total = 12345, expected = 0;
  for (int i = 0; i < N; i++)
    expected += h_x[i] = (unsigned)i % 17;
  unsigned *d_x = (unsigned *)bug_upload(h_x, sizeof h_x);
  unsigned *d_total = (unsigned *)bug_upload(&total, sizeof total);
  launch(d_total, d_x);
  TRY_LAUNCH();
  bug_download(&total, d_total, sizeof total);
  TRY(cudaFree(d_x));
  return total == expected;
}

static int fixed(void) { return run(launch_fixed); }
static int broken(void) { return run(launch_broken); }

static const version versions[] = {
  {"fixed", "set to zero before the launch", 0, fixed},
  {"broken", "set to zero by the first block", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a plain store among atomics");
}
