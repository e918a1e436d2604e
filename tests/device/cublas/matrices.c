#include "matrices.h"

cublasHandle_t begin(void)
{
  cublasHandle_t handle;
  CHECK_EQUAL(cublasCreate(&handle), OK);
  return handle;
}

void *upload(const void *values, size_t bytes)
{
  void *device;
  CHECK_EQUAL(cudaMalloc(&device, bytes), cudaSuccess);
  CHECK_EQUAL(cudaMemcpy(device, values, bytes, cudaMemcpyHostToDevice),
              cudaSuccess);
  return device;
}

void download(void *values, const void *device, size_t bytes)
{
  CHECK_EQUAL(cudaMemcpy(values, device, bytes, cudaMemcpyDeviceToHost),
              cudaSuccess);
}

double number(unsigned i)
{
  return (double)(i * 2654435761u >> 16 & 15) - 7;
}
