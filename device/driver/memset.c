/* Memory set to a number of 1, 2 or 4 bytes. */
#include <string.h>

#include "driver.h"

struct fill {
  CUdeviceptr address;
  size_t pitch, width, height; /* width in numbers */
  unsigned value;
  int bytes; /* of a number */
  CUstream stream;
};

static void fill_row(char *row, const struct fill *f)
{
  for (size_t x = 0; x < f->width; x++)
    memcpy(row + x * (size_t)f->bytes, &f->value, (size_t)f->bytes);
}

/* The runtime API checks the place by setting it to zero bytes first. */
static CUresult fill(const struct fill *f)
{
  size_t width;
  if (f->address % (unsigned)f->bytes != 0 ||
      (f->height > 1 && f->pitch % (unsigned)f->bytes != 0) ||
      __builtin_mul_overflow(f->width, (size_t)f->bytes, &width))
    return CUDA_ERROR_INVALID_VALUE;
  int byte = f->bytes == 1 ? (int)(f->value & 0xff) : 0;
  void *place = pointer_of(f->address);
  cudaError_t error = f->height == 1
                          ? core_memset_async(place, byte, width, f->stream)
                          : core_memset_2d_async(place, f->pitch, byte, width,
                                                 f->height, f->stream);
  if (error != cudaSuccess || f->bytes == 1 || width == 0 || f->height == 0)
    return status_of(error);
  char *view = memory_view(f->address, (f->height - 1) * f->pitch + width);
  for (size_t y = 0; view != NULL && y < f->height; y++)
    fill_row(view + y * f->pitch, f);
  return CUDA_SUCCESS;
}

static CUresult fill_line(CUdeviceptr address, unsigned value, int bytes,
                          size_t n, CUstream stream)
{
  struct fill f = { address, 0, n, 1, value, bytes, stream };
  return fill(&f);
}

static CUresult fill_rows(CUdeviceptr address, size_t pitch, unsigned value,
                          int bytes, size_t width, size_t height,
                          CUstream stream)
{
  struct fill f = { address, pitch, width, height, value, bytes, stream };
  return fill(&f);
}

#define SET_CALLS(name, rows_name, type, bytes)                                \
  API CUresult name##_v2(CUdeviceptr address, type value, size_t n)            \
  {                                                                            \
    SERVE_STATUS(fill_line(address, value, bytes, n, NULL));                   \
  }                                                                            \
  API CUresult name##Async(CUdeviceptr address, type value, size_t n,          \
                           CUstream stream)                                    \
  {                                                                            \
    SERVE_STATUS(fill_line(address, value, bytes, n, stream));                 \
  }                                                                            \
  API CUresult rows_name##_v2(CUdeviceptr address, size_t pitch, type value,   \
                              size_t width, size_t height)                     \
  {                                                                            \
    SERVE_STATUS(                                                              \
        fill_rows(address, pitch, value, bytes, width, height, NULL));         \
  }                                                                            \
  API CUresult rows_name##Async(CUdeviceptr address, size_t pitch, type value, \
                                size_t width, size_t height, CUstream stream)  \
  {                                                                            \
    SERVE_STATUS(                                                              \
        fill_rows(address, pitch, value, bytes, width, height, stream));       \
  }                                                                            \
  PER_THREAD(name##_v2, name##_v2_ptds);                                       \
  PER_THREAD(name##Async, name##Async_ptsz);                                   \
  PER_THREAD(rows_name##_v2, rows_name##_v2_ptds);                             \
  PER_THREAD(rows_name##Async, rows_name##Async_ptsz)

SET_CALLS(cuMemsetD8, cuMemsetD2D8, unsigned char, 1);
SET_CALLS(cuMemsetD16, cuMemsetD2D16, unsigned short, 2);
SET_CALLS(cuMemsetD32, cuMemsetD2D32, unsigned, 4);
