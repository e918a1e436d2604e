/* A cuBLAS handle and what the program has set on it. */
#ifndef DEVICE_CUBLAS_HANDLE_H
#define DEVICE_CUBLAS_HANDLE_H

#include "../core/state.h"
#include "../core/stream.h"
#include "../memory/memory.h"
#include "api.h"

struct cublas_handle {
  unsigned magic;
  int device;
  cudaStream_t stream;
  cublasPointerMode_t pointer_mode;
  int math_mode, atomics_mode, multiprocessors;
};

/* Not NULL, and made by cublasCreate. */
bool handle_is_valid(cublasHandle_t handle);

#endif
