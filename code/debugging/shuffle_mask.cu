/* A shuffle whose mask names lanes that are not there. */
#include "debugging/bug.h"

enum { N_WARPS = 8, WARP = 32, USED = 20 };

// begin broken
__global__ void sum_broken(int *sum, const int *x, int n_used)
{
  int lane = threadIdx.x, value = 0;
  if (lane < n_used) {
    value = x[blockIdx.x * WARP + lane];
    for (int step = WARP / 2; step > 0; step /= 2)
      value += __shfl_down_sync(0xffffffff, value, step);
  }
  if (lane == 0)
    sum[blockIdx.x] = value;
}
// end broken

// begin fixed
__global__ void sum_fixed(int *sum, const int *x, int n_used)
{
  int lane = threadIdx.x, value = 0;
  if (lane < n_used)
    value = x[blockIdx.x * WARP + lane];
  for (int step = WARP / 2; step > 0; step /= 2)
    value += __shfl_down_sync(0xffffffff, value, step);
  if (lane == 0)
    sum[blockIdx.x] = value;
}
// end fixed

static int run(void (*kernel)(int *, const int *, int))
{
  int h_x[N_WARPS * WARP], h_sum[N_WARPS] = {0};
  for (int i = 0; i < N_WARPS * WARP; i++)
    h_x[i] = 1 + i % 7;
  int *d_x = (int *)bug_upload(h_x, sizeof h_x);
  int *d_sum = (int *)bug_upload(h_sum, sizeof h_sum);
  kernel<<<N_WARPS, WARP>>>(d_sum, d_x, USED);
  TRY_LAUNCH();
  bug_download(h_sum, d_sum, sizeof h_sum);
  TRY(cudaFree(d_x));
  for (int block = 0; block < N_WARPS; block++) {
    int sum = 0;
    for (int lane = 0; lane < USED; lane++)
      sum += h_x[block * WARP + lane];
    if (h_sum[block] != sum)
      return 0;
  }
  return 1;
}

static int fixed(void) { return run(sum_fixed); }
static int broken(void) { return run(sum_broken); }

static const version versions[] = {
  {"fixed", "all lanes take part in the shuffle", 0, fixed},
  {"broken", "the mask names lanes that do not come", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a shuffle with a wrong mask");
}
