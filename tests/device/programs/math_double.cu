// The functions of double precision, against the host's.
#include "check.h"

/* clang-format off */
#define UNARY(X) \
  X(sin, sin, -20, 20, 2) X(cos, cos, -20, 20, 2) X(tan, tan, -1.5, 1.5, 4) \
  X(asin, asin, -1, 1, 4) X(acos, acos, -1, 1, 4) X(atan, atan, -9, 9, 3) \
  X(sinh, sinh, -5, 5, 4) X(cosh, cosh, -5, 5, 4) X(tanh, tanh, -4, 4, 3) \
  X(asinh, asinh, -9, 9, 4) X(acosh, acosh, 1, 20, 5) \
  X(atanh, atanh, -.9, .9, 4) X(exp, exp, -20, 20, 3) \
  X(exp2, exp2, -20, 20, 3) X(expm1, expm1, -3, 3, 2) \
  X(log, log, .01, 90, 2) X(log2, log2, .01, 90, 2) \
  X(log10, log10, .01, 90, 3) X(log1p, log1p, -.9, 9, 2) \
  X(sqrt, sqrt, 0, 99, 1) X(cbrt, cbrt, -99, 99, 2) X(erf, erf, -3, 3, 3) \
  X(erfc, erfc, -3, 3, 7) X(tgamma, tgamma, .5, 9, 11) \
  X(lgamma, lgamma, 3, 40, 7) X(j0, j0, .1, 2, 20) X(j1, j1, .1, 2, 20) \
  X(y0, y0, 2, 3, 40) X(ceil, ceil, -9, 9, 0) X(floor, floor, -9, 9, 0) \
  X(trunc, trunc, -9, 9, 0) X(rint, rint, -9, 9, 0) \
  X(round, round, -9, 9, 0) X(fabs, fabs, -9, 9, 0) \
  X(exp10, exp10_, -9, 9, 3) X(rsqrt, rsqrt_, .1, 99, 3) \
  X(sinpi, sinpi_, -3, 3, 3) X(cospi, cospi_, -.4, .4, 3) \
  X(erfinv, erfinv_, -.9, .9, 8) X(normcdf, normcdf_, -2, 2, 8) \
  X(rcbrt, rcbrt_, .5, 99, 3) X(erfcinv, erfcinv_, .1, 1.9, 8) \
  X(erfcx, erfcx_, -1, 3, 8) X(normcdfinv, normcdfinv_, .1, .9, 8) \
  X(cyl_bessel_i0, i0_, .1, 2, 8) X(logb, logb, .1, 99, 0)
/* clang-format on */

static double exp10_(double x) { return pow(10, x); }
static double rsqrt_(double x) { return 1 / sqrt(x); }
static double sinpi_(double x)
{
  return (double)sinl(M_PIl * ((long double)x - 2 * rintl((long double)x / 2)));
}
static double cospi_(double x) { return (double)cosl(M_PIl * (long double)x); }
static double normcdf_(double x) { return erfc(-x / sqrt(2.)) / 2; }
static double rcbrt_(double x) { return 1 / cbrt(x); }
static double erfcx_(double x) { return exp(x * x) * erfc(x); }
static double inverse(double (*f)(double), double y, double a, double b)
{
  for (int i = 0; i < 200; i++) {
    double m = (a + b) / 2;
    ((f(m) < y) == (f(a) < f(b)) ? a : b) = m;
  }
  return a;
}
static double erfinv_(double y) { return inverse(erf, y, -6, 6); }
static double erfcinv_(double y) { return inverse(erfc, y, -6, 6); }
static double normcdfinv_(double y) { return inverse(normcdf_, y, -9, 9); }
static double i0_(double x) { return std::cyl_bessel_i(0, x); }

#define KERNEL(f, g, a, b, u)                                                  \
  __global__ void k_##f(const double *x, double *y)                            \
  {                                                                            \
    y[threadIdx.x] = f(x[threadIdx.x]);                                        \
  }
UNARY(KERNEL)

__global__ void two(const double *x, double *y)
{
  double a = x[threadIdx.x], b = x[(threadIdx.x + 77) % 256];
  double *o = y + threadIdx.x * 16;
  int e, q;
  o[0] = pow(fabs(a), b);
  o[1] = atan2(a, b);
  o[2] = hypot(a, b);
  o[3] = fmod(a, b);
  o[4] = remainder(a, b);
  o[5] = fdim(a, b);
  o[6] = fma(a, b, 1.);
  o[7] = copysign(a, b);
  o[8] = fmin(a, b);
  o[9] = ldexp(a, 3);
  o[10] = frexp(a, &e);
  o[10] += e;
  o[11] = remquo(a, b, &q);
  o[12] = nextafter(a, b);
  sincos(a, &o[13], &o[14]);
  o[15] = modf(a, &b);
}

static double *x, *y;

static double ulps(double got, double want)
{
  double f = (double)want;
  double unit = fabs(nextafter(fabs(f), INFINITY) - fabs(f));
  return fabs(got - want) / (unit > 2e-17 ? unit : 2e-17);
}

int main()
{
  x = managed<double>(256);
  y = managed<double>(256 * 16);
#define RUN(f, g, a, b, u)                                                     \
  for (int i = 0; i < 256; i++)                                                \
    x[i] = (double)((a) + ((b) - (a)) * i / 255.);                             \
  k_##f<<<1, 256>>>(x, y);                                                     \
  CUDA(cudaDeviceSynchronize());                                               \
  for (int i = 0; i < 256; i++)                                                \
    if (!(ulps(y[i], g((double)x[i])) <= 4 * (u) + 3.51) && failures++ < 20)   \
      fprintf(stderr, #f "(%.17g) = %.17g, expected %.17g\n", x[i], y[i],      \
              g((double)x[i]));
  UNARY(RUN)
  for (int i = 0; i < 256; i++)
    x[i] = (i * 37 % 256 - 127.3) / 16;
  two<<<1, 256>>>(x, y);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 256; i++) {
    double a = x[i], b = x[(i + 77) % 256], *o = y + i * 16, t;
    int e, q;
    double fraction = frexp(a, &e);
    EXPECT(ulps(o[0], pow(fabs((double)a), b)) <= 8.5);
    EXPECT(ulps(o[1], atan2((double)a, b)) <= 3.5);
    EXPECT(ulps(o[2], hypot((double)a, b)) <= 3.5);
    EXPECT(o[3] == fmod(a, b) && o[4] == remainder(a, b));
    EXPECT(o[5] == fdim(a, b) && o[6] == fma(a, b, 1.));
    EXPECT(o[7] == copysign(a, b) && o[8] == fmin(a, b));
    EXPECT(o[9] == ldexp(a, 3) && o[10] == fraction + e);
    EXPECT(o[11] == remquo(a, b, &q) && o[12] == nextafter(a, b));
    EXPECT(ulps(o[13], sin((double)a)) <= 2.5 &&
           ulps(o[14], cos((double)a)) <= 2.5);
    EXPECT(o[15] == modf(a, &t));
  }
  return failures != 0;
}
