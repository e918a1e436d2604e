/* How many blocks of a kernel fit on a multiprocessor at once. Pure
 * arithmetic on the sizes of device_model.h, as CUDA's occupancy calculator
 * does it. Register counts come from PTX and are an estimate: where registers
 * limit, the hardware's answer may differ. */
#ifndef DEVICE_CORE_OCCUPANCY_H
#define DEVICE_CORE_OCCUPANCY_H

#include "device_model.h"
#include "types.h"

struct kernel_info;

struct occupancy_use {
  int block_threads;
  int registers;       /* per thread */
  size_t shared_bytes; /* static and dynamic, per block */
  size_t pool_bytes;   /* that blocks share; 0: all there are */
};

/* 0 when not even one block fits. */
int occupancy_blocks(const struct device_model *model,
                     const struct occupancy_use *use);

/* The most threads that a block may have if each needs so many registers. */
int occupancy_most_threads(int registers) EXPORTED(occupancy_most_threads);

/* The shared memory of a multiprocessor when `percent` of the most is
 * preferred (-1: no preference): the smallest setting that there is and that
 * suffices for one block of `shared_bytes`. */
size_t occupancy_pool(const struct device_model *model, int percent,
                      size_t shared_bytes);

/* Dynamic shared bytes that each of `n_blocks` blocks may take; `percent` as
 * above. */
size_t occupancy_shared(const struct device_model *model, int percent,
                        int n_blocks, size_t static_bytes);

/* For device code, while a launch runs: cudaOccupancyMaxActiveBlocks… of a
 * kernel that nothing is set for. */
cudaError_t occupancy_answer(int *n_blocks, const struct kernel_info *info,
                             int block_threads, size_t dynamic_bytes,
                             unsigned flags);

#endif
