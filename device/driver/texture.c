/* Texture and surface objects: the runtime's, described in other words. */
#include <string.h>

#include "array.h"
#include "driver.h"

/* ---- what is read -------------------------------------------------------- */

static CUresult resource_of(const CUDA_RESOURCE_DESC *from,
                            struct cudaResourceDesc *to)
{
  bool known = true;
  if (from == NULL || from->flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  memset(to, 0, sizeof *to);
  to->resType = (enum cudaResourceType)from->type;
  switch (from->type) {
  case CU_RESOURCE_TYPE_ARRAY: to->res.array.array = from->res.array; break;
  case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: break;
  case CU_RESOURCE_TYPE_LINEAR:
    to->res.linear.devPtr = pointer_of(from->res.linear.address);
    to->res.linear.sizeInBytes = from->res.linear.bytes;
    known = array_channels(from->res.linear.format, from->res.linear.n_channels,
                           &to->res.linear.desc);
    break;
  case CU_RESOURCE_TYPE_PITCH2D:
    to->res.pitch2D.devPtr = pointer_of(from->res.pitch2D.address);
    to->res.pitch2D.width = from->res.pitch2D.width;
    to->res.pitch2D.height = from->res.pitch2D.height;
    to->res.pitch2D.pitchInBytes = from->res.pitch2D.pitch;
    known = array_channels(from->res.pitch2D.format,
                           from->res.pitch2D.n_channels, &to->res.pitch2D.desc);
    break;
  default: known = false;
  }
  return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static void resource_back(const struct cudaResourceDesc *from,
                          CUDA_RESOURCE_DESC *to)
{
  memset(to, 0, sizeof *to);
  to->type = (CUresourcetype)from->resType;
  switch (from->resType) {
  case cudaResourceTypeArray: to->res.array = from->res.array.array; break;
  case cudaResourceTypeMipmappedArray: break;
  case cudaResourceTypeLinear:
    to->res.linear.address = (uintptr_t)from->res.linear.devPtr;
    to->res.linear.bytes = from->res.linear.sizeInBytes;
    array_channels_back(&from->res.linear.desc, &to->res.linear.format,
                        &to->res.linear.n_channels);
    break;
  case cudaResourceTypePitch2D:
    to->res.pitch2D.address = (uintptr_t)from->res.pitch2D.devPtr;
    to->res.pitch2D.width = from->res.pitch2D.width;
    to->res.pitch2D.height = from->res.pitch2D.height;
    to->res.pitch2D.pitch = from->res.pitch2D.pitchInBytes;
    array_channels_back(&from->res.pitch2D.desc, &to->res.pitch2D.format,
                        &to->res.pitch2D.n_channels);
    break;
  }
}

/* ---- how it is read ------------------------------------------------------ */

enum {
  READ_AS_INTEGER = 1,
  NORMALIZED_COORDINATES = 2,
  SRGB = 0x10,
  NO_TRILINEAR_OPTIMIZATION = 0x20,
  SEAMLESS_CUBEMAP = 0x40
};

/* Integers of 8 and 16 bits are read as fractions unless a flag says no. */
static bool reads_fractions(const struct cudaResourceDesc *resource,
                            unsigned flags)
{
  struct cudaChannelFormatDesc f = { 0 };
  if (flags & READ_AS_INTEGER)
    return false;
  if (resource->resType == cudaResourceTypeLinear)
    f = resource->res.linear.desc;
  else if (resource->resType == cudaResourceTypePitch2D)
    f = resource->res.pitch2D.desc;
  else if (core_get_channel_desc(&f, resource->res.array.array) != cudaSuccess)
    return false;
  return f.f != cudaChannelFormatKindFloat && f.x < 32;
}

static void sampling_of(const CUDA_TEXTURE_DESC *from,
                        const struct cudaResourceDesc *resource,
                        struct cudaTextureDesc *to)
{
  memset(to, 0, sizeof *to);
  for (int i = 0; i < 3; i++)
    to->addressMode[i] = (enum cudaTextureAddressMode)from->address_mode[i];
  to->filterMode = (enum cudaTextureFilterMode)from->filter_mode;
  to->readMode = reads_fractions(resource, from->flags)
                     ? cudaReadModeNormalizedFloat
                     : cudaReadModeElementType;
  to->normalizedCoords = (from->flags & NORMALIZED_COORDINATES) != 0;
  to->sRGB = (from->flags & SRGB) != 0;
  to->disableTrilinearOptimization =
      (from->flags & NO_TRILINEAR_OPTIMIZATION) != 0;
  to->seamlessCubemap = (from->flags & SEAMLESS_CUBEMAP) != 0;
  to->maxAnisotropy = from->max_anisotropy;
  to->mipmapFilterMode = (enum cudaTextureFilterMode)from->mipmap_filter_mode;
  to->mipmapLevelBias = from->mipmap_level_bias;
  to->minMipmapLevelClamp = from->min_mipmap_level_clamp;
  to->maxMipmapLevelClamp = from->max_mipmap_level_clamp;
  memcpy(to->borderColor, from->border_color, sizeof to->borderColor);
}

static void sampling_back(const struct cudaTextureDesc *from,
                          const struct cudaResourceDesc *resource,
                          CUDA_TEXTURE_DESC *to)
{
  memset(to, 0, sizeof *to);
  for (int i = 0; i < 3; i++)
    to->address_mode[i] = from->addressMode[i];
  to->filter_mode = from->filterMode;
  if (from->readMode == cudaReadModeElementType && reads_fractions(resource, 0))
    to->flags |= READ_AS_INTEGER;
  to->flags |= from->normalizedCoords ? NORMALIZED_COORDINATES : 0;
  to->flags |= from->sRGB ? SRGB : 0;
  to->flags |=
      from->disableTrilinearOptimization ? NO_TRILINEAR_OPTIMIZATION : 0;
  to->flags |= from->seamlessCubemap ? SEAMLESS_CUBEMAP : 0;
  to->max_anisotropy = from->maxAnisotropy;
  to->mipmap_filter_mode = from->mipmapFilterMode;
  to->mipmap_level_bias = from->mipmapLevelBias;
  to->min_mipmap_level_clamp = from->minMipmapLevelClamp;
  to->max_mipmap_level_clamp = from->maxMipmapLevelClamp;
  memcpy(to->border_color, from->borderColor, sizeof to->border_color);
}

/* ---- objects ------------------------------------------------------------- */

/* A view's description is the same in both APIs. */
static CUresult create_texture(CUtexObject *object,
                               const CUDA_RESOURCE_DESC *resource,
                               const CUDA_TEXTURE_DESC *texture,
                               const struct cudaResourceViewDesc *view)
{
  struct cudaResourceDesc r;
  struct cudaTextureDesc t;
  if (object == NULL || texture == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = resource_of(resource, &r);
  if (status != CUDA_SUCCESS)
    return status;
  sampling_of(texture, &r, &t);
  return status_of(core_create_texture_object(object, &r, &t, view));
}

API CUresult cuTexObjectCreate(CUtexObject *object,
                               const CUDA_RESOURCE_DESC *resource,
                               const CUDA_TEXTURE_DESC *texture,
                               const struct cudaResourceViewDesc *view)
{
  SERVE_STATUS(create_texture(object, resource, texture, view));
}

API CUresult cuTexObjectDestroy(CUtexObject object)
{
  SERVE(core_destroy_texture_object(object));
}

static CUresult resource_found(cudaError_t error,
                               const struct cudaResourceDesc *from,
                               CUDA_RESOURCE_DESC *to)
{
  if (to == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (error == cudaSuccess)
    resource_back(from, to);
  return status_of(error);
}

API CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource,
                                        CUtexObject object)
{
  struct cudaResourceDesc r;
  SERVE_STATUS(resource_found(core_get_texture_object_resource_desc(&r, object),
                              &r, resource));
}

static CUresult sampling_found(CUDA_TEXTURE_DESC *texture, CUtexObject object)
{
  struct cudaResourceDesc r;
  struct cudaTextureDesc t;
  if (texture == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  cudaError_t error = core_get_texture_object_resource_desc(&r, object);
  if (error == cudaSuccess)
    error = core_get_texture_object_texture_desc(&t, object);
  if (error == cudaSuccess)
    sampling_back(&t, &r, texture);
  return status_of(error);
}

API CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC *texture,
                                       CUtexObject object)
{
  SERVE_STATUS(sampling_found(texture, object));
}

API CUresult cuTexObjectGetResourceViewDesc(struct cudaResourceViewDesc *view,
                                            CUtexObject object)
{
  SERVE(core_get_texture_object_resource_view_desc(view, object));
}

static CUresult create_surface(CUsurfObject *object,
                               const CUDA_RESOURCE_DESC *resource)
{
  struct cudaResourceDesc r;
  CUresult status = resource_of(resource, &r);
  return status != CUDA_SUCCESS
             ? status
             : status_of(core_create_surface_object(object, &r));
}

API CUresult cuSurfObjectCreate(CUsurfObject *object,
                                const CUDA_RESOURCE_DESC *resource)
{
  SERVE_STATUS(create_surface(object, resource));
}

API CUresult cuSurfObjectDestroy(CUsurfObject object)
{
  SERVE(core_destroy_surface_object(object));
}

API CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC *resource,
                                         CUsurfObject object)
{
  struct cudaResourceDesc r;
  SERVE_STATUS(resource_found(core_get_surface_object_resource_desc(&r, object),
                              &r, resource));
}
