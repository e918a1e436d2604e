/* Fetches of all lanes at once, against those of one lane: the same bits, for
 * every format, address mode and filter. */
#include "../count/level.h"
#include "../runtime/test.h"
#include "exec/lanes/handlers.h"
#include "exec/texture.h"

static uint32_t random_state = 1;

static uint32_t random_bits(void)
{
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  return random_state;
}

enum { MOST = 40, TEXEL = 16 };
static uint8_t pixels[MOST * MOST * TEXEL];

static void some_pixels(void)
{
  for (size_t i = 0; i < sizeof pixels; i++)
    pixels[i] = (uint8_t)random_bits();
  if (random_bits() % 2) { /* usual numbers, not any bits */
    float value;

    for (size_t i = 0; i < sizeof pixels; i += sizeof value) {
      value = (float)(random_bits() % 1000) / 7;
      memcpy(pixels + i, &value, sizeof value);
    }
  }
}

static struct descriptor some_texture(bool is_1d)
{
  static const unsigned bits[] = { 8, 16, 32, 32 }, channels[] = { 1, 2, 4 };
  struct descriptor t = { .is_surface = false };
  struct image *image = &t.image;

  image->format.kind = random_bits() % 3;
  image->format.bits = bits[random_bits() % 4];
  if (image->format.kind == TEXEL_FLOAT && image->format.bits == 8)
    image->format.bits = 32;
  image->format.channels = channels[random_bits() % 3];
  image->dimensions = is_1d ? 1 : 2;
  image->width = 1 + random_bits() % MOST;
  image->height = is_1d ? 1 : 1 + random_bits() % MOST;
  image->depth = image->layers = 1;
  image->pitch = MOST * TEXEL;
  image->slice = image->bytes = sizeof pixels;
  for (int i = 0; i < 3; i++)
    t.sampler.address[i] = random_bits() % 4;
  t.sampler.normalized = random_bits() % 2;
  t.sampler.normalized_float = random_bits() % 2 && image->format.bits < 32;
  t.sampler.linear = random_bits() % 2;
  t.sampler.srgb = random_bits() % 2;
  for (int i = 0; i < 4; i++)
    t.sampler.border[i] = (float)(random_bits() % 100) / 64;
  return t;
}

static float some_number(bool normalized)
{
  static const float odd[] = { 0, -0.0F, 1, 1e30F, -1e30F, 1e-30F, -1e-30F };
  float whole = (float)(int)(random_bits() % 97) - 28;
  uint32_t bits = 0x7f800000 | random_bits() % 2 << 31 | random_bits() % 2;
  float value;

  switch (random_bits() % 16) {
  case 0: return odd[random_bits() % 7];
  case 1: memcpy(&value, &bits, sizeof value); return value;
  case 2: memcpy(&value, &random_state, sizeof value); return value;
  case 3: return whole;
  case 4: return normalized ? whole / 32 : whole + 0.5F;
  default:
    value = whole + (float)(random_bits() % 65536) / 65536;
    return normalized ? value / 24 : value;
  }
}

/* Rows of neighbours, as most kernels fetch them: whole steps or not, moved by
 * the same fraction or by each lane's own. */
static void some_rows(const struct descriptor *t, bool integer, uint32_t *x,
                      uint32_t *y)
{
  const unsigned columns = 8u << random_bits() % 3;
  const bool own = random_bits() % 4 == 0;
  const float step = random_bits() % 4 ? 1 : (float)(random_bits() % 9) / 4 - 1;
  const int left = (int)(random_bits() % 20) - 6;
  const int top = (int)(random_bits() % 20) - 6;
  float part[2] = { 0, 0 };

  for (unsigned l = 0; l < LANES; l++) {
    const int column = (int)(l % columns), row = (int)(l / columns);
    float at[2] = { (float)left + step * (float)column, (float)(top + row) };

    for (unsigned i = 0; i < 2; i++) {
      if ((l == 0 || own) && random_bits() % 4)
        part[i] = (float)(random_bits() % 512) / 512;
      at[i] += part[i];
      if (t->sampler.normalized)
        at[i] /= (float)(i == 0 ? t->image.width : t->image.height);
    }
    memcpy(&x[l], &at[0], sizeof x[l]);
    memcpy(&y[l], &at[1], sizeof y[l]);
    if (integer) {
      x[l] = (uint32_t)(left + column);
      y[l] = (uint32_t)(top + row);
    }
  }
}

static void tell(const struct lane_fetch *f, unsigned lane, unsigned channel,
                 uint32_t got, uint32_t expected)
{
  const struct sampler *s = &f->texture->sampler;
  const struct texel_format *format = &f->texture->image.format;

  fprintf(stderr,
          "channel %u: %08x, expected %08x at %08x, %08x%s of %u x %u; "
          "kind %d, %u bits, %u channels; address modes %d, %d, linear %d, "
          "normalised %d, as floats %d, sRGB %d\n",
          channel, got, expected, f->x[lane], f->y[lane],
          f->integer ? " (integers)" : "", f->texture->image.width,
          f->texture->image.height, format->kind, format->bits,
          format->channels, s->address[0], s->address[1], s->linear,
          s->normalized, s->normalized_float, s->srgb);
  exit(1);
}

/* True when the lanes were served together. */
static bool compare(const struct lane_fetch *f)
{
  _Alignas(LANE_ALIGNMENT) uint32_t out[4][LANES];
  uint32_t *const channels[4] = { out[0], out[1], out[2], out[3] };

  if (!lane_handlers()->texture(f, channels))
    return false;
  for (unsigned l = 0; l < LANES; l++) {
    struct fetch one = { f->texture,
                         f->view,
                         f->geometry,
                         (double)bits_float(f->x[l]),
                         (double)bits_float(f->y[l]),
                         0,
                         f->integer,
                         0 };
    uint32_t expected[4];
    uint64_t address;

    if (f->integer) {
      one.x = (int32_t)f->x[l];
      one.y = (int32_t)f->y[l];
    }
    CHECK(texture_fetch(&one, expected, &address));
    for (unsigned c = 0; c < 4; c++)
      if (out[c][l] != expected[c])
        tell(f, l, c, out[c][l], expected[c]);
  }
  return true;
}

BEHAVIOUR(lanes_fetch_what_one_lane_fetches)
{
  unsigned together = 0, rounds = 60000;

  need_level();
  for (unsigned round = 0; round < rounds; round++) {
    _Alignas(LANE_ALIGNMENT) uint32_t x[LANES], y[LANES];
    bool is_1d = random_bits() % 4 == 0;
    struct descriptor t = some_texture(is_1d);
    struct lane_fetch f = {
      &t, pixels, is_1d ? GEOMETRY_1D : GEOMETRY_2D, random_bits() % 4 == 0,
      x,  y
    };

    if (round % 64 == 0)
      some_pixels();
    for (unsigned l = 0; l < LANES; l++) {
      float at[2] = { some_number(t.sampler.normalized),
                      some_number(t.sampler.normalized) };

      memcpy(&x[l], &at[0], sizeof x[l]);
      memcpy(&y[l], &at[1], sizeof y[l]);
      if (f.integer && random_bits() % 8) {
        x[l] = random_bits() % 60 - 10;
        y[l] = random_bits() % 60 - 10;
      }
    }
    if (round % 2)
      some_rows(&t, f.integer, x, y);
    together += compare(&f);
  }
  CHECK(together > rounds / 2);
}

/* What is left to the lanes one by one. */
BEHAVIOUR(others_are_left_to_the_lanes)
{
  _Alignas(LANE_ALIGNMENT) uint32_t x[LANES] = { 0 };
  struct descriptor t = some_texture(false);
  struct lane_fetch f = { &t, NULL, GEOMETRY_2D, false, x, x };

  need_level();
  CHECK(!compare(&f));
  f.view = pixels;
  CHECK(compare(&f));
  f.geometry = GEOMETRY_3D;
  CHECK(!compare(&f));
  f.geometry = GEOMETRY_2D;
  t.image.linear_memory = true;
  CHECK(!compare(&f));
}
