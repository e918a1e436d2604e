/* Counts of one kernel or one source line: the columns of the CSV files. */
#ifndef DEVICE_REPORT_TOTALS_H
#define DEVICE_REPORT_TOTALS_H

#include <stdint.h>

#include "../count/counts.h"

/* In the order in which the files have them. */
#define TOTALS_COLUMNS(COLUMN)                                                 \
  COLUMN(warp_instructions)                                                    \
  COLUMN(thread_instructions)                                                  \
  COLUMN(ld_requests)                                                          \
  COLUMN(ld_sectors)                                                           \
  COLUMN(st_requests)                                                          \
  COLUMN(st_sectors)                                                           \
  COLUMN(atomic_requests)                                                      \
  COLUMN(atomic_sectors)                                                       \
  COLUMN(shared_ld_requests)                                                   \
  COLUMN(shared_ld_wavefronts)                                                 \
  COLUMN(shared_ld_conflicts)                                                  \
  COLUMN(shared_st_requests)                                                   \
  COLUMN(shared_st_wavefronts)                                                 \
  COLUMN(shared_st_conflicts)                                                  \
  COLUMN(local_ld_requests)                                                    \
  COLUMN(local_st_requests)                                                    \
  COLUMN(branches)                                                             \
  COLUMN(divergent_branches)                                                   \
  COLUMN(barriers)                                                             \
  COLUMN(flop_f32)                                                             \
  COLUMN(flop_f64)

/* What caches of their own serve: the columns of SOFTDEVICE_CACHES. */
#define CACHE_COLUMNS(COLUMN)                                                  \
  COLUMN(constant_ld_requests)                                                 \
  COLUMN(constant_ld_words)                                                    \
  COLUMN(texture_requests)

/* Atomics on shared memory: the columns of SOFTDEVICE_ATOMICS. */
#define ATOMIC_COLUMNS(COLUMN)                                                 \
  COLUMN(shared_atomic_requests)                                               \
  COLUMN(shared_atomic_wavefronts)

/* Matrices and the bulk copies that feed them: the columns of
 * SOFTDEVICE_TENSOR. */
#define TENSOR_COLUMNS(COLUMN)                                                 \
  COLUMN(matrix_instructions)                                                  \
  COLUMN(matrix_operations)                                                    \
  COLUMN(matrix_wavefronts)                                                    \
  COLUMN(copy_ld_requests)                                                     \
  COLUMN(copy_ld_sectors)                                                      \
  COLUMN(copy_st_requests)                                                     \
  COLUMN(copy_st_sectors)

struct totals {
#define COLUMN(name) uint64_t name;
  TOTALS_COLUMNS(COLUMN)
  CACHE_COLUMNS(COLUMN)
  ATOMIC_COLUMNS(COLUMN)
  TENSOR_COLUMNS(COLUMN)
#undef COLUMN
  /* Not in the files: sectors that the lanes' bytes would fill if they lay
   * side by side, in 1/32 (they are bytes). */
  uint64_t ld_bytes, st_bytes;
  /* Nor this: only the text report has it. */
  uint64_t surface_requests;
};

void totals_add_record(struct totals *totals,
                       const struct instruction_record *record);
void totals_add(struct totals *totals, const struct totals *more);

#endif
