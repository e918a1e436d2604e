/* Products of matrices on tensor cores: all rows of A by all columns of B. */
#include <string.h>
#if defined __AVX2__
#include <immintrin.h>
#endif

#include "../multiplication.h"
#include "half.h"
#include "lanes.h"

static void widen(enum matrix_type type, u32 *raw, unsigned n)
{
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
    for (unsigned i = 0; i < n; i++)
      raw[i] = bits_f32(f32_from_half(half_from_e4m3(raw[i])));
    break;
  case MATRIX_E5M2:
    for (unsigned i = 0; i < n; i++)
      raw[i] = bits_f32(f32_from_half(half_from_e5m2(raw[i])));
    break;
  case MATRIX_S8:
    for (unsigned i = 0; i < n; i++)
      raw[i] = (u32)(s32)(s8)raw[i];
    break;
  case MATRIX_S4:
    for (unsigned i = 0; i < n; i++)
      raw[i] = (raw[i] ^ 8) - 8;
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
                     s16 *exponent, u32 *special)
{
  u32 some_special = 0;

  for (unsigned i = 0; i < n; i++) {
    u32 is_special = (bits[i] & 0x7f800000) == 0x7f800000;
    f32 v = f32_bits(is_special ? 0 : bits[i]);
    s32 e = exponent_of(v, least);

    some_special |= is_special;
    value[i] = v;
    exponent[i] = (s16)e;
  }
  *special |= some_special;
}

static void take_factors(const u32 *bits, unsigned rows, unsigned columns,
                         unsigned stride, enum matrix_type type,
                         struct factors *to)
{
  s32 least = least_exponent(type);
  u32 special = 0;

  to->stride = stride;
  for (unsigned row = 0; row < rows; row++) {
    take_row(&bits[row * columns], columns, least, &to->value[row * stride],
             &to->exponent[row * stride], &special);
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

/* What is to be added in one step to the sums of one row, or of two: products
 * of eight columns fill half a tile, the next row the other, whose factors are
 * `a_step` further on. */
struct addends {
  const f32 *a;
  const s16 *exponent; /* of a */
  const struct factors *b;
  unsigned k, depth; /* rows of b: the first, and how many */
  int fraction;
  unsigned a_step;
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

/* One of each for TILE columns, and for half of them. Sums stay in registers
 * from row to row: GCC would not keep an array there. */
typedef f32 f32_tile __attribute__((vector_size(4 * TILE)));
typedef s32 s32_tile __attribute__((vector_size(4 * TILE)));
typedef s16 s16_tile __attribute__((vector_size(2 * TILE)));
enum { HALF = TILE / 2 };
typedef f64 f64_half __attribute__((vector_size(8 * HALF)));
typedef s64 s64_half __attribute__((vector_size(8 * HALF)));
typedef s32 s32_half __attribute__((vector_size(4 * HALF)));
typedef s16 s16_half __attribute__((vector_size(2 * HALF)));

/* The factor of A that belongs to each column. */
#define EIGHT_TIMES(x) x, x, x, x, x, x, x, x
#define OF_A(x, from, i, type)                                                 \
  (pair ? (type){ EIGHT_TIMES((from)[i]),                                      \
                  EIGHT_TIMES((from)[(i) + (x)->a_step]) }                     \
        : (type){ EIGHT_TIMES((from)[i]), EIGHT_TIMES((from)[i]) })

/* Whether a tile is of a pair of rows is known where these are called, so that
 * the loops need not ask. */
#define INLINE static inline __attribute__((always_inline))

/* GCC finds no maximum in C's vectors. */
INLINE void keep_larger(s16_tile *most, const s16_tile *other)
{
#if defined __AVX2__
  *most = (s16_tile)_mm256_max_epi16((__m256i)*most, (__m256i)*other);
#else
  s16_tile greater = *other > *most;

  *most = (*other & greater) | (*most & ~greater);
#endif
}

/* `exponent` and `from` are the tile's in the first of the rows. */
INLINE void find_most(const struct addends *x, const s16 *exponent, bool pair,
                      unsigned depth, s16_tile *to)
{
  s16_tile most = *to;

  for (unsigned i = 0; i < depth; i++) {
    s16_tile sum = *(const s16_tile *)&exponent[i * x->b->stride];

    sum += OF_A(x, x->exponent, i, s16_tile);
    keep_larger(&most, &sum);
  }
  *to = most;
}

INLINE void add_group(const struct addends *x, const f32 *from, unsigned i,
                      bool pair, unsigned depth, const f32_tile *scale,
                      s32_tile *to)
{
  unsigned end = i + GROUP < depth ? i + GROUP : depth;
  s32_tile sum = { 0 };

  for (; i < end; i++) {
    f32_tile b = *(const f32_tile *)&from[i * x->b->stride];

    sum += __builtin_convertvector(b * OF_A(x, x->a, i, f32_tile) * *scale,
                                   s32_tile);
  }
  *to = sum;
}

/* Where the largest addend is at least 2^LEAST_MOST, products that single
 * precision can't hold exactly are so small that they are dropped, the scale is
 * a number of single precision, and no sum is a subnormal one. Up to MOST_MOST
 * no sum is too large. Sums of zeros are 0 by any scale. */
enum { LEAST_MOST = -100, MOST_MOST = 120, ZEROS = NO_EXPONENT / 2 };

static inline bool has_scales(const s16_tile *most)
{
  union {
    s16_tile tile;
    u64 words[2 * TILE / sizeof(u64)];
  } none = { .tile = ((*most < LEAST_MOST) & (*most > ZEROS)) |
                     (*most > MOST_MOST) };

  return (none.words[0] | none.words[1] | none.words[2] | none.words[3]) == 0;
}

static inline void exponents_of_sums(const f64_half *sums, s32 least,
                                     s16_half *to)
{
  s64_half bits = (s64_half)*sums;
  s64_half exponent = (bits >> 52 & 0x7ff) - 1023;
  s64_half small = exponent < least, zero = *sums == 0;

  exponent = (small & least) | (~small & exponent);
  exponent = (zero & NO_EXPONENT) | (~zero & exponent);
  *to = __builtin_convertvector(exponent, s16_half);
}

/* A tile in two halves. */
union halves_of_s32 {
  s32_tile tile;
  s32_half half[2];
};

/* By the processor's own instructions, where GCC 12 makes several of C's
 * vectors. */
INLINE void real_half(const s32_half *from, f64_half *to)
{
#if defined __AVX512F__
  *to = (f64_half)_mm512_cvtepi32_pd((__m256i)*from);
#else
  *to = __builtin_convertvector(*from, f64_half);
#endif
}

/* Without the fraction, of numbers that 32 bits can hold; -0 becomes 0. */
INLINE void truncate_half(f64_half *x)
{
#if defined __AVX512F__
  const int without_exceptions = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;

  *x = (f64_half)_mm512_roundscale_pd((__m512d)*x, without_exceptions) + 0.0;
#else
  *x = __builtin_convertvector(__builtin_convertvector(*x, s32_half), f64_half);
#endif
}

/* A load of what two stores have only just left has to wait for both. */
INLINE void put_together(const s16_half half[2], s16_tile *to)
{
#if defined __AVX2__
  *to = (s16_tile)_mm256_set_m128i((__m128i)half[1], (__m128i)half[0]);
#else
  memcpy(to, half, sizeof *to);
#endif
}

/* The same for TILE sums, in single precision; false where that can't be. */
INLINE bool add_tile(const struct multiplication *p, const struct addends *x,
                     unsigned column, bool pair, unsigned depth, f64 *sums)
{
  const f32 *from = &x->b->value[x->k * x->b->stride + column];
  const s16 *exponent = &x->b->exponent[x->k * x->b->stride + column];
  s32 least = p->d_type == MATRIX_F16 ? -14 : -126;
  /* Bits that are dropped from a sum: all below those of single precision, or
   * of what sums of 8-bit numbers have; of a sum in f16 none until its end. */
  s64 drop = p->d_type != MATRIX_F32 ? 0
             : x->fraction < 23      ? (INT64_C(1) << (52 - x->fraction)) - 1
                                     : (INT64_C(1) << 29) - 1;
  union halves_of_s32 shift;
  f64_half sum[2], by[2];
  s16_half of_sums[2];
  s16_tile most;
  f32_tile scale;

  memcpy(sum, sums, sizeof sum);
  for (unsigned i = 0; i < 2; i++)
    exponents_of_sums(&sum[i], least, &of_sums[i]);
  put_together(of_sums, &most);
  find_most(x, exponent, pair, depth, &most);
  if (!has_scales(&most))
    return false;
  /* A sum of zeros has any scale. */
  most = most & (most > ZEROS);
  shift.tile = x->fraction - __builtin_convertvector(most, s32_tile);
  scale = (f32_tile)((127 + shift.tile) << 23);
  for (unsigned i = 0; i < 2; i++) {
    by[i] = (f64_half)((1023 + __builtin_convertvector(shift.half[i], s64_half))
                       << 52);
    sum[i] *= by[i];
    truncate_half(&sum[i]);
  }
  for (unsigned i = 0; i < depth; i += GROUP) {
    union halves_of_s32 group;

    add_group(x, from, i, pair, depth, &scale, &group.tile);
    for (unsigned half = 0; half < 2; half++) {
      f64_half real;

      real_half(&group.half[half], &real);
      sum[half] += real;
    }
  }
  for (unsigned i = 0; i < 2; i++) {
    by[i] = (f64_half)((1023 - __builtin_convertvector(shift.half[i], s64_half))
                       << 52);
    sum[i] = (sum[i] + 0.0) * by[i];
    sum[i] = (f64_half)((s64_half)sum[i] & ~drop);
  }
  memcpy(sums, sum, sizeof sum);
  if (p->d_type != MATRIX_F32)
    round_sums(p, x->fraction, sums, TILE);
  return true;
}

/* With the usual depths the loops are unrolled. */
INLINE bool add_any_tile(const struct multiplication *p,
                         const struct addends *x, unsigned column, bool pair,
                         f64 *sums)
{
  switch (x->depth) {
  case 8: return add_tile(p, x, column, pair, 8, sums);
  case 16: return add_tile(p, x, column, pair, 16, sums);
  default: return add_tile(p, x, column, pair, x->depth, sums);
  }
}

static void add_one_tile(const struct multiplication *p,
                         const struct addends *x, unsigned column, f64 *sums)
{
  if (!add_any_tile(p, x, column, false, sums))
    add_products(p, x, column, TILE, sums);
}

static void add_tiles(const struct multiplication *p, const struct addends *x,
                      f64 *sums)
{
  f64 tile[TILE] = { 0 };
  unsigned whole = p->n / TILE * TILE, rest = p->n - whole;

  for (unsigned column = 0; column < whole; column += TILE)
    add_one_tile(p, x, column, &sums[column]);
  if (rest == 0)
    return;
  memcpy(tile, &sums[whole], rest * sizeof *tile);
  add_one_tile(p, x, whole, tile);
  memcpy(&sums[whole], tile, rest * sizeof *tile);
}

/* Two rows of eight columns, whose sums are side by side. */
static void add_pair(const struct multiplication *p, const struct addends *x,
                     f64 *sums)
{
  struct addends next = *x;

  if (add_any_tile(p, x, 0, true, sums))
    return;
  next.a += x->a_step;
  next.exponent += x->a_step;
  add_products(p, x, 0, HALF, sums);
  add_products(p, &next, 0, HALF, sums + HALF);
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

/* `rows` of them: one, or two of eight columns. */
static void multiply_rows(struct multiplication *p, const struct factors *a,
                          const struct factors *b, unsigned m, unsigned rows,
                          unsigned k, int fraction)
{
  f64 *sums = &p->sums.real[m * p->n];
  struct addends x = { .a = &a->value[m * p->k + k],
                       .exponent = &a->exponent[m * p->k + k],
                       .b = b,
                       .k = k,
                       .depth = p->at_once,
                       .fraction = fraction,
                       .a_step = p->k };

  if (!a->finite || !b->finite || !all_finite(sums, rows * p->n))
    for (unsigned i = 0; i < rows; i++) {
      multiply_special(p, &x, m + i);
      x.a += p->k;
      x.exponent += p->k;
    }
  else if (rows == 2)
    add_pair(p, &x, sums);
  else
    add_tiles(p, &x, sums);
}

/* Eight columns of B twice, side by side. */
static void repeat_columns(struct factors *b, unsigned depth)
{
  for (unsigned row = 0; row < depth; row++) {
    memcpy(&b->value[row * TILE + HALF], &b->value[row * TILE],
           HALF * sizeof *b->value);
    memcpy(&b->exponent[row * TILE + HALF], &b->exponent[row * TILE],
           HALF * sizeof *b->exponent);
  }
}

static void multiply_real(struct multiplication *p)
{
  int fraction = p->a_type == MATRIX_E4M3 || p->a_type == MATRIX_E5M2
                     ? FRACTION_OF_EIGHT
                     : FRACTION;
  unsigned rows = p->n == HALF && p->rows % 2 == 0 ? 2 : 1;
  struct factors a, b;

  take_factors(p->a, p->rows, p->k, p->k, p->a_type, &a);
  take_factors(p->b, p->k, p->n, (p->n + TILE - 1) / TILE * TILE, p->b_type,
               &b);
  if (rows == 2)
    repeat_columns(&b, p->k);
  for (unsigned m = 0; m < p->rows; m += rows)
    for (unsigned k = 0; k < p->k; k += p->at_once)
      multiply_rows(p, &a, &b, m, rows, k, fraction);
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
