/* Products of matrices on tensor cores: all rows of A by all columns of B. */
#include <string.h>

#include "../multiplication.h"
#include "half.h"
#include "lanes.h"

static void widen(enum matrix_type type, u32 *raw, unsigned n)
{
  static const struct eight formats[] = { { 3, 7, false }, { 2, 15, true } };
  f32 table[256];

  switch (type) {
  case MATRIX_F16:
    for (unsigned i = 0; i < n; i++)
      raw[i] = bits_f32(f32_from_half((u16)raw[i]));
    break;
  case MATRIX_BF16:
    for (unsigned i = 0; i < n; i++)
      raw[i] <<= 16;
    break;
  case MATRIX_TF32:
    for (unsigned i = 0; i < n; i++)
      raw[i] &= 0xffffe000;
    break;
  case MATRIX_E4M3:
  case MATRIX_E5M2:
    for (u32 i = 0; i < 256; i++)
      table[i] = (f32)f64_from_eight(i, formats[type == MATRIX_E5M2]);
    for (unsigned i = 0; i < n; i++)
      raw[i] = bits_f32(table[raw[i]]);
    break;
  case MATRIX_S8:
    for (unsigned i = 0; i < n; i++)
      raw[i] = (u32)(s32)(s8)raw[i];
    break;
  default: break;
  }
}

static void negate(u32 *values, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    values[i] ^= UINT32_C(0x80000000);
}

/* ---- real numbers -------------------------------------------------------- */

/* How an H200 adds: products and the old sum become fixed-point numbers, whose
 * last bit is so many bits below the largest exponent among them; lower
 * bits are dropped. A product's exponent is that of its factors, added, and
 * subnormal numbers have the exponent of the smallest normal one; zeros have
 * none. */
enum {
  FRACTION = 25,
  FRACTION_OF_EIGHT = 13,
  NO_EXPONENT = -1000,
  LEAST_EXPONENT = -2 * 127
};

/* Columns that are added at once: as many as the widest vectors hold. Rows of B
 * are filled up with zeros to a multiple of it. */
enum { TILE = 16 };

struct factors {
  unsigned stride; /* from one row to the next */
  bool finite;     /* others count as 0 */
  s32 most;        /* exponent */
  _Alignas(
      LANE_ALIGNMENT) f32 value[MULTIPLICATION_DEPTH * MULTIPLICATION_COLUMNS];
  _Alignas(LANE_ALIGNMENT)
      s16 exponent[MULTIPLICATION_DEPTH * MULTIPLICATION_COLUMNS];
};

static s32 least_exponent(enum matrix_type type)
{
  switch (type) {
  case MATRIX_F16:
  case MATRIX_E5M2: return -14;
  case MATRIX_E4M3: return -6;
  default: return -126;
  }
}

static s32 exponent_of(f32 value, s32 least)
{
  s32 exponent = (s32)(bits_f32(value) >> 23 & 0xff) - 127;

  exponent = exponent < least ? least : exponent;
  return value == 0 ? NO_EXPONENT : exponent;
}

static void take_row(const u32 *bits, unsigned n, s32 least, f32 *value,
                     s16 *exponent, u32 *special, s32 *most)
{
  u32 some_special = 0;
  s32 largest = *most;

  for (unsigned i = 0; i < n; i++) {
    u32 is_special = (bits[i] & 0x7f800000) == 0x7f800000;
    f32 v = f32_bits(is_special ? 0 : bits[i]);
    s32 e = exponent_of(v, least);

    some_special |= is_special;
    largest = e > largest ? e : largest;
    value[i] = v;
    exponent[i] = (s16)e;
  }
  *special |= some_special;
  *most = largest;
}

static void take_factors(const u32 *bits, unsigned rows, unsigned columns,
                         unsigned stride, enum matrix_type type,
                         struct factors *to)
{
  s32 least = least_exponent(type);
  u32 special = 0;

  to->stride = stride;
  to->most = NO_EXPONENT;
  for (unsigned row = 0; row < rows; row++) {
    take_row(&bits[row * columns], columns, least, &to->value[row * stride],
             &to->exponent[row * stride], &special, &to->most);
    for (unsigned i = columns; i < stride; i++) {
      to->value[row * stride + i] = 0;
      to->exponent[row * stride + i] = NO_EXPONENT;
    }
  }
  to->finite = !special;
}

static f64 power_of_2(s32 exponent)
{
  return f64_bits((u64)(1023 + exponent) << 52);
}

/* To single precision, without `drop`, its last bits: low bits are dropped,
 * but what is too large becomes infinity. */
static f64 toward_zero(f64 value, u32 drop)
{
  f32 rounded = (f32)value;
  f64 size = fabs(value);
  u32 bits = bits_f32(rounded);

  bits -= size < 0x1p128 && fabs((f64)rounded) > size;
  return (f64)f32_bits(bits & ~drop);
}

/* What is to be added in one step to the sums of one row. */
struct addends {
  const f32 *a;
  const s16 *exponent; /* of a */
  const struct factors *b;
  unsigned k, depth; /* rows of b: the first, and how many */
  int fraction;
};

/* To the format that sums have. */
static void round_sums(const struct multiplication *p, int fraction, f64 *sums,
                       unsigned n)
{
  /* Sums of 8-bit numbers have as many bits in the end as on the way. */
  u32 drop = fraction < 23 ? (UINT32_C(1) << (23 - fraction)) - 1 : 0;

  if (p->d_type == MATRIX_F32)
    for (unsigned i = 0; i < n; i++)
      sums[i] = toward_zero(sums[i], drop);
  else if (p->at_once < p->k)
    for (unsigned i = 0; i < n; i++)
      sums[i] = round_to_format(sums[i], 10, -14, 15, 0);
}

/* `depth` products for each of n sums, from a column on: the definition. */
static void add_products(const struct multiplication *p,
                         const struct addends *x, unsigned column, unsigned n,
                         f64 *sums)
{
  s32 least = p->d_type == MATRIX_F16 ? -14 : -126;

  for (unsigned at = 0; at < n; at++) {
    const f32 *b = &x->b->value[x->k * x->b->stride + column + at];
    const s16 *exponent = &x->b->exponent[x->k * x->b->stride + column + at];
    s32 most = exponent_of((f32)sums[at], least); /* of what is not zero */
    f64 scale, total;

    for (unsigned i = 0; i < x->depth; i++) {
      s32 sum = x->exponent[i] + exponent[i * x->b->stride];

      most = sum > most ? sum : most;
    }
    most = most < LEAST_EXPONENT ? LEAST_EXPONENT : most;
    scale = power_of_2(x->fraction - most);
    total = (f64)(s32)(sums[at] * scale);
    for (unsigned i = 0; i < x->depth; i++)
      total += (f64)(s32)((f64)x->a[i] * (f64)b[i * x->b->stride] * scale);
    sums[at] = (total + 0.0) * power_of_2(most - x->fraction); /* no -0 */
  }
  round_sums(p, x->fraction, sums, n);
}

/* So many products, each below 2^27, fit into 32 bits together. */
enum { GROUP = 8 };

/* One of each for TILE columns. Sums stay in registers from row to row: GCC
 * would not keep an array there. */
typedef f32 f32_tile __attribute__((vector_size(4 * TILE)));
typedef s32 s32_tile __attribute__((vector_size(4 * TILE)));
typedef s16 s16_tile __attribute__((vector_size(2 * TILE)));

/* Without the pragma GCC takes a loop of 16 rounds apart before it looks for
 * vectors. */
#define EACH_COLUMN _Pragma("GCC unroll 1") for (unsigned n = 0; n < TILE; n++)

/* `exponent` and `from` are the tile's in the first of the rows. */
static void find_most(const struct addends *x, const s16 *exponent,
                      s16_tile *to)
{
  s16_tile most = *to;

  for (unsigned i = 0; i < x->depth; i++) {
    s16_tile b = *(const s16_tile *)&exponent[i * x->b->stride];
    s16_tile sum = b + x->exponent[i], greater = sum > most;

    most = (sum & greater) | (most & ~greater);
  }
  *to = most;
}

static void add_group(const struct addends *x, const f32 *from, unsigned i,
                      const f32_tile *scale, s32_tile *to)
{
  unsigned end = i + GROUP < x->depth ? i + GROUP : x->depth;
  s32_tile sum = { 0 };

  for (; i < end; i++) {
    f32_tile b = *(const f32_tile *)&from[i * x->b->stride];

    sum += __builtin_convertvector(b * x->a[i] * *scale, s32_tile);
  }
  *to = sum;
}

/* Products of factors whose exponents add up to no more are finite in single
 * precision. */
enum { MOST_PRODUCT = 125 };

/* Where the largest addend is at least 2^LEAST_MOST, products that single
 * precision can't hold exactly are so small that they are dropped, and the
 * scale is a number of single precision. Sums of zeros are 0 by any scale. */
enum { LEAST_MOST = -100, ZEROS = NO_EXPONENT / 2 };

static bool has_scales(const s16_tile *most)
{
  s16_tile too_small = (*most < LEAST_MOST) & (*most > ZEROS);
  s16 some = 0;

  for (unsigned n = 0; n < TILE; n++)
    some |= too_small[n];
  return !some;
}

/* The same for TILE sums, in single precision. */
static void add_tile(const struct multiplication *p, const struct addends *x,
                     unsigned column, f64 *sums)
{
  const f32 *from = &x->b->value[x->k * x->b->stride + column];
  const s16 *exponent = &x->b->exponent[x->k * x->b->stride + column];
  s32 least = p->d_type == MATRIX_F16 ? -14 : -126;
  s16_tile most;
  f32_tile scale;

  EACH_COLUMN most[n] = (s16)exponent_of((f32)sums[n], least);
  find_most(x, exponent, &most);
  if (!has_scales(&most)) {
    add_products(p, x, column, TILE, sums);
    return;
  }
  EACH_COLUMN
  {
    s32 to = most[n] < LEAST_EXPONENT ? LEAST_EXPONENT : most[n];
    s32 shift = x->fraction - to;

    most[n] = (s16)shift;
    scale[n] = f32_bits((u32)(127 + (shift < 127 ? shift : 127)) << 23);
    sums[n] = (f64)(s32)(sums[n] * power_of_2(shift));
  }
  for (unsigned i = 0; i < x->depth; i += GROUP) {
    s32_tile sum;

    add_group(x, from, i, &scale, &sum);
    EACH_COLUMN sums[n] += (f64)sum[n];
  }
  EACH_COLUMN sums[n] = (sums[n] + 0.0) * power_of_2(-most[n]);
  round_sums(p, x->fraction, sums, TILE);
}

static void add_tiles(const struct multiplication *p, const struct addends *x,
                      f64 *sums)
{
  f64 tile[TILE] = { 0 };
  unsigned whole = p->n / TILE * TILE, rest = p->n - whole;

  for (unsigned column = 0; column < whole; column += TILE)
    add_tile(p, x, column, &sums[column]);
  if (rest == 0)
    return;
  memcpy(tile, &sums[whole], rest * sizeof *tile);
  add_tile(p, x, whole, tile);
  memcpy(&sums[whole], tile, rest * sizeof *tile);
}

/* Infinities and NaNs follow the rules for sums of them. */
static f64 special_sum(const struct multiplication *p, unsigned m, unsigned n,
                       unsigned k, unsigned depth, f64 sum)
{
  for (unsigned i = k; i < k + depth; i++)
    sum +=
        (f64)f32_bits(p->a[m * p->k + i]) * (f64)f32_bits(p->b[i * p->n + n]);
  return sum;
}

static bool all_finite(const f64 *sums, unsigned n)
{
  u32 some = 0;

  for (unsigned i = 0; i < n; i++)
    some |= !(fabs(sums[i]) < (f64)INFINITY);
  return !some;
}

/* One step of row `m`, with infinities or NaNs. */
static void multiply_special(struct multiplication *p, const struct addends *x,
                             unsigned m)
{
  f64 *sums = &p->sums.real[m * p->n], special[MULTIPLICATION_COLUMNS];

  for (unsigned n = 0; n < p->n; n++) {
    special[n] = special_sum(p, m, n, x->k, x->depth, sums[n]);
    sums[n] = isfinite(sums[n]) ? sums[n] : 0;
  }
  add_products(p, x, 0, p->n, sums);
  for (unsigned n = 0; n < p->n; n++)
    if (!isfinite(special[n]))
      sums[n] = special[n];
}

static void multiply_row(struct multiplication *p, const struct factors *a,
                         const struct factors *b, unsigned m, unsigned k,
                         int fraction)
{
  f64 *sums = &p->sums.real[m * p->n];
  struct addends x = { .a = &a->value[m * p->k + k],
                       .exponent = &a->exponent[m * p->k + k],
                       .b = b,
                       .k = k,
                       .depth = p->at_once,
                       .fraction = fraction };

  if (!a->finite || !b->finite || !all_finite(sums, p->n))
    multiply_special(p, &x, m);
  else if (a->most + b->most > MOST_PRODUCT)
    add_products(p, &x, 0, p->n, sums);
  else
    add_tiles(p, &x, sums);
}

static void multiply_real(struct multiplication *p)
{
  int fraction = p->a_type == MATRIX_E4M3 || p->a_type == MATRIX_E5M2
                     ? FRACTION_OF_EIGHT
                     : FRACTION;
  struct factors a, b;

  take_factors(p->a, p->rows, p->k, p->k, p->a_type, &a);
  take_factors(p->b, p->k, p->n, (p->n + TILE - 1) / TILE * TILE, p->b_type,
               &b);
  for (unsigned m = 0; m < p->rows; m++)
    for (unsigned k = 0; k < p->k; k += p->at_once)
      multiply_row(p, &a, &b, m, k, fraction);
}

/* ---- whole numbers ------------------------------------------------------- */

/* Partial sums are small: 32 products of 8-bit numbers, or 256 bits. */
static void multiply_whole(struct multiplication *p)
{
  for (unsigned m = 0; m < p->rows; m++) {
    s32 partial[MULTIPLICATION_COLUMNS] = { 0 };

    for (unsigned k = 0; k < p->k; k++) {
      u32 a = p->a[m * p->k + k];
      const u32 *b = &p->b[k * p->n];

      if (p->a_type == MATRIX_B1)
        for (unsigned n = 0; n < p->n; n++)
          partial[n] += __builtin_popcount(a & b[n]);
      else
        for (unsigned n = 0; n < p->n; n++)
          partial[n] += (s32)a * (s32)b[n];
    }
    for (unsigned n = 0; n < p->n; n++)
      p->sums.whole[m * p->n + n] += partial[n];
  }
}

static void multiply(struct multiplication *p)
{
  widen(p->a_type, p->a, p->rows * p->k);
  widen(p->b_type, p->b, p->k * p->n);
  if (p->negate)
    negate(p->a, p->rows * p->k);
  if (p->a_type >= MATRIX_S8)
    multiply_whole(p);
  else
    multiply_real(p);
}

void LANES_LOCAL(lanes_products)(struct lane_handlers *handlers)
{
  handlers->multiply = multiply;
}
