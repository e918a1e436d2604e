/* The limits of the device that the program runs on, and how many blocks of a
 * kernel are active on its multiprocessors. */
#ifndef CODE_OCCUPANCY_HERE_H
#define CODE_OCCUPANCY_HERE_H

#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "occupancy/occupancy.h"

/* Ends the program (exit status 77) where limits.def has no row. */
static inline const occupancy_limits *limits_here(void)
{
  const cudaDeviceProp *p = device_properties();
  const occupancy_limits *l = occupancy_limits_of(10 * p->major + p->minor);
  if (!l) {
    printf("skipped: limits.def has no row for compute capability %d.%d\n",
           p->major, p->minor);
    exit(EXIT_SKIPPED);
  }
  return l;
}

static inline int multiprocessors_here(void)
{
  return device_properties()->multiProcessorCount;
}

/* Takes so much dynamic shared memory that `blocks` blocks of the kernel are
 * active. The carve-out is the same for every number, so that L1 stays the
 * same, too. Returns the bytes to launch with, -1 if the kernel's own shared
 * memory is more than that. */
static inline int shared_for_here(const void *kernel, int blocks)
{
  cudaFuncAttributes attributes;
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  int bytes = occupancy_shared_for(limits_here(), blocks) -
              (int)attributes.sharedSizeBytes;
  if (bytes < 0)
    return -1;
  CUDA_CHECK(cudaFuncSetAttribute(
      kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  CUDA_CHECK(cudaFuncSetAttribute(
      kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
  return bytes;
}

static inline int active_blocks_here(const void *kernel, int block_threads,
                                     int dynamic_shared)
{
  int blocks;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, kernel, block_threads, (size_t)dynamic_shared));
  return blocks;
}

static inline int registers_here(const void *kernel)
{
  cudaFuncAttributes attributes;
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  return attributes.numRegs;
}

#endif
