/* Arithmetic in the rounding modes of PTX.
 *
 * Where the processor has rounding modes, rounding_begin sets one, and plain
 * operators follow it until rounding_end. WebAssembly rounds to nearest only
 * (its <fenv.h> has no FE_UPWARD); there the macros call directed_… instead,
 * which calculate exactly and round once. So code between the two calls is
 * written with the macros, which take the mode: 0 to nearest, 1 toward zero,
 * 2 down, 3 up.
 *
 * NaNs and infinities come out as the plain operator's. */
#ifndef DEVICE_SUPPORT_ROUNDING_H
#define DEVICE_SUPPORT_ROUNDING_H

#include <fenv.h>
#include <math.h>
#include <stdint.h>

enum { ROUND_NEAREST, ROUND_TO_ZERO, ROUND_DOWN, ROUND_UP };

float directed_add_f32(float a, float b, unsigned mode);
float directed_mul_f32(float a, float b, unsigned mode);
float directed_div_f32(float a, float b, unsigned mode);
float directed_sqrt_f32(float a, unsigned mode);
float directed_fma_f32(float a, float b, float c, unsigned mode);
double directed_add_f64(double a, double b, unsigned mode);
double directed_mul_f64(double a, double b, unsigned mode);
double directed_div_f64(double a, double b, unsigned mode);
double directed_sqrt_f64(double a, unsigned mode);
double directed_fma_f64(double a, double b, double c, unsigned mode);
float directed_f32_f64(double a, unsigned mode);
float directed_f32_s64(int64_t a, unsigned mode);
float directed_f32_u64(uint64_t a, unsigned mode);
double directed_f64_s64(int64_t a, unsigned mode);
double directed_f64_u64(uint64_t a, unsigned mode);

#ifdef FE_UPWARD

static inline void rounding_begin(unsigned mode)
{
  static const int modes[] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                               FE_UPWARD };

  fesetround(modes[mode]);
}

static inline void rounding_end(void) { fesetround(FE_TONEAREST); }

#define ROUNDED(plain, directed, mode) ((void)(mode), (plain))
#define NEAREST_FMA_F64 fma

#else

static inline void rounding_begin(unsigned mode) { (void)mode; }
static inline void rounding_end(void) {}

#define ROUNDED(plain, directed, mode) ((mode) == 0 ? (plain) : (directed))
/* The C library's own gives other bits than an H200 for some numbers. */
static inline double nearest_fma_f64(double a, double b, double c)
{
  return directed_fma_f64(a, b, c, ROUND_NEAREST);
}
#define NEAREST_FMA_F64 nearest_fma_f64

#endif

#define OF_TYPE(a, name)                                                       \
  _Generic((a), float : directed_##name##_f32, double : directed_##name##_f64)

#define ROUNDED_ADD(a, b, mode)                                                \
  ROUNDED((a) + (b), OF_TYPE(a, add)(a, b, mode), mode)
#define ROUNDED_SUB(a, b, mode)                                                \
  ROUNDED((a) - (b), OF_TYPE(a, add)(a, -(b), mode), mode)
#define ROUNDED_MUL(a, b, mode)                                                \
  ROUNDED((a) * (b), OF_TYPE(a, mul)(a, b, mode), mode)
#define ROUNDED_DIV(a, b, mode)                                                \
  ROUNDED((a) / (b), OF_TYPE(a, div)(a, b, mode), mode)
#define ROUNDED_SQRT(a, mode)                                                  \
  ROUNDED(_Generic((a), float                                                  \
                   : sqrtf, double                                             \
                   : sqrt)(a),                                                 \
          OF_TYPE(a, sqrt)(a, mode), mode)
#define ROUNDED_FMA(a, b, c, mode)                                             \
  ROUNDED(_Generic((a), float                                                  \
                   : fmaf, double                                              \
                   : NEAREST_FMA_F64)(a, b, c),                                \
          OF_TYPE(a, fma)(a, b, c, mode), mode)
/* From f64, s64 or u64. */
#define ROUNDED_F32(a, mode)                                                   \
  ROUNDED((float)(a),                                                          \
          _Generic((a), double                                                 \
                   : directed_f32_f64, int64_t                                 \
                   : directed_f32_s64, uint64_t                                \
                   : directed_f32_u64)(a, mode),                               \
          mode)
/* From s64 or u64. */
#define ROUNDED_F64(a, mode)                                                   \
  ROUNDED((double)(a),                                                         \
          _Generic((a), int64_t                                                \
                   : directed_f64_s64, uint64_t                                \
                   : directed_f64_u64)(a, mode),                               \
          mode)

#endif
