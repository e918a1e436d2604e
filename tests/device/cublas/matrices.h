/* What the tests of cuBLAS begin with. They are compiled against the toolkit's
 * header and run on a GPU, too; see on_gpu in ../driver. */
#ifndef TESTS_DEVICE_CUBLAS_MATRICES_H
#define TESTS_DEVICE_CUBLAS_MATRICES_H

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include "../runtime/test.h"

#define OK CUBLAS_STATUS_SUCCESS

cublasHandle_t begin(void);

/* Host memory that is freed at the end. */
void *room(size_t bytes);

/* Device memory with these bytes in it. */
void *upload(const void *values, size_t bytes);
void download(void *values, const void *device, size_t bytes);

/* Small whole numbers, so that sums are exact in any order. */
double number(unsigned i);

#endif
