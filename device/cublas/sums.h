/* Sums over vectors of any type in numbers.h, in blocks of doubles whose
 * rounding errors are carried along: their length does not matter. */
#ifndef DEVICE_CUBLAS_SUMS_H
#define DEVICE_CUBLAS_SUMS_H

#include <stdbool.h>

#include "numbers.h"

/* A vector: element i is `step` * i numbers from `at`. */
struct vector {
  const void *at;
  int type;
  int64_t step;
};

/* As BLAS means it: with a negative increment the vector begins at its other
 * end. */
struct vector sums_vector(const void *address, int type, int64_t n,
                          int64_t increment);

/* `result` has two doubles for complex numbers; `conjugate` the first one. */
void sums_dot(struct vector x, struct vector y, int64_t n, bool conjugate,
              double *result);

double sums_of_sizes(struct vector x, int64_t n);
double sums_norm(struct vector x, int64_t n);

/* to += value; what that rounds away goes to `lost`. */
static inline void sums_add(double *to, double *lost, double value)
{
  double before = *to, after = before + value, seen = after - before;

  *lost += (before - (after - seen)) + (value - seen);
  *to = after;
}

/* What the two come to. Infinities and NaNs leave NaN in `lost`. */
static inline double sums_total(double value, double lost)
{
  return lost - lost == 0 ? value + lost : value;
}

#endif
