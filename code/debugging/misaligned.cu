/* A load of 16 bytes needs an address that is a multiple of 16. */
#include "debugging/bug.h"

enum { N = 1024, FIRST = 1, BLOCK_THREADS = 128 };

// begin broken
__global__ void copy_broken(float4 *to, const float *from, int n_groups)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n_groups)
    to[i] = ((const float4 *)from)[i];
}
// end broken

__global__ void copy_fixed(float4 *to, const float *from, int n_groups)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n_groups)
    to[i] = make_float4(from[4 * i], from[4 * i + 1], from[4 * i + 2],
                        from[4 * i + 3]);
}

static int run(void (*kernel)(float4 *, const float *, int))
{
  float h_from[FIRST + N], h_to[N];
  for (int i = 0; i < FIRST + N; i++)
    h_from[i] = (float)i;
  memset(h_to, 0, sizeof h_to);
  float *d_from = (float *)bug_upload(h_from, sizeof h_from);
  float4 *d_to = (float4 *)bug_upload(h_to, sizeof h_to);
  kernel<<<N / 4 / BLOCK_THREADS, BLOCK_THREADS>>>(d_to, d_from + FIRST,
                                                   N / 4);
  TRY_LAUNCH();
  bug_download(h_to, d_to, sizeof h_to);
  TRY(cudaFree(d_from));
  for (int i = 0; i < N; i++)
    if (!(h_to[i] == (float)(FIRST + i)))
      return 0;
  return 1;
}

static int fixed(void) { return run(copy_fixed); }
static int broken(void) { return run(copy_broken); }

static const version versions[] = {
  {"fixed", "four loads of 4 bytes", 0, fixed},
  {"broken", "one load of 16 bytes at any address", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a wide load from an address it must not have");
}
