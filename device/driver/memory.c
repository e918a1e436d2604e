/* Memory of the device and of the host. */
#include "context.h"

/* `*place` is read after the call that `error` comes from. */
static CUresult give(cudaError_t error, void *const *place,
                     CUdeviceptr *address)
{
  if (error == cudaSuccess) {
    *address = (CUdeviceptr)(uintptr_t)*place;
    context_adopt(*address);
  }
  return status_of(error);
}

static CUresult allocate(CUdeviceptr *address, size_t bytes)
{
  void *place;
  if (address == NULL || bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  return give(core_malloc(&place, bytes), &place, address);
}

API CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
  SERVE_STATUS(allocate(address, bytes));
}

static CUresult allocate_pitch(CUdeviceptr *address, size_t *pitch,
                               size_t width, size_t height,
                               unsigned element_bytes)
{
  void *place;
  if (address == NULL || pitch == NULL || width == 0 || height == 0 ||
      (element_bytes != 4 && element_bytes != 8 && element_bytes != 16))
    return CUDA_ERROR_INVALID_VALUE;
  return give(core_malloc_pitch(&place, pitch, width, height), &place, address);
}

API CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch,
                                size_t width, size_t height,
                                unsigned element_bytes)
{
  SERVE_STATUS(allocate_pitch(address, pitch, width, height, element_bytes));
}

static CUresult allocate_managed(CUdeviceptr *address, size_t bytes,
                                 unsigned flags)
{
  void *place;
  if (address == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  return give(core_malloc_managed(&place, bytes, flags), &place, address);
}

API CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes,
                               unsigned flags)
{
  SERVE_STATUS(allocate_managed(address, bytes, flags));
}

static CUresult allocate_in_order(CUdeviceptr *address, size_t bytes,
                                  CUstream stream)
{
  void *place;
  if (address == NULL || bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  return give(core_malloc_async(&place, bytes, stream), &place, address);
}

API CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes,
                             CUstream stream)
{
  SERVE_STATUS(allocate_in_order(address, bytes, stream));
}

static CUresult release(CUdeviceptr address, cudaError_t error)
{
  if (error == cudaSuccess)
    context_forget(address);
  return status_of(error);
}

API CUresult cuMemFree_v2(CUdeviceptr address)
{
  SERVE_STATUS(release(address, core_free(pointer_of(address))));
}

API CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
  SERVE_STATUS(release(address, core_free_async(pointer_of(address), stream)));
}

API CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes)
{
  SERVE(core_mem_get_info(free_bytes, total_bytes));
}

static CUresult find_range(CUdeviceptr *base, size_t *bytes,
                           CUdeviceptr address)
{
  struct allocation found;
  if (!memory_find(address, &found))
    return CUDA_ERROR_NOT_FOUND;
  if (base != NULL)
    *base = found.address;
  if (bytes != NULL)
    *bytes = found.bytes;
  return CUDA_SUCCESS;
}

API CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes,
                                     CUdeviceptr address)
{
  SERVE_STATUS(find_range(base, bytes, address));
}

static CUresult allocate_host(void **address, size_t bytes, unsigned flags)
{
  if (address == NULL || bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = core_host_alloc(address, bytes, flags);
  if (error == cudaSuccess)
    context_adopt((CUdeviceptr)(uintptr_t)*address);
  return status_of(error);
}

API CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags)
{
  SERVE_STATUS(allocate_host(address, bytes, flags));
}

API CUresult cuMemAllocHost_v2(void **address, size_t bytes)
{
  SERVE_STATUS(allocate_host(address, bytes, 0));
}

static CUresult free_host(void *address)
{
  if (address == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  return release((CUdeviceptr)(uintptr_t)address, core_free_host(address));
}

API CUresult cuMemFreeHost(void *address) { SERVE_STATUS(free_host(address)); }

API CUresult cuMemHostRegister_v2(void *address, size_t bytes, unsigned flags)
{
  SERVE(core_host_register(address, bytes, flags));
}

API CUresult cuMemHostUnregister(void *address)
{
  SERVE(core_host_unregister(address));
}

static CUresult host_address(CUdeviceptr *device, void *host, unsigned flags)
{
  void *place;
  if (device == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = core_host_get_device_pointer(&place, host, flags);
  if (error == cudaSuccess)
    *device = (CUdeviceptr)(uintptr_t)place;
  return status_of(error);
}

API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *host,
                                          unsigned flags)
{
  SERVE_STATUS(host_address(device, host, flags));
}

API CUresult cuMemHostGetFlags(unsigned *flags, void *address)
{
  SERVE(core_host_get_flags(flags, address));
}

API CUresult cuMemAdvise_v2(CUdeviceptr address, size_t bytes, int advice,
                            struct cudaMemLocation location)
{
  SERVE(core_mem_advise(pointer_of(address), bytes, advice, location));
}

API CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes,
                                   struct cudaMemLocation location,
                                   unsigned flags, CUstream stream)
{
  SERVE(core_mem_prefetch_async(pointer_of(address), bytes, location, flags,
                                stream));
}

static CUresult allocate_from_pool(CUdeviceptr *address, size_t bytes,
                                   CUmemoryPool pool, CUstream stream)
{
  void *place;
  if (address == NULL || bytes == 0)
    return CUDA_ERROR_INVALID_VALUE;
  return give(core_malloc_from_pool_async(&place, bytes, pool, stream), &place,
              address);
}

API CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes,
                                     CUmemoryPool pool, CUstream stream)
{
  SERVE_STATUS(allocate_from_pool(address, bytes, pool, stream));
}

PER_THREAD(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync_ptsz);
PER_THREAD(cuMemAllocAsync, cuMemAllocAsync_ptsz);
PER_THREAD(cuMemFreeAsync, cuMemFreeAsync_ptsz);
PER_THREAD(cuMemPrefetchAsync_v2, cuMemPrefetchAsync_v2_ptsz);
