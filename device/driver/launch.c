/* Launches: arguments as pointers, or packed into one buffer. */
#include <stdlib.h>

#include "driver.h"
#include "../support/host_memory.h"

#define MOST_PARAMETER_BYTES 32764 /* of a kernel; each takes one at least */

/* The buffer that `extra` names, with its size. */
static CUresult read_extra(void **extra, char **buffer, size_t *bytes)
{
  *buffer = NULL;
  *bytes = 0;
  for (; extra[0] != CU_LAUNCH_PARAM_END; extra += 2)
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
      *buffer = extra[1];
    else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
      *bytes = *(size_t *)extra[1];
    else
      return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

/* Pointers into the buffer, as if the program had passed them. */
static CUresult split(CUfunction function, char *buffer, size_t n_bytes,
                      void **arguments)
{
  size_t offset, bytes;
  for (size_t i = 0; i < MOST_PARAMETER_BYTES; i++) {
    cudaError_t error = core_func_get_param_info(function, i, &offset, &bytes);
    if (error == cudaErrorInvalidValue)
      break;
    if (error != cudaSuccess)
      return status_of(error);
    if (buffer == NULL || offset + bytes > n_bytes)
      return CUDA_ERROR_INVALID_VALUE;
    arguments[i] = buffer + offset;
  }
  return CUDA_SUCCESS;
}

static CUresult launch(CUfunction function, const cudaLaunchConfig_t *config,
                       void **arguments)
{
  if (registry_function(function) == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  return status_of(core_launch_kernel_ex(config, function, arguments));
}

static CUresult launch_buffer(CUfunction function,
                              const cudaLaunchConfig_t *config, void **extra)
{
  char *buffer;
  size_t bytes;
  if (registry_function(function) == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult status = read_extra(extra, &buffer, &bytes);
  if (status != CUDA_SUCCESS)
    return status;
  void **arguments = host_try_new(MOST_PARAMETER_BYTES, sizeof *arguments);
  if (arguments == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  status = split(function, buffer, bytes, arguments);
  if (status == CUDA_SUCCESS)
    status = launch(function, config, arguments);
  free(arguments);
  return status;
}

static CUresult start(CUfunction function, const cudaLaunchConfig_t *config,
                      void **arguments, void **extra)
{
  if (arguments != NULL && extra != NULL)
    return CUDA_ERROR_INVALID_VALUE;
  return extra != NULL ? launch_buffer(function, config, extra)
                       : launch(function, config, arguments);
}

API CUresult cuLaunchKernel(CUfunction function, unsigned grid_x,
                            unsigned grid_y, unsigned grid_z, unsigned block_x,
                            unsigned block_y, unsigned block_z,
                            unsigned shared_bytes, CUstream stream,
                            void **arguments, void **extra)
{
  cudaLaunchConfig_t config = { { grid_x, grid_y, grid_z },
                                { block_x, block_y, block_z },
                                shared_bytes,
                                stream,
                                NULL,
                                0 };
  SERVE_STATUS(start(function, &config, arguments, extra));
}

API CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x,
                                       unsigned grid_y, unsigned grid_z,
                                       unsigned block_x, unsigned block_y,
                                       unsigned block_z, unsigned shared_bytes,
                                       CUstream stream, void **arguments)
{
  cudaLaunchAttribute together = { .id = cudaLaunchAttributeCooperative,
                                   .val.cooperative = 1 };
  cudaLaunchConfig_t config = { { grid_x, grid_y, grid_z },
                                { block_x, block_y, block_z },
                                shared_bytes,
                                stream,
                                &together,
                                1 };
  SERVE_STATUS(launch(function, &config, arguments));
}

static CUresult start_with(const CUlaunchConfig *c, CUfunction function,
                           void **arguments, void **extra)
{
  if (c == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  cudaLaunchConfig_t config = { { c->grid_x, c->grid_y, c->grid_z },
                                { c->block_x, c->block_y, c->block_z },
                                c->shared_bytes,
                                c->stream,
                                c->attributes,
                                c->n_attributes };
  return start(function, &config, arguments, extra);
}

API CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function,
                              void **arguments, void **extra)
{
  SERVE_STATUS(start_with(config, function, arguments, extra));
}

PER_THREAD(cuLaunchKernel, cuLaunchKernel_ptsz);
PER_THREAD(cuLaunchKernelEx, cuLaunchKernelEx_ptsz);
PER_THREAD(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel_ptsz);
