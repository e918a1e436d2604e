/* make_int2 (x, y) and the like. */
#ifndef SOFTDEVICE_VECTOR_FUNCTIONS_H
#define SOFTDEVICE_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define SOFTDEVICE_MAKE(name, type)                                            \
  SOFTDEVICE_BOTH name##1 make_##name##1(type x)                               \
  {                                                                            \
    name##1 v = { x };                                                         \
    return v;                                                                  \
  }                                                                            \
  SOFTDEVICE_BOTH name##2 make_##name##2(type x, type y)                       \
  {                                                                            \
    name##2 v = { x, y };                                                      \
    return v;                                                                  \
  }                                                                            \
  SOFTDEVICE_BOTH name##3 make_##name##3(type x, type y, type z)               \
  {                                                                            \
    name##3 v = { x, y, z };                                                   \
    return v;                                                                  \
  }                                                                            \
  SOFTDEVICE_BOTH name##4 make_##name##4(type x, type y, type z, type w)       \
  {                                                                            \
    name##4 v = { x, y, z, w };                                                \
    return v;                                                                  \
  }

SOFTDEVICE_MAKE(char, signed char)
SOFTDEVICE_MAKE(uchar, unsigned char)
SOFTDEVICE_MAKE(short, short)
SOFTDEVICE_MAKE(ushort, unsigned short)
SOFTDEVICE_MAKE(int, int)
SOFTDEVICE_MAKE(uint, unsigned int)
SOFTDEVICE_MAKE(long, long)
SOFTDEVICE_MAKE(ulong, unsigned long)
SOFTDEVICE_MAKE(longlong, long long)
SOFTDEVICE_MAKE(ulonglong, unsigned long long)
SOFTDEVICE_MAKE(float, float)
SOFTDEVICE_MAKE(double, double)

#undef SOFTDEVICE_MAKE

#endif
