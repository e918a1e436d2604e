/* The calls of the CUDA runtime API that the software device serves, for C and
 * C++: generated from its own tables. A call that it doesn't serve isn't
 * declared. */
#ifndef SOFTDEVICE_CUDA_RUNTIME_API_H
#define SOFTDEVICE_CUDA_RUNTIME_API_H

#include "driver_types.h"
#include "softdevice/driver_enums.h"
#include "vector_types.h"

#define CUDART_VERSION 13000
#define CUDART_CB

#include "cuda_runtime_calls.h"

#endif
