/* A copy of a box as the runtime API knows it. */
#ifndef DEVICE_DRIVER_COPY_BOX_H
#define DEVICE_DRIVER_COPY_BOX_H

#include "api.h"

CUresult copy_parameters(const CUDA_MEMCPY3D *copy,
                         struct cudaMemcpy3DParms *to);

#endif
