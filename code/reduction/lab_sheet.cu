/* The reduction of a lab sheet from about 2012, as it is printed there, and
 * repaired. Its kernels take floats; its main program has doubles.
 *
 *   nvcc -I code code/reduction/lab_sheet.cu -o lab_sheet && ./lab_sheet
 */
#include "debugging/bug.h"

enum { THREADS = 256, N = 1000,
       N_BLOCKS = (N + THREADS - 1) / THREADS };

// begin guarded
__global__ void level0_guarded(float *out, const float *in, int n)
{
  __shared__ float part[THREADS];
  int me = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    part[me] = in[i];
    __syncthreads();
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
      if (me % (2 * stride) == 0)
        part[me] += part[me + stride];
      __syncthreads();
    }
    if (me == 0)
      out[blockIdx.x] = part[0];
  }
}
// end guarded

// begin assigned
/* Printed under the heading "sequential access". */
__global__ void level0_assigned(float *out, const float *in, int n)
{
  __shared__ float part[THREADS];
  int me = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[me] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    int index = 2 * stride * me;
    if (index < blockDim.x)
      part[index] = part[index + stride];
    __syncthreads();
  }
  if (me == 0)
    out[blockIdx.x] = part[0];
}
// end assigned

// begin repaired
__global__ void level0_repaired(float *out, const float *in, int n)
{
  __shared__ float part[THREADS];
  int me = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[me] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    if (me % (2 * stride) == 0)
      part[me] += part[me + stride];
    __syncthreads();
  }
  if (me == 0)
    out[blockIdx.x] = part[0];
}
// end repaired

// begin level1
__global__ void level1(float *out, int n)
{
  if (threadIdx.x == 0)
    for (int k = 1; k < n; k++)
      out[0] += out[k];
}
// end level1

static int run(void (*level0)(float *, const float *, int))
{
  static float h_x[N], h_sums[N_BLOCKS];
  float expected = 0.0f;
  for (int i = 0; i < N; i++)
    expected += h_x[i] = (float)(i % 7 + 1);   /* whole: no rounding */
  float *d_x = (float *)bug_upload(h_x, sizeof h_x);
  float *d_sums = (float *)bug_upload(h_sums, sizeof h_sums);
  level0<<<N_BLOCKS, THREADS>>>(d_sums, d_x, N);
  TRY_LAUNCH();
  level1<<<1, 32>>>(d_sums, N_BLOCKS);
  TRY_LAUNCH();
  bug_download(h_sums, d_sums, sizeof h_sums);
  TRY(cudaFree(d_x));
  return h_sums[0] == expected;
}

static int repaired(void) { return run(level0_repaired); }
static int guarded(void) { return run(level0_guarded); }
static int assigned(void) { return run(level0_assigned); }

static const version versions[] = {
  {"repaired", "zeros where there are no numbers", 0, repaired},
  {"guarded", "the barrier is behind the guard", 1, guarded},
  {"assigned", "= where += is meant", 1, assigned},
};

int main(int argc, char **argv)
{
  return BUG_MAIN(argc, argv, "the faults of a lab sheet's reduction");
}
