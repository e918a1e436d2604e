/* Scalar types and state spaces (PTX ISA sections 5.1 and 5.2). */
#ifndef DEVICE_PTX_TYPES_H
#define DEVICE_PTX_TYPES_H

#include <stddef.h>

enum ptx_type {
  TYPE_NONE,
  TYPE_PRED,
  TYPE_B8,
  TYPE_U8,
  TYPE_S8,
  TYPE_B16,
  TYPE_U16,
  TYPE_S16,
  TYPE_F16,
  TYPE_BF16,
  TYPE_B32,
  TYPE_U32,
  TYPE_S32,
  TYPE_F32,
  TYPE_F16X2,
  TYPE_BF16X2,
  TYPE_TF32,
  TYPE_B64,
  TYPE_U64,
  TYPE_S64,
  TYPE_F64,
  TYPE_B128,
  TYPE_TEXREF,
  TYPE_SAMPLERREF,
  TYPE_SURFREF,
  TYPE_COUNT
};

enum ptx_space {
  PTX_SPACE_NONE,
  PTX_SPACE_REGISTER,
  PTX_SPACE_CONSTANT,
  PTX_SPACE_GLOBAL,
  PTX_SPACE_LOCAL,
  PTX_SPACE_PARAMETER,
  PTX_SPACE_SHARED
};

/* `name` without its dot, not NUL-terminated. */
enum ptx_type ptx_type_named(const char *name, size_t length);
const char *ptx_type_name(enum ptx_type type);
unsigned ptx_type_bytes(enum ptx_type type); /* predicates: 1 */
int ptx_type_is_signed(enum ptx_type type);
int ptx_type_is_float(enum ptx_type type);

#endif
