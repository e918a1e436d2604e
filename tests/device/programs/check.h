/* What the programs of this folder share: calls that must not fail, and
 * values that must be as expected. */
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define CUDA(call)                                                             \
  do {                                                                         \
    cudaError_t error_ = (call);                                               \
    if (error_ != cudaSuccess) {                                               \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,       \
                   cudaGetErrorString(error_));                                \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

static int failures;
#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition) && failures++ < 10)                                       \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__,          \
                   #condition);                                                \
  } while (0)

template <class T> T *managed(size_t n)
{
  T *p;
  CUDA(cudaMallocManaged(&p, n * sizeof(T)));
  for (size_t i = 0; i < n; i++)
    p[i] = T();
  return p;
}
