/* Host memory that the device can reach: pinned and registered. */
#include <stdint.h>

#include "../memory/memory.h"
#include "config.h"
#include "graph/capture.h"
#include "ordering.h"
#include "state.h"

#define ALIGNMENT 512

static cudaError_t allocate(void **address, size_t bytes, unsigned flags)
{
  unsigned known =
      cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
  if (address == NULL || (flags & ~known) != 0)
    return cudaErrorInvalidValue;
  *address = NULL;
  if (bytes == 0)
    return cudaSuccess;
  cudaError_t error = capture_unsafe();
  if (error != cudaSuccess)
    return error;
  *address = (void *)(uintptr_t)memory_allocate(bytes, ALIGNMENT, MEMORY_PINNED,
                                                current_device(), NULL);
  memory_set_flags((uint64_t)(uintptr_t)*address, flags);
  return *address != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t core_host_alloc(void **address, size_t bytes, unsigned flags)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = allocate(address, bytes, flags);
  return error;
}

cudaError_t core_malloc_host(void **address, size_t bytes)
{
  return core_host_alloc(address, bytes, 0);
}

/* True when `address` begins a live allocation of that kind. */
static bool begins(const void *address, enum memory_kind kind)
{
  struct allocation found;
  uint64_t place = (uint64_t)(uintptr_t)address;
  return memory_find(place, &found) && found.address == place &&
         found.kind == kind;
}

cudaError_t core_free_host(void *address)
{
  cudaError_t error = state_wait();
  ordering_host_after_all();
  if (error != cudaSuccess || address == NULL)
    return error;
  if (!begins(address, MEMORY_PINNED)) {
    explain("cudaFreeHost",
            "%p is no allocation of cudaMallocHost or "
            "cudaHostAlloc",
            address);
    return cudaErrorInvalidValue;
  }
  memory_release((uint64_t)(uintptr_t)address);
  return cudaSuccess;
}

/* Memory that CUDA allocated, not the program. */
static bool is_ours(const void *address)
{
  struct allocation found;
  return memory_find((uint64_t)(uintptr_t)address, &found) &&
         found.kind != MEMORY_REGISTERED;
}

cudaError_t core_host_register(void *address, size_t bytes, unsigned flags)
{
  unsigned known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                   cudaHostRegisterReadOnly; /* and no device's memory */
  cudaError_t error = state_settle();
  if (error == cudaSuccess &&
      (address == NULL || bytes == 0 || (flags & ~known) != 0))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && is_ours(address))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess &&
      !memory_register(address, bytes, current_device()))
    error = cudaErrorHostMemoryAlreadyRegistered;
  if (error == cudaSuccess)
    memory_set_flags((uint64_t)(uintptr_t)address,
                     flags & cudaHostRegisterPortable);
  return error;
}

cudaError_t core_host_unregister(void *address)
{
  struct allocation found;
  cudaError_t error = state_wait();
  ordering_host_after_all();
  if (error == cudaSuccess && address == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && !begins(address, MEMORY_REGISTERED))
    error = memory_find((uint64_t)(uintptr_t)address, &found)
                ? cudaErrorInvalidValue
                : cudaErrorHostMemoryNotRegistered;
  if (error == cudaSuccess)
    memory_release((uint64_t)(uintptr_t)address);
  return error;
}

/* Host and device share addresses. */
cudaError_t core_host_get_device_pointer(void **device, void *host,
                                         unsigned flags)
{
  struct allocation found;
  cudaError_t error = state_settle();
  if (error == cudaSuccess && (device == NULL || flags != 0))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess &&
      (!memory_find((uint64_t)(uintptr_t)host, &found) ||
       (found.kind != MEMORY_PINNED && found.kind != MEMORY_REGISTERED)))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *device = host;
  return error;
}

cudaError_t core_host_get_flags(unsigned *flags, void *address)
{
  struct allocation found;
  cudaError_t error = state_settle();
  if (error == cudaSuccess &&
      (flags == NULL || !memory_find((uint64_t)(uintptr_t)address, &found) ||
       (found.kind != MEMORY_PINNED && found.kind != MEMORY_REGISTERED)))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess) /* all of it is mapped */
    *flags = found.flags | cudaHostAllocMapped;
  return error;
}

static void describe_pointer(struct cudaPointerAttributes *to,
                             const struct allocation *found, void *address)
{
  bool host = found->kind == MEMORY_PINNED || found->kind == MEMORY_REGISTERED;
  bool managed = found->kind == MEMORY_MANAGED;
  to->type = host      ? cudaMemoryTypeHost
             : managed ? cudaMemoryTypeManaged
                       : cudaMemoryTypeDevice;
  to->device = found->device;
  to->devicePointer = address;
  to->hostPointer = host || managed ? address : NULL;
}

cudaError_t
core_pointer_get_attributes(struct cudaPointerAttributes *attributes,
                            const void *address)
{
  struct allocation found;
  cudaError_t error = state_settle();
  if (error == cudaSuccess && attributes == NULL)
    error = cudaErrorInvalidValue;
  if (error != cudaSuccess)
    return error;
  void *place = (void *)(uintptr_t)address;
  *attributes = (struct cudaPointerAttributes){
    .type = cudaMemoryTypeUnregistered, .device = -2, .hostPointer = place
  };
  if (memory_find((uint64_t)(uintptr_t)address, &found))
    describe_pointer(attributes, &found, place);
  return cudaSuccess;
}
