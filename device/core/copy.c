/* Checks both ends of a copy, then moves the bytes through the view of device
 * memory that the host may touch. */
#include "copy.h"

#include <stdint.h>
#include <string.h>

#include "../check/copied.h"
#include "../memory/memory.h"
#include "config.h"
#include "graph/capture.h"
#include "ordering.h"
#include "state.h"
#include "stream.h"

int copy_wants_device(enum cudaMemcpyKind kind, enum copy_side side)
{
  switch (kind) {
  case cudaMemcpyHostToHost: return 0;
  case cudaMemcpyHostToDevice: return side == COPY_DESTINATION;
  case cudaMemcpyDeviceToHost: return side == COPY_SOURCE;
  case cudaMemcpyDeviceToDevice: return 1;
  case cudaMemcpyDefault: break;
  }
  return -1;
}

static const char *name_of(enum copy_side side)
{
  return side == COPY_SOURCE ? "source" : "destination";
}

/* A device pointer given as a host one, or the other way round: the copy of a
 * beginner who swapped two arguments. */
static void *wrong_side(const char *call, const void *address,
                        enum copy_side side, bool is_device, cudaError_t *error)
{
  explain(call,
          "the %s %p is %s pointer, but the direction of the copy says "
          "%s",
          name_of(side), address, is_device ? "a device" : "a host",
          is_device ? "host" : "device");
  *error = cudaErrorInvalidValue;
  return NULL;
}

static void *out_of_range(const char *call, const void *address, size_t bytes,
                          const struct allocation *allocation,
                          enum copy_side side, cudaError_t *error)
{
  uint64_t offset = (uint64_t)(uintptr_t)address - allocation->address;
  explain(call,
          "%zu bytes from offset %llu do not fit into the %s: "
          "allocation %llu has %zu bytes",
          bytes, (unsigned long long)offset, name_of(side),
          (unsigned long long)allocation->serial, allocation->bytes);
  *error = cudaErrorInvalidValue;
  return NULL;
}

/* Device addresses that no allocation covers: freed, or beyond its end. */
static bool is_stray_device_address(uint64_t place)
{
  struct allocation near;
  bool freed;
  if (!memory_nearest(place, &near, &freed) || near.kind == MEMORY_REGISTERED)
    return false;
  uint64_t end = near.address + near.bytes;
  return place >= near.address
             ? place - near.address < near.bytes || place - end < 512
             : near.address - place < 512;
}

static void *host_view(const char *call, const void *address, int device_wanted,
                       enum copy_side side, cudaError_t *error)
{
  if (is_stray_device_address((uint64_t)(uintptr_t)address)) {
    explain(call,
            "the %s %p is no live device memory: freed, or beyond an "
            "allocation",
            name_of(side), address);
    *error = cudaErrorInvalidValue;
    return NULL;
  }
  if (device_wanted == 1)
    return wrong_side(call, address, side, false, error);
  return (void *)(uintptr_t)address;
}

void *copy_view(const char *call, const void *address, size_t bytes,
                int device_wanted, enum copy_side side, cudaError_t *error)
{
  struct allocation found;
  uint64_t place = (uint64_t)(uintptr_t)address;
  if (address == NULL) {
    *error = cudaErrorInvalidValue;
    return NULL;
  }
  if (!memory_find(place, &found))
    return host_view(call, address, device_wanted, side, error);
  bool device_only = found.kind == MEMORY_DEVICE ||
                     found.kind == MEMORY_VARIABLE ||
                     found.kind == MEMORY_MAPPED;
  if (device_wanted == 0 && device_only)
    return wrong_side(call, address, side, true, error);
  void *view = side == COPY_SOURCE
                   ? (void *)(uintptr_t)memory_look(place, bytes)
                   : memory_view(place, bytes);
  /* A registered range may be part of a larger host buffer. */
  if (view == NULL && found.kind == MEMORY_REGISTERED && device_wanted != 1)
    return (void *)(uintptr_t)address;
  if (view == NULL)
    return out_of_range(call, address, bytes, &found, side, error);
  return view;
}

cudaError_t copy_begin(enum cudaMemcpyKind kind, bool asynchronous)
{
  if ((unsigned)kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (asynchronous)
    return state_enter();
  bool waits = kind != cudaMemcpyDeviceToDevice;
  cudaError_t error = waits ? state_wait() : state_settle();
  if (error == cudaSuccess)
    error = capture_unsafe_legacy();
  ordering_enter(NULL);
  ordering_host_waits(waits);
  return error;
}

cudaError_t copy_to_stream(const struct cudaMemcpy3DParms *copy,
                           cudaStream_t stream, bool *done)
{
  struct work work;
  cudaError_t error = stream_enter(stream, done);
  return *done && error == cudaSuccess
             ? capture_add(stream, work_copy(copy, &work), &work)
             : error;
}

cudaError_t copy_row_to_stream(void *destination, const void *source,
                               size_t bytes, enum cudaMemcpyKind kind,
                               cudaStream_t stream, bool *done)
{
  struct cudaMemcpy3DParms copy = {
    .srcPtr = { (void *)(uintptr_t)source, bytes, bytes, 1 },
    .dstPtr = { destination, bytes, bytes, 1 },
    .extent = { bytes, 1, 1 },
    .kind = kind,
  };
  return copy_to_stream(&copy, stream, done);
}

static cudaError_t copy_bytes(const char *call, void *destination,
                              const void *source, size_t bytes,
                              enum cudaMemcpyKind kind)
{
  cudaError_t error = cudaSuccess;
  if (bytes == 0)
    return cudaSuccess;
  void *to = copy_view(call, destination, bytes,
                       copy_wants_device(kind, COPY_DESTINATION),
                       COPY_DESTINATION, &error);
  const void *from =
      to == NULL
          ? NULL
          : copy_view(call, source, bytes, copy_wants_device(kind, COPY_SOURCE),
                      COPY_SOURCE, &error);
  if (from == NULL)
    return error;
  memmove(to, from, bytes);
  struct check_copy copy = { .call = call,
                             .from = (uint64_t)(uintptr_t)source,
                             .to = (uint64_t)(uintptr_t)destination,
                             .width = bytes,
                             .height = 1,
                             .depth = 1 };
  check_copied(&copy);
  ordering_copied(&copy);
  return error;
}

cudaError_t core_memcpy(void *destination, const void *source, size_t bytes,
                        enum cudaMemcpyKind kind)
{
  cudaError_t error = copy_begin(kind, false);
  if (error == cudaSuccess)
    error = copy_bytes("cudaMemcpy", destination, source, bytes, kind);
  return error;
}

cudaError_t core_memcpy_async(void *destination, const void *source,
                              size_t bytes, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
  bool done;
  cudaError_t error = copy_begin(kind, true);
  if (error == cudaSuccess)
    error = copy_row_to_stream(destination, source, bytes, kind, stream, &done);
  if (error == cudaSuccess && !done)
    error = copy_bytes("cudaMemcpyAsync", destination, source, bytes, kind);
  return error;
}

static bool is_device_number(int device)
{
  return device >= 0 && device < config()->n_devices;
}

cudaError_t core_memcpy_peer_async(void *destination, int destination_device,
                                   const void *source, int source_device,
                                   size_t bytes, cudaStream_t stream)
{
  cudaError_t error = state_enter();
  if (error == cudaSuccess && (!is_device_number(destination_device) ||
                               !is_device_number(source_device)))
    error = cudaErrorInvalidDevice;
  bool done;
  if (error == cudaSuccess)
    error = copy_row_to_stream(destination, source, bytes,
                               cudaMemcpyDeviceToDevice, stream, &done);
  if (error == cudaSuccess && !done)
    error = copy_bytes("cudaMemcpyPeer", destination, source, bytes,
                       cudaMemcpyDeviceToDevice);
  return error;
}

cudaError_t core_memcpy_peer(void *destination, int destination_device,
                             const void *source, int source_device,
                             size_t bytes)
{
  cudaError_t error = state_settle();
  if (error != cudaSuccess)
    return error;
  return core_memcpy_peer_async(destination, destination_device, source,
                                source_device, bytes, NULL);
}
