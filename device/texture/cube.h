/* Cube maps: from a direction to a face and a place on it. */
#ifndef DEVICE_TEXTURE_CUBE_H
#define DEVICE_TEXTURE_CUBE_H

#include <stdbool.h>
#include <stdint.h>

/* Faces +x, -x, +y, -y, +z, -z; coordinates from 0 to 1. */
struct cube_place {
  unsigned face;
  double s, t;
};

struct cube_place cube_place(double x, double y, double z);

/* The texel beyond the edge: (i, j) is outside the face on one side. The
 * result is on a neighbouring face. */
void cube_neighbour(unsigned *face, int64_t *i, int64_t *j, uint32_t n);

#endif
