/* Device and managed memory. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#include "../memory/memory.h"
#include "api_check.h"
#include "graph/capture.h"
#include "host_fault.h"
#include "ordering.h"
#include "pool.h"
#include "state.h"

#define ALIGNMENT 512 /* what cudaMalloc of current GPUs gives */
#define PITCH_ALIGNMENT 512
#define GIB ((size_t)1 << 30)

/* A GPU may well have that much. Once: some programs try until it fits. */
static void tell_too_large(size_t bytes)
{
  static atomic_bool told;
  size_t free_there, total;

  memory_info(current_device(), &free_there, &total);
  if (bytes > free_there && !atomic_exchange(&told, true))
    fprintf(stderr,
            "softdevice: cudaErrorMemoryAllocation: %zu bytes are asked for, "
            "and the device has %zu, %zu of them free.\n"
            "  SOFTDEVICE_MEMORY=%zuG (softdevice --memory %zuG) gives it "
            "more.\n",
            bytes, total, free_there, (total - free_there + bytes) / GIB + 1,
            (total - free_there + bytes) / GIB + 1);
}

static cudaError_t allocate(void **address, size_t bytes, enum memory_kind kind)
{
  if (address == NULL)
    return cudaErrorInvalidValue;
  *address = NULL;
  if (bytes == 0)
    return cudaSuccess;
  cudaError_t error = capture_unsafe();
  if (error != cudaSuccess)
    return error;
  uint64_t place =
      memory_allocate(bytes, ALIGNMENT, kind, current_device(), NULL);
  if (place == 0) {
    tell_too_large(bytes);
    return cudaErrorMemoryAllocation;
  }
  *address = (void *)(uintptr_t)place;
  host_fault_watch();
  return cudaSuccess;
}

cudaError_t core_malloc(void **address, size_t bytes)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = allocate(address, bytes, MEMORY_DEVICE);
  if (error == cudaSuccess)
    api_check_site(*address);
  return error;
}

static void attach_new(const void *address, unsigned flags)
{
  struct allocation row;
  if (memory_find((uint64_t)(uintptr_t)address, &row))
    ordering_attached(row.serial, NULL, flags);
}

cudaError_t core_malloc_managed(void **address, size_t bytes, unsigned flags)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess &&
      (address == NULL || (bytes != 0 && flags != cudaMemAttachGlobal &&
                           flags != cudaMemAttachHost)))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = allocate(address, bytes, MEMORY_MANAGED);
  if (error == cudaSuccess && *address != NULL)
    attach_new(*address, flags);
  if (error == cudaSuccess)
    api_check_site(*address);
  return error;
}

static bool pitched_size(size_t width, size_t height, size_t depth,
                         size_t *pitch, size_t *bytes)
{
  if (width > SIZE_MAX - PITCH_ALIGNMENT)
    return false;
  *pitch = (width + PITCH_ALIGNMENT - 1) & ~(size_t)(PITCH_ALIGNMENT - 1);
  return !__builtin_mul_overflow(*pitch, height, bytes) &&
         !__builtin_mul_overflow(*bytes, depth, bytes);
}

cudaError_t core_malloc_pitch(void **address, size_t *pitch, size_t width,
                              size_t height)
{
  size_t bytes;
  cudaError_t error = state_settle();
  if (error == cudaSuccess && (address == NULL || pitch == NULL))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && !pitched_size(width, height, 1, pitch, &bytes))
    error = cudaErrorMemoryAllocation;
  if (error == cudaSuccess)
    error = allocate(address, bytes, MEMORY_DEVICE);
  return error;
}

cudaError_t core_malloc_3d(struct cudaPitchedPtr *pitched,
                           struct cudaExtent extent)
{
  size_t bytes;
  cudaError_t error = state_settle();
  if (error == cudaSuccess && pitched == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess &&
      !pitched_size(extent.width, extent.height, extent.depth, &pitched->pitch,
                    &bytes))
    error = cudaErrorMemoryAllocation;
  if (error == cudaSuccess)
    error = allocate(&pitched->ptr, bytes, MEMORY_DEVICE);
  if (error == cudaSuccess) {
    pitched->xsize = extent.width;
    pitched->ysize = extent.height;
  }
  return error;
}

static void explain_bad_free(const void *address)
{
  struct allocation near;
  bool freed;
  uint64_t place = (uint64_t)(uintptr_t)address;
  if (!memory_nearest(place, &near, &freed))
    explain("cudaFree", "%p was not allocated by CUDA", address);
  else if (freed && near.address == place) {
    explain("cudaFree", "%p: double free of allocation %llu (%zu bytes)",
            address, (unsigned long long)near.serial, near.bytes);
    api_check_free("double free",
                   "cudaFree of allocation %llu (%zu bytes), "
                   "which was freed before",
                   (unsigned long long)near.serial, near.bytes);
    return;
  } else if (!freed && place > near.address &&
             place - near.address < near.bytes)
    explain("cudaFree",
            "%p lies inside allocation %llu, %llu bytes after its "
            "beginning",
            address, (unsigned long long)near.serial,
            (unsigned long long)(place - near.address));
  else
    explain("cudaFree", "%p was not allocated by CUDA", address);
  api_check_free("free of what was not allocated", "cudaFree of %p", address);
}

static cudaError_t release(void *address)
{
  struct allocation found;
  uint64_t place = (uint64_t)(uintptr_t)address;
  if (address == NULL)
    return cudaSuccess;
  cudaError_t error = capture_unsafe();
  if (error != cudaSuccess || pool_free(address))
    return error;
  if (memory_find(place, &found) && found.address == place &&
      (found.kind == MEMORY_DEVICE || found.kind == MEMORY_MANAGED) &&
      memory_release(place))
    return cudaSuccess;
  explain_bad_free(address);
  return cudaErrorInvalidValue;
}

/* Waits for the device, as the documentation says it does. */
cudaError_t core_free(void *address)
{
  cudaError_t error = state_wait();
  ordering_host_after_all();
  if (error == cudaSuccess)
    error = release(address);
  return error;
}

cudaError_t core_mem_get_info(size_t *free_bytes, size_t *total_bytes)
{
  size_t free_there, total;
  cudaError_t error = state_settle();
  if (error != cudaSuccess)
    return error;
  memory_info(current_device(), &free_there, &total);
  if (free_bytes != NULL)
    *free_bytes = free_there;
  if (total_bytes != NULL)
    *total_bytes = total;
  return cudaSuccess;
}
