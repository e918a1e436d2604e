/* Memory pools are the runtime API's. */
#include "driver.h"

API CUresult cuMemPoolCreate(CUmemoryPool *pool,
                             const struct cudaMemPoolProps *properties)
{
  SERVE(core_mem_pool_create(pool, properties));
}

API CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
  SERVE(core_mem_pool_destroy(pool));
}

API CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep)
{
  SERVE(core_mem_pool_trim_to(pool, keep));
}

/* Attributes have the same numbers. */
API CUresult cuMemPoolSetAttribute(CUmemoryPool pool,
                                   enum cudaMemPoolAttr attribute, void *value)
{
  SERVE(core_mem_pool_set_attribute(pool, attribute, value));
}

API CUresult cuMemPoolGetAttribute(CUmemoryPool pool,
                                   enum cudaMemPoolAttr attribute, void *value)
{
  SERVE(core_mem_pool_get_attribute(pool, attribute, value));
}

API CUresult cuMemPoolSetAccess(CUmemoryPool pool,
                                const struct cudaMemAccessDesc *list, size_t n)
{
  SERVE(core_mem_pool_set_access(pool, list, n));
}

API CUresult cuMemPoolGetAccess(enum cudaMemAccessFlags *flags,
                                CUmemoryPool pool,
                                struct cudaMemLocation *location)
{
  SERVE(core_mem_pool_get_access(flags, pool, location));
}

API CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
  SERVE_INIT(core_device_set_mem_pool(device, pool));
}

API CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool,
                                    struct cudaMemLocation *location, int type)
{
  SERVE_INIT(core_mem_get_default_mem_pool(pool, location, type));
}

API CUresult cuMemGetMemPool(CUmemoryPool *pool,
                             struct cudaMemLocation *location, int type)
{
  SERVE_INIT(core_mem_get_mem_pool(pool, location, type));
}

API CUresult cuMemSetMemPool(struct cudaMemLocation *location, int type,
                             CUmemoryPool pool)
{
  SERVE_INIT(core_mem_set_mem_pool(location, type, pool));
}
