/* From coordinates to the texels that a fetch reads, filtered where the object
 * asks for it. */
#include "fetch.h"

#include <string.h>

#include "../memory/memory.h"
#include "address.h"
#include "cube.h"
#include "filter.h"
#include "texel.h"

/* Neighbours in each dimension, and the layer. */
struct place {
  struct taps x, y, z;
  uint32_t layer;
  unsigned face;
  bool across_edges; /* seamless: x and y may lie on other faces */
  int64_t left, top; /* of the pair, unlimited */
};

static bool read_at(const struct fetch *f, uint32_t x, uint32_t y,
                    uint32_t slice, uint32_t out[4], uint64_t *address)
{
  const struct image *image = &f->texture->image;
  size_t offset = slice * image->slice + y * image->pitch +
                  (size_t)x * texel_bytes(&image->format);
  const uint8_t *at =
      f->view != NULL
          ? f->view + offset
          : memory_look(image->address + offset, texel_bytes(&image->format));

  if (at == NULL) {
    *address = image->address + offset;
    return false;
  }
  texel_read(image, &f->texture->sampler, at, out);
  return true;
}

static bool read_tap(const struct fetch *f, const struct place *p, unsigned i,
                     unsigned j, unsigned k, uint32_t out[4], uint64_t *address)
{
  const struct image *image = &f->texture->image;
  uint32_t x = p->x.index[i], y = p->y.index[j];
  uint32_t slice = image->dimensions == 3 ? p->z.index[k] : p->layer;

  if (p->x.border[i] || p->y.border[j] || p->z.border[k]) {
    texel_border(image, &f->texture->sampler, out);
    return true;
  }
  if (p->across_edges) {
    int64_t column = p->left + i, row = p->top + j, n = image->width;
    unsigned face = p->face;

    if (column < 0 || column >= n || row < 0 || row >= n)
      cube_neighbour(&face, &column, &row, image->width);
    x = (uint32_t)column;
    y = (uint32_t)row;
    slice = p->layer - p->face + face;
  }
  return read_at(f, x, y, slice, out, address);
}

static void no_dimension(struct taps *taps) { memset(taps, 0, sizeof *taps); }

/* Which layer: an index beyond the last one is the last, also below 0. */
static uint32_t layer_of(const struct fetch *f, unsigned face)
{
  const struct image *image = &f->texture->image;
  uint32_t per = f->geometry >= GEOMETRY_CUBE ? 6 : 1;
  uint32_t n = image->layers / per, layer = 0;

  if (n == 0)
    return 0;
  if (f->geometry == GEOMETRY_1D_LAYERED ||
      f->geometry == GEOMETRY_2D_LAYERED ||
      f->geometry == GEOMETRY_CUBE_LAYERED)
    layer = f->layer >= n ? n - 1 : f->layer;
  return layer * per + face;
}

static int64_t pair_start(const struct taps *taps, double x, uint32_t n)
{
  /* Clamping loses which side is outside: -1 shows as (0, 0). */
  if (taps->index[0] == taps->index[1])
    return x * n < 0.5 * n ? -1 : (int64_t)n - 1;
  return taps->index[0];
}

static void find_cube(const struct fetch *f, bool pair, struct place *p)
{
  const struct image *image = &f->texture->image;
  const struct sampler *sampler = &f->texture->sampler;
  struct cube_place place = cube_place(f->x, f->y, f->z);

  p->face = place.face;
  p->layer = layer_of(f, place.face);
  address_taps(ADDRESS_CLAMP, true, place.s, image->width, pair, &p->x);
  address_taps(ADDRESS_CLAMP, true, place.t, image->height, pair, &p->y);
  no_dimension(&p->z);
  p->across_edges = pair && sampler->seamless && image->width > 1;
  p->left = pair_start(&p->x, place.s, image->width);
  p->top = pair_start(&p->y, place.t, image->height);
}

static void find_place(const struct fetch *f, bool pair, struct place *p)
{
  const struct image *image = &f->texture->image;
  const struct sampler *sampler = &f->texture->sampler;
  bool normalized = sampler->normalized && !f->integer;
  double half = f->integer ? 0.5 : 0; /* a texel's centre */

  p->across_edges = false;
  p->face = 0;
  if (f->geometry >= GEOMETRY_CUBE) {
    find_cube(f, pair, p);
    return;
  }
  p->layer = layer_of(f, 0);
  no_dimension(&p->y);
  no_dimension(&p->z);
  address_taps(sampler->address[0], normalized, f->x + half, image->width, pair,
               &p->x);
  if (f->geometry == GEOMETRY_2D || f->geometry == GEOMETRY_3D ||
      f->geometry == GEOMETRY_2D_LAYERED)
    address_taps(sampler->address[1], normalized, f->y + half, image->height,
                 pair, &p->y);
  /* tex1D filters in y too, at y = 0: a border there takes half. */
  if (f->geometry == GEOMETRY_1D && sampler->address[1] == ADDRESS_BORDER)
    address_taps(ADDRESS_BORDER, false, pair ? 0 : 0.5, 1, pair, &p->y);
  if (f->geometry == GEOMETRY_3D)
    address_taps(sampler->address[2], normalized, f->z + half, image->depth,
                 pair, &p->z);
}

static bool gives_floats(const struct descriptor *texture)
{
  return texture->image.format.kind == TEXEL_FLOAT ||
         texture->sampler.normalized_float;
}

static bool fetch_linear_memory(const struct fetch *f, uint32_t out[4],
                                uint64_t *address)
{
  double x = f->x;

  if (!(x >= 0 && x < f->texture->image.width)) {
    memset(out, 0, 4 * sizeof *out);
    return true;
  }
  return read_at(f, (uint32_t)x, 0, 0, out, address);
}

/* Clamped to 0 … n - 1; what is not a number is 0. */
static uint32_t nearest(double x, uint32_t n)
{
  if (!(x >= 0))
    return 0;
  return x >= n ? n - 1 : (uint32_t)x;
}

/* The usual case, which the rest answers too: the texel itself, 32 bits a
 * channel, no layers, coordinates in texels and clamped. */
static bool fetch_plain(const struct fetch *f, uint32_t out[4])
{
  const struct image *image = &f->texture->image;
  const struct sampler *sampler = &f->texture->sampler;
  double half = f->integer ? 0.5 : 0;
  uint32_t y = 0;
  size_t bytes;

  if (f->view == NULL || f->geometry > GEOMETRY_2D ||
      image->format.bits != 32 || (sampler->normalized && !f->integer) ||
      sampler->address[0] == ADDRESS_BORDER ||
      sampler->address[1] == ADDRESS_BORDER)
    return false;
  if (f->geometry == GEOMETRY_2D)
    y = nearest(f->y + half, image->height);
  bytes = 4u * image->format.channels;
  memset(out, 0, 4 * sizeof *out);
  memcpy(out,
         f->view + y * image->pitch +
             nearest(f->x + half, image->width) * bytes,
         bytes);
  return true;
}

bool texture_fetch(const struct fetch *f, uint32_t out[4], uint64_t *address)
{
  struct place p;
  struct blend blend = { { 0 } };
  unsigned weights[8];
  bool pair = f->texture->sampler.linear && gives_floats(f->texture);

  if (f->texture->image.linear_memory)
    return fetch_linear_memory(f, out, address);
  if (!pair && fetch_plain(f, out))
    return true;
  find_place(f, pair, &p);
  if (!pair)
    return read_tap(f, &p, 0, 0, 0, out, address);
  filter_weights(&p.x, &p.y, &p.z, weights);
  for (unsigned tap = 0; tap < 8; tap++) {
    uint32_t texel[4];

    if (weights[tap] == 0)
      continue;
    if (!read_tap(f, &p, tap & 1, tap >> 1 & 1, tap >> 2, texel, address))
      return false;
    blend_add(&blend, texel, weights[tap]);
  }
  blend_result(&blend, f->texture, out);
  return true;
}

bool texture_gather(const struct fetch *f, unsigned component, uint32_t out[4],
                    uint64_t *address)
{
  static const unsigned order[4][2] = {
    { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 }
  };
  struct place p;

  find_place(f, true, &p);
  for (unsigned n = 0; n < 4; n++) {
    uint32_t texel[4];

    if (!read_tap(f, &p, order[n][0], order[n][1], 0, texel, address))
      return false;
    out[n] = texel[component];
  }
  return true;
}
