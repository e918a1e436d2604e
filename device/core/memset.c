/* Memory set to a byte. */
#include <stdint.h>
#include <string.h>

#include "../memory/memory.h"
#include "copy.h"
#include "graph/capture.h"
#include "ordering.h"
#include "state.h"
#include "stream.h"

struct fill {
  const char *call;
  void *address;
  int value;
  size_t pitch, slice, width, height, depth;
};

static cudaError_t fill_rows(const struct fill *fill)
{
  if (fill->width == 0 || fill->height == 0 || fill->depth == 0)
    return cudaSuccess;
  if (fill->height > 1 && fill->width > fill->pitch)
    return cudaErrorInvalidValue;
  size_t most = SIZE_MAX / 4;
  if (fill->height > most / (fill->pitch + 1) ||
      fill->depth > most / (fill->slice + 1))
    return cudaErrorInvalidValue;
  cudaError_t error = cudaSuccess;
  size_t bytes = (fill->depth - 1) * fill->slice +
                 (fill->height - 1) * fill->pitch + fill->width;
  char *view =
      copy_view(fill->call, fill->address, bytes, 1, COPY_DESTINATION, &error);
  if (view == NULL)
    return error;
  ordering_begin(fill->call, NULL);
  for (size_t z = 0; z < fill->depth; z++)
    for (size_t y = 0; y < fill->height; y++) {
      size_t at = z * fill->slice + y * fill->pitch;
      memset(view + at, fill->value, fill->width);
      operation_writes((uint64_t)(uintptr_t)fill->address + at, fill->width);
    }
  ordering_end();
  return cudaSuccess;
}

/* A box is recorded as a node for each of its slices. */
static cudaError_t record(const struct fill *fill, cudaStream_t stream)
{
  cudaError_t error = cudaSuccess;
  for (size_t z = 0; error == cudaSuccess && z < fill->depth; z++) {
    struct work work;
    struct cudaMemsetParams set = { .dst =
                                        (char *)fill->address + z * fill->slice,
                                    .pitch = fill->pitch,
                                    .value = (unsigned)fill->value & 0xff,
                                    .elementSize = 1,
                                    .width = fill->width,
                                    .height = fill->height };
    error = capture_add(stream, work_set(&set, &work), &work);
  }
  return error;
}

/* Even the calls without "Async" do not wait for the device, see below. */
static cudaError_t run(const struct fill *fill, cudaStream_t stream)
{
  bool captures;
  cudaError_t error = state_enter();
  if (error == cudaSuccess)
    error = stream_enter(stream, &captures);
  if (error == cudaSuccess)
    error = captures ? record(fill, stream) : fill_rows(fill);
  return error;
}

cudaError_t core_memset_async(void *address, int value, size_t bytes,
                              cudaStream_t stream)
{
  struct fill fill = { .call = "cudaMemset",
                       .address = address,
                       .value = value,
                       .width = bytes,
                       .height = 1,
                       .depth = 1 };
  return run(&fill, stream);
}

/* Without "Async", a call waits where the host can reach the memory. */
static cudaError_t wait_for_host_memory(const void *address, cudaError_t error)
{
  struct allocation found;
  if (error == cudaSuccess &&
      memory_find((uint64_t)(uintptr_t)address, &found) &&
      (found.kind == MEMORY_PINNED || found.kind == MEMORY_MANAGED ||
       found.kind == MEMORY_REGISTERED))
    ordering_host_after_stream(NULL);
  return error;
}

cudaError_t core_memset(void *address, int value, size_t bytes)
{
  return wait_for_host_memory(address,
                              core_memset_async(address, value, bytes, NULL));
}

cudaError_t core_memset_2d_async(void *address, size_t pitch, int value,
                                 size_t width, size_t height,
                                 cudaStream_t stream)
{
  struct fill fill = { .call = "cudaMemset2D",
                       .address = address,
                       .value = value,
                       .pitch = pitch,
                       .width = width,
                       .height = height,
                       .depth = 1 };
  return run(&fill, stream);
}

cudaError_t core_memset_2d(void *address, size_t pitch, int value, size_t width,
                           size_t height)
{
  return wait_for_host_memory(
      address,
      core_memset_2d_async(address, pitch, value, width, height, NULL));
}

cudaError_t core_memset_3d_async(struct cudaPitchedPtr pitched, int value,
                                 struct cudaExtent extent, cudaStream_t stream)
{
  struct fill fill = { .call = "cudaMemset3D",
                       .address = pitched.ptr,
                       .value = value,
                       .pitch = pitched.pitch,
                       .slice = pitched.pitch * pitched.ysize,
                       .width = extent.width,
                       .height = extent.height,
                       .depth = extent.depth };
  return run(&fill, stream);
}

cudaError_t core_memset_3d(struct cudaPitchedPtr pitched, int value,
                           struct cudaExtent extent)
{
  return wait_for_host_memory(
      pitched.ptr, core_memset_3d_async(pitched, value, extent, NULL));
}
