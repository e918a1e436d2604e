/* The GPUs that a program of this chapter uses: all that CUDA shows it. */
#ifndef CODE_MULTI_GPU_GPUS_H
#define CODE_MULTI_GPU_GPUS_H

#include <stdio.h>
#include <stdlib.h>

#include "common/cuda_check.h"
#include "common/options.h"

enum { MAX_GPUS = 16 };

static inline int gpus_count(void)
{
  int n_gpus;
  CUDA_CHECK(cudaGetDeviceCount(&n_gpus));
  return n_gpus < MAX_GPUS ? n_gpus : MAX_GPUS;
}

/* Ends the program if there are fewer than `wanted`. */
static inline int gpus_need(int wanted)
{
  int n_gpus = gpus_count();
  if (n_gpus >= wanted)
    return n_gpus;
  printf("needs %d GPUs, here is %d\n", wanted, n_gpus);
  exit(EXIT_SKIPPED);
}

// begin connect
/* From here on, kernels and copies of each GPU may use the memory of every
 * other. Ends the program if some pair of GPUs cannot do that. */
static inline void gpus_connect(int n_gpus)
{
  for (int gpu = 0; gpu < n_gpus; gpu++)
    for (int peer = 0; peer < n_gpus; peer++) {
      int can = 0;
      if (peer == gpu)
        continue;
      CUDA_CHECK(cudaDeviceCanAccessPeer(&can, gpu, peer));
      if (!can) {
        printf("needs GPUs with peer access; %d has none to %d\n", gpu,
               peer);
        exit(EXIT_SKIPPED);
      }
      CUDA_CHECK(cudaSetDevice(gpu));
      CUDA_CHECK(cudaDeviceEnablePeerAccess(peer, 0));
    }
  CUDA_CHECK(cudaSetDevice(0));
}
// end connect

/* Waits until every GPU has finished everything. */
static inline void gpus_synchronize(int n_gpus)
{
  for (int gpu = 0; gpu < n_gpus; gpu++) {
    CUDA_CHECK(cudaSetDevice(gpu));
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  CUDA_CHECK(cudaSetDevice(0));
}

/* Numbers of GPUs to try: 1, 2, 4 and so on, and all of them. */
static inline int gpus_next(int n, int n_gpus)
{
  return n < n_gpus && 2 * n > n_gpus ? n_gpus : 2 * n;
}

#endif
