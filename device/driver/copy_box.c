/* Copies of rows and boxes. A side is described by its kind of memory, a
 * pointer and where the box begins. */
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
  if (type == CU_MEMORYTYPE_ARRAY) {
    core.explain("copy",
                 "arrays are not supported by the driver API of the "
                 "software device");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  return type == CU_MEMORYTYPE_HOST || type == CU_MEMORYTYPE_DEVICE ||
          type == CU_MEMORYTYPE_UNIFIED
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
  char *there = to.pointer + c->destination_y * to.pitch + c->destination_x;
  char *here = from.pointer + c->source_y * from.pitch + c->source_x;
  enum cudaMemcpyKind kind = kind_of(&to, &from);
  return status_of(waits
                       ? cudaMemcpy2D(there, to.pitch, here, from.pitch,
                                      c->width, c->height, kind)
                       : cudaMemcpy2DAsync(there, to.pitch, here, from.pitch,
                                           c->width, c->height, kind, stream));
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
  return (struct cudaPitchedPtr){side->pointer, side->pitch, width, height};
}

static CUresult copy_3d(const CUDA_MEMCPY3D *c, bool waits, CUstream stream)
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
  struct cudaMemcpy3DParms copy = {
      .srcPos = {c->source_x, c->source_y, c->source_z},
      .srcPtr = pitched(&from, c->source_x + c->width, from_height),
      .dstPos = {c->destination_x, c->destination_y, c->destination_z},
      .dstPtr = pitched(&to, c->destination_x + c->width, to_height),
      .extent = {c->width, c->height, c->depth},
      .kind = kind_of(&to, &from),
  };
  return status_of(waits ? cudaMemcpy3D(&copy)
                         : cudaMemcpy3DAsync(&copy, stream));
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
