/* Mathematical functions in double precision, in the order of the CUDA Math
 * API. There is no libdevice here: these are our own, made of series whose
 * coefficients can be read off, after the argument was brought near a point
 * where they converge fast.
 *
 * The comment before a function is a bound of its error in ulp. It is measured,
 * not proved: tests/device/clang/math holds each against the C library in long
 * double, over thousands of arguments of all ranges, and a run with 393 216 of
 * them gave the numbers, rounded up. A function without one is exact or
 * correctly rounded. The functions of the API
 * that are not here (Bessel functions, erfcx, erfinv, normcdf and others) are
 * not declared, so that a program that needs one stops at its name. */
#ifndef SOFTDEVICE_MATH_DOUBLE_H
#define SOFTDEVICE_MATH_DOUBLE_H

/* --- parts --------------------------------------------------------------- */

/* A value as the sum of two: `low` is below half an ulp of `high`. */
struct softdevice_pair {
  double high, low;
};

#define SOFTDEVICE_NAN __builtin_nan("")
#define SOFTDEVICE_INFINITY __builtin_inf()
#define SOFTDEVICE_LN2 0x1.62e42fefa39efp-1
#define SOFTDEVICE_LN2_LOW 0x1.abc9e3b39803fp-56
#define SOFTDEVICE_HALF_PI 0x1.921fb54442d18p+0
#define SOFTDEVICE_HALF_PI_LOW 0x1.1a62633145c07p-54
#define SOFTDEVICE_PI 0x1.921fb54442d18p+1
#define SOFTDEVICE_PI_LOW 0x1.1a62633145c07p-53

SOFTDEVICE_CALL double softdevice_fma(double x, double y, double z)
{
  return __builtin_fma(x, y, z);
}

/* Rounded by themselves, and never fused. */
SOFTDEVICE_CALL double softdevice_add(double x, double y)
{
  return __nvvm_add_rn_d(x, y);
}
SOFTDEVICE_CALL double softdevice_mul(double x, double y)
{
  return __nvvm_mul_rn_d(x, y);
}

/* x + y exactly, for |x| >= |y| or any order. */
SOFTDEVICE_CALL softdevice_pair softdevice_fast_sum(double x, double y)
{
  double sum = softdevice_add(x, y);
  return { sum, softdevice_add(y, -softdevice_add(sum, -x)) };
}
SOFTDEVICE_CALL softdevice_pair softdevice_sum(double x, double y)
{
  double sum = softdevice_add(x, y), from_y = softdevice_add(sum, -x);
  double low = softdevice_add(softdevice_add(x, -softdevice_add(sum, -from_y)),
                              softdevice_add(y, -from_y));
  return { sum, low };
}

/* x y exactly. */
SOFTDEVICE_CALL softdevice_pair softdevice_product(double x, double y)
{
  double product = softdevice_mul(x, y);
  return { product, softdevice_fma(x, y, -product) };
}

SOFTDEVICE_CALL long long softdevice_bits(double x)
{
  return __double_as_longlong(x);
}

/* 2^n for -1022 <= n <= 1023. */
SOFTDEVICE_CALL double softdevice_power_of_two(int n)
{
  return __longlong_as_double((long long)(n + 1023) << 52);
}

/* x 2^n, rounded once. */
SOFTDEVICE_MATH double scalbn(double x, int n)
{
  /* Far steps are exact until the last one. */
  if (n > 1023) {
    x *= 0x1p+1023, n -= 1023;
    if (n > 1023)
      x *= 0x1p+1023, n = n - 1023 < 1023 ? n - 1023 : 1023;
  } else if (n < -1022) {
    /* 2^-969 leaves 53 bits of a result that becomes denormal. */
    x *= 0x1p-969, n += 969;
    if (n < -1022)
      x *= 0x1p-969, n = n + 969 > -1022 ? n + 969 : -1022;
  }
  return x * softdevice_power_of_two(n);
}

/* --- square roots, powers of few instructions ---------------------------- */

SOFTDEVICE_MATH double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }

/* 2 ulp */
SOFTDEVICE_MATH double rsqrt(double x) { return 1 / sqrt(x); }

/* x = mantissa 2^exponent, mantissa in [0.5, 1). */
SOFTDEVICE_MATH double frexp(double x, int *exponent)
{
  long long bits = softdevice_bits(x);
  int field = (int)(bits >> 52) & 0x7ff, scaled = 0;

  *exponent = 0;
  if (x == 0 || field == 0x7ff)
    return x + x;
  if (field == 0) {
    bits = softdevice_bits(x * 0x1p+54);
    field = (int)(bits >> 52) & 0x7ff;
    scaled = 54;
  }
  *exponent = field - 1022 - scaled;
  return __longlong_as_double((bits & ~(0x7ffll << 52)) | 1022ll << 52);
}

/* 1 ulp */
SOFTDEVICE_MATH double cbrt(double x)
{
  int e;
  double m = frexp(__builtin_fabs(x), &e);

  if (x == 0 || !(__builtin_fabs(x) < SOFTDEVICE_INFINITY))
    return x + x;
  /* m in [0.5, 4), e a multiple of 3 */
  int rest = (e % 3 + 3) % 3;
  m *= (double)(1 << rest);
  double y = __nvvm_ex2_approx_f(__nvvm_lg2_approx_f((float)m) * (1.0f / 3));
  /* Halley's step triples the right digits: 20 bits become 60. */
  for (int i = 0; i < 2; i++) {
    softdevice_pair square = softdevice_product(y, y);
    double cube = square.high * y;
    double wrong = softdevice_fma(square.high, y, -m) + square.low * y;
    y -= y * wrong / (2 * cube + m);
  }
  return __builtin_copysign(scalbn(y, (e - rest) / 3), x);
}
/* 2 ulp */
SOFTDEVICE_MATH double rcbrt(double x) { return 1 / cbrt(x); }

/* 1 ulp */
SOFTDEVICE_MATH double hypot(double x, double y)
{
  int e;
  double a = __builtin_fabs(x), b = __builtin_fabs(y);

  if (a == SOFTDEVICE_INFINITY || b == SOFTDEVICE_INFINITY)
    return SOFTDEVICE_INFINITY;
  double most = a > b ? a : b;
  if (!(most > 0))
    return a + b;
  frexp(most, &e);
  a = scalbn(a, -e), b = scalbn(b, -e);
  softdevice_pair aa = softdevice_product(a, a), bb = softdevice_product(b, b);
  softdevice_pair sum = softdevice_sum(aa.high, bb.high);
  double low = sum.low + aa.low + bb.low, root = sqrt(sum.high);
  /* One step of Newton's with what was rounded off. */
  root += (softdevice_fma(-root, root, sum.high) + low) / (2 * root);
  return scalbn(root, e);
}
/* 2 ulp */
SOFTDEVICE_MATH double rhypot(double x, double y)
{
  int e;
  double a = __builtin_fabs(x), b = __builtin_fabs(y), most = a > b ? a : b;

  if (!(a < SOFTDEVICE_INFINITY && b < SOFTDEVICE_INFINITY && most > 0))
    return 1 / hypot(x, y);
  /* Near 1: the root itself may be denormal or beyond the largest number. */
  frexp(most, &e);
  return scalbn(1 / hypot(scalbn(a, -e), scalbn(b, -e)), -e);
}

/* --- exponentials -------------------------------------------------------- */

/* exp(r + low) - 1 for |r| up to 0.35, by its series. `low` may be as large as
 * 2^-43, so what it adds, low exp(r), is exact to a few bits of it. */
SOFTDEVICE_MATH double softdevice_exp_series(double r, double low)
{
  double p = 1.0 / 6227020800;
  p = softdevice_fma(p, r, 1.0 / 479001600);
  p = softdevice_fma(p, r, 1.0 / 39916800);
  p = softdevice_fma(p, r, 1.0 / 3628800);
  p = softdevice_fma(p, r, 1.0 / 362880);
  p = softdevice_fma(p, r, 1.0 / 40320);
  p = softdevice_fma(p, r, 1.0 / 5040);
  p = softdevice_fma(p, r, 1.0 / 720);
  p = softdevice_fma(p, r, 1.0 / 120);
  p = softdevice_fma(p, r, 1.0 / 24);
  p = softdevice_fma(p, r, 1.0 / 6);
  p = softdevice_fma(p, r, 0.5);
  double square = p * r * r;
  return r + (square + softdevice_fma(low, r + square, low));
}

/* exp(x + low), where x is not NaN. */
SOFTDEVICE_MATH double softdevice_exp(double x, double low)
{
  if (x > 710)
    return SOFTDEVICE_INFINITY;
  if (x < -746)
    return 0;
  double n = __builtin_rint(x * 0x1.71547652b82fep+0);
  /* n ln 2 is subtracted with the digits that the first product lacks. */
  double r = softdevice_fma(-n, SOFTDEVICE_LN2, x);
  double rest = softdevice_fma(-n, SOFTDEVICE_LN2_LOW, low);
  return scalbn(1 + softdevice_exp_series(r, rest), (int)n);
}

/* 1 ulp */
SOFTDEVICE_MATH double exp(double x)
{
  return x != x ? x : softdevice_exp(x, 0);
}

/* 1 ulp */
SOFTDEVICE_MATH double exp2(double x)
{
  if (x != x)
    return x;
  if (x >= 1025)
    return SOFTDEVICE_INFINITY;
  if (x < -1080)
    return 0;
  double n = __builtin_rint(x), f = x - n;
  softdevice_pair r = softdevice_product(f, SOFTDEVICE_LN2);
  return scalbn(1 + softdevice_exp_series(
                        r.high, softdevice_fma(f, SOFTDEVICE_LN2_LOW, r.low)),
                (int)n);
}

/* 1 ulp */
SOFTDEVICE_MATH double exp10(double x)
{
  if (x != x)
    return x;
  if (x > 309)
    return SOFTDEVICE_INFINITY;
  if (x < -325)
    return 0;
  softdevice_pair y = softdevice_product(x, 0x1.26bb1bbb55516p+1);
  return softdevice_exp(y.high,
                        softdevice_fma(x, -0x1.f48ad494ea3e9p-53, y.low));
}

/* 2 ulp */
SOFTDEVICE_MATH double expm1(double x)
{
  if (x != x || x == 0)
    return x;
  if (x > 710)
    return SOFTDEVICE_INFINITY;
  if (x < -45)
    return -1;
  double n = __builtin_rint(x * 0x1.71547652b82fep+0);
  double r = softdevice_fma(-n, SOFTDEVICE_LN2, x);
  double rest = -n * SOFTDEVICE_LN2_LOW;
  double p = softdevice_exp_series(r, rest);
  if (n == 0)
    return p;
  if (n == 1024)
    return scalbn(1 + p, 1024);
  /* 2^n (1 + p) - 1 */
  double power = softdevice_power_of_two((int)n);
  softdevice_pair whole = softdevice_sum(power, -1);
  return whole.high + softdevice_fma(power, p, whole.low);
}

/* --- logarithms ---------------------------------------------------------- */

/* ln(x + x_low) = n ln 2 + the pair, for x > 0; x_low is tiny beside x. With
 * s = f / (2 + f), ln(1 + f) = 2 (s + s³/3 + s⁵/5 + …), |s| up to 0.172. */
SOFTDEVICE_MATH softdevice_pair softdevice_log_parts(double x, double x_low,
                                                     int *n)
{
  double m = frexp(x, n), m_low = scalbn(x_low, -*n);

  if (m < 0x1.6a09e667f3bcdp-1)
    m *= 2, m_low *= 2, *n -= 1;
  softdevice_pair f = softdevice_sum(m - 1, m_low);
  softdevice_pair d = softdevice_sum(2, f.high);
  double d_low = d.low + f.low;
  double s = f.high / d.high;
  double s_low =
      (softdevice_fma(-s, d.high, f.high) + f.low - s * d_low) / d.high;
  softdevice_pair z = softdevice_product(s, s);
  z.low += 2 * s * s_low;

  double p = 2.0 / 25;
  p = softdevice_fma(p, z.high, 2.0 / 23);
  p = softdevice_fma(p, z.high, 2.0 / 21);
  p = softdevice_fma(p, z.high, 2.0 / 19);
  p = softdevice_fma(p, z.high, 2.0 / 17);
  p = softdevice_fma(p, z.high, 2.0 / 15);
  p = softdevice_fma(p, z.high, 2.0 / 13);
  p = softdevice_fma(p, z.high, 2.0 / 11);
  p = softdevice_fma(p, z.high, 2.0 / 9);
  p = softdevice_fma(p, z.high, 2.0 / 7);
  p = softdevice_fma(p, z.high, 2.0 / 5);

  /* s z (2/3 + z p), in pairs as far as it matters. */
  const double third = 0x1.5555555555555p-1, third_low = 0x1.5555555555555p-55;
  softdevice_pair q = softdevice_fast_sum(third, z.high * p);
  q.low += third_low + z.low * p + softdevice_fma(z.high, p, -(z.high * p));
  softdevice_pair sz = softdevice_product(s, z.high);
  sz.low += s * z.low + s_low * z.high;
  softdevice_pair tail = softdevice_product(sz.high, q.high);
  tail.low += sz.high * q.low + sz.low * q.high;
  softdevice_pair sum = softdevice_fast_sum(2 * s, tail.high);
  return softdevice_fast_sum(sum.high, sum.low + tail.low + 2 * s_low);
}

/* Is x something whose logarithm isn't a positive number's? Then *answer. */
SOFTDEVICE_CALL bool softdevice_log_special(double x, double *answer)
{
  if (x > 0 && x < SOFTDEVICE_INFINITY)
    return false;
  *answer = x == 0            ? -SOFTDEVICE_INFINITY
            : x > 0 || x != x ? x
                              : SOFTDEVICE_NAN;
  return true;
}

SOFTDEVICE_MATH softdevice_pair softdevice_log(double x, double x_low)
{
  int n;
  softdevice_pair m = softdevice_log_parts(x, x_low, &n);
  softdevice_pair whole = softdevice_product(n, SOFTDEVICE_LN2);
  softdevice_pair sum = softdevice_sum(whole.high, m.high);
  return softdevice_fast_sum(sum.high, sum.low + whole.low + m.low +
                                           n * SOFTDEVICE_LN2_LOW);
}

/* 1 ulp */
SOFTDEVICE_MATH double log(double x)
{
  double answer;
  return softdevice_log_special(x, &answer) ? answer
                                            : softdevice_log(x, 0).high;
}

/* A logarithm of another base: n times that of 2, and the rest times
 * high + low, which is 1 / ln base. */
SOFTDEVICE_MATH double softdevice_log_to(double x, double of_two,
                                         double of_two_low, double high,
                                         double low)
{
  int n;
  softdevice_pair m = softdevice_log_parts(x, 0, &n);
  softdevice_pair rest = softdevice_product(m.high, high);
  rest.low += m.high * low + m.low * high;
  softdevice_pair whole = softdevice_product(n, of_two);
  softdevice_pair sum = softdevice_sum(whole.high, rest.high);
  return sum.high + (sum.low + whole.low + rest.low + n * of_two_low);
}

/* 1 ulp */
SOFTDEVICE_MATH double log2(double x)
{
  double answer;
  return softdevice_log_special(x, &answer)
             ? answer
             : softdevice_log_to(x, 1, 0, 0x1.71547652b82fep+0,
                                 0x1.777d0ffda0d24p-56);
}

/* 1 ulp */
SOFTDEVICE_MATH double log10(double x)
{
  double answer;
  return softdevice_log_special(x, &answer)
             ? answer
             : softdevice_log_to(x, 0x1.34413509f79ffp-2,
                                 -0x1.9dc1da994fd21p-59, 0x1.bcb7b1526e50ep-2,
                                 0x1.95355baaafad3p-57);
}

/* 1 ulp */
SOFTDEVICE_MATH double log1p(double x)
{
  double answer;
  if (__builtin_fabs(x) < 0x1p-60)
    return x;
  softdevice_pair sum = softdevice_sum(1, x);
  return softdevice_log_special(sum.high, &answer)
             ? answer
             : softdevice_log(sum.high, sum.low).high;
}

/* --- powers -------------------------------------------------------------- */

/* 0: y is no integer, 1: odd, 2: even. */
SOFTDEVICE_CALL int softdevice_parity(double y)
{
  if (__builtin_fabs(y) >= 0x1p+53)
    return 2;
  if (y != __builtin_trunc(y))
    return 0;
  return (long long)y & 1 ? 1 : 2;
}

/* 1 ulp */
SOFTDEVICE_MATH double pow(double x, double y)
{
  int parity = softdevice_parity(y);

  if (x == 1 || y == 0)
    return 1;
  if (x != x || y != y)
    return x + y;
  double a = __builtin_fabs(x), size;
  if (__builtin_fabs(y) == SOFTDEVICE_INFINITY)
    return a == 1 ? 1 : (a > 1) == (y > 0) ? SOFTDEVICE_INFINITY : 0;
  if (a == 0 || a == SOFTDEVICE_INFINITY)
    size = (a == 0) == (y > 0) ? 0 : SOFTDEVICE_INFINITY;
  else if (x < 0 && parity == 0)
    return SOFTDEVICE_NAN;
  else {
    softdevice_pair log_a = softdevice_log(a, 0);
    softdevice_pair to = softdevice_product(log_a.high, y);
    /* Where the power is certain, so that nothing overflows on the way. */
    size = to.high > 710    ? SOFTDEVICE_INFINITY
           : to.high < -746 ? 0
                            : softdevice_exp(to.high, to.low + log_a.low * y);
  }
  return (x < 0 || (x == 0 && 1 / x < 0)) && parity == 1 ? -size : size;
}
/* 1 ulp */
SOFTDEVICE_MATH double powi(double x, int n) { return pow(x, (double)n); }

/* --- sines --------------------------------------------------------------- */

/* The bits of 2/π after the point, 64 in a word. */
static __device__ const unsigned long long softdevice_two_over_pi[] = {
  0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
  0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
  0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
  0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
  0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
  0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
  0x56033046fc7b6bab, 0xf0cfbc209af4361d
};

/* 64 bits of 2/π, from bit `first` after the point on; 0 before the point. */
SOFTDEVICE_MATH unsigned long long softdevice_bits_of_two_over_pi(int first)
{
  if (first <= -64)
    return 0;
  if (first < 0)
    return softdevice_two_over_pi[0] >> -first;
  int word = first >> 6, shift = first & 63;
  unsigned long long bits = softdevice_two_over_pi[word] << shift;
  if (shift != 0)
    bits |= softdevice_two_over_pi[word + 1] >> (64 - shift);
  return bits;
}

/* x = m 2^e with an integer m of 53 bits. Of x 2/π only the last two bits
 * before the point and what follows matter: 192 bits of 2/π give them, from the
 * first on whose product with m doesn't only count multiples of 4. */
SOFTDEVICE_MATH int softdevice_reduce_far(double x, softdevice_pair *rest)
{
  long long bits = softdevice_bits(x);
  int e = ((int)(bits >> 52) & 0x7ff) - 1075, first = e - 2;
  unsigned long long m = (bits & ((1ll << 52) - 1)) | 1ll << 52;
  unsigned long long third = softdevice_bits_of_two_over_pi(first + 128);
  unsigned long long second = softdevice_bits_of_two_over_pi(first + 64);
  unsigned long long middle = m * second + __nvvm_mulhi_ull(m, third);
  unsigned long long high = m * softdevice_bits_of_two_over_pi(first) +
                            __nvvm_mulhi_ull(m, second) + (middle < m * second);

  /* Two bits before the point, 126 after it, in two words. */
  int quadrant = (int)(high >> 62);
  unsigned long long top = high << 2 | middle >> 62, bottom = middle << 2;
  bool is_above = top >> 63 != 0;
  if (is_above)
    top = ~top + (bottom == 0), bottom = 0 - bottom, quadrant++;
  /* The leading 64 bits, wherever they begin, in two doubles. */
  int zeros = top != 0 ? __clzll((long long)top) : 64;
  if (zeros == 64)
    top = bottom;
  else if (zeros != 0)
    top = top << zeros | bottom >> (64 - zeros);
  softdevice_pair f =
      softdevice_fast_sum((double)(top >> 11), (double)(top & 0x7ff) * 0x1p-11);
  softdevice_pair product = softdevice_product(f.high, SOFTDEVICE_HALF_PI);
  product.low += f.high * SOFTDEVICE_HALF_PI_LOW + f.low * SOFTDEVICE_HALF_PI;
  product = softdevice_fast_sum(product.high, product.low);
  double scale = softdevice_power_of_two(-53 - zeros);
  if (is_above != (x < 0))
    scale = -scale;
  *rest = { product.high * scale, product.low * scale };
  return (x < 0 ? -quadrant : quadrant) & 3;
}

/* x = n π/2 + rest, |rest| up to π/4 and a little; returns n mod 4. */
SOFTDEVICE_MATH int softdevice_reduce(double x, softdevice_pair *rest)
{
  if (__builtin_fabs(x) > 0x1p+25)
    return softdevice_reduce_far(x, rest);
  double n = __builtin_rint(x * 0x1.45f306dc9c883p-1);
  double r = softdevice_fma(-n, SOFTDEVICE_HALF_PI, x);
  softdevice_pair second = softdevice_product(-n, SOFTDEVICE_HALF_PI_LOW);
  softdevice_pair sum = softdevice_sum(r, second.high);
  *rest = softdevice_fast_sum(sum.high, sum.low + second.low +
                                            n * 0x1.f1976b7ed8fbcp-110);
  return (int)((long long)n & 3);
}

/* Sine and cosine of a pair, |r| up to π/4, by their series. */
SOFTDEVICE_MATH double softdevice_sin_series(softdevice_pair r)
{
  double z = r.high * r.high, p = 1.0 / 355687428096000;
  p = softdevice_fma(p, z, -1.0 / 1307674368000);
  p = softdevice_fma(p, z, 1.0 / 6227020800);
  p = softdevice_fma(p, z, -1.0 / 39916800);
  p = softdevice_fma(p, z, 1.0 / 362880);
  p = softdevice_fma(p, z, -1.0 / 5040);
  p = softdevice_fma(p, z, 1.0 / 120);
  p = softdevice_fma(p, z, -1.0 / 6);
  /* The cosine times the low part is what that adds. */
  return r.high + softdevice_fma(p * z, r.high, r.low * (1 - 0.5 * z));
}
SOFTDEVICE_MATH double softdevice_cos_series(softdevice_pair r)
{
  softdevice_pair square = softdevice_product(r.high, r.high);
  double z = square.high, p = -1.0 / 6402373705728000;
  p = softdevice_fma(p, z, 1.0 / 20922789888000);
  p = softdevice_fma(p, z, -1.0 / 87178291200);
  p = softdevice_fma(p, z, 1.0 / 479001600);
  p = softdevice_fma(p, z, -1.0 / 3628800);
  p = softdevice_fma(p, z, 1.0 / 40320);
  p = softdevice_fma(p, z, -1.0 / 720);
  p = softdevice_fma(p, z, 1.0 / 24);
  softdevice_pair one = softdevice_fast_sum(1, -0.5 * z);
  return one.high + (one.low - 0.5 * square.low +
                     softdevice_fma(p * z, z, -r.high * r.low));
}

/* Sine (shift 0) or cosine (shift 1) in quadrant n. */
SOFTDEVICE_MATH double softdevice_wave(softdevice_pair r, int n)
{
  double wave = n & 1 ? softdevice_cos_series(r) : softdevice_sin_series(r);
  return n & 2 ? -wave : wave;
}

/* 1 ulp */
SOFTDEVICE_MATH double sin(double x)
{
  softdevice_pair r;
  if (!(__builtin_fabs(x) < SOFTDEVICE_INFINITY))
    return x - x;
  if (x == 0)
    return x;
  int n = softdevice_reduce(x, &r);
  return softdevice_wave(r, n);
}
/* 1 ulp */
SOFTDEVICE_MATH double cos(double x)
{
  softdevice_pair r;
  if (!(__builtin_fabs(x) < SOFTDEVICE_INFINITY))
    return x - x;
  int n = softdevice_reduce(x, &r);
  return softdevice_wave(r, n + 1);
}
SOFTDEVICE_MATH void sincos(double x, double *sine, double *cosine)
{
  *sine = sin(x);
  *cosine = cos(x);
}
/* 2 ulp */
SOFTDEVICE_MATH double tan(double x)
{
  softdevice_pair r;
  if (!(__builtin_fabs(x) < SOFTDEVICE_INFINITY))
    return x - x;
  if (x == 0)
    return x;
  int n = softdevice_reduce(x, &r);
  double sine = softdevice_sin_series(r), cosine = softdevice_cos_series(r);
  return n & 1 ? -cosine / sine : sine / cosine;
}

/* x π = n π/2 + rest: the reduction is exact. */
SOFTDEVICE_MATH int softdevice_reduce_pi(double x, softdevice_pair *rest)
{
  /* Periods of 2 first, so that the quadrant is a small number. */
  double y = x - 2 * __builtin_trunc(0.5 * x);
  double n = __builtin_rint(2 * y), f = softdevice_fma(-0.5, n, y);
  softdevice_pair r = softdevice_product(f, SOFTDEVICE_PI);
  *rest =
      softdevice_fast_sum(r.high, softdevice_fma(f, SOFTDEVICE_PI_LOW, r.low));
  return (int)n & 3;
}
/* 1 ulp */
SOFTDEVICE_MATH double sinpi(double x)
{
  softdevice_pair r;
  if (!(__builtin_fabs(x) < SOFTDEVICE_INFINITY))
    return x - x;
  if (x == __builtin_trunc(x))
    return __builtin_copysign(0.0, x);
  int n = softdevice_reduce_pi(x, &r);
  return softdevice_wave(r, n);
}
/* 1 ulp */
SOFTDEVICE_MATH double cospi(double x)
{
  softdevice_pair r;
  if (!(__builtin_fabs(x) < SOFTDEVICE_INFINITY))
    return x - x;
  int n = softdevice_reduce_pi(x, &r);
  double wave = softdevice_wave(r, n + 1);
  return wave == 0 ? 0 : wave;
}
SOFTDEVICE_MATH void sincospi(double x, double *sine, double *cosine)
{
  *sine = sinpi(x);
  *cosine = cospi(x);
}

/* --- arcs ---------------------------------------------------------------- */

/* arctan k/8 in two parts. */
static __device__ const double softdevice_arcs[9][2] = {
  { 0, 0 },
  { 0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59 },
  { 0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57 },
  { 0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56 },
  { 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56 },
  { 0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58 },
  { 0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56 },
  { 0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56 },
  { 0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55 },
};

/* arctan (y / x) for 0 <= y <= x, x > 0, both in pairs: with c = k/8 next to
 * the quotient, arctan c + arctan (y - c x) / (x + c y). */
SOFTDEVICE_MATH softdevice_pair softdevice_arc(softdevice_pair y,
                                               softdevice_pair x)
{
  int k = (int)(8 * (y.high / x.high) + 0.5);
  double c = k * 0.125;
  softdevice_pair cx = softdevice_product(c, x.high);
  softdevice_pair cy = softdevice_product(c, y.high);
  softdevice_pair top = softdevice_sum(y.high, -cx.high);
  softdevice_pair bottom = softdevice_sum(x.high, cy.high);
  top.low += y.low - cx.low - c * x.low;
  bottom.low += x.low + cy.low + c * y.low;
  double t = (top.high + top.low) / bottom.high;
  double t_low =
      (softdevice_fma(-t, bottom.high, top.high) + top.low - t * bottom.low) /
      bottom.high;
  double z = t * t, p = 1.0 / 15;
  p = softdevice_fma(-p, z, 1.0 / 13);
  p = softdevice_fma(-p, z, 1.0 / 11);
  p = softdevice_fma(-p, z, 1.0 / 9);
  p = softdevice_fma(-p, z, 1.0 / 7);
  p = softdevice_fma(-p, z, 1.0 / 5);
  p = softdevice_fma(-p, z, 1.0 / 3);
  softdevice_pair sum = softdevice_sum(softdevice_arcs[k][0], t);
  sum.low += softdevice_arcs[k][1] + softdevice_fma(-p * z, t, t_low);
  return softdevice_fast_sum(sum.high, sum.low);
}

/* high + low - the pair. */
SOFTDEVICE_CALL double softdevice_minus(double high, double low,
                                        softdevice_pair x)
{
  softdevice_pair sum = softdevice_sum(high, -x.high);
  return sum.high + (sum.low + low - x.low);
}

/* The angle of (x, y) in pairs, for numbers that are neither both 0 nor
 * infinite, x.high and y.high not negative. */
SOFTDEVICE_MATH double softdevice_angle(softdevice_pair y, softdevice_pair x,
                                        bool left)
{
  softdevice_pair arc;
  if (y.high <= x.high) {
    arc = softdevice_arc(y, x);
    return left ? softdevice_minus(SOFTDEVICE_PI, SOFTDEVICE_PI_LOW, arc)
                : arc.high;
  }
  arc = softdevice_arc(x, y);
  if (left)
    arc.high = -arc.high, arc.low = -arc.low;
  return softdevice_minus(SOFTDEVICE_HALF_PI, SOFTDEVICE_HALF_PI_LOW, arc);
}

/* 1 ulp */
SOFTDEVICE_MATH double atan2(double y, double x)
{
  double a = __builtin_fabs(y), b = __builtin_fabs(x), angle;
  bool left = __builtin_signbit(x);

  if (x != x || y != y)
    return x + y;
  if (a == 0)
    angle = left ? SOFTDEVICE_PI : 0;
  else if (a == SOFTDEVICE_INFINITY)
    angle =
        b != a ? SOFTDEVICE_HALF_PI : 0.5 * SOFTDEVICE_HALF_PI * (left ? 3 : 1);
  else if (b == SOFTDEVICE_INFINITY)
    angle = left ? SOFTDEVICE_PI : 0;
  else {
    int e, e_other;
    /* Near 1, so that no product over- or underflows. */
    frexp(a, &e), frexp(b, &e_other);
    if (b == 0 || e - e_other > 60)
      angle = SOFTDEVICE_HALF_PI;
    else if (e_other - e > 60)
      angle = left ? SOFTDEVICE_PI : a / b;
    else
      angle = softdevice_angle({ scalbn(a, -e_other), 0 },
                               { scalbn(b, -e_other), 0 }, left);
  }
  return __builtin_copysign(angle, y);
}
/* 1 ulp */
SOFTDEVICE_MATH double atan(double x) { return atan2(x, 1.0); }

/* (1 - x)(1 + x) and its root, in pairs, for |x| <= 1. */
SOFTDEVICE_MATH softdevice_pair softdevice_other_side(double x)
{
  softdevice_pair a = softdevice_sum(1, -x), b = softdevice_sum(1, x);
  softdevice_pair square = softdevice_product(a.high, b.high);
  square.low += a.high * b.low + a.low * b.high;
  double root = sqrt(square.high);
  if (root == 0)
    return { 0, 0 };
  double low =
      (softdevice_fma(-root, root, square.high) + square.low) / (2 * root);
  return softdevice_fast_sum(root, low);
}
/* 1 ulp */
SOFTDEVICE_MATH double asin(double x)
{
  double a = __builtin_fabs(x);
  if (!(a <= 1))
    return SOFTDEVICE_NAN;
  if (a < 0x1p-30)
    return x;
  return __builtin_copysign(
      softdevice_angle({ a, 0 }, softdevice_other_side(a), false), x);
}
/* 1 ulp */
SOFTDEVICE_MATH double acos(double x)
{
  double a = __builtin_fabs(x);
  if (!(a <= 1))
    return SOFTDEVICE_NAN;
  return softdevice_angle(softdevice_other_side(a), { a, 0 }, x < 0);
}

/* --- hyperbolic functions ------------------------------------------------ */

/* exp(x) / 2 for large x, whose exponential alone may be infinite. */
SOFTDEVICE_MATH double softdevice_half_exp(double x)
{
  softdevice_pair less = softdevice_sum(x, -SOFTDEVICE_LN2);
  return softdevice_exp(less.high, less.low - SOFTDEVICE_LN2_LOW);
}

/* 2 ulp */
SOFTDEVICE_MATH double sinh(double x)
{
  double a = __builtin_fabs(x), sine;
  if (a < 22) {
    double t = expm1(a);
    sine = 0.5 * (t + t / (t + 1));
  } else
    sine = a < 709 ? 0.5 * exp(a) : softdevice_half_exp(a);
  return x != x ? x : __builtin_copysign(sine, x);
}
/* 2 ulp */
SOFTDEVICE_MATH double cosh(double x)
{
  double a = __builtin_fabs(x);
  if (x != x)
    return x;
  double e = a < 709 ? 0.5 * exp(a) : softdevice_half_exp(a);
  return e + 0.25 / e;
}
/* 3 ulp */
SOFTDEVICE_MATH double tanh(double x)
{
  double a = __builtin_fabs(x);
  if (x != x)
    return x;
  double t = expm1(2 * a);
  return __builtin_copysign(a > 22 ? 1 : t / (t + 2), x);
}
/* 2 ulp */
SOFTDEVICE_MATH double asinh(double x)
{
  double a = __builtin_fabs(x);
  if (!(a < SOFTDEVICE_INFINITY))
    return x;
  double y = a > 0x1p+28 ? log(a) + SOFTDEVICE_LN2
                         : log1p(a + a * a / (1 + sqrt(1 + a * a)));
  return __builtin_copysign(y, x);
}
/* 2 ulp */
SOFTDEVICE_MATH double acosh(double x)
{
  double t = x - 1;
  if (!(x >= 1))
    return SOFTDEVICE_NAN;
  return x > 0x1p+28 ? log(x) + SOFTDEVICE_LN2
                     : log1p(t + sqrt(softdevice_fma(t, t, 2 * t)));
}
/* 2 ulp */
SOFTDEVICE_MATH double atanh(double x)
{
  double a = __builtin_fabs(x);
  if (!(a <= 1))
    return SOFTDEVICE_NAN;
  return __builtin_copysign(0.5 * log1p(2 * a / (1 - a)), x);
}

/* --- errors and factorials ----------------------------------------------- */

/* exp(-x²): what the square loses by rounding matters. */
SOFTDEVICE_MATH double softdevice_bell(double x)
{
  softdevice_pair square = softdevice_product(x, x);
  return softdevice_exp(-square.high, -square.low);
}

/* erf(x) / x for |x| up to 1: 2/√π exp(-x²) Σ (2x²)^n / (1·3·5…(2n+1)), whose
 * terms are all positive. */
SOFTDEVICE_MATH double softdevice_erf_series(double x)
{
  double sum = 1, term = 1, z = 2 * x * x;
  for (int n = 1; term > sum * 0x1p-56; n++) {
    term *= z / (2 * n + 1);
    sum += term;
  }
  return 0x1.20dd750429b6dp+0 * softdevice_bell(x) * sum;
}
/* erfc(x) for x >= 1: exp(-x²)/√π / (x + ½/(x + 1/(x + 1½/(x + …)))), which
 * converges the slower the smaller x is. */
SOFTDEVICE_MATH double softdevice_erfc_fraction(double x)
{
  double f = x;
  for (int n = x < 2 ? 240 : 80; n > 0; n--)
    f = x + 0.5 * n / f;
  return softdevice_bell(x) * 0x1.20dd750429b6dp-1 / f;
}
/* 8 ulp */
SOFTDEVICE_MATH double erf(double x)
{
  double a = __builtin_fabs(x);
  if (x != x)
    return x;
  if (a < 1)
    return x * softdevice_erf_series(x);
  return __builtin_copysign(a > 6 ? 1 : 1 - softdevice_erfc_fraction(a), x);
}
/* 7 ulp; 36 ulp between 0.5 and 1 */
SOFTDEVICE_MATH double erfc(double x)
{
  if (x != x)
    return x;
  if (x > 28)
    return 0;
  if (x > 1)
    return softdevice_erfc_fraction(x);
  return 1 - erf(x);
}

/* ln Γ(x) for x >= 10, by Stirling's series, without its leading terms:
 * 1/12x - 1/360x³ + … */
SOFTDEVICE_MATH double softdevice_stirling(double x)
{
  double z = 1 / (x * x), p = -174611.0 / 125400;
  p = softdevice_fma(p, z, 43867.0 / 244188);
  p = softdevice_fma(p, z, -3617.0 / 122400);
  p = softdevice_fma(p, z, 1.0 / 156);
  p = softdevice_fma(p, z, -691.0 / 360360);
  p = softdevice_fma(p, z, 1.0 / 1188);
  p = softdevice_fma(p, z, -1.0 / 1680);
  p = softdevice_fma(p, z, 1.0 / 1260);
  p = softdevice_fma(p, z, -1.0 / 360);
  p = softdevice_fma(p, z, 1.0 / 12);
  return p / x;
}
/* Γ(x) for x > 0: at x + n >= 10, divided by x (x + 1) … (x + n - 1). */
SOFTDEVICE_MATH double softdevice_gamma(double x)
{
  double divisor = 1;
  for (; x < 10; x += 1)
    divisor *= x;
  if (x > 172)
    return SOFTDEVICE_INFINITY;
  /* √2π x^(x-½) exp(-x) exp(s), the power in two halves. */
  softdevice_pair log_x = softdevice_log(x, 0);
  softdevice_pair to = softdevice_product(log_x.high, x - 0.5);
  to.low += log_x.low * (x - 0.5);
  softdevice_pair sum = softdevice_sum(to.high, -x);
  /* The series is no rounding error: it belongs to the high part. */
  softdevice_pair all = softdevice_sum(sum.high, softdevice_stirling(x));
  double power = softdevice_exp(all.high, all.low + sum.low + to.low);
  return 0x1.40d931ff62706p+1 * power / divisor;
}
/* 25 ulp */
SOFTDEVICE_MATH double tgamma(double x)
{
  if (x != x || x == SOFTDEVICE_INFINITY)
    return x;
  /* 1 / x - 0.577… */
  if (__builtin_fabs(x) < 0x1p-60)
    return 1 / x;
  if (x > 0)
    return softdevice_gamma(x);
  if (x == __builtin_trunc(x))
    return SOFTDEVICE_NAN;
  if (x < -185)
    return __builtin_copysign(0.0, sinpi(x));
  /* Γ(x) Γ(1 - x) = π / sin πx, the second one in two steps. */
  double other = -x < 170 ? softdevice_gamma(-x) : softdevice_gamma(-x - 15);
  double answer = -SOFTDEVICE_PI / (x * sinpi(x)) / other;
  if (-x >= 170)
    for (int i = 1; i <= 15; i++)
      answer /= -x - i;
  return answer;
}
/* 14 ulp of the result, or of 1 where the result is smaller */
SOFTDEVICE_MATH double lgamma(double x)
{
  if (x != x)
    return x;
  if (__builtin_fabs(x) == SOFTDEVICE_INFINITY)
    return SOFTDEVICE_INFINITY;
  if (x <= 0 && x == __builtin_trunc(x))
    return SOFTDEVICE_INFINITY;
  if (__builtin_fabs(x) < 0x1p-60)
    return -log(__builtin_fabs(x));
  if (x <= 0)
    return log(SOFTDEVICE_PI / __builtin_fabs(x * sinpi(x))) - lgamma(-x);
  /* Where it overflows, so that no product on the way does for smaller x. */
  if (x > 0x1.754d9278b51a7p+1014)
    return SOFTDEVICE_INFINITY;
  double divisor = 1, y = x;
  for (; y < 10; y += 1)
    divisor *= y;
  softdevice_pair log_y = softdevice_log(y, 0);
  softdevice_pair to = softdevice_product(log_y.high, y - 0.5);
  softdevice_pair sum = softdevice_sum(to.high, -y);
  softdevice_pair below = softdevice_log(divisor, 0);
  softdevice_pair all = softdevice_sum(sum.high, -below.high);
  return all.high +
         (0x1.d67f1c864beb5p-1 + (softdevice_stirling(y) + all.low + sum.low +
                                  to.low + log_y.low * (y - 0.5) - below.low));
}

/* --- whole numbers, remainders, single bits ------------------------------ */

SOFTDEVICE_MATH double ceil(double x) { return __builtin_ceil(x); }
SOFTDEVICE_MATH double floor(double x) { return __builtin_floor(x); }
SOFTDEVICE_MATH double trunc(double x) { return __builtin_trunc(x); }
SOFTDEVICE_MATH double rint(double x) { return __builtin_rint(x); }
SOFTDEVICE_MATH double nearbyint(double x) { return __builtin_rint(x); }
SOFTDEVICE_MATH double round(double x)
{
  double whole = __builtin_trunc(x);
  if (__builtin_fabs(x - whole) >= 0.5)
    whole += __builtin_copysign(1.0, x);
  return __builtin_copysign(whole, x);
}
SOFTDEVICE_MATH long long llrint(double x) { return __double2ll_rn(x); }
SOFTDEVICE_MATH long lrint(double x) { return (long)__double2ll_rn(x); }
SOFTDEVICE_MATH long long llround(double x) { return __double2ll_rz(round(x)); }
SOFTDEVICE_MATH long lround(double x) { return (long)llround(x); }
SOFTDEVICE_MATH double fabs(double x) { return __builtin_fabs(x); }
SOFTDEVICE_MATH double copysign(double x, double y)
{
  return __builtin_copysign(x, y);
}
SOFTDEVICE_MATH double fma(double x, double y, double z)
{
  return __builtin_fma(x, y, z);
}
SOFTDEVICE_MATH double fmax(double x, double y) { return __nvvm_fmax_d(x, y); }
SOFTDEVICE_MATH double fmin(double x, double y) { return __nvvm_fmin_d(x, y); }
SOFTDEVICE_MATH double fdim(double x, double y)
{
  return x != x || y != y ? x + y : x > y ? x - y : 0;
}
SOFTDEVICE_MATH double ldexp(double x, int n) { return scalbn(x, n); }
SOFTDEVICE_MATH double scalbln(double x, long n)
{
  return scalbn(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n);
}
SOFTDEVICE_MATH int ilogb(double x)
{
  int e;
  if (x == 0 || x != x)
    return -2147483647 - 1;
  if (__builtin_fabs(x) == SOFTDEVICE_INFINITY)
    return 2147483647;
  frexp(x, &e);
  return e - 1;
}
SOFTDEVICE_MATH double logb(double x)
{
  if (x == 0)
    return -SOFTDEVICE_INFINITY;
  return !(__builtin_fabs(x) < SOFTDEVICE_INFINITY) ? x * x : ilogb(x);
}
SOFTDEVICE_MATH double modf(double x, double *whole)
{
  *whole = __builtin_trunc(x);
  return __builtin_copysign(
      __builtin_fabs(x) == SOFTDEVICE_INFINITY ? 0 : x - *whole, x);
}
SOFTDEVICE_MATH double nextafter(double x, double y)
{
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  if (x == 0)
    return __builtin_copysign(0x1p-1074, y);
  long long bits = softdevice_bits(x);
  return __longlong_as_double((x < y) == (x > 0) ? bits + 1 : bits - 1);
}

/* The remainder of the absolute values, exactly, by long division; the last
 * bits of the quotient in *quotient. */
SOFTDEVICE_MATH double softdevice_remainder(double a, double b,
                                            unsigned int *quotient)
{
  int e_a, e_b;
  unsigned int q = 0;
  unsigned long long m_a = (unsigned long long)(frexp(a, &e_a) * 0x1p+53);
  unsigned long long m_b = (unsigned long long)(frexp(b, &e_b) * 0x1p+53);

  *quotient = 0;
  if (a < b)
    return a;
  for (int n = e_a - e_b; n >= 0; n--) {
    q <<= 1;
    if (m_a >= m_b)
      m_a -= m_b, q |= 1;
    if (n > 0)
      m_a <<= 1;
  }
  *quotient = q;
  return scalbn((double)m_a, e_b - 53);
}
SOFTDEVICE_MATH double fmod(double x, double y)
{
  unsigned int quotient;
  double a = __builtin_fabs(x), b = __builtin_fabs(y);
  if (!(a < SOFTDEVICE_INFINITY) || b == 0 || b != b)
    return SOFTDEVICE_NAN;
  if (b == SOFTDEVICE_INFINITY)
    return x;
  return __builtin_copysign(softdevice_remainder(a, b, &quotient), x);
}
SOFTDEVICE_MATH double remquo(double x, double y, int *quotient)
{
  unsigned int q = 0;
  double a = __builtin_fabs(x), b = __builtin_fabs(y), r = a;

  *quotient = 0;
  if (!(a < SOFTDEVICE_INFINITY) || b == 0 || b != b)
    return SOFTDEVICE_NAN;
  if (b != SOFTDEVICE_INFINITY)
    r = softdevice_remainder(a, b, &q);
  /* To the nearest multiple, an even one when there are two: r and b - r are
   * exact, and 2 r may overflow. */
  if (r > b - r || (r == b - r && (q & 1)))
    r -= b, q++;
  q &= 0x7fffffff;
  *quotient = (x < 0) != (y < 0) ? -(int)q : (int)q;
  return x < 0 || (x == 0 && 1 / x < 0) ? -r : r;
}
SOFTDEVICE_MATH double remainder(double x, double y)
{
  int quotient;
  return remquo(x, y, &quotient);
}

#endif
