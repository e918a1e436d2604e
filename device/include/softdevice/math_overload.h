/* The same functions under the names that C++ has for all types: sin(float)
 * is sinf, and an integer counts as a double. min and max of floating
 * numbers, too, which CUDA C has for the host as well. */
#ifndef SOFTDEVICE_MATH_OVERLOAD_H
#define SOFTDEVICE_MATH_OVERLOAD_H

#define SOFTDEVICE_OVERLOAD(name)                                              \
  SOFTDEVICE_MATH float name(float x) { return name##f(x); }
SOFTDEVICE_MATH_1(SOFTDEVICE_OVERLOAD)
#undef SOFTDEVICE_OVERLOAD
#define SOFTDEVICE_OVERLOAD(name)                                              \
  SOFTDEVICE_MATH float name(float x, float y) { return name##f(x, y); }
SOFTDEVICE_MATH_2(SOFTDEVICE_OVERLOAD)
#undef SOFTDEVICE_OVERLOAD

SOFTDEVICE_MATH float fma(float x, float y, float z) { return fmaf(x, y, z); }
SOFTDEVICE_MATH float frexp(float x, int *e) { return frexpf(x, e); }
SOFTDEVICE_MATH int ilogb(float x) { return ilogbf(x); }
SOFTDEVICE_MATH float ldexp(float x, int n) { return ldexpf(x, n); }
SOFTDEVICE_MATH long long llrint(float x) { return llrintf(x); }
SOFTDEVICE_MATH long long llround(float x) { return llroundf(x); }
SOFTDEVICE_MATH long lrint(float x) { return lrintf(x); }
SOFTDEVICE_MATH long lround(float x) { return lroundf(x); }
SOFTDEVICE_MATH float modf(float x, float *whole) { return modff(x, whole); }
SOFTDEVICE_MATH float remquo(float x, float y, int *q)
{
  return remquof(x, y, q);
}
SOFTDEVICE_MATH float scalbln(float x, long n) { return scalblnf(x, n); }
SOFTDEVICE_MATH float scalbn(float x, int n) { return scalbnf(x, n); }

/* Integers. */
template <bool IS, typename T> struct softdevice_if {
};
template <typename T> struct softdevice_if<true, T> {
  typedef T type;
};
#define SOFTDEVICE_OVERLOAD(name)                                              \
  template <typename T>                                                        \
  SOFTDEVICE_MATH                                                              \
      typename softdevice_if<std::is_integral<T>::value, double>::type         \
      name(T x)                                                                \
  {                                                                            \
    return name((double)x);                                                    \
  }
SOFTDEVICE_MATH_1(SOFTDEVICE_OVERLOAD)
#undef SOFTDEVICE_OVERLOAD

/* Two arguments of different types: as doubles, unless both are float. */
#define SOFTDEVICE_OVERLOAD(name)                                              \
  template <typename T, typename U>                                            \
  SOFTDEVICE_MATH typename softdevice_if<                                      \
      std::is_arithmetic<T>::value && std::is_arithmetic<U>::value &&          \
          !(std::is_same<T, U>::value && std::is_floating_point<T>::value),    \
      double>::type                                                            \
  name(T x, U y)                                                               \
  {                                                                            \
    return name((double)x, (double)y);                                         \
  }
SOFTDEVICE_MATH_2(SOFTDEVICE_OVERLOAD)
#undef SOFTDEVICE_OVERLOAD

/* --- of the host and of the device --------------------------------------- */

#ifdef __CUDA_ARCH__
#define SOFTDEVICE_LEAST(name, type, device, host)                             \
  SOFTDEVICE_BOTH type name(type x, type y) { return device(x, y); }
#else
#define SOFTDEVICE_LEAST(name, type, device, host)                             \
  SOFTDEVICE_BOTH type name(type x, type y) { return host(x, y); }
#endif
SOFTDEVICE_LEAST(min, float, __nvvm_fmin_f, __builtin_fminf)
SOFTDEVICE_LEAST(min, double, __nvvm_fmin_d, __builtin_fmin)
SOFTDEVICE_LEAST(max, float, __nvvm_fmax_f, __builtin_fmaxf)
SOFTDEVICE_LEAST(max, double, __nvvm_fmax_d, __builtin_fmax)
#undef SOFTDEVICE_LEAST
SOFTDEVICE_BOTH double min(float x, double y) { return min((double)x, y); }
SOFTDEVICE_BOTH double min(double x, float y) { return min(x, (double)y); }
SOFTDEVICE_BOTH double max(float x, double y) { return max((double)x, y); }
SOFTDEVICE_BOTH double max(double x, float y) { return max(x, (double)y); }

#endif
