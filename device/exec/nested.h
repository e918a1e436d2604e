/* Kernels launched by kernels, and what else device code gives to streams: it
 * is kept here until the runtime does it, after the grid that asked. */
#ifndef DEVICE_EXEC_NESTED_H
#define DEVICE_EXEC_NESTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../support/source_line.h"
#include "program.h"

/* The thread that launched a grid, and where. */
struct launcher {
  const struct kernel *kernel;
  uint32_t block[3], thread[3];
  struct source_line source;
};

struct nested {
  const struct kernel *kernel; /* NULL: a copy, or a set without a source */
  uint64_t to, from, bytes;    /* from 0: `value` in every byte; of what only
                                  got its parameters: their space */
  uint8_t value;
  uint32_t grid[3], block[3], shared_bytes;
  uint64_t parameters; /* device address; free it by memory_release */
  struct launcher by;  /* of a kernel */
  bool is_tail;        /* cudaStreamTailLaunch */
  struct nested *next;
};

/* What was launched since the last call, in order; the caller frees it. What
 * only got its parameters is thrown away. */
struct nested *nested_take(void);

/* For the device functions of builtin.c. */
uint64_t nested_prepare(const struct kernel *kernel, int device,
                        const uint32_t grid[3], const uint32_t block[3],
                        uint32_t shared_bytes, const struct launcher *by);
bool nested_launch(uint64_t parameters, uint64_t stream);
/* The older pair of calls: parameters first, the rest with the launch. */
uint64_t nested_reserve(size_t bytes, int device);
bool nested_launch_kernel(uint64_t parameters, const struct nested *wanted,
                          uint64_t stream);
/* False for addresses of shared or local memory, too: cudaErrorInvalidValue, as
 * on an H100. */
bool nested_copy(uint64_t to, uint64_t from, uint64_t bytes, uint64_t stream);
bool nested_set(uint64_t to, uint8_t value, uint64_t bytes, uint64_t stream);

#endif
