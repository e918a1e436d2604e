/* Hints about managed memory. It never moves, so they get checked, and
 * remembered for those who ask. */
#include "config.h"
#include "graph/capture.h"
#include "../memory/memory.h"
#include "range_facts.h"
#include "state.h"
#include "stream.h"

#define PAGE 4096u /* to which CUDA rounds what is said of a range */

struct range {
  uint64_t serial, start, end;
};

static cudaError_t check(const void *address, size_t bytes, struct range *range)
{
  struct allocation found;
  uint64_t place = (uint64_t)(uintptr_t)address;
  if (bytes == 0 || !memory_find(place, &found) ||
      found.kind != MEMORY_MANAGED ||
      bytes > found.bytes - (place - found.address))
    return cudaErrorInvalidValue;
  range->serial = found.serial;
  range->start = place / PAGE * PAGE;
  range->end = (place + bytes + PAGE - 1) / PAGE * PAGE;
  return cudaSuccess;
}

static cudaError_t check_location(struct cudaMemLocation location)
{
  switch (location.type) {
  case cudaMemLocationTypeDevice:
    return location.id >= 0 && location.id < config()->n_devices
               ? cudaSuccess
               : cudaErrorInvalidDevice;
  case cudaMemLocationTypeHost:
  case cudaMemLocationTypeHostNuma:
  case cudaMemLocationTypeHostNumaCurrent: return cudaSuccess;
  default: return cudaErrorInvalidValue;
  }
}

/* Hints that move memory, on a machine where the device must have all of it:
 * the manual asks for cudaDevAttrConcurrentManagedAccess of the device that is
 * named and of the stream's. */
static cudaError_t check_machine(void)
{
  return config()->machine.concurrent_managed ? cudaSuccess
                                              : cudaErrorInvalidDevice;
}

static int accessed_by(struct cudaMemLocation location)
{
  return location.type == cudaMemLocationTypeDevice
             ? RANGE_ACCESSED_BY + 1 + location.id
             : RANGE_ACCESSED_BY;
}

static cudaError_t advise_range(const struct range *range, int advice,
                                struct cudaMemLocation location)
{
  struct cudaMemLocation nothing = { 0, 0 }, yes = { 0, 1 };
  bool needs_place = advice == cudaMemAdviseSetPreferredLocation ||
                     advice == cudaMemAdviseSetAccessedBy ||
                     advice == cudaMemAdviseUnsetAccessedBy;
  cudaError_t error = needs_place ? check_location(location) : cudaSuccess;
  int fact;
  if (error != cudaSuccess)
    return cudaErrorInvalidValue; /* of a device that is not there, too */
  if (needs_place && location.type == cudaMemLocationTypeDevice)
    error = check_machine();
  if (error != cudaSuccess)
    return error;
  switch (advice) {
  case cudaMemAdviseSetReadMostly:
  case cudaMemAdviseUnsetReadMostly:
    fact = RANGE_READ_MOSTLY;
    location = advice == cudaMemAdviseSetReadMostly ? yes : nothing;
    break;
  case cudaMemAdviseSetPreferredLocation: fact = RANGE_PREFERRED; break;
  case cudaMemAdviseUnsetPreferredLocation:
    fact = RANGE_PREFERRED;
    location = nothing;
    break;
  case cudaMemAdviseSetAccessedBy:
  case cudaMemAdviseUnsetAccessedBy:
    fact = accessed_by(location);
    location = advice == cudaMemAdviseSetAccessedBy ? yes : nothing;
    break;
  default: return cudaErrorInvalidValue;
  }
  range_set(range->serial, range->start, range->end, fact, location);
  return cudaSuccess;
}

cudaError_t core_mem_advise(const void *address, size_t bytes, int advice,
                            struct cudaMemLocation location)
{
  struct range range;
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = check(address, bytes, &range);
  return error == cudaSuccess ? advise_range(&range, advice, location) : error;
}

cudaError_t core_mem_prefetch_async(const void *address, size_t bytes,
                                    struct cudaMemLocation location,
                                    unsigned flags, cudaStream_t stream)
{
  struct range range;
  bool captures;
  cudaError_t error = state_enter();
  if (error == cudaSuccess)
    error = stream_enter(stream, &captures);
  if (error == cudaSuccess && captures)
    error = capture_add(stream, cudaErrorStreamCaptureUnsupported, NULL);
  if (error == cudaSuccess && flags != 0)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = check(address, bytes, &range);
  if (error == cudaSuccess)
    error = check_location(location);
  if (error == cudaSuccess)
    error = check_machine();
  if (error == cudaSuccess)
    range_set(range.serial, range.start, range.end, RANGE_PREFETCHED, location);
  return error;
}

/* ---- what was said ------------------------------------------------------- */

/* Devices as the older attributes number them. */
static int location_number(struct cudaMemLocation location)
{
  switch (location.type) {
  case cudaMemLocationTypeDevice: return location.id;
  case cudaMemLocationTypeHost: return cudaCpuDeviceId;
  default: return cudaInvalidDeviceId;
  }
}

/* Who accesses the range: as many numbers as there is room for. */
static cudaError_t list_accessors(const struct range *range, int *numbers,
                                  size_t room)
{
  size_t n = 0;
  for (int device = -1; device < config()->n_devices && n < room; device++) {
    struct cudaMemLocation value;
    int fact = RANGE_ACCESSED_BY + 1 + device;
    if (range_get(range->serial, range->start, range->end, fact, &value) &&
        value.id == 1)
      numbers[n++] = device;
  }
  while (n < room)
    numbers[n++] = cudaInvalidDeviceId;
  return cudaSuccess;
}

static cudaError_t ask(const struct range *range,
                       enum cudaMemRangeAttribute attribute, void *data,
                       size_t data_bytes)
{
  struct cudaMemLocation value;
  int fact = attribute == cudaMemRangeAttributeReadMostly ? RANGE_READ_MOSTLY
             : attribute == cudaMemRangeAttributePreferredLocation ||
                     attribute == cudaMemRangeAttributePreferredLocationType ||
                     attribute == cudaMemRangeAttributePreferredLocationId
                 ? RANGE_PREFERRED
                 : RANGE_PREFETCHED;
  if (data == NULL || data_bytes == 0 || data_bytes % sizeof(int) != 0)
    return cudaErrorInvalidValue;
  if (attribute == cudaMemRangeAttributeAccessedBy)
    return list_accessors(range, data, data_bytes / sizeof(int));
  if (data_bytes != sizeof(int))
    return cudaErrorInvalidValue;
  if (!range_get(range->serial, range->start, range->end, fact, &value))
    value = (struct cudaMemLocation){ 0, 0 };
  switch (attribute) {
  case cudaMemRangeAttributeReadMostly: *(int *)data = value.id; break;
  case cudaMemRangeAttributePreferredLocation:
  case cudaMemRangeAttributeLastPrefetchLocation:
    *(int *)data = location_number(value);
    break;
  case cudaMemRangeAttributePreferredLocationType:
  case cudaMemRangeAttributeLastPrefetchLocationType:
    *(int *)data = value.type;
    break;
  case cudaMemRangeAttributePreferredLocationId:
  case cudaMemRangeAttributeLastPrefetchLocationId:
    *(int *)data = value.id;
    break;
  default: return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t core_mem_range_get_attribute(void *data, size_t data_bytes,
                                         enum cudaMemRangeAttribute attribute,
                                         const void *address, size_t bytes)
{
  struct range range;
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = check(address, bytes, &range);
  if (error == cudaSuccess)
    error = ask(&range, attribute, data, data_bytes);
  return error;
}

cudaError_t
core_mem_range_get_attributes(void **data, size_t *data_bytes,
                              enum cudaMemRangeAttribute *attributes, size_t n,
                              const void *address, size_t bytes)
{
  struct range range;
  cudaError_t error = state_settle();
  if (error == cudaSuccess &&
      (data == NULL || data_bytes == NULL || attributes == NULL || n == 0))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = check(address, bytes, &range);
  for (size_t i = 0; error == cudaSuccess && i < n; i++)
    error = ask(&range, attributes[i], data[i], data_bytes[i]);
  return error;
}
