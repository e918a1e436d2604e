/* The host frees an array that a later launch still uses. */
#include "debugging/bug.h"

enum { N = 1024, BLOCK_THREADS = 256 };

// begin kernel
__global__ void gather(float *to, const float *from, const int *where, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[where[i]];
}
// end kernel

static float h_from[N], h_to[N];
static int h_where[N];

// begin broken
static void gather_broken(float *d_to, const float *d_from)
{
  int *d_where = (int *)bug_upload(h_where, sizeof h_where);
  gather<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_to, d_from, d_where, N);
  TRY_LAUNCH();
  TRY(cudaFree(d_where));
  gather<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_to, d_from, d_where, N);
  TRY_LAUNCH();
}
// end broken

static void gather_fixed(float *d_to, const float *d_from)
{
  int *d_where = (int *)bug_upload(h_where, sizeof h_where);
  gather<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_to, d_from, d_where, N);
  TRY_LAUNCH();
  gather<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_to, d_from, d_where, N);
  TRY_LAUNCH();
  TRY(cudaFree(d_where));
}

static int run(void (*twice)(float *, const float *))
{
  for (int i = 0; i < N; i++) {
    h_from[i] = (float)i;
    h_where[i] = N - 1 - i;
  }
  float *d_from = (float *)bug_upload(h_from, sizeof h_from);
  float *d_to = (float *)bug_upload(h_from, sizeof h_from);
  twice(d_to, d_from);
  bug_download(h_to, d_to, sizeof h_to);
  TRY(cudaFree(d_from));
  for (int i = 0; i < N; i++)
    if (!(h_to[i] == (float)(N - 1 - i)))
      return 0;
  return 1;
}

static int fixed(void) { return run(gather_fixed); }
static int broken(void) { return run(gather_broken); }

static const version versions[] = {
  {"fixed", "freed after the last use", 0, fixed},
  {"broken", "freed before the last use", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a kernel that uses freed memory");
}
