/* Vectors of one to four numbers, and dim3. Sizes and alignments are those of
 * the CUDA C++ Programming Guide, "Built-in Vector Types": a vector of two or
 * four is aligned to its size, but not beyond 16 bytes; one of three to its
 * elements. */
#ifndef SOFTDEVICE_VECTOR_TYPES_H
#define SOFTDEVICE_VECTOR_TYPES_H

#include "crt/host_defines.h"

#define SOFTDEVICE_VECTORS(name, type, align2, align4)                         \
  struct name##1 { type x; };                                                  \
  struct __attribute__((aligned(align2))) name##2 { type x, y; };              \
  struct name##3 { type x, y, z; };                                            \
  struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; };        \
  typedef struct name##1 name##1;                                              \
  typedef struct name##2 name##2;                                              \
  typedef struct name##3 name##3;                                              \
  typedef struct name##4 name##4;

SOFTDEVICE_VECTORS(char, signed char, 2, 4)
SOFTDEVICE_VECTORS(uchar, unsigned char, 2, 4)
SOFTDEVICE_VECTORS(short, short, 4, 8)
SOFTDEVICE_VECTORS(ushort, unsigned short, 4, 8)
SOFTDEVICE_VECTORS(int, int, 8, 16)
SOFTDEVICE_VECTORS(uint, unsigned int, 8, 16)
SOFTDEVICE_VECTORS(long, long, 16, 16)
SOFTDEVICE_VECTORS(ulong, unsigned long, 16, 16)
SOFTDEVICE_VECTORS(longlong, long long, 16, 16)
SOFTDEVICE_VECTORS(ulonglong, unsigned long long, 16, 16)
SOFTDEVICE_VECTORS(float, float, 8, 16)
SOFTDEVICE_VECTORS(double, double, 16, 16)

#undef SOFTDEVICE_VECTORS

/* A size or place of blocks and threads. What isn't given is 1. */
struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  SOFTDEVICE_OWN __host__ __device__ constexpr dim3(unsigned int x_ = 1,
                                                    unsigned int y_ = 1,
                                                    unsigned int z_ = 1)
      : x(x_), y(y_), z(z_)
  {
  }
  SOFTDEVICE_OWN __host__ __device__ constexpr dim3(uint3 v)
      : x(v.x), y(v.y), z(v.z)
  {
  }
  SOFTDEVICE_OWN __host__ __device__ constexpr operator uint3() const
  {
    return uint3{ x, y, z };
  }
#endif
};
typedef struct dim3 dim3;

#endif
