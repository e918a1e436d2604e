/* One lane's texture fetch. */
#ifndef DEVICE_TEXTURE_FETCH_H
#define DEVICE_TEXTURE_FETCH_H

#include "descriptor.h"

enum texture_geometry {
  GEOMETRY_1D,
  GEOMETRY_2D,
  GEOMETRY_3D,
  GEOMETRY_1D_LAYERED,
  GEOMETRY_2D_LAYERED,
  GEOMETRY_CUBE,
  GEOMETRY_CUBE_LAYERED
};

struct fetch {
  const struct descriptor *texture;
  const uint8_t *view; /* image_view, or per texel when NULL */
  enum texture_geometry geometry;
  double x, y, z;
  bool integer; /* coordinates are texel numbers */
  uint32_t layer;
};

/* Results as bits. False when the texel is not in live device memory; its
 * address is in `*address`. */
bool texture_fetch(const struct fetch *fetch, uint32_t out[4],
                   uint64_t *address);

/* One component of the four texels that a linear filter would use, counter-
 * clockwise from the lower left. */
bool texture_gather(const struct fetch *fetch, unsigned component,
                    uint32_t out[4], uint64_t *address);

#endif
