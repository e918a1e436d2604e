/* The first program: the host says hello, then two blocks of four threads
 * on the device do. */
#include <stdio.h>

#include "common/cuda_check.h"

__global__ void hello(void)
{
  printf("Hello from thread %u of block %u\n", threadIdx.x, blockIdx.x);
}

int main(void)
{
  printf("Hello from the host\n");
  hello<<<2, 4>>>();
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  return 0;
}
