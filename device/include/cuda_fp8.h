/* Numbers of eight bits, by the conversions of the CUDA Math API's "FP8
 * Intrinsics". Device code needs compute capability 8.9. */
#ifndef SOFTDEVICE_CUDA_FP8_H
#define SOFTDEVICE_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;

/* Too large a number becomes the largest, or infinity (NaN where there is
 * none). */
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t {
  __NV_E4M3,
  __NV_E5M2
} __nv_fp8_interpretation_t;

SOFTDEVICE_BOTH __nv_fp8_storage_t softdevice_fp8(
    double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
#ifdef __CUDA_ARCH__
  /* The instruction saturates, and takes a float. */
  unsigned short pair;
  float near = (float)x;
  if (kind == __NV_E4M3)
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;"
        : "=h"(pair)
        : "f"(0.0f), "f"(near));
  else
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;"
        : "=h"(pair)
        : "f"(0.0f), "f"(near));
  if (saturate == __NV_NOSAT && near == near) {
    float most = kind == __NV_E4M3 ? 464.0f : 61440.0f;
    float a = __builtin_fabsf(near);
    if (kind == __NV_E4M3 ? a > most : a >= most)
      pair = (pair & 0x80) | (kind == __NV_E4M3 ? 0x7f : 0x7c);
  }
  return (__nv_fp8_storage_t)pair;
#else
  unsigned int sign = __builtin_signbit(x) ? 0x80 : 0, bits;
  if (x != x)
    return 0x7f;
  if (kind == __NV_E4M3) {
    bits = softdevice_pack(x, 3, -6, 0x7f);
    if (bits == 0x7f && saturate == __NV_SATFINITE)
      bits = 0x7e;
  } else {
    bits = softdevice_pack(x, 2, -14, 0x7c);
    if (bits == 0x7c && saturate == __NV_SATFINITE)
      bits = 0x7b;
  }
  return (__nv_fp8_storage_t)(sign | bits);
#endif
}

SOFTDEVICE_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(
    float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
  return softdevice_fp8(x, saturate, kind);
}
SOFTDEVICE_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(
    __half_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
  return softdevice_fp8((float)__half(x), saturate, kind);
}
SOFTDEVICE_BOTH __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                            __nv_fp8_interpretation_t kind)
{
  return softdevice_fp8((float)__nv_bfloat16(x), saturate, kind);
}
SOFTDEVICE_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(
    float2 v, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind)
{
  return (__nv_fp8x2_storage_t)(softdevice_fp8(v.x, saturate, kind) |
                                softdevice_fp8(v.y, saturate, kind) << 8);
}
SOFTDEVICE_BOTH __half_raw
__nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t bits, __nv_fp8_interpretation_t kind)
{
  /* The bits of a half are those of e5m2 and eight more. */
  if (kind == __NV_E5M2)
    return __half_raw{ (unsigned short)(bits << 8) };
#ifdef __CUDA_ARCH__
  unsigned int pair;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"((unsigned short)bits));
  return __half_raw{ (unsigned short)pair };
#else
  unsigned int size = bits & 0x7f;
  double x = size == 0x7f ? __builtin_nan("") : softdevice_unpack(size, 3, -6);
  return __half_raw(__half(bits & 0x80 ? -x : x));
#endif
}

#endif
