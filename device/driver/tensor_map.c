/* Tensor maps: what a program says of a tensor, for cp.async.bulk.tensor. */
#include <string.h>

#include "../texture/tensor_map.h"
#include "driver.h"

static const uint8_t element_bytes[TENSOR_TYPES] = {
  [TENSOR_U8] = 1,          [TENSOR_U16] = 2,         [TENSOR_U32] = 4,
  [TENSOR_S32] = 4,         [TENSOR_U64] = 8,         [TENSOR_S64] = 8,
  [TENSOR_F16] = 2,         [TENSOR_F32] = 4,         [TENSOR_F64] = 8,
  [TENSOR_BF16] = 2,        [TENSOR_F32_FLUSHED] = 4, [TENSOR_TF32] = 4,
  [TENSOR_TF32_FLUSHED] = 4
};

enum { SWIZZLES = 4, MOST_BOX = 256, MOST_STEP = 8 };

static CUresult refuse(const char *what)
{
  explain("cuTensorMapEncodeTiled",
          "%s: not supported by the software "
          "device",
          what);
  return CUDA_ERROR_NOT_SUPPORTED;
}

struct wanted {
  unsigned type, rank;
  void *address;
  const uint64_t *sizes, *strides;
  const uint32_t *box, *steps;
  unsigned interleave, swizzle, promotion, fill;
};

static bool sizes_fit(const struct wanted *t)
{
  for (unsigned i = 0; i < t->rank; i++)
    if (t->sizes[i] == 0 || t->sizes[i] > UINT64_C(1) << 32 || t->box[i] == 0 ||
        t->box[i] > MOST_BOX || t->steps[i] == 0 || t->steps[i] > MOST_STEP)
      return false;
  for (unsigned i = 0; i + 1 < t->rank; i++)
    if (t->strides[i] % 16 != 0 || t->strides[i] >= UINT64_C(1) << 40)
      return false;
  return (uintptr_t)t->address % 16 == 0;
}

/* Those of which it is known what an H100 takes for a NaN. */
static bool can_be_nan(unsigned type)
{
  return type == TENSOR_F32 || type == TENSOR_F32_FLUSHED ||
         type == TENSOR_TF32 || type == TENSOR_TF32_FLUSHED;
}

static CUresult check(void *map, const struct wanted *t)
{
  if (map == NULL || (uintptr_t)map % 64 != 0 || t->rank == 0 ||
      t->rank > TENSOR_RANK || t->address == NULL || t->sizes == NULL ||
      (t->rank > 1 && t->strides == NULL) || t->box == NULL ||
      t->steps == NULL || !sizes_fit(t))
    return CUDA_ERROR_INVALID_VALUE;
  if (t->type >= TENSOR_TYPES)
    return refuse("a tensor of numbers of less than a byte");
  if (t->interleave != 0)
    return refuse("interleaved channels");
  if (t->swizzle >= SWIZZLES)
    return refuse("swizzling by atoms other than 16 bytes");
  if (t->fill > 1)
    return CUDA_ERROR_INVALID_VALUE;
  if (t->fill == 1 && !can_be_nan(t->type))
    return refuse("NaN for what lies outside of a tensor of other numbers than "
                  "f32 and tf32");
  uint32_t row = t->box[0] * element_bytes[t->type];
  uint32_t pattern = t->swizzle == 0 ? 0 : 16u << t->swizzle;
  if (row % 16 != 0 || (pattern != 0 && row > pattern))
    return CUDA_ERROR_INVALID_VALUE;
  if (pattern != 0 && row != pattern)
    return refuse("a box narrower than its swizzling");
  return CUDA_SUCCESS;
}

/* The innermost dimension knows no steps. */
static uint16_t elements(const struct wanted *t, unsigned i)
{
  return (uint16_t)(i == 0 ? t->box[0]
                           : (t->box[i] + t->steps[i] - 1) / t->steps[i]);
}

static CUresult encode(void *to, const struct wanted *t)
{
  CUresult status = check(to, t);
  if (status != CUDA_SUCCESS)
    return status;
  struct tensor_map map = { .mark = TENSOR_MAP_MARK,
                            .address = (uintptr_t)t->address,
                            .rank = (uint8_t)t->rank,
                            .type = (uint8_t)t->type,
                            .element_bytes = element_bytes[t->type],
                            .fills_nan = t->fill == 1,
                            .swizzle = t->swizzle == 0
                                           ? 0
                                           : (uint8_t)(16u << t->swizzle) };
  for (unsigned i = 0; i < t->rank; i++) {
    map.last[i] = (uint32_t)(t->sizes[i] - 1);
    map.box[i] = elements(t, i);
    map.step[i] = i == 0 ? 1 : (uint8_t)t->steps[i];
    map.stride[i] = i == 0 ? map.element_bytes : t->strides[i - 1];
  }
  memset(to, 0, TENSOR_MAP_BYTES);
  memcpy(to, &map, sizeof map);
  return CUDA_SUCCESS;
}

API CUresult cuTensorMapEncodeTiled(void *map, unsigned type, unsigned rank,
                                    void *address, const uint64_t *sizes,
                                    const uint64_t *strides,
                                    const uint32_t *box, const uint32_t *steps,
                                    unsigned interleave, unsigned swizzle,
                                    unsigned promotion, unsigned fill)
{
  const struct wanted t = { type,  rank,       address, sizes,     strides, box,
                            steps, interleave, swizzle, promotion, fill };
  SERVE_AFTER(DRIVER_INIT, encode(map, &t));
}

static CUresult replace(void *to, void *address)
{
  struct tensor_map map;
  if (to == NULL || (uintptr_t)to % 64 != 0 || (uintptr_t)address % 16 != 0)
    return CUDA_ERROR_INVALID_VALUE;
  memcpy(&map, to, sizeof map);
  if (map.mark != TENSOR_MAP_MARK)
    return CUDA_ERROR_INVALID_VALUE;
  map.address = (uintptr_t)address;
  memcpy(to, &map, sizeof map);
  return CUDA_SUCCESS;
}

API CUresult cuTensorMapReplaceAddress(void *map, void *address)
{
  SERVE_AFTER(DRIVER_INIT, replace(map, address));
}
