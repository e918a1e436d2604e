/* cuBLASLt's binary interface, as far as the software device serves it. Names
 * and values are those of CUDA 13.0's cublasLt.h; tests/device/cublaslt compiles
 * against that header. */
#ifndef DEVICE_CUBLASLT_API_H
#define DEVICE_CUBLASLT_API_H

#include "../cublas/api.h"

typedef struct lt_handle *cublasLtHandle_t;

/* Descriptors as programs see them: so many bytes, which a program may have on
 * its own stack. */
enum {
  LT_LAYOUT_BYTES = 64,
  LT_PRODUCT_BYTES = 256,
  LT_PREFERENCE_BYTES = 64,
  LT_ALGORITHM_BYTES = 64
};

typedef enum {
  CUBLASLT_POINTER_MODE_HOST,
  CUBLASLT_POINTER_MODE_DEVICE,
  CUBLASLT_POINTER_MODE_DEVICE_VECTOR,
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO,
  CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST
} lt_pointer_mode;

typedef enum { CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW } lt_order;

enum { CUBLAS_FILL_MODE_FULL = 2 };

/* An epilogue is made of these. */
enum {
  LT_DEFAULT = 1,
  LT_RELU = 2,
  LT_BIAS = 4,
  LT_DRELU = 8,
  LT_BIAS_GRADIENT = 16,
  LT_GELU = 32,
  LT_DGELU = 64,
  LT_AUXILIARY = 128,
  LT_BIAS_GRADIENT_A = 256,
  LT_BIAS_GRADIENT_B = 512
};

/* What cublasLtMatmulAlgoGetHeuristic finds. */
typedef struct {
  uint64_t algorithm[LT_ALGORITHM_BYTES / 8];
  size_t workspace_bytes;
  cublasStatus_t state;
  float waves;
  int reserved[4];
} lt_found;

#endif
