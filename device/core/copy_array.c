/* Copies to and from CUDA arrays. */
#include "copy_array.h"

#include <stdint.h>

#include "array.h"
#include "copy.h"
#include "graph/capture.h"
#include "state.h"
#include "stream.h"

/* An array lies on the device: the direction must not say otherwise. */
static bool direction_fits(enum cudaMemcpyKind kind, bool from_array,
                           bool to_array)
{
  return !(from_array && copy_wants_device(kind, COPY_SOURCE) == 0) &&
         !(to_array && copy_wants_device(kind, COPY_DESTINATION) == 0);
}

struct rows {
  const char *call;
  cudaArray_t to_array, from_array; /* NULL: memory */
  size_t to_x, to_y, from_x, from_y;
  void *to;
  const void *from;
  size_t to_pitch, from_pitch, width, height;
  enum cudaMemcpyKind kind;
  bool runs_on; /* `width` bytes in all, which go on in the array's next row */
};

/* Rows that run on lie one after the other in an array. */
static cudaError_t place_in_one(cudaArray_t array, size_t x, size_t y,
                                size_t bytes, void **address)
{
  if (!array_is_live(array))
    return cudaErrorInvalidResourceHandle;
  const struct image *image = &array->image;
  if (x > image->pitch || y > image->height)
    return cudaErrorInvalidValue;
  size_t start = y * image->pitch + x;
  if (start > image->slice || bytes > image->slice - start)
    return cudaErrorInvalidValue;
  struct array_box box = { x, y, 0, 0, 0, 0 };
  return array_place(array, &box, address);
}

/* The calls without rows say by a pointer whether it is memory, the others by
 * an array. */
static bool is_in_array(const struct rows *r, cudaArray_t array,
                        const void *address)
{
  return r->runs_on ? address == NULL : array != NULL;
}

/* Where the rows are in an array, or in memory at `*address` already. */
static cudaError_t place_rows(const struct rows *r, cudaArray_t array, size_t x,
                              size_t y, void **address, size_t *pitch)
{
  struct array_box box = { x, y, 0, r->width, r->height, 1 };
  cudaError_t error;
  if (!is_in_array(r, array, *address))
    return r->width > *pitch ? copy_pitch_error(r->height) : cudaSuccess;
  if (r->runs_on)
    return place_in_one(array, x, y, r->width, address);
  error = array_place(array, &box, address);
  if (error == cudaSuccess)
    *pitch = array->image.pitch;
  return error;
}

static cudaError_t copy_rows(const struct rows *r)
{
  void *to = r->to, *from = (void *)(uintptr_t)r->from;
  struct copy_box box = { .source_pitch = r->from_pitch,
                          .destination_pitch = r->to_pitch,
                          .width = r->width,
                          .height = r->height,
                          .depth = 1 };
  if (!direction_fits(r->kind, is_in_array(r, r->from_array, from),
                      is_in_array(r, r->to_array, to)))
    return cudaErrorInvalidMemcpyDirection;
  cudaError_t error =
      place_rows(r, r->to_array, r->to_x, r->to_y, &to, &box.destination_pitch);
  if (error == cudaSuccess)
    error = place_rows(r, r->from_array, r->from_x, r->from_y, &from,
                       &box.source_pitch);
  box.destination = to;
  box.source = from;
  return error == cudaSuccess ? copy_box(r->call, &box, r->kind) : error;
}

/* The same as cudaMemcpy3D would do it, for a stream that records: there,
 * arrays are measured in texels. */
static cudaError_t record_rows(const struct rows *r, cudaStream_t stream)
{
  struct work work;
  cudaArray_t array = r->to_array != NULL ? r->to_array : r->from_array;
  if (!array_is_live(array))
    return capture_add(stream, cudaErrorInvalidResourceHandle, NULL);
  size_t texel = texel_bytes(&array->image.format);
  struct cudaMemcpy3DParms copy = {
    .srcArray = r->from_array,
    .dstArray = r->to_array,
    .extent = { r->width / texel, r->height, 1 },
    .kind = r->kind,
  };
  if (r->width % texel != 0 || r->to_x % texel != 0 || r->from_x % texel != 0)
    return capture_add(stream, cudaErrorInvalidValue, NULL);
  if (r->to_array != NULL)
    copy.dstPos = (struct cudaPos){ r->to_x / texel, r->to_y, 0 };
  else
    copy.dstPtr =
        (struct cudaPitchedPtr){ r->to, r->to_pitch, r->width, r->height };
  if (r->from_array != NULL)
    copy.srcPos = (struct cudaPos){ r->from_x / texel, r->from_y, 0 };
  else
    copy.srcPtr = (struct cudaPitchedPtr){ (void *)(uintptr_t)r->from,
                                           r->from_pitch, r->width, r->height };
  return capture_add(stream, work_copy(&copy, &work), &work);
}

/* Whole rows, or a part of one, are a box, which a stream can record. */
static cudaError_t record_run(const struct rows *r, cudaStream_t stream)
{
  cudaArray_t array = r->to == NULL ? r->to_array : r->from_array;
  size_t x = r->to == NULL ? r->to_x : r->from_x;
  struct rows box = *r;
  if (!array_is_live(array))
    return capture_add(stream, cudaErrorInvalidResourceHandle, NULL);
  size_t row = array->image.width * texel_bytes(&array->image.format);
  if (x + r->width > row) {
    if (x != 0 || r->width % row != 0) {
      explain(r->call, "this copy cannot be captured: it is neither whole rows "
                       "nor a part of one");
      return capture_add(stream, cudaErrorNotSupported, NULL);
    }
    box.width = box.to_pitch = box.from_pitch = row;
    box.height = r->width / row;
  }
  return record_rows(&box, stream);
}

static cudaError_t record(const struct rows *r, cudaStream_t stream)
{
  return r->runs_on ? record_run(r, stream) : record_rows(r, stream);
}

static cudaError_t run(const struct rows *r, bool asynchronous,
                       cudaStream_t stream)
{
  bool captures = false;
  cudaError_t error = copy_begin(r->kind, asynchronous);
  if (error == cudaSuccess && asynchronous)
    error = stream_enter(stream, &captures);
  if (error == cudaSuccess)
    error = captures ? record(r, stream) : copy_rows(r);
  return error;
}

static cudaError_t to_array(cudaArray_t destination, size_t x, size_t y,
                            const void *source, size_t pitch, size_t width,
                            size_t height, enum cudaMemcpyKind kind,
                            bool asynchronous, cudaStream_t stream)
{
  struct rows r = { .call = "cudaMemcpy2DToArray",
                    .to_array = destination,
                    .to_x = x,
                    .to_y = y,
                    .from = source,
                    .from_pitch = pitch,
                    .width = width,
                    .height = height,
                    .kind = kind };
  if (destination == NULL)
    return cudaErrorInvalidResourceHandle;
  return run(&r, asynchronous, stream);
}

cudaError_t core_memcpy_2d_to_array(cudaArray_t destination, size_t x, size_t y,
                                    const void *source, size_t pitch,
                                    size_t width, size_t height,
                                    enum cudaMemcpyKind kind)
{
  return to_array(destination, x, y, source, pitch, width, height, kind, false,
                  NULL);
}

cudaError_t core_memcpy_2d_to_array_async(cudaArray_t destination, size_t x,
                                          size_t y, const void *source,
                                          size_t pitch, size_t width,
                                          size_t height,
                                          enum cudaMemcpyKind kind,
                                          cudaStream_t stream)
{
  return to_array(destination, x, y, source, pitch, width, height, kind, true,
                  stream);
}

static cudaError_t from_array(void *destination, size_t pitch,
                              cudaArray_t source, size_t x, size_t y,
                              size_t width, size_t height,
                              enum cudaMemcpyKind kind, bool asynchronous,
                              cudaStream_t stream)
{
  struct rows r = { .call = "cudaMemcpy2DFromArray",
                    .from_array = source,
                    .from_x = x,
                    .from_y = y,
                    .to = destination,
                    .to_pitch = pitch,
                    .width = width,
                    .height = height,
                    .kind = kind };
  if (source == NULL)
    return cudaErrorInvalidResourceHandle;
  return run(&r, asynchronous, stream);
}

cudaError_t core_memcpy_2d_from_array(void *destination, size_t pitch,
                                      cudaArray_t source, size_t x, size_t y,
                                      size_t width, size_t height,
                                      enum cudaMemcpyKind kind)
{
  return from_array(destination, pitch, source, x, y, width, height, kind,
                    false, NULL);
}

cudaError_t core_memcpy_2d_from_array_async(
    void *destination, size_t pitch, cudaArray_t source, size_t x, size_t y,
    size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
  return from_array(destination, pitch, source, x, y, width, height, kind, true,
                    stream);
}

cudaError_t core_memcpy_2d_array_to_array(cudaArray_t destination, size_t to_x,
                                          size_t to_y, cudaArray_t source,
                                          size_t from_x, size_t from_y,
                                          size_t width, size_t height,
                                          enum cudaMemcpyKind kind)
{
  struct rows r = { .call = "cudaMemcpy2DArrayToArray",
                    .to_array = destination,
                    .to_x = to_x,
                    .to_y = to_y,
                    .from_array = source,
                    .from_x = from_x,
                    .from_y = from_y,
                    .width = width,
                    .height = height,
                    .kind = kind };
  if (destination == NULL || source == NULL)
    return cudaErrorInvalidResourceHandle;
  return run(&r, false, NULL);
}

/* ---- calls without rows -------------------------------------------------- */

static struct rows one_run(const char *call, size_t bytes,
                           enum cudaMemcpyKind kind)
{
  return (struct rows){ .call = call,
                        .to_pitch = bytes,
                        .from_pitch = bytes,
                        .width = bytes,
                        .height = 1,
                        .kind = kind,
                        .runs_on = true };
}

cudaError_t core_memcpy_to_array_async(cudaArray_t destination, size_t x,
                                       size_t y, const void *source,
                                       size_t bytes, enum cudaMemcpyKind kind,
                                       cudaStream_t stream)
{
  struct rows r = one_run("cudaMemcpyToArray", bytes, kind);
  if (source == NULL)
    return cudaErrorInvalidValue;
  r.to_array = destination;
  r.to_x = x;
  r.to_y = y;
  r.from = source;
  return run(&r, true, stream);
}

cudaError_t core_memcpy_to_array(cudaArray_t destination, size_t x, size_t y,
                                 const void *source, size_t bytes,
                                 enum cudaMemcpyKind kind)
{
  cudaError_t error = copy_begin(kind, false);
  if (error != cudaSuccess)
    return error;
  return core_memcpy_to_array_async(destination, x, y, source, bytes, kind,
                                    NULL);
}

cudaError_t core_memcpy_from_array_async(void *destination, cudaArray_t source,
                                         size_t x, size_t y, size_t bytes,
                                         enum cudaMemcpyKind kind,
                                         cudaStream_t stream)
{
  struct rows r = one_run("cudaMemcpyFromArray", bytes, kind);
  if (destination == NULL)
    return cudaErrorInvalidValue;
  r.from_array = source;
  r.from_x = x;
  r.from_y = y;
  r.to = destination;
  return run(&r, true, stream);
}

cudaError_t core_memcpy_from_array(void *destination, cudaArray_t source,
                                   size_t x, size_t y, size_t bytes,
                                   enum cudaMemcpyKind kind)
{
  cudaError_t error = copy_begin(kind, false);
  if (error != cudaSuccess)
    return error;
  return core_memcpy_from_array_async(destination, source, x, y, bytes, kind,
                                      NULL);
}

cudaError_t core_memcpy_array_to_array(cudaArray_t destination, size_t to_x,
                                       size_t to_y, cudaArray_t source,
                                       size_t from_x, size_t from_y,
                                       size_t bytes, enum cudaMemcpyKind kind)
{
  struct rows r = one_run("cudaMemcpyArrayToArray", bytes, kind);
  r.to_array = destination;
  r.to_x = to_x;
  r.to_y = to_y;
  r.from_array = source;
  r.from_x = from_x;
  r.from_y = from_y;
  return run(&r, false, NULL);
}

/* ---- boxes --------------------------------------------------------------- */

static cudaError_t array_side(cudaArray_t array, struct cudaPos position,
                              struct cudaExtent extent, size_t texel,
                              void **address, size_t *pitch, size_t *slice)
{
  struct array_box box = { position.x * texel_bytes(&array->image.format),
                           position.y,
                           position.z,
                           extent.width * texel,
                           extent.height,
                           extent.depth };
  *pitch = array->image.pitch;
  *slice = array->image.slice;
  return array_place(array, &box, address);
}

static cudaError_t memory_side(struct cudaPitchedPtr memory,
                               struct cudaPos position, size_t width,
                               void **address, size_t *pitch, size_t *slice)
{
  if (memory.ptr == NULL)
    return cudaErrorInvalidValue;
  if (width > memory.pitch)
    return cudaErrorInvalidPitchValue;
  *pitch = memory.pitch;
  *slice = memory.pitch * memory.ysize;
  *address = (char *)memory.ptr + position.z * *slice +
             position.y * memory.pitch + position.x;
  return cudaSuccess;
}

/* The extent counts texels, of the source array where both are arrays. */
cudaError_t copy_3d_arrays(const struct cudaMemcpy3DParms *c)
{
  cudaArray_t unit = c->srcArray != NULL ? c->srcArray : c->dstArray;
  void *from = NULL, *to = NULL;
  if (!array_is_live(unit) ||
      (c->dstArray != NULL && !array_is_live(c->dstArray)))
    return cudaErrorInvalidResourceHandle;
  if ((c->srcArray != NULL && c->srcPtr.ptr != NULL) ||
      (c->dstArray != NULL && c->dstPtr.ptr != NULL))
    return cudaErrorInvalidValue;
  if (!direction_fits(c->kind, c->srcArray != NULL, c->dstArray != NULL))
    return cudaErrorInvalidMemcpyDirection;
  if (c->extent.width == 0 || c->extent.height == 0 || c->extent.depth == 0)
    return cudaSuccess;
  size_t texel = texel_bytes(&unit->image.format);
  if (c->extent.width > unit->image.width)
    return cudaErrorInvalidValue;
  struct copy_box box = { .width = c->extent.width * texel,
                          .height = c->extent.height,
                          .depth = c->extent.depth };
  cudaError_t error =
      c->srcArray != NULL
          ? array_side(c->srcArray, c->srcPos, c->extent, texel, &from,
                       &box.source_pitch, &box.source_slice)
          : memory_side(c->srcPtr, c->srcPos, box.width, &from,
                        &box.source_pitch, &box.source_slice);
  if (error == cudaSuccess)
    error = c->dstArray != NULL
                ? array_side(c->dstArray, c->dstPos, c->extent, texel, &to,
                             &box.destination_pitch, &box.destination_slice)
                : memory_side(c->dstPtr, c->dstPos, box.width, &to,
                              &box.destination_pitch, &box.destination_slice);
  if (error != cudaSuccess)
    return error;
  box.source = from;
  box.destination = to;
  return copy_box("cudaMemcpy3D", &box, c->kind);
}
