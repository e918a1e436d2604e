/* Coordinates, filters and formats, one by one, against numbers worked out
 * by hand. */
#include "../runtime/test.h"
#include "memory/memory.h"
#include "texture/array.h"
#include "texture/fetch.h"
#include "texture/surface.h"
#include "texture/texel.h"

static float texels[64];
static struct descriptor texture;

static void make(unsigned width, unsigned height, unsigned depth)
{
  memset(&texture, 0, sizeof texture);
  for (int i = 0; i < 64; i++)
    texels[i] = (float)i;
  texture.image = (struct image){ .format = { TEXEL_FLOAT, 32, 1 },
                                  .dimensions = depth > 1    ? 3
                                                : height > 1 ? 2
                                                             : 1,
                                  .width = width,
                                  .height = height,
                                  .depth = depth,
                                  .layers = 1,
                                  .pitch = width * 4,
                                  .slice = (size_t)width * height * 4 };
  texture.sampler.border[0] = -1;
  for (int i = 0; i < 3; i++)
    texture.sampler.address[i] = ADDRESS_CLAMP;
}

static void address(enum address_mode mode, bool normalized, bool linear)
{
  for (int i = 0; i < 3; i++)
    texture.sampler.address[i] = mode;
  texture.sampler.normalized = normalized;
  texture.sampler.linear = linear;
}

static float at(enum texture_geometry geometry, double x, double y, double z)
{
  struct fetch fetch = {
    &texture, (const uint8_t *)texels, geometry, x, y, z, false, 0
  };
  uint32_t out[4];
  uint64_t bad;

  CHECK(texture_fetch(&fetch, out, &bad));
  return bits_float(out[0]);
}

static float at_1d(double x) { return at(GEOMETRY_1D, x, 0, 0); }

BEHAVIOUR(point_takes_the_texel_around)
{
  make(8, 1, 1);
  CHECK(at_1d(0) == 0 && at_1d(0.999) == 0 && at_1d(1) == 1 &&
        at_1d(7.999) == 7);
}

BEHAVIOUR(clamp_repeats_the_edge)
{
  make(8, 1, 1);
  CHECK(at_1d(-3) == 0 && at_1d(8) == 7 && at_1d(1e30) == 7);
}

BEHAVIOUR(border_shows_its_colour)
{
  make(8, 1, 1);
  address(ADDRESS_BORDER, false, false);
  CHECK(at_1d(-0.001) == -1 && at_1d(8) == -1 && at_1d(7.9) == 7);
}

BEHAVIOUR(wrap_starts_again)
{
  make(8, 1, 1);
  address(ADDRESS_WRAP, true, false);
  CHECK(at_1d(1.0625) == 0 && at_1d(-0.0625) == 7 && at_1d(3.5) == 4);
}

BEHAVIOUR(mirror_turns_back)
{
  make(8, 1, 1);
  address(ADDRESS_MIRROR, true, false);
  CHECK(at_1d(1.0625) == 7 && at_1d(-0.0625) == 0 && at_1d(1.9375) == 0);
}

BEHAVIOUR(wrap_without_normalised_coordinates_is_clamp)
{
  make(8, 1, 1);
  address(ADDRESS_WRAP, false, false);
  CHECK(at_1d(9) == 7 && at_1d(-1) == 0);
}

BEHAVIOUR(linear_mixes_two_texels)
{
  make(8, 1, 1);
  address(ADDRESS_CLAMP, false, true);
  CHECK(at_1d(3.5) == 3 && at_1d(4) == 3.5 && at_1d(3.75) == 3.25 &&
        at_1d(0) == 0 && at_1d(8) == 7);
}

BEHAVIOUR(weights_have_8_bits)
{
  make(8, 1, 1);
  address(ADDRESS_CLAMP, false, true);
  CHECK(at_1d(3.5 + 1 / 1024.0) == 3);
  CHECK(at_1d(3.5 + 1 / 512.0) == 3 + 1 / 256.0f);
}

BEHAVIOUR(linear_wraps_around)
{
  make(8, 1, 1);
  address(ADDRESS_WRAP, true, true);
  CHECK(at_1d(0) == 3.5 && at_1d(1) == 3.5);
}

BEHAVIOUR(linear_mirrors)
{
  make(8, 1, 1);
  address(ADDRESS_MIRROR, true, true);
  CHECK(at_1d(0) == 0 && at_1d(1) == 7);
}

BEHAVIOUR(linear_mixes_the_border_in)
{
  make(8, 1, 1);
  address(ADDRESS_BORDER, false, true);
  texture.sampler.address[1] = ADDRESS_CLAMP;
  CHECK(at_1d(8) == 3 && at_1d(0) == -0.5);
}

BEHAVIOUR(linear_2d_mixes_four)
{
  make(4, 4, 1);
  address(ADDRESS_CLAMP, false, true);
  CHECK(at(GEOMETRY_2D, 1, 1, 0) == 2.5);
  CHECK(at(GEOMETRY_2D, 1.75, 2.5, 0) == 9.25);
}

BEHAVIOUR(linear_3d_mixes_eight)
{
  make(4, 4, 4);
  address(ADDRESS_CLAMP, false, true);
  CHECK(at(GEOMETRY_3D, 1, 1, 1) == 10.5);
  CHECK(at(GEOMETRY_3D, 0.5, 0.5, 3.5) == 48);
}

BEHAVIOUR(point_3d_finds_its_texel)
{
  make(4, 4, 4);
  CHECK(at(GEOMETRY_3D, 1.2, 2.9, 3.1) == 57);
}

BEHAVIOUR(layer_beyond_the_last_is_the_last)
{
  struct fetch fetch = {
    &texture, (const uint8_t *)texels, GEOMETRY_2D_LAYERED, 0, 0, 0, false, 9
  };
  uint32_t out[4];
  uint64_t bad;

  make(4, 4, 1);
  texture.image.layered = true;
  texture.image.layers = 3;
  CHECK(texture_fetch(&fetch, out, &bad) && bits_float(out[0]) == 32);
  fetch.layer = 1;
  CHECK(texture_fetch(&fetch, out, &bad) && bits_float(out[0]) == 16);
}

BEHAVIOUR(not_a_number_is_0)
{
  make(8, 1, 1);
  CHECK(at_1d(0.0 / 0.0) == 0);
}

BEHAVIOUR(gather_goes_round)
{
  struct fetch fetch = {
    &texture, (const uint8_t *)texels, GEOMETRY_2D, 2, 2, 0, false, 0
  };
  uint32_t out[4];
  uint64_t bad;

  make(4, 4, 1);
  CHECK(texture_gather(&fetch, 0, out, &bad));
  CHECK(bits_float(out[0]) == 9 && bits_float(out[1]) == 10 &&
        bits_float(out[2]) == 6 && bits_float(out[3]) == 5);
}

BEHAVIOUR(linear_memory_is_zero_outside)
{
  make(8, 1, 1);
  texture.image.linear_memory = true;
  CHECK(at_1d(-1) == 0 && at_1d(7) == 7 && at_1d(8) == 0);
}

BEHAVIOUR(cube_faces_by_the_largest_part)
{
  static const double directions[6][3] = { { 1, 0.1, 0.1 }, { -1, 0.1, 0.1 },
                                           { 0.1, 1, 0.1 }, { 0.1, -1, 0.1 },
                                           { 0.1, 0.1, 1 }, { 0.1, 0.1, -1 } };

  make(1, 1, 1);
  texture.image.cube = true;
  texture.image.layers = 6;
  for (int i = 0; i < 6; i++)
    CHECK_EQUAL(
        at(GEOMETRY_CUBE, directions[i][0], directions[i][1], directions[i][2]),
        i);
}

/* ---- formats ---- */

static uint32_t read_first(enum texel_kind kind, unsigned bits,
                           unsigned channels, uint64_t value, bool normalized,
                           unsigned channel)
{
  struct image image = { .format = { kind, bits, channels } };
  struct sampler sampler = { .normalized_float = normalized };
  uint32_t out[4];

  texel_read(&image, &sampler, (const uint8_t *)&value, out);
  return out[channel];
}

BEHAVIOUR(integers_are_extended)
{
  CHECK_EQUAL(read_first(TEXEL_UNSIGNED, 8, 1, 0xff, false, 0), 255);
  CHECK_EQUAL(read_first(TEXEL_SIGNED, 8, 1, 0xff, false, 0), 0xffffffff);
  CHECK_EQUAL(read_first(TEXEL_SIGNED, 16, 2, 0x8000beef, false, 1),
              0xffff8000);
}

BEHAVIOUR(normalised_integers)
{
  CHECK(bits_float(read_first(TEXEL_UNSIGNED, 8, 1, 255, true, 0)) == 1);
  CHECK(bits_float(read_first(TEXEL_UNSIGNED, 16, 1, 65535, true, 0)) == 1);
  CHECK(bits_float(read_first(TEXEL_SIGNED, 8, 1, 0x80, true, 0)) == -1);
  CHECK(bits_float(read_first(TEXEL_SIGNED, 16, 1, 0x8001, true, 0)) == -1);
}

BEHAVIOUR(half_precision)
{
  CHECK(bits_float(read_first(TEXEL_FLOAT, 16, 1, 0x3c00, false, 0)) == 1);
  CHECK(bits_float(read_first(TEXEL_FLOAT, 16, 1, 0x0001, false, 0)) ==
        0x1p-24f);
  CHECK_EQUAL(read_first(TEXEL_FLOAT, 16, 1, 0xfc00, false, 0), 0xff800000);
}

BEHAVIOUR(channels_that_are_not_there_are_0)
{
  CHECK_EQUAL(read_first(TEXEL_UNSIGNED, 8, 2, ~0ull, false, 2), 0);
  CHECK_EQUAL(read_first(TEXEL_UNSIGNED, 8, 2, ~0ull, false, 3), 0);
}

BEHAVIOUR(formatted_store_is_limited_to_the_format)
{
  struct texel_format format = { TEXEL_UNSIGNED, 8, 1 };
  uint32_t values[4] = { 300 };
  uint8_t texel[4] = { 0 };

  texel_write(&format, texel, TEXEL_SIGNED, values);
  CHECK_EQUAL(texel[0], 255);
  values[0] = (uint32_t)-5;
  texel_write(&format, texel, TEXEL_SIGNED, values);
  CHECK_EQUAL(texel[0], 0);
}

/* ---- surfaces: 4 x 4 floats ---- */

static enum surface_place surface(enum surface_bounds bounds, int x, int y,
                                  unsigned bytes, size_t *offset)
{
  struct surface_access access = {
    &texture.image, GEOMETRY_2D, bounds, x, y, 0, 0, bytes
  };

  make(4, 4, 1);
  return surface_find(&access, offset);
}

BEHAVIOUR(surface_counts_bytes)
{
  size_t offset = 0;

  CHECK_EQUAL(surface(BOUNDS_TRAP, 8, 2, 4, &offset), SURFACE_INSIDE);
  CHECK_EQUAL(offset, 40);
}

BEHAVIOUR(surface_traps_outside)
{
  size_t offset;

  CHECK_EQUAL(surface(BOUNDS_TRAP, 16, 0, 4, &offset), SURFACE_OUTSIDE);
  CHECK_EQUAL(surface(BOUNDS_TRAP, 0, -1, 4, &offset), SURFACE_OUTSIDE);
}

BEHAVIOUR(surface_clamps)
{
  size_t offset = 0;

  CHECK_EQUAL(surface(BOUNDS_CLAMP, 99, 9, 4, &offset), SURFACE_INSIDE);
  CHECK_EQUAL(offset, 60);
  CHECK_EQUAL(surface(BOUNDS_CLAMP, -1, -1, 4, &offset), SURFACE_INSIDE);
  CHECK_EQUAL(offset, 0);
}

BEHAVIOUR(surface_ignores_outside)
{
  size_t offset;

  CHECK_EQUAL(surface(BOUNDS_ZERO, 16, 0, 4, &offset), SURFACE_NOWHERE);
}

BEHAVIOUR(surface_wants_whole_elements)
{
  size_t offset;

  CHECK_EQUAL(surface(BOUNDS_TRAP, 2, 0, 4, &offset), SURFACE_MISALIGNED);
}

static unsigned n_viewed;

static void viewed(uint64_t at, size_t bytes)
{
  (void)at;
  (void)bytes;
  n_viewed++;
}

/* Otherwise the checks would take what it reads for initialised. */
BEHAVIOUR(fetch_writes_nothing)
{
  static const struct memory_watch watch = { NULL, viewed };
  uint64_t memory, bad;
  struct fetch fetch = { .texture = &texture, .geometry = GEOMETRY_1D };
  uint32_t out[4];

  make(8, 1, 1);
  memory = memory_allocate(32, 256, MEMORY_DEVICE, 0, NULL);
  texture.image.address = memory;
  texture.image.bytes = 32;
  memory_set_watch(&watch);
  CHECK(texture_fetch(&fetch, out, &bad));
  CHECK(image_view(&texture.image, false) != NULL);
  CHECK_EQUAL(n_viewed, 0);
  CHECK(image_view(&texture.image, true) != NULL);
  CHECK_EQUAL(n_viewed, 1);
  memory_set_watch(NULL);
  CHECK(memory_release(memory));
}
