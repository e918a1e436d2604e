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

#define EACH_OF_HALF                                                           \
  _Pragma("GCC ivdep") for (unsigned l = 0; l < LANES / 2; l++)

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

    EACH_LANE
    {
      double x = at[l], part = x - turn * __builtin_floor(x * (1 / turn));
      double texels = __builtin_floor(part * 0x1p21) / 0x1p21 * n;

      at[l] = x - x == 0 ? texels : 0; /* no infinity, no NaN */
    }
    return;
  }
  if (normalized)
    EACH_LANE { at[l] = __builtin_floor(at[l] * 0x1p21) / 0x1p21 * n; }
  EACH_LANE
  {
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
    EACH_LANE
    {
      s32 i = index[l];

      i += i < 0 ? n : 0;
      index[l] = i - (i >= n ? n : 0);
    }
  if (mode == ADDRESS_MIRROR)
    EACH_LANE
    {
      s32 i = index[l];

      i += i < 0 ? 2 * n : 0;
      i -= i >= 2 * n ? 2 * n : 0;
      index[l] = i < n ? i : 2 * n - 1 - i;
    }
  EACH_LANE
  {
    s32 i = index[l] < 0 ? 0 : index[l];

    index[l] = i >= n ? n - 1 : i;
  }
}

/* As address_taps, for floats that count texels: where 24 bits hold all that
 * there is to know. Each step below is exact. */
static void find_taps_of_floats(const f32 *number, f32 n, bool pair,
                                struct lane_taps *taps)
{
  EACH_LANE
  {
    f32 x = number[l] == number[l] ? number[l] : 0;

    x = x < -4 ? -4 : x;
    x = x > n + 4 ? n + 4 : x;
    if (pair) {
      f32 steps = x * WHOLE, whole = __builtin_floorf(steps);
      s32 at = (s32)whole + (steps - whole >= 0.5F) - WHOLE / 2;

      taps->index[0][l] = at >> 8;
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
    EACH_LANE
    {
      s32 steps = (s32)__builtin_floor(at[l] * WHOLE - WHOLE / 2 + 0.5);

      taps->index[0][l] = steps >> 8;
      taps->weight[l] = steps & (WHOLE - 1);
    }
  } else {
    EACH_LANE { taps->index[0][l] = (s32)__builtin_floor(at[l]); }
  }
}

/* What the sampler says, or CLAMP where it has no say. */
static enum address_mode mode_of(const struct lane_fetch *f, unsigned i)
{
  const struct sampler *sampler = &f->texture->sampler;
  const enum address_mode mode = sampler->address[i];

  return (sampler->normalized && !f->integer) || mode == ADDRESS_BORDER
             ? mode
             : ADDRESS_CLAMP;
}

/* In dimension number `i`, of `n` texels: the first neighbour and the second
 * one's weight. Either may be outside. */
static void find_taps(const struct lane_fetch *f, unsigned i, u32 n, bool pair,
                      struct lane_taps *taps)
{
  const u32 *bits = i == 0 ? f->x : f->y;
  const bool normalized = f->texture->sampler.normalized && !f->integer;
  _Alignas(LANE_ALIGNMENT) double at[LANES];

  if (!normalized && !f->integer) {
    find_taps_of_floats((const f32 *)bits, (f32)n, pair, taps);
  } else if (f->integer && !pair) {
    EACH_LANE { taps->index[0][l] = (s32)bits[l]; }
  } else {
    read_coordinate(bits, f->integer, at);
    find_taps_of_doubles(mode_of(f, i), normalized, at, (double)n, pair, taps);
  }
}

static void find_no_taps(struct lane_taps *taps)
{
  EACH_LANE { taps->index[0][l] = taps->weight[l] = 0; }
}

/* Are all neighbours among the `n` texels? Then no address mode matters. */
static bool are_inside(const struct lane_taps *taps, u32 n, bool pair)
{
  u32 most = 0; /* -1 counts as the largest number */

  EACH_LANE
  {
    u32 i = (u32)taps->index[0][l];

    most = i > most ? i : most;
  }
  return most < n && most + pair < n;
}

static void limit_taps(const struct lane_fetch *f, unsigned i, u32 n, bool pair,
                       struct lane_taps *taps)
{
  const enum address_mode mode = mode_of(f, i);

  if (pair) {
    EACH_LANE { taps->index[1][l] = taps->index[0][l] + 1; }
    limit_index(mode, (s32)n, taps->index[1], taps->border[1]);
  }
  limit_index(mode, (s32)n, taps->index[0], taps->border[0]);
}

/* ---- what ----------------------------------------------------------------- */

/* By channel. */
typedef u32 *const texels[4];

typedef u32 words8 __attribute__((vector_size(32)));

/* A loop over words would become a call of memset, or worse. */
static void put_zeros(u32 *out)
{
  for (unsigned l = 0; l < LANES; l += 8)
    *(words8 *)(out + l) = (words8){ 0 };
}

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
  for (unsigned c = 0; c < channels; c++) {
    u32 *to = out[c];

    for (unsigned l = 0; l < LANES; l++)
      memcpy(&to[l], view + offset[l] + 4 * c, 4);
  }
}

/* Each half of the lanes reads texels that follow one another: a row of a
 * block of threads, as a rule. */
static bool are_runs(const s32 *offset)
{
  s32 differ = 0;

  EACH_OF_HALF
  {
    differ |= (offset[l] - offset[0]) ^ (s32)(4 * l);
    differ |= (offset[l + LANES / 2] - offset[LANES / 2]) ^ (s32)(4 * l);
  }
  return differ == 0;
}

static void read_runs(const u8 *view, const s32 *offset, u32 *out)
{
  for (unsigned l = 0; l < LANES; l += 8) {
    const unsigned first = l & LANES / 2;
    words8 eight;

    memcpy(&eight, view + offset[first] + 4 * (l - first), sizeof eight);
    *(words8 *)(out + l) = eight;
  }
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
  for (unsigned c = 0; c < t->image.format.channels; c++) {
    const u32 shown = color[c];
    u32 *to = out[c];

    EACH_LANE { to[l] = border[l] ? shown : to[l]; }
  }
}

/* Where each lane's texels are. */
struct lane_places {
  const struct lane_taps *x, *y;
  bool inside; /* all of them; else the taps are limited */
  bool runs;   /* of words, see are_runs */
  _Alignas(LANE_ALIGNMENT) s32 offset[LANES]; /* of the first one, if inside */
};

static void find_places(const struct lane_fetch *f, struct lane_places *p)
{
  const struct image *image = &f->texture->image;
  const s32 pitch = (s32)image->pitch;
  const s32 bytes = (s32)texel_bytes(&image->format);

  EACH_LANE
  {
    p->offset[l] = p->y->index[0][l] * pitch + p->x->index[0][l] * bytes;
  }
  p->runs = image->format.bits == 32 && bytes == 4 && are_runs(p->offset);
}

/* Neighbour `i` in x, and `j` in y. */
static void read_tap(const struct lane_fetch *f, const struct lane_places *p,
                     unsigned i, unsigned j, texels out)
{
  const struct image *image = &f->texture->image;
  const s32 pitch = (s32)image->pitch;
  const s32 bytes = (s32)texel_bytes(&image->format);
  _Alignas(LANE_ALIGNMENT) s32 offset[LANES], border[LANES];

  if (p->inside) {
    const u8 *view = f->view + j * image->pitch + i * (size_t)bytes;

    if (p->runs)
      read_runs(view, p->offset, out[0]);
    else
      read_texels(f->texture, view, p->offset, out);
    return;
  }
  EACH_LANE
  {
    offset[l] = p->y->index[j][l] * pitch + p->x->index[i][l] * bytes;
  }
  EACH_LANE { border[l] = p->y->border[j][l] | p->x->border[i][l]; }
  read_texels(f->texture, f->view, offset, out);
  show_border(f->texture, border, out);
}

/* ---- filter --------------------------------------------------------------- */

/* As filter_weights, in two dimensions. */
static inline void weights_of(s32 right, s32 down, s32 *first, s32 *second,
                              s32 *third, s32 *fourth)
{
  const s32 low = ((WHOLE - right) * down + WHOLE / 2) >> 8;
  const s32 both = (right * down + WHOLE / 2) >> 8;

  *first = WHOLE - right - low;
  *second = right - both;
  *third = low;
  *fourth = both;
}

/* The same weights in all lanes: a picture that is moved, not turned. */
static bool are_alike(const struct lane_taps *x, const struct lane_taps *y)
{
  s32 differ = 0;

  EACH_LANE
  {
    differ |= x->weight[l] ^ x->weight[0];
    differ |= y->weight[l] ^ y->weight[0];
  }
  return differ == 0;
}

/* As blend_add, of four texels each and half of the lanes: what has no weight
 * is left out, even an infinity. */
static void blend_alike(const s32 weight[4], const f32 *const texel[4],
                        double *sum)
{
  static const _Alignas(LANE_ALIGNMENT) f32 nothing[LANES / 2];
  const f32 *a = weight[0] != 0 ? texel[0] : nothing;
  const f32 *b = weight[1] != 0 ? texel[1] : nothing;
  const f32 *c = weight[2] != 0 ? texel[2] : nothing;
  const f32 *d = weight[3] != 0 ? texel[3] : nothing;
  const double first = weight[0], second = weight[1];
  const double third = weight[2], fourth = weight[3];

  EACH_OF_HALF
  {
    double all = 0.0 + (double)a[l] * first;

    all += (double)b[l] * second;
    all += (double)c[l] * third;
    sum[l] = all + (double)d[l] * fourth;
  }
}

static inline double part_of(f32 texel, s32 weight)
{
  const double part = (double)texel * weight;

  return weight == 0 ? 0 : part;
}

static void blend(const s32 (*weight)[LANES], unsigned half,
                  const f32 *const texel[4], double *sum)
{
  const f32 *a = texel[0], *b = texel[1], *c = texel[2], *d = texel[3];
  const s32 *first = weight[0] + half, *second = weight[1] + half;
  const s32 *third = weight[2] + half, *fourth = weight[3] + half;

  EACH_OF_HALF
  {
    double all = 0.0 + part_of(a[l], first[l]);

    all += part_of(b[l], second[l]);
    all += part_of(c[l], third[l]);
    sum[l] = all + part_of(d[l], fourth[l]);
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

/* Of one channel: texel[tap] is what each lane reads. */
typedef u32 tap_words[4][LANES];

static void fetch_means(const struct lane_fetch *f, const struct lane_places *p,
                        texels out)
{
  _Alignas(LANE_ALIGNMENT) tap_words texel[4];
  _Alignas(LANE_ALIGNMENT) s32 weight[4][LANES];
  _Alignas(LANE_ALIGNMENT) double sum[LANES];
  const size_t pitch = f->texture->image.pitch;
  const unsigned channels = f->texture->image.format.channels;
  /* In one dimension, the second row has no weight: the first one will do. */
  const unsigned rows = f->geometry == GEOMETRY_1D ? 1 : 2;
  const bool alike = are_alike(p->x, p->y), runs = p->inside && p->runs;
  s32 common[4];

  for (unsigned tap = 0; tap < 2 * rows && !runs; tap++)
    read_tap(
        f, p, tap & 1, tap >> 1,
        (texels){ texel[0][tap], texel[1][tap], texel[2][tap], texel[3][tap] });
  if (alike)
    weights_of(p->x->weight[0], p->y->weight[0], &common[0], &common[1],
               &common[2], &common[3]);
  else
    EACH_LANE
    {
      weights_of(p->x->weight[l], p->y->weight[l], &weight[0][l], &weight[1][l],
                 &weight[2][l], &weight[3][l]);
    }
  for (unsigned c = 0; c < channels; c++) {
    for (unsigned half = 0; half < LANES; half += LANES / 2) {
      const f32 *of[4];

      for (unsigned tap = 0; tap < 4; tap++) {
        const unsigned row = rows == 2 ? tap >> 1 : 0;

        /* Runs are read where they are. */
        of[tap] = runs
                      ? (const f32 *)(f->view + p->offset[half] + row * pitch) +
                            (tap & 1)
                      : (const f32 *)texel[c][2 * row + (tap & 1)] + half;
      }
      if (alike)
        blend_alike(common, of, sum + half);
      else
        blend((const s32(*)[LANES])weight, half, of, sum + half);
    }
    finish(f->texture, c, sum, out[c]);
  }
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
  const u32 width = t->image.width, height = t->image.height;
  const bool pair = t->sampler.linear && (t->image.format.kind == TEXEL_FLOAT ||
                                          t->sampler.normalized_float);
  const bool is_2d = f->geometry == GEOMETRY_2D;
  struct lane_taps x, y;
  struct lane_places places;

  if (!serves(f))
    return false;
  places.x = &x;
  places.y = &y;
  find_taps(f, 0, width, pair, &x);
  if (is_2d)
    find_taps(f, 1, height, pair, &y);
  else
    find_no_taps(&y);
  places.inside =
      are_inside(&x, width, pair) && (!is_2d || are_inside(&y, height, pair));
  if (places.inside) {
    find_places(f, &places);
  } else {
    limit_taps(f, 0, width, pair, &x);
    limit_taps(f, 1, is_2d ? height : 1, pair, &y);
  }
  /* From here on the coordinates may be overwritten. */
  if (pair)
    fetch_means(f, &places, out);
  else
    read_tap(f, &places, 0, 0, out);
  for (unsigned c = t->image.format.channels; c < 4; c++)
    put_zeros(out[c]);
  return true;
}

void LANES_LOCAL(lanes_textures)(struct lane_handlers *handlers)
{
  handlers->texture = LANES_LOCAL(lanes_texture);
}
