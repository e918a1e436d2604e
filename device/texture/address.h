/* From a coordinate to the texels of one dimension. */
#ifndef DEVICE_TEXTURE_ADDRESS_H
#define DEVICE_TEXTURE_ADDRESS_H

#include "descriptor.h"

enum { WHOLE = 256 }; /* the hardware's weights have 8 bits of fraction */

/* One or two neighbours; the second one's weight is `weight`, the first
 * one's WHOLE - weight. */
struct taps {
  uint32_t index[2];
  bool border[2]; /* outside: the border colour */
  unsigned weight;
};

/* `pair`: two neighbours, as linear filters and gathers want; else the texel
 * that holds the coordinate, with weight 0. */
void address_taps(enum address_mode mode, bool normalized, double x, uint32_t n,
                  bool pair, struct taps *taps);

#endif
