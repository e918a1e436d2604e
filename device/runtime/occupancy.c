#include "occupancy.h"

#include "registry.h"
#include "state.h"

static size_t round_up(size_t n, size_t multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

static int least(int a, int b) { return a < b ? a : b; }

/* Registers are given to whole warps, and each of the four parts of a
 * multiprocessor has a quarter of them. */
static int by_registers(const struct occupancy_use *use, int warps) {
  if (use->registers <= 0)
    return BLOCK_THREADS;
  size_t per_warp =
      round_up((size_t)use->registers * WARP_THREADS, REGISTER_GRANULARITY);
  size_t per_part = REGISTERS / WARP_GRANULARITY / per_warp;
  return (int)(per_part * WARP_GRANULARITY) / warps;
}

static int by_shared(const struct device_model *model,
                     const struct occupancy_use *use) {
  size_t reserved = (size_t)device_model_reserved_shared(model);
  size_t bytes = round_up(use->shared_bytes + reserved,
                          (size_t)model->shared_granularity);
  if (use->shared_bytes > (size_t)model->shared_optin_bytes)
    return 0;
  size_t blocks = bytes == 0 ? (size_t)model->blocks
                             : (size_t)model->shared_bytes / bytes;
  return (int)blocks;
}

int occupancy_blocks(const struct device_model *model,
                     const struct occupancy_use *use) {
  if (use->block_threads <= 0 || use->block_threads > BLOCK_THREADS)
    return 0;
  int warps = (use->block_threads + WARP_THREADS - 1) / WARP_THREADS;
  int blocks = least(model->blocks, model->threads / WARP_THREADS / warps);
  blocks = least(blocks, by_registers(use, warps));
  return least(blocks, by_shared(model, use));
}

size_t occupancy_shared(const struct device_model *model, int n_blocks,
                        size_t static_bytes) {
  size_t granularity = (size_t)model->shared_granularity;
  size_t taken = static_bytes + (size_t)device_model_reserved_shared(model);
  size_t each = (size_t)model->shared_bytes / (size_t)n_blocks;
  each = each / granularity * granularity;
  size_t rest = each > taken ? each - taken : 0;
  size_t most = (size_t)model->shared_optin_bytes - static_bytes;
  return rest < most ? rest : most;
}

static cudaError_t describe(const void *host, struct kernel_info *info,
                            const struct function **function) {
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
    unsigned flags) {
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
    size_t dynamic_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      n_blocks, host, block_threads, dynamic_bytes, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamic_bytes,
                                                      const void *host,
                                                      int n_blocks,
                                                      int block_threads) {
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
