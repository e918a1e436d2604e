/* Barriers that not all threads reach, or not the same one.  The manual says
 * what is allowed; this program says what happens.  Each version runs in a
 * process of its own, which is ended if it hangs.
 *
 * Versions that are right must come out right everywhere.  Of the others only
 * the outcome is told: whatever they do, they may do. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/device.h"
#include "common/options.h"
#include "warps/watchdog.h"

enum { WARP = 32, HALF = WARP / 2, MOST_THREADS = 2 * WARP };

/* ---- CPU reference: who reads whose number ---- */

static int reads_other_half(int t, int n_threads)
{
  return (t + n_threads / 2) % n_threads;
}

/* ---- kernels: thread t leaves t + 1 and reads what another left ---- */

// begin barrier_for_all
__global__ void barrier_for_all(int *out)
{
  __shared__ int left[MOST_THREADS];
  int t = threadIdx.x, n = blockDim.x;
  left[t] = t + 1;
  __syncthreads();
  out[t] = left[(t + n / 2) % n];
}
// end barrier_for_all

// begin barrier_in_both_branches
__global__ void barrier_in_both_branches(int *out)
{
  __shared__ int left[MOST_THREADS];
  int t = threadIdx.x, n = blockDim.x;
  if (t < HALF) {
    left[t] = t + 1;
    __syncthreads();
    out[t] = left[(t + n / 2) % n];
  } else {
    left[t] = 1 + t;
    __syncthreads();
    out[t] = left[(t + n / 2) % n];
  }
}
// end barrier_in_both_branches

// begin barrier_after_return
__global__ void barrier_after_return(int *out)
{
  __shared__ int left[MOST_THREADS];
  int t = threadIdx.x, n = blockDim.x;
  left[t] = t + 1;
  if (t >= HALF)
    return;
  __syncthreads();
  out[t] = left[(t + n / 2) % n];
}
// end barrier_after_return

// begin barrier_one_ahead
__global__ void barrier_one_ahead(int *out)
{
  __shared__ int left[MOST_THREADS];
  int t = threadIdx.x, n = blockDim.x;
  left[t] = 0;
  if (t < n / 2)
    __syncthreads();       /* one barrier more for the first half */
  left[t] = t + 1;
  __syncthreads();
  out[t] = left[(t + n / 2) % n];
}
// end barrier_one_ahead

// begin barrier_against_warp
__global__ void barrier_against_warp(int *out)
{
  __shared__ int left[MOST_THREADS];
  int t = threadIdx.x, n = blockDim.x;
  left[t] = t + 1;
  if (t < HALF)
    __syncthreads();       /* waits for the whole block */
  else
    __syncwarp();          /* waits for the whole warp */
  out[t] = left[(t + n / 2) % n];
}
// end barrier_against_warp

typedef struct {
  const char *name;
  const char *idea;
  void (*kernel)(int *);
  int n_threads;
  int allowed;
} version;

static const version versions[] = {
  {"for_all", "all threads reach the same barrier",
   barrier_for_all, 2 * WARP, 1},
  {"both_branches", "a barrier in each branch of a warp",
   barrier_in_both_branches, WARP, 0},
  {"after_return", "half of the threads have returned before",
   barrier_after_return, WARP, 0},
  {"one_ahead_warps", "one warp meets one barrier more",
   barrier_one_ahead, 2 * WARP, 0},
  {"one_ahead_lanes", "half a warp meets one barrier more",
   barrier_one_ahead, WARP, 0},
  {"against_warp", "half waits for the block, half for the warp",
   barrier_against_warp, WARP, 0},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- run ---- */

/* What the kernel returned, and whether it is what the host expects. */
static void describe(const version *v, const int *h_out, char *said)
{
  int n_wrong = 0;
  for (int t = 0; t < v->n_threads; t++) {
    int expected = reads_other_half(t, v->n_threads) + 1;
    if (v->kernel == barrier_after_return && t >= HALF)
      expected = 0;
    n_wrong += h_out[t] != expected;
  }
  if (n_wrong == 0)
    strcpy(said, "ends with the right results");
  else
    snprintf(said, WATCHDOG_TEXT, "ends; %d results are not as expected",
             n_wrong);
}

// begin run
static void run(void *context, char *said)
{
  const version *v = (const version *)context;
  int h_out[MOST_THREADS] = {0}, *d_out;
  CUDA_CHECK(cudaMalloc(&d_out, sizeof h_out));
  CUDA_CHECK(cudaMemset(d_out, 0, sizeof h_out));
  v->kernel<<<1, v->n_threads>>>(d_out);
  CUDA_CHECK_LAUNCH();
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    snprintf(said, WATCHDOG_TEXT, "is refused: %s", cudaGetErrorName(error));
    return;
  }
  CUDA_CHECK(cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_out));
  describe(v, h_out, said);
}
// end run

static int outcome(const version *v, const char *format)
{
  char said[WATCHDOG_TEXT];
  if (!watchdog_run(run, (void *)v, said)) {
    fprintf(stderr, "%s: error: the process that ran it failed\n", v->name);
    return 0;
  }
  printf(format, v->name, said);
  if (v->allowed && strcmp(said, "ends with the right results") != 0) {
    fprintf(stderr, "%s: error: it %s\n", v->name, said);
    return 0;
  }
  return 1;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "barriers that not all threads reach",
                            "outcomes", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int right = 1;
  if (o.csv)
    printf("version,outcome\n");
  else
    dup2(1, 2);     /* what the device says belongs to the output, too */
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(&o, versions[k].name) &&
        (versions[k].allowed || !o.check))
      right &= outcome(&versions[k], o.csv ? "%s,%s\n" : "%s: %s\n");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
