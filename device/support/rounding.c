/* Rounding without the processor's help, in any direction: a result is
 * calculated as a whole number of 128 bits times a power of two, with a mark
 * that says whether anything was left over, and rounded once. */
#include "rounding.h"

#include <stdbool.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

enum { WIDE_BITS = 128 };

/* (-1)^negative * (magnitude + rest) * 2^exponent, where `rest` stands for
 * something between 0 and 1 that isn't 0. */
struct exact {
  bool negative, rest;
  wide magnitude;
  int exponent;
};

struct format {
  int precision; /* bits, the first one among them */
  int least;     /* exponent of the last bit of a subnormal number */
  int most;      /* every number is below 2^most */
};
static const struct format single = { 24, -149, 128 },
                           wider = { 53, -1074, 1024 };

static int bit_length(wide n)
{
  uint64_t high = (uint64_t)(n >> 64), low = (uint64_t)n;

  return high != 0  ? 128 - __builtin_clzll(high)
         : low != 0 ? 64 - __builtin_clzll(low)
                    : 0;
}

static bool is_away(bool negative, unsigned mode)
{
  return mode == (negative ? ROUND_DOWN : ROUND_UP);
}

/* Is what is lost with the last `drop` bits more than half of the next one, or
 * half of it and that one odd? */
static bool is_nearer_above(const struct exact *e, int drop)
{
  wide unit = (wide)1 << drop, lost = e->magnitude & (unit - 1);

  return lost > unit / 2 ||
         (lost == unit / 2 && (e->rest || (e->magnitude & unit) != 0));
}

static double signed_value(bool negative, double size)
{
  return negative ? -size : size;
}

/* A magnitude that has a rest must have more bits than the format. */
static double round_exact(struct exact e, struct format f, unsigned mode)
{
  int last = e.exponent + bit_length(e.magnitude) - f.precision, drop;
  bool inexact = e.rest, up = false;
  uint64_t kept;

  if (last < f.least)
    last = f.least;
  drop = last - e.exponent;
  if (drop <= 0) {
    kept = (uint64_t)(e.magnitude << -drop);
  } else if (drop >= WIDE_BITS) {
    kept = 0;
    inexact = true;
  } else {
    kept = (uint64_t)(e.magnitude >> drop);
    inexact |= (wide)kept << drop != e.magnitude;
    up = is_nearer_above(&e, drop);
  }
  kept += mode == ROUND_NEAREST ? up : inexact && is_away(e.negative, mode);
  if (last + bit_length(kept) <= f.most)
    return signed_value(e.negative, ldexp((double)kept, last));
  return signed_value(e.negative,
                      mode == ROUND_NEAREST || is_away(e.negative, mode)
                          ? (double)INFINITY
                          : ldexp((double)((UINT64_C(1) << f.precision) - 1),
                                  f.most - f.precision));
}

/* Finite numbers only. */
static struct exact exact_of(double a)
{
  struct exact e = { 0 };
  uint64_t bits;

  memcpy(&bits, &a, sizeof bits);
  e.negative = bits >> 63 != 0;
  e.exponent = (int)(bits >> 52 & 0x7ff);
  e.magnitude = bits & ((UINT64_C(1) << 52) - 1);
  if (e.exponent != 0)
    e.magnitude |= UINT64_C(1) << 52;
  else
    e.exponent = 1;
  e.exponent -= 1075;
  return e;
}

static void shift_to(struct exact *e, int bits)
{
  int shift = bits - bit_length(e->magnitude);

  e->magnitude <<= shift;
  e->exponent -= shift;
}

/* Two bits of the 128 stay free: for the sum's carry, and for nothing. */
enum { SUM_BITS = 126 };

/* Neither is zero, neither has a rest, and of each at most 106 bits count. */
static struct exact exact_sum(struct exact a, struct exact b)
{
  int distance;

  shift_to(&a, SUM_BITS);
  shift_to(&b, SUM_BITS);
  if (a.exponent < b.exponent ||
      (a.exponent == b.exponent && a.magnitude < b.magnitude)) {
    struct exact other = a;

    a = b;
    b = other;
  }
  distance = a.exponent - b.exponent;
  if (distance >= WIDE_BITS) {
    b.magnitude = 0;
    a.rest = true;
  } else if (distance > 0) {
    a.rest = b.magnitude >> distance << distance != b.magnitude;
    b.magnitude >>= distance;
  }
  if (a.negative == b.negative)
    a.magnitude += b.magnitude;
  else /* a little more goes away than b's whole bits: what is left has a rest */
    a.magnitude -= b.magnitude + a.rest;
  return a;
}

static bool is_zero(struct exact e) { return e.magnitude == 0 && !e.rest; }

/* Of two numbers whose sum is zero. */
static double zero_sum(bool negative, bool other_negative, unsigned mode)
{
  return signed_value(
      negative == other_negative ? negative : mode == ROUND_DOWN, 0.0);
}

static struct exact exact_product(double a, double b)
{
  struct exact x = exact_of(a), y = exact_of(b);

  x.negative ^= y.negative;
  x.magnitude *= y.magnitude;
  x.exponent += y.exponent;
  return x;
}

static double sum_of(struct exact a, struct exact b, struct format f,
                     unsigned mode)
{
  struct exact sum;

  if (is_zero(a) && is_zero(b))
    return zero_sum(a.negative, b.negative, mode);
  if (is_zero(a))
    return round_exact(b, f, mode);
  if (is_zero(b))
    return round_exact(a, f, mode);
  sum = exact_sum(a, b);
  return is_zero(sum) ? zero_sum(a.negative, b.negative, mode)
                      : round_exact(sum, f, mode);
}

static double quotient_of(double a, double b, struct format f, unsigned mode)
{
  struct exact x = exact_of(a), y = exact_of(b);
  wide left;

  shift_to(&x, SUM_BITS); /* the divisor has 53 bits: the quotient 73 */
  left = x.magnitude % y.magnitude;
  x.magnitude /= y.magnitude;
  x.rest = left != 0;
  x.exponent -= y.exponent;
  x.negative ^= y.negative;
  return round_exact(x, f, mode);
}

static double root_of(double a, struct format f, unsigned mode)
{
  struct exact x = exact_of(a);
  wide root = 0;

  shift_to(&x, SUM_BITS);
  if (x.exponent % 2 != 0) {
    x.magnitude >>= 1; /* a zero: of 126 bits 53 count */
    x.exponent++;
  }
  for (int bit = SUM_BITS / 2; bit >= 0; bit--) {
    wide next = root | (wide)1 << bit;

    if (next * next <= x.magnitude)
      root = next;
  }
  x.rest = root * root != x.magnitude;
  x.magnitude = root;
  x.exponent /= 2;
  return round_exact(x, f, mode);
}

static double whole_of(bool negative, uint64_t magnitude, struct format f,
                       unsigned mode)
{
  return round_exact((struct exact){ negative, false, magnitude, 0 }, f, mode);
}

/* What needs no rounding is left to the plain operator. */
static bool is_special(double a) { return !isfinite(a) || a == 0; }

#define OPERATIONS(T, suffix, format, root, fused)                             \
  T directed_add_##suffix(T a, T b, unsigned mode)                             \
  {                                                                            \
    return !isfinite(a) || !isfinite(b)                                        \
               ? a + b                                                         \
               : (T)sum_of(exact_of(a), exact_of(b), format, mode);            \
  }                                                                            \
  T directed_mul_##suffix(T a, T b, unsigned mode)                             \
  {                                                                            \
    return is_special(a) || is_special(b)                                      \
               ? a * b                                                         \
               : (T)round_exact(exact_product(a, b), format, mode);            \
  }                                                                            \
  T directed_div_##suffix(T a, T b, unsigned mode)                             \
  {                                                                            \
    return is_special(a) || is_special(b)                                      \
               ? a / b                                                         \
               : (T)quotient_of(a, b, format, mode);                           \
  }                                                                            \
  T directed_sqrt_##suffix(T a, unsigned mode)                                 \
  {                                                                            \
    return is_special(a) || a < 0 ? root(a) : (T)root_of(a, format, mode);     \
  }                                                                            \
  T directed_fma_##suffix(T a, T b, T c, unsigned mode)                        \
  {                                                                            \
    return !isfinite(a) || !isfinite(b) || !isfinite(c)                        \
               ? fused(a, b, c)                                                \
               : (T)sum_of(exact_product(a, b), exact_of(c), format, mode);    \
  }
OPERATIONS(float, f32, single, sqrtf, fmaf)
OPERATIONS(double, f64, wider, sqrt, fma)

float directed_f32_f64(double a, unsigned mode)
{
  return is_special(a) ? (float)a
                       : (float)round_exact(exact_of(a), single, mode);
}

float directed_f32_u64(uint64_t a, unsigned mode)
{
  return (float)whole_of(false, a, single, mode);
}

float directed_f32_s64(int64_t a, unsigned mode)
{
  return (float)whole_of(a < 0, a < 0 ? 0 - (uint64_t)a : (uint64_t)a, single,
                         mode);
}

double directed_f64_u64(uint64_t a, unsigned mode)
{
  return whole_of(false, a, wider, mode);
}

double directed_f64_s64(int64_t a, unsigned mode)
{
  return whole_of(a < 0, a < 0 ? 0 - (uint64_t)a : (uint64_t)a, wider, mode);
}
