/* Floating-point helpers of the instruction table. */
#ifndef DEVICE_EXEC_LANES_FLOATING_H
#define DEVICE_EXEC_LANES_FLOATING_H

#include <math.h>
#include <string.h>
#ifdef __FMA__
#include <immintrin.h>
#endif

#include "../../support/rounding.h"
#include "lanes.h"

#define SIGN64 UINT64_C(0x8000000000000000)
#define NAN_HIGH UINT64_C(0x7fffffff00000000)

static inline u32 bits_f32(f32 a)
{
  u32 bits;

  memcpy(&bits, &a, sizeof bits);
  return bits;
}

static inline f32 f32_bits(u32 bits)
{
  f32 a;

  memcpy(&a, &bits, sizeof a);
  return a;
}

static inline u64 bits_f64(f64 a)
{
  u64 bits;

  memcpy(&bits, &a, sizeof bits);
  return bits;
}

static inline f64 f64_bits(u64 bits)
{
  f64 a;

  memcpy(&a, &bits, sizeof a);
  return a;
}

/* Subnormal numbers become zero of the same sign. */
static inline f32 flush_f32(f32 a)
{
  u32 bits = bits_f32(a);

  return f32_bits((bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits);
}

static inline f64 flush_f64(f64 a) { return a; } /* there is no .ftz.f64 */

/* The hardware has one NaN for single precision (PTX ISA 9.7.3). */
static inline f32 one_nan_f32(f32 a)
{
  return f32_bits(a != a ? 0x7fffffff : bits_f32(a));
}

static inline f64 one_nan_f64(f64 a) { return a; }

/* What an operation on a and b made, such as 0 / 0: the NaN that is made of numbers
 * has a sign on an H200, as on x86-64; arm64's has none. */
static inline f64 made_f64(f64 r, f64 a, f64 b)
{
#ifdef __x86_64__
  (void)a, (void)b;
  return r;
#else
  return r != r && a == a && b == b ? f64_bits(UINT64_C(0xfff8) << 48) : r;
#endif
}

static inline f32 saturate_f32(f32 a)
{
  return a > 0.0f ? a < 1.0f ? a : 1.0f : 0.0f; /* NaN gives +0 */
}

static inline f64 saturate_f64(f64 a)
{
  return a > 0.0 ? a < 1.0 ? a : 1.0 : 0.0;
}

static inline f32 min_f32(f32 a, f32 b)
{
  f32 least = a < b || (a == b && bits_f32(a) >> 31) ? a : b;

  return a != a ? b : b != b ? a : least;
}

static inline f32 max_f32(f32 a, f32 b)
{
  f32 most = a > b || (a == b && !(bits_f32(a) >> 31)) ? a : b;

  return a != a ? b : b != b ? a : most;
}

static inline f32 min_nan_f32(f32 a, f32 b)
{
  return a != a ? a : b != b ? b : min_f32(a, b);
}

static inline f32 max_nan_f32(f32 a, f32 b)
{
  return a != a ? a : b != b ? b : max_f32(a, b);
}

static inline f64 min_f64(f64 a, f64 b)
{
  f64 least = a < b || (a == b && bits_f64(a) >> 63) ? a : b;

  return a != a ? (b != b ? b + b : b) : b != b ? a : least;
}

static inline f64 max_f64(f64 a, f64 b)
{
  f64 most = a > b || (a == b && !(bits_f64(a) >> 63)) ? a : b;

  return a != a ? (b != b ? b + b : b) : b != b ? a : most;
}

/* min.xorsign.abs: the magnitude with the sign of a xor b. */
static inline f32 with_sign(f32 magnitude, f32 a, f32 b)
{
  return f32_bits((bits_f32(magnitude) & 0x7fffffff) |
                  ((bits_f32(a) ^ bits_f32(b)) & 0x80000000));
}

/* a + b, rounded to odd when inexact: rounding that once more to a shorter
 * format gives what rounding the exact sum would. */
static inline f64 sum_to_odd(f64 a, f64 b)
{
  f64 sum = a + b, part = sum - a;
  f64 error = (a - (sum - part)) + (b - part);
  u64 bits = bits_f64(sum);

  if (!(error != 0) || error != error || (bits & 1))
    return sum;
  return f64_bits((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

/* Is it below the smallest normal number when rounded to 24 bits, and not to
 * a subnormal one's fewer bits? So .ftz sees it. */
static inline int is_tiny_f32(f64 exact, unsigned mode)
{
  return fabsf(ROUNDED_F32(exact * 0x1p64, mode)) < 0x1p-62f;
}

static inline f32 flush_by(f32 result, f64 exact, unsigned mode)
{
  return is_tiny_f32(exact, mode) ? copysignf(0.0f, result) : result;
}

/* a * b + c of all lanes, each rounded once. Where rounding modes may change,
 * GCC treats fma() as a call that may do anything, and never turns a loop of
 * them into vector code. So this names the instructions. */
#ifdef __FMA__
#define FUSE(T, per, load, fuse, store)                                        \
  static inline void fuse_##T(T *r, const T *a, const T *b, const T *c,        \
                              unsigned mode)                                   \
  {                                                                            \
    (void)mode;                                                                \
    _Pragma("GCC unroll 8") for (unsigned l = 0; l < LANES; l += per)          \
        store(r + l, fuse(load(a + l), load(b + l), load(c + l)));             \
  }
FUSE(f32, 8, _mm256_load_ps, _mm256_fmadd_ps, _mm256_store_ps)
FUSE(f64, 4, _mm256_load_pd, _mm256_fmadd_pd, _mm256_store_pd)
#undef FUSE
#else
static inline void fuse_f32(f32 *r, const f32 *a, const f32 *b, const f32 *c,
                            unsigned mode)
{
  EACH_LANE { r[l] = ROUNDED_FMA(a[l], b[l], c[l], mode); }
}

static inline void fuse_f64(f64 *r, const f64 *a, const f64 *b, const f64 *c,
                            unsigned mode)
{
  EACH_LANE { r[l] = ROUNDED_FMA(a[l], b[l], c[l], mode); }
}
#endif

/* In double precision a NaN keeps its bits: b's, then c's, then a's. */
static inline f64 nan_of_fused(f64 fused, f64 a, f64 b, f64 c)
{
  return b != b ? b + b : c != c ? c + c : made_f64(fused, a, b);
}

static inline f64 signed_by(f64 magnitude, f64 a, f64 b)
{
  return f64_bits((bits_f64(magnitude) & ~SIGN64) |
                  ((bits_f64(a) ^ bits_f64(b)) & SIGN64));
}

/* sin.approx and cos.approx: the hardware turns the angle into revolutions in
 * single precision, towards zero, which makes large angles inaccurate. */
static inline f32 sine_f32(f32 a, int cosine)
{
  f64 exact = (f64)a * 0.15915494f;
  f32 near = (f32)exact;
  f64 turns =
      fabs((f64)near) > fabs(exact) ? f32_bits(bits_f32(near) - 1) : near;
  f64 angle = (turns - rint(turns)) * 6.283185307179586;

  return cosine       ? (f32)cos(angle)
         : angle == 0 ? copysignf(0.0f, a)
                      : (f32)sin(angle);
}

/* ex2.approx and lg2.approx are rounded correctly here; on a GPU they are often
 * off by the last bit. It matters where the result is rounded once more:
 * cuda_fp16.hpp adds a correction to what `hexp`, `hexp10` and `hlog` make of some numbers, so that
 * a better approximation ends up as a wrong half. For the numbers for which a
 * half of those functions, of hexp2 or of hlog10 differed from an H100's, its
 * bits. */
static inline f32 exp2_f32(f32 a)
{
  switch (bits_f32(a)) {
  case 0xb9b8c000: return f32_bits(0x3f7feffe); /* hexp2 */
  case 0xbbf30000: return f32_bits(0x3f7eaffe);
  case 0xbdeae000: return f32_bits(0x3f6c6ffe);
  case 0xc0717899: return f32_bits(0x3d95d000); /* hexp */
  case 0xc088f743: return f32_bits(0x3d52d000);
  case 0x3f8158fb: return f32_bits(0x4000f000); /* hexp10 */
  case 0xbbc49dda: return f32_bits(0x3f7ef000);
  case 0xbc10b624: return f32_bits(0x3f7e6fff);
  case 0xbd993953: return f32_bits(0x3f731000);
  default: return (f32)exp2((f64)a);
  }
}

static inline f32 log2_f32(f32 a)
{
  switch (bits_f32(a)) {
  case 0x3ac1a000: return f32_bits(0xc1167230); /* hlog */
  case 0x3b26a000: return f32_bits(0xc109e9a1);
  case 0x3baf0000: return f32_bits(0xc0f18fad);
  case 0x3f7fc000: return f32_bits(0xbab8bf25);
  case 0x3f816000: return f32_bits(0x3c7c8fd4);
  case 0x440a2000: return f32_bits(0x4111c1dd);
  case 0x40448000: return f32_bits(0x3fcf2741); /* hlog10 */
  default: return (f32)log2((f64)a);
  }
}

static inline f32 reciprocal_root_f32(f32 a)
{
  return (f32)(1.0 / sqrt((f64)a));
}

/* The approximations of double precision give the high word only; programs
 * refine them. */
static inline f64 high_word(f64 a)
{
  return f64_bits(bits_f64(a) & UINT64_C(0xffffffff00000000));
}

static inline f64 reciprocal_f64(f64 a)
{
  f64 result = high_word(1.0 / (fabs(a) < 0x1p-1022 ? copysign(0.0, a) : a));

  return a != a                     ? f64_bits(NAN_HIGH)
         : fabs(result) < 0x1p-1022 ? copysign(0.0, a)
                                    : result;
}

static inline f64 reciprocal_root_f64(f64 a) { return 1.0 / sqrt(a); }

static inline f64 reciprocal_root_high_f64(f64 a)
{
  f64 flushed = fabs(a) < 0x1p-1022 ? copysign(0.0, a) : a;
  f64 root = sqrt(flushed);

  return root != root ? f64_bits(NAN_HIGH) : high_word(1.0 / root);
}

#endif
