/* Arithmetic with a direction of rounding, and fast approximations: intrinsics
 * in the order of the CUDA Math API. Those with a direction are one
 * instruction and correctly rounded; a product of one is never fused with a
 * sum. The approximations are made of the device's approximate instructions,
 * as the API describes them. tests/device/clang/math measures the errors that
 * are stated here, in single precision, and finds none that is larger. */
#ifndef SOFTDEVICE_MATH_INTRINSIC_H
#define SOFTDEVICE_MATH_INTRINSIC_H

#define SOFTDEVICE_DIRECTIONS(X) X(rd, rm) X(rn, rn) X(ru, rp) X(rz, rz)

#define SOFTDEVICE_SINGLE(direction, form)                                     \
  SOFTDEVICE_CALL float __fadd_##direction(float x, float y)                   \
  {                                                                            \
    return __nvvm_add_##form##_f(x, y);                                        \
  }                                                                            \
  SOFTDEVICE_CALL float __fsub_##direction(float x, float y)                   \
  {                                                                            \
    return __nvvm_add_##form##_f(x, -y);                                       \
  }                                                                            \
  SOFTDEVICE_CALL float __fmul_##direction(float x, float y)                   \
  {                                                                            \
    return __nvvm_mul_##form##_f(x, y);                                        \
  }                                                                            \
  SOFTDEVICE_CALL float __fmaf_##direction(float x, float y, float z)          \
  {                                                                            \
    return __nvvm_fma_##form##_f(x, y, z);                                     \
  }                                                                            \
  SOFTDEVICE_CALL float __fdiv_##direction(float x, float y)                   \
  {                                                                            \
    return __nvvm_div_##form##_f(x, y);                                        \
  }                                                                            \
  SOFTDEVICE_CALL float __frcp_##direction(float x)                            \
  {                                                                            \
    return __nvvm_rcp_##form##_f(x);                                           \
  }                                                                            \
  SOFTDEVICE_CALL float __fsqrt_##direction(float x)                           \
  {                                                                            \
    return __nvvm_sqrt_##form##_f(x);                                          \
  }                                                                            \
  SOFTDEVICE_CALL double __dadd_##direction(double x, double y)                \
  {                                                                            \
    return __nvvm_add_##form##_d(x, y);                                        \
  }                                                                            \
  SOFTDEVICE_CALL double __dsub_##direction(double x, double y)                \
  {                                                                            \
    return __nvvm_add_##form##_d(x, -y);                                       \
  }                                                                            \
  SOFTDEVICE_CALL double __dmul_##direction(double x, double y)                \
  {                                                                            \
    return __nvvm_mul_##form##_d(x, y);                                        \
  }                                                                            \
  SOFTDEVICE_CALL double __fma_##direction(double x, double y, double z)       \
  {                                                                            \
    return __nvvm_fma_##form##_d(x, y, z);                                     \
  }                                                                            \
  SOFTDEVICE_CALL double __ddiv_##direction(double x, double y)                \
  {                                                                            \
    return __nvvm_div_##form##_d(x, y);                                        \
  }                                                                            \
  SOFTDEVICE_CALL double __drcp_##direction(double x)                          \
  {                                                                            \
    return __nvvm_rcp_##form##_d(x);                                           \
  }                                                                            \
  SOFTDEVICE_CALL double __dsqrt_##direction(double x)                         \
  {                                                                            \
    return __nvvm_sqrt_##form##_d(x);                                          \
  }

SOFTDEVICE_DIRECTIONS(SOFTDEVICE_SINGLE)

#undef SOFTDEVICE_SINGLE
#undef SOFTDEVICE_DIRECTIONS

/* 2 ulp */
SOFTDEVICE_CALL float __frsqrt_rn(float x) { return __nvvm_rsqrt_approx_f(x); }
/* 2 ulp for |y| in [2^-126, 2^126] */
SOFTDEVICE_CALL float __fdividef(float x, float y)
{
  return __nvvm_div_approx_f(x, y);
}
/* 2^-20.5 absolute for x in [-π, π] */
SOFTDEVICE_CALL float __sinf(float x) { return __nvvm_sin_approx_f(x); }
/* 2^-20.9 absolute for x in [-π, π] */
SOFTDEVICE_CALL float __cosf(float x) { return __nvvm_cos_approx_f(x); }
SOFTDEVICE_CALL void __sincosf(float x, float *sine, float *cosine)
{
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
/* not measured */
SOFTDEVICE_CALL float __tanf(float x)
{
  return __fdividef(__sinf(x), __cosf(x));
}
/* 2 + floor(|1.173 x|) ulp */
SOFTDEVICE_CALL float __expf(float x)
{
  return __nvvm_ex2_approx_f(x * 0x1.715476p+0f);
}
/* 2 + floor(|2.97 x|) ulp */
SOFTDEVICE_CALL float __exp10f(float x)
{
  return __nvvm_ex2_approx_f(x * 0x1.a934fp+1f);
}
/* 2^-22 absolute for x in [0.5, 2], else 2 ulp */
SOFTDEVICE_CALL float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
/* 2^-21.4 absolute for x in [0.5, 2], else 3 ulp */
SOFTDEVICE_CALL float __logf(float x) { return __log2f(x) * 0x1.62e43p-1f; }
/* 2^-22 absolute for x in [0.5, 2], else 3 ulp */
SOFTDEVICE_CALL float __log10f(float x) { return __log2f(x) * 0x1.344136p-2f; }
/* not measured */
SOFTDEVICE_CALL float __powf(float x, float y)
{
  return __nvvm_ex2_approx_f(y * __log2f(x));
}
/* to [0, 1]; a NaN becomes 0 */
SOFTDEVICE_CALL float __saturatef(float x) { return __nvvm_saturate_f(x); }

#endif
