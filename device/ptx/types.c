/* Names and sizes of types and state spaces. */
#include "types.h"

#include <string.h>

static const struct {
  const char *name;
  unsigned bytes;
  int is_signed, is_float;
} types[TYPE_COUNT] = {
  [TYPE_NONE] = { "none", 0, 0, 0 },
  [TYPE_PRED] = { "pred", 1, 0, 0 },
  [TYPE_B8] = { "b8", 1, 0, 0 },
  [TYPE_U8] = { "u8", 1, 0, 0 },
  [TYPE_S8] = { "s8", 1, 1, 0 },
  [TYPE_B16] = { "b16", 2, 0, 0 },
  [TYPE_U16] = { "u16", 2, 0, 0 },
  [TYPE_S16] = { "s16", 2, 1, 0 },
  [TYPE_F16] = { "f16", 2, 0, 1 },
  [TYPE_BF16] = { "bf16", 2, 0, 1 },
  [TYPE_B32] = { "b32", 4, 0, 0 },
  [TYPE_U32] = { "u32", 4, 0, 0 },
  [TYPE_S32] = { "s32", 4, 1, 0 },
  [TYPE_F32] = { "f32", 4, 0, 1 },
  [TYPE_F16X2] = { "f16x2", 4, 0, 1 },
  [TYPE_BF16X2] = { "bf16x2", 4, 0, 1 },
  [TYPE_TF32] = { "tf32", 4, 0, 1 },
  [TYPE_B64] = { "b64", 8, 0, 0 },
  [TYPE_U64] = { "u64", 8, 0, 0 },
  [TYPE_S64] = { "s64", 8, 1, 0 },
  [TYPE_F64] = { "f64", 8, 0, 1 },
  [TYPE_B128] = { "b128", 16, 0, 0 },
  [TYPE_TEXREF] = { "texref", 8, 0, 0 },
  [TYPE_SAMPLERREF] = { "samplerref", 8, 0, 0 },
  [TYPE_SURFREF] = { "surfref", 8, 0, 0 },
};

enum ptx_type ptx_type_named(const char *name, size_t length)
{
  for (int type = TYPE_PRED; type < TYPE_COUNT; type++)
    if (strlen(types[type].name) == length &&
        memcmp(types[type].name, name, length) == 0)
      return (enum ptx_type)type;
  return TYPE_NONE;
}

const char *ptx_type_name(enum ptx_type type) { return types[type].name; }

unsigned ptx_type_bytes(enum ptx_type type) { return types[type].bytes; }

int ptx_type_is_signed(enum ptx_type type) { return types[type].is_signed; }

int ptx_type_is_float(enum ptx_type type) { return types[type].is_float; }
