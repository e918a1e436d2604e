/* A network in the device's memory. */
#ifndef CODE_DYNAMIC_ON_DEVICE_H
#define CODE_DYNAMIC_ON_DEVICE_H

#include "common/cuda_check.h"
#include "dynamic/network.h"

static inline network network_copied(const network *g)
{
  network d = *g;
  CUDA_CHECK(cudaMalloc(&d.offsets, ((size_t)g->n + 1) * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d.neighbours, ((size_t)g->m + 1) * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d.offsets, g->offsets,
                        ((size_t)g->n + 1) * sizeof(int),
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d.neighbours, g->neighbours,
                        (size_t)g->m * sizeof(int), cudaMemcpyHostToDevice));
  return d;
}

static inline void network_release(network *d)
{
  CUDA_CHECK(cudaFree(d->offsets));
  CUDA_CHECK(cudaFree(d->neighbours));
}

#endif
