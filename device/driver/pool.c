/* Memory pools are the runtime API's. */
#include "driver.h"

API CUresult cuMemPoolCreate(CUmemoryPool *pool,
                             const struct cudaMemPoolProps *properties)
{
  SERVE(cudaMemPoolCreate(pool, properties));
}

API CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
  SERVE(cudaMemPoolDestroy(pool));
}

API CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t keep)
{
  SERVE(cudaMemPoolTrimTo(pool, keep));
}

/* Attributes have the same numbers. */
API CUresult cuMemPoolSetAttribute(CUmemoryPool pool,
                                   enum cudaMemPoolAttr attribute, void *value)
{
  SERVE(cudaMemPoolSetAttribute(pool, attribute, value));
}

API CUresult cuMemPoolGetAttribute(CUmemoryPool pool,
                                   enum cudaMemPoolAttr attribute, void *value)
{
  SERVE(cudaMemPoolGetAttribute(pool, attribute, value));
}

API CUresult cuMemPoolSetAccess(CUmemoryPool pool,
                                const struct cudaMemAccessDesc *list, size_t n)
{
  SERVE(cudaMemPoolSetAccess(pool, list, n));
}

API CUresult cuMemPoolGetAccess(enum cudaMemAccessFlags *flags,
                                CUmemoryPool pool,
                                struct cudaMemLocation *location)
{
  SERVE(cudaMemPoolGetAccess(flags, pool, location));
}

API CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
  SERVE_INIT(cudaDeviceSetMemPool(device, pool));
}

API CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool,
                                    struct cudaMemLocation *location, int type)
{
  SERVE_INIT(cudaMemGetDefaultMemPool(pool, location, type));
}

API CUresult cuMemGetMemPool(CUmemoryPool *pool,
                             struct cudaMemLocation *location, int type)
{
  SERVE_INIT(cudaMemGetMemPool(pool, location, type));
}

API CUresult cuMemSetMemPool(struct cudaMemLocation *location, int type,
                             CUmemoryPool pool)
{
  SERVE_INIT(cudaMemSetMemPool(location, type, pool));
}
