/* The limits of a launch: CUDA Programming Guide, "Technical Specifications
 * per Compute Capability". With CUDA 13.0 and driver 580 an H200 answers
 * cudaErrorInvalidValue to every shape it cannot run; the runtimes before
 * said cudaErrorInvalidConfiguration. */
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

/* A barrier across a grid needs all of its blocks to be resident at once. */
static cudaError_t check_cooperative(const struct launch_request *request,
                                     const struct kernel_info *info)
{
  dim3 grid = request->grid, block = request->block;
  struct occupancy_use use = {
      (int)(block.x * block.y * block.z), (int)info->registers,
      info->static_shared_bytes + request->dynamic_bytes};
  const struct device_model *model = current_model();
  size_t resident =
      (size_t)occupancy_blocks(model, &use) * (size_t)model->multiprocessors;
  if (!request->cooperative || (size_t)grid.x * grid.y * grid.z <= resident)
    return cudaSuccess;
  return cudaErrorCooperativeLaunchTooLarge;
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
    error = check_cooperative(request, info);
  return error;
}
