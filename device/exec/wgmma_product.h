/* What a wgmma multiplies; see lanes/product.c. */
#ifndef DEVICE_EXEC_WGMMA_PRODUCT_H
#define DEVICE_EXEC_WGMMA_PRODUCT_H

#include "matrix.h"

enum { WGMMA_ROWS = 64, WGMMA_COLUMNS = 256, WGMMA_DEPTH = 32 };

/* Elements come as their bits, one per word (of b1, 32 per word), and are
 * widened in place. `k` counts words. */
struct wgmma_product {
  enum matrix_type a_type, b_type, d_type;
  unsigned n, k;
  bool negate;                             /* the products */
  uint32_t a[WGMMA_ROWS * WGMMA_DEPTH];    /* 64 rows of k */
  uint32_t b[WGMMA_DEPTH * WGMMA_COLUMNS]; /* k rows of n */
  union {                                  /* 64 rows of n: C, then D */
    double real[WGMMA_ROWS * WGMMA_COLUMNS];
    int64_t whole[WGMMA_ROWS * WGMMA_COLUMNS];
  } sums;
};

#endif
