/* C = alpha op(A) op(B) + beta C, for matrices of every kind and type.
 *
 * Blocks of A and B are widened to doubles, the CPU's BLAS multiplies them in
 * double, and the blocks' sums are added with their rounding errors. So the
 * result does not depend on how good the CPU's BLAS is at long sums: it is the
 * exact one rounded once to C's type, give or take 2^-44 of the sum of the
 * terms' magnitudes. */
#ifndef DEVICE_CUBLAS_PRODUCT_H
#define DEVICE_CUBLAS_PRODUCT_H

#include <stdbool.h>

#include "sums.h"

enum kind {
  KIND_FULL,
  KIND_SYMMETRIC,  /* one half is stored and stands for both */
  KIND_HERMITIAN,  /* the same, conjugated; the diagonal is real */
  KIND_TRIANGULAR, /* the other half is zeros, whatever is stored there */
};

/* Element (i, j) is `row` * i + `column` * j numbers from `at`. */
struct operand {
  const void *at;
  int type;
  int64_t row, column;
  bool conjugate;
  enum kind kind;
  bool is_lower, is_unit; /* the stored half; its diagonal counts as ones */
};

enum part { PART_WHOLE, PART_LOWER, PART_UPPER };

struct product {
  int64_t m, n, k;
  struct operand a, b; /* one of them at most not full */
  struct operand a2,
      b2; /* unless at NULL: A2 B2, of the same shape, is added */
  void *c;
  int c_type;
  int64_t c_row, c_column; /* as in an operand */
  enum part part;          /* which part of C is written */
  double alpha[2], beta[2];
};

/* A stored matrix under one of cuBLAS's operations. */
struct operand product_operand(const void *at, int type, int operation,
                               int64_t leading);

/* A square one of which a half is stored. */
struct operand product_half(const void *at, int type, int operation,
                            int64_t leading, enum kind kind, bool is_lower,
                            bool is_unit);

/* A vector as a matrix of one column. */
struct operand product_column(struct vector vector);

/* C shares no memory with A and B. False without memory for the blocks. */
bool product_run(const struct product *product);

#endif
