/* cuModule…: device code in the current context. */
#include "jit.h"
#include "module.h"

static CUresult load(CUmodule *module, const void *bytes, const char *path,
                     unsigned max_registers)
{
  if (module == NULL || (bytes == NULL && path == NULL))
    return CUDA_ERROR_INVALID_VALUE;
  return module_open(module, context_current(), bytes, path, max_registers);
}

API CUresult cuModuleLoad(CUmodule *module, const char *path)
{
  SERVE_STATUS(load(module, NULL, path, 0));
}

API CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
  SERVE_STATUS(load(module, image, NULL, 0));
}

API CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
  SERVE_STATUS(load(module, image, NULL, 0));
}

static CUresult load_with(CUmodule *module, const void *image, unsigned n,
                          const int *options, void **values)
{
  struct jit jit;
  CUresult status = jit_read(&jit, n, options, values);
  if (status != CUDA_SUCCESS)
    return status;
  status = load(module, image, NULL, jit.max_registers);
  jit_write(&jit, JIT_INFO, "");
  jit_write(&jit, JIT_ERROR, status != CUDA_SUCCESS ? state_message() : "");
  return status;
}

API CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n,
                                const int *options, void **values)
{
  SERVE_STATUS(load_with(module, image, n, options, values));
}

static CUresult unload(CUmodule module)
{
  cudaError_t error = state_settle();
  return error != cudaSuccess ? status_of(error) : module_close(module);
}

API CUresult cuModuleUnload(CUmodule module) { SERVE_STATUS(unload(module)); }

static CUresult get_function(CUfunction *function, CUmodule module,
                             const char *name)
{
  if (function == NULL || name == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (!module_is_known(module))
    return CUDA_ERROR_INVALID_HANDLE;
  return module_function(module, name, function);
}

API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                                 const char *name)
{
  SERVE_STATUS(get_function(function, module, name));
}

static CUresult get_global(CUdeviceptr *address, size_t *bytes, CUmodule module,
                           const char *name)
{
  if (name == NULL || (address == NULL && bytes == NULL))
    return CUDA_ERROR_INVALID_VALUE;
  if (!module_is_known(module))
    return CUDA_ERROR_INVALID_HANDLE;
  return module_variable(module, name, address, bytes);
}

API CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes,
                                  CUmodule module, const char *name)
{
  SERVE_STATUS(get_global(address, bytes, module, name));
}

API CUresult cuModuleGetLoadingMode(int *mode)
{
  const int lazy = 2;
  if (mode == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *mode = lazy;
  return CUDA_SUCCESS;
}
