/* Attributes of kernels. */
#include <string.h>

#include "occupancy.h"
#include "registry.h"
#include "state.h"

static cudaError_t describe(const void *host, const struct function *function,
                            struct kernel_info *info)
{
  const struct kernel *kernel;
  if (function == NULL)
    return function_unknown(host);
  cudaError_t error = function_load(function, current_device(), &kernel);
  if (error == cudaSuccess)
    kernel_describe(kernel, info);
  return error;
}

static void fill(struct cudaFuncAttributes *attributes,
                 const struct function *function,
                 const struct kernel_info *info, int device)
{
  int dynamic = function->dynamic_shared_limit[device];
  int rest = SHARED_BLOCK_BYTES - (int)info->static_shared_bytes;
  int threads = occupancy_most_threads((int)info->least_registers);
  *attributes = (struct cudaFuncAttributes){
    .sharedSizeBytes = info->static_shared_bytes,
    .constSizeBytes = info->constant_bytes,
    .localSizeBytes = info->local_bytes,
    .maxThreadsPerBlock =
        threads < (int)info->max_threads ? threads : (int)info->max_threads,
    .numRegs = (int)info->registers,
    .ptxVersion = info->ptx_target,
    .binaryVersion = config()->capability,
    .maxDynamicSharedSizeBytes = dynamic > 0 ? dynamic : rest,
    .preferredShmemCarveout = function->carveout[device] - 1,
    .clusterDimMustBeSet = info->cluster[0] != 0,
    .requiredClusterWidth =
        info->cluster[0] != 0 ? (int)info->cluster[0] : function->cluster[0],
    .requiredClusterHeight =
        info->cluster[0] != 0 ? (int)info->cluster[1] : function->cluster[1],
    .requiredClusterDepth =
        info->cluster[0] != 0 ? (int)info->cluster[2] : function->cluster[2],
    .nonPortableClusterSizeAllowed = function->large_clusters,
  };
}

size_t function_answer(void *attributes, size_t most,
                       const struct kernel_info *info, int device)
{
  static const struct function nothing_set;
  struct cudaFuncAttributes answer;
  size_t bytes = sizeof answer < most ? sizeof answer : most;
  fill(&answer, &nothing_set, info, device);
  memcpy(attributes, &answer, bytes);
  return bytes;
}

cudaError_t core_func_get_attributes(struct cudaFuncAttributes *attributes,
                                     const void *host)
{
  struct kernel_info info;
  const struct function *function = registry_function(host);
  cudaError_t error = state_settle();
  if (error == cudaSuccess && attributes == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = describe(host, function, &info);
  if (error == cudaSuccess)
    fill(attributes, function, &info, current_device());
  return error;
}

static cudaError_t set(struct function *function,
                       const struct kernel_info *info,
                       enum cudaFuncAttribute attribute, int value, int device)
{
  int most =
      current_model()->shared_optin_bytes - (int)info->static_shared_bytes;
  switch (attribute) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize:
    if (value < 0 || value > most)
      return cudaErrorInvalidValue;
    function->dynamic_shared_limit[device] = value;
    return cudaSuccess;
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    if (value < -1 || value > 100)
      return cudaErrorInvalidValue;
    function->carveout[device] = value + 1;
    return cudaSuccess;
  case cudaFuncAttributeRequiredClusterWidth:
  case cudaFuncAttributeRequiredClusterHeight:
  case cudaFuncAttributeRequiredClusterDepth:
    if (value < 0 || value > LARGE_CLUSTER_BLOCKS || info->cluster[0] != 0)
      return cudaErrorInvalidValue;
    function->cluster[attribute - cudaFuncAttributeRequiredClusterWidth] =
        value;
    return cudaSuccess;
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
    if (value != 0 && value != 1)
      return cudaErrorInvalidValue;
    function->large_clusters = value != 0;
    return cudaSuccess;
  case cudaFuncAttributeClusterSchedulingPolicyPreference:
    return value >= 0 && value <= 2 ? cudaSuccess : cudaErrorInvalidValue;
  default: return cudaErrorInvalidValue;
  }
}

cudaError_t core_func_set_attribute(const void *host,
                                    enum cudaFuncAttribute attribute, int value)
{
  struct kernel_info info;
  struct function *function = registry_function(host);
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = describe(host, function, &info);
  if (error == cudaSuccess)
    error = set(function, &info, attribute, value, current_device());
  return error;
}

cudaError_t
core_kernel_set_attribute_for_device(cudaKernel_t kernel,
                                     enum cudaFuncAttribute attribute,
                                     int value, int device)
{
  struct kernel_info info;
  struct function *function = registry_function(kernel);
  cudaError_t error = state_settle();
  if (error == cudaSuccess && (device < 0 || device >= config()->n_devices))
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess)
    error = describe(kernel, function, &info);
  if (error == cudaSuccess)
    error = set(function, &info, attribute, value, device);
  return error;
}

/* Preferences, see limit.c. */
static cudaError_t prefer(const void *host, int config, int most)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && registry_function(host) == NULL)
    error = function_unknown(host);
  if (error == cudaSuccess && (config < 0 || config > most))
    error = cudaErrorInvalidValue;
  return error;
}

cudaError_t core_func_set_cache_config(const void *host, int config)
{
  struct function *function = registry_function(host);
  cudaError_t error = prefer(host, config, 3);
  if (error == cudaSuccess)
    function->cache_config[current_device()] = config;
  return error;
}

cudaError_t core_func_set_shared_mem_config(const void *host, int config)
{
  return prefer(host, config, 2);
}

cudaError_t core_func_get_name(const char **name, const void *host)
{
  const struct function *function = registry_function(host);
  cudaError_t error = state_settle();
  if (error == cudaSuccess && name == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && function == NULL)
    error = cudaErrorInvalidDeviceFunction;
  if (error == cudaSuccess)
    *name = function->name;
  return error;
}

cudaError_t core_func_get_param_info(const void *host, size_t index,
                                     size_t *offset, size_t *bytes)
{
  struct kernel_info info;
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = describe(host, registry_function(host), &info);
  if (error == cudaSuccess && (offset == NULL || index >= info.n_parameters))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess) {
    *offset = info.parameters[index].offset;
    if (bytes != NULL)
      *bytes = info.parameters[index].bytes;
  }
  return error;
}
