/* The other part of the program in parts.cu. */
#include "parts.h"

/* Has the same name as a variable of nothing else: each part has its own. */
static __device__ int total;

static __global__ void add(const int *x) { atomicAdd(&total, x[threadIdx.x]); }

int sum_of(const int *x, int n)
{
  int *d_x, sum = 0;

  cudaMemcpyToSymbol(total, &sum, sizeof sum);
  cudaMalloc(&d_x, n * sizeof *x);
  cudaMemcpy(d_x, x, n * sizeof *x, cudaMemcpyHostToDevice);
  add<<<1, n>>>(d_x);
  cudaMemcpyFromSymbol(&sum, total, sizeof sum);
  cudaFree(d_x);
  return sum;
}
