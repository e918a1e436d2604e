/* Access between devices. They share one address space and one memory, so
 * every pair can. A program still has to enable it, as with GPUs: until then a
 * kernel that uses another device's memory faults. */
#include "../memory/memory.h"
#include "config.h"
#include "ordering.h"
#include "state.h"

static bool enabled[MAX_DEVICES][MAX_DEVICES];

static bool is_device_number(int device)
{
  return device >= 0 && device < config()->n_devices;
}

cudaError_t core_device_can_access_peer(int *can, int device, int peer)
{
  if (can == NULL)
    return cudaErrorInvalidValue;
  if (!is_device_number(device) || !is_device_number(peer))
    return cudaErrorInvalidDevice;
  *can = device != peer;
  return state_settle();
}

cudaError_t core_device_enable_peer_access(int peer, unsigned flags)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && flags != 0)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && !is_device_number(peer))
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess && peer == current_device())
    error = cudaErrorPeerAccessUnsupported;
  if (error == cudaSuccess && enabled[current_device()][peer])
    error = cudaErrorPeerAccessAlreadyEnabled;
  if (error == cudaSuccess) {
    enabled[current_device()][peer] = true;
    memory_set_peer(current_device(), peer, true);
    ordering_created(); /* from now on, two devices may race */
  }
  return error;
}

cudaError_t core_device_disable_peer_access(int peer)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && !is_device_number(peer))
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess && !enabled[current_device()][peer])
    error = cudaErrorPeerAccessNotEnabled;
  if (error == cudaSuccess) {
    enabled[current_device()][peer] = false;
    memory_set_peer(current_device(), peer, false);
  }
  return error;
}

cudaError_t core_device_get_p2p_attribute(int *value, int attribute, int source,
                                          int destination)
{
  enum { PERFORMANCE_RANK = 1, ACCESS, NATIVE_ATOMIC, ARRAY_ACCESS };
  if (value == NULL || attribute < PERFORMANCE_RANK || attribute > ARRAY_ACCESS)
    return cudaErrorInvalidValue;
  if (!is_device_number(source) || !is_device_number(destination) ||
      source == destination)
    return cudaErrorInvalidDevice;
  *value = attribute == ACCESS || attribute == NATIVE_ATOMIC;
  return state_settle();
}
