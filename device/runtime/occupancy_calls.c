/* The occupancy queries: a kernel's needs, and the arithmetic of
 * occupancy.c. */
#include "occupancy.h"
#include "registry.h"
#include "state.h"

static cudaError_t describe(const void *host, struct kernel_info *info,
                            const struct function **function)
{
  const struct kernel *kernel;
  *function = registry_function(host);
  if (*function == NULL)
    return cudaErrorInvalidDeviceFunction;
  cudaError_t error = function_load(*function, current_device(), &kernel);
  if (error == cudaSuccess)
    kernel_describe(kernel, info);
  return error;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *n_blocks, const void *host, int block_threads, size_t dynamic_bytes,
    unsigned flags)
{
  struct kernel_info info;
  const struct function *function;
  cudaError_t error = state_settle();
  if (error == cudaSuccess &&
      (n_blocks == NULL || block_threads <= 0 || flags > 1))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = describe(host, &info, &function);
  if (error != cudaSuccess)
    return state_leave(error);
  struct occupancy_use use = {block_threads, (int)info.registers,
                              info.static_shared_bytes + dynamic_bytes};
  *n_blocks = (unsigned)block_threads > info.max_threads
                  ? 0
                  : occupancy_blocks(current_model(), &use);
  return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *n_blocks, const void *host, int block_threads,
    size_t dynamic_bytes)
{
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      n_blocks, host, block_threads, dynamic_bytes, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamic_bytes,
                                                      const void *host,
                                                      int n_blocks,
                                                      int block_threads)
{
  struct kernel_info info;
  const struct function *function;
  cudaError_t error = state_settle();
  if (error == cudaSuccess &&
      (dynamic_bytes == NULL || n_blocks <= 0 || block_threads <= 0))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = describe(host, &info, &function);
  if (error == cudaSuccess)
    *dynamic_bytes = occupancy_shared(current_model(), n_blocks,
                                      info.static_shared_bytes);
  return state_leave(error);
}
