/* One element too many, and another array comes right after the end. */
#include "debugging/bug.h"

enum { N = 1024, BLOCK_THREADS = 256 };

// begin broken
__global__ void fill_broken(float *x, float value, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    x[i] = value;
}
// end broken

__global__ void fill_fixed(float *x, float value, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = value;
}

static int run(void (*kernel)(float *, float, int))
{
  float h_a[N], h_b[N];
  for (int i = 0; i < N; i++)
    h_a[i] = h_b[i] = 1.0f;
  float *d_a = (float *)bug_upload(h_a, sizeof h_a);
  float *d_b = (float *)bug_upload(h_b, sizeof h_b);
  kernel<<<N / BLOCK_THREADS + 1, BLOCK_THREADS>>>(d_a, 2.0f, N);
  TRY_LAUNCH();
  bug_download(h_a, d_a, sizeof h_a);
  bug_download(h_b, d_b, sizeof h_b);
  for (int i = 0; i < N; i++)
    if (!(h_a[i] == 2.0f && h_b[i] == 1.0f))
      return 0;
  return 1;
}

static int fixed(void) { return run(fill_fixed); }
static int broken(void) { return run(fill_broken); }

static const version versions[] = {
  {"fixed", "n elements", 0, fixed},
  {"broken", "n + 1 elements", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "an index that reaches into the next array");
}
