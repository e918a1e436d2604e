/* A puzzle: heat that spreads along a rod, step by step. Both ends keep
 * their temperature. */
#include "debugging/bug.h"

enum { N = 1000, N_STEPS = 10, BLOCK_THREADS = 256 };

// begin step
__global__ void heat_step(float *next, const float *now, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    next[i] = 0.25f * now[i - 1] + 0.5f * now[i] + 0.25f * now[i + 1];
}
// end step

static float *steps(float *d_now, float *d_next)
{
  for (int step = 0; step < N_STEPS; step++) {
    heat_step<<<(N + BLOCK_THREADS - 1) / BLOCK_THREADS, BLOCK_THREADS>>>(
        d_next, d_now, N);
    TRY(cudaGetLastError());
    float *d_swap = d_now;
    d_now = d_next;
    d_next = d_swap;
  }
  TRY(cudaDeviceSynchronize());
  return d_now;
}

// begin broken
static void heat_broken(float *h_x, size_t n_bytes)
{
  float *d_a = (float *)bug_upload(h_x, n_bytes), *d_b = NULL;
  TRY(cudaMalloc(&d_b, n_bytes));
  float *d_result = steps(d_a, d_b);
  TRY(cudaMemcpy(h_x, d_result, n_bytes, cudaMemcpyDeviceToHost));
  TRY(cudaFree(d_a));
  TRY(cudaFree(d_b));
}
// end broken

// begin fixed
static void heat_fixed(float *h_x, size_t n_bytes)
{
  float *d_a = (float *)bug_upload(h_x, n_bytes);
  float *d_b = (float *)bug_upload(h_x, n_bytes);
  float *d_result = steps(d_a, d_b);
  TRY(cudaMemcpy(h_x, d_result, n_bytes, cudaMemcpyDeviceToHost));
  TRY(cudaFree(d_a));
  TRY(cudaFree(d_b));
}
// end fixed

static int run(void (*heat)(float *, size_t))
{
  static float h_x[N], expected[2][N];
  for (int i = 0; i < N; i++)
    h_x[i] = expected[0][i] = expected[1][i] = i == 0 ? 64.0f : 0.0f;
  heat(h_x, sizeof h_x);
  for (int step = 0; step < N_STEPS; step++)
    for (int i = 1; i < N - 1; i++) {
      const float *now = expected[step % 2];
      expected[(step + 1) % 2][i] =
          0.25f * now[i - 1] + 0.5f * now[i] + 0.25f * now[i + 1];
    }
  for (int i = 0; i < N; i++)
    if (!(h_x[i] - expected[N_STEPS % 2][i] < 1e-5f &&
          expected[N_STEPS % 2][i] - h_x[i] < 1e-5f))
      return 0;
  return 1;
}

static int fixed(void) { return run(heat_fixed); }
static int broken(void) { return run(heat_broken); }

static const version versions[] = {
  {"fixed", "the solution", 0, fixed},
  {"broken", "the puzzle", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a puzzle: heat in a rod");
}
