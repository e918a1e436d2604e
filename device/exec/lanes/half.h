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

static inline f32 f32_from_bf16(u16 h) { return f32_bits((u32)h << 16); }

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
  if (drop > 53) /* less than half of the smallest number */
    return f64_bits(bits_f64((mode == 2 && sign) || (mode == 3 && !sign)
                                 ? ldexp(1.0, least - mantissa)
                                 : 0.0) |
                    sign);
  unit = UINT64_C(1) << drop;
  kept = magnitude & ~(unit - 1);
  rest = magnitude & (unit - 1);
  if (rest != 0 && ((mode == 0 && (rest > unit / 2 ||
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

/* Rounded to nearest, by the bits: a carry out of the fraction is one of the
 * exponent, too. What is below the smallest normal number is rounded by adding
 * a number whose last bit is that of such halves. */
static inline u16 half_nearest(f64 x)
{
  u64 bits = bits_f64(x), size = bits & ~SIGN64;
  u16 sign = (u16)(bits >> 48 & 0x8000);
  u64 normal = (size + (UINT64_C(1) << 41) - 1 + (size >> 42 & 1)) >> 42;
  u64 small = bits_f64(f64_bits(size) + 0x1p28) & 0x7ff;

  if (x != x)
    return 0x7fff;
  if (size < UINT64_C(0x3f10000000000000)) /* 2^-14 */
    return sign | (u16)small;
  normal -= UINT64_C(1008) << 10;
  return sign | (u16)(normal < 0x7c00 ? normal : 0x7c00);
}

static inline u16 half_from_f64(f64 x, unsigned mode)
{
  f64 r;
  u16 sign;
  int exponent;

  if (mode == 0)
    return half_nearest(x);
  r = round_to_format(x, 10, -14, 15, mode);
  sign = (u16)(bits_f64(r) >> 48 & 0x8000);
  exponent = (int)(bits_f64(r) >> 52 & 0x7ff) - 1023;
  if (r != r)
    return 0x7fff;
  if (r == 0)
    return sign;
  if (exponent > 15)
    return sign | 0x7c00;
  if (exponent < -14)
    return sign | (u16)(fabs(r) * 0x1p24);
  return sign | (u16)((exponent + 15) << 10) | (u16)(bits_f64(r) >> 42 & 0x3ff);
}

static inline u16 bf16_from_f64(f64 x, unsigned mode)
{
  f32 r = (f32)round_to_format(x, 7, -126, 127, mode);

  return r != r ? 0x7fff : (u16)(bits_f32(r) >> 16);
}

static inline u32 tf32_from_f64(f64 x, unsigned mode)
{
  return bits_f32((f32)round_to_format(x, 10, -126, 127, mode));
}

/* .satfinite: what lies beyond the largest number becomes it. */
static inline f64 finite_f64(f64 x, f64 largest)
{
  return x > largest ? largest : x < -largest ? -largest : x;
}

/* 8-bit floats: e4m3 has no infinity, its largest number is 448. */
struct eight {
  int mantissa, bias;
  bool infinite;
};
#define EIGHT_E4M3 ((struct eight){ 3, 7, false })
#define EIGHT_E5M2 ((struct eight){ 2, 15, true })

static inline f64 f64_from_eight(u32 bits, struct eight format)
{
  int exponent = (int)(bits & 0x7f) >> format.mantissa;
  u32 fraction = bits & ((1u << format.mantissa) - 1);
  f64 value;

  if (format.infinite && exponent == 0x1f)
    value = fraction == 0 ? (f64)INFINITY : (f64)NAN;
  else if (!format.infinite && (bits & 0x7f) == 0x7f)
    value = (f64)NAN;
  else if (exponent == 0)
    value = ldexp(fraction, 1 - format.bias - format.mantissa);
  else
    value = ldexp(fraction + (1u << format.mantissa),
                  exponent - format.bias - format.mantissa);
  return bits & 0x80 ? -value : value;
}

/* As halves, which hold all of them. */
static inline u16 half_from_e5m2(u32 bits)
{
  return (bits & 0x7f) > 0x7c ? 0x7fff : (u16)(bits << 8);
}

static inline u16 half_from_e4m3(u32 bits)
{
  static const u16 small[8] = { 0,      0x1800, 0x1c00, 0x1e00,
                                0x2000, 0x2100, 0x2200, 0x2300 };
  u32 magnitude = bits & 0x7f;
  u32 half = magnitude < 8 ? small[magnitude] : (magnitude << 7) + (8u << 10);

  return magnitude == 0x7f ? 0x7fff : (u16)(half | (bits & 0x80) << 8);
}

/* To nearest; what is too large becomes the largest number. */
static inline u8 eight_from_f64(f64 x, struct eight format)
{
  f64 r = round_to_format(x, format.mantissa, 1 - format.bias, 40, 0);
  f64 largest = format.infinite ? 57344 : 448, size = fabs(r);
  u8 sign = (u8)(bits_f64(x) >> 56 & 0x80);
  int exponent;

  if (x != x)
    return 0x7f;
  if (size > largest)
    size = largest;
  exponent = (int)(bits_f64(size) >> 52 & 0x7ff) - 1023;
  if (exponent < 1 - format.bias) /* subnormal, or zero */
    return sign | (u8)ldexp(size, format.bias - 1 + format.mantissa);
  return sign | (u8)((exponent + format.bias) << format.mantissa) |
         (u8)((bits_f64(size) >> (52 - format.mantissa)) &
              ((1u << format.mantissa) - 1));
}

#endif
