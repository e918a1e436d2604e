/* Places of surface accesses: inside, clamped or out of bounds. */
#include "surface.h"

/* False when it is outside and may not be moved inside. */
static bool bring_in(int64_t *at, int64_t last, enum surface_bounds bounds)
{
  if (*at >= 0 && *at <= last)
    return true;
  if (bounds != BOUNDS_CLAMP)
    return false;
  *at = *at < 0 ? 0 : last;
  return true;
}

enum surface_place surface_find(const struct surface_access *a, size_t *offset)
{
  const struct image *image = a->image;
  int64_t row = (int64_t)image->width * texel_bytes(&image->format);
  int64_t x = a->x, y = 0, z = 0, last_slice = 0;
  bool inside = row >= a->bytes;

  if (a->geometry != GEOMETRY_1D && a->geometry != GEOMETRY_1D_LAYERED)
    y = a->y;
  if (a->geometry == GEOMETRY_3D) {
    z = a->z;
    last_slice = (int64_t)image->depth - 1;
  } else if (a->geometry >= GEOMETRY_1D_LAYERED) {
    z = a->layer;
    last_slice = (int64_t)image->layers - 1;
  }
  inside = inside && bring_in(&x, (row / a->bytes - 1) * a->bytes, a->bounds) &&
           bring_in(&y, (int64_t)image->height - 1, a->bounds) &&
           bring_in(&z, last_slice, a->bounds);
  if (!inside)
    return a->bounds == BOUNDS_TRAP ? SURFACE_OUTSIDE : SURFACE_NOWHERE;
  if (x % a->bytes != 0)
    return SURFACE_MISALIGNED;
  *offset = (size_t)z * image->slice + (size_t)y * image->pitch + (size_t)x;
  return SURFACE_INSIDE;
}
