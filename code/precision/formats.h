/* Seven ways to write a number, and how a kernel converts to each and back.
 *
 *   stored<half_format>::type s = half_format::narrow(3.14159f);
 *   float x = half_format::wide(s);
 *
 * Every conversion rounds to the nearest number of the format, a tie to the
 * even one; tf32 rounds a tie away from zero, as its instruction does. */
#ifndef CODE_PRECISION_FORMATS_H
#define CODE_PRECISION_FORMATS_H

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

// begin formats
struct float_format {
  typedef float type;
  static __device__ type narrow(float x) { return x; }
  static __device__ float wide(type s) { return s; }
};

struct half_format {
  typedef __half type;
  static __device__ type narrow(float x) { return __float2half_rn(x); }
  static __device__ float wide(type s) { return __half2float(s); }
};

struct bfloat16_format {
  typedef __nv_bfloat16 type;
  static __device__ type narrow(float x) { return __float2bfloat16_rn(x); }
  static __device__ float wide(type s) { return __bfloat162float(s); }
};
// end formats

/* Nineteen bits of a float. It is not a type: it is what a tensor core reads
 * of the 32 bits that it is given. */
struct tf32_format {
  typedef float type;
  static __device__ type narrow(float x)
  {
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return __uint_as_float(bits);
  }
  static __device__ float wide(type s) { return s; }
};

// begin fp8
/* Too large a number becomes the largest one (satfinite), not infinity. */
template <__nv_fp8_interpretation_t KIND> struct fp8_format {
  typedef __nv_fp8_storage_t type;
  static __device__ type narrow(float x)
  {
    return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, KIND);
  }
  static __device__ float wide(type s)
  {
    return __half2float(__half(__nv_cvt_fp8_to_halfraw(s, KIND)));
  }
};
struct e4m3_format : fp8_format<__NV_E4M3> {};
struct e5m2_format : fp8_format<__NV_E5M2> {};
// end fp8

/* x as the format holds it. */
template <typename FORMAT> static __device__ float rounded(float x)
{
  return FORMAT::wide(FORMAT::narrow(x));
}

#endif
