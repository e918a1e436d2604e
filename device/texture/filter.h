/* Weighted means of texels. */
#ifndef DEVICE_TEXTURE_FILTER_H
#define DEVICE_TEXTURE_FILTER_H

#include "address.h"

/* Weights of the up to 8 texels, x fastest; they add up to WHOLE. An H200
 * rounds each to a 256th: found by reading single texels back. */
void filter_weights(const struct taps *x, const struct taps *y,
                    const struct taps *z, unsigned weights[8]);

struct blend {
  double sum[4];
};

void blend_add(struct blend *blend, const uint32_t texel[4], unsigned weight);
void blend_result(const struct blend *blend, const struct descriptor *texture,
                  uint32_t out[4]);

#endif
