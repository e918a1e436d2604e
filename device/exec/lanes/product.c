/* Products of matrices on tensor cores: all rows of A by all columns of B. */
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

struct factors {
  f64 value[MULTIPLICATION_DEPTH * MULTIPLICATION_COLUMNS];
  s32 exponent[MULTIPLICATION_DEPTH * MULTIPLICATION_COLUMNS];
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

/* Returns whether all of them are finite; others count as 0. */
static bool take_factors(const u32 *bits, unsigned n, enum matrix_type type,
                         struct factors *to)
{
  s32 least = least_exponent(type);
  bool finite = true;

  for (unsigned i = 0; i < n; i++) {
    bool special = (bits[i] & 0x7f800000) == 0x7f800000;

    finite &= !special;
    to->value[i] = special ? 0 : (f64)f32_bits(bits[i]);
    to->exponent[i] = exponent_of(f32_bits(bits[i]), least);
  }
  return finite;
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

/* `depth` products for each of the n sums, from row `k` of B on. */
static void add_products(const struct multiplication *p, const f64 *a,
                         const s32 *exponent, const struct factors *b,
                         unsigned k, unsigned depth, int fraction, f64 *sums)
{
  s32 most[MULTIPLICATION_COLUMNS]; /* of what is not zero */
  f64 scale[MULTIPLICATION_COLUMNS], total[MULTIPLICATION_COLUMNS];
  s32 least = p->d_type == MATRIX_F16 ? -14 : -126;
  /* Sums of 8-bit numbers have as many bits in the end as on the way. */
  u32 drop = fraction < 23 ? (UINT32_C(1) << (23 - fraction)) - 1 : 0;

  for (unsigned n = 0; n < p->n; n++)
    most[n] = exponent_of((f32)sums[n], least);
  for (unsigned i = k; i < k + depth; i++)
    for (unsigned n = 0; n < p->n; n++) {
      s32 sum = exponent[i] + b->exponent[i * p->n + n];

      most[n] = sum > most[n] ? sum : most[n];
    }
  for (unsigned n = 0; n < p->n; n++) {
    most[n] = most[n] < LEAST_EXPONENT ? LEAST_EXPONENT : most[n];
    scale[n] = power_of_2(fraction - most[n]);
    total[n] = (f64)(s32)(sums[n] * scale[n]);
  }
  for (unsigned i = k; i < k + depth; i++)
    for (unsigned n = 0; n < p->n; n++)
      total[n] += (f64)(s32)(a[i] * b->value[i * p->n + n] * scale[n]);
  for (unsigned n = 0; n < p->n; n++)
    sums[n] = (total[n] + 0.0) * power_of_2(most[n] - fraction); /* no -0 */
  if (p->d_type == MATRIX_F32)
    for (unsigned n = 0; n < p->n; n++)
      sums[n] = toward_zero(sums[n], drop);
  else if (p->at_once < p->k)
    for (unsigned n = 0; n < p->n; n++)
      sums[n] = round_to_format(sums[n], 10, -14, 15, 0);
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

/* One step of row `m`. */
static void multiply_row(struct multiplication *p, const struct factors *a,
                         const struct factors *b, bool finite, unsigned m,
                         unsigned k, int fraction)
{
  f64 *sums = &p->sums.real[m * p->n], special[MULTIPLICATION_COLUMNS];

  for (unsigned n = 0; n < p->n; n++) {
    special[n] = finite && isfinite(sums[n])
                     ? 0
                     : special_sum(p, m, n, k, p->at_once, sums[n]);
    sums[n] = isfinite(sums[n]) ? sums[n] : 0;
  }
  add_products(p, &a->value[m * p->k], &a->exponent[m * p->k], b, k, p->at_once,
               fraction, sums);
  for (unsigned n = 0; n < p->n; n++)
    if (!isfinite(special[n]))
      sums[n] = special[n];
}

static void multiply_real(struct multiplication *p)
{
  int fraction = p->a_type == MATRIX_E4M3 || p->a_type == MATRIX_E5M2
                     ? FRACTION_OF_EIGHT
                     : FRACTION;
  struct factors a, b;
  bool finite = take_factors(p->a, p->rows * p->k, p->a_type, &a);

  finite &= take_factors(p->b, p->k * p->n, p->b_type, &b);
  for (unsigned m = 0; m < p->rows; m++)
    for (unsigned k = 0; k < p->k; k += p->at_once)
      multiply_row(p, &a, &b, finite, m, k, fraction);
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
