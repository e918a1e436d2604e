/* All blocks add to one word, each as if it were alone. */
#include "debugging/bug.h"

enum { N = 1 << 14, BLOCK_THREADS = 256 };

// begin broken
__global__ void count_broken(int *n_even, const int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] % 2 == 0)
    *n_even = *n_even + 1;
}
// end broken

__global__ void count_fixed(int *n_even, const int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] % 2 == 0)
    atomicAdd(n_even, 1);
}

static int run(void (*kernel)(int *, const int *, int))
{
  static int h_x[N];
  int n_even = 0, expected = 0;
  for (int i = 0; i < N; i++) {
    h_x[i] = i % 3;
    expected += h_x[i] % 2 == 0;
  }
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  int *d_n_even = (int *)bug_upload(&n_even, sizeof n_even);
  kernel<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_n_even, d_x, N);
  TRY_LAUNCH();
  bug_download(&n_even, d_n_even, sizeof n_even);
  TRY(cudaFree(d_x));
  return n_even == expected;
}

static int fixed(void) { return run(count_fixed); }
static int broken(void) { return run(count_broken); }

static const version versions[] = {
  {"fixed", "atomicAdd", 0, fixed},
  {"broken", "load, add, store", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a race in global memory");
}
