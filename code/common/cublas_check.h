/* Every call of cuBLAS is checked: CUBLAS_CHECK(cublasCreate(&handle)). */
#ifndef CODE_COMMON_CUBLAS_CHECK_H
#define CODE_COMMON_CUBLAS_CHECK_H

#include <cublas_v2.h>
#include <stdio.h>
#include <stdlib.h>

static inline void cublas_check_at(cublasStatus_t status, const char *call,
                                   const char *file, int line)
{
  if (status == CUBLAS_STATUS_SUCCESS)
    return;
  fflush(stdout);
  fprintf(stderr, "%s:%d: error: %s: %s\n", file, line, call,
          cublasGetStatusString(status));
  exit(EXIT_FAILURE);
}

#define CUBLAS_CHECK(call) \
  cublas_check_at((call), #call, __FILE__, __LINE__)

#endif
