/* CUDA arrays: created, described, destroyed. */
#include "array.h"

#include "driver.h"

static const struct {
  CUarray_format format;
  int bits;
  enum cudaChannelFormatKind kind;
} formats[] = {
  { CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned },
  { CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned },
  { CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned },
  { CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned },
  { CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned },
  { CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned },
  { CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat },
  { CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat },
};
enum { FORMATS = sizeof formats / sizeof *formats };

bool array_channels(CUarray_format format, unsigned n_channels,
                    struct cudaChannelFormatDesc *to)
{
  unsigned i = 0;
  if (n_channels != 1 && n_channels != 2 && n_channels != 4)
    return false;
  while (i < FORMATS && formats[i].format != format)
    i++;
  if (i == FORMATS)
    return false;
  int bits = formats[i].bits;
  *to = (struct cudaChannelFormatDesc){ bits, n_channels > 1 ? bits : 0,
                                        n_channels > 2 ? bits : 0,
                                        n_channels > 3 ? bits : 0,
                                        formats[i].kind };
  return true;
}

void array_channels_back(const struct cudaChannelFormatDesc *from,
                         CUarray_format *format, unsigned *n_channels)
{
  *n_channels = from->w != 0 ? 4 : from->y != 0 ? 2 : 1;
  for (unsigned i = 0; i < FORMATS; i++)
    if (formats[i].bits == from->x && formats[i].kind == from->f)
      *format = formats[i].format;
}

size_t array_texel_bytes(CUarray array)
{
  struct cudaChannelFormatDesc f;
  if (core_array_get_info(&f, NULL, NULL, array) != cudaSuccess)
    return 0;
  return (size_t)(f.x + f.y + f.z + f.w) / 8;
}

static CUresult create_array(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *d)
{
  struct cudaChannelFormatDesc format;
  struct cudaExtent extent = { d->width, d->height, d->depth };
  if (array == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (!array_channels(d->format, d->n_channels, &format)) {
    explain("cuArrayCreate",
            "%u channels of format 0x%x: only 1, 2 or 4 plain integers "
            "or floats are supported",
            d->n_channels, d->format);
    return d->format > CU_AD_FORMAT_FLOAT ? CUDA_ERROR_NOT_SUPPORTED
                                          : CUDA_ERROR_INVALID_VALUE;
  }
  return status_of(core_malloc_3d_array(array, &format, extent, d->flags));
}

static CUresult create_flat(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *d)
{
  if (d == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  return create_array(array, &(CUDA_ARRAY3D_DESCRIPTOR){ d->width, d->height, 0,
                                                         d->format,
                                                         d->n_channels, 0 });
}

API CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *d)
{
  SERVE_STATUS(create_flat(array, d));
}

API CUresult cuArray3DCreate_v2(CUarray *array,
                                const CUDA_ARRAY3D_DESCRIPTOR *d)
{
  SERVE_STATUS(d == NULL ? CUDA_ERROR_INVALID_VALUE : create_array(array, d));
}

API CUresult cuArrayDestroy(CUarray array)
{
  SERVE_STATUS(array == NULL || array_texel_bytes(array) == 0
                   ? CUDA_ERROR_INVALID_HANDLE
                   : status_of(core_free_array(array)));
}

static CUresult describe(CUDA_ARRAY3D_DESCRIPTOR *d, CUarray array)
{
  struct cudaChannelFormatDesc format;
  struct cudaExtent extent;
  unsigned flags;
  if (d == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status =
      status_of(core_array_get_info(&format, &extent, &flags, array));
  if (status != CUDA_SUCCESS)
    return status;
  *d = (CUDA_ARRAY3D_DESCRIPTOR){ .width = extent.width,
                                  .height = extent.height,
                                  .depth = extent.depth,
                                  .flags = flags };
  array_channels_back(&format, &d->format, &d->n_channels);
  return CUDA_SUCCESS;
}

static CUresult describe_flat(CUDA_ARRAY_DESCRIPTOR *to, CUarray array)
{
  CUDA_ARRAY3D_DESCRIPTOR d;
  if (to == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult status = describe(&d, array);
  if (status == CUDA_SUCCESS)
    *to = (CUDA_ARRAY_DESCRIPTOR){ d.width, d.height, d.format, d.n_channels };
  return status;
}

API CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *d, CUarray array)
{
  SERVE_STATUS(describe_flat(d, array));
}

API CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *d,
                                       CUarray array)
{
  SERVE_STATUS(describe(d, array));
}
