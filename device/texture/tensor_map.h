/* A CUtensorMap as the software device fills it: how a box of a tensor lies in
 * global and in shared memory. What a GPU keeps in its 128 bytes is not known
 * and not asked for: programs hand them on as they are. */
#ifndef DEVICE_TEXTURE_TENSOR_MAP_H
#define DEVICE_TEXTURE_TENSOR_MAP_H

#include <stdint.h>

#define TENSOR_MAP_MARK UINT64_C(0x70616d2d726f7374)
enum { TENSOR_RANK = 5, TENSOR_MAP_BYTES = 128 };

/* The numbers of CUtensorMapDataType. */
enum tensor_type {
  TENSOR_U8,
  TENSOR_U16,
  TENSOR_U32,
  TENSOR_S32,
  TENSOR_U64,
  TENSOR_S64,
  TENSOR_F16,
  TENSOR_F32,
  TENSOR_F64,
  TENSOR_BF16,
  TENSOR_F32_FLUSHED,
  TENSOR_TF32,
  TENSOR_TF32_FLUSHED,
  TENSOR_TYPES
};

struct tensor_map {
  uint64_t mark;
  uint64_t address;
  uint64_t stride[TENSOR_RANK]; /* bytes; the first is an element's */
  uint32_t last[TENSOR_RANK];   /* coordinate: the size less one */
  uint16_t box[TENSOR_RANK];    /* elements that are moved */
  uint8_t step[TENSOR_RANK];    /* from one to the next of them */
  uint8_t rank, type, element_bytes;
  uint8_t swizzle;   /* 0, or the pattern's bytes: 32, 64, 128 */
  uint8_t fills_nan; /* what lies outside is a NaN, not 0 */
};
_Static_assert(sizeof(struct tensor_map) <= TENSOR_MAP_BYTES, "a CUtensorMap");

#endif
