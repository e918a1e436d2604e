/* The largest component of a direction chooses the face. */
#include "cube.h"

#include <math.h>

struct cube_place cube_place(double x, double y, double z)
{
  double ax = fabs(x), ay = fabs(y), az = fabs(z), s, t, m;
  unsigned face;

  if (az >= ax && az >= ay) {
    face = z < 0 ? 5 : 4, m = az, s = z < 0 ? -x : x, t = -y;
  } else if (ay >= ax) {
    face = y < 0 ? 3 : 2, m = ay, s = x, t = y < 0 ? -z : z;
  } else {
    face = x < 0 ? 1 : 0, m = ax, s = x < 0 ? z : -z, t = -y;
  }
  if (m == 0 || isnan(s) || isnan(t) || isinf(m))
    return (struct cube_place){ face, 0.5, 0.5 };
  return (struct cube_place){ face, (s / m + 1) / 2, (t / m + 1) / 2 };
}

/* The direction of a place on a face that may lie outside it. */
static void direction(unsigned face, double s, double t, double d[3])
{
  double sign = face & 1 ? -1 : 1;

  switch (face / 2) {
  case 0: d[0] = sign, d[1] = -t, d[2] = -sign * s; break;
  case 1: d[0] = s, d[1] = sign, d[2] = sign * t; break;
  default: d[0] = sign * s, d[1] = -t, d[2] = sign; break;
  }
}

void cube_neighbour(unsigned *face, int64_t *i, int64_t *j, uint32_t n)
{
  double d[3];
  struct cube_place place;

  /* Half a texel beyond the edge bends over it by half a texel. */
  direction(*face, (2 * (double)*i + 1) / n - 1, (2 * (double)*j + 1) / n - 1,
            d);
  place = cube_place(d[0], d[1], d[2]);
  *face = place.face;
  *i = (int64_t)floor(place.s * n);
  *j = (int64_t)floor(place.t * n);
  *i = *i < 0 ? 0 : *i >= n ? n - 1 : *i;
  *j = *j < 0 ? 0 : *j >= n ? n - 1 : *j;
}
