/* The C library's mathematical functions as functions for devices, declared
 * before any header of the C++ library: only then does clang accept them
 * besides that library's own of the same names, which are for the host. They
 * are defined in math_float.h and math_double.h. In namespace std, too. */
#ifndef SOFTDEVICE_MATH_FORWARD_H
#define SOFTDEVICE_MATH_FORWARD_H

/* X(name) for functions of one argument, and of two. */
/* clang-format off */
#define SOFTDEVICE_MATH_1(X)                                                   \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos)    \
  X(cosh) X(erf) X(erfc) X(exp) X(exp2) X(expm1) X(fabs) X(floor) X(lgamma)    \
  X(log) X(log10) X(log1p) X(log2) X(logb) X(nearbyint) X(rint) X(round)       \
  X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
#define SOFTDEVICE_MATH_2(X)                                                   \
  X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter)   \
  X(pow) X(remainder)
/* clang-format on */

#define SOFTDEVICE_DECLARE_1(name)                                             \
  SOFTDEVICE_MATH double name(double x);                                       \
  SOFTDEVICE_MATH float name##f(float x);                                      \
  SOFTDEVICE_MATH float name(float x);
#define SOFTDEVICE_DECLARE_2(name)                                             \
  SOFTDEVICE_MATH double name(double x, double y);                             \
  SOFTDEVICE_MATH float name##f(float x, float y);                             \
  SOFTDEVICE_MATH float name(float x, float y);

SOFTDEVICE_MATH_1(SOFTDEVICE_DECLARE_1)
SOFTDEVICE_MATH_2(SOFTDEVICE_DECLARE_2)

#define SOFTDEVICE_DECLARE(type, suffix)                                       \
  SOFTDEVICE_MATH type fma##suffix(type x, type y, type z);                    \
  SOFTDEVICE_MATH type frexp##suffix(type x, int *exponent);                   \
  SOFTDEVICE_MATH int ilogb##suffix(type x);                                   \
  SOFTDEVICE_MATH type ldexp##suffix(type x, int exponent);                    \
  SOFTDEVICE_MATH long long llrint##suffix(type x);                            \
  SOFTDEVICE_MATH long long llround##suffix(type x);                           \
  SOFTDEVICE_MATH long lrint##suffix(type x);                                  \
  SOFTDEVICE_MATH long lround##suffix(type x);                                 \
  SOFTDEVICE_MATH type modf##suffix(type x, type *whole);                      \
  SOFTDEVICE_MATH type remquo##suffix(type x, type y, int *quotient);          \
  SOFTDEVICE_MATH type scalbln##suffix(type x, long exponent);                 \
  SOFTDEVICE_MATH type scalbn##suffix(type x, int exponent);

SOFTDEVICE_DECLARE(double, )
SOFTDEVICE_DECLARE(float, )
SOFTDEVICE_DECLARE(float, f)

SOFTDEVICE_CALL int abs(int x);
SOFTDEVICE_CALL long abs(long x);
SOFTDEVICE_CALL long long abs(long long x);

namespace std
{
#define SOFTDEVICE_USE(name) using ::name;
SOFTDEVICE_MATH_1(SOFTDEVICE_USE)
SOFTDEVICE_MATH_2(SOFTDEVICE_USE)
using ::abs;
using ::fma;
using ::frexp;
using ::ilogb;
using ::ldexp;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
using ::remquo;
using ::scalbln;
using ::scalbn;
}  // namespace std

#undef SOFTDEVICE_USE
#undef SOFTDEVICE_DECLARE
#undef SOFTDEVICE_DECLARE_1
#undef SOFTDEVICE_DECLARE_2

#endif
