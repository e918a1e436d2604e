/* Translates the driver API's descriptions of copies to the runtime API's,
 * which counts texels instead of bytes in arrays. */
#include "copy_array.h"

#include "array.h"
#include "driver.h"

bool copy_has_array(const CUDA_MEMCPY3D *c)
{
  return c->source_type == CU_MEMORYTYPE_ARRAY ||
         c->destination_type == CU_MEMORYTYPE_ARRAY;
}

/* One side for the runtime API, which counts texels in arrays. */
static bool side_of(CUmemorytype type, const void *host, CUdeviceptr device,
                    CUarray array, size_t texel, struct cudaPitchedPtr room,
                    struct cudaPos *position, struct cudaPitchedPtr *memory,
                    cudaArray_t *of)
{
  if (type == CU_MEMORYTYPE_ARRAY) {
    size_t own = array_texel_bytes(array);
    if (own != texel || position->x % texel != 0)
      return false;
    position->x /= texel;
    *of = array;
    return true;
  }
  *memory = room;
  memory->ptr =
      type == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)host : pointer_of(device);
  return true;
}

CUresult copy_with_arrays(const CUDA_MEMCPY3D *c, enum cudaMemcpyKind kind,
                          struct cudaMemcpy3DParms *parameters)
{
  CUarray unit = c->source_type == CU_MEMORYTYPE_ARRAY ? c->source_array
                                                       : c->destination_array;
  size_t texel = array_texel_bytes(unit);
  struct cudaMemcpy3DParms copy = {
    .srcPos = { c->source_x, c->source_y, c->source_z },
    .dstPos = { c->destination_x, c->destination_y, c->destination_z },
    .kind = kind
  };
  struct cudaPitchedPtr from = { NULL, c->source_pitch, c->source_x + c->width,
                                 c->source_height };
  struct cudaPitchedPtr to = { NULL, c->destination_pitch,
                               c->destination_x + c->width,
                               c->destination_height };
  if (texel == 0)
    return CUDA_ERROR_INVALID_HANDLE;
  if (c->width % texel != 0 || c->source_lod != 0 || c->destination_lod != 0 ||
      !side_of(c->source_type, c->source_host, c->source_device,
               c->source_array, texel, from, &copy.srcPos, &copy.srcPtr,
               &copy.srcArray) ||
      !side_of(c->destination_type, c->destination_host, c->destination_device,
               c->destination_array, texel, to, &copy.dstPos, &copy.dstPtr,
               &copy.dstArray))
    return CUDA_ERROR_INVALID_VALUE;
  copy.extent = (struct cudaExtent){ c->width / texel, c->height, c->depth };
  *parameters = copy;
  return CUDA_SUCCESS;
}

CUresult copy_arrays(const CUDA_MEMCPY3D *c, enum cudaMemcpyKind kind,
                     bool waits, CUstream stream)
{
  struct cudaMemcpy3DParms copy;
  CUresult status = copy_with_arrays(c, kind, &copy);
  if (status != CUDA_SUCCESS)
    return status;
  return status_of(waits ? core_memcpy_3d(&copy)
                         : core_memcpy_3d_async(&copy, stream));
}

/* ---- bytes of an array of one row ---------------------------------------- */

static CUDA_MEMCPY3D row(size_t bytes)
{
  return (CUDA_MEMCPY3D){ .width = bytes,
                          .height = 1,
                          .depth = 1,
                          .source_pitch = bytes,
                          .source_height = 1,
                          .destination_pitch = bytes,
                          .destination_height = 1 };
}

static CUresult to_array(CUarray to, size_t at, const void *host,
                         CUdeviceptr device, size_t bytes, bool waits,
                         CUstream stream)
{
  CUDA_MEMCPY3D c = row(bytes);
  c.destination_type = CU_MEMORYTYPE_ARRAY;
  c.destination_array = to;
  c.destination_x = at;
  c.source_type = host != NULL ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  c.source_host = host;
  c.source_device = device;
  return copy_arrays(
      &c, host != NULL ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToDevice,
      waits, stream);
}

static CUresult from_array(void *host, CUdeviceptr device, CUarray from,
                           size_t at, size_t bytes, bool waits, CUstream stream)
{
  CUDA_MEMCPY3D c = row(bytes);
  c.source_type = CU_MEMORYTYPE_ARRAY;
  c.source_array = from;
  c.source_x = at;
  c.destination_type = host != NULL ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  c.destination_host = host;
  c.destination_device = device;
  return copy_arrays(
      &c, host != NULL ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice,
      waits, stream);
}

static CUresult between(CUarray to, size_t to_at, CUarray from, size_t from_at,
                        size_t bytes)
{
  CUDA_MEMCPY3D c = row(bytes);
  c.source_type = c.destination_type = CU_MEMORYTYPE_ARRAY;
  c.source_array = from;
  c.source_x = from_at;
  c.destination_array = to;
  c.destination_x = to_at;
  return copy_arrays(&c, cudaMemcpyDeviceToDevice, true, NULL);
}

API CUresult cuMemcpyHtoA_v2(CUarray to, size_t at, const void *from,
                             size_t bytes)
{
  SERVE_STATUS(from == NULL ? CUDA_ERROR_INVALID_VALUE
                            : to_array(to, at, from, 0, bytes, true, NULL));
}

API CUresult cuMemcpyHtoAAsync_v2(CUarray to, size_t at, const void *from,
                                  size_t bytes, CUstream stream)
{
  SERVE_STATUS(from == NULL ? CUDA_ERROR_INVALID_VALUE
                            : to_array(to, at, from, 0, bytes, false, stream));
}

API CUresult cuMemcpyDtoA_v2(CUarray to, size_t at, CUdeviceptr from,
                             size_t bytes)
{
  SERVE_STATUS(to_array(to, at, NULL, from, bytes, true, NULL));
}

API CUresult cuMemcpyAtoH_v2(void *to, CUarray from, size_t at, size_t bytes)
{
  SERVE_STATUS(to == NULL ? CUDA_ERROR_INVALID_VALUE
                          : from_array(to, 0, from, at, bytes, true, NULL));
}

API CUresult cuMemcpyAtoHAsync_v2(void *to, CUarray from, size_t at,
                                  size_t bytes, CUstream stream)
{
  SERVE_STATUS(to == NULL ? CUDA_ERROR_INVALID_VALUE
                          : from_array(to, 0, from, at, bytes, false, stream));
}

API CUresult cuMemcpyAtoD_v2(CUdeviceptr to, CUarray from, size_t at,
                             size_t bytes)
{
  SERVE_STATUS(from_array(NULL, to, from, at, bytes, true, NULL));
}

API CUresult cuMemcpyAtoA_v2(CUarray to, size_t to_at, CUarray from,
                             size_t from_at, size_t bytes)
{
  SERVE_STATUS(between(to, to_at, from, from_at, bytes));
}

PER_THREAD(cuMemcpyHtoA_v2, cuMemcpyHtoA_v2_ptds);
PER_THREAD(cuMemcpyDtoA_v2, cuMemcpyDtoA_v2_ptds);
PER_THREAD(cuMemcpyAtoH_v2, cuMemcpyAtoH_v2_ptds);
PER_THREAD(cuMemcpyAtoD_v2, cuMemcpyAtoD_v2_ptds);
PER_THREAD(cuMemcpyAtoA_v2, cuMemcpyAtoA_v2_ptds);
PER_THREAD(cuMemcpyHtoAAsync_v2, cuMemcpyHtoAAsync_v2_ptsz);
PER_THREAD(cuMemcpyAtoHAsync_v2, cuMemcpyAtoHAsync_v2_ptsz);
