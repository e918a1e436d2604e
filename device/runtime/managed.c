/* Hints about managed memory. It never moves, so they only get checked. */
#include <stdint.h>

#include "../memory/memory.h"
#include "state.h"
#include "stream.h"

static cudaError_t check(const void *address, size_t bytes)
{
  struct allocation found;
  uint64_t place = (uint64_t)(uintptr_t)address;
  if (bytes == 0 || !memory_find(place, &found) ||
      found.kind != MEMORY_MANAGED ||
      bytes > found.bytes - (place - found.address))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t cudaMemAdvise(const void *address, size_t bytes, int advice,
                          struct cudaMemLocation location)
{
  (void)advice, (void)location;
  cudaError_t error = state_settle();
  return state_leave(error == cudaSuccess ? check(address, bytes) : error);
}

cudaError_t cudaMemPrefetchAsync(const void *address, size_t bytes,
                                 struct cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream)
{
  (void)location;
  cudaError_t error = state_enter();
  if (error == cudaSuccess && !stream_is_valid(stream))
    error = cudaErrorInvalidResourceHandle;
  if (error == cudaSuccess && flags != 0)
    error = cudaErrorInvalidValue;
  return state_leave(error == cudaSuccess ? check(address, bytes) : error);
}

SAME_AS(cudaMemPrefetchAsync, cudaMemPrefetchAsync_ptsz);
