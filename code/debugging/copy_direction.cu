/* The direction of a copy contradicts its pointers, and the error is ignored. */
#include "debugging/bug.h"

enum { N = 1024, BLOCK_THREADS = 256 };

__global__ void negate(int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = -x[i];
}

// begin broken
static void download_broken(int *h_x, const int *d_x)
{
  cudaMemcpy(h_x, d_x, N * sizeof *h_x, cudaMemcpyHostToDevice);
}
// end broken

static void download_fixed(int *h_x, const int *d_x)
{
  TRY(cudaMemcpy(h_x, d_x, N * sizeof *h_x, cudaMemcpyDeviceToHost));
}

static int run(void (*download)(int *, const int *))
{
  static int h_x[N];
  for (int i = 0; i < N; i++)
    h_x[i] = i;
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  negate<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_x, N);
  TRY_LAUNCH();
  download(h_x, d_x);
  TRY(cudaFree(d_x));
  for (int i = 0; i < N; i++)
    if (h_x[i] != -i)
      return 0;
  return 1;
}

static int fixed(void) { return run(download_fixed); }
static int broken(void) { return run(download_broken); }

static const version versions[] = {
  {"fixed", "from the device to the host", 0, fixed},
  {"broken", "from the host to the device, it says", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a copy in the wrong direction");
}
