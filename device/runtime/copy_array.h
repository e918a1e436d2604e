/* cudaMemcpy3D where an array takes part. */
#ifndef DEVICE_RUNTIME_COPY_ARRAY_H
#define DEVICE_RUNTIME_COPY_ARRAY_H

#include "api.h"

cudaError_t copy_3d_arrays(const struct cudaMemcpy3DParms *copy);

#endif
