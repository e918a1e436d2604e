/* Half precision and bfloat16 to floats and back, by their bits. */
#include "narrow.h"

#include <math.h>
#include <string.h>

static uint32_t bits_of(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits)
{
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

float narrow_from_bfloat(uint16_t bits)
{
  return float_of((uint32_t)bits << 16);
}

uint16_t narrow_to_bfloat(float value)
{
  uint32_t bits = bits_of(value);
  if (isnan(value))
    return 0x7fff;
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float narrow_from_half(uint16_t bits)
{
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float size = exponent == 31 ? (fraction != 0 ? NAN : INFINITY)
               : exponent == 0
                   ? ldexpf((float)fraction, -24)
                   : ldexpf((float)(fraction + 1024), exponent - 25);
  return bits & 0x8000 ? -size : size;
}

uint16_t narrow_to_half(float value)
{
  uint32_t bits = bits_of(value), sign = bits >> 16 & 0x8000;
  bits &= 0x7fffffff;
  if (isnan(value))
    return 0x7fff;
  if (bits >= 0x47800000) /* 65536 */
    return (uint16_t)(sign | 0x7c00);
  if (bits < 0x38800000) /* subnormal: its last bit is that of 0.5f + it */
    return (uint16_t)(sign | (bits_of(float_of(bits) + 0.5F) - 0x3f000000));
  bits += 0xfff + (bits >> 13 & 1) - (UINT32_C(112) << 23);
  return (uint16_t)(sign | bits >> 13);
}

float narrow_from_e4m3(uint8_t bits)
{
  int exponent = bits >> 3 & 15, fraction = bits & 7;
  float size = (bits & 0x7f) == 0x7f ? NAN
               : exponent == 0       ? ldexpf((float)fraction, -9)
                               : ldexpf((float)(fraction + 8), exponent - 10);
  return bits & 0x80 ? -size : size;
}

float narrow_from_e5m2(uint8_t bits)
{
  return narrow_from_half((uint16_t)(bits << 8));
}

/* `fraction` bits after the point, exponents from `least` on. */
static uint8_t narrow_to_eight(float value, int fraction, int least,
                               float largest)
{
  uint8_t sign = signbit(value) ? 0x80 : 0;
  float size = fabsf(value);
  int exponent;
  if (isnan(value))
    return 0x7f;
  size = size > largest ? largest : size;
  exponent = size == 0 || ilogbf(size) < least ? least : ilogbf(size);
  size = ldexpf(rintf(ldexpf(size, fraction - exponent)), exponent - fraction);
  size = size > largest ? largest : size;
  exponent = size == 0 || ilogbf(size) < least ? least : ilogbf(size);
  /* The first bit of a normal number adds one to the exponent. */
  return (uint8_t)(sign + ((exponent - least) << fraction) +
                   (int)ldexpf(size, fraction - exponent));
}

uint8_t narrow_to_e4m3(float value)
{
  return narrow_to_eight(value, 3, -6, 448);
}

uint8_t narrow_to_e5m2(float value)
{
  return narrow_to_eight(value, 2, -14, 57344);
}

int8_t narrow_to_whole(float value)
{
  if (isnan(value))
    return 0;
  return (int8_t)(value > 127 ? 127 : value < -128 ? -128 : rintf(value));
}
