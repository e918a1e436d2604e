/* Numbers of the four types of cuBLAS, for tests that call each of its calls. */
#ifndef TESTS_DEVICE_CUBLAS_TYPED_H
#define TESTS_DEVICE_CUBLAS_TYPED_H

#include <complex.h>
#include <math.h>

#include "matrices.h"

typedef double complex number_z;

enum { TYPES = 4 };
static const cudaDataType types[TYPES] = { CUDA_R_32F, CUDA_R_64F, CUDA_C_32F,
                                           CUDA_C_64F };

/* The call of a type: its pointers are of any type. */
#define BY_TYPE(type, name, ...)                                               \
  ((type) == CUDA_R_32F   ? cublasS##name(__VA_ARGS__)                         \
   : (type) == CUDA_R_64F ? cublasD##name(__VA_ARGS__)                         \
   : (type) == CUDA_C_32F ? cublasC##name(__VA_ARGS__)                         \
                          : cublasZ##name(__VA_ARGS__))
#define BY_COMPLEX(type, name, ...)                                            \
  ((type) == CUDA_C_32F ? cublasC##name(__VA_ARGS__)                           \
                        : cublasZ##name(__VA_ARGS__))

static inline int is_complex(cudaDataType type)
{
  return type == CUDA_C_32F || type == CUDA_C_64F;
}

static inline size_t type_bytes(cudaDataType type)
{
  return type == CUDA_R_32F ? 4 : type == CUDA_C_64F ? 16 : 8;
}

/* `n` numbers of a type, from and to complex doubles. */
static inline void pack(void *to, cudaDataType type, const number_z *from,
                        int n)
{
  for (int i = 0; i < n; i++) {
    double parts[2] = { creal(from[i]), cimag(from[i]) };
    float singles[2] = { (float)parts[0], (float)parts[1] };
    int is_single = type == CUDA_R_32F || type == CUDA_C_32F;
    memcpy((char *)to + (size_t)i * type_bytes(type),
           is_single ? (void *)singles : (void *)parts, type_bytes(type));
  }
}

static inline void unpack(number_z *to, cudaDataType type, const void *from,
                          int n)
{
  for (int i = 0; i < n; i++) {
    double parts[2] = { 0, 0 };
    float singles[2] = { 0, 0 };
    int is_single = type == CUDA_R_32F || type == CUDA_C_32F;
    memcpy(is_single ? (void *)singles : (void *)parts,
           (const char *)from + (size_t)i * type_bytes(type), type_bytes(type));
    to[i] = is_single ? (double)singles[0] + (double)singles[1] * I
                      : parts[0] + parts[1] * I;
  }
}

/* Small whole numbers, real ones for a real type. */
static inline void fill_numbers(number_z *to, cudaDataType type, int n,
                                unsigned seed)
{
  for (int i = 0; i < n; i++) {
    to[i] = number((unsigned)i + seed);
    if (is_complex(type))
      to[i] += number((unsigned)i * 7 + seed + 3) * I;
  }
}

static inline void *upload_numbers(const number_z *from, cudaDataType type,
                                   int n)
{
  void *bytes = room((size_t)n * type_bytes(type));
  pack(bytes, type, from, n);
  return upload(bytes, (size_t)n * type_bytes(type));
}

static inline int same(double one, double other)
{
  return one == other || (isnan(one) && isnan(other));
}

/* What lies on the device, all of it. */
static inline void expect_numbers(const char *what, const void *device,
                                  cudaDataType type, const number_z *expected,
                                  int n)
{
  void *bytes = room((size_t)n * type_bytes(type));
  number_z *got = room((size_t)n * sizeof *got);
  download(bytes, device, (size_t)n * type_bytes(type));
  unpack(got, type, bytes, n);
  for (int i = 0; i < n; i++)
    if (!same(creal(got[i]), creal(expected[i])) ||
        !same(cimag(got[i]), cimag(expected[i]))) {
      fprintf(stderr, "%s, type %d: element %d is %g %+gi, expected %g %+gi\n",
              what, (int)type, i, creal(got[i]), cimag(got[i]),
              creal(expected[i]), cimag(expected[i]));
      exit(1);
    }
}

#endif
