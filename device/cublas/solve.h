/* Triangular systems: A X = alpha B, with A of real or complex numbers. Sums are
 * as exact as those of product.h; the solution is rounded once to its type. */
#ifndef DEVICE_CUBLAS_SOLVE_H
#define DEVICE_CUBLAS_SOLVE_H

#include "product.h"

struct solve {
  struct operand a;    /* triangular, `m` rows */
  int64_t m, n;        /* rows and columns of X */
  void *x;             /* B before, X afterwards, of A's type */
  int64_t row, column; /* as in an operand */
  double alpha[2];     /* 0: X is 0, and A is not read */
};

/* X A = alpha B, for an X of n rows and m columns: the same transposed. */
void solve_transpose(struct solve *solve);

/* False without memory. */
bool solve_run(const struct solve *solve);

#endif
