/* bfloat16: __nv_bfloat16 and __nv_bfloat162. In the order of the CUDA Math
 * API. Device code needs compute capability 8.0. */
#ifndef SOFTDEVICE_CUDA_BF16_H
#define SOFTDEVICE_CUDA_BF16_H

#include "cuda_runtime.h"
#include "softdevice/small_float.h"

SOFTDEVICE_SMALL_TYPES(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw,
                       __nv_bfloat162_raw, softdevice_bfloat_d,
                       softdevice_bfloat)

#ifdef __CUDA_ARCH__
SOFTDEVICE_BOTH unsigned short softdevice_bfloat_bits(float x)
{
  unsigned short bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
SOFTDEVICE_BOTH unsigned short softdevice_bfloat_d_bits(double x)
{
  /* Rounded to odd on the way, so that it isn't rounded twice. */
  float near = __double2float_rz(x);
  if ((double)near != x && x == x)
    near = __uint_as_float(__float_as_uint(near) | 1);
  return softdevice_bfloat_bits(near);
}
#else
SOFTDEVICE_BOTH unsigned short softdevice_bfloat_d_bits(double x)
{
  unsigned short sign = __builtin_signbit(x) ? 0x8000 : 0;
  return x != x ? 0x7fff
                : (unsigned short)(sign | softdevice_pack(x, 7, -126, 0x7f80));
}
SOFTDEVICE_BOTH unsigned short softdevice_bfloat_bits(float x)
{
  return softdevice_bfloat_d_bits(x);
}
#endif
SOFTDEVICE_BOTH float softdevice_bfloat_wide(unsigned short bits)
{
  return __builtin_bit_cast(float, (unsigned int)bits << 16);
}

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

/* --- conversions --------------------------------------------------------- */

SOFTDEVICE_BOTH __nv_bfloat16 __double2bfloat16(double x)
{
  return __nv_bfloat16(x);
}
SOFTDEVICE_BOTH __nv_bfloat16 __float2bfloat16(float x)
{
  return __nv_bfloat16(x);
}
SOFTDEVICE_BOTH __nv_bfloat16 __float2bfloat16_rn(float x)
{
  return __nv_bfloat16(x);
}
SOFTDEVICE_CALL __nv_bfloat16 __float2bfloat16_rz(float x)
{
  unsigned short bits;
  asm("cvt.rz.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return __nv_bfloat16(__nv_bfloat16_raw{ bits });
}
SOFTDEVICE_BOTH float __bfloat162float(__nv_bfloat16 x) { return (float)x; }
SOFTDEVICE_BOTH __nv_bfloat162 __floats2bfloat162_rn(float x, float y)
{
#ifdef __CUDA_ARCH__
  unsigned int pair;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(y), "f"(x));
  return __builtin_bit_cast(__nv_bfloat162, pair);
#else
  return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(y));
#endif
}
SOFTDEVICE_BOTH __nv_bfloat162 __float2bfloat162_rn(float x)
{
  return __nv_bfloat162(__nv_bfloat16(x), __nv_bfloat16(x));
}
SOFTDEVICE_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 v)
{
  return __floats2bfloat162_rn(v.x, v.y);
}
SOFTDEVICE_BOTH float2 __bfloat1622float2(__nv_bfloat162 v)
{
  return make_float2((float)v.x, (float)v.y);
}

#define SOFTDEVICE_BFLOAT_WHOLE(name, type)                                    \
  SOFTDEVICE_CALL type __bfloat162##name##_rn(__nv_bfloat16 x)                 \
  {                                                                            \
    return (type)rintf((float)x);                                              \
  }                                                                            \
  SOFTDEVICE_BOTH type __bfloat162##name##_rz(__nv_bfloat16 x)                 \
  {                                                                            \
    return (type)(float)x;                                                     \
  }                                                                            \
  SOFTDEVICE_BOTH __nv_bfloat16 __##name##2bfloat16_rn(type x)                 \
  {                                                                            \
    return __nv_bfloat16(x);                                                   \
  }
SOFTDEVICE_BFLOAT_WHOLE(int, int)
SOFTDEVICE_BFLOAT_WHOLE(uint, unsigned int)
SOFTDEVICE_BFLOAT_WHOLE(short, short)
SOFTDEVICE_BFLOAT_WHOLE(ushort, unsigned short)
SOFTDEVICE_BFLOAT_WHOLE(ll, long long)
SOFTDEVICE_BFLOAT_WHOLE(ull, unsigned long long)
#undef SOFTDEVICE_BFLOAT_WHOLE

SOFTDEVICE_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x,
                                                  __nv_bfloat16 y)
{
  return __nv_bfloat162(x, y);
}
SOFTDEVICE_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y)
{
  return __nv_bfloat162(x, y);
}
SOFTDEVICE_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x)
{
  return __nv_bfloat162(x, x);
}
SOFTDEVICE_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
SOFTDEVICE_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
SOFTDEVICE_BOTH float __low2float(__nv_bfloat162 v) { return (float)v.x; }
SOFTDEVICE_BOTH float __high2float(__nv_bfloat162 v) { return (float)v.y; }
SOFTDEVICE_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v)
{
  return __nv_bfloat162(v.x, v.x);
}
SOFTDEVICE_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v)
{
  return __nv_bfloat162(v.y, v.y);
}
SOFTDEVICE_BOTH __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v)
{
  return __nv_bfloat162(v.y, v.x);
}
SOFTDEVICE_BOTH short __bfloat16_as_short(__nv_bfloat16 x)
{
  return (short)x.__x;
}
SOFTDEVICE_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 x)
{
  return x.__x;
}
SOFTDEVICE_BOTH __nv_bfloat16 __short_as_bfloat16(short bits)
{
  return __nv_bfloat16(__nv_bfloat16_raw{ (unsigned short)bits });
}
SOFTDEVICE_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
  return __nv_bfloat16(__nv_bfloat16_raw{ bits });
}

/* --- operations ---------------------------------------------------------- */

/* Before 9.0 there are fused operations only, which need constants. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
SOFTDEVICE_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, "bf16", "add.", "sub.",
                       "mul.")
#endif

#endif
