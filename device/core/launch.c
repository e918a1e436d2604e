/* The launch calls. */
#include "launch.h"

#include "state.h"

cudaError_t core_launch_kernel(const void *host, dim3 grid, dim3 block,
                               void **arguments, size_t shared_bytes,
                               cudaStream_t stream)
{
  struct launch_request request = { registry_function(host),
                                    grid,
                                    block,
                                    arguments,
                                    shared_bytes,
                                    stream,
                                    false,
                                    { 0, 0, 0 },
                                    false,
                                    NULL,
                                    host };
  return launch_request_run(&request);
}

cudaError_t core_launch_cooperative_kernel(const void *host, dim3 grid,
                                           dim3 block, void **arguments,
                                           size_t shared_bytes,
                                           cudaStream_t stream)
{
  struct launch_request request = { registry_function(host),
                                    grid,
                                    block,
                                    arguments,
                                    shared_bytes,
                                    stream,
                                    true,
                                    { 0, 0, 0 },
                                    false,
                                    NULL,
                                    host };
  return launch_request_run(&request);
}

/* Attributes that ask for speed or priority change nothing here. Those that
 * change what a kernel may do are served or refused. */
static cudaError_t apply(const cudaLaunchAttribute *attribute,
                         struct launch_request *request)
{
  const cudaLaunchAttributeValue *value = &attribute->val;
  switch (attribute->id) {
  case cudaLaunchAttributeCooperative:
    request->cooperative = value->cooperative != 0;
    return cudaSuccess;
  case cudaLaunchAttributeClusterDimension:
    request->cluster =
        (dim3){ value->clusterDim.x, value->clusterDim.y, value->clusterDim.z };
    return request->cluster.x != 0 ? cudaSuccess : cudaErrorInvalidClusterSize;
  case cudaLaunchAttributeIgnore:
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeSynchronizationPolicy:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributeProgrammaticStreamSerialization:
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
  case cudaLaunchAttributePreferredClusterDimension:
  case cudaLaunchAttributePreferredSharedMemoryCarveout: return cudaSuccess;
  default:
    explain("cudaLaunchKernelExC", "launch attribute %d is not supported",
            (int)attribute->id);
    return cudaErrorNotSupported;
  }
}

cudaError_t core_launch_kernel_ex(const cudaLaunchConfig_t *config,
                                  const void *host, void **arguments)
{
  if (config == NULL || (config->numAttrs > 0 && config->attrs == NULL))
    return cudaErrorInvalidValue;
  struct launch_request request = { registry_function(host),
                                    config->gridDim,
                                    config->blockDim,
                                    arguments,
                                    config->dynamicSmemBytes,
                                    config->stream,
                                    false,
                                    { 0, 0, 0 },
                                    false,
                                    NULL,
                                    host };
  for (unsigned i = 0; i < config->numAttrs; i++) {
    cudaError_t error = apply(&config->attrs[i], &request);
    if (error != cudaSuccess)
      return error;
  }
  return launch_request_run(&request);
}
