#include "operands.h"

#include <stdbool.h>
#include <string.h>

enum { HASHED = 2048 };

/* How many edges of each source are combined, by number of sources. */
static const size_t edges_of[SOURCES + 1] = { 0, 96, 40, 12, 7, 5 };

static const struct operand_type types[] = {
  { "f16", 16 },       { "bf16", 16 },    { "f32", 32 },     { "f64", 64 },
  { "f16x2", 32 },     { "bf16x2", 32 },  { "16x2", 32 },    { "u8", 32 },
  { "s8", 32 },        { "u16", 16 },     { "s16", 16 },     { "u32", 32 },
  { "s32", 32 },       { "u64", 64 },     { "s64", 64 },     { "n", 32 },
  { "count", 32 },     { "nibbles", 32 }, { "pred", 32 },    { "cc", 32 },
  { "b32", 32 },       { "f16oob", 16 },  { "bf16oob", 16 }, { "f16x2oob", 32 },
  { "bf16x2oob", 32 },
};

const struct operand_type *operand_type(const char *name)
{
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].name, name) == 0)
      return &types[i];
  return NULL;
}

static bool is(const struct operand_type *type, const char *name)
{
  return strcmp(type->name, name) == 0;
}

/* ---- edges --------------------------------------------------------------- */

/* The first are those that three sources share, so they differ most. */
static const uint32_t f32_edges[] = {
  0x3f800000, 0x80000000, 0x7f800000, 0x7f812345, /* 1, -0, inf, signalling */
  0x00000001, 0xff7fffff, 0x33800000, 0xffc12345, /* … 2^-24, quiet NaN */
  0x00000000, 0xff800000, 0x80800000, 0x7f7fffff, 0xbf800000, 0x00800000,
  0x007fffff, 0x80000001, 0x807fffff, 0x7fffffff, 0xffa00001, 0x7fc00000,
  0x3f7fffff, 0x3f800001, 0x40000000, 0xc0000000, 0x3f000000, 0xbf000000,
  0x3fc00000, 0x40200000, 0x3effffff, 0xbf000001, 0x4b000000, 0x4b000001,
  0x4affffff, 0x7e800000, 0x7f000000, 0x20000000, 0x1fffffff, 0x5f000000,
  0x00400000, 0x34000000, /* 40 */
  0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000,
  0x5effffff, 0xdf000000, 0xdf000001, 0x5f7fffff, 0x5f800000, 0x43000000,
  0xc3000000, 0xc3008000, 0x42fe0000, 0x42ff0000, 0x437f0000, 0x437f8000,
  0x43800000, 0x46fffe00, 0x46ffff00, 0x47000000, 0xc7000000, 0xc7000100,
  0x477fff00, 0x477fff80, 0x477fe000, 0x477fefff, 0x477ff000, 0x47800000,
  0x33000000, 0x33000001, 0xb3000000, 0x38800000, 0x387fe000, 0x387ff000,
  0x38000000, 0x3f801000, 0x3f803000, 0x3f808000, 0x3f818000, 0x3f801001,
  0x7f7f7fff, 0x7f7f8000, 0x7f7fefff, 0x7f7ff000, 0x42b17218, 0x3fc90fdb,
  0x40490fdb, 0xc2fc0000, 0xc3150000, 0xc3160000, 0x42ffffff, 0x00004000,
  0x0000c000, 0x00008001,
};

static const uint64_t f64_edges[] = {
  0x3ff0000000000000, 0x8000000000000000, 0x7ff0000000000000,
  0x7ff0123456789abc, 0x0000000000000001, 0xffefffffffffffff,
  0x3ca0000000000000, 0xfff8123456789abc, 0x0000000000000000,
  0xfff0000000000000, 0x8010000000000000, 0x7fefffffffffffff,
  0xbff0000000000000, 0x0010000000000000, 0x000fffffffffffff,
  0x8000000000000001, 0x800fffffffffffff, 0x7fffffffffffffff,
  0xfff4000000000001, 0x7ff8000000000000, 0x3fefffffffffffff,
  0x3ff0000000000001, 0x4000000000000000, 0xc000000000000000,
  0x3fe0000000000000, 0xbfe0000000000000, 0x3ff8000000000000,
  0x4004000000000000, 0x3fdfffffffffffff, 0xbfe0000000000001,
  0x4330000000000000, 0x4330000000000001, 0x432fffffffffffff,
  0x7fd0000000000000, 0x7fe0000000000000, 0x2000000000000000,
  0x1fffffffffffffff, 0x5fe0000000000000, 0x0008000000000000,
  0x3cb0000000000000, /* 40 */
  0x41dfffffffc00000, 0x41dfffffffe00000, 0x41e0000000000000,
  0xc1e0000000000000, 0xc1e0000000100000, 0xc1e0000000200000,
  0x41efffffffe00000, 0x41effffffff00000, 0x41f0000000000000,
  0x43dfffffffffffff, 0x43e0000000000000, 0xc3e0000000000000,
  0xc3e0000000000001, 0x43efffffffffffff, 0x43f0000000000000,
  0x405fc00000000000, 0x405fe00000000000, 0x4060000000000000,
  0xc060000000000000, 0xc060100000000000, 0x406fe00000000000,
  0x406ff00000000000, 0x4070000000000000, 0x40dfffc000000000,
  0x40dfffe000000000, 0xc0e0000000000000, 0x40efffe000000000,
  0x40effff000000000, 0x40effc0000000000, 0x40effe0000000000,
  0x40effdffffffffff, 0x3e60000000000000, 0x3e60000000000001,
  0x36a0000000000000, 0x3690000000000000, 0x3690000000000001,
  0x3810000000000000, 0x380fffffe0000000, 0x380ffffff0000000,
  0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000,
  0x47f0000000000000, 0x3ff0000010000000, 0x3ff0000030000000,
  0x3ff0000010000001, 0x3ff0020000000000, 0x3ff0060000000000,
  0x3ff0100000000000, 0x3ff0300000000000, 0x3f10000000000000,
  0x3f0ffc0000000000, 0x3f0ffe0000000000, 0xbe60000000000000,
  0x400921fb54442d18, 0x8000000000100000,
};

static const uint16_t f16_edges[] = {
  0x3c00, 0x8000, 0x7c00, 0x7d12, 0x0001, 0xfbff, 0x1000, 0xfe12, 0x0000,
  0xfc00, 0x8400, 0x7bff, 0xbc00, 0x0400, 0x03ff, 0x8001, 0x83ff, 0x7fff,
  0xfd01, 0x7e00, 0x3bff, 0x3c01, 0x4000, 0xc000, 0x3800, 0xb800, 0x3e00,
  0x4100, 0x37ff, 0xb801, 0x6400, 0x6401, 0x63ff, 0x7800, 0x7400, 0x1c00,
  0x1bff, 0x5c00, 0x0200, 0x1400, 0x57f0, 0x57f8, 0x5800, 0xd800, 0xd804,
  0x5bf8, 0x5bfc, 0x5c00, 0x7bfe, 0x4248, 0x3e48, 0x6800, 0x6801, 0x8002,
};

static const uint16_t bf16_edges[] = {
  0x3f80, 0x8000, 0x7f80, 0x7f92, 0x0001, 0xff7f, 0x3b80, 0xffc2, 0x0000,
  0xff80, 0x8080, 0x7f7f, 0xbf80, 0x0080, 0x007f, 0x8001, 0x807f, 0x7fff,
  0xffa1, 0x7fc0, 0x3f7f, 0x3f81, 0x4000, 0xc000, 0x3f00, 0xbf00, 0x3fc0,
  0x4020, 0x3eff, 0xbf01, 0x4300, 0x4301, 0x42ff, 0x7f00, 0x7e80, 0x2000,
  0x1fff, 0x5f00, 0x0040, 0x3c00, 0x4f00, 0xcf00, 0xcf01, 0x4eff, 0x4f7f,
  0x4f80, 0x5eff, 0xdf00, 0x5f80, 0x437f, 0x4700, 0x477f, 0x4780, 0x3300,
  0x3380, 0x3880, 0x3800, 0x42b1, 0x3fc9, 0x4049, 0x0002, 0x8002,
};

/* NaNs of many kinds: one of them stands for what lies outside a tensor. */
static const uint16_t f16_outside[] = {
  0x3c00, 0x7fff, 0xffff, 0x7e00, 0xfe00, 0x7c00,
  0x7ffe, 0x7dff, 0x0000, 0x7f00, 0xc001, 0xfffe,
};

static const uint16_t bf16_outside[] = {
  0x3f80, 0x7fff, 0xffff, 0x7fc0, 0xffc0, 0x7f80,
  0x7ffe, 0x7fbf, 0x0000, 0x7fe0, 0xc001, 0xfffe,
};

/* Sign-extended to the width where that is larger. */
static const int64_t integer_edges[] = {
  1,
  0,
  -1,
  INT64_MIN,
  INT64_MAX,
  2,
  0x5555555555555555,
  31,
  -2,
  32,
  255,
  0x123456789abcdef,
  33,
  63,
  64,
  65,
  15,
  16,
  17,
  7,
  8,
  127,
  128,
  -128,
  -129,
  256,
  257,
  0x7fff,
  0x8000,
  -0x8000,
  -0x8001,
  0xffff,
  0x10000,
  0x7fffff,
  0x800000,
  0xffffff,
  0x1000000,
  0x1000001,
  0x7fffffff,
  -0x7fffffff - 1,
  /* 40 */
  -0x7fffffff,
  0x80000000,
  0xffffffff,
  0x100000000,
  3,
  -3,
  10,
  100,
  1000,
  0x1fffffff,
  0x3fffffff,
  0x40000000,
  0x1000003,
  0x7fffff80,
  0x7fffffbf,
  0x7fffffc0,
  0xffffff7f,
  0xffffff80,
  0xffffffc0,
  0x20000000000000,
  0x20000000000001,
  0x1fffffffffffff,
  0x20000000000003,
  0x40000000000002,
  0x7ffffffffffffdff,
  0x7ffffffffffffe00,
  0x7fffffbfffffffff,
  0x7fffffc000000000,
  0x7fffff4000000000,
  0x7ffffff000000000,
  2047,
  2048,
  2049,
  2051,
  4098,
  65503,
  65504,
  65519,
  65520,
  65535,
  -65504,
  -65520,
  511,
  513,
  514,
  515,
  INT64_MIN + 1,
  -0x100000000,
  0x0f0f0f0f0f0f0f0f,
  -0x5555555555555556,
  0x0123456701234567,
  1999,
  0x1010101010101010,
  0x40000000000000,
  0xdeadbeef,
  0x76543210,
};

static const uint32_t n_edges[] = {
  1,     0,     31,    32,         0xffffffff, 33,         64,         63,
  65,    8,     16,    24,         255,        256,        257,        5,
  7,     15,    17,    0x80000000, 30,         62,         100,        127,
  128,   200,   224,   2,          3,          0x10000,    48,         40,
  0x101, 0x120, 0x11f, 9,          20,         0x7fffffff, 0xffffffe0, 12,
};

#define EDGES(table) table, sizeof table / sizeof *table
#define PICK(table) return (table)[k % (sizeof(table) / sizeof *(table))]

static uint64_t edge(const struct operand_type *type, size_t k)
{
  if (is(type, "f32"))
    PICK(f32_edges);
  if (is(type, "f64"))
    PICK(f64_edges);
  if (is(type, "f16"))
    PICK(f16_edges);
  if (is(type, "bf16"))
    PICK(bf16_edges);
  if (is(type, "f16oob"))
    PICK(f16_outside);
  if (is(type, "bf16oob"))
    PICK(bf16_outside);
  if (is(type, "n"))
    PICK(n_edges);
  if (is(type, "count"))
    return (uint64_t)(int64_t)((int)(k % 40) - 20);
  if (is(type, "pred") || is(type, "cc"))
    return k & 1;
  if (is(type, "nibbles"))
    return k * 0x1111 ^ (k % 7 == 0 ? 0xf0008421 : 0x3210);
  PICK(integer_edges);
}

/* Two values of the half type in one: each meets another one. */
static uint64_t pair_edge(const char *half, size_t k)
{
  const struct operand_type *type = operand_type(half);

  return (edge(type, k) & 0xffff) | (edge(type, 3 * k + 1) & 0xffff) << 16;
}

static uint64_t edge_value(const struct operand_type *type, size_t k)
{
  if (is(type, "f16x2"))
    return pair_edge("f16", k);
  if (is(type, "bf16x2"))
    return pair_edge("bf16", k);
  if (is(type, "16x2"))
    return pair_edge("s16", k);
  if (is(type, "f16x2oob"))
    return pair_edge("f16oob", k);
  if (is(type, "bf16x2oob"))
    return pair_edge("bf16oob", k);
  return edge(type, k);
}

/* ---- hashed values ------------------------------------------------------- */

static uint64_t hash(uint64_t x)
{
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* Any bits; or near 1, so that sums cancel and round; or few bits, so that
 * results are halfway; or tiny, so that they are subnormal; or huge. */
static uint64_t hashed_float(uint64_t h, size_t k, unsigned mantissa,
                             unsigned exponent)
{
  uint64_t bias = (UINT64_C(1) << (exponent - 1)) - 1, e, m, spread;
  uint64_t sign = h >> 63;

  m = h & ((UINT64_C(1) << mantissa) - 1);
  spread = hash(h);
  switch (k % 8) {
  case 0: return h >> (63 - mantissa - exponent);
  case 1: e = bias + spread % 5 - 2; break;
  case 2: e = bias + spread % (2 * mantissa) - mantissa; break;
  case 3:
    e = bias + spread % (mantissa + 2) - mantissa / 2;
    m &= ~((UINT64_C(1) << (mantissa / 2)) - 1);
    break;
  case 4: e = spread % (mantissa + 3 < bias ? mantissa + 3 : bias); break;
  case 5: e = bias / 2 + spread % 9; break;
  case 6: e = 2 * bias - spread % 4; break;
  default:
    e = bias + spread % (mantissa + 2) - 1;
    m &= ~((UINT64_C(1) << (spread >> 32) % mantissa) - 1);
    break;
  }
  return sign << (mantissa + exponent) | e << mantissa | m;
}

static uint64_t hashed_integer(uint64_t h, size_t k)
{
  uint64_t power = UINT64_C(1) << (h >> 58);

  switch (k % 4) {
  case 0: return h;
  case 1: return (uint64_t)((int64_t)h >> (hash(h) & 63));
  case 2: return h % 512 - 256;
  default: return (h & 8 ? 0 - power : power) + h % 5 - 2;
  }
}

static uint64_t hashed_value(const struct operand_type *type, uint64_t h,
                             size_t k)
{
  uint64_t other = hash(h + 1);

  /* Sources that take the same turn meet, and all others too. */
  k = h % 3 == 0 ? k / 8 : k;
  if (is(type, "f32"))
    return hashed_float(h, k, 23, 8);
  if (is(type, "f64"))
    return hashed_float(h, k, 52, 11);
  if (is(type, "f16") || is(type, "f16oob"))
    return hashed_float(h, k, 10, 5);
  if (is(type, "bf16") || is(type, "bf16oob"))
    return hashed_float(h, k, 7, 8);
  if (is(type, "f16x2") || is(type, "f16x2oob"))
    return hashed_float(h, k, 10, 5) | hashed_float(other, k, 10, 5) << 16;
  if (is(type, "bf16x2") || is(type, "bf16x2oob"))
    return hashed_float(h, k, 7, 8) | hashed_float(other, k, 7, 8) << 16;
  if (is(type, "16x2"))
    return (hashed_integer(h, k) & 0xffff) | hashed_integer(other, k) << 16;
  if (is(type, "n"))
    return h % 7 == 0 ? other : other % 80;
  if (is(type, "count"))
    return (uint64_t)((int64_t)(other % 40) - 20);
  if (is(type, "pred") || is(type, "cc"))
    return h & 1;
  if (is(type, "nibbles"))
    return h;
  return hashed_integer(h, k);
}

size_t operand_cases(const struct operand_type *const *sources, size_t n)
{
  size_t edges = 1;

  (void)sources;
  for (size_t i = 0; i < n; i++)
    edges *= edges_of[n];
  return edges + HASHED;
}

uint64_t operand_value(const struct operand_type *const *sources, size_t n,
                       size_t k, size_t i)
{
  const struct operand_type *type = sources[i];
  size_t edges = operand_cases(sources, n) - HASHED;
  uint64_t value, at;

  if (k < edges) {
    for (size_t j = 0; j < i; j++)
      k /= edges_of[n];
    value = edge_value(type, k % edges_of[n]);
  } else {
    at = ((uint64_t)n << 40 | (uint64_t)i << 32) + (k - edges);
    value = hashed_value(type, hash(at), k - edges);
  }
  return type->bits == 64 ? value : value & ((UINT64_C(1) << type->bits) - 1);
}
