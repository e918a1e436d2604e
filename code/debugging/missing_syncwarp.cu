/* The lanes of a warp do not run in step unless they are told to. */
#include "debugging/bug.h"

enum { N_BLOCKS = 64, WARP = 32, N = N_BLOCKS * WARP };

// begin broken
__global__ void sum_broken(int *sum, const int *x)
{
  __shared__ int part[WARP];
  int lane = threadIdx.x;
  part[lane] = x[blockIdx.x * WARP + lane];
  for (int step = WARP / 2; step > 0; step /= 2)
    if (lane < step)
      part[lane] += part[lane + step];
  if (lane == 0)
    sum[blockIdx.x] = part[0];
}
// end broken

// begin fixed
__global__ void sum_fixed(int *sum, const int *x)
{
  __shared__ int part[WARP];
  int lane = threadIdx.x;
  part[lane] = x[blockIdx.x * WARP + lane];
  for (int step = WARP / 2; step > 0; step /= 2) {
    __syncwarp();
    if (lane < step)
      part[lane] += part[lane + step];
  }
  if (lane == 0)
    sum[blockIdx.x] = part[0];
}
// end fixed

static int run(void (*kernel)(int *, const int *))
{
  static int h_x[N], h_sum[N_BLOCKS];
  for (int i = 0; i < N; i++)
    h_x[i] = i * i % 101;
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  int *d_sum = (int *)bug_upload(h_sum, sizeof h_sum);
  kernel<<<N_BLOCKS, WARP>>>(d_sum, d_x);
  TRY_LAUNCH();
  bug_download(h_sum, d_sum, sizeof h_sum);
  TRY(cudaFree(d_x));
  for (int block = 0; block < N_BLOCKS; block++) {
    int sum = 0;
    for (int lane = 0; lane < WARP; lane++)
      sum += h_x[block * WARP + lane];
    if (h_sum[block] != sum)
      return 0;
  }
  return 1;
}

static int fixed(void) { return run(sum_fixed); }
static int broken(void) { return run(sum_broken); }

static const version versions[] = {
  {"fixed", "__syncwarp before each step", 0, fixed},
  {"broken", "trusts that lanes run in step", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a race between the lanes of a warp");
}
