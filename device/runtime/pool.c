/* Stream-ordered allocation. Each device has its default pool; memory comes
 * and goes at once. */
#include <stdint.h>
#include <string.h>

#include "../memory/memory.h"
#include "config.h"
#include "state.h"
#include "stream.h"

static struct memory_pool {
  uint64_t release_threshold;
} pools[MAX_DEVICES];

static bool is_pool(cudaMemPool_t pool)
{
  return pool >= pools && pool < pools + config()->n_devices;
}

cudaError_t cudaMallocAsync(void **address, size_t bytes,
                            cudaStream_t stream)
{
  if (!stream_is_valid(stream))
    return state_leave(cudaErrorInvalidResourceHandle);
  return cudaMalloc(address, bytes);
}

cudaError_t cudaMallocFromPoolAsync(void **address, size_t bytes,
                                    cudaMemPool_t pool, cudaStream_t stream)
{
  if (!is_pool(pool))
    return state_leave(cudaErrorInvalidValue);
  return cudaMallocAsync(address, bytes, stream);
}

cudaError_t cudaFreeAsync(void *address, cudaStream_t stream)
{
  if (!stream_is_valid(stream))
    return state_leave(cudaErrorInvalidResourceHandle);
  return cudaFree(address);
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
  if (pool == NULL)
    return state_leave(cudaErrorInvalidValue);
  if (device < 0 || device >= config()->n_devices)
    return state_leave(cudaErrorInvalidDevice);
  *pool = &pools[device];
  return state_leave(state_settle());
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep)
{
  (void)keep; /* nothing is kept */
  return state_leave(is_pool(pool) ? state_settle() : cudaErrorInvalidValue);
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
                                    enum cudaMemPoolAttr attribute,
                                    void *value)
{
  if (!is_pool(pool) || value == NULL)
    return state_leave(cudaErrorInvalidValue);
  if (attribute == cudaMemPoolAttrReleaseThreshold)
    memcpy(&pool->release_threshold, value, sizeof pool->release_threshold);
  return state_leave(state_settle());
}

static uint64_t used_bytes(int device)
{
  size_t free_bytes, total;
  memory_info(device, &free_bytes, &total);
  return total - free_bytes;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
                                    enum cudaMemPoolAttr attribute,
                                    void *value)
{
  const int reuse_allowed = 1;
  if (!is_pool(pool) || value == NULL)
    return state_leave(cudaErrorInvalidValue);
  uint64_t bytes = used_bytes((int)(pool - pools));
  if (attribute == cudaMemPoolAttrReleaseThreshold)
    bytes = pool->release_threshold;
  if (attribute < cudaMemPoolAttrReleaseThreshold)
    memcpy(value, &reuse_allowed, sizeof reuse_allowed);
  else
    memcpy(value, &bytes, sizeof bytes);
  return state_leave(state_settle());
}

SAME_AS(cudaMallocAsync, cudaMallocAsync_ptsz);
SAME_AS(cudaFreeAsync, cudaFreeAsync_ptsz);
SAME_AS(cudaMallocFromPoolAsync, cudaMallocFromPoolAsync_ptsz);
