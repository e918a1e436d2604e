/* cuMem… for addresses and pages apart from each other. */
#include "virtual.h"

enum { TYPE_PINNED = 1, LOCATION_DEVICE = 1, ACCESS_READ = 1, ACCESS_BOTH = 3 };

API CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes,
                                 size_t alignment, CUdeviceptr hint,
                                 unsigned long long flags);
API CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes);
API CUresult cuMemCreate(page_handle *handle, size_t bytes,
                         const struct page_properties *properties,
                         unsigned long long flags);
API CUresult cuMemRelease(page_handle handle);
API CUresult cuMemRetainAllocationHandle(page_handle *handle, void *address);
API CUresult cuMemGetAllocationPropertiesFromHandle(
    struct page_properties *properties, page_handle handle);
API CUresult cuMemGetAllocationGranularity(
    size_t *bytes, const struct page_properties *properties, int which);
API CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                      page_handle handle, unsigned long long flags);
API CUresult cuMemUnmap(CUdeviceptr address, size_t bytes);
API CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes,
                            const struct access *access, size_t n);
API CUresult cuMemGetAccess(unsigned long long *flags,
                            const struct cudaMemLocation *location,
                            CUdeviceptr address);

static CUresult check_location(const struct cudaMemLocation *location)
{
  if ((int)location->type == LOCATION_DEVICE)
    return location->id >= 0 && location->id < config()->n_devices
               ? CUDA_SUCCESS
               : CUDA_ERROR_INVALID_DEVICE;
  if ((int)location->type <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  explain("cuMem", "the software device has such memory on devices "
                   "only, not on the host");
  return CUDA_ERROR_NOT_SUPPORTED;
}

static CUresult check(const struct page_properties *properties)
{
  if (properties == NULL || properties->type != TYPE_PINNED)
    return CUDA_ERROR_INVALID_VALUE;
  return check_location(&properties->location);
}

static CUresult reserve(CUdeviceptr *address, size_t bytes, size_t alignment,
                        CUdeviceptr hint, unsigned long long flags)
{
  uint64_t place = 0;
  if (address == NULL || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = virtual_reserve(&place, bytes, alignment, hint);
  if (status == CUDA_SUCCESS)
    *address = place;
  return status;
}

CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes,
                             size_t alignment, CUdeviceptr hint,
                             unsigned long long flags)
{
  SERVE_AFTER(DRIVER_INIT, reserve(address, bytes, alignment, hint, flags));
}

CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes)
{
  SERVE_AFTER(DRIVER_INIT, virtual_unreserve(address, bytes));
}

static CUresult create_pages(page_handle *handle, size_t bytes,
                             const struct page_properties *properties,
                             unsigned long long flags)
{
  CUresult status = check(properties);
  if (status == CUDA_SUCCESS && (handle == NULL || flags != 0))
    status = CUDA_ERROR_INVALID_VALUE;
  return status != CUDA_SUCCESS ? status
                                : virtual_create(handle, bytes, properties);
}

CUresult cuMemCreate(page_handle *handle, size_t bytes,
                     const struct page_properties *properties,
                     unsigned long long flags)
{
  SERVE_AFTER(DRIVER_INIT, create_pages(handle, bytes, properties, flags));
}

CUresult cuMemRelease(page_handle handle)
{
  SERVE_AFTER(DRIVER_INIT, virtual_release(handle));
}

CUresult cuMemRetainAllocationHandle(page_handle *handle, void *address)
{
  SERVE_AFTER(DRIVER_INIT,
              handle == NULL
                  ? CUDA_ERROR_INVALID_VALUE
                  : virtual_retain(handle, (uint64_t)(uintptr_t)address));
}

CUresult
cuMemGetAllocationPropertiesFromHandle(struct page_properties *properties,
                                       page_handle handle)
{
  SERVE_AFTER(DRIVER_INIT, properties == NULL
                               ? CUDA_ERROR_INVALID_VALUE
                               : virtual_properties(properties, handle));
}

/* What is needed and what is recommended are the same on an H200, too. */
static CUresult granularity(size_t *bytes,
                            const struct page_properties *properties, int which)
{
  CUresult status = check(properties);
  if (status == CUDA_SUCCESS && (bytes == NULL || which < 0 || which > 1))
    status = CUDA_ERROR_INVALID_VALUE;
  if (status == CUDA_SUCCESS)
    *bytes = GRANULARITY;
  return status;
}

CUresult cuMemGetAllocationGranularity(size_t *bytes,
                                       const struct page_properties *properties,
                                       int which)
{
  SERVE_AFTER(DRIVER_INIT, granularity(bytes, properties, which));
}

CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset,
                  page_handle handle, unsigned long long flags)
{
  SERVE_AFTER(DRIVER_INIT, offset != 0 || flags != 0
                               ? CUDA_ERROR_INVALID_VALUE
                               : virtual_map(address, bytes, handle));
}

CUresult cuMemUnmap(CUdeviceptr address, size_t bytes)
{
  SERVE_AFTER(DRIVER_INIT, virtual_unmap(address, bytes));
}

/* Devices share one address space: who may read may write, and one device's
 * right is everyone's. */
static CUresult set_access(CUdeviceptr address, size_t bytes,
                           const struct access *access, size_t n)
{
  CUresult status = CUDA_SUCCESS;
  if (access == NULL || n == 0)
    return CUDA_ERROR_INVALID_VALUE;
  for (size_t i = 0; i < n && status == CUDA_SUCCESS; i++) {
    int flags = access[i].flags;
    if (flags != 0 && flags != ACCESS_READ && flags != ACCESS_BOTH)
      return CUDA_ERROR_INVALID_VALUE;
    status = check_location(&access[i].location);
  }
  return status != CUDA_SUCCESS ? status
                                : virtual_set_access(address, bytes, access, n);
}

CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes,
                        const struct access *access, size_t n)
{
  SERVE_AFTER(DRIVER_INIT, set_access(address, bytes, access, n));
}

static CUresult get_access(unsigned long long *flags,
                           const struct cudaMemLocation *location,
                           CUdeviceptr address)
{
  int known = 0;
  if (flags == NULL || location == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = check_location(location);
  if (status == CUDA_SUCCESS)
    status = virtual_get_access(&known, location->id, address);
  if (status == CUDA_SUCCESS)
    *flags = (unsigned long long)known;
  return status;
}

CUresult cuMemGetAccess(unsigned long long *flags,
                        const struct cudaMemLocation *location,
                        CUdeviceptr address)
{
  SERVE_AFTER(DRIVER_INIT, get_access(flags, location, address));
}
