/* cuKernel…: the attributes of a kernel on a device that is named. */
#include "context.h"
#include "function.h"

static CUresult on_device(CUdevice device, struct state_context *before,
                          int *current)
{
  if (device < 0 || device >= config()->n_devices)
    return CUDA_ERROR_INVALID_DEVICE;
  *before = context_visit(device, current);
  return CUDA_SUCCESS;
}

static CUresult get(int *value, CUfunction_attribute attribute, CUkernel kernel,
                    CUdevice device)
{
  int current;
  struct state_context before;
  CUresult status = on_device(device, &before, &current);
  if (status != CUDA_SUCCESS)
    return status;
  status = function_get(value, attribute, kernel);
  context_return(before, current);
  return status;
}

API CUresult cuKernelGetAttribute(int *value, CUfunction_attribute attribute,
                                  CUkernel kernel, CUdevice device)
{
  SERVE_AFTER(DRIVER_INIT, get(value, attribute, kernel, device));
}

static CUresult set(CUkernel kernel, CUfunction_attribute attribute, int value,
                    CUdevice device)
{
  int current;
  struct state_context before;
  CUresult status = on_device(device, &before, &current);
  if (status != CUDA_SUCCESS)
    return status;
  status = function_set(kernel, attribute, value);
  context_return(before, current);
  return status;
}

API CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value,
                                  CUkernel kernel, CUdevice device)
{
  SERVE_AFTER(DRIVER_INIT, set(kernel, attribute, value, device));
}

API CUresult cuKernelSetCacheConfig(CUkernel kernel, int config,
                                    CUdevice device)
{
  (void)device;
  SERVE_INIT(core_func_set_cache_config(kernel, config));
}

API CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
  SERVE_INIT(core_func_get_name(name, kernel));
}

API CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset,
                                  size_t *bytes)
{
  SERVE_INIT(core_func_get_param_info(kernel, index, offset, bytes));
}
