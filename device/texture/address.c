/* Wraps, clamps, mirrors or borders one coordinate. */
#include "address.h"

#include <math.h>

/* Beyond any texel; keeps what follows within 64-bit integers. */
static double limited(double x, uint32_t n)
{
  return x < -4 ? -4 : x > n + 4.0 ? n + 4.0 : x;
}

/* An H200 cuts normalised coordinates to 21 bits of fraction. */
static double fixed(double x)
{
  return isinf(x) ? x : floor(x * 0x1p21) / 0x1p21;
}

/* In texels from the left edge. What is not a number counts as 0, as on an
 * H200. */
static double in_texels(enum address_mode mode, bool normalized, double x,
                        uint32_t n)
{
  bool periodic = mode == ADDRESS_WRAP || mode == ADDRESS_MIRROR;

  if (isnan(x) || (isinf(x) && periodic))
    return 0;
  if (!normalized)
    return limited(x, n);
  if (mode == ADDRESS_WRAP)
    return fixed(x - floor(x)) * n;
  if (mode == ADDRESS_MIRROR)
    return fixed(x - 2 * floor(x / 2)) * n;
  return limited(fixed(x) * n, n);
}

static uint32_t resolve(enum address_mode mode, int64_t i, uint32_t n,
                        bool *border)
{
  *border = mode == ADDRESS_BORDER && (i < 0 || i >= n);
  if (mode == ADDRESS_WRAP)
    return (uint32_t)((i % n + n) % n);
  if (mode == ADDRESS_MIRROR) {
    i = (i % (2 * (int64_t)n) + 2 * (int64_t)n) % (2 * (int64_t)n);
    i = i < n ? i : 2 * (int64_t)n - 1 - i;
  }
  return i < 0 ? 0 : i >= n ? n - 1 : (uint32_t)i;
}

void address_taps(enum address_mode mode, bool normalized, double x, uint32_t n,
                  bool pair, struct taps *taps)
{
  double at;
  int64_t first;

  /* Wrap and mirror are for normalised coordinates only. */
  if (!normalized && mode != ADDRESS_BORDER)
    mode = ADDRESS_CLAMP;
  at = in_texels(mode, normalized, x, n);
  taps->weight = 0;
  if (pair) {
    int64_t steps = (int64_t)floor(at * WHOLE - WHOLE / 2 + 0.5);

    first = steps >= 0 ? steps / WHOLE : -((-steps + WHOLE - 1) / WHOLE);
    taps->weight = (unsigned)(steps - first * WHOLE);
  } else {
    first = (int64_t)floor(at);
  }
  taps->index[0] = resolve(mode, first, n, &taps->border[0]);
  taps->index[1] = resolve(mode, first + pair, n, &taps->border[1]);
}
