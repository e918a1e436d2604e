// A kernel that never ends, whose blocks pause under the race check because
// they use atomics: that it goes round in circles is found all the same.
#include <cstdio>

__global__ void endless(int *total)
{
  __shared__ int stop;

  for (;;) {
    if (threadIdx.x == 0)
      stop = atomicAdd(total, 0);
    __syncthreads();
    if (stop != 0)
      return;
    __syncthreads();
  }
}

int main()
{
  int *total;
  cudaError_t error;

  cudaMalloc(&total, sizeof *total);
  cudaMemset(total, 0, sizeof *total);
  endless<<<3, 64>>>(total);
  error = cudaDeviceSynchronize();
  puts(cudaGetErrorName(error));
  return error != cudaErrorLaunchTimeout;
}
