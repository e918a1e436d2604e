/* Both APIs in one process. */
#include <cuda_runtime_api.h>

#include "driver_program.h"

BEHAVIOUR(runtime_makes_the_primary_context_current)
{
  CUcontext current, primary;
  CHECK_EQUAL(cudaFree(NULL), cudaSuccess);
  CHECK_EQUAL(cuCtxGetCurrent(&current), CUDA_SUCCESS);
  CHECK_EQUAL(cuDevicePrimaryCtxRetain(&primary, 0), CUDA_SUCCESS);
  CHECK(current == primary);
}

BEHAVIOUR(memory_of_the_runtime_is_filled_by_the_driver)
{
  int *address, value = 0;
  CHECK_EQUAL(cudaMalloc((void **)&address, 1024), cudaSuccess);
  CUfunction fill = get_kernel(load_kernels(), "fill");
  CHECK_EQUAL(launch_fill(fill, (CUdeviceptr)address, 11, 256, 1, 256),
              CUDA_SUCCESS);
  CHECK_EQUAL(cudaMemcpy(&value, address + 255, 4, cudaMemcpyDeviceToHost),
              cudaSuccess);
  CHECK_EQUAL(value, 11);
}

BEHAVIOUR(error_of_the_driver_is_not_the_runtimes_last)
{
  CUdeviceptr address;
  begin();
  CHECK_EQUAL(cudaFree(NULL), cudaSuccess);
  CHECK_EQUAL(cuMemAlloc(&address, (size_t)1 << 50), CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_EQUAL(cudaGetLastError(), cudaSuccess);
}

BEHAVIOUR(fault_is_seen_by_both)
{
  begin();
  launch_into_nowhere();
  CHECK_EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
}

BEHAVIOUR(streams_are_the_same)
{
  cudaStream_t stream;
  begin();
  CHECK_EQUAL(cudaStreamCreate(&stream), cudaSuccess);
  CHECK_EQUAL(cuStreamSynchronize((CUstream)stream), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamDestroy((CUstream)stream), CUDA_SUCCESS);
}
