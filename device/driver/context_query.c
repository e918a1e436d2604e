/* What is asked of a context, and waiting for it. */
#include "context.h"

API CUresult cuCtxSynchronize(void) { SERVE(state_wait()); }

static CUresult wait_for(struct context *context)
{
  int device;
  if (context != NULL && !context_is_known(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context == NULL)
    return status_of(state_wait());
  struct state_context before = context_visit(context->device, &device);
  cudaError_t error = state_wait();
  context_return(before, device);
  return status_of(error);
}

API CUresult cuCtxSynchronize_v2(CUcontext context)
{
  SERVE_AFTER(context != NULL ? DRIVER_INIT : DRIVER_CONTEXT,
              wait_for(context));
}

static CUresult device_of(CUdevice *device, struct context *context)
{
  if (device == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (context != NULL && !context_is_known(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  *device = (context != NULL ? context : context_current())->device;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetDevice(CUdevice *device)
{
  SERVE_STATUS(device_of(device, NULL));
}

API CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context)
{
  SERVE_AFTER(context != NULL ? DRIVER_INIT : DRIVER_CONTEXT,
              device_of(device, context));
}

static CUresult get_flags(unsigned *flags)
{
  if (flags == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *flags = context_current()->flags;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetFlags(unsigned *flags) { SERVE_STATUS(get_flags(flags)); }

static CUresult set_flags(unsigned flags)
{
  context_current()->flags = flags;
  return CUDA_SUCCESS;
}

API CUresult cuCtxSetFlags(unsigned flags) { SERVE_STATUS(set_flags(flags)); }

static CUresult get_id(struct context *context, unsigned long long *id)
{
  context = context != NULL ? context : context_current();
  if (id == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (context == NULL || !context_is_known(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  *id = context->id;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetId(CUcontext context, unsigned long long *id)
{
  SERVE_AFTER(DRIVER_INIT, get_id(context, id));
}

static CUresult get_api_version(struct context *context, unsigned *version)
{
  const unsigned first_with_contexts = 3020;
  context = context != NULL ? context : context_current();
  if (context == NULL || !context_is_known(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (version == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *version = first_with_contexts;
  return CUDA_SUCCESS;
}

API CUresult cuCtxGetApiVersion(CUcontext context, unsigned *version)
{
  SERVE_AFTER(DRIVER_INIT, get_api_version(context, version));
}

API CUresult cuCtxSetLimit(enum cudaLimit limit, size_t value)
{
  SERVE(core_device_set_limit(limit, value));
}

API CUresult cuCtxGetLimit(size_t *value, enum cudaLimit limit)
{
  SERVE(core_device_get_limit(value, limit));
}

API CUresult cuCtxSetCacheConfig(int config)
{
  SERVE(core_device_set_cache_config(config));
}

API CUresult cuCtxGetCacheConfig(int *config)
{
  SERVE(core_device_get_cache_config(config));
}

API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
  SERVE(core_device_get_stream_priority_range(least, greatest));
}

static CUresult peer_of(struct context *peer, cudaError_t (*call)(int))
{
  if (peer == NULL || !context_is_known(peer))
    return CUDA_ERROR_INVALID_CONTEXT;
  return status_of(call(peer->device));
}

static cudaError_t enable(int device)
{
  return core_device_enable_peer_access(device, 0);
}

API CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags)
{
  SERVE_STATUS(flags != 0 ? CUDA_ERROR_INVALID_VALUE : peer_of(peer, enable));
}

API CUresult cuCtxDisablePeerAccess(CUcontext peer)
{
  SERVE_STATUS(peer_of(peer, core_device_disable_peer_access));
}
