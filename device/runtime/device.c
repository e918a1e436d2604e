/* Devices as such: how many, which one, waiting for it. */
#include "../memory/memory.h"
#include "../texture/array.h"
#include "config.h"
#include "graph/capture.h"
#include "limit.h"
#include "ordering.h"
#include "pool.h"
#include "registry.h"
#include "state.h"

#define CUDA_VERSION 13000 /* 1000 × major + 10 × minor */

static _Thread_local unsigned device_flags;

cudaError_t cudaGetDeviceCount(int *count)
{
  if (count == NULL)
    return state_leave(cudaErrorInvalidValue);
  *count = config()->n_devices;
  return state_leave(*count > 0 ? cudaSuccess : cudaErrorNoDevice);
}

cudaError_t cudaSetDevice(int device)
{
  if (config()->n_devices == 0)
    return state_leave(cudaErrorNoDevice);
  if (!set_current_device(device))
    return state_leave(cudaErrorInvalidDevice);
  if (device != 0)
    ordering_created(); /* each device has a default stream */
  return state_leave(state_enter());
}

cudaError_t cudaInitDevice(int device, unsigned flags_of_device, unsigned flags)
{
  (void)flags_of_device, (void)flags;
  if (device < 0 || device >= config()->n_devices)
    return state_leave(cudaErrorInvalidDevice);
  return state_leave(state_enter());
}

cudaError_t cudaGetDevice(int *device)
{
  if (device == NULL)
    return state_leave(cudaErrorInvalidValue);
  *device = current_device();
  return state_leave(state_enter());
}

cudaError_t cudaSetValidDevices(int *devices, int n)
{
  if (n < 0 || (devices == NULL && n > 0))
    return state_leave(cudaErrorInvalidValue);
  for (int i = 0; i < n; i++)
    if (devices[i] < 0 || devices[i] >= config()->n_devices)
      return state_leave(cudaErrorInvalidDevice);
  return state_leave(state_enter());
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
  if ((flags & ~(unsigned)cudaDeviceMask) != 0)
    return state_leave(cudaErrorInvalidValue);
  device_flags = flags;
  return state_leave(state_enter());
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
  const unsigned map_host = 0x08; /* always on with unified addresses */
  if (flags == NULL)
    return state_leave(cudaErrorInvalidValue);
  *flags = device_flags | map_host;
  return state_leave(state_enter());
}

cudaError_t cudaDeviceSynchronize(void)
{
  cudaError_t error = state_wait();
  ordering_host_after_all();
  return state_leave(error == cudaSuccess ? capture_refuse_all() : error);
}

/* Forgets everything but a sticky error: on a GPU, too, only a new process
 * gets rid of that. */
cudaError_t cudaDeviceReset(void)
{
  cudaError_t error = state_wait();
  ordering_host_after_all();
  if (error == cudaSuccess) {
    registry_reset(current_device());
    array_destroy_all(current_device());
    pool_reset(current_device());
    limit_reset(current_device());
    memory_release_device(current_device());
  }
  return state_leave(error);
}

cudaError_t cudaDriverGetVersion(int *version)
{
  if (version == NULL)
    return state_leave(cudaErrorInvalidValue);
  *version = CUDA_VERSION;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
  return cudaDriverGetVersion(version);
}

/* There is no profiler to switch: counting is always on. */
cudaError_t cudaProfilerStart(void) { return state_leave(state_enter()); }

cudaError_t cudaProfilerStop(void) { return state_leave(state_enter()); }
