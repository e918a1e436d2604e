/* cudaMemcpy counts bytes. */
#include "debugging/bug.h"

enum { N = 1024, BLOCK_THREADS = 256 };

__global__ void square(int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= x[i];
}

// begin broken
static void upload_broken(int *d_x, const int *h_x)
{
  TRY(cudaMemcpy(d_x, h_x, N, cudaMemcpyHostToDevice));
}
// end broken

static void upload_fixed(int *d_x, const int *h_x)
{
  TRY(cudaMemcpy(d_x, h_x, N * sizeof *h_x, cudaMemcpyHostToDevice));
}

static int run(void (*upload)(int *, const int *))
{
  static int h_x[N];
  int *d_x = NULL;
  for (int i = 0; i < N; i++)
    h_x[i] = i + 1;
  TRY(cudaMalloc(&d_x, sizeof h_x));
  upload(d_x, h_x);
  square<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_x, N);
  TRY_LAUNCH();
  bug_download(h_x, d_x, sizeof h_x);
  for (int i = 0; i < N; i++)
    if (h_x[i] != (i + 1) * (i + 1))
      return 0;
  return 1;
}

static int fixed(void) { return run(upload_fixed); }
static int broken(void) { return run(upload_broken); }

static const version versions[] = {
  {"fixed", "copies n elements", 0, fixed},
  {"broken", "copies n bytes", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a copy of the wrong size");
}
