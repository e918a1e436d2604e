/* Kernels, random operands and the plain definition of wgmma's product. */
#include "product.h"

#include <math.h>
#include <string.h>

const struct kind kinds[KINDS] = {
  { F32, F16, F16 },   { F16, F16, F16 },   { F32, BF16, BF16 },
  { F32, TF32, TF32 }, { F32, E4M3, E4M3 }, { F32, E4M3, E5M2 },
  { F32, E5M2, E4M3 }, { F32, E5M2, E5M2 }, { F16, E4M3, E4M3 },
  { F16, E5M2, E4M3 }, { F16, E5M2, E5M2 }, { S32, S8, S8 },
  { S32, S8, U8 },     { S32, U8, S8 },     { S32, U8, U8 },
  { S32, B1, B1 },
};
static const char *const names[] = { "f16", "bf16", "tf32", "e4m3", "e5m2",
                                     "s8",  "u8",   "b1",   "f32",  "s32" };

unsigned type_bits(enum type type)
{
  static const unsigned bits[] = { 16, 16, 32, 8, 8, 8, 8, 1, 32, 32 };

  return bits[type];
}

unsigned depth_of(const struct kernel *kernel)
{
  return 256 / type_bits(kernel->kind.a);
}

unsigned registers_of(const struct kernel *kernel)
{
  return kernel->n / (kernel->kind.d == F16 ? 4 : 2);
}

/* ---- kernels ------------------------------------------------------------- */

void kernel_name(const struct kernel *k, char name[64])
{
  snprintf(name, 64, "n%u_%s_%s_%s_%s%s%s%s%s%s", k->n, names[k->kind.d],
           names[k->kind.a], names[k->kind.b], k->a_is_shared ? "s" : "r",
           k->a_turned ? "_ta" : "", k->b_turned ? "_tb" : "",
           k->a_negated ? "_na" : "", k->b_negated ? "_nb" : "",
           k->saturates ? "_sat" : "");
}

static void write_product(FILE *ptx, const struct kernel *k)
{
  unsigned n = registers_of(k);

  fprintf(ptx, "  wgmma.mma_async.sync.aligned.m64n%uk%u%s.%s.%s.%s%s {", k->n,
          depth_of(k), k->saturates ? ".satfinite" : "", names[k->kind.d],
          names[k->kind.a], names[k->kind.b],
          k->kind.a == B1 ? ".and.popc" : "");
  for (unsigned i = 0; i < n; i++)
    fprintf(ptx, "%s%%d%u", i == 0 ? "" : ", ", i);
  fprintf(ptx, k->a_is_shared ? "}, %%a, %%b, %%p"
                              : "}, {%%r0, %%r1, %%r2, %%r3}, %%b, %%p");
  if (k->kind.d != S32)
    fprintf(ptx, ", %d, %d", k->a_negated ? -1 : 1, k->b_negated ? -1 : 1);
  if (type_bits(k->kind.a) == 16 && k->a_is_shared)
    fprintf(ptx, ", %d", k->a_turned);
  if (type_bits(k->kind.a) == 16)
    fprintf(ptx, ", %d", k->b_turned);
  fprintf(ptx, ";\n");
}

/* Copies the image to shared memory, loads C and the registers of A, multiplies
 * and stores D. Descriptors count from the image's first byte. */
void kernel_write(FILE *ptx, const struct kernel *k)
{
  unsigned n = registers_of(k);
  char name[64];

  kernel_name(k, name);
  fprintf(ptx,
          "\n.visible .entry %s(.param .u64 image, .param .u64 a,"
          " .param .u64 b,\n  .param .u32 keeps, .param .u64 registers,"
          " .param .u64 d)\n{\n"
          "  .reg .pred %%p, %%q;\n  .reg .b32 %%r<8>, %%d<%u>;\n"
          "  .reg .b64 %%a, %%b, %%x<8>;\n"
          "  mov.u32 %%r4, %%tid.x;\n"
          "  ld.param.u64 %%x0, [image];\n"
          "  mov.u32 %%r5, shared;\n"
          "  mad.wide.u32 %%x1, %%r4, 4, %%x0;\n"
          "  mad.lo.u32 %%r6, %%r4, 4, %%r5;\n"
          "  add.u32 %%r7, %%r6, %u;\n"
          "copy:\n"
          "  ld.global.u32 %%r0, [%%x1];\n"
          "  st.shared.u32 [%%r6], %%r0;\n"
          "  add.u64 %%x1, %%x1, %u;\n"
          "  add.u32 %%r6, %%r6, %u;\n"
          "  setp.lt.u32 %%q, %%r6, %%r7;\n"
          "  @%%q bra copy;\n"
          "  fence.proxy.async;\n"
          "  bar.sync 0;\n"
          "  shr.u32 %%r5, %%r5, 4;\n"
          "  cvt.u64.u32 %%x2, %%r5;\n"
          "  ld.param.u64 %%a, [a];\n  add.u64 %%a, %%a, %%x2;\n"
          "  ld.param.u64 %%b, [b];\n  add.u64 %%b, %%b, %%x2;\n"
          "  ld.param.u32 %%r6, [keeps];\n  setp.ne.u32 %%p, %%r6, 0;\n"
          "  ld.param.u64 %%x3, [registers];\n"
          "  mad.wide.u32 %%x3, %%r4, 16, %%x3;\n"
          "  ld.global.v4.u32 {%%r0, %%r1, %%r2, %%r3}, [%%x3];\n"
          "  ld.param.u64 %%x4, [d];\n"
          "  mad.wide.u32 %%x4, %%r4, %u, %%x4;\n",
          name, n, IMAGE_BYTES, 4 * THREADS, 4 * THREADS, 2 * COLUMNS);
  for (unsigned i = 0; i < n; i++)
    fprintf(ptx, "  ld.global.u32 %%d%u, [%%x4+%u];\n", i, 4 * i);
  fprintf(ptx, "  wgmma.fence.sync.aligned;\n");
  write_product(ptx, k);
  fprintf(ptx, "  wgmma.commit_group.sync.aligned;\n"
               "  wgmma.wait_group.sync.aligned 0;\n");
  for (unsigned i = 0; i < n; i++)
    fprintf(ptx, "  st.global.u32 [%%x4+%u], %%d%u;\n", 4 * i, i);
  fprintf(ptx, "  ret;\n}\n");
}

/* ---- numbers ------------------------------------------------------------- */

static double small_float(uint32_t bits, unsigned exponent_bits,
                          unsigned fraction_bits, bool infinite)
{
  uint32_t sign = bits >> (exponent_bits + fraction_bits) & 1;
  uint32_t exponent = bits >> fraction_bits & ((1u << exponent_bits) - 1);
  uint32_t fraction = bits & ((1u << fraction_bits) - 1);
  int bias = (1 << (exponent_bits - 1)) - 1;
  double value;

  if (infinite && exponent == (1u << exponent_bits) - 1)
    value = fraction == 0 ? (double)INFINITY : (double)NAN;
  else if (!infinite && (bits & 0x7f) == 0x7f)
    value = (double)NAN;
  else if (exponent == 0)
    value = ldexp(fraction, 1 - bias - (int)fraction_bits);
  else
    value = ldexp(fraction + (1u << fraction_bits),
                  (int)exponent - bias - (int)fraction_bits);
  return sign ? -value : value;
}

double value_of(enum type type, uint32_t bits)
{
  switch (type) {
  case F16: return small_float(bits & 0xffff, 5, 10, true);
  case BF16: return small_float(bits & 0xffff, 8, 7, true);
  case TF32: return small_float(bits >> 13, 8, 10, true);
  case F32: return small_float(bits, 8, 23, true);
  case E4M3: return small_float(bits & 0xff, 4, 3, false);
  case E5M2: return small_float(bits & 0xff, 5, 2, true);
  case S8: return (int8_t)(uint8_t)bits;
  case U8: return (uint8_t)bits;
  default: return (int32_t)bits;
  }
}

static uint64_t random_state;

static uint32_t random_bits(void)
{
  uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);

  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)((z ^ z >> 31) >> 16);
}

static uint32_t random_below(uint32_t n) { return random_bits() % n; }

static uint32_t pack_float(unsigned exponent_bits, unsigned fraction_bits,
                           unsigned around, unsigned spread, unsigned flavour)
{
  uint32_t fraction = random_bits() & ((1u << fraction_bits) - 1);
  uint32_t most = (1u << exponent_bits) - 1;
  uint32_t exponent = around + random_below(2 * spread + 1) - spread;
  uint32_t sign = random_bits() & 1;

  if (flavour == 3 && random_below(4) == 0)
    exponent = 0; /* subnormal numbers and zeros */
  if (flavour == 4 && random_below(64) == 0)
    exponent = most; /* infinity, not a number */
  if (flavour == 4 && random_below(16) == 0)
    fraction = 0;
  if (flavour == 5 && random_below(2) == 0)
    fraction = random_below(2) == 0 ? 0 : (1u << fraction_bits) - 1;
  return sign << (exponent_bits + fraction_bits) | exponent << fraction_bits |
         fraction;
}

/* Flavour 0: exponents close together; 1: a wide range of them; 2: any bits
 * but the largest exponent; 3: with subnormal numbers; 4: with infinities; 5:
 * ones and nines, so that sums cancel or carry far; 6: a wide range and as many
 * zeros; 7: nearly all are zeros. */
static uint32_t random_element(enum type type, unsigned flavour)
{
  static const unsigned exponent_bits[] = { 5, 8, 8, 4, 5, 0, 0, 0, 8, 0 };
  static const unsigned fraction_bits[] = { 10, 7, 23, 3, 2, 0, 0, 0, 23, 0 };
  unsigned e = exponent_bits[type], f = fraction_bits[type];
  unsigned spread = flavour == 1 || flavour > 5 ? (1u << (e - 1)) - 2 : 2;

  if (e == 0)
    return type == S32 && flavour == 4 ? random_bits() | 0x7ff00000
                                       : random_bits() >> (type == S32) * 8;
  if (spread > 20)
    spread = 20;
  if ((flavour == 6 && random_below(2) == 0) ||
      (flavour == 7 && random_below(8) != 0))
    return random_bits() >> 31 << (e + f);
  if (flavour == 2)
    return pack_float(e, f, 1u << (e - 1), (1u << (e - 1)) - 1, 0);
  return pack_float(e, f, (1u << (e - 1)) - 1, spread, flavour);
}

static uint32_t random_word(enum type type, unsigned flavour)
{
  unsigned bits = type_bits(type);
  uint32_t word = 0;

  if (bits == 1)
    return random_bits();
  for (unsigned i = 0; i < 32; i += bits)
    word |= (random_element(type, flavour) &
             (bits == 32 ? UINT32_MAX : (1u << bits) - 1))
            << i;
  return word;
}

/* ---- places -------------------------------------------------------------- */

uint64_t descriptor_of(const struct place *p)
{
  uint64_t mode = p->swizzle == 0     ? 0
                  : p->swizzle == 128 ? 1
                  : p->swizzle == 64  ? 2
                                      : 3;

  return p->start / 16 | (uint64_t)(p->leading / 16) << 16 |
         (uint64_t)(p->stride / 16) << 32 | (uint64_t)p->base << 49 |
         mode << 62;
}

/* The canonical layouts of the reference's table, as shapes and strides: the
 * coordinates of an element, in the order of the table, by their strides. */
uint32_t plain_address(const struct place *p, bool turned, unsigned bytes,
                       unsigned line, unsigned at)
{
  unsigned each = 16 / bytes; /* T */
  unsigned wide = p->swizzle == 0 ? 1 : p->swizzle / 16;
  uint32_t offset, address, row, column;

  if (turned && p->swizzle == 0)
    /* ((T,1,m),(8,k)):((1,T,SBO),(1T,LBO)) */
    offset = line % each * bytes + line / each * p->stride + at % 8 * 16 +
             at / 8 * p->leading;
  else if (turned)
    /* ((T,w,m),(8,k)):((1,T,LBO),(wT,SBO)) */
    offset = line % each * bytes + line / each % wide * 16 +
             line / (each * wide) * p->leading + at % 8 * wide * 16 +
             at / 8 * p->stride;
  else
    /* ((8,m),(T,2)):((wT,SBO),(1,T)), and LBO for the last T without
     * swizzling */
    offset = line % 8 * wide * 16 + line / 8 * p->stride + at % each * bytes +
             at / each * (p->swizzle == 0 ? p->leading : 16);
  address = p->start + offset;
  /* Swizzle<B,4,3>: rows of 128 bytes exchange their columns of 16. */
  row = address / 128 + 8 - p->base;
  column = address / 16 % 8;
  column ^= row % wide;
  return address / 128 * 128 + column * 16 + address % 16;
}

static uint32_t random_bytes(uint32_t most)
{
  return random_below(most / 16) * 16;
}

/* Any place of which all elements are in the image. */
static void choose_place(struct place *p, bool turned, unsigned bytes,
                         unsigned lines, unsigned depth)
{
  static const unsigned widths[] = { 0, 32, 64, 128 };
  unsigned words = bytes == 0 ? depth / 32 : depth;

  bytes = bytes == 0 ? 4 : bytes;
  for (;;) {
    bool fits = true;

    p->swizzle = widths[random_below(4)];
    p->start =
        random_below(2) == 0 ? random_below(8) * 1024 : random_bytes(16 << 10);
    p->stride = random_below(2) == 0 ? 1024 : random_bytes(4096);
    p->leading = random_below(2) == 0 ? 128 : random_bytes(4096);
    p->base = 0;
    for (unsigned line = 0; line < lines && fits; line++)
      for (unsigned at = 0; at < words && fits; at++)
        fits = plain_address(p, turned, bytes, line, at) + bytes <= IMAGE_BYTES;
    if (fits)
      return;
  }
}

void product_choose(struct product *p, uint64_t seed, unsigned flavour)
{
  const struct kernel *k = &p->kernel;
  unsigned bytes = type_bits(k->kind.a) / 8;

  random_state = seed * UINT64_C(0x2545f4914f6cdd1d) + flavour;
  for (size_t i = 0; i < IMAGE_BYTES / 4; i++)
    p->image[i] = random_word(i & 64 ? k->kind.a : k->kind.b, flavour);
  for (size_t i = 0; i < 4 * THREADS; i++)
    p->registers[i] = random_word(k->kind.a, flavour);
  for (size_t i = 0; i < THREADS * COLUMNS / 2; i++)
    p->c[i] = random_word(k->kind.d, flavour);
  p->keeps = random_below(8) != 0;
  choose_place(&p->a, k->a_turned, bytes, ROWS, depth_of(k));
  choose_place(&p->b, k->b_turned, bytes, k->n, depth_of(k));
}

/* ---- the plain definition ------------------------------------------------ */

uint32_t sum_bits(const struct kernel *k, const uint32_t *registers,
                  unsigned row, unsigned column)
{
  unsigned thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
  unsigned element = column / 8 * 4 + row / 8 % 2 * 2 + column % 2;
  const uint32_t *own = &registers[thread * (COLUMNS / 2)];

  return k->kind.d == F16 ? own[element / 2] >> element % 2 * 16 & 0xffff
                          : own[element];
}

static uint32_t image_bits(const struct product *p, uint32_t address,
                           unsigned bytes)
{
  uint32_t bits = 0;

  memcpy(&bits, (const uint8_t *)p->image + address, bytes);
  return bits;
}

static uint32_t a_register(const struct product *p, unsigned row, unsigned at)
{
  unsigned bits = type_bits(p->kernel.kind.a);
  unsigned each = bits == 1 ? 1 : 32 / bits; /* elements; of bits: words */
  unsigned thread = row / 16 * 32 + row % 8 * 4 + at / each % 4;
  unsigned index = row / 8 % 2 + at / each / 4 * 2;
  uint32_t word = p->registers[thread * 4 + index];

  return bits >= 32 || bits == 1
             ? word
             : word >> at % each * bits & ((1u << bits) - 1);
}

struct plain plain_product(const struct product *p, unsigned row,
                           unsigned column)
{
  const struct kernel *k = &p->kernel;
  bool is_bits = k->kind.a == B1;
  unsigned bytes = is_bits ? 4 : type_bits(k->kind.a) / 8;
  unsigned depth = is_bits ? 8 : depth_of(k);
  uint32_t c = sum_bits(k, p->c, row, column);
  double start = p->keeps ? value_of(k->kind.d, c) : 0;
  struct plain sum = { start, fabs(start), fabs(start), (int64_t)start };

  for (unsigned at = 0; at < depth; at++) {
    uint32_t a =
        k->a_is_shared
            ? image_bits(p, plain_address(&p->a, k->a_turned, bytes, row, at),
                         bytes)
            : a_register(p, row, at);
    uint32_t b = image_bits(
        p, plain_address(&p->b, k->b_turned, bytes, column, at), bytes);
    double term;

    if (is_bits) {
      sum.whole += __builtin_popcount(a & b);
      continue;
    }
    term = value_of(k->kind.a, a) * value_of(k->kind.b, b);
    if (k->a_negated != k->b_negated)
      term = -term;
    sum.value += term;
    sum.magnitude += fabs(term);
    if (fabs(term) > sum.largest)
      sum.largest = fabs(term);
    sum.whole += k->kind.d == S32 ? (int64_t)term : 0;
  }
  return sum;
}
