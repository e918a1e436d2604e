/* One stream fills an array, another one reads it. Nothing but an event makes
 * the second wait for the first. */
#include "debugging/bug.h"

enum { N = 1 << 20, BLOCK_THREADS = 256 };

__global__ void fill(int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = 3 * i;
}

__global__ void twice(int *y, const int *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 2 * x[i];
}

static cudaStream_t first, second;
static cudaEvent_t filled;

// begin broken
static void issue_broken(int *d_y, int *d_x)
{
  fill<<<N / BLOCK_THREADS, BLOCK_THREADS, 0, first>>>(d_x, N);
  twice<<<N / BLOCK_THREADS, BLOCK_THREADS, 0, second>>>(d_y, d_x, N);
  TRY(cudaGetLastError());
}
// end broken

// begin fixed
static void issue_fixed(int *d_y, int *d_x)
{
  fill<<<N / BLOCK_THREADS, BLOCK_THREADS, 0, first>>>(d_x, N);
  TRY(cudaEventRecord(filled, first));
  TRY(cudaStreamWaitEvent(second, filled, 0));
  twice<<<N / BLOCK_THREADS, BLOCK_THREADS, 0, second>>>(d_y, d_x, N);
  TRY(cudaGetLastError());
}
// end fixed

static int run(void (*issue)(int *, int *))
{
  static int h_y[N];
  int *d_x = NULL, *d_y = NULL, right = 1;
  TRY(cudaMalloc(&d_x, sizeof h_y));
  TRY(cudaMalloc(&d_y, sizeof h_y));
  TRY(cudaMemset(d_x, 0, sizeof h_y));
  TRY(cudaMemset(d_y, 0, sizeof h_y));
  TRY(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  TRY(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  TRY(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
  TRY(cudaDeviceSynchronize());
  issue(d_y, d_x);
  TRY(cudaDeviceSynchronize());
  TRY(cudaMemcpy(h_y, d_y, sizeof h_y, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i++)
    right &= h_y[i] == 6 * i;
  TRY(cudaEventDestroy(filled));
  TRY(cudaStreamDestroy(first));
  TRY(cudaStreamDestroy(second));
  TRY(cudaFree(d_x));
  TRY(cudaFree(d_y));
  return right;
}

static int fixed(void) { return run(issue_fixed); }
static int broken(void) { return run(issue_broken); }

static const version versions[] = {
  {"fixed", "the second stream waits for an event of the first", 0, fixed},
  {"broken", "it does not wait", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "a stream that should wait for another");
}
