/* How many blocks of a kernel fit on a multiprocessor. */
#include "driver.h"

API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n_blocks,
                                                         CUfunction function,
                                                         int block_threads,
                                                         size_t dynamic_bytes)
{
  SERVE(core_occupancy_max_active_blocks_per_multiprocessor(
      n_blocks, function, block_threads, dynamic_bytes));
}

API CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *n_blocks, CUfunction function, int block_threads, size_t dynamic_bytes,
    unsigned flags)
{
  SERVE(core_occupancy_max_active_blocks_per_multiprocessor_with_flags(
      n_blocks, function, block_threads, dynamic_bytes, flags));
}

API CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamic_bytes,
                                                     CUfunction function,
                                                     int n_blocks,
                                                     int block_threads)
{
  SERVE(core_occupancy_available_shared_memory_per_block(
      dynamic_bytes, function, n_blocks, block_threads));
}

static CUresult
clusters(int *value, CUfunction function, const CUlaunchConfig *c,
         cudaError_t (*ask)(int *, const void *, const cudaLaunchConfig_t *))
{
  if (c == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  cudaLaunchConfig_t config = { { c->grid_x, c->grid_y, c->grid_z },
                                { c->block_x, c->block_y, c->block_z },
                                c->shared_bytes,
                                c->stream,
                                c->attributes,
                                c->n_attributes };
  return status_of(ask(value, function, &config));
}

API CUresult cuOccupancyMaxActiveClusters(int *n_clusters, CUfunction function,
                                          const CUlaunchConfig *config)
{
  SERVE_STATUS(clusters(n_clusters, function, config,
                        core_occupancy_max_active_clusters));
}

API CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function,
                                                const CUlaunchConfig *config)
{
  SERVE_STATUS(clusters(size, function, config,
                        core_occupancy_max_potential_cluster_size));
}

/* Tries block sizes from the largest down, as the runtime API's header does:
 * the first of those that keep most threads resident wins. */
static cudaError_t search(CUfunction function, CUoccupancyB2DSize *bytes_of,
                          size_t dynamic_bytes, int limit, int *best_threads,
                          int *best_blocks)
{
  int best = 0;
  *best_threads = *best_blocks = 0;
  int top = (limit + WARP_THREADS - 1) / WARP_THREADS * WARP_THREADS;
  for (int tried = top; tried > 0; tried -= WARP_THREADS) {
    int threads = tried < limit ? tried : limit, n_blocks;
    size_t bytes = bytes_of != NULL ? bytes_of(threads) : dynamic_bytes;
    cudaError_t error = core_occupancy_max_active_blocks_per_multiprocessor(
        &n_blocks, function, threads, bytes);
    if (error != cudaSuccess)
      return error;
    if (n_blocks * threads > best) {
      best = n_blocks * threads;
      *best_threads = threads;
      *best_blocks = n_blocks;
    }
  }
  return cudaSuccess;
}

static CUresult potential(int *grid, int *block, CUfunction function,
                          CUoccupancyB2DSize *bytes_of, size_t dynamic_bytes,
                          int limit, unsigned flags)
{
  struct cudaFuncAttributes attributes;
  struct cudaDeviceProp properties;
  int threads, n_blocks;
  if (grid == NULL || block == NULL || flags > 1 || limit < 0)
    return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = core_func_get_attributes(&attributes, function);
  if (error == cudaSuccess)
    error = core_get_device_properties(&properties, current_device());
  if (error != cudaSuccess)
    return status_of(error);
  if (limit == 0 || limit > attributes.maxThreadsPerBlock)
    limit = attributes.maxThreadsPerBlock;
  error = search(function, bytes_of, dynamic_bytes, limit, &threads, &n_blocks);
  if (error == cudaSuccess) {
    *block = threads;
    *grid = n_blocks * properties.multiProcessorCount;
  }
  return status_of(error);
}

API CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block,
                                              CUfunction function,
                                              CUoccupancyB2DSize *bytes_of,
                                              size_t dynamic_bytes, int limit)
{
  SERVE_STATUS(
      potential(grid, block, function, bytes_of, dynamic_bytes, limit, 0));
}

API CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(
    int *grid, int *block, CUfunction function, CUoccupancyB2DSize *bytes_of,
    size_t dynamic_bytes, int limit, unsigned flags)
{
  SERVE_STATUS(
      potential(grid, block, function, bytes_of, dynamic_bytes, limit, flags));
}
