// A store beyond an allocation: the message must show this line.
#include <cstdio>

__global__ void scale(float *data)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = 2 * data[i];
}

int main()
{
  float *data;
  cudaMalloc(&data, 1000 * sizeof *data);
  cudaMemset(data, 0, 1000 * sizeof *data);
  scale<<<4, 256>>>(data);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  printf("%s\n", cudaGetErrorString(cudaFree(data)));
  return 1;
}
