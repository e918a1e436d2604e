/* cuBLAS's binary interface, as far as the software device serves it, so that
 * it builds where no CUDA Toolkit is installed. Names and values are those of
 * CUDA 13.0; tests/device/cublas compiles against the toolkit's header. */
#ifndef DEVICE_CUBLAS_API_H
#define DEVICE_CUBLAS_API_H

#include <stddef.h>
#include <stdint.h>

#include "../core/types.h"
#include "../support/exported.h"

typedef enum {
#define STATUS(code, name, text) name = code,
#include "status.def"
} cublasStatus_t;

typedef struct cublas_handle *cublasHandle_t;

typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER } cublasFill;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiag;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSide;
typedef enum {
  CUBLAS_POINTER_MODE_HOST,
  CUBLAS_POINTER_MODE_DEVICE
} cublasPointerMode_t;

enum {
  CUDA_R_32F = 0,
  CUDA_R_64F = 1,
  CUDA_R_16F = 2,
  CUDA_R_8I = 3,
  CUDA_C_32F = 4,
  CUDA_C_64F = 5,
  CUDA_R_32I = 10,
  CUDA_R_16BF = 14,
  CUDA_R_8F_E4M3 = 28,
  CUDA_R_8F_E5M2 = 29
};

/* Those of less than 64 bits compute in float, or in whole numbers; those that a GPU rounds the inputs for are
 * more exact here. */
enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};

#endif
