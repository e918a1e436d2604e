/* CUDA arrays: memory whose layout only textures and surfaces know. */
#include "array.h"

#include <stdint.h>
#include <string.h>

#include "config.h"
#include "property.h"
#include "state.h"

bool array_format(const struct cudaChannelFormatDesc *from,
                  struct texel_format *to)
{
  const int bits[4] = { from->x, from->y, from->z, from->w };
  unsigned n = 0;
  while (n < 4 && bits[n] != 0)
    n++;
  for (unsigned i = 1; i < 4; i++)
    if (bits[i] != (i < n ? bits[0] : 0))
      return false;
  if ((n != 1 && n != 2 && n != 4) ||
      (bits[0] != 8 && bits[0] != 16 && bits[0] != 32))
    return false;
  switch (from->f) {
  case cudaChannelFormatKindSigned: to->kind = TEXEL_SIGNED; break;
  case cudaChannelFormatKindUnsigned: to->kind = TEXEL_UNSIGNED; break;
  case cudaChannelFormatKindFloat: to->kind = TEXEL_FLOAT; break;
  default: return false;
  }
  to->bits = (unsigned)bits[0];
  to->channels = n;
  return to->kind != TEXEL_FLOAT || to->bits >= 16;
}

static bool fits(const size_t extent[3], const int *most, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (extent[i] > (size_t)most[i])
      return false;
  return true;
}

static bool cube_fits(const struct cuda_array *a,
                      const struct cudaDeviceProp *p)
{
  bool layered = (a->flags & cudaArrayLayered) != 0;
  bool surface = (a->flags & cudaArraySurfaceLoadStore) != 0;
  const int *most =
      surface ? p->maxSurfaceCubemapLayered : p->maxTextureCubemapLayered;
  if (a->extent[0] != a->extent[1] || a->extent[0] > (size_t)most[0])
    return false;
  if (!layered)
    return a->extent[2] == 6;
  return a->extent[2] > 0 && a->extent[2] % 6 == 0 &&
         a->extent[2] <= (size_t)most[1];
}

static bool layers_fit(const struct cuda_array *a,
                       const struct cudaDeviceProp *p)
{
  bool surface = (a->flags & cudaArraySurfaceLoadStore) != 0;
  if (a->extent[2] == 0)
    return false;
  if (a->extent[1] != 0)
    return fits(a->extent,
                surface ? p->maxSurface2DLayered : p->maxTexture2DLayered, 3);
  const size_t flat[3] = { a->extent[0], a->extent[2], 0 };
  return fits(flat, surface ? p->maxSurface1DLayered : p->maxTexture1DLayered,
              2);
}

/* The limits that an H200 keeps, flags and all. */
static bool size_fits(const struct cuda_array *a)
{
  struct cudaDeviceProp p;
  bool surface = (a->flags & cudaArraySurfaceLoadStore) != 0;
  property_fill(&p, current_device());
  if (a->extent[0] == 0)
    return false;
  if (a->flags & cudaArrayCubemap)
    return cube_fits(a, &p);
  if ((a->flags & cudaArrayTextureGather) &&
      (a->extent[1] == 0 || a->extent[2] != 0 ||
       !fits(a->extent, p.maxTexture2DGather, 2)))
    return false;
  if (a->flags & cudaArrayLayered)
    return layers_fit(a, &p);
  if (a->extent[2] != 0)
    return a->extent[1] != 0 &&
           (fits(a->extent, surface ? p.maxSurface3D : p.maxTexture3D, 3) ||
            (!surface && fits(a->extent, p.maxTexture3DAlt, 3)));
  if (a->extent[1] != 0)
    return fits(a->extent, surface ? p.maxSurface2D : p.maxTexture2D, 2);
  return fits(a->extent, surface ? &p.maxSurface1D : &p.maxTexture1D, 1);
}

static void describe_array(struct cuda_array *a)
{
  struct image *image = &a->image;
  image->layered = (a->flags & cudaArrayLayered) != 0;
  image->cube = (a->flags & cudaArrayCubemap) != 0;
  bool flat = image->layered || image->cube;
  image->width = (uint32_t)a->extent[0];
  image->height = a->extent[1] == 0 ? 1 : (uint32_t)a->extent[1];
  image->depth = flat || a->extent[2] == 0 ? 1 : (uint32_t)a->extent[2];
  image->layers = flat ? (uint32_t)a->extent[2] : 1;
  image->dimensions = a->extent[1] == 0 ? 1 : flat || a->extent[2] == 0 ? 2 : 3;
}

static cudaError_t create_array(const char *call, cudaArray_t *array,
                                const struct cudaChannelFormatDesc *format,
                                struct cudaExtent extent, unsigned flags)
{
  struct cuda_array wanted = { .extent = { extent.width, extent.height,
                                           extent.depth },
                               .flags = flags,
                               .device = current_device() };
  unsigned known = cudaArrayLayered | cudaArraySurfaceLoadStore |
                   cudaArrayCubemap | cudaArrayTextureGather |
                   cudaArrayColorAttachment;
  unsigned absent = cudaArraySparse | cudaArrayDeferredMapping;
  if (array == NULL || format == NULL)
    return cudaErrorInvalidValue;
  *array = NULL;
  if (!array_format(format, &wanted.image.format)) {
    if (format->f > cudaChannelFormatKindNone) {
      explain(call, "channel formats beyond plain integers and floats are "
                    "not supported");
      return cudaErrorNotSupported;
    }
    return cudaErrorInvalidChannelDescriptor;
  }
  if (flags & absent) {
    explain(call, "sparse arrays and deferred mapping are not supported");
    return cudaErrorNotSupported;
  }
  if ((flags & ~known) != 0 || !size_fits(&wanted))
    return cudaErrorInvalidValue;
  describe_array(&wanted);
  *array = array_create(&wanted);
  return *array != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t core_malloc_array(cudaArray_t *array,
                              const struct cudaChannelFormatDesc *format,
                              size_t width, size_t height, unsigned flags)
{
  struct cudaExtent extent = { width, height, 0 };
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = create_array("cudaMallocArray", array, format, extent, flags);
  return error;
}

cudaError_t core_malloc_3d_array(cudaArray_t *array,
                                 const struct cudaChannelFormatDesc *format,
                                 struct cudaExtent extent, unsigned flags)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = create_array("cudaMalloc3DArray", array, format, extent, flags);
  return error;
}

cudaError_t core_free_array(cudaArray_t array)
{
  cudaError_t error = state_wait();
  if (error == cudaSuccess && array != NULL && !array_destroy(array)) {
    explain("cudaFreeArray", "%p is no array, or was freed before",
            (void *)array);
    error = cudaErrorInvalidValue;
  }
  return error;
}

static struct cudaChannelFormatDesc format_of(const struct cuda_array *a)
{
  static const enum cudaChannelFormatKind kinds[] = {
    [TEXEL_SIGNED] = cudaChannelFormatKindSigned,
    [TEXEL_UNSIGNED] = cudaChannelFormatKindUnsigned,
    [TEXEL_FLOAT] = cudaChannelFormatKindFloat
  };
  const struct texel_format *f = &a->image.format;
  int bits = (int)f->bits;
  return (struct cudaChannelFormatDesc){ bits, f->channels > 1 ? bits : 0,
                                         f->channels > 2 ? bits : 0,
                                         f->channels > 3 ? bits : 0,
                                         kinds[f->kind] };
}

cudaError_t core_array_get_info(struct cudaChannelFormatDesc *format,
                                struct cudaExtent *extent, unsigned *flags,
                                cudaArray_t array)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && !array_is_live(array))
    error = cudaErrorInvalidResourceHandle;
  if (error != cudaSuccess)
    return error;
  if (format != NULL)
    *format = format_of(array);
  if (extent != NULL)
    *extent = (struct cudaExtent){ array->extent[0], array->extent[1],
                                   array->extent[2] };
  if (flags != NULL)
    *flags = array->flags;
  return cudaSuccess;
}

cudaError_t core_get_channel_desc(struct cudaChannelFormatDesc *format,
                                  cudaArray_t array)
{
  if (format == NULL)
    return cudaErrorInvalidValue;
  return core_array_get_info(format, NULL, NULL, array);
}

cudaError_t array_place(cudaArray_t array, const struct array_box *box,
                        void **address)
{
  if (!array_is_live(array))
    return cudaErrorInvalidResourceHandle;
  const struct image *image = &array->image;
  size_t planes = (size_t)image->depth * image->layers;
  if (box->x > image->pitch || box->width > image->pitch - box->x ||
      box->y > image->height || box->height > image->height - box->y ||
      box->z > planes || box->depth > planes - box->z)
    return cudaErrorInvalidValue;
  *address = (void *)(uintptr_t)(image->address + box->z * image->slice +
                                 box->y * image->pitch + box->x);
  return cudaSuccess;
}

cudaError_t core_device_get_texture_1d_linear_max_width(
    size_t *width, const struct cudaChannelFormatDesc *f, int device)
{
  struct texel_format format;
  cudaError_t error = state_settle();
  if (error == cudaSuccess && (width == NULL || f == NULL))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && (device < 0 || device >= config()->n_devices))
    error = cudaErrorInvalidDevice;
  if (error == cudaSuccess && !array_format(f, &format))
    error = cudaErrorInvalidChannelDescriptor;
  if (error == cudaSuccess)
    *width = ((size_t)1 << 32) / texel_bytes(&format);
  return error;
}
