/* The occupancy queries: a kernel's needs, and the arithmetic of
 * occupancy.c. */
#include "launch.h"
#include "occupancy.h"
#include "registry.h"
#include "state.h"

static cudaError_t describe(const void *host, struct kernel_info *info,
                            const struct function **function)
{
  const struct kernel *kernel;
  *function = registry_function(host);
  if (*function == NULL)
    return function_unknown(host);
  cudaError_t error = function_load(*function, current_device(), &kernel);
  if (error == cudaSuccess)
    kernel_describe(kernel, info);
  return error;
}

/* Dynamic shared bytes that a launch may ask for, as cudaFuncGetAttributes
 * says. */
static size_t dynamic_limit(const struct function *function,
                            const struct kernel_info *info)
{
  int set = function->dynamic_shared_limit[current_device()];
  return set > 0 ? (size_t)set : SHARED_BLOCK_BYTES - info->static_shared_bytes;
}

/* Per cent of the most shared memory that the kernel prefers, -1: none. A
 * cache configuration stands for one, as an H200's driver answers: none,
 * shared memory, L1, both equally. */
static int preferred_percent(const struct function *function)
{
  static const int of_config[] = { -1, 100, 0, 50 };
  int set = function->carveout[current_device()] - 1;
  return set >= 0 ? set : of_config[function->cache_config[current_device()]];
}

/* As an H200's driver does: the kernel's launch bounds are not looked at, but
 * how much dynamic shared memory it may have is. */
static int count_blocks(const struct device_model *model,
                        const struct kernel_info *info, int percent,
                        size_t most_dynamic, int block_threads,
                        size_t dynamic_bytes)
{
  size_t shared_bytes = info->static_shared_bytes + dynamic_bytes;
  struct occupancy_use use = { .block_threads = block_threads,
                               .registers = (int)info->registers,
                               .shared_bytes = shared_bytes,
                               .pool_bytes = occupancy_pool(model, percent,
                                                            shared_bytes) };
  return dynamic_bytes > most_dynamic ? 0 : occupancy_blocks(model, &use);
}

cudaError_t occupancy_answer(int *n_blocks, const struct kernel_info *info,
                             int block_threads, size_t dynamic_bytes,
                             unsigned flags)
{
  if (block_threads <= 0 || flags > 1)
    return cudaErrorInvalidValue;
  *n_blocks = count_blocks(current_model(), info, -1,
                           SHARED_BLOCK_BYTES - info->static_shared_bytes,
                           block_threads, dynamic_bytes);
  return cudaSuccess;
}

cudaError_t core_occupancy_max_active_blocks_per_multiprocessor_with_flags(
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
    return error;
  *n_blocks = count_blocks(current_model(), &info, preferred_percent(function),
                           dynamic_limit(function, &info), block_threads,
                           dynamic_bytes);
  return cudaSuccess;
}

cudaError_t core_occupancy_max_active_blocks_per_multiprocessor(
    int *n_blocks, const void *host, int block_threads, size_t dynamic_bytes)
{
  return core_occupancy_max_active_blocks_per_multiprocessor_with_flags(
      n_blocks, host, block_threads, dynamic_bytes, 0);
}

/* As an H200's driver answers: no more than the kernel may have, and an error
 * for more blocks than fit without any. */
cudaError_t core_occupancy_available_shared_memory_per_block(
    size_t *dynamic_bytes, const void *host, int n_blocks, int block_threads)
{
  struct kernel_info info;
  const struct function *function;
  int fitting = 0;
  cudaError_t error = state_settle();
  if (error == cudaSuccess &&
      (dynamic_bytes == NULL || n_blocks <= 0 || block_threads <= 0))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = describe(host, &info, &function);
  if (error == cudaSuccess)
    error = core_occupancy_max_active_blocks_per_multiprocessor(
        &fitting, host, block_threads, 0);
  if (error == cudaSuccess && n_blocks > fitting)
    error = cudaErrorInvalidValue;
  if (error != cudaSuccess)
    return error;
  size_t limit = dynamic_limit(function, &info);
  size_t fits = occupancy_shared(current_model(), preferred_percent(function),
                                 n_blocks, info.static_shared_bytes);
  *dynamic_bytes = fits < limit ? fits : limit;
  return cudaSuccess;
}

/* ---- clusters -------- */

/* A cluster lies in one group of multiprocessors, and no multiprocessor holds
 * more than eight of its kernel's blocks. Which groups there are differs from
 * one GPU to the next; these are those of the H200 whose answers for clusters
 * of 1 to 17 blocks, of 1 to 8 blocks a multiprocessor, they all explain. A
 * cluster wants a group with as many multiprocessors as it has blocks, even
 * where fewer would hold it. */
enum { CLUSTER_SM_BLOCKS = 8 };
static const struct {
  int groups, multiprocessors;
} groups[] = { { 2, 18 }, { 5, 16 }, { 1, 8 }, { 4, 2 } };

static int active_clusters(int sm_blocks, int cluster_blocks)
{
  int n = 0;
  if (sm_blocks > CLUSTER_SM_BLOCKS)
    sm_blocks = CLUSTER_SM_BLOCKS;
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    if (groups[i].multiprocessors >= cluster_blocks)
      n += groups[i].groups *
           (groups[i].multiprocessors * sm_blocks / cluster_blocks);
  return n;
}

/* Of a configuration that could be launched: the kernel, its cluster, and the
 * blocks on a multiprocessor. */
static cudaError_t describe_launch(const void *host,
                                   const cudaLaunchConfig_t *config,
                                   const struct function **function,
                                   dim3 *cluster, int *blocks)
{
  struct kernel_info info;
  bool is_explicit;
  cudaError_t error = state_settle();
  if (error == cudaSuccess &&
      (config == NULL || (config->numAttrs > 0 && config->attrs == NULL)))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = describe(host, &info, function);
  if (error != cudaSuccess)
    return error;
  struct launch_request request = { .function = registry_function(host),
                                    .grid = config->gridDim,
                                    .block = config->blockDim,
                                    .dynamic_bytes = config->dynamicSmemBytes };
  for (unsigned i = 0; error == cudaSuccess && i < config->numAttrs; i++)
    if (config->attrs[i].id == cudaLaunchAttributeClusterDimension) {
      request.cluster = (dim3){ config->attrs[i].val.clusterDim.x,
                                config->attrs[i].val.clusterDim.y,
                                config->attrs[i].val.clusterDim.z };
      if (request.cluster.x == 0)
        error = cudaErrorInvalidClusterSize;
    }
  if (error == cudaSuccess)
    error = launch_cluster(&request, &info, cluster, &is_explicit);
  if (error != cudaSuccess)
    return error;
  return core_occupancy_max_active_blocks_per_multiprocessor(
      blocks, host,
      (int)(config->blockDim.x * config->blockDim.y * config->blockDim.z),
      config->dynamicSmemBytes);
}

static size_t most_blocks(const struct function *function)
{
  if (current_model()->capability < 90)
    return 1;
  return function->large_clusters ? LARGE_CLUSTER_BLOCKS : CLUSTER_BLOCKS;
}

cudaError_t core_occupancy_max_active_clusters(int *n_clusters,
                                               const void *host,
                                               const cudaLaunchConfig_t *config)
{
  const struct function *function;
  dim3 cluster;
  int blocks;
  cudaError_t error = cudaErrorInvalidValue;
  if (n_clusters != NULL)
    error = describe_launch(host, config, &function, &cluster, &blocks);
  if (error != cudaSuccess)
    return error;
  *n_clusters =
      active_clusters(blocks, (int)(cluster.x * cluster.y * cluster.z));
  return cudaSuccess;
}

cudaError_t
core_occupancy_max_potential_cluster_size(int *size, const void *host,
                                          const cudaLaunchConfig_t *config)
{
  const struct function *function;
  dim3 cluster;
  int blocks;
  cudaError_t error = cudaErrorInvalidValue;
  if (size != NULL)
    error = describe_launch(host, config, &function, &cluster, &blocks);
  if (error != cudaSuccess)
    return error;
  *size = blocks == 0 ? 0 : (int)most_blocks(function);
  return cudaSuccess;
}
