/* Mathematical functions in single precision, in the order of the CUDA Math
 * API. Exponentials, logarithms and sines have code of their own, in single
 * precision as on a GPU; the others are those in double precision, rounded.
 *
 * The comment before a function is a bound of its error in ulp, measured as
 * those of math_double.h are by tests/device/clang/math; a function without one
 * is exact or correctly rounded. One in double precision, rounded, erred by no
 * more than 0.51 ulp. For programs compiled with -use_fast_math, the errors of
 * math_intrinsic.h hold where a function is one of its own there; that of
 * sqrtf is then not measured. */
#ifndef SOFTDEVICE_MATH_FLOAT_H
#define SOFTDEVICE_MATH_FLOAT_H

#define SOFTDEVICE_NAN_F __builtin_nanf("")
#define SOFTDEVICE_INFINITY_F __builtin_inff()

SOFTDEVICE_MATH float fmaf(float x, float y, float z)
{
  return __builtin_fmaf(x, y, z);
}
SOFTDEVICE_MATH float fabsf(float x) { return __builtin_fabsf(x); }
SOFTDEVICE_MATH float sqrtf(float x)
{
#ifdef __USE_FAST_MATH__
  return __nvvm_sqrt_approx_f(x);
#else
  return __nvvm_sqrt_rn_f(x);
#endif
}
/* 2 ulp */
SOFTDEVICE_CALL float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }

/* 2^n for -126 <= n <= 127. */
SOFTDEVICE_CALL float softdevice_power_of_two_f(int n)
{
  return __int_as_float((n + 127) << 23);
}

SOFTDEVICE_MATH float scalbnf(float x, int n)
{
  /* In double precision every step is exact, and the conversion rounds. */
  n = n > 600 ? 600 : n < -600 ? -600 : n;
  return (float)((double)x * softdevice_power_of_two(n));
}

/* --- exponentials -------------------------------------------------------- */

/* 2^n 2^f for a whole n within [-252, 254] and |f| up to a little over ½. */
SOFTDEVICE_CALL float softdevice_power_f(float n, float f)
{
  int whole = (int)n, half = whole / 2;
  return __nvvm_ex2_approx_f(f) * softdevice_power_of_two_f(half) *
         softdevice_power_of_two_f(whole - half);
}

/* exp(x) for a factor high + low of the exponent, log2 of the base. */
SOFTDEVICE_CALL float softdevice_exp_f(float x, float high, float low)
{
  float n = __builtin_rintf(x * high);
  n = n > 254 ? 254 : n < -252 ? -252 : n;
  float f = __builtin_fmaf(x, low, __builtin_fmaf(x, high, -n));
  return softdevice_power_f(n, f);
}

/* 2 ulp */
SOFTDEVICE_MATH float expf(float x)
{
#ifdef __USE_FAST_MATH__
  return __expf(x);
#else
  /* Beyond, the answer is infinite or 0; so is what the formula gives for
   * these, and it gives NaN for NaN. */
  x = x > 120 ? 120 : x < -120 ? -120 : x;
  return softdevice_exp_f(x, 0x1.715476p+0f, 0x1.4ae0cp-26f);
#endif
}
/* 2 ulp */
SOFTDEVICE_MATH float exp2f(float x)
{
  /* Denormal results, which ex2.approx has as well. */
  return __nvvm_ex2_approx_f(x);
}
/* 2 ulp */
SOFTDEVICE_MATH float exp10f(float x)
{
#ifdef __USE_FAST_MATH__
  return __exp10f(x);
#else
  x = x > 60 ? 60 : x < -60 ? -60 : x;
  return softdevice_exp_f(x, 0x1.a934fp+1f, 0x1.2f346ep-24f);
#endif
}
SOFTDEVICE_MATH float expm1f(float x) { return (float)expm1((double)x); }

/* --- logarithms ---------------------------------------------------------- */

/* x = 2^n (1 + f) with 1 + f between √½ and √2; returns n. */
SOFTDEVICE_CALL float softdevice_split_f(float x, float *f)
{
  float n = 0;
  if (x < 0x1p-126f)
    x *= 0x1p+24f, n = -24;
  /* The exponent changes where the fraction passes √2. */
  int bits = __float_as_int(x), e = (bits - 0x3f3504f3) & (int)0xff800000;
  *f = __int_as_float(bits - e) - 1;
  return n + (float)(e >> 23);
}
SOFTDEVICE_CALL bool softdevice_log_special_f(float x, float *answer)
{
  if (x > 0 && x < SOFTDEVICE_INFINITY_F)
    return false;
  *answer = x == 0            ? -SOFTDEVICE_INFINITY_F
            : x > 0 || x != x ? x
                              : SOFTDEVICE_NAN_F;
  return true;
}
/* ln(1 + f) = 2 (s + s³/3 + …) with s = f / (2 + f): f minus what the first
 * term is too much, f s - s (…). */
SOFTDEVICE_CALL float softdevice_log_series_f(float f)
{
  float s = f / (2 + f), z = s * s;
  float p = 2.0f / 11;
  p = __builtin_fmaf(p, z, 2.0f / 9);
  p = __builtin_fmaf(p, z, 2.0f / 7);
  p = __builtin_fmaf(p, z, 2.0f / 5);
  p = __builtin_fmaf(p, z, 2.0f / 3);
  return f - s * (f - z * p);
}

/* 2 ulp */
SOFTDEVICE_MATH float logf(float x)
{
#ifdef __USE_FAST_MATH__
  return __logf(x);
#else
  float f, answer;
  if (softdevice_log_special_f(x, &answer))
    return answer;
  float n = softdevice_split_f(x, &f);
  float m = softdevice_log_series_f(f);
  return __builtin_fmaf(n, 0x1.62e43p-1f,
                        __builtin_fmaf(n, -0x1.05c61p-29f, m));
#endif
}
/* 3 ulp */
SOFTDEVICE_MATH float log2f(float x)
{
#ifdef __USE_FAST_MATH__
  return __log2f(x);
#else
  float f, answer;
  if (softdevice_log_special_f(x, &answer))
    return answer;
  float n = softdevice_split_f(x, &f), m = softdevice_log_series_f(f);
  return n + __builtin_fmaf(m, 0x1.715476p+0f, m * 0x1.4ae0cp-26f);
#endif
}
SOFTDEVICE_MATH float log10f(float x)
{
#ifdef __USE_FAST_MATH__
  return __log10f(x);
#else
  return (float)log10((double)x);
#endif
}
SOFTDEVICE_MATH float log1pf(float x) { return (float)log1p((double)x); }

/* --- sines --------------------------------------------------------------- */

/* x = n π/2 + rest, |rest| up to π/4 and a little; returns n mod 4. */
SOFTDEVICE_MATH int softdevice_reduce_f(float x, float *rest)
{
  if (__builtin_fabsf(x) > 16384) {
    softdevice_pair r;
    int n = softdevice_reduce(x, &r);
    *rest = (float)r.high;
    return n;
  }
  float n = __builtin_rintf(x * 0x1.45f306p-1f);
  float r = __builtin_fmaf(n, -0x1.921fb6p+0f, x);
  r = __builtin_fmaf(n, 0x1.777a5cp-25f, r);
  *rest = __builtin_fmaf(n, 0x1.ee59dap-50f, r);
  return (int)n & 3;
}
SOFTDEVICE_CALL float softdevice_sin_series_f(float r)
{
  float z = r * r, p = 1.0f / 362880;
  p = __builtin_fmaf(p, z, -1.0f / 5040);
  p = __builtin_fmaf(p, z, 1.0f / 120);
  p = __builtin_fmaf(p, z, -1.0f / 6);
  return __builtin_fmaf(p * z, r, r);
}
SOFTDEVICE_CALL float softdevice_cos_series_f(float r)
{
  float z = r * r, p = -1.0f / 3628800;
  p = __builtin_fmaf(p, z, 1.0f / 40320);
  p = __builtin_fmaf(p, z, -1.0f / 720);
  p = __builtin_fmaf(p, z, 1.0f / 24);
  p = __builtin_fmaf(p, z, -0.5f);
  return __builtin_fmaf(p, z, 1);
}
SOFTDEVICE_MATH float softdevice_wave_f(float r, int n)
{
  float wave = n & 1 ? softdevice_cos_series_f(r) : softdevice_sin_series_f(r);
  return n & 2 ? -wave : wave;
}

/* 2 ulp */
SOFTDEVICE_MATH float sinf(float x)
{
#ifdef __USE_FAST_MATH__
  return __sinf(x);
#else
  float r;
  if (!(__builtin_fabsf(x) < SOFTDEVICE_INFINITY_F))
    return x - x;
  if (x == 0)
    return x;
  int n = softdevice_reduce_f(x, &r);
  return softdevice_wave_f(r, n);
#endif
}
/* 2 ulp */
SOFTDEVICE_MATH float cosf(float x)
{
#ifdef __USE_FAST_MATH__
  return __cosf(x);
#else
  float r;
  if (!(__builtin_fabsf(x) < SOFTDEVICE_INFINITY_F))
    return x - x;
  int n = softdevice_reduce_f(x, &r);
  return softdevice_wave_f(r, n + 1);
#endif
}
SOFTDEVICE_MATH void sincosf(float x, float *sine, float *cosine)
{
  *sine = sinf(x);
  *cosine = cosf(x);
}
SOFTDEVICE_MATH float tanf(float x)
{
#ifdef __USE_FAST_MATH__
  return __tanf(x);
#else
  return (float)tan((double)x);
#endif
}

/* x π = n π/2 + rest: the reduction is exact. */
SOFTDEVICE_CALL int softdevice_reduce_pi_f(float x, float *rest)
{
  float y = x - 2 * __builtin_truncf(0.5f * x);
  float n = __builtin_rintf(2 * y);
  float f = __builtin_fmaf(-0.5f, n, y);
  *rest = __builtin_fmaf(f, 0x1.921fb6p+1f, f * -0x1.777a5cp-24f);
  return (int)n & 3;
}
/* 2 ulp */
SOFTDEVICE_MATH float sinpif(float x)
{
  float r;
  if (!(__builtin_fabsf(x) < SOFTDEVICE_INFINITY_F))
    return x - x;
  if (x == __builtin_truncf(x))
    return __builtin_copysignf(0.0f, x);
  int n = softdevice_reduce_pi_f(x, &r);
  return softdevice_wave_f(r, n);
}
/* 2 ulp */
SOFTDEVICE_MATH float cospif(float x)
{
  float r;
  if (!(__builtin_fabsf(x) < SOFTDEVICE_INFINITY_F))
    return x - x;
  int n = softdevice_reduce_pi_f(x, &r);
  float wave = softdevice_wave_f(r, n + 1);
  return wave == 0 ? 0 : wave;
}
SOFTDEVICE_MATH void sincospif(float x, float *sine, float *cosine)
{
  *sine = sinpif(x);
  *cosine = cospif(x);
}

/* --- whole numbers, single bits ------------------------------------------ */

SOFTDEVICE_MATH float ceilf(float x) { return __builtin_ceilf(x); }
SOFTDEVICE_MATH float floorf(float x) { return __builtin_floorf(x); }
SOFTDEVICE_MATH float truncf(float x) { return __builtin_truncf(x); }
SOFTDEVICE_MATH float rintf(float x) { return __builtin_rintf(x); }
SOFTDEVICE_MATH float nearbyintf(float x) { return __builtin_rintf(x); }
SOFTDEVICE_MATH float roundf(float x)
{
  float whole = __builtin_truncf(x);
  if (__builtin_fabsf(x - whole) >= 0.5f)
    whole += __builtin_copysignf(1.0f, x);
  return __builtin_copysignf(whole, x);
}
SOFTDEVICE_MATH float copysignf(float x, float y)
{
  return __builtin_copysignf(x, y);
}
SOFTDEVICE_MATH float fmaxf(float x, float y) { return __nvvm_fmax_f(x, y); }
SOFTDEVICE_MATH float fminf(float x, float y) { return __nvvm_fmin_f(x, y); }
SOFTDEVICE_MATH float fdimf(float x, float y)
{
  return x != x || y != y ? x + y : x > y ? x - y : 0;
}
SOFTDEVICE_CALL float fdividef(float x, float y) { return x / y; }
SOFTDEVICE_MATH float nextafterf(float x, float y)
{
  if (x != x || y != y)
    return x + y;
  if (x == y)
    return y;
  if (x == 0)
    return __builtin_copysignf(0x1p-149f, y);
  int bits = __float_as_int(x);
  return __int_as_float((x < y) == (x > 0) ? bits + 1 : bits - 1);
}
SOFTDEVICE_MATH float powif(float x, int n) { return (float)pow((double)x, n); }

/* --- those in double precision, rounded ---------------------------------- */

#define SOFTDEVICE_BY_DOUBLE(name)                                             \
  SOFTDEVICE_MATH float name##f(float x) { return (float)name((double)x); }
SOFTDEVICE_BY_DOUBLE(acos)
SOFTDEVICE_BY_DOUBLE(acosh)
SOFTDEVICE_BY_DOUBLE(asin)
SOFTDEVICE_BY_DOUBLE(asinh)
SOFTDEVICE_BY_DOUBLE(atan)
SOFTDEVICE_BY_DOUBLE(atanh)
SOFTDEVICE_BY_DOUBLE(cbrt)
SOFTDEVICE_BY_DOUBLE(cosh)
SOFTDEVICE_BY_DOUBLE(erf)
SOFTDEVICE_BY_DOUBLE(erfc)
SOFTDEVICE_BY_DOUBLE(lgamma)
SOFTDEVICE_BY_DOUBLE(logb)
SOFTDEVICE_BY_DOUBLE(rcbrt)
SOFTDEVICE_BY_DOUBLE(sinh)
SOFTDEVICE_BY_DOUBLE(tanh)
SOFTDEVICE_BY_DOUBLE(tgamma)
#undef SOFTDEVICE_BY_DOUBLE

#define SOFTDEVICE_BY_DOUBLE(name)                                             \
  SOFTDEVICE_MATH float name##f(float x, float y)                              \
  {                                                                            \
    return (float)name((double)x, (double)y);                                  \
  }
SOFTDEVICE_BY_DOUBLE(atan2)
SOFTDEVICE_BY_DOUBLE(fmod)
SOFTDEVICE_BY_DOUBLE(hypot)
SOFTDEVICE_BY_DOUBLE(remainder)
SOFTDEVICE_BY_DOUBLE(rhypot)
#undef SOFTDEVICE_BY_DOUBLE

SOFTDEVICE_MATH float powf(float x, float y)
{
#ifdef __USE_FAST_MATH__
  return __powf(x, y);
#else
  return (float)pow((double)x, (double)y);
#endif
}

SOFTDEVICE_MATH float frexpf(float x, int *exponent)
{
  return (float)frexp((double)x, exponent);
}
SOFTDEVICE_MATH int ilogbf(float x) { return ilogb((double)x); }
SOFTDEVICE_MATH float ldexpf(float x, int n) { return scalbnf(x, n); }
SOFTDEVICE_MATH float scalblnf(float x, long n)
{
  return scalbnf(x, n > 600 ? 600 : n < -600 ? -600 : (int)n);
}
SOFTDEVICE_MATH long long llrintf(float x) { return __float2ll_rn(x); }
SOFTDEVICE_MATH long lrintf(float x) { return (long)__float2ll_rn(x); }
SOFTDEVICE_MATH long long llroundf(float x) { return __float2ll_rz(roundf(x)); }
SOFTDEVICE_MATH long lroundf(float x) { return (long)llroundf(x); }
SOFTDEVICE_MATH float modff(float x, float *whole)
{
  double part, rest = modf((double)x, &part);
  *whole = (float)part;
  return (float)rest;
}
SOFTDEVICE_MATH float remquof(float x, float y, int *quotient)
{
  return (float)remquo((double)x, (double)y, quotient);
}

#endif
