/* What the launches of a process did, as files.
 *
 *   SOFTDEVICE_REPORT=file      text for a reader; "-" is stderr
 *   SOFTDEVICE_COUNTS=file      CSV, one row per launch
 *   SOFTDEVICE_CACHES=file      CSV, the same of constants and textures
 *   SOFTDEVICE_ATOMICS=file     CSV, the same of atomics on shared memory
 *   SOFTDEVICE_TENSOR=file      CSV, the same of matrices and bulk copies
 *   SOFTDEVICE_LINES=file       CSV, one row per launch and source line
 *   SOFTDEVICE_ACCESS_MAP=file  CSV, one row per lane and access
 *   SOFTDEVICE_TRACE=file       CSV, one row per warp and instruction
 *   SOFTDEVICE_LAUNCH=file      the launches themselves, see launch.h
 *
 * Each is written to a temporary file beside it, which report_finish renames:
 * you never see half a file. Calls do not overlap.
 */
#ifndef DEVICE_REPORT_REPORT_H
#define DEVICE_REPORT_REPORT_H

#include <stdint.h>

#include "../count/counts.h"
#include "../exec/launch.h"

struct report_launch {
  const char *kernel; /* mangled */
  uint64_t number;    /* 1, 2, 3 … within the process */
  uint32_t grid[3], block[3];
};

/* Before a launch: asks the executor for accesses and instructions where they are wanted. */
void report_begin(const struct report_launch *id, struct launch *launch);

/* After it. `counts` may be partial, after a fault. */
void report_add(const struct report_launch *id,
                const struct launch_counts *counts);

/* Before a fork: what is in the files' buffers must not be written twice. */
void report_flush(void);

/* At exit: completes the files. */
void report_finish(void);

#endif
