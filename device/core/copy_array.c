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
};

static cudaError_t copy_rows(const struct rows *r)
{
  struct copy_box box = { .source = r->from,
                          .destination = r->to,
                          .source_pitch = r->from_pitch,
                          .destination_pitch = r->to_pitch,
                          .width = r->width,
                          .height = r->height,
                          .depth = 1 };
  cudaError_t error = cudaSuccess;
  if (!direction_fits(r->kind, r->from_array != NULL, r->to_array != NULL))
    return cudaErrorInvalidMemcpyDirection;
  if (r->to_array != NULL) {
    struct array_box to = { r->to_x, r->to_y, 0, r->width, r->height, 1 };
    error = array_place(r->to_array, &to, &box.destination);
    if (error == cudaSuccess)
      box.destination_pitch = r->to_array->image.pitch;
  } else if (r->width > r->to_pitch) {
    return cudaErrorInvalidPitchValue;
  }
  if (error == cudaSuccess && r->from_array != NULL) {
    struct array_box from = { r->from_x, r->from_y, 0, r->width, r->height, 1 };
    void *source;
    error = array_place(r->from_array, &from, &source);
    if (error == cudaSuccess) {
      box.source = source;
      box.source_pitch = r->from_array->image.pitch;
    }
  } else if (error == cudaSuccess && r->width > r->from_pitch) {
    return cudaErrorInvalidPitchValue;
  }
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

static cudaError_t run(const struct rows *r, bool asynchronous,
                       cudaStream_t stream)
{
  bool captures = false;
  cudaError_t error = copy_begin(r->kind, asynchronous);
  if (error == cudaSuccess && asynchronous)
    error = stream_enter(stream, &captures);
  if (error == cudaSuccess)
    error = captures ? record_rows(r, stream) : copy_rows(r);
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

/* The calls without rows fill one row after the other: in an array they lie
 * one after the other. */
static cudaError_t in_one_piece(cudaArray_t array, size_t x, size_t y,
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

struct piece {
  const char *call;
  cudaArray_t to_array, from_array;
  size_t to_x, to_y, from_x, from_y, bytes;
  void *to;
  const void *from;
  enum cudaMemcpyKind kind;
};

/* Whole rows, or a part of one, are a box, which a stream can record. */
static cudaError_t record_piece(const struct piece *p, cudaStream_t stream)
{
  cudaArray_t array = p->to == NULL ? p->to_array : p->from_array;
  size_t x = p->to == NULL ? p->to_x : p->from_x;
  if (!array_is_live(array))
    return capture_add(stream, cudaErrorInvalidResourceHandle, NULL);
  size_t row = array->image.width * texel_bytes(&array->image.format);
  bool within = x + p->bytes <= row;
  if (!within && (x != 0 || p->bytes % row != 0)) {
    explain(p->call, "this copy cannot be captured: it is neither whole rows "
                     "nor a part of one");
    return capture_add(stream, cudaErrorNotSupported, NULL);
  }
  struct rows r = { .call = p->call,
                    .to_array = p->to_array,
                    .from_array = p->from_array,
                    .to_x = p->to_x,
                    .to_y = p->to_y,
                    .from_x = p->from_x,
                    .from_y = p->from_y,
                    .to = p->to,
                    .from = p->from,
                    .to_pitch = within ? p->bytes : row,
                    .from_pitch = within ? p->bytes : row,
                    .width = within ? p->bytes : row,
                    .height = within ? 1 : p->bytes / row,
                    .kind = p->kind };
  return record_rows(&r, stream);
}

static cudaError_t run_piece(const struct piece *p)
{
  struct copy_box box = { .source = p->from,
                          .destination = p->to,
                          .source_pitch = p->bytes,
                          .destination_pitch = p->bytes,
                          .width = p->bytes,
                          .height = 1,
                          .depth = 1 };
  cudaError_t error = cudaSuccess;
  if (!direction_fits(p->kind, p->from == NULL, p->to == NULL))
    return cudaErrorInvalidMemcpyDirection;
  if (p->to == NULL)
    error =
        in_one_piece(p->to_array, p->to_x, p->to_y, p->bytes, &box.destination);
  if (error == cudaSuccess && p->from == NULL) {
    void *source = NULL;
    error =
        in_one_piece(p->from_array, p->from_x, p->from_y, p->bytes, &source);
    box.source = source;
  }
  return error == cudaSuccess ? copy_box(p->call, &box, p->kind) : error;
}

static cudaError_t copy_piece(const struct piece *p, bool asynchronous,
                              cudaStream_t stream)
{
  bool captures = false;
  cudaError_t error = copy_begin(p->kind, asynchronous);
  if (error == cudaSuccess && asynchronous)
    error = stream_enter(stream, &captures);
  if (error == cudaSuccess)
    error = captures ? record_piece(p, stream) : run_piece(p);
  return error;
}

cudaError_t core_memcpy_to_array_async(cudaArray_t destination, size_t x,
                                       size_t y, const void *source,
                                       size_t bytes, enum cudaMemcpyKind kind,
                                       cudaStream_t stream)
{
  struct piece p = { .call = "cudaMemcpyToArray",
                     .to_array = destination,
                     .to_x = x,
                     .to_y = y,
                     .from = source,
                     .bytes = bytes,
                     .kind = kind };
  if (source == NULL)
    return cudaErrorInvalidValue;
  return copy_piece(&p, true, stream);
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
  struct piece p = { .call = "cudaMemcpyFromArray",
                     .from_array = source,
                     .from_x = x,
                     .from_y = y,
                     .to = destination,
                     .bytes = bytes,
                     .kind = kind };
  if (destination == NULL)
    return cudaErrorInvalidValue;
  return copy_piece(&p, true, stream);
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
  struct piece p = { .call = "cudaMemcpyArrayToArray",
                     .to_array = destination,
                     .to_x = to_x,
                     .to_y = to_y,
                     .from_array = source,
                     .from_x = from_x,
                     .from_y = from_y,
                     .bytes = bytes,
                     .kind = kind };
  return copy_piece(&p, false, NULL);
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
