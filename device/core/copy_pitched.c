/* Copies of rows and boxes. */
#include <stdint.h>
#include <string.h>

#include "../check/copied.h"
#include "copy.h"
#include "copy_array.h"
#include "ordering.h"
#include "state.h"
#include "stream.h"

/* Bytes from the first one to the end of the last one of a pitched box. */
static size_t span(const struct copy_box *box, size_t pitch, size_t slice)
{
  return (box->depth - 1) * slice + (box->height - 1) * pitch + box->width;
}

static cudaError_t check(const struct copy_box *box)
{
  if (box->width > box->source_pitch && box->height > 1)
    return cudaErrorInvalidPitchValue;
  if (box->width > box->destination_pitch && box->height > 1)
    return cudaErrorInvalidPitchValue;
  size_t most = SIZE_MAX / 4;
  if (box->height > most / (box->source_pitch + box->destination_pitch + 1) ||
      box->depth > most / (box->source_slice + box->destination_slice + 1))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

static void copy_rows(const struct copy_box *box, char *to, const char *from)
{
  for (size_t z = 0; z < box->depth; z++)
    for (size_t y = 0; y < box->height; y++)
      memmove(to + z * box->destination_slice + y * box->destination_pitch,
              from + z * box->source_slice + y * box->source_pitch, box->width);
}

/* Rows that are longer than their distance: an H100's answer depends on how
 * many there are. */
cudaError_t copy_pitch_error(size_t height)
{
  return height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
}

cudaError_t copy_box(const char *call, const struct copy_box *box,
                     enum cudaMemcpyKind kind)
{
  if (box->width == 0 || box->height == 0 || box->depth == 0)
    return cudaSuccess;
  cudaError_t error = check(box);
  if (error != cudaSuccess)
    return error;
  char *to = copy_view(
      call, box->destination,
      span(box, box->destination_pitch, box->destination_slice),
      copy_wants_device(kind, COPY_DESTINATION), COPY_DESTINATION, &error);
  if (to == NULL)
    return error;
  const char *from = copy_view(
      call, box->source, span(box, box->source_pitch, box->source_slice),
      copy_wants_device(kind, COPY_SOURCE), COPY_SOURCE, &error);
  if (from == NULL)
    return error;
  copy_rows(box, to, from);
  struct check_copy copy = { .call = call,
                             .from = (uint64_t)(uintptr_t)box->source,
                             .to = (uint64_t)(uintptr_t)box->destination,
                             .width = box->width,
                             .height = box->height,
                             .depth = box->depth,
                             .from_pitch = box->source_pitch,
                             .from_slice = box->source_slice,
                             .to_pitch = box->destination_pitch,
                             .to_slice = box->destination_slice };
  check_copied(&copy);
  ordering_copied(&copy);
  return error;
}

static cudaError_t copy_2d(const char *call, void *destination,
                           size_t destination_pitch, const void *source,
                           size_t source_pitch, size_t width, size_t height,
                           enum cudaMemcpyKind kind)
{
  struct copy_box box = { .source = source,
                          .destination = destination,
                          .source_pitch = source_pitch,
                          .destination_pitch = destination_pitch,
                          .width = width,
                          .height = height,
                          .depth = 1 };
  if (width > source_pitch || width > destination_pitch)
    return copy_pitch_error(height);
  return copy_box(call, &box, kind);
}

cudaError_t core_memcpy_2d(void *destination, size_t destination_pitch,
                           const void *source, size_t source_pitch,
                           size_t width, size_t height,
                           enum cudaMemcpyKind kind)
{
  cudaError_t error = copy_begin(kind, false);
  if (error == cudaSuccess)
    error = copy_2d("cudaMemcpy2D", destination, destination_pitch, source,
                    source_pitch, width, height, kind);
  return error;
}

cudaError_t core_memcpy_2d_async(void *destination, size_t destination_pitch,
                                 const void *source, size_t source_pitch,
                                 size_t width, size_t height,
                                 enum cudaMemcpyKind kind, cudaStream_t stream)
{
  bool done;
  struct cudaMemcpy3DParms copy = {
    .srcPtr = { (void *)(uintptr_t)source, source_pitch, width, height },
    .dstPtr = { destination, destination_pitch, width, height },
    .extent = { width, height, 1 },
    .kind = kind,
  };
  cudaError_t error = copy_begin(kind, true);
  if (error == cudaSuccess)
    error = copy_to_stream(&copy, stream, &done);
  if (error == cudaSuccess && !done)
    error = copy_2d("cudaMemcpy2DAsync", destination, destination_pitch, source,
                    source_pitch, width, height, kind);
  return error;
}

static char *at(struct cudaPitchedPtr base, struct cudaPos position)
{
  size_t row = position.z * base.ysize + position.y;
  return (char *)base.ptr + row * base.pitch + position.x;
}

/* As many rows as the copy needs, if the program says how many there are. */
static bool has_rows(struct cudaPitchedPtr memory, struct cudaPos position,
                     struct cudaExtent extent)
{
  return memory.ysize == 0 || position.y + extent.height <= memory.ysize;
}

static cudaError_t copy_3d(const struct cudaMemcpy3DParms *copy)
{
  if (copy->srcArray != NULL || copy->dstArray != NULL)
    return copy_3d_arrays(copy);
  struct cudaExtent extent = copy->extent;
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0)
    return cudaSuccess;
  if (copy->srcPtr.ptr == NULL || copy->dstPtr.ptr == NULL)
    return cudaErrorInvalidValue;
  if (extent.width > copy->srcPtr.pitch || extent.width > copy->dstPtr.pitch)
    return copy_pitch_error(extent.height);
  if (!has_rows(copy->srcPtr, copy->srcPos, extent) ||
      !has_rows(copy->dstPtr, copy->dstPos, extent))
    return cudaErrorInvalidValue;
  struct copy_box box = {
    .source = at(copy->srcPtr, copy->srcPos),
    .destination = at(copy->dstPtr, copy->dstPos),
    .source_pitch = copy->srcPtr.pitch,
    .destination_pitch = copy->dstPtr.pitch,
    .source_slice = copy->srcPtr.pitch * copy->srcPtr.ysize,
    .destination_slice = copy->dstPtr.pitch * copy->dstPtr.ysize,
    .width = copy->extent.width,
    .height = copy->extent.height,
    .depth = copy->extent.depth,
  };
  return copy_box("cudaMemcpy3D", &box, copy->kind);
}

cudaError_t core_memcpy_3d(const struct cudaMemcpy3DParms *copy)
{
  if (copy == NULL)
    return cudaErrorInvalidValue;
  cudaError_t error = copy_begin(copy->kind, false);
  if (error == cudaSuccess)
    error = copy_3d(copy);
  return error;
}

cudaError_t core_memcpy_3d_async(const struct cudaMemcpy3DParms *copy,
                                 cudaStream_t stream)
{
  if (copy == NULL)
    return cudaErrorInvalidValue;
  bool done;
  cudaError_t error = copy_begin(copy->kind, true);
  if (error == cudaSuccess)
    error = copy_to_stream(copy, stream, &done);
  if (error == cudaSuccess && !done)
    error = copy_3d(copy);
  return error;
}
