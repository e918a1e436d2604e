/* Which device does this program run on?  A GPU is timed; the software
 * device counts, gets smaller sizes, and is never timed. */
#ifndef CODE_COMMON_DEVICE_H
#define CODE_COMMON_DEVICE_H

#include <cuda_runtime.h>
#include <string.h>

#include "common/cuda_check.h"

static inline const cudaDeviceProp *device_properties(void)
{
  static cudaDeviceProp properties;
  static int known;
  if (!known) {
    int device;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    known = 1;
  }
  return &properties;
}

static inline int device_is_software(void)
{
  static const char prefix[] = "software device";
  return strncmp(device_properties()->name, prefix, sizeof prefix - 1) == 0;
}

/* Free device memory in bytes: what cudaMalloc can still give. */
static inline size_t device_free_bytes(void)
{
  size_t free_bytes, total_bytes;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  return free_bytes;
}

static inline size_t device_l2_bytes(void)
{
  return (size_t)device_properties()->l2CacheSize;
}

#endif
