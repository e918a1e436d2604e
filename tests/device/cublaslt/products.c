#include "products.h"

static cublasLtHandle_t handle;

__attribute__((destructor)) static void end(void)
{
  if (handle != NULL)
    cublasLtDestroy(handle);
}

cublasLtHandle_t begin(void)
{
  if (handle == NULL)
    CHECK_EQUAL(cublasLtCreate(&handle), OK);
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
