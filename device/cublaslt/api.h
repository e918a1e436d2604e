/* cuBLASLt's binary interface, as far as the software device serves it. Names
 * and values are those of CUDA 13.0's cublasLt.h; tests/device/cublaslt compiles
 * against that header. */
#ifndef DEVICE_CUBLASLT_API_H
#define DEVICE_CUBLASLT_API_H

#include "../cublas/api.h"

typedef struct lt_handle *cublasLtHandle_t;

#endif
