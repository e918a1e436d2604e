// expect: misaligned address | in kernel odd_address | out of bounds | in kernel past_end | device memory never freed | checks: 3 findings
// An access that was told of is left out, and its error does not stick: the
// kernels behind it are checked, too.
#include <stdio.h>

#ifdef FIXED
#define BROKEN 0
#else
#define BROKEN 1
#endif

__global__ void odd_address(char *data) { *(int *)(data + BROKEN) = 1; }

__global__ void past_end(int *data, int n) { data[n - 1 + BROKEN] = 2; }

__global__ void right(int *data) { data[1] = 3; }

int main(void)
{
  int *data, values[4];

  cudaMalloc((void **)&data, sizeof values);
  cudaMemset(data, 0, sizeof values);
  odd_address<<<1, 1>>>((char *)data);
  if ((cudaDeviceSynchronize() == cudaErrorMisalignedAddress) != BROKEN)
    return 1;
  past_end<<<1, 1>>>(data, 4);
  if ((cudaDeviceSynchronize() == cudaErrorIllegalAddress) != BROKEN)
    return 1;
  right<<<1, 1>>>(data);
  if (cudaDeviceSynchronize() != cudaSuccess ||
      cudaMemcpy(values, data, sizeof values, cudaMemcpyDefault) !=
          cudaSuccess ||
      values[1] != 3 || values[3] != (BROKEN ? 0 : 2))
    return 1;
  puts(cudaGetErrorString(cudaGetLastError()));
  if (!BROKEN)
    cudaFree(data);
  return 0;
}
