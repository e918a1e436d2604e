#include "accuracy.h"

#include <math.h>
#include <string.h>

struct format {
  unsigned bits, mantissa;
  int least; /* exponent of the smallest normal number */
};
static const struct format formats[] = {
  { 64, 52, -1022 },
  { 32, 23, -126 },
  { 16, 10, -14 },
  { 16, 7, -126 },
};
enum { F64, F32, F16, BF16 };

static long double decoded(const struct format *f, uint64_t bits, bool ftz)
{
  uint64_t mantissa = bits & ((UINT64_C(1) << f->mantissa) - 1);
  int width = (int)(f->bits - 1 - f->mantissa);
  int exponent = (int)(bits >> f->mantissa & ((1u << width) - 1));
  long double sign = bits >> (f->bits - 1) & 1 ? -1.0L : 1.0L;

  if (exponent == (1 << width) - 1)
    return mantissa != 0 ? (long double)NAN : sign * (long double)INFINITY;
  if (exponent == 0)
    return ftz ? sign * 0.0L
               : sign *
                     ldexpl((long double)mantissa, f->least - (int)f->mantissa);
  return sign * ldexpl((long double)(mantissa | UINT64_C(1) << f->mantissa),
                       exponent - 1 + f->least - (int)f->mantissa);
}

static long double exact(const char *opcode, long double a, long double b)
{
  const long double pi = 3.14159265358979323846264338327950288L;

  if (strncmp(opcode, "div", 3) == 0) {
    if (strstr(opcode, ".approx") != NULL && fabsl(b) > 0x1p126L)
      return isinf(b) ? a / b : a * copysignl(0.0L, b); /* as documented */
    return a / b;
  }
  if (strncmp(opcode, "rcp", 3) == 0)
    return 1.0L / a;
  if (strncmp(opcode, "sqrt", 4) == 0)
    return sqrtl(a);
  if (strncmp(opcode, "rsqrt", 5) == 0)
    return 1.0L / sqrtl(a);
  if (strncmp(opcode, "lg2", 3) == 0)
    return log2l(a);
  if (strncmp(opcode, "ex2", 3) == 0)
    return exp2l(a);
  if (strncmp(opcode, "tanh", 4) == 0)
    return tanhl(a);
  if (fabsl(a) > 100 * pi && !isinf(a))
    return 0.0L;
  return opcode[0] == 's' ? sinl(a) : cosl(a);
}

/* The largest error allowed at `value`. */
static long double allowed(const char *opcode, int format, long double a,
                           long double value)
{
  const long double pi = 3.14159265358979323846264338327950288L;
  long double magnitude = fabsl(value);

  if (strncmp(opcode, "sin", 3) == 0 || strncmp(opcode, "cos", 3) == 0)
    return fabsl(a) <= 2 * pi     ? exp2l(-20.5L)
           : fabsl(a) <= 100 * pi ? exp2l(-14.7L)
                                  : 1.0L; /* nothing is promised */
  if (strncmp(opcode, "lg2", 3) == 0)
    return a > 0.5L && a < 2.0L ? exp2l(-22) : magnitude * exp2l(-22);
  if (strncmp(opcode, "tanh", 4) == 0)
    return format == F16    ? exp2l(-10.987L)
           : format == BF16 ? exp2l(-8)
                            : magnitude * exp2l(-11);
  if (strncmp(opcode, "ex2", 3) == 0)
    return magnitude * exp2l(format == F16 ? -9.9L : format == BF16 ? -7 : -22);
  if (format == F64)
    return magnitude * exp2l(strstr(opcode, ".ftz") != NULL ? -20 : -51);
  if (strncmp(opcode, "div", 3) == 0)
    return magnitude * exp2l(-22);
  return magnitude * exp2l(strncmp(opcode, "rsqrt", 5) == 0 ? -22.9L : -23);
}

static double error_of(const struct instruction *in, int format,
                       const uint64_t *sources, uint64_t result)
{
  const struct format *f = &formats[format];
  bool ftz = strstr(in->opcode, ".ftz") != NULL;
  long double a = decoded(f, sources[0], ftz);
  long double b = in->n_sources > 1 ? decoded(f, sources[1], ftz) : 0;
  long double value = exact(in->opcode, a, b), got = decoded(f, result, false);
  long double most, largest;

  if (isnan(value) || isnan(got))
    return isnan(value) && isnan(got) ? 0 : HUGE_VAL;
  largest = ldexpl(2.0L - ldexpl(1.0L, -(int)f->mantissa), 1 - f->least);
  most = allowed(in->opcode, format, a, value);
  if (isinf(got) || isinf(value))
    return got == value || (fabsl(value) + most > largest && value * got > 0)
               ? 0
               : HUGE_VAL;
  /* Results below the normal numbers have fewer bits, or none with .ftz. */
  most = fmaxl(most, ldexpl(1.0L, f->least - (ftz ? 0 : (int)f->mantissa)));
  return (double)(fabsl(got - value) / most);
}

double accuracy_error(const struct instruction *in, const uint64_t *sources,
                      uint64_t result)
{
  const char *type = in->sources[0]->name;
  int format = strcmp(type, "f64") == 0       ? F64
               : strcmp(type, "f32") == 0     ? F32
               : strncmp(type, "f16", 3) == 0 ? F16
                                              : BF16;
  double worst = 0;

  if (strstr(type, "x2") == NULL)
    return error_of(in, format, sources, result);
  for (int shift = 0; shift < 32; shift += 16) {
    uint64_t half = sources[0] >> shift & 0xffff;

    worst = fmax(worst, error_of(in, format, &half, result >> shift & 0xffff));
  }
  return worst;
}
