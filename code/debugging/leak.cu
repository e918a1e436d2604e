/* A way out of a function that does not pass by cudaFree. */
#include "debugging/bug.h"

enum { N = 4096, BLOCK_THREADS = 256 };

__global__ void count_kernel(int *count, const int *x, int wanted, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] == wanted)
    atomicAdd(count, 1);
}

// begin broken
static int count_broken(const int *d_x, int wanted, int n)
{
  int *d_count = NULL, h_count = 0;
  TRY(cudaMalloc(&d_count, sizeof *d_count));
  if (n == 0)
    return 0;
  TRY(cudaMemset(d_count, 0, sizeof *d_count));
  count_kernel<<<(n + BLOCK_THREADS - 1) / BLOCK_THREADS, BLOCK_THREADS>>>(
      d_count, d_x, wanted, n);
  TRY_LAUNCH();
  bug_download(&h_count, d_count, sizeof h_count);
  return h_count;
}
// end broken

static int count_fixed(const int *d_x, int wanted, int n)
{
  int *d_count = NULL, h_count = 0;
  if (n == 0)
    return 0;
  TRY(cudaMalloc(&d_count, sizeof *d_count));
  TRY(cudaMemset(d_count, 0, sizeof *d_count));
  count_kernel<<<(n + BLOCK_THREADS - 1) / BLOCK_THREADS, BLOCK_THREADS>>>(
      d_count, d_x, wanted, n);
  TRY_LAUNCH();
  bug_download(&h_count, d_count, sizeof h_count);
  return h_count;
}

static int run(int (*count)(const int *, int, int))
{
  static int h_x[N];
  for (int i = 0; i < N; i++)
    h_x[i] = i % 8;
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  int right = count(d_x, 3, N) == N / 8 && count(d_x, 3, 0) == 0;
  TRY(cudaFree(d_x));
  return right;
}

static int fixed(void) { return run(count_fixed); }
static int broken(void) { return run(count_broken); }

static const version versions[] = {
  {"fixed", "what is allocated is freed", 0, fixed},
  {"broken", "one way out does not free", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "device memory that is never freed");
}
