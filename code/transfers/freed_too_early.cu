/* Stream-ordered memory is freed in the order of its stream.  Work queued
 * after that does not have it any more. */
#include "debugging/bug.h"

enum { N = 1024, BLOCK_THREADS = 256 };

__global__ void square(float *y, const float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = x[i] * x[i];
}

static float h_x[N], h_y[N];

// begin broken
static void square_broken(float *d_y, cudaStream_t stream)
{
  float *d_x = NULL;
  TRY(cudaMallocAsync(&d_x, sizeof h_x, stream));
  TRY(cudaMemcpyAsync(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice,
                      stream));
  TRY(cudaFreeAsync(d_x, stream));    /* "when all of it is done" */
  square<<<N / BLOCK_THREADS, BLOCK_THREADS, 0, stream>>>(d_y, d_x, N);
  TRY(cudaGetLastError());
  TRY(cudaStreamSynchronize(stream));
}
// end broken

// begin fixed
static void square_fixed(float *d_y, cudaStream_t stream)
{
  float *d_x = NULL;
  TRY(cudaMallocAsync(&d_x, sizeof h_x, stream));
  TRY(cudaMemcpyAsync(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice,
                      stream));
  square<<<N / BLOCK_THREADS, BLOCK_THREADS, 0, stream>>>(d_y, d_x, N);
  TRY(cudaGetLastError());
  TRY(cudaFreeAsync(d_x, stream));
  TRY(cudaStreamSynchronize(stream));
}
// end fixed

static int run(void (*do_square)(float *, cudaStream_t))
{
  cudaStream_t stream = NULL;
  for (int i = 0; i < N; i++)
    h_x[i] = (float)i;
  float *d_y = (float *)bug_upload(h_x, sizeof h_x);
  TRY(cudaStreamCreate(&stream));
  do_square(d_y, stream);
  TRY(cudaStreamDestroy(stream));
  bug_download(h_y, d_y, sizeof h_y);
  for (int i = 0; i < N; i++)
    if (!(h_y[i] == (float)i * (float)i))
      return 0;
  return 1;
}

static int fixed(void) { return run(square_fixed); }
static int broken(void) { return run(square_broken); }

static const version versions[] = {
  {"fixed", "freed behind the last use", 0, fixed},
  {"broken", "freed before the last use, in its stream", 1, broken},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "stream-ordered memory freed too early");
}
