/* 120 threads in 3 blocks, each of which prints a number of its own. */
#include <stdio.h>

#include "common/cuda_check.h"

// begin number
__global__ void number(void)
{
  printf("%u\n", blockIdx.x * blockDim.x + threadIdx.x);
}
// end number

int main(void)
{
  number<<<3, 40>>>();
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
}
