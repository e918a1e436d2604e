/* Copies with an array on one side or both. */
#ifndef DEVICE_DRIVER_COPY_ARRAY_H
#define DEVICE_DRIVER_COPY_ARRAY_H

#include <stdbool.h>

#include "api.h"

bool copy_has_array(const CUDA_MEMCPY3D *copy);

/* The same for the runtime API. Pitches and heights of memory are filled
 * in. */
CUresult copy_with_arrays(const CUDA_MEMCPY3D *copy, enum cudaMemcpyKind kind,
                          struct cudaMemcpy3DParms *to);
CUresult copy_arrays(const CUDA_MEMCPY3D *copy, enum cudaMemcpyKind kind,
                     bool waits, CUstream stream);

#endif
