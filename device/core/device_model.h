/* What a device of a compute capability has: the numbers behind
 * cudaDeviceProp, launch limits and occupancy. */
#ifndef DEVICE_CORE_DEVICE_MODEL_H
#define DEVICE_CORE_DEVICE_MODEL_H

#include <stddef.h>

#include "../support/exported.h"

#define DEFAULT_CAPABILITY 90

struct device_model {
  int capability;   /* 90 for 9.0 */
  const char *like; /* the product whose sizes these are */
  int multiprocessors;
  int threads, blocks;    /* resident per multiprocessor */
  int shared_bytes;       /* per multiprocessor */
  int shared_optin_bytes; /* per block, after cudaFuncSetAttribute */
  int shared_granularity; /* bytes; shared memory is given in these */
  int l2_bytes, persisting_l2_bytes;
  int access_window_bytes; /* most of a stream's access policy window */
  int sync_domains;        /* for order in memory; 0: one */
  int bus_bits, clock_khz, memory_clock_khz;
  int copy_engines;
  int double_ratio; /* single to double precision throughput */
};

/* NULL for a capability that is not in the table. */
const struct device_model *device_model(int capability) EXPORTED(device_model);

/* "7.5, 8.0, … or 9.0" for messages. */
const char *device_model_list(void);

/* The same for every capability here: CUDA Programming Guide, appendix
 * "Compute Capabilities", table "Technical Specifications". */
#define WARP_THREADS 32
#define BLOCK_THREADS 1024
#define BLOCK_DIM_X 1024
#define BLOCK_DIM_Y 1024
#define BLOCK_DIM_Z 64
#define GRID_DIM_X 2147483647
#define GRID_DIM_Y 65535
#define GRID_DIM_Z 65535
#define REGISTERS 65536          /* per block, and per multiprocessor */
#define REGISTER_GRANULARITY 256 /* a warp's registers come in these */
#define THREAD_REGISTERS 255
#define SHARED_BLOCK_BYTES 49152 /* without opting in */
#define CONSTANT_BYTES 65536
#define CLUSTER_BLOCKS 8        /* on every device of 9.0 and later */
#define LARGE_CLUSTER_BLOCKS 16 /* for kernels that allow them */
#define WARP_GRANULARITY 4      /* warps of a block, for registers */

/* Shared memory that the system keeps per block, from 8.0 on. */
int device_model_reserved_shared(const struct device_model *model);

#endif
