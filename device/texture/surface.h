/* Where a surface instruction reads and writes. */
#ifndef DEVICE_TEXTURE_SURFACE_H
#define DEVICE_TEXTURE_SURFACE_H

#include "fetch.h"

enum surface_bounds { BOUNDS_TRAP, BOUNDS_CLAMP, BOUNDS_ZERO };

struct surface_access {
  const struct image *image;
  enum texture_geometry geometry;
  enum surface_bounds bounds;
  int32_t x, y, z; /* x in bytes */
  int32_t layer;
  unsigned bytes;
};

enum surface_place {
  SURFACE_INSIDE,
  SURFACE_NOWHERE,
  SURFACE_OUTSIDE,
  SURFACE_MISALIGNED
};

/* SURFACE_NOWHERE: loads give zeros and stores vanish (.zero);
 * SURFACE_OUTSIDE: the launch ends (.trap). */
enum surface_place surface_find(const struct surface_access *access,
                                size_t *offset);

#endif
