/* cudaMemcpy3D where an array takes part. */
#ifndef DEVICE_CORE_COPY_ARRAY_H
#define DEVICE_CORE_COPY_ARRAY_H

#include "calls.h"

cudaError_t copy_3d_arrays(const struct cudaMemcpy3DParms *copy);

#endif
