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
