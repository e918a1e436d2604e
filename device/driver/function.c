/* cuFuncGetAttribute and its relatives, answered by the runtime's functions. */
#include "function.h"

#include "module.h"

static int attribute_value(const struct cudaFuncAttributes *a,
                           CUfunction_attribute attribute)
{
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: return a->maxThreadsPerBlock;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: return (int)a->sharedSizeBytes;
  case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: return (int)a->constSizeBytes;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: return (int)a->localSizeBytes;
  case CU_FUNC_ATTRIBUTE_NUM_REGS: return a->numRegs;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION: return a->ptxVersion;
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION: return a->binaryVersion;
  case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: return a->cacheModeCA;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    return a->maxDynamicSharedSizeBytes;
  case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
    return a->preferredShmemCarveout;
  case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    return a->clusterDimMustBeSet;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH: return a->requiredClusterWidth;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    return a->requiredClusterHeight;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH: return a->requiredClusterDepth;
  case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
    return a->nonPortableClusterSizeAllowed;
  default: return 0;
  }
}

CUresult function_get(int *value, CUfunction_attribute attribute,
                      CUfunction function)
{
  struct cudaFuncAttributes attributes;
  if (value == NULL || (unsigned)attribute >= CU_FUNC_ATTRIBUTE_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = core_func_get_attributes(&attributes, function);
  if (error == cudaSuccess)
    *value = attribute_value(&attributes, attribute);
  return status_of(error);
}

/* Those that can be set have the same number in both APIs. */
CUresult function_set(CUfunction function, CUfunction_attribute attribute,
                      int value)
{
  if (attribute < CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
      attribute >= CU_FUNC_ATTRIBUTE_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  return status_of(core_func_set_attribute(
      function, (enum cudaFuncAttribute)attribute, value));
}

API CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute,
                                CUfunction function)
{
  SERVE_STATUS(function_get(value, attribute, function));
}

API CUresult cuFuncSetAttribute(CUfunction function,
                                CUfunction_attribute attribute, int value)
{
  SERVE_STATUS(function_set(function, attribute, value));
}

API CUresult cuFuncSetCacheConfig(CUfunction function, int config)
{
  SERVE(core_func_set_cache_config(function, config));
}

API CUresult cuFuncGetName(const char **name, CUfunction function)
{
  SERVE(core_func_get_name(name, function));
}

API CUresult cuFuncGetParamInfo(CUfunction function, size_t index,
                                size_t *offset, size_t *bytes)
{
  SERVE(core_func_get_param_info(function, index, offset, bytes));
}

static CUresult get_module(CUmodule *module, CUfunction function)
{
  if (module == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (registry_function(function) == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  *module = module_of(function);
  return *module != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_SUPPORTED;
}

API CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
  SERVE_STATUS(get_module(module, function));
}

static CUresult is_loaded(int *state, CUfunction function)
{
  if (state == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *state = 1;
  return registry_function(function) != NULL ? CUDA_SUCCESS
                                             : CUDA_ERROR_INVALID_HANDLE;
}

API CUresult cuFuncIsLoaded(int *state, CUfunction function)
{
  SERVE_STATUS(is_loaded(state, function));
}

API CUresult cuFuncLoad(CUfunction function)
{
  int state;
  SERVE_STATUS(is_loaded(&state, function));
}
