/* A cuBLASLt handle. */
#ifndef DEVICE_CUBLASLT_HANDLE_H
#define DEVICE_CUBLASLT_HANDLE_H

#include <stdbool.h>

#include "api.h"

/* Not NULL, and made by cublasLtCreate. */
bool lt_handle_is_valid(cublasLtHandle_t handle);

#endif
