/* Texture and surface objects. Which mistakes are errors, and which error,
 * is what an H200 says (tests/device/texture). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "../texture/descriptor.h"
#include "array.h"
#include "property.h"
#include "state.h"

/* What the program gave, for the calls that ask for it back. */
struct source {
  struct cudaResourceDesc resource;
  struct cudaTextureDesc texture;
  struct cudaResourceViewDesc view;
};

static cudaError_t linear_image(const struct cudaResourceDesc *r,
                                struct image *image)
{
  struct cudaDeviceProp p;
  uint64_t address = (uint64_t)(uintptr_t)r->res.linear.devPtr;
  property_fill(&p, current_device());
  if (!array_format(&r->res.linear.desc, &image->format))
    return cudaErrorInvalidChannelDescriptor;
  if (address == 0)
    return cudaErrorInvalidValue;
  if (address % p.textureAlignment != 0) {
    explain("cudaCreateTextureObject",
            "linear memory at %p is no multiple "
            "of textureAlignment, %zu",
            r->res.linear.devPtr, p.textureAlignment);
    return cudaErrorInvalidValue;
  }
  image->dimensions = 1;
  image->linear_memory = true;
  image->address = address;
  image->bytes = r->res.linear.sizeInBytes;
  size_t n = image->bytes / texel_bytes(&image->format);
  image->width = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
  image->height = image->depth = image->layers = 1;
  return cudaSuccess;
}

static cudaError_t pitched_image(const struct cudaResourceDesc *r,
                                 struct image *image)
{
  struct cudaDeviceProp p;
  uint64_t address = (uint64_t)(uintptr_t)r->res.pitch2D.devPtr;
  size_t width = r->res.pitch2D.width, height = r->res.pitch2D.height;
  size_t pitch = r->res.pitch2D.pitchInBytes;
  property_fill(&p, current_device());
  if (!array_format(&r->res.pitch2D.desc, &image->format))
    return cudaErrorInvalidChannelDescriptor;
  if (address == 0 || width > (size_t)p.maxTexture2DLinear[0] ||
      height > (size_t)p.maxTexture2DLinear[1] ||
      pitch > (size_t)p.maxTexture2DLinear[2])
    return cudaErrorInvalidValue;
  if (address % p.textureAlignment != 0 ||
      pitch % p.texturePitchAlignment != 0) {
    explain("cudaCreateTextureObject",
            "pitched memory at %p must be a "
            "multiple of textureAlignment, %zu, and its pitch of %zu one of "
            "texturePitchAlignment, %zu",
            r->res.pitch2D.devPtr, p.textureAlignment, pitch,
            p.texturePitchAlignment);
    return cudaErrorInvalidValue;
  }
  image->dimensions = 2;
  image->address = address;
  image->width = width == 0 ? 1 : (uint32_t)width;
  image->height = height == 0 ? 1 : (uint32_t)height;
  image->depth = image->layers = 1;
  image->pitch = pitch;
  image->bytes = (image->height - 1) * pitch +
                 (size_t)image->width * texel_bytes(&image->format);
  image->slice = image->bytes;
  return cudaSuccess;
}

static cudaError_t find_image(const char *call,
                              const struct cudaResourceDesc *r,
                              struct image *image)
{
  switch (r->resType) {
  case cudaResourceTypeArray:
    if (!array_is_live(r->res.array.array))
      return cudaErrorInvalidResourceHandle;
    *image = r->res.array.array->image;
    return cudaSuccess;
  case cudaResourceTypeLinear: return linear_image(r, image);
  case cudaResourceTypePitch2D: return pitched_image(r, image);
  case cudaResourceTypeMipmappedArray:
    explain(call, "mipmapped arrays are not supported");
    return cudaErrorNotSupported;
  }
  return cudaErrorInvalidValue;
}

static cudaError_t check_sampler(const struct cudaTextureDesc *t,
                                 const struct image *image)
{
  bool floats = image->format.kind == TEXEL_FLOAT;
  bool normalized = t->readMode == cudaReadModeNormalizedFloat;
  for (int i = 0; i < 3; i++)
    if ((unsigned)t->addressMode[i] > cudaAddressModeBorder)
      return cudaErrorInvalidValue;
  if ((unsigned)t->filterMode > cudaFilterModeLinear ||
      (t->seamlessCubemap && !image->cube))
    return cudaErrorInvalidValue;
  if (t->filterMode == cudaFilterModeLinear && !floats &&
      (!normalized || image->format.bits == 32))
    return cudaErrorInvalidFilterSetting;
  if (normalized && (floats || image->format.bits == 32))
    return cudaErrorInvalidNormSetting;
  return cudaSuccess;
}

static struct sampler sampler_of(const struct cudaTextureDesc *t)
{
  struct sampler s = { .linear = t->filterMode == cudaFilterModeLinear,
                       .normalized = t->normalizedCoords != 0,
                       .normalized_float =
                           t->readMode == cudaReadModeNormalizedFloat,
                       .srgb = t->sRGB != 0,
                       .seamless = t->seamlessCubemap != 0 };
  static const enum address_mode modes[] = { ADDRESS_WRAP, ADDRESS_CLAMP,
                                             ADDRESS_MIRROR, ADDRESS_BORDER };
  for (int i = 0; i < 3; i++)
    s.address[i] = modes[t->addressMode[i]];
  memcpy(s.border, t->borderColor, sizeof s.border);
  return s;
}

static cudaError_t open_object(unsigned long long *object, struct descriptor *d,
                               const struct source *source)
{
  d->source = host_try_new(1, sizeof *source);
  if (d->source == NULL)
    return cudaErrorMemoryAllocation;
  memcpy(d->source, source, sizeof *source);
  *object = descriptor_open(d);
  if (*object != 0)
    return cudaSuccess;
  free(d->source);
  return cudaErrorMemoryAllocation;
}

static cudaError_t create_texture(cudaTextureObject_t *object,
                                  const struct cudaResourceDesc *resource,
                                  const struct cudaTextureDesc *texture,
                                  const struct cudaResourceViewDesc *view)
{
  struct descriptor d = { .is_surface = false };
  struct source source = { 0 };
  if (object == NULL || resource == NULL)
    return cudaErrorInvalidValue;
  if (texture == NULL)
    return cudaErrorInvalidResourceHandle; /* so says an H200 */
  if (view != NULL && view->format != 0) {
    explain("cudaCreateTextureObject", "resource views are not supported");
    return cudaErrorNotSupported;
  }
  cudaError_t error = find_image("cudaCreateTextureObject", resource, &d.image);
  if (error == cudaSuccess)
    error = check_sampler(texture, &d.image);
  if (error != cudaSuccess)
    return error;
  d.sampler = sampler_of(texture);
  source.resource = *resource;
  source.texture = *texture;
  return open_object(object, &d, &source);
}

cudaError_t core_create_texture_object(cudaTextureObject_t *object,
                                       const struct cudaResourceDesc *resource,
                                       const struct cudaTextureDesc *texture,
                                       const struct cudaResourceViewDesc *view)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = create_texture(object, resource, texture, view);
  return error;
}

/* Numbers that name no object are no error. */
static cudaError_t destroy(unsigned long long object, bool is_surface)
{
  cudaError_t error = state_wait();
  if (error == cudaSuccess)
    descriptor_close(object, is_surface);
  return error;
}

cudaError_t core_destroy_texture_object(cudaTextureObject_t object)
{
  return destroy(object, false);
}

cudaError_t core_destroy_surface_object(cudaSurfaceObject_t object)
{
  return destroy(object, true);
}

static cudaError_t find_source(unsigned long long object, bool is_surface,
                               const void *to, const struct source **source)
{
  const struct descriptor *d = descriptor_find(object);
  cudaError_t error = state_settle();
  if (error == cudaSuccess &&
      (to == NULL || d == NULL || d->is_surface != is_surface))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *source = d->source;
  return error;
}

cudaError_t
core_get_texture_object_resource_desc(struct cudaResourceDesc *resource,
                                      cudaTextureObject_t object)
{
  const struct source *source = NULL;
  cudaError_t error = find_source(object, false, resource, &source);
  if (error == cudaSuccess)
    *resource = source->resource;
  return error;
}

cudaError_t
core_get_texture_object_texture_desc(struct cudaTextureDesc *texture,
                                     cudaTextureObject_t object)
{
  const struct source *source = NULL;
  cudaError_t error = find_source(object, false, texture, &source);
  if (error == cudaSuccess)
    *texture = source->texture;
  return error;
}

cudaError_t
core_get_texture_object_resource_view_desc(struct cudaResourceViewDesc *view,
                                           cudaTextureObject_t object)
{
  const struct source *source = NULL;
  cudaError_t error = find_source(object, false, view, &source);
  if (error == cudaSuccess)
    *view = source->view;
  return error;
}

static cudaError_t create_surface(cudaSurfaceObject_t *object,
                                  const struct cudaResourceDesc *resource)
{
  struct descriptor d = { .is_surface = true };
  struct source source = { 0 };
  if (object == NULL || resource == NULL ||
      resource->resType == cudaResourceTypeLinear ||
      resource->resType == cudaResourceTypePitch2D)
    return cudaErrorInvalidValue;
  cudaError_t error = find_image("cudaCreateSurfaceObject", resource, &d.image);
  if (error != cudaSuccess)
    return error;
  source.resource = *resource;
  return open_object(object, &d, &source);
}

cudaError_t core_create_surface_object(cudaSurfaceObject_t *object,
                                       const struct cudaResourceDesc *resource)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = create_surface(object, resource);
  return error;
}

cudaError_t
core_get_surface_object_resource_desc(struct cudaResourceDesc *resource,
                                      cudaSurfaceObject_t object)
{
  const struct source *source = NULL;
  cudaError_t error = find_source(object, true, resource, &source);
  if (error == cudaSuccess)
    *resource = source->resource;
  return error;
}
