/* Copies of rows and boxes. A side is described by its kind of memory, a
 * pointer and where the box begins. */
#include "copy_box.h"

#include "copy_array.h"
#include "driver.h"

struct side {
  CUmemorytype type;
  char *pointer;
  size_t pitch;
};

static CUresult side_of(struct side *side, CUmemorytype type, const void *host,
                        CUdeviceptr device, size_t pitch)
{
  side->type = type;
  side->pitch = pitch;
  side->pointer = type == CU_MEMORYTYPE_HOST ? (char *)(uintptr_t)host
                                             : (char *)pointer_of(device);
  return type == CU_MEMORYTYPE_HOST || type == CU_MEMORYTYPE_DEVICE ||
                 type == CU_MEMORYTYPE_UNIFIED || type == CU_MEMORYTYPE_ARRAY
             ? CUDA_SUCCESS
             : CUDA_ERROR_INVALID_VALUE;
}

static enum cudaMemcpyKind kind_of(const struct side *to,
                                   const struct side *from)
{
  if (to->type == CU_MEMORYTYPE_UNIFIED || from->type == CU_MEMORYTYPE_UNIFIED)
    return cudaMemcpyDefault;
  if (to->type == CU_MEMORYTYPE_HOST)
    return from->type == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost
                                            : cudaMemcpyDeviceToHost;
  return from->type == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToDevice
                                          : cudaMemcpyDeviceToDevice;
}

/* A pitch of 0 says that rows lie back to back. */
static size_t pitch_of(size_t pitch, size_t x, size_t width)
{
  return pitch != 0 ? pitch : x + width;
}

static CUresult copy_2d_arrays(const CUDA_MEMCPY2D *c, size_t to_pitch,
                               size_t from_pitch, enum cudaMemcpyKind kind,
                               bool waits, CUstream stream)
{
  CUDA_MEMCPY3D whole = {
    .source_x = c->source_x,
    .source_y = c->source_y,
    .source_type = c->source_type,
    .source_host = c->source_host,
    .source_device = c->source_device,
    .source_array = c->source_array,
    .source_pitch = from_pitch,
    .source_height = c->source_y + c->height,
    .destination_x = c->destination_x,
    .destination_y = c->destination_y,
    .destination_type = c->destination_type,
    .destination_host = c->destination_host,
    .destination_device = c->destination_device,
    .destination_array = c->destination_array,
    .destination_pitch = to_pitch,
    .destination_height = c->destination_y + c->height,
    .width = c->width,
    .height = c->height,
    .depth = 1,
  };
  return copy_arrays(&whole, kind, waits, stream);
}

static CUresult copy_2d(const CUDA_MEMCPY2D *c, bool waits, CUstream stream)
{
  struct side to, from;
  if (c == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = side_of(
      &to, c->destination_type, c->destination_host, c->destination_device,
      pitch_of(c->destination_pitch, c->destination_x, c->width));
  if (status == CUDA_SUCCESS)
    status = side_of(&from, c->source_type, c->source_host, c->source_device,
                     pitch_of(c->source_pitch, c->source_x, c->width));
  if (status != CUDA_SUCCESS)
    return status;
  if (to.type == CU_MEMORYTYPE_ARRAY || from.type == CU_MEMORYTYPE_ARRAY)
    return copy_2d_arrays(c, to.pitch, from.pitch, kind_of(&to, &from), waits,
                          stream);
  char *there = to.pointer + c->destination_y * to.pitch + c->destination_x;
  char *here = from.pointer + c->source_y * from.pitch + c->source_x;
  enum cudaMemcpyKind kind = kind_of(&to, &from);
  return status_of(waits ? core_memcpy_2d(there, to.pitch, here, from.pitch,
                                          c->width, c->height, kind)
                         : core_memcpy_2d_async(there, to.pitch, here,
                                                from.pitch, c->width, c->height,
                                                kind, stream));
}

API CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *copy)
{
  SERVE_STATUS(copy_2d(copy, true, NULL));
}

API CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *copy)
{
  SERVE_STATUS(copy_2d(copy, true, NULL));
}

API CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream)
{
  SERVE_STATUS(copy_2d(copy, false, stream));
}

static struct cudaPitchedPtr pitched(const struct side *side, size_t width,
                                     size_t height)
{
  return (struct cudaPitchedPtr){ side->pointer, side->pitch, width, height };
}

CUresult copy_parameters(const CUDA_MEMCPY3D *c,
                         struct cudaMemcpy3DParms *parameters)
{
  struct side to, from;
  if (c == NULL || c->reserved0 != NULL || c->reserved1 != NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = side_of(
      &to, c->destination_type, c->destination_host, c->destination_device,
      pitch_of(c->destination_pitch, c->destination_x, c->width));
  if (status == CUDA_SUCCESS)
    status = side_of(&from, c->source_type, c->source_host, c->source_device,
                     pitch_of(c->source_pitch, c->source_x, c->width));
  if (status != CUDA_SUCCESS)
    return status;
  size_t to_height =
      pitch_of(c->destination_height, c->destination_y, c->height);
  size_t from_height = pitch_of(c->source_height, c->source_y, c->height);
  if (copy_has_array(c)) {
    CUDA_MEMCPY3D whole = *c;
    whole.source_pitch = from.pitch;
    whole.source_height = from_height;
    whole.destination_pitch = to.pitch;
    whole.destination_height = to_height;
    return copy_with_arrays(&whole, kind_of(&to, &from), parameters);
  }
  *parameters = (struct cudaMemcpy3DParms){
    .srcPos = { c->source_x, c->source_y, c->source_z },
    .srcPtr = pitched(&from, c->source_x + c->width, from_height),
    .dstPos = { c->destination_x, c->destination_y, c->destination_z },
    .dstPtr = pitched(&to, c->destination_x + c->width, to_height),
    .extent = { c->width, c->height, c->depth },
    .kind = kind_of(&to, &from),
  };
  return CUDA_SUCCESS;
}

static CUresult copy_3d(const CUDA_MEMCPY3D *c, bool waits, CUstream stream)
{
  struct cudaMemcpy3DParms copy;
  CUresult status = copy_parameters(c, &copy);
  if (status != CUDA_SUCCESS)
    return status;
  return status_of(waits ? core_memcpy_3d(&copy)
                         : core_memcpy_3d_async(&copy, stream));
}

API CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *copy)
{
  SERVE_STATUS(copy_3d(copy, true, NULL));
}

API CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *copy, CUstream stream)
{
  SERVE_STATUS(copy_3d(copy, false, stream));
}

PER_THREAD(cuMemcpy2D_v2, cuMemcpy2D_v2_ptds);
PER_THREAD(cuMemcpy2DUnaligned_v2, cuMemcpy2DUnaligned_v2_ptds);
PER_THREAD(cuMemcpy2DAsync_v2, cuMemcpy2DAsync_v2_ptsz);
PER_THREAD(cuMemcpy3D_v2, cuMemcpy3D_v2_ptds);
PER_THREAD(cuMemcpy3DAsync_v2, cuMemcpy3DAsync_v2_ptsz);
