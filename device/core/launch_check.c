/* The limits of a launch: CUDA Programming Guide, "Technical Specifications
 * per Compute Capability". With CUDA 13.0 and driver 580 an H200 answers
 * cudaErrorInvalidValue to every shape it cannot run; the runtimes before
 * said cudaErrorInvalidConfiguration. */
#include "api_check.h"
#include "launch.h"
#include "occupancy.h"
#include "state.h"

static bool outside(unsigned n, unsigned limit) { return n == 0 || n > limit; }

static cudaError_t check_shape(dim3 grid, dim3 block)
{
  if (outside(grid.x, GRID_DIM_X) || outside(grid.y, GRID_DIM_Y) ||
      outside(grid.z, GRID_DIM_Z))
    return cudaErrorInvalidValue;
  if (outside(block.x, BLOCK_DIM_X) || outside(block.y, BLOCK_DIM_Y) ||
      outside(block.z, BLOCK_DIM_Z))
    return cudaErrorInvalidValue;
  if ((size_t)block.x * block.y * block.z > BLOCK_THREADS)
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

/* Beyond 48 KiB a kernel has to ask by cudaFuncSetAttribute. */
static cudaError_t check_shared(const struct launch_request *request,
                                int device, const struct kernel_info *info)
{
  size_t limit = SHARED_BLOCK_BYTES;
  int allowed = request->function->dynamic_shared_limit[device];
  if (info->static_shared_bytes + (size_t)allowed > limit)
    limit = info->static_shared_bytes + (size_t)allowed;
  if (request->dynamic_bytes > limit ||
      info->static_shared_bytes + request->dynamic_bytes > limit)
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

/* No thread of a block can do with fewer registers than those that are needed at
 * least. Where the estimate is half as large again as what there is, it is
 * hardly ever too high by so much: then a line on stderr says so. */
static cudaError_t check_registers(const struct launch_request *request,
                                   const struct kernel_info *info)
{
  dim3 block = request->block;
  int threads = (int)(block.x * block.y * block.z);
  if (threads > occupancy_most_threads((int)info->least_registers))
    return cudaErrorLaunchOutOfResources;
  if (threads > occupancy_most_threads((int)info->registers * 2 / 3))
    registry_warn_registers(request->function, threads, (int)info->registers);
  return cudaSuccess;
}

/* A barrier across a grid needs all of its blocks to be resident at once. */
static cudaError_t check_cooperative(const struct launch_request *request,
                                     const struct kernel_info *info)
{
  dim3 grid = request->grid, block = request->block;
  struct occupancy_use use = {
    (int)(block.x * block.y * block.z), (int)info->least_registers,
    info->static_shared_bytes + request->dynamic_bytes, 0
  };
  const struct device_model *model = current_model();
  size_t sms = request->partition != NULL ? request->partition->n_sms
                                          : (size_t)model->multiprocessors;
  size_t resident = (size_t)occupancy_blocks(model, &use) * sms;
  if (!request->cooperative || (size_t)grid.x * grid.y * grid.z <= resident)
    return cudaSuccess;
  return cudaErrorCooperativeLaunchTooLarge;
}

/* What the kernel was compiled with, or cudaFuncSetAttribute set. */
static dim3 required_cluster(const struct function *function,
                             const struct kernel_info *info)
{
  const int *set = function->cluster;
  if (info->cluster[0] != 0)
    return (dim3){ info->cluster[0], info->cluster[1], info->cluster[2] };
  if (set[0] > 0 || set[1] > 0 || set[2] > 0)
    return (dim3){ set[0] > 0 ? (unsigned)set[0] : 1u,
                   set[1] > 0 ? (unsigned)set[1] : 1u,
                   set[2] > 0 ? (unsigned)set[2] : 1u };
  return (dim3){ 0, 0, 0 };
}

cudaError_t launch_cluster(const struct launch_request *request,
                           const struct kernel_info *info, dim3 *cluster,
                           bool *is_explicit)
{
  dim3 asked = request->cluster, grid = request->grid;
  dim3 required = required_cluster(request->function, info);
  *is_explicit = required.x != 0 || asked.x != 0;
  *cluster = required.x != 0 ? required : asked;
  if (!*is_explicit) {
    *cluster = (dim3){ 1, 1, 1 };
    return cudaSuccess;
  }
  if (required.x != 0 && asked.x != 0 &&
      (required.x != asked.x || required.y != asked.y || required.z != asked.z))
    return cudaErrorInvalidClusterSize;
  size_t n = (size_t)cluster->x * cluster->y * cluster->z;
  size_t most =
      request->function->large_clusters ? LARGE_CLUSTER_BLOCKS : CLUSTER_BLOCKS;
  if (n > 1 && current_model()->capability < 90)
    most = 1;
  if (n == 0 || n > most || grid.x % cluster->x != 0 ||
      grid.y % cluster->y != 0 || grid.z % cluster->z != 0)
    return cudaErrorInvalidClusterSize;
  return cudaSuccess;
}

static cudaError_t check_cluster(const struct launch_request *request,
                                 const struct kernel_info *info)
{
  dim3 cluster, grid = request->grid;
  bool is_explicit;
  cudaError_t error = launch_cluster(request, info, &cluster, &is_explicit);
  if (error != cudaSuccess)
    api_check_limit("clusters of %u x %u x %u blocks in a grid of %u x %u x "
                    "%u: at most %d blocks from 9.0 on, %d if the kernel "
                    "allows cudaFuncAttributeNonPortableClusterSizeAllowed, "
                    "and a whole number of clusters",
                    cluster.x, cluster.y, cluster.z, grid.x, grid.y, grid.z,
                    CLUSTER_BLOCKS, LARGE_CLUSTER_BLOCKS);
  return error;
}

/* What a refused launch asked for, beside the limit. */
static void report_limit(const struct launch_request *request,
                         const struct kernel_info *info)
{
  dim3 grid = request->grid, block = request->block;
  size_t threads = (size_t)block.x * block.y * block.z;
  size_t shared = info->static_shared_bytes + request->dynamic_bytes;

  if (grid.x == 0 || grid.y == 0 || grid.z == 0 || threads == 0)
    api_check_limit("grid %u x %u x %u, block %u x %u x %u: nothing to run",
                    grid.x, grid.y, grid.z, block.x, block.y, block.z);
  else if (threads > BLOCK_THREADS || block.x > BLOCK_DIM_X ||
           block.y > BLOCK_DIM_Y || block.z > BLOCK_DIM_Z)
    api_check_limit("block of %u x %u x %u = %zu threads: at most %d, and "
                    "%d x %d x %d",
                    block.x, block.y, block.z, threads, BLOCK_THREADS,
                    BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
  else if (outside(grid.x, GRID_DIM_X) || outside(grid.y, GRID_DIM_Y) ||
           outside(grid.z, GRID_DIM_Z))
    api_check_limit("grid of %u x %u x %u blocks: at most %u x %u x %u", grid.x,
                    grid.y, grid.z, (unsigned)GRID_DIM_X, (unsigned)GRID_DIM_Y,
                    (unsigned)GRID_DIM_Z);
  else if (threads > info->max_threads)
    api_check_limit("block of %zu threads: this kernel's __launch_bounds__ "
                    "allow %u",
                    threads, (unsigned)info->max_threads);
  else if (threads > (size_t)occupancy_most_threads((int)info->least_registers))
    api_check_limit("block of %zu threads: each needs %u registers or more, "
                    "so that %d threads fit; __launch_bounds__(%zu) lets the "
                    "compiler keep to fewer",
                    threads, info->least_registers,
                    occupancy_most_threads((int)info->least_registers),
                    threads);
  else if (shared > SHARED_BLOCK_BYTES)
    api_check_limit("%zu bytes of shared memory for a block: more than %d "
                    "only after cudaFuncSetAttribute(…, cudaFuncAttribute"
                    "MaxDynamicSharedMemorySize, …)",
                    shared, SHARED_BLOCK_BYTES);
  else if (request->cooperative)
    api_check_limit("cooperative grid of %u x %u x %u blocks: not all fit on "
                    "the device at once",
                    grid.x, grid.y, grid.z);
}

cudaError_t launch_check(const struct launch_request *request, int device,
                         const struct kernel_info *info)
{
  dim3 block = request->block;
  cudaError_t error = check_shape(request->grid, block);
  if (error == cudaSuccess &&
      (size_t)block.x * block.y * block.z > info->max_threads)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = check_shared(request, device, info);
  if (error == cudaSuccess && request->arguments == NULL &&
      info->n_parameters > 0)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = check_registers(request, info);
  if (error == cudaSuccess)
    error = check_cooperative(request, info);
  if (error != cudaSuccess) {
    report_limit(request, info);
    return error;
  }
  return check_cluster(request, info);
}
