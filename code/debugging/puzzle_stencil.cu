/* A puzzle: the mean of each element and its neighbours. */
#include "debugging/bug.h"

enum { N_BLOCKS = 16, BLOCK_THREADS = 128, N = N_BLOCKS * BLOCK_THREADS };
enum { RADIUS = 3 };

// begin broken
__global__ void mean_broken(float *mean, const float *x)
{
  __shared__ float tile[BLOCK_THREADS + RADIUS];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t + RADIUS] = x[i];
  if (t < RADIUS) {
    tile[t] = i >= RADIUS ? x[i - RADIUS] : 0.0f;
    tile[t + RADIUS + BLOCK_THREADS] =
        i + BLOCK_THREADS < N ? x[i + BLOCK_THREADS] : 0.0f;
  }
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k <= 2 * RADIUS; k++)
    sum += tile[t + k];
  mean[i] = sum / (2 * RADIUS + 1);
}
// end broken

// begin fixed
__global__ void mean_fixed(float *mean, const float *x)
{
  __shared__ float tile[BLOCK_THREADS + 2 * RADIUS];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t + RADIUS] = x[i];
  if (t < RADIUS) {
    tile[t] = i >= RADIUS ? x[i - RADIUS] : 0.0f;
    tile[t + RADIUS + BLOCK_THREADS] =
        i + BLOCK_THREADS < N ? x[i + BLOCK_THREADS] : 0.0f;
  }
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k <= 2 * RADIUS; k++)
    sum += tile[t + k];
  mean[i] = sum / (2 * RADIUS + 1);
}
// end fixed

static int run(void (*kernel)(float *, const float *))
{
  static float h_x[N], h_mean[N];
  for (int i = 0; i < N; i++)
    h_x[i] = (float)(i % 29);
  float *d_x = (float *)bug_upload(h_x, sizeof h_x);
  float *d_mean = (float *)bug_upload(h_mean, sizeof h_mean);
  kernel<<<N_BLOCKS, BLOCK_THREADS>>>(d_mean, d_x);
  TRY_LAUNCH();
  bug_download(h_mean, d_mean, sizeof h_mean);
  TRY(cudaFree(d_x));
  for (int i = 0; i < N; i++) {
    float sum = 0.0f;
    for (int k = i - RADIUS; k <= i + RADIUS; k++)
      sum += k >= 0 && k < N ? h_x[k] : 0.0f;
    if (!(h_mean[i] == sum / (2 * RADIUS + 1)))
      return 0;
  }
  return 1;
}

static int fixed(void) { return run(mean_fixed); }
static int broken(void) { return run(mean_broken); }

static const version versions[] = {
  {"fixed", "the solution", 0, fixed},
  {"broken", "the puzzle", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a puzzle: means of neighbours");
}
