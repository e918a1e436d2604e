/* Status codes as text; cuBLAS and cuBLASLt have the same ones. */
#ifndef DEVICE_CUBLAS_STATUS_H
#define DEVICE_CUBLAS_STATUS_H

#include <stdbool.h>

/* "CUBLAS_STATUS_SUCCESS", and "success"; of any other number "unrecognized
 * status". */
const char *status_name(int status);
const char *status_text(int status);

/* The version that both libraries have: CUDA 13.0's. */
#define CUBLAS_MAJOR 13
#define CUBLAS_MINOR 1
#define CUBLAS_PATCH 0
#define CUBLAS_VERSION                                                         \
  (10000 * CUBLAS_MAJOR + 100 * CUBLAS_MINOR + CUBLAS_PATCH)
#define CUBLAS_CUDART_VERSION 13000

/* Part 0, 1 or 2 of the version. False of any other, and without a value. */
bool status_version_part(int part, int *value);

#endif
