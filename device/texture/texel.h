/* Bytes of one texel to what a fetch gives, and back. */
#ifndef DEVICE_TEXTURE_TEXEL_H
#define DEVICE_TEXTURE_TEXEL_H

#include "descriptor.h"

/* Four results as bits: floats, or integers of 32 bits. Channels that the
 * format lacks are 0. */
void texel_read(const struct image *image, const struct sampler *sampler,
                const uint8_t *at, uint32_t out[4]);

/* The border colour as a texture of this format shows it. */
void texel_border(const struct image *image, const struct sampler *sampler,
                  uint32_t out[4]);

/* One channel of a weighted mean of texels. */
uint32_t texel_filtered(const struct image *image,
                        const struct sampler *sampler, unsigned channel,
                        double value);

/* Formatted store: channel values of 32 bits, interpreted as `kind`. */
void texel_write(const struct texel_format *format, uint8_t *at,
                 enum texel_kind kind, const uint32_t values[4]);

uint32_t float_bits(float value);
float bits_float(uint32_t bits);

#endif
