// expect: memory: out of bounds | right past the end of allocation
#include <cstdio>
__global__ void fill(int *data, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n)
#endif
    data[i] = i;
}
int main()
{
  int *data, n = 1000;
  cudaMalloc(&data, n * sizeof *data);
  fill<<<4, 256>>>(data, n);
  if (cudaDeviceSynchronize() != cudaSuccess)
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  cudaFree(data);
}
