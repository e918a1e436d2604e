/* cuBLAS's options as CBLAS's. */
#ifndef DEVICE_CUBLAS_OPTIONS_H
#define DEVICE_CUBLAS_OPTIONS_H

#include <cblas.h>

#include "job.h"

#define TRANSPOSES 3 /* how many values there are */
#define FILLS 2
#define DIAGS 2
#define SIDES 2

static inline CBLAS_UPLO fill_of(int fill)
{
  return fill == CUBLAS_FILL_MODE_LOWER ? CblasLower : CblasUpper;
}

#endif
