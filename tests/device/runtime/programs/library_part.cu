// A library with kernels, which nvcc links with a runtime of its own.
__global__ void scale(float *data, float factor)
{
  data[threadIdx.x] *= factor;
}

extern "C" float scaled_sum(void)
{
  float host[32], *data, sum = 0;
  for (int i = 0; i < 32; i++)
    host[i] = (float)i;
  if (cudaMalloc(&data, sizeof host) != cudaSuccess)
    return -1;
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<1, 32>>>(data, 2);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(data);
  for (int i = 0; i < 32; i++)
    sum += host[i];
  return sum;
}
