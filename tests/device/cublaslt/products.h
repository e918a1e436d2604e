/* What the tests of cuBLASLt begin with. They are compiled against the toolkit's
 * header and run on a GPU, too; see on_gpu in ../driver. */
#ifndef TESTS_DEVICE_CUBLASLT_PRODUCTS_H
#define TESTS_DEVICE_CUBLASLT_PRODUCTS_H

#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include "../runtime/test.h"

#define OK CUBLAS_STATUS_SUCCESS

/* One handle for a whole test, which is destroyed at its end. */
cublasLtHandle_t begin(void);

/* Device memory with these bytes in it. */
void *upload(const void *values, size_t bytes);
void download(void *values, const void *device, size_t bytes);

#endif
