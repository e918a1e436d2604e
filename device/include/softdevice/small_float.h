/* What cuda_fp16.h and cuda_bf16.h have in common: numbers of few bits, on the
 * host and on the device. On the device each operation is one instruction, or
 * the function for float, rounded; on the host it is the operation in double,
 * rounded. */
#ifndef SOFTDEVICE_SMALL_FLOAT_H
#define SOFTDEVICE_SMALL_FLOAT_H

/* --- formats, on the host ------------------------------------------------ */

/* x, rounded to nearest even, in a format with so many bits of fraction and
 * this exponent of the smallest normal number, as bits without the sign's.
 * From `infinity` on, the number is too large. */
static inline unsigned int softdevice_pack(double x, int fraction_bits,
                                           int least_exponent,
                                           unsigned int infinity)
{
  int exponent, least = least_exponent - fraction_bits;
  double a = __builtin_fabs(x);

  if (a == 0)
    return 0;
  if (a == __builtin_inf())
    return infinity;
  __builtin_frexp(a, &exponent);
  int unit = exponent - fraction_bits - 1;
  if (unit < least)
    unit = least;
  if (unit - least > 4096)
    return infinity;
  unsigned long long whole =
      (unsigned long long)__builtin_nearbyint(__builtin_ldexp(a, -unit));
  /* A carry out of the fraction counts up the exponent, as it should. */
  unsigned long long bits =
      ((unsigned long long)(unit - least) << fraction_bits) + whole;
  return bits < infinity ? (unsigned int)bits : infinity;
}

/* The number whose bits, without the sign's, are these. */
static inline double softdevice_unpack(unsigned int bits, int fraction_bits,
                                       int least_exponent)
{
  int field = (int)(bits >> fraction_bits);
  unsigned int fraction = bits & ((1u << fraction_bits) - 1);
  if (field > 0)
    fraction |= 1u << fraction_bits, field--;
  return __builtin_ldexp(fraction, field + least_exponent - fraction_bits);
}

/* --- operations ---------------------------------------------------------- */

#ifdef __CUDA_ARCH__
#define SOFTDEVICE_SMALL_2(name, T, device, host)                              \
  SOFTDEVICE_BOTH T name(T x, T y)                                             \
  {                                                                            \
    unsigned short result;                                                     \
    asm("{ " device " %0, %1, %2; }"                                           \
        : "=h"(result)                                                         \
        : "h"(softdevice_bits_of(x)), "h"(softdevice_bits_of(y)));             \
    return T(softdevice_raw<T>::from(result));                                 \
  }
#define SOFTDEVICE_SMALL_3(name, T, device, host)                              \
  SOFTDEVICE_BOTH T name(T x, T y, T z)                                        \
  {                                                                            \
    unsigned short result;                                                     \
    asm("{ " device " %0, %1, %2, %3; }"                                       \
        : "=h"(result)                                                         \
        : "h"(softdevice_bits_of(x)), "h"(softdevice_bits_of(y)),              \
          "h"(softdevice_bits_of(z)));                                         \
    return T(softdevice_raw<T>::from(result));                                 \
  }
#else
#define SOFTDEVICE_SMALL_2(name, T, device, host)                              \
  SOFTDEVICE_BOTH T name(T a, T b)                                             \
  {                                                                            \
    double x = (float)a, y = (float)b;                                         \
    return T(host);                                                            \
  }
#define SOFTDEVICE_SMALL_3(name, T, device, host)                              \
  SOFTDEVICE_BOTH T name(T a, T b, T c)                                        \
  {                                                                            \
    double x = (float)a, y = (float)b, z = (float)c;                           \
    return T(host);                                                            \
  }
#endif

/* Each of a pair by itself, or with the instruction for both. */
#ifdef __CUDA_ARCH__
#define SOFTDEVICE_PAIR_2(name, T2, one, device)                               \
  SOFTDEVICE_BOTH T2 name(T2 x, T2 y)                                          \
  {                                                                            \
    unsigned int result;                                                       \
    asm("{ " device " %0, %1, %2; }"                                           \
        : "=r"(result)                                                         \
        : "r"(__builtin_bit_cast(unsigned int, x)),                            \
          "r"(__builtin_bit_cast(unsigned int, y)));                           \
    return __builtin_bit_cast(T2, result);                                     \
  }
#define SOFTDEVICE_PAIR_3(name, T2, one, device)                               \
  SOFTDEVICE_BOTH T2 name(T2 x, T2 y, T2 z)                                    \
  {                                                                            \
    unsigned int result;                                                       \
    asm("{ " device " %0, %1, %2, %3; }"                                       \
        : "=r"(result)                                                         \
        : "r"(__builtin_bit_cast(unsigned int, x)),                            \
          "r"(__builtin_bit_cast(unsigned int, y)),                            \
          "r"(__builtin_bit_cast(unsigned int, z)));                           \
    return __builtin_bit_cast(T2, result);                                     \
  }
#else
#define SOFTDEVICE_PAIR_2(name, T2, one, device)                               \
  SOFTDEVICE_BOTH T2 name(T2 x, T2 y)                                          \
  {                                                                            \
    return T2(one(x.x, y.x), one(x.y, y.y));                                   \
  }
#define SOFTDEVICE_PAIR_3(name, T2, one, device)                               \
  SOFTDEVICE_BOTH T2 name(T2 x, T2 y, T2 z)                                    \
  {                                                                            \
    return T2(one(x.x, y.x, z.x), one(x.y, y.y, z.y));                         \
  }
#endif

/* A function of float. The device's is found by overloading. */
#define SOFTDEVICE_SMALL_1(name, name2, T, T2, of_float)                       \
  SOFTDEVICE_CALL T name(T a)                                                  \
  {                                                                            \
    float x = (float)a;                                                        \
    return T(of_float);                                                        \
  }                                                                            \
  SOFTDEVICE_CALL T2 name2(T2 v) { return T2(name(v.x), name(v.y)); }

/* Comparisons: of one, of a pair, and whether both hold. */
#define SOFTDEVICE_SMALL_COMPARE(name, T, T2, operation)                       \
  SOFTDEVICE_BOTH bool name(T a, T b)                                          \
  {                                                                            \
    float x = (float)a, y = (float)b;                                          \
    return operation;                                                          \
  }                                                                            \
  SOFTDEVICE_BOTH T2 name##2(T2 a, T2 b)                                       \
  {                                                                            \
    return T2(T(name(a.x, b.x) ? 1.0f : 0.0f),                                 \
              T(name(a.y, b.y) ? 1.0f : 0.0f));                                \
  }                                                                            \
  SOFTDEVICE_BOTH unsigned int name##2_mask(T2 a, T2 b)                        \
  {                                                                            \
    return (name(a.x, b.x) ? 0xffffu : 0) |                                    \
           (name(a.y, b.y) ? 0xffff0000u : 0);                                 \
  }

/* All operations of one format. `f` is its name in PTX, add, subtract and
 * multiply are the instructions. In the order of the CUDA Math API. */
#define SOFTDEVICE_SMALL_FLOAT(T, T2, f, add, subtract, multiply)              \
  SOFTDEVICE_SMALL_2(__hadd, T, add f, x + y)                                  \
  SOFTDEVICE_SMALL_2(__hsub, T, subtract f, x - y)                             \
  SOFTDEVICE_SMALL_2(__hmul, T, multiply f, x *y)                              \
  SOFTDEVICE_SMALL_3(__hfma, T, "fma.rn." f, x *y + z)                         \
  SOFTDEVICE_SMALL_3(__hfma_relu, T, "fma.rn.relu." f,                         \
                     x *y + z > 0 ? x * y + z : 0)                             \
  SOFTDEVICE_BOTH T __hadd_rn(T x, T y) { return __hadd(x, y); }               \
  SOFTDEVICE_BOTH T __hsub_rn(T x, T y) { return __hsub(x, y); }               \
  SOFTDEVICE_BOTH T __hmul_rn(T x, T y) { return __hmul(x, y); }               \
  SOFTDEVICE_BOTH T __hdiv(T x, T y) { return T((float)x / (float)y); }        \
  SOFTDEVICE_BOTH T softdevice_saturated(T x)                                  \
  {                                                                            \
    float a = (float)x;                                                        \
    return a > 1 ? T(1.0f) : a > 0 ? x : T(0.0f);                              \
  }                                                                            \
  SOFTDEVICE_BOTH T __hadd_sat(T x, T y)                                       \
  {                                                                            \
    return softdevice_saturated(__hadd(x, y));                                 \
  }                                                                            \
  SOFTDEVICE_BOTH T __hsub_sat(T x, T y)                                       \
  {                                                                            \
    return softdevice_saturated(__hsub(x, y));                                 \
  }                                                                            \
  SOFTDEVICE_BOTH T __hmul_sat(T x, T y)                                       \
  {                                                                            \
    return softdevice_saturated(__hmul(x, y));                                 \
  }                                                                            \
  SOFTDEVICE_BOTH T __hfma_sat(T x, T y, T z)                                  \
  {                                                                            \
    return softdevice_saturated(__hfma(x, y, z));                              \
  }                                                                            \
  SOFTDEVICE_BOTH T __hneg(T x)                                                \
  {                                                                            \
    return T(softdevice_raw<T>::from(softdevice_bits_of(x) ^ 0x8000));         \
  }                                                                            \
  SOFTDEVICE_BOTH T __habs(T x)                                                \
  {                                                                            \
    return T(softdevice_raw<T>::from(softdevice_bits_of(x) & 0x7fff));         \
  }                                                                            \
  SOFTDEVICE_SMALL_COMPARE(__heq, T, T2, x == y)                               \
  SOFTDEVICE_SMALL_COMPARE(__hne, T, T2, x<y || x> y)                          \
  SOFTDEVICE_SMALL_COMPARE(__hle, T, T2, x <= y)                               \
  SOFTDEVICE_SMALL_COMPARE(__hge, T, T2, x >= y)                               \
  SOFTDEVICE_SMALL_COMPARE(__hlt, T, T2, x < y)                                \
  SOFTDEVICE_SMALL_COMPARE(__hgt, T, T2, x > y)                                \
  SOFTDEVICE_SMALL_COMPARE(__hequ, T, T2, !(x < y || x > y))                   \
  SOFTDEVICE_SMALL_COMPARE(__hneu, T, T2, x != y)                              \
  SOFTDEVICE_SMALL_COMPARE(__hleu, T, T2, !(x > y))                            \
  SOFTDEVICE_SMALL_COMPARE(__hgeu, T, T2, !(x < y))                            \
  SOFTDEVICE_SMALL_COMPARE(__hltu, T, T2, !(x >= y))                           \
  SOFTDEVICE_SMALL_COMPARE(__hgtu, T, T2, !(x <= y))                           \
  SOFTDEVICE_BOTH bool __hisnan(T x) { return __hneu(x, x); }                  \
  SOFTDEVICE_BOTH int __hisinf(T x)                                            \
  {                                                                            \
    float a = (float)x;                                                        \
    return a == __builtin_inff() ? 1 : a == -__builtin_inff() ? -1 : 0;        \
  }                                                                            \
  /* The other one for a NaN; -0 is less than 0. */                            \
  SOFTDEVICE_BOTH T __hmax(T x, T y)                                           \
  {                                                                            \
    return __hisnan(x) || __hlt(x, y) ||                                       \
                   (__heq(x, y) && softdevice_bits_of(x) >> 15)                \
               ? y                                                             \
               : x;                                                            \
  }                                                                            \
  SOFTDEVICE_BOTH T __hmin(T x, T y)                                           \
  {                                                                            \
    return __hisnan(x) || __hgt(x, y) ||                                       \
                   (__heq(x, y) && softdevice_bits_of(y) >> 15)                \
               ? y                                                             \
               : x;                                                            \
  }                                                                            \
  SOFTDEVICE_BOTH T __hmax_nan(T x, T y)                                       \
  {                                                                            \
    return __hisnan(x) ? x : __hisnan(y) ? y : __hmax(x, y);                   \
  }                                                                            \
  SOFTDEVICE_BOTH T __hmin_nan(T x, T y)                                       \
  {                                                                            \
    return __hisnan(x) ? x : __hisnan(y) ? y : __hmin(x, y);                   \
  }                                                                            \
                                                                               \
  SOFTDEVICE_PAIR_2(__hadd2, T2, __hadd, add f "x2")                           \
  SOFTDEVICE_PAIR_2(__hsub2, T2, __hsub, subtract f "x2")                      \
  SOFTDEVICE_PAIR_2(__hmul2, T2, __hmul, multiply f "x2")                      \
  SOFTDEVICE_PAIR_3(__hfma2, T2, __hfma, "fma.rn." f "x2")                     \
  SOFTDEVICE_PAIR_3(__hfma2_relu, T2, __hfma_relu, "fma.rn.relu." f "x2")      \
  SOFTDEVICE_BOTH T2 __hadd2_rn(T2 x, T2 y) { return __hadd2(x, y); }          \
  SOFTDEVICE_BOTH T2 __hsub2_rn(T2 x, T2 y) { return __hsub2(x, y); }          \
  SOFTDEVICE_BOTH T2 __hmul2_rn(T2 x, T2 y) { return __hmul2(x, y); }          \
  SOFTDEVICE_BOTH T2 __h2div(T2 x, T2 y)                                       \
  {                                                                            \
    return T2(__hdiv(x.x, y.x), __hdiv(x.y, y.y));                             \
  }                                                                            \
  SOFTDEVICE_BOTH T2 __hadd2_sat(T2 x, T2 y)                                   \
  {                                                                            \
    return T2(__hadd_sat(x.x, y.x), __hadd_sat(x.y, y.y));                     \
  }                                                                            \
  SOFTDEVICE_BOTH T2 __hsub2_sat(T2 x, T2 y)                                   \
  {                                                                            \
    return T2(__hsub_sat(x.x, y.x), __hsub_sat(x.y, y.y));                     \
  }                                                                            \
  SOFTDEVICE_BOTH T2 __hmul2_sat(T2 x, T2 y)                                   \
  {                                                                            \
    return T2(__hmul_sat(x.x, y.x), __hmul_sat(x.y, y.y));                     \
  }                                                                            \
  SOFTDEVICE_BOTH T2 __hfma2_sat(T2 x, T2 y, T2 z)                             \
  {                                                                            \
    return T2(__hfma_sat(x.x, y.x, z.x), __hfma_sat(x.y, y.y, z.y));           \
  }                                                                            \
  SOFTDEVICE_BOTH T2 __hneg2(T2 v) { return T2(__hneg(v.x), __hneg(v.y)); }    \
  SOFTDEVICE_BOTH T2 __habs2(T2 v) { return T2(__habs(v.x), __habs(v.y)); }    \
  SOFTDEVICE_BOTH T2 __hmax2(T2 x, T2 y)                                       \
  {                                                                            \
    return T2(__hmax(x.x, y.x), __hmax(x.y, y.y));                             \
  }                                                                            \
  SOFTDEVICE_BOTH T2 __hmin2(T2 x, T2 y)                                       \
  {                                                                            \
    return T2(__hmin(x.x, y.x), __hmin(x.y, y.y));                             \
  }                                                                            \
  SOFTDEVICE_BOTH T2 __hisnan2(T2 v)                                           \
  {                                                                            \
    return T2(T(__hisnan(v.x) ? 1.0f : 0.0f), T(__hisnan(v.y) ? 1.0f : 0.0f)); \
  }                                                                            \
  SOFTDEVICE_BOTH bool __hbeq2(T2 x, T2 y)                                     \
  {                                                                            \
    return __heq(x.x, y.x) && __heq(x.y, y.y);                                 \
  }                                                                            \
  SOFTDEVICE_BOTH bool __hbne2(T2 x, T2 y)                                     \
  {                                                                            \
    return __hne(x.x, y.x) && __hne(x.y, y.y);                                 \
  }                                                                            \
  SOFTDEVICE_BOTH bool __hble2(T2 x, T2 y)                                     \
  {                                                                            \
    return __hle(x.x, y.x) && __hle(x.y, y.y);                                 \
  }                                                                            \
  SOFTDEVICE_BOTH bool __hbge2(T2 x, T2 y)                                     \
  {                                                                            \
    return __hge(x.x, y.x) && __hge(x.y, y.y);                                 \
  }                                                                            \
  SOFTDEVICE_BOTH bool __hblt2(T2 x, T2 y)                                     \
  {                                                                            \
    return __hlt(x.x, y.x) && __hlt(x.y, y.y);                                 \
  }                                                                            \
  SOFTDEVICE_BOTH bool __hbgt2(T2 x, T2 y)                                     \
  {                                                                            \
    return __hgt(x.x, y.x) && __hgt(x.y, y.y);                                 \
  }                                                                            \
                                                                               \
  SOFTDEVICE_SMALL_1(hsqrt, h2sqrt, T, T2, sqrtf(x))                           \
  SOFTDEVICE_SMALL_1(hrsqrt, h2rsqrt, T, T2, rsqrtf(x))                        \
  SOFTDEVICE_SMALL_1(hrcp, h2rcp, T, T2, 1 / x)                                \
  SOFTDEVICE_SMALL_1(hexp, h2exp, T, T2, expf(x))                              \
  SOFTDEVICE_SMALL_1(hexp2, h2exp2, T, T2, exp2f(x))                           \
  SOFTDEVICE_SMALL_1(hexp10, h2exp10, T, T2, exp10f(x))                        \
  SOFTDEVICE_SMALL_1(hlog, h2log, T, T2, logf(x))                              \
  SOFTDEVICE_SMALL_1(hlog2, h2log2, T, T2, log2f(x))                           \
  SOFTDEVICE_SMALL_1(hlog10, h2log10, T, T2, log10f(x))                        \
  SOFTDEVICE_SMALL_1(hsin, h2sin, T, T2, sinf(x))                              \
  SOFTDEVICE_SMALL_1(hcos, h2cos, T, T2, cosf(x))                              \
  SOFTDEVICE_SMALL_1(htanh, h2tanh, T, T2, tanhf(x))                           \
  SOFTDEVICE_SMALL_1(hfloor, h2floor, T, T2, floorf(x))                        \
  SOFTDEVICE_SMALL_1(hceil, h2ceil, T, T2, ceilf(x))                           \
  SOFTDEVICE_SMALL_1(htrunc, h2trunc, T, T2, truncf(x))                        \
  SOFTDEVICE_SMALL_1(hrint, h2rint, T, T2, rintf(x))                           \
                                                                               \
  SOFTDEVICE_BOTH T operator+(T x, T y) { return __hadd(x, y); }               \
  SOFTDEVICE_BOTH T operator-(T x, T y) { return __hsub(x, y); }               \
  SOFTDEVICE_BOTH T operator*(T x, T y) { return __hmul(x, y); }               \
  SOFTDEVICE_BOTH T operator/(T x, T y) { return __hdiv(x, y); }               \
  SOFTDEVICE_BOTH T operator+(T x) { return x; }                               \
  SOFTDEVICE_BOTH T operator-(T x) { return __hneg(x); }                       \
  SOFTDEVICE_BOTH T &operator+=(T &x, T y) { return x = x + y; }               \
  SOFTDEVICE_BOTH T &operator-=(T &x, T y) { return x = x - y; }               \
  SOFTDEVICE_BOTH T &operator*=(T &x, T y) { return x = x * y; }               \
  SOFTDEVICE_BOTH T &operator/=(T &x, T y) { return x = x / y; }               \
  SOFTDEVICE_BOTH bool operator==(T x, T y) { return __heq(x, y); }            \
  SOFTDEVICE_BOTH bool operator!=(T x, T y) { return __hneu(x, y); }           \
  SOFTDEVICE_BOTH bool operator<(T x, T y) { return __hlt(x, y); }             \
  SOFTDEVICE_BOTH bool operator>(T x, T y) { return __hgt(x, y); }             \
  SOFTDEVICE_BOTH bool operator<=(T x, T y) { return __hle(x, y); }            \
  SOFTDEVICE_BOTH bool operator>=(T x, T y) { return __hge(x, y); }            \
  SOFTDEVICE_BOTH T2 operator+(T2 x, T2 y) { return __hadd2(x, y); }           \
  SOFTDEVICE_BOTH T2 operator-(T2 x, T2 y) { return __hsub2(x, y); }           \
  SOFTDEVICE_BOTH T2 operator*(T2 x, T2 y) { return __hmul2(x, y); }           \
  SOFTDEVICE_BOTH T2 operator/(T2 x, T2 y) { return __h2div(x, y); }           \
  SOFTDEVICE_BOTH T2 operator-(T2 x) { return __hneg2(x); }                    \
  SOFTDEVICE_BOTH T2 &operator+=(T2 &x, T2 y) { return x = x + y; }            \
  SOFTDEVICE_BOTH T2 &operator-=(T2 &x, T2 y) { return x = x - y; }            \
  SOFTDEVICE_BOTH T2 &operator*=(T2 &x, T2 y) { return x = x * y; }            \
  SOFTDEVICE_BOTH T2 &operator/=(T2 &x, T2 y) { return x = x / y; }            \
  SOFTDEVICE_BOTH bool operator==(T2 x, T2 y) { return __hbeq2(x, y); }        \
                                                                               \
  SOFTDEVICE_SMALL_SHUFFLE(__shfl_sync, T, T2, int)                            \
  SOFTDEVICE_SMALL_SHUFFLE(__shfl_up_sync, T, T2, unsigned int)                \
  SOFTDEVICE_SMALL_SHUFFLE(__shfl_down_sync, T, T2, unsigned int)              \
  SOFTDEVICE_SMALL_SHUFFLE(__shfl_xor_sync, T, T2, int)                        \
                                                                               \
  SOFTDEVICE_SMALL_LOAD(__ldg, T, T2)                                          \
  SOFTDEVICE_SMALL_LOAD(__ldcg, T, T2)                                         \
  SOFTDEVICE_SMALL_LOAD(__ldca, T, T2)                                         \
  SOFTDEVICE_SMALL_LOAD(__ldcs, T, T2)                                         \
                                                                               \
  SOFTDEVICE_CALL T atomicAdd(T *address, T value)                             \
  {                                                                            \
    unsigned short old;                                                        \
    asm volatile("atom.add.noftz." f " %0, [%1], %2;"                          \
                 : "=h"(old)                                                   \
                 : "l"(address), "h"(softdevice_bits_of(value))                \
                 : "memory");                                                  \
    return T(softdevice_raw<T>::from(old));                                    \
  }                                                                            \
  SOFTDEVICE_CALL T2 atomicAdd(T2 *address, T2 value)                          \
  {                                                                            \
    unsigned int old;                                                          \
    asm volatile("atom.add.noftz." f "x2 %0, [%1], %2;"                        \
                 : "=r"(old)                                                   \
                 : "l"(address), "r"(__builtin_bit_cast(unsigned int, value))  \
                 : "memory");                                                  \
    return __builtin_bit_cast(T2, old);                                        \
  }

#define SOFTDEVICE_SMALL_SHUFFLE(name, T, T2, type)                            \
  SOFTDEVICE_CALL T2 name(unsigned int mask, T2 value, type lane,              \
                          int width = warpSize)                                \
  {                                                                            \
    return __builtin_bit_cast(                                                 \
        T2, name(mask, __builtin_bit_cast(unsigned int, value), lane, width)); \
  }                                                                            \
  SOFTDEVICE_CALL T name(unsigned int mask, T value, type lane,                \
                         int width = warpSize)                                 \
  {                                                                            \
    return name(mask, T2(value, value), lane, width).x;                        \
  }
#define SOFTDEVICE_SMALL_LOAD(name, T, T2)                                     \
  SOFTDEVICE_CALL T name(const T *address)                                     \
  {                                                                            \
    return T(softdevice_raw<T>::from(name((const unsigned short *)address)));  \
  }                                                                            \
  SOFTDEVICE_CALL T2 name(const T2 *address)                                   \
  {                                                                            \
    return __builtin_bit_cast(T2, name((const unsigned int *)address));        \
  }

/* The bits of a number, and what a number is made from them with. */
template <typename T> struct softdevice_raw;

/* The type of one number and that of two. Its constructors and conversions
 * are those of the CUDA Math API. */
#define SOFTDEVICE_SMALL_TYPES(T, T2, RAW, RAW2, to_double, to_float)          \
  struct RAW {                                                                 \
    unsigned short x;                                                          \
  };                                                                           \
  struct __attribute__((aligned(4))) RAW2 {                                    \
    unsigned short x, y;                                                       \
  };                                                                           \
  struct T;                                                                    \
  template <> struct softdevice_raw<T> {                                       \
    SOFTDEVICE_OWN static __host__ __device__ RAW from(int bits)               \
    {                                                                          \
      return RAW{ (unsigned short)bits };                                      \
    }                                                                          \
  };                                                                           \
  SOFTDEVICE_BOTH unsigned short to_double##_bits(double x);                   \
  SOFTDEVICE_BOTH unsigned short to_float##_bits(float x);                     \
  SOFTDEVICE_BOTH float to_float##_wide(unsigned short bits);                  \
  struct T {                                                                   \
    unsigned short __x;                                                        \
    T() = default;                                                             \
    SOFTDEVICE_OWN __host__ __device__ constexpr T(RAW raw) : __x(raw.x) {}    \
    SOFTDEVICE_OWN __host__ __device__ T(float x) : __x(to_float##_bits(x)) {} \
    SOFTDEVICE_OWN __host__ __device__ T(double x)                             \
        : __x(to_double##_bits(x)) {}                                          \
    template <typename I, typename = typename softdevice_if<                   \
                              std::is_integral<I>::value, int>::type>          \
    SOFTDEVICE_OWN __host__ __device__ T(I x)                                  \
        : __x(to_double##_bits((double)x))                                     \
    {                                                                          \
    }                                                                          \
    SOFTDEVICE_OWN __host__ __device__ operator RAW() const                    \
    {                                                                          \
      return RAW{ __x };                                                       \
    }                                                                          \
    SOFTDEVICE_OWN __host__ __device__ operator float() const                  \
    {                                                                          \
      return to_float##_wide(__x);                                             \
    }                                                                          \
    template <typename I, typename = typename softdevice_if<                   \
                              std::is_integral<I>::value, int>::type>          \
    SOFTDEVICE_OWN __host__ __device__ explicit operator I() const             \
    {                                                                          \
      return (I)to_float##_wide(__x);                                          \
    }                                                                          \
  };                                                                           \
  SOFTDEVICE_BOTH unsigned short softdevice_bits_of(T x) { return x.__x; }     \
  struct __attribute__((aligned(4))) T2 {                                      \
    T x, y;                                                                    \
    T2() = default;                                                            \
    SOFTDEVICE_OWN __host__ __device__ constexpr T2(T x_, T y_) : x(x_), y(y_) \
    {                                                                          \
    }                                                                          \
    SOFTDEVICE_OWN __host__ __device__ T2(RAW2 raw)                            \
        : x(RAW{ raw.x }), y(RAW{ raw.y })                                     \
    {                                                                          \
    }                                                                          \
    SOFTDEVICE_OWN __host__ __device__ operator RAW2() const                   \
    {                                                                          \
      return RAW2{ x.__x, y.__x };                                             \
    }                                                                          \
  };

#endif
