/* Unpacks channels of every format to floats or integers, and packs them again
 * for surface stores. */
#include "texel.h"

#include <math.h>
#include <string.h>

uint32_t float_bits(float value)
{
  uint32_t bits;

  memcpy(&bits, &value, sizeof bits);
  return bits;
}

float bits_float(uint32_t bits)
{
  float value;

  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint32_t half_to_float(uint32_t half)
{
  uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31;
  uint32_t fraction = half & 0x3ff;

  if (exponent == 31)
    return sign | 0x7f800000 | fraction << 13;
  if (exponent != 0)
    return sign | (exponent + 112) << 23 | fraction << 13;
  return sign | float_bits(ldexpf((float)fraction, -24));
}

/* To the nearest, ties away from zero, as an H200's texture units do. */
static uint32_t float_to_half(double value)
{
  uint32_t sign = signbit(value) ? 0x8000 : 0;
  double a = fabs(value);
  int exponent;

  if (isnan(value))
    return 0x7fff;
  if (a >= 65520)
    return sign | 0x7c00;
  if (a < 0x1p-14)
    return sign | (uint32_t)floor(a * 0x1p24 + 0.5);
  frexp(a, &exponent);
  return sign | (((uint32_t)(exponent + 13) << 10) +
                 (uint32_t)floor(ldexp(a, 11 - exponent) + 0.5));
}

static uint32_t channel_bits(const struct texel_format *format,
                             const uint8_t *at, unsigned channel)
{
  uint32_t value = 0;

  memcpy(&value, at + channel * format->bits / 8, format->bits / 8);
  return value;
}

static uint32_t sign_extended(uint32_t value, unsigned bits)
{
  return (uint32_t)((int32_t)(value << (32 - bits)) >> (32 - bits));
}

/* What an H200 reads for each byte: the upper halves of floats. It is the
 * sRGB curve with about 8 significant bits, rounded its own way. */
static const uint16_t srgb_table[256] = {
  0x0000, 0x39a0, 0x3a20, 0x3a70, 0x3aa0, 0x3ac8, 0x3af0, 0x3b0c, 0x3b20,
  0x3b34, 0x3b48, 0x3b5c, 0x3b70, 0x3b84, 0x3b90, 0x3b9c, 0x3baa, 0x3bb8,
  0x3bc6, 0x3bd6, 0x3be6, 0x3bf6, 0x3c03, 0x3c0c, 0x3c16, 0x3c1f, 0x3c29,
  0x3c34, 0x3c3e, 0x3c49, 0x3c55, 0x3c60, 0x3c6c, 0x3c7a, 0x3c83, 0x3c8a,
  0x3c91, 0x3c98, 0x3c9f, 0x3ca6, 0x3cae, 0x3cb6, 0x3cbe, 0x3cc6, 0x3cce,
  0x3cd7, 0x3ce0, 0x3ce9, 0x3cf2, 0x3cfc, 0x3d03, 0x3d08, 0x3d0d, 0x3d12,
  0x3d17, 0x3d1c, 0x3d22, 0x3d28, 0x3d2d, 0x3d33, 0x3d39, 0x3d3f, 0x3d45,
  0x3d4c, 0x3d52, 0x3d58, 0x3d60, 0x3d66, 0x3d6c, 0x3d74, 0x3d7a, 0x3d81,
  0x3d85, 0x3d88, 0x3d8c, 0x3d90, 0x3d94, 0x3d98, 0x3d9c, 0x3da0, 0x3da4,
  0x3da9, 0x3dad, 0x3db1, 0x3db6, 0x3dba, 0x3dbf, 0x3dc3, 0x3dc8, 0x3dcd,
  0x3dd1, 0x3dd6, 0x3ddb, 0x3de0, 0x3de5, 0x3dea, 0x3df0, 0x3df4, 0x3dfa,
  0x3e00, 0x3e02, 0x3e05, 0x3e08, 0x3e0b, 0x3e0e, 0x3e11, 0x3e14, 0x3e17,
  0x3e1a, 0x3e1d, 0x3e20, 0x3e23, 0x3e26, 0x3e29, 0x3e2c, 0x3e30, 0x3e33,
  0x3e36, 0x3e3a, 0x3e3d, 0x3e40, 0x3e44, 0x3e47, 0x3e4b, 0x3e4e, 0x3e52,
  0x3e56, 0x3e59, 0x3e5d, 0x3e61, 0x3e65, 0x3e68, 0x3e6c, 0x3e70, 0x3e74,
  0x3e78, 0x3e7c, 0x3e80, 0x3e82, 0x3e84, 0x3e86, 0x3e88, 0x3e8a, 0x3e8d,
  0x3e8f, 0x3e91, 0x3e93, 0x3e95, 0x3e98, 0x3e9a, 0x3e9c, 0x3e9e, 0x3ea1,
  0x3ea3, 0x3ea5, 0x3ea8, 0x3eaa, 0x3ead, 0x3eaf, 0x3eb2, 0x3eb4, 0x3eb6,
  0x3eb9, 0x3ebc, 0x3ebe, 0x3ec1, 0x3ec3, 0x3ec6, 0x3ec8, 0x3ecb, 0x3ece,
  0x3ed1, 0x3ed3, 0x3ed6, 0x3ed9, 0x3edb, 0x3ede, 0x3ee1, 0x3ee4, 0x3ee7,
  0x3eea, 0x3eed, 0x3ef0, 0x3ef2, 0x3ef6, 0x3ef8, 0x3efc, 0x3efe, 0x3f01,
  0x3f02, 0x3f04, 0x3f05, 0x3f07, 0x3f09, 0x3f0a, 0x3f0c, 0x3f0d, 0x3f0f,
  0x3f11, 0x3f12, 0x3f14, 0x3f16, 0x3f17, 0x3f19, 0x3f1b, 0x3f1c, 0x3f1e,
  0x3f20, 0x3f21, 0x3f23, 0x3f25, 0x3f27, 0x3f29, 0x3f2a, 0x3f2c, 0x3f2e,
  0x3f30, 0x3f32, 0x3f33, 0x3f35, 0x3f37, 0x3f39, 0x3f3b, 0x3f3d, 0x3f3f,
  0x3f41, 0x3f43, 0x3f45, 0x3f47, 0x3f49, 0x3f4b, 0x3f4d, 0x3f4f, 0x3f51,
  0x3f53, 0x3f55, 0x3f57, 0x3f59, 0x3f5b, 0x3f5d, 0x3f5f, 0x3f61, 0x3f63,
  0x3f65, 0x3f68, 0x3f6a, 0x3f6c, 0x3f6e, 0x3f70, 0x3f72, 0x3f74, 0x3f76,
  0x3f7a, 0x3f7c, 0x3f7e, 0x3f80
};

static float from_srgb(uint32_t value)
{
  return bits_float((uint32_t)srgb_table[value] << 16);
}

static uint32_t to_srgb(double linear)
{
  double s = linear <= 0.0031308 ? linear * 12.92
                                 : 1.055 * pow(linear, 1 / 2.4) - 0.055;

  return (uint32_t)ceil(s * 255 - 0.5);
}

static float normalized(const struct texel_format *format, uint32_t value)
{
  float most = format->bits == 8 ? 255 : 65535;
  float signed_value;

  if (format->kind == TEXEL_UNSIGNED)
    return (float)value / most;
  signed_value = (float)(int32_t)sign_extended(value, format->bits) /
                 (format->bits == 8 ? 127 : 32767);
  return signed_value < -1 ? -1 : signed_value;
}

static bool is_srgb(const struct image *image, const struct sampler *sampler,
                    unsigned channel)
{
  return sampler->srgb && sampler->normalized_float &&
         image->format.bits == 8 && image->format.kind == TEXEL_UNSIGNED &&
         image->format.channels == 4 && channel < 3;
}

static uint32_t result(const struct image *image, const struct sampler *sampler,
                       unsigned channel, uint32_t value)
{
  const struct texel_format *format = &image->format;

  if (format->kind == TEXEL_FLOAT)
    return format->bits == 16 ? half_to_float(value) : value;
  if (is_srgb(image, sampler, channel))
    return float_bits(from_srgb(value));
  if (sampler->normalized_float && format->bits < 32)
    return float_bits(normalized(format, value));
  return format->kind == TEXEL_SIGNED ? sign_extended(value, format->bits)
                                      : value;
}

void texel_read(const struct image *image, const struct sampler *sampler,
                const uint8_t *at, uint32_t out[4])
{
  for (unsigned c = 0; c < 4; c++)
    out[c] =
        c < image->format.channels
            ? result(image, sampler, c, channel_bits(&image->format, at, c))
            : 0;
}

static double limit(double value, double low, double high)
{
  return value < low ? low : value > high ? high : value;
}

/* The colour is kept in the texture's format; integers take its low bits. */
static uint32_t border_channel(const struct image *image,
                               const struct sampler *sampler, unsigned channel)
{
  const struct texel_format *format = &image->format;
  double color = sampler->border[channel];
  double most = format->bits == 8 ? 127 : 32767;
  uint32_t mask =
      format->bits == 32 ? UINT32_MAX : (UINT32_C(1) << format->bits) - 1;

  if (format->kind == TEXEL_FLOAT && format->bits == 16)
    return float_to_half(sampler->border[channel]);
  if (format->bits == 32 || !sampler->normalized_float)
    return float_bits(sampler->border[channel]) & mask;
  if (is_srgb(image, sampler, channel))
    return to_srgb(limit(color, 0, 1));
  if (format->kind == TEXEL_UNSIGNED)
    return (uint32_t)ceil(limit(color, 0, 1) * mask - 0.5);
  return (uint32_t)(int32_t)ceil(limit(color, -1, 1) * most - 0.5) & mask;
}

/* Floats stay; others are rounded to what the filter works with: 16-bit
 * integers, or half precision for half and sRGB texels. */
uint32_t texel_filtered(const struct image *image,
                        const struct sampler *sampler, unsigned channel,
                        double value)
{
  const struct texel_format *format = &image->format;
  double most = format->kind == TEXEL_SIGNED ? 32767 : 65535;

  if (channel >= format->channels)
    return 0;
  if (isnan(value))
    return format->bits == 16 ? 0x7fffe000 : 0x7fffffff;
  if (format->kind == TEXEL_FLOAT && format->bits == 32)
    return float_bits((float)value);
  if (format->kind == TEXEL_FLOAT || is_srgb(image, sampler, channel))
    return half_to_float(float_to_half(value));
  return float_bits((float)(floor(value * most + 0.5) / most));
}

void texel_border(const struct image *image, const struct sampler *sampler,
                  uint32_t out[4])
{
  for (unsigned c = 0; c < 4; c++)
    out[c] = c < image->format.channels
                 ? result(image, sampler, c, border_channel(image, sampler, c))
                 : 0;
}

/* As an integer of the format, limited to what it holds. */
static uint32_t stored_integer(const struct texel_format *format,
                               enum texel_kind kind, uint32_t value)
{
  double v = kind == TEXEL_FLOAT    ? nearbyint((double)bits_float(value))
             : kind == TEXEL_SIGNED ? (double)(int32_t)value
                                    : (double)value;
  double range = ldexp(1, (int)format->bits);

  if (isnan(v))
    v = 0;
  if (format->kind == TEXEL_SIGNED)
    return (uint32_t)(int32_t)limit(v, -range / 2, range / 2 - 1);
  return (uint32_t)limit(v, 0, range - 1);
}

void texel_write(const struct texel_format *format, uint8_t *at,
                 enum texel_kind kind, const uint32_t values[4])
{
  for (unsigned c = 0; c < format->channels; c++) {
    uint32_t value = values[c];

    if (format->kind != TEXEL_FLOAT)
      value = stored_integer(format, kind, value);
    else if (format->bits == 16)
      value = float_to_half(bits_float(value));
    memcpy(at + c * format->bits / 8, &value, format->bits / 8);
  }
}
