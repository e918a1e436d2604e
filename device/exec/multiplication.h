/* Two matrices to be multiplied on tensor cores, and what is added to their
 * product: by mma, wmma and wgmma; see lanes/product.c. */
#ifndef DEVICE_EXEC_MULTIPLICATION_H
#define DEVICE_EXEC_MULTIPLICATION_H

#include "matrix.h"

enum {
  MULTIPLICATION_ROWS = 64,
  MULTIPLICATION_COLUMNS = 256,
  MULTIPLICATION_DEPTH = 32
};

/* Elements come as their bits, one per word (of b1, 32 per word), and are
 * widened in place. `k` counts words. */
struct multiplication {
  enum matrix_type a_type, b_type, d_type;
  unsigned rows, n, k;
  unsigned at_once; /* of the k products: how many are added in one step */
  bool negate;      /* the products */
  uint32_t a[MULTIPLICATION_ROWS * MULTIPLICATION_DEPTH];    /* rows of k */
  uint32_t b[MULTIPLICATION_DEPTH * MULTIPLICATION_COLUMNS]; /* k rows of n */
  union {                                                    /* C, then D */
    double real[MULTIPLICATION_ROWS * MULTIPLICATION_COLUMNS];
    int64_t whole[MULTIPLICATION_ROWS * MULTIPLICATION_COLUMNS];
  } sums;
};

#endif
