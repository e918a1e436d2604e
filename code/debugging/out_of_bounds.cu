/* The last block is not full, and nothing keeps its idle threads away from
 * memory. */
#include "debugging/bug.h"

enum { N = 1000, BLOCK_THREADS = 256 };

// begin broken
__global__ void scale_broken(float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = 2.0f * x[i];
}
// end broken

// begin fixed
__global__ void scale_fixed(float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 2.0f * x[i];
}
// end fixed

// begin run
static int run(void (*kernel)(float *, int))
{
  float h_x[N];
  for (int i = 0; i < N; i++)
    h_x[i] = (float)(i + 1);
  float *d_x = (float *)bug_upload(h_x, sizeof h_x);
  kernel<<<(N + BLOCK_THREADS - 1) / BLOCK_THREADS, BLOCK_THREADS>>>(d_x, N);
  TRY_LAUNCH();
  bug_download(h_x, d_x, sizeof h_x);
  for (int i = 0; i < N; i++)
    if (!(h_x[i] == 2.0f * (float)(i + 1)))
      return 0;
  return 1;
}
// end run

static int fixed(void) { return run(scale_fixed); }
static int broken(void) { return run(scale_broken); }

static const version versions[] = {
  {"fixed", "threads beyond the end do nothing", 0, fixed},
  {"broken", "threads beyond the end go on", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "an index beyond the end of an array");
}
