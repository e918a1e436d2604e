/* Devices as such: how many, which one, waiting for it. */
#include "../memory/memory.h"
#include "../texture/array.h"
#include "config.h"
#include "forked.h"
#include "graph/capture.h"
#include "limit.h"
#include "ordering.h"
#include "pool.h"
#include "registry.h"
#include "state.h"

#define CUDA_VERSION 13000 /* 1000 × major + 10 × minor */

static _Thread_local unsigned device_flags;

cudaError_t core_get_device_count(int *count)
{
  if (count == NULL)
    return cudaErrorInvalidValue;
  *count = config()->n_devices;
  return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}

cudaError_t core_set_device(int device)
{
  if (config()->n_devices == 0)
    return cudaErrorNoDevice;
  if (!set_current_device(device))
    return cudaErrorInvalidDevice;
  if (device != 0)
    ordering_created(); /* each device has a default stream */
  return state_enter();
}

cudaError_t core_init_device(int device, unsigned flags_of_device,
                             unsigned flags)
{
  (void)flags_of_device, (void)flags;
  if (device < 0 || device >= config()->n_devices)
    return cudaErrorInvalidDevice;
  return state_enter();
}

cudaError_t core_get_device(int *device)
{
  if (device == NULL)
    return cudaErrorInvalidValue;
  *device = current_device();
  return state_ask();
}

cudaError_t core_set_valid_devices(int *devices, int n)
{
  if (n < 0 || (devices == NULL && n > 0))
    return cudaErrorInvalidValue;
  for (int i = 0; i < n; i++)
    if (devices[i] < 0 || devices[i] >= config()->n_devices)
      return cudaErrorInvalidDevice;
  return state_enter();
}

cudaError_t core_set_device_flags(unsigned flags)
{
  if ((flags & ~(unsigned)cudaDeviceMask) != 0)
    return cudaErrorInvalidValue;
  device_flags = flags;
  return state_enter();
}

cudaError_t core_get_device_flags(unsigned *flags)
{
  const unsigned map_host = 0x08; /* always on with unified addresses */
  if (flags == NULL)
    return cudaErrorInvalidValue;
  *flags = device_flags | map_host;
  return state_enter();
}

cudaError_t core_device_synchronize(void)
{
  cudaError_t error = state_wait();
  ordering_host_after_all();
  return error == cudaSuccess ? capture_refuse_all() : error;
}

/* Forgets everything. After a sticky error that succeeds, too, but only a new
 * process gets a device again. */
cudaError_t core_device_reset(void)
{
  cudaError_t error = state_wait();
  ordering_host_after_all();
  if (!forked_is(false) && state_give_up())
    return cudaSuccess;
  if (error == cudaSuccess) {
    registry_reset(current_device());
    array_destroy_all(current_device());
    pool_reset(current_device());
    limit_reset(current_device());
    memory_release_device(current_device());
  }
  return error;
}

cudaError_t core_driver_get_version(int *version)
{
  if (version == NULL)
    return cudaErrorInvalidValue;
  *version = CUDA_VERSION;
  return cudaSuccess;
}

cudaError_t core_runtime_get_version(int *version)
{
  return core_driver_get_version(version);
}

/* There is no profiler to switch: counting is always on. */
cudaError_t core_profiler_start(void) { return state_enter(); }

cudaError_t core_profiler_stop(void) { return state_enter(); }
