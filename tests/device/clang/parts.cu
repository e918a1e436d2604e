/* A program of two files, each with device code. */
#include <stdio.h>

#include "parts.h"

static __global__ void multiples(int *x, int factor)
{
  x[threadIdx.x] = factor * (int)(threadIdx.x + 1);
}

int main(void)
{
  const int tens[] = { 10, 10, 10, 10 };
  int *x, host[4];

  if (cudaMalloc(&x, sizeof host) != cudaSuccess)
    return 1;
  multiples<<<1, 4>>>(x, FACTOR);
  cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %d %d | %d\n", host[0], host[1], host[2], host[3],
         sum_of(tens, 4));
  return cudaFree(x) != cudaSuccess;
}
