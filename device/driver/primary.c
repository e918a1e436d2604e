/* The primary context of a device, shared with the runtime API. */
#include "context.h"

static bool is_device_number(CUdevice device)
{
  return device >= 0 && device < config()->n_devices;
}

void context_retain(int device) { context_primary(device)->n_retained++; }

static CUresult retain(CUcontext *context, CUdevice device)
{
  if (context == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (!is_device_number(device))
    return CUDA_ERROR_INVALID_DEVICE;
  context_retain(device);
  *context = context_primary(device);
  return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
  SERVE_AFTER(DRIVER_INIT, retain(context, device));
}

static CUresult reset(CUdevice device)
{
  int current;
  if (!is_device_number(device))
    return CUDA_ERROR_INVALID_DEVICE;
  struct state_context before = context_visit(device, &current);
  cudaError_t error = core_device_reset();
  context_return(before, current);
  return status_of(error);
}

/* With the last user all that was made in it goes. The runtime API, once it
 * is used, stays a user. */
CUresult context_release(int device)
{
  if (!is_device_number(device))
    return CUDA_ERROR_INVALID_DEVICE;
  struct context *primary = context_primary(device);
  if (primary->n_retained == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  primary->n_retained--;
  if (primary->n_retained == 0 && !state_is_used(device))
    return reset(device);
  return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
  SERVE_AFTER(DRIVER_INIT, context_release(device));
}

API CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
  SERVE_AFTER(DRIVER_INIT, reset(device));
}

static CUresult set_flags(CUdevice device, unsigned flags)
{
  if (!is_device_number(device))
    return CUDA_ERROR_INVALID_DEVICE;
  if ((flags & ~(unsigned)cudaDeviceMask) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  context_primary(device)->flags = flags;
  return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags)
{
  SERVE_AFTER(DRIVER_INIT, set_flags(device, flags));
}

static CUresult get_state(CUdevice device, unsigned *flags, int *active)
{
  if (!is_device_number(device))
    return CUDA_ERROR_INVALID_DEVICE;
  if (flags == NULL || active == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *flags = context_primary(device)->flags;
  *active = context_is_alive(context_primary(device));
  return CUDA_SUCCESS;
}

API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags,
                                        int *active)
{
  SERVE_AFTER(DRIVER_INIT, get_state(device, flags, active));
}
