/* Small floating-point formats: f16, bf16, tf32. Sources widen exactly;
 * results are rounded once, from double precision. */
#ifndef DEVICE_EXEC_LANES_HALF_H
#define DEVICE_EXEC_LANES_HALF_H

#include "floating.h"

static inline f32 f32_from_half(u16 h)
{
  u32 magnitude = h & 0x7fff, sign = (u32)(h & 0x8000) << 16;
  f32 scaled = f32_bits(magnitude << 13) * 0x1p112f; /* also subnormals */
  u32 bits = magnitude >= 0x7c00 ? 0x7f800000 | (magnitude << 13 & 0x7fe000)
                                 : bits_f32(scaled);

  return f32_bits(bits | sign);
}

static inline f32 f32_from_bf16(u16 h)
{
  return f32_bits((u32)h << 16);
}

/* Rounds `x` to a format of `mantissa` explicit bits whose smallest normal
 * number is 2^least and whose largest has exponent `most`. The result is
 * exact in double precision; infinity when too large (or the largest number
 * when the rounding mode says so). Modes as in CONVERT_*. */
static inline f64 round_to_format(f64 x, int mantissa, int least, int most,
                                  unsigned mode)
{
  u64 bits = bits_f64(x), sign = bits & SIGN64;
  int exponent, drop;
  u64 magnitude, unit, kept, rest;
  f64 largest;

  if (x == 0 || x != x || (bits & ~SIGN64) == UINT64_C(0x7ff0000000000000))
    return x;
  exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  magnitude = (bits & UINT64_C(0xfffffffffffff)) | UINT64_C(1) << 52;
  if (exponent == -1023)
    exponent = -1022, magnitude &= (UINT64_C(1) << 52) - 1;
  drop = 52 - mantissa + (exponent < least ? least - exponent : 0);
  if (drop > 54)
    drop = 54;
  unit = UINT64_C(1) << drop;
  kept = magnitude & ~(unit - 1);
  rest = magnitude & (unit - 1);
  if (rest != 0 &&
      ((mode == 0 && (rest > unit / 2 ||
                      (rest == unit / 2 && (kept & unit)))) ||
       (mode == 4 && rest >= unit / 2) || (mode == 2 && sign) ||
       (mode == 3 && !sign)))
    kept += unit;
  x = ldexp((f64)kept, exponent - 52);
  largest = ldexp(2.0 - ldexp(1.0, -mantissa), most);
  if (x > largest)
    x = mode == 1 || (mode == 2 && !sign) || (mode == 3 && sign)
            ? largest
            : (f64)INFINITY;
  return f64_bits(bits_f64(x) | sign);
}

static inline u16 half_from_f64(f64 x, unsigned mode)
{
  f64 r = round_to_format(x, 10, -14, 15, mode);
  u16 sign = (u16)(bits_f64(r) >> 48 & 0x8000);
  int exponent = (int)(bits_f64(r) >> 52 & 0x7ff) - 1023;

  if (r != r)
    return 0x7fff;
  if (r == 0)
    return sign;
  if (exponent > 15)
    return sign | 0x7c00;
  if (exponent < -14)
    return sign | (u16)(fabs(r) * 0x1p24);
  return sign | (u16)((exponent + 15) << 10) |
         (u16)(bits_f64(r) >> 42 & 0x3ff);
}

static inline u16 bf16_from_f64(f64 x, unsigned mode)
{
  f32 r = (f32)round_to_format(x, 7, -126, 127, mode);

  return r != r ? 0x7fff : (u16)(bits_f32(r) >> 16);
}

static inline u32 tf32_from_f64(f64 x, unsigned mode)
{
  f32 r = (f32)round_to_format(x, 10, -126, 127, mode);

  return r != r ? 0x7fffffff : bits_f32(r);
}

#endif
