/* The first program: the host says hello, then two blocks of four threads
 * on the device do. It needs no other file of this book:
 *
 *   nvcc hello.cu -o hello && ./hello
 */
#include <stdio.h>

__global__ void hello(void)
{
  printf("Hello from thread %u of block %u\n", threadIdx.x, blockIdx.x);
}

int main(void)
{
  printf("Hello from the host\n");
  hello<<<2, 4>>>();

  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess)
    fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
