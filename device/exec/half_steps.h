/* Comparisons of half-precision values and pairs, and packed conversion:
 * setp.f16x2, set to .f16 and .bf16, cvt to .f16x2 (PTX ISA 9.7.7, 9.7.9). */
#ifndef DEVICE_EXEC_HALF_STEPS_H
#define DEVICE_EXEC_HALF_STEPS_H

#include "lanes/handlers.h"
#include "machine.h"

struct half_extra {
  bool bf16, pair, ftz, relu, finite, is_set, to_float, has_second;
  unsigned combine; /* 1 and, 2 or, 3 xor with predicate c */
  uint32_t invert;
  enum comparison comparison;
  unsigned result_bytes; /* set */
  unsigned rounding;     /* cvt */
  slot second;           /* setp p|q */
};
step_function half_compare, half_pack;

#endif
