/* Errors of the mathematical functions of device/include. Each runs on the
 * device over arguments of all ranges; the reference is the C library in long
 * double, whose own error is below 0.01 ulp of double precision. Prints per
 * function the largest error in ulp and the arguments where it is. A special
 * value (NaN, an infinity, a zero and its sign) that isn't C's is an error of
 * infinitely many ulp.
 *
 * The errors are compared with the stated ones by the script `math`. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6144 };

/* --- references that the C library lacks --------------------------------- */

typedef long double wide;
static const wide WIDE_PI = 3.14159265358979323846264338327950288L;

static wide r_id(wide x, wide) { return x; }
/* sin (x π + shift π/2), reduced exactly. */
static wide wave_pi(wide x, int shift)
{
  if (!isfinite(x))
    return NAN;
  wide y = fmodl(x, 2), n = rintl(2 * y), f = (y - n / 2) * WIDE_PI;
  int quadrant = ((int)n + shift) & 3;
  wide wave = quadrant & 1 ? cosl(f) : sinl(f);
  wave = quadrant & 2 ? -wave : wave;
  if (wave == 0)
    return shift ? 0 : copysignl(0, x);
  return wave;
}
static wide r_sinpi(wide x, wide) { return wave_pi(x, 0); }
static wide r_cospi(wide x, wide) { return wave_pi(x, 1); }
static wide r_rsqrt(wide x, wide) { return 1 / sqrtl(x); }
static wide r_rcbrt(wide x, wide) { return 1 / cbrtl(x); }
static wide r_rhypot(wide x, wide y) { return 1 / hypotl(x, y); }
static wide r_divide(wide x, wide y) { return x / y; }
static wide r_powi(wide x, wide y) { return powl(x, (int)y); }
static wide r_scale(wide x, wide y) { return scalbnl(x, (int)y); }
static wide r_fraction(wide x, wide)
{
  int e;
  return frexpl(x, &e);
}
static wide r_exponent(wide x, wide)
{
  int e = 0;
  frexpl(x, &e);
  return isfinite(x) ? e : 0;
}
static wide r_rest(wide x, wide)
{
  wide whole;
  return modfl(x, &whole);
}
static wide r_quotient(wide x, wide y)
{
  int quotient = 0;
  if (!isfinite(x) || isnan(y) || y == 0)
    return 0;
  remquol(x, y, &quotient);
  return quotient & 7;
}

#define WIDE_1(name)                                                           \
  static wide r_##name(wide x, wide) { return name##l(x); }
#define WIDE_2(name)                                                           \
  static wide r_##name(wide x, wide y) { return name##l(x, y); }
WIDE_1(sqrt)
WIDE_1(cbrt)
WIDE_1(exp)
WIDE_1(exp2)
WIDE_1(exp10)
WIDE_1(expm1)
WIDE_1(log)
WIDE_1(log2)
WIDE_1(log10)
WIDE_1(log1p)
WIDE_1(sin)
WIDE_1(cos)
WIDE_1(tan)
WIDE_1(asin)
WIDE_1(acos)
WIDE_1(atan)
WIDE_1(sinh)
WIDE_1(cosh)
WIDE_1(tanh)
WIDE_1(asinh)
WIDE_1(acosh)
WIDE_1(atanh)
WIDE_1(erf)
WIDE_1(erfc)
WIDE_1(tgamma)
WIDE_1(lgamma)
WIDE_1(ceil)
WIDE_1(floor)
WIDE_1(trunc)
WIDE_1(rint)
WIDE_1(round)
WIDE_1(logb)
WIDE_2(hypot)
WIDE_2(pow)
WIDE_2(atan2)
WIDE_2(fmod)
WIDE_2(remainder)
WIDE_2(fdim)
/* C leaves open which zero is the larger one, PTX does not: +0. */
static wide r_fmax(wide x, wide y)
{
  return x == 0 && y == 0 ? signbit(x) ? y : x : fmaxl(x, y);
}
static wide r_fmin(wide x, wide y)
{
  return x == 0 && y == 0 ? signbit(x) ? x : y : fminl(x, y);
}
/* Neighbours depend on the type. */
static wide r_nextafter(wide x, wide y)
{
  return nextafter((double)x, (double)y);
}
static wide r_nextafterf(wide x, wide y)
{
  return nextafterf((float)x, (float)y);
}

/* --- the functions ------------------------------------------------------- */

/* One row each: name, what the device computes, reference, kind of its
 * arguments. 1: one argument; 2: two; p: a power; i: a whole second one. Those of
 * BOTH are there for float, too, with an f behind their names. */
#define BOTH(X, f)                                                             \
  X(sqrt##f, sqrt##f(x), sqrt, 1)                                              \
  X(rsqrt##f, rsqrt##f(x), rsqrt, 1)                                           \
  X(cbrt##f, cbrt##f(x), cbrt, 1)                                              \
  X(rcbrt##f, rcbrt##f(x), rcbrt, 1)                                           \
  X(hypot##f, hypot##f(x, y), hypot, 2)                                        \
  X(rhypot##f, rhypot##f(x, y), rhypot, 2)                                     \
  X(exp##f, exp##f(x), exp, 1)                                                 \
  X(exp2##f, exp2##f(x), exp2, 1)                                              \
  X(exp10##f, exp10##f(x), exp10, 1)                                           \
  X(expm1##f, expm1##f(x), expm1, 1)                                           \
  X(log##f, log##f(x), log, 1)                                                 \
  X(log2##f, log2##f(x), log2, 1)                                              \
  X(log10##f, log10##f(x), log10, 1)                                           \
  X(log1p##f, log1p##f(x), log1p, 1)                                           \
  X(pow##f, pow##f(x, y), pow, p)                                              \
  X(powi##f, powi##f(x, (int)y), powi, i)                                      \
  X(sin##f, sin##f(x), sin, 1)                                                 \
  X(cos##f, cos##f(x), cos, 1)                                                 \
  X(tan##f, tan##f(x), tan, 1)                                                 \
  X(sinpi##f, sinpi##f(x), sinpi, 1)                                           \
  X(cospi##f, cospi##f(x), cospi, 1)                                           \
  X(atan2##f, atan2##f(x, y), atan2, 2)                                        \
  X(atan##f, atan##f(x), atan, 1)                                              \
  X(asin##f, asin##f(x), asin, 1)                                              \
  X(acos##f, acos##f(x), acos, 1)                                              \
  X(sinh##f, sinh##f(x), sinh, 1)                                              \
  X(cosh##f, cosh##f(x), cosh, 1)                                              \
  X(tanh##f, tanh##f(x), tanh, 1)                                              \
  X(asinh##f, asinh##f(x), asinh, 1)                                           \
  X(acosh##f, acosh##f(x), acosh, 1)                                           \
  X(atanh##f, atanh##f(x), atanh, 1)                                           \
  X(erf##f, erf##f(x), erf, 1)                                                 \
  X(erfc##f, erfc##f(x), erfc, 1)                                              \
  X(tgamma##f, tgamma##f(x), tgamma, 1)                                        \
  X(lgamma##f, lgamma##f(x), lgamma, 1)                                        \
  X(rint##f, rint##f(x), rint, 1)                                              \
  X(round##f, round##f(x), round, 1)                                           \
  X(fmod##f, fmod##f(x, y), fmod, 2)                                           \
  X(remainder##f, remainder##f(x, y), remainder, 2)                            \
  X(scalbn##f, scalbn##f(x, (int)y), scale, i)

#define DOUBLES(X)                                                             \
  BOTH(X, )                                                                    \
  X(ceil, ceil(x), ceil, 1)                                                    \
  X(floor, floor(x), floor, 1)                                                 \
  X(trunc, trunc(x), trunc, 1)                                                 \
  X(logb, logb(x), logb, 1)                                                    \
  X(frexp, fraction(x), fraction, 1)                                           \
  X(modf, rest(x), rest, 1)                                                    \
  X(remquo, quotient(x, y), quotient, 2)                                       \
  X(fmax, fmax(x, y), fmax, 2)                                                 \
  X(fmin, fmin(x, y), fmin, 2)                                                 \
  X(fdim, fdim(x, y), fdim, 2)                                                 \
  X(nextafter, nextafter(x, y), nextafter, 2)

#define FLOATS(X)                                                              \
  BOTH(X, f)                                                                   \
  X(nextafterf, nextafterf(x, y), nextafterf, 2)

/* Approximations: the third column is the error that is allowed at x, in ulp of
 * the result (of exponent e), negative for an absolute one. */
#define INTRINSICS(X)                                                          \
  X(__frsqrt_rn, __frsqrt_rn(x), rsqrt, 2, true)                               \
  X(__fdividef, __fdividef(x, y), divide, 2,                                   \
    fabs(y) >= 0x1p-126 && fabs(y) <= 0x1p+126)                                \
  X(__sinf, __sinf(x), sin, -exp2(-20.5), fabs(x) <= M_PI)                     \
  X(__cosf, __cosf(x), cos, -exp2(-20.9), fabs(x) <= M_PI)                     \
  X(__expf, __expf(x), exp, 2 + floor(fabs(1.173 * x)), true)                  \
  X(__exp10f, __exp10f(x), exp10, 2 + floor(fabs(2.97 * x)), true)             \
  X(__log2f, __log2f(x), log2, x<0.5 || x> 2 ? 2 : -exp2(-22), true)           \
  X(__logf, __logf(x), log, x<0.5 || x> 2 ? 3 : -exp2(-21.4), true)            \
  X(__log10f, __log10f(x), log10, x<0.5 || x> 2 ? 3 : -exp2(-22), true)

__device__ double fraction(double x)
{
  int e;
  return frexp(x, &e);
}
__device__ double rest(double x)
{
  double whole;
  return modf(x, &whole);
}
__device__ double quotient(double x, double y)
{
  int q;
  remquo(x, y, &q);
  return q & 7;
}

#define KERNEL(type, name, value)                                              \
  __global__ void k_##name(const type *xs, const type *ys, type *out)          \
  {                                                                            \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                             \
    type x = xs[i], y = ys[i];                                                 \
    (void)y;                                                                   \
    out[i] = value;                                                            \
  }
#define KERNEL_D(name, value, reference, kind) KERNEL(double, name, value)
#define KERNEL_F(name, value, reference, kind) KERNEL(float, name, value)
DOUBLES(KERNEL_D)
FLOATS(KERNEL_F)
#define KERNEL_I(name, value, reference, allowed, where)                       \
  KERNEL(float, name, value)                                                   \
  static double allowed_##name(double x, double y)                             \
  {                                                                            \
    (void)x, (void)y;                                                          \
    return where ? allowed : NAN;                                              \
  }
INTRINSICS(KERNEL_I)

/* --- arguments ----------------------------------------------------------- */

static unsigned long long state = 88172645463325252ull;
static unsigned long long random_bits(void)
{
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}
static double uniform(double from, double to)
{
  return from + (to - from) * ((random_bits() >> 11) * 0x1p-53);
}
static double sign(void) { return random_bits() & 1 ? -1 : 1; }

template <class T> struct limits;
template <> struct limits<double> {
  static double any(void)
  {
    unsigned long long bits = random_bits();
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
  }
  static const int digits = 53, least = -1022;
  static double largest(void) { return DBL_MAX; }
};
template <> struct limits<float> {
  static float any(void)
  {
    unsigned bits = (unsigned)(random_bits() >> 20);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
  }
  static const int digits = 24, least = -126;
  static float largest(void) { return FLT_MAX; }
};

static const double special[] = {
  0,
  0x1p-1074,
  0x1p-149,
  0x0.fffffep-126,
  0x0.fffffffffffffp-1022,
  0x1p-1022,
  0x1p-126,
  0.25,
  0.5,
  0x1.fffffep-2,
  0x1.fffffffffffffp-2,
  0x1.fffffep-1,
  0x1.fffffffffffffp-1,
  1,
  0x1.000002p+0,
  0x1.0000000000001p+0,
  1.5,
  2,
  2.5,
  3,
  4,
  10,
  33,
  171,
  0x1.573fae561f647p+7,
  172,
  183.5,
  184,
  185.25,
  709.782712893384,
  710.4758600739439,
  745.1332191019411,
  88.72283935546875,
  103.972076,
  1024,
  1075,
  308.2547155599167,
  323.3062153431158,
  38.5318394,
  44.8534698,
  0x1p+23,
  0x1.000001p+23,
  0x1p+24,
  0x1p+52,
  0x1p+53,
  0x1.8p+52, /* the double nearest to a multiple of π/2 */
  0x1.6ac5b262ca1ffp+849,
  0x1.fffffep+127,
  0x1.fffffffffffffp+1023,
  INFINITY,
  NAN
};
enum { N_SPECIAL = sizeof special / sizeof *special };

/* A number of a range that some function finds hard. */
template <class T> static T number(int i)
{
  T x;
  switch (i % 16) {
  case 0:
  case 1: return limits<T>::any();
  case 2: return (T)uniform(-1, 1);
  case 3: return (T)uniform(-3, 3);
  case 4: return (T)uniform(-30, 30);
  case 5: return (T)uniform(-200, 200);
  case 6: return (T)uniform(-760, 760);
  case 7: return (T)(sign() * exp2(uniform(-60, 60)));
  case 8: return (T)(1 + sign() * exp2(uniform(-54, 0)));
  case 9: return (T)(sign() * exp2(uniform(0, 30)));
  case 10: /* about a multiple of π/2 */
    x = (T)(WIDE_PI / 2 * (long)(exp2(uniform(0, 40)) * sign()));
    return random_bits() & 1 ? x
                             : (T)(x * (1 + 4 * uniform(-1, 1) *
                                                ldexp(1, -limits<T>::digits)));
  case 11: /* about a whole number */
    return (T)((long)uniform(-190, 190) + sign() * exp2(uniform(-52, -2)));
  case 12: /* 2 and the zeros of lgamma below 0 */
  {
    static const double zero[] = { 2, -2.4570247382208006, -2.7476826467274127,
                                   -3.1435808883499798, -3.9552942848585979 };
    return (T)(zero[random_bits() % 5] * (1 + sign() * exp2(uniform(-52, -3))));
  }
  case 13: return (T)(sign() * ldexp(uniform(0, 1), limits<T>::least));
  case 14: return (T)((long)uniform(-400, 400) * 0.5);
  default: return (T)uniform(-6, 6);
  }
}

template <class T> static void make_arguments(char kind, T *x, T *y)
{
  for (int i = 0; i < N; i++) {
    x[i] = number<T>(i), y[i] = number<T>((int)(random_bits() >> 40));
    if (i < 2 * N_SPECIAL)
      x[i] = (T)(i & 1 ? -special[i / 2] : special[i / 2]);
    if (kind == '1' || i < N_SPECIAL)
      continue;
    /* Both special: pairs of those at either end and at 1. */
    if (i < 1000) {
      int a = (int)(random_bits() % N_SPECIAL);
      int b = (int)(random_bits() % N_SPECIAL);
      x[i] = (T)(sign() * special[a]), y[i] = (T)(sign() * special[b]);
    } else if (kind == '2' && i < 1200) {
      /* Beside the largest number. */
      x[i] = (T)(limits<T>::largest() * uniform(-1, 1));
      y[i] = (T)(limits<T>::largest() * uniform(-1, 1));
    } else if (kind == '2' && i & 1)
      y[i] = (T)(x[i] * exp2(uniform(-4, 4)) * sign());
    else if (kind == 'p' && i & 1) {
      /* A result within the range. */
      x[i] = (T)exp2(sign() * exp2(uniform(-45, 4)));
      y[i] = (T)(uniform(limits<T>::least - 50, -limits<T>::least + 3) /
                 log2((double)x[i]));
    }
  }
  for (int i = 0; kind == 'i' && i < N; i++)
    y[i] = (T)(int)(i & 1 ? uniform(-30, 30) : uniform(-2200, 2200));
}

/* --- errors -------------------------------------------------------------- */

/* Of lgamma the unit is never below that of 1: it is a sum that may be 0. */
template <class T> static double error_of(T result, wide exact, bool near_zero)
{
  if (isnan(exact) || isnan(result))
    return isnan(exact) && isnan(result) ? 0 : INFINITY;
  if (isinf(exact) || exact == 0 || result == 0) {
    if (signbit(exact) != signbit(result) && !(near_zero && exact != 0))
      return INFINITY;
    if (isinf(exact) || exact == 0)
      return (wide)result == exact ? 0 : INFINITY;
  }
  /* Infinity is what follows the largest number. */
  wide end = scalbnl(1, 1 - limits<T>::least + 1), r = result, e = exact;
  r = isinf(r) ? copysignl(end, r) : r;
  e = fabsl(e) > end ? copysignl(end, e) : e;
  int exponent = ilogbl(e);
  int most = -limits<T>::least + 1;
  exponent = exponent < limits<T>::least ? limits<T>::least : exponent;
  exponent = exponent > most ? most : exponent;
  if (near_zero && exponent < 0)
    exponent = 0;
  return (double)scalbnl(fabsl(r - e), limits<T>::digits - 1 - exponent);
}

template <class T>
static bool measure(const char *name, void (*kernel)(const T *, const T *, T *),
                    wide (*reference)(wide, wide), char kind,
                    double (*allowed)(double, double) = nullptr)
{
  static T x[N], y[N], out[N];
  T *at;
  make_arguments(kind, x, y);
  if (cudaMalloc(&at, 3 * sizeof x) != cudaSuccess)
    return false;
  cudaMemcpy(at, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(at + N, y, sizeof y, cudaMemcpyHostToDevice);
  kernel<<<N / 128, 128>>>(at, at + N, at + 2 * N);
  if (cudaMemcpy(out, at + 2 * N, sizeof out, cudaMemcpyDeviceToHost) !=
      cudaSuccess) {
    printf("%s: %s\n", name, cudaGetErrorString(cudaGetLastError()));
    return false;
  }
  cudaFree(at);
  /* erfc has an error of its own between 0.5 and 1. */
  bool is_split = strcmp(name, "erfc") == 0;
  double worst[2] = { 0, 0 };
  int where[2] = { 0, 0 };
  for (int i = 0; i < N; i++) {
    wide exact = reference(x[i], y[i]);
    double error = error_of(out[i], exact, strcmp(name, "lgamma") == 0);
    if (allowed != nullptr) {
      /* The error is a share of the allowed one; NaN: none is stated. */
      double most = allowed(x[i], y[i]);
      bool is_special = !isfinite(error) || !isfinite(most);
      if (isnan(most) && !isnan(x[i]))
        continue;
      if (!is_special && most < 0 && isfinite(exact))
        error = (double)fabsl(out[i] - exact) / -most;
      else if (!is_special)
        error /= most;
    }
    int part = is_split && x[i] > 0.5 && x[i] <= 1;
    if (error > worst[part])
      worst[part] = error, where[part] = i;
  }
  for (int part = 0; part <= is_split; part++) {
    int i = where[part];
    printf("%s%s\t%.4f\t%a", name, part ? " inside" : "", worst[part],
           (double)x[i]);
    printf("\t%a\t%a\n", (double)y[i], (double)out[i]);
  }
  return true;
}

int main(void)
{
  bool done = true;
#define MEASURE(name, value, reference, kind)                                  \
  done &= measure(#name, k_##name, r_##reference, #kind[0]);
  DOUBLES(MEASURE)
  FLOATS(MEASURE)
#define MEASURE_I(name, value, reference, allowed, where)                      \
  done &= measure(#name, k_##name, r_##reference, '2', allowed_##name);
  INTRINSICS(MEASURE_I)
  return !done;
}
