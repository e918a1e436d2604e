#include "driver_program.h"

CUdevice begin(void)
{
  CUdevice device;
  CUcontext context;
  CHECK_EQUAL(cuInit(0), CUDA_SUCCESS);
  CHECK_EQUAL(cuDeviceGet(&device, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuDevicePrimaryCtxRetain(&context, device), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxSetCurrent(context), CUDA_SUCCESS);
  return device;
}

const char *kernels_text(void)
{
  const char *path = getenv("KERNELS");
  CHECK(path != NULL);
  return file_text(path);
}

CUmodule load_kernels(void)
{
  CUmodule module;
  CHECK_EQUAL(cuModuleLoadData(&module, kernels_text()), CUDA_SUCCESS);
  return module;
}

CUfunction get_kernel(CUmodule module, const char *name)
{
  CUfunction function;
  CHECK_EQUAL(cuModuleGetFunction(&function, module, name), CUDA_SUCCESS);
  return function;
}

CUresult launch_fill(CUfunction fill, CUdeviceptr address, unsigned value,
                     unsigned n, unsigned blocks, unsigned threads)
{
  void *arguments[] = { &address, &value, &n };
  return cuLaunchKernel(fill, blocks, 1, 1, threads, 1, 1, 0, NULL, arguments,
                        NULL);
}

void launch_into_nowhere(void)
{
  CUdeviceptr nowhere = 4096;
  CUfunction fill = get_kernel(load_kernels(), "fill");
  CHECK_EQUAL(launch_fill(fill, nowhere, 1, 1024, 1, 1024), CUDA_SUCCESS);
}
