// The functions of single precision, against the host's double precision.
#include "check.h"

/* clang-format off */
#define UNARY(X) \
  X(sinf, sin, -20, 20, 2) X(cosf, cos, -20, 20, 2) \
  X(tanf, tan, -1.5, 1.5, 4) X(asinf, asin, -1, 1, 4) \
  X(acosf, acos, -1, 1, 4) X(atanf, atan, -9, 9, 3) X(sinhf, sinh, -5, 5, 4) \
  X(coshf, cosh, -5, 5, 4) X(tanhf, tanh, -4, 4, 3) \
  X(asinhf, asinh, -9, 9, 4) X(acoshf, acosh, 1, 20, 5) \
  X(atanhf, atanh, -.9, .9, 4) X(expf, exp, -20, 20, 3) \
  X(exp2f, exp2, -20, 20, 3) X(expm1f, expm1, -3, 3, 2) \
  X(logf, log, .01, 90, 2) X(log2f, log2, .01, 90, 2) \
  X(log10f, log10, .01, 90, 3) X(log1pf, log1p, -.9, 9, 2) \
  X(sqrtf, sqrt, 0, 99, 1) X(cbrtf, cbrt, -99, 99, 2) X(erff, erf, -3, 3, 3) \
  X(erfcf, erfc, -3, 3, 7) X(tgammaf, tgamma, .5, 9, 11) \
  X(lgammaf, lgamma, 3, 40, 7) X(j0f, j0, .1, 2, 20) X(j1f, j1, .1, 2, 20) \
  X(y0f, y0, 2, 3, 40) X(ceilf, ceil, -9, 9, 0) X(floorf, floor, -9, 9, 0) \
  X(truncf, trunc, -9, 9, 0) X(rintf, rint, -9, 9, 0) \
  X(roundf, round, -9, 9, 0) X(fabsf, fabs, -9, 9, 0) \
  X(exp10f, exp10_, -9, 9, 3) X(rsqrtf, rsqrt_, .1, 99, 3) \
  X(sinpif, sinpi_, -3, 3, 3) X(cospif, cospi_, -.4, .4, 3) \
  X(erfinvf, erfinv_, -.9, .9, 8) X(normcdff, normcdf_, -2, 2, 8) \
  X(rcbrtf, rcbrt_, .5, 99, 3) X(erfcinvf, erfcinv_, .1, 1.9, 8) \
  X(erfcxf, erfcx_, -1, 3, 8) X(normcdfinvf, normcdfinv_, .1, .9, 8) \
  X(cyl_bessel_i0f, i0_, .1, 2, 8) X(logbf, logb, .1, 99, 0) \
  X(__sinf, sin, -3, 3, 1e9) X(__expf, exp, -3, 3, 9) \
  X(__logf, log, 2, 9, 9)
/* clang-format on */

static double exp10_(double x) { return pow(10, x); }
static double rsqrt_(double x) { return 1 / sqrt(x); }
static double sinpi_(double x) { return sin(M_PI * x); }
static double cospi_(double x) { return cos(M_PI * x); }
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
  __global__ void k_##f(const float *x, float *y)                              \
  {                                                                            \
    y[threadIdx.x] = f(x[threadIdx.x]);                                        \
  }
UNARY(KERNEL)

__global__ void two(const float *x, float *y)
{
  float a = x[threadIdx.x], b = x[(threadIdx.x + 77) % 256];
  float *o = y + threadIdx.x * 16;
  int e, q;
  o[0] = powf(fabsf(a), b);
  o[1] = atan2f(a, b);
  o[2] = hypotf(a, b);
  o[3] = fmodf(a, b);
  o[4] = remainderf(a, b);
  o[5] = fdimf(a, b);
  o[6] = fmaf(a, b, 1.f);
  o[7] = copysignf(a, b);
  o[8] = fminf(a, b);
  o[9] = ldexpf(a, 3);
  o[10] = frexpf(a, &e);
  o[10] += e;
  o[11] = remquof(a, b, &q);
  o[12] = nextafterf(a, b);
  sincosf(a, &o[13], &o[14]);
  o[15] = modff(a, &b);
}

static float *x, *y;

static double ulps(float got, double want)
{
  float f = (float)want;
  double unit = fabs((double)nextafterf(fabsf(f), INFINITY) - fabs(f));
  return fabs(got - want) / (unit > 1e-15 ? unit : 1e-15);
}

int main()
{
  x = managed<float>(256);
  y = managed<float>(256 * 16);
#define RUN(f, g, a, b, u)                                                     \
  for (int i = 0; i < 256; i++)                                                \
    x[i] = (float)((a) + ((b) - (a)) * i / 255.);                              \
  k_##f<<<1, 256>>>(x, y);                                                     \
  CUDA(cudaDeviceSynchronize());                                               \
  for (int i = 0; i < 256; i++)                                                \
    if (!(ulps(y[i], g((double)x[i])) <= (u) + .51) && failures++ < 20)        \
      fprintf(stderr, #f "(%.9g) = %.9g, expected %.9g\n", x[i], y[i],         \
              g((double)x[i]));
  UNARY(RUN)
  for (int i = 0; i < 256; i++)
    x[i] = (i * 37 % 256 - 127.3f) / 16;
  two<<<1, 256>>>(x, y);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 256; i++) {
    float a = x[i], b = x[(i + 77) % 256], *o = y + i * 16, t;
    int e, q;
    float fraction = frexpf(a, &e);
    EXPECT(ulps(o[0], pow(fabs((double)a), b)) <= 8.5);
    EXPECT(ulps(o[1], atan2((double)a, b)) <= 3.5);
    EXPECT(ulps(o[2], hypot((double)a, b)) <= 3.5);
    EXPECT(o[3] == fmodf(a, b) && o[4] == remainderf(a, b));
    EXPECT(o[5] == fdimf(a, b) && o[6] == fmaf(a, b, 1.f));
    EXPECT(o[7] == copysignf(a, b) && o[8] == fminf(a, b));
    EXPECT(o[9] == ldexpf(a, 3) && o[10] == fraction + e);
    EXPECT(o[11] == remquof(a, b, &q) && o[12] == nextafterf(a, b));
    EXPECT(ulps(o[13], sin((double)a)) <= 2.5 &&
           ulps(o[14], cos((double)a)) <= 2.5);
    EXPECT(o[15] == modff(a, &t));
  }
  return failures != 0;
}
