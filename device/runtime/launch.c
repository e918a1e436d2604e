/* The launch calls. kernel<<<grid, block, bytes, stream>>>(…) compiles to a
 * push of the configuration, a call of the kernel's host stub, and in there a
 * pop and __cudaLaunchKernel. */
#include "launch.h"

#include "state.h"

#define PUSHED 8 /* an argument's expression may itself launch a kernel */

static _Thread_local struct configuration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
} pushed[PUSHED];
static _Thread_local unsigned n_pushed;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                     cudaStream_t stream)
{
  if (n_pushed == PUSHED)
    return state_leave(cudaErrorMissingConfiguration);
  pushed[n_pushed++] =
      (struct configuration){ grid, block, shared_bytes, stream };
  return cudaSuccess;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block,
                                       size_t *shared_bytes, void *stream)
{
  if (n_pushed == 0)
    return state_leave(cudaErrorMissingConfiguration);
  const struct configuration *top = &pushed[--n_pushed];
  *grid = top->grid;
  *block = top->block;
  *shared_bytes = top->shared_bytes;
  *(cudaStream_t *)stream = top->stream;
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block,
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
                                    { 0, 0, 0 } };
  return state_leave(launch_request_run(&request));
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                               void **arguments, size_t shared_bytes,
                               cudaStream_t stream)
{
  return cudaLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block,
                                        void **arguments, size_t shared_bytes,
                                        cudaStream_t stream)
{
  struct launch_request request = { registry_function(host),
                                    grid,
                                    block,
                                    arguments,
                                    shared_bytes,
                                    stream,
                                    true,
                                    { 0, 0, 0 } };
  return state_leave(launch_request_run(&request));
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

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                const void *host, void **arguments)
{
  if (config == NULL || (config->numAttrs > 0 && config->attrs == NULL))
    return state_leave(cudaErrorInvalidValue);
  struct launch_request request = { registry_function(host),
                                    config->gridDim,
                                    config->blockDim,
                                    arguments,
                                    config->dynamicSmemBytes,
                                    config->stream,
                                    false,
                                    { 0, 0, 0 } };
  for (unsigned i = 0; i < config->numAttrs; i++) {
    cudaError_t error = apply(&config->attrs[i], &request);
    if (error != cudaSuccess)
      return state_leave(error);
  }
  return state_leave(launch_request_run(&request));
}
