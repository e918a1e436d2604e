/* Half precision: __half and __half2. In the order of the CUDA Math API. */
#ifndef SOFTDEVICE_CUDA_FP16_H
#define SOFTDEVICE_CUDA_FP16_H

#include "cuda_runtime.h"
#include "softdevice/small_float.h"

SOFTDEVICE_SMALL_TYPES(__half, __half2, __half_raw, __half2_raw,
                       softdevice_half_d, softdevice_half)

#ifdef __CUDA_ARCH__
SOFTDEVICE_BOTH unsigned short softdevice_half_d_bits(double x)
{
  unsigned short bits;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(x));
  return bits;
}
SOFTDEVICE_BOTH unsigned short softdevice_half_bits(float x)
{
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
SOFTDEVICE_BOTH float softdevice_half_wide(unsigned short bits)
{
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
#else
SOFTDEVICE_BOTH unsigned short softdevice_half_d_bits(double x)
{
  unsigned short sign = __builtin_signbit(x) ? 0x8000 : 0;
  return x != x ? 0x7fff
                : (unsigned short)(sign | softdevice_pack(x, 10, -14, 0x7c00));
}
SOFTDEVICE_BOTH unsigned short softdevice_half_bits(float x)
{
  return softdevice_half_d_bits(x);
}
SOFTDEVICE_BOTH float softdevice_half_wide(unsigned short bits)
{
  unsigned int size = bits & 0x7fff;
  double x = size > 0x7c00    ? __builtin_nan("")
             : size == 0x7c00 ? __builtin_inf()
                              : softdevice_unpack(size, 10, -14);
  return (float)(bits >> 15 ? -x : x);
}
#endif

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

/* --- conversions --------------------------------------------------------- */

SOFTDEVICE_BOTH __half __double2half(double x) { return __half(x); }
SOFTDEVICE_BOTH __half __float2half(float x) { return __half(x); }
SOFTDEVICE_BOTH __half __float2half_rn(float x) { return __half(x); }
SOFTDEVICE_BOTH float __half2float(__half x) { return (float)x; }
SOFTDEVICE_BOTH __half2 __float2half2_rn(float x)
{
  return __half2(__half(x), __half(x));
}
SOFTDEVICE_BOTH __half2 __floats2half2_rn(float x, float y)
{
  return __half2(__half(x), __half(y));
}
SOFTDEVICE_BOTH __half2 __float22half2_rn(float2 v)
{
  return __floats2half2_rn(v.x, v.y);
}
SOFTDEVICE_BOTH float2 __half22float2(__half2 v)
{
  return make_float2((float)v.x, (float)v.y);
}

#define SOFTDEVICE_HALF_ROUNDED(suffix, form)                                  \
  SOFTDEVICE_CALL __half __float2half_##suffix(float x)                        \
  {                                                                            \
    unsigned short bits;                                                       \
    asm("cvt." form ".f16.f32 %0, %1;" : "=h"(bits) : "f"(x));                 \
    return __half(__half_raw{ bits });                                         \
  }
SOFTDEVICE_HALF_ROUNDED(rd, "rm")
SOFTDEVICE_HALF_ROUNDED(ru, "rp")
SOFTDEVICE_HALF_ROUNDED(rz, "rz")
#undef SOFTDEVICE_HALF_ROUNDED

#define SOFTDEVICE_HALF_WHOLE(name, type, form, letter)                        \
  SOFTDEVICE_CALL type __half2##name##_rn(__half x)                            \
  {                                                                            \
    type whole;                                                                \
    asm("cvt.rni." form ".f16 %0, %1;" : "=" letter(whole) : "h"(x.__x));      \
    return whole;                                                              \
  }                                                                            \
  SOFTDEVICE_CALL type __half2##name##_rz(__half x)                            \
  {                                                                            \
    type whole;                                                                \
    asm("cvt.rzi." form ".f16 %0, %1;" : "=" letter(whole) : "h"(x.__x));      \
    return whole;                                                              \
  }                                                                            \
  SOFTDEVICE_BOTH __half __##name##2half_rn(type x) { return __half(x); }
SOFTDEVICE_HALF_WHOLE(int, int, "s32", "r")
SOFTDEVICE_HALF_WHOLE(uint, unsigned int, "u32", "r")
SOFTDEVICE_HALF_WHOLE(short, short, "s16", "h")
SOFTDEVICE_HALF_WHOLE(ushort, unsigned short, "u16", "h")
SOFTDEVICE_HALF_WHOLE(ll, long long, "s64", "l")
SOFTDEVICE_HALF_WHOLE(ull, unsigned long long, "u64", "l")
#undef SOFTDEVICE_HALF_WHOLE

SOFTDEVICE_BOTH __half2 __halves2half2(__half x, __half y)
{
  return __half2(x, y);
}
SOFTDEVICE_BOTH __half2 make_half2(__half x, __half y) { return __half2(x, y); }
SOFTDEVICE_BOTH __half2 __half2half2(__half x) { return __half2(x, x); }
SOFTDEVICE_BOTH __half __low2half(__half2 v) { return v.x; }
SOFTDEVICE_BOTH __half __high2half(__half2 v) { return v.y; }
SOFTDEVICE_BOTH float __low2float(__half2 v) { return (float)v.x; }
SOFTDEVICE_BOTH float __high2float(__half2 v) { return (float)v.y; }
SOFTDEVICE_BOTH __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
SOFTDEVICE_BOTH __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
SOFTDEVICE_BOTH __half2 __lows2half2(__half2 a, __half2 b)
{
  return __half2(a.x, b.x);
}
SOFTDEVICE_BOTH __half2 __highs2half2(__half2 a, __half2 b)
{
  return __half2(a.y, b.y);
}
SOFTDEVICE_BOTH __half2 __lowhigh2highlow(__half2 v)
{
  return __half2(v.y, v.x);
}
SOFTDEVICE_BOTH short __half_as_short(__half x) { return (short)x.__x; }
SOFTDEVICE_BOTH unsigned short __half_as_ushort(__half x) { return x.__x; }
SOFTDEVICE_BOTH __half __short_as_half(short bits)
{
  return __half(__half_raw{ (unsigned short)bits });
}
SOFTDEVICE_BOTH __half __ushort_as_half(unsigned short bits)
{
  return __half(__half_raw{ bits });
}

/* --- operations ---------------------------------------------------------- */

SOFTDEVICE_SMALL_FLOAT(__half, __half2, "f16", "add.", "sub.", "mul.")

#endif
