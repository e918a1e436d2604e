/* Texture fetches of all lanes at once: one object, one or two dimensions,
 * texels in reach of this process. The arithmetic is that of texture/
 * (address.c, filter.c, texel.c), so that the results are the same bits
 * (tests/device/texture/test_lanes.c); texture_fetch answers whatever is
 * refused here. */
#include <string.h>

#include "../../texture/address.h"
#include "../../texture/texel.h"
#include "../texture.h"
#include "lanes.h"

enum { MOST_TEXELS = 1 << 20, MOST_BYTES = 0x7fffffff };

/* In one dimension: the neighbours, and 256ths of the second one. */
struct lane_taps {
  _Alignas(LANE_ALIGNMENT) s32 index[2][LANES];
  _Alignas(LANE_ALIGNMENT) s32 border[2][LANES];
  _Alignas(LANE_ALIGNMENT) s32 weight[LANES];
};

/* ---- where ---------------------------------------------------------------- */

static void read_coordinate(const u32 *bits, bool integer, double *at)
{
  if (integer) {
    const s32 *number = (const s32 *)bits;

    EACH_LANE { at[l] = (double)number[l] + 0.5; }
  } else {
    const f32 *number = (const f32 *)bits;

    EACH_LANE { at[l] = (double)number[l]; }
  }
}

/* As in_texels of texture/address.c; `mode` is CLAMP or BORDER where
 * coordinates are not normalised. */
static void to_texels(enum address_mode mode, bool normalized, double n,
                      double *at)
{
  if (normalized && (mode == ADDRESS_WRAP || mode == ADDRESS_MIRROR)) {
    const double turn = mode == ADDRESS_WRAP ? 1 : 2;

    EACH_LANE {
      double x = at[l], part = x - turn * __builtin_floor(x * (1 / turn));
      double texels = __builtin_floor(part * 0x1p21) / 0x1p21 * n;

      at[l] = x - x == 0 ? texels : 0; /* no infinity, no NaN */
    }
    return;
  }
  if (normalized)
    EACH_LANE { at[l] = __builtin_floor(at[l] * 0x1p21) / 0x1p21 * n; }
  EACH_LANE {
    double x = at[l] == at[l] ? at[l] : 0;

    x = x < -4 ? -4 : x;
    at[l] = x > n + 4.0 ? n + 4.0 : x;
  }
}

/* As resolve of texture/address.c, for what to_texels leaves. */
static void limit_index(enum address_mode mode, s32 n, s32 *index, s32 *border)
{
  EACH_LANE { border[l] = 0; }
  if (mode == ADDRESS_BORDER)
    EACH_LANE { border[l] = (index[l] < 0) | (index[l] >= n); }
  if (mode == ADDRESS_WRAP)
    EACH_LANE {
      s32 i = index[l];

      i += i < 0 ? n : 0;
      index[l] = i - (i >= n ? n : 0);
    }
  if (mode == ADDRESS_MIRROR)
    EACH_LANE {
      s32 i = index[l];

      i += i < 0 ? 2 * n : 0;
      i -= i >= 2 * n ? 2 * n : 0;
      index[l] = i < n ? i : 2 * n - 1 - i;
    }
  EACH_LANE {
    s32 i = index[l] < 0 ? 0 : index[l];

    index[l] = i >= n ? n - 1 : i;
  }
}

/* As address_taps, for floats that count texels: where 24 bits hold all that
 * there is to know. Each step below is exact. */
static void find_taps_of_floats(const f32 *number, f32 n, bool pair,
                                struct lane_taps *taps)
{
  EACH_LANE {
    f32 x = number[l] == number[l] ? number[l] : 0;

    x = x < -4 ? -4 : x;
    x = x > n + 4 ? n + 4 : x;
    if (pair) {
      f32 steps = x * WHOLE, whole = __builtin_floorf(steps);
      s32 at = (s32)whole + (steps - whole >= 0.5F) - WHOLE / 2;

      taps->index[0][l] = at >> 8;
      taps->index[1][l] = (at >> 8) + 1;
      taps->weight[l] = at & (WHOLE - 1);
    } else {
      taps->index[0][l] = (s32)__builtin_floorf(x);
    }
  }
}

static void find_taps_of_doubles(enum address_mode mode, bool normalized,
                                 double *at, double n, bool pair,
                                 struct lane_taps *taps)
{
  to_texels(mode, normalized, n, at);
  if (pair) {
    EACH_LANE {
      s32 steps = (s32)__builtin_floor(at[l] * WHOLE - WHOLE / 2 + 0.5);

      taps->index[0][l] = steps >> 8;
      taps->index[1][l] = (steps >> 8) + 1;
      taps->weight[l] = steps & (WHOLE - 1);
    }
  } else {
    EACH_LANE { taps->index[0][l] = (s32)__builtin_floor(at[l]); }
  }
}

/* In dimension number `i`, of `n` texels. */
static void find_taps(const struct lane_fetch *f, unsigned i, u32 n, bool pair,
                      struct lane_taps *taps)
{
  const struct sampler *sampler = &f->texture->sampler;
  const u32 *bits = i == 0 ? f->x : f->y;
  const bool normalized = sampler->normalized && !f->integer;
  enum address_mode mode = sampler->address[i];
  _Alignas(LANE_ALIGNMENT) double at[LANES];

  if (!normalized && mode != ADDRESS_BORDER)
    mode = ADDRESS_CLAMP;
  if (!normalized && !f->integer) {
    find_taps_of_floats((const f32 *)bits, (f32)n, pair, taps);
  } else if (f->integer && !pair) {
    EACH_LANE { taps->index[0][l] = (s32)bits[l]; }
  } else {
    read_coordinate(bits, f->integer, at);
    find_taps_of_doubles(mode, normalized, at, (double)n, pair, taps);
  }
  limit_index(mode, (s32)n, taps->index[0], taps->border[0]);
  if (pair)
    limit_index(mode, (s32)n, taps->index[1], taps->border[1]);
}

/* ---- what ----------------------------------------------------------------- */

/* By channel. */
typedef u32 *const texels[4];

/* The texels at `offset`, as texel_read gives them. */
static void read_texels(const struct descriptor *t, const u8 *view,
                        const s32 *offset, texels out)
{
  unsigned channels = t->image.format.channels;

  if (t->image.format.bits != 32) {
    for (unsigned l = 0; l < LANES; l++) {
      u32 one[4];

      texel_read(&t->image, &t->sampler, view + offset[l], one);
      for (unsigned c = 0; c < channels; c++)
        out[c][l] = one[c];
    }
    return;
  }
  for (unsigned c = 0; c < channels; c++)
    for (unsigned l = 0; l < LANES; l++)
      memcpy(&out[c][l], view + offset[l] + 4 * c, 4);
}

static void show_border(const struct descriptor *t, const s32 *border,
                        texels out)
{
  s32 any = 0;
  u32 color[4];

  EACH_LANE { any |= border[l]; }
  if (!any)
    return;
  texel_border(&t->image, &t->sampler, color);
  for (unsigned c = 0; c < t->image.format.channels; c++)
    EACH_LANE {
      out[c][l] = border[l] ? color[c] : out[c][l];
    }
}

static void read_tap(const struct lane_fetch *f, const struct lane_taps *x,
                     const struct lane_taps *y, unsigned i, unsigned j,
                     texels out)
{
  const struct image *image = &f->texture->image;
  const s32 pitch = (s32)image->pitch;
  const s32 bytes = (s32)texel_bytes(&image->format);
  _Alignas(LANE_ALIGNMENT) s32 offset[LANES], border[LANES];

  EACH_LANE { offset[l] = y->index[j][l] * pitch + x->index[i][l] * bytes; }
  EACH_LANE { border[l] = y->border[j][l] | x->border[i][l]; }
  read_texels(f->texture, f->view, offset, out);
  show_border(f->texture, border, out);
}

/* ---- filter --------------------------------------------------------------- */

/* As filter_weights, in two dimensions. */
static void find_weights(const struct lane_taps *x, const struct lane_taps *y,
                         s32 weight[4][LANES])
{
  EACH_LANE {
    s32 right = x->weight[l], down = y->weight[l];
    s32 low = ((WHOLE - right) * down + WHOLE / 2) >> 8;
    s32 both = (right * down + WHOLE / 2) >> 8;

    weight[0][l] = WHOLE - right - low;
    weight[1][l] = right - both;
    weight[2][l] = low;
    weight[3][l] = both;
  }
}

/* As blend_add. */
static void blend(double *sum, const u32 *bits, const s32 *weight)
{
  const f32 *texel = (const f32 *)bits;

  EACH_LANE {
    double part = (double)texel[l] * weight[l];

    sum[l] += weight[l] == 0 ? 0 : part;
  }
}

/* As blend_result. */
static void finish(const struct descriptor *t, unsigned channel,
                   const double *sum, u32 *out)
{
  f32 *number = (f32 *)out;

  if (t->image.format.bits != 32) {
    for (unsigned l = 0; l < LANES; l++)
      out[l] = texel_filtered(&t->image, &t->sampler, channel, sum[l] / WHOLE);
    return;
  }
  EACH_LANE { number[l] = (f32)(sum[l] / WHOLE); }
  EACH_LANE { out[l] = number[l] == number[l] ? out[l] : 0x7fffffff; }
}

static void fetch_means(const struct lane_fetch *f, const struct lane_taps *x,
                        const struct lane_taps *y, texels out)
{
  _Alignas(LANE_ALIGNMENT) s32 weight[4][LANES];
  _Alignas(LANE_ALIGNMENT) double sum[4][LANES];
  const unsigned channels = f->texture->image.format.channels;
  const unsigned taps = f->geometry == GEOMETRY_1D ? 2 : 4;

  find_weights(x, y, weight);
  for (unsigned c = 0; c < channels; c++)
    EACH_LANE { sum[c][l] = 0; }
  for (unsigned tap = 0; tap < taps; tap++) {
    _Alignas(LANE_ALIGNMENT) u32 texel[4][LANES];

    read_tap(f, x, y, tap & 1, tap >> 1,
             (texels){ texel[0], texel[1], texel[2], texel[3] });
    for (unsigned c = 0; c < channels; c++)
      blend(sum[c], texel[c], weight[tap]);
  }
  for (unsigned c = 0; c < channels; c++)
    finish(f->texture, c, sum[c], out[c]);
}

/* ---- all of it ------------------------------------------------------------ */

static bool serves(const struct lane_fetch *f)
{
  const struct image *image = &f->texture->image;

  return f->view != NULL && !image->linear_memory &&
         image->bytes <= MOST_BYTES && image->width <= MOST_TEXELS &&
         image->height <= MOST_TEXELS &&
         (f->geometry == GEOMETRY_2D ||
          (f->geometry == GEOMETRY_1D &&
           f->texture->sampler.address[1] != ADDRESS_BORDER));
}

bool LANES_LOCAL(lanes_texture)(const struct lane_fetch *f, u32 *const out[4])
{
  const struct descriptor *t = f->texture;
  const bool pair = t->sampler.linear && (t->image.format.kind == TEXEL_FLOAT ||
                                          t->sampler.normalized_float);
  struct lane_taps x, y;

  if (!serves(f))
    return false;
  find_taps(f, 0, t->image.width, pair, &x);
  if (f->geometry == GEOMETRY_2D)
    find_taps(f, 1, t->image.height, pair, &y);
  else
    memset(&y, 0, sizeof y);
  /* From here on the coordinates may be overwritten. */
  if (pair)
    fetch_means(f, &x, &y, out);
  else
    read_tap(f, &x, &y, 0, 0, out);
  for (unsigned c = t->image.format.channels; c < 4; c++)
    EACH_LANE { out[c][l] = 0; }
  return true;
}

void LANES_LOCAL(lanes_textures)(struct lane_handlers *handlers)
{
  handlers->texture = LANES_LOCAL(lanes_texture);
}
