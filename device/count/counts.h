/* What one launch did, counted per PTX instruction.
 *
 * Terms are NVIDIA's (Nsight Compute): a warp that executes a memory
 * instruction makes one *request*; a request touches 32-byte *sectors* of
 * global memory, or takes *wavefronts* (passes) of the shared-memory banks.
 * Conflicts are wavefronts minus the ideal number.
 */
#ifndef DEVICE_COUNT_COUNTS_H
#define DEVICE_COUNT_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "../support/source_line.h"
#include "flops.h"

struct instruction_counts {
  uint64_t warps;            /* times a warp executed it (predicated on) */
  uint64_t threads;          /* lanes active in those executions, summed */
  uint64_t sectors;          /* global, local: distinct 32-byte sectors; of
                                bulk copies those of each row */
  uint64_t wavefronts;       /* shared: passes needed; constant: words */
  uint64_t ideal_wavefronts; /* shared: passes without any conflict */
  uint64_t divergent;        /* branch: executions that split the warp */
};

/* What kind of instruction it is, which decides the column that its counts are
 * added to. A generic access, such as ld without a state space, may reach any
 * space: it belongs to the class of the space that its addresses turned out to
 * be in (exec/merge.c). */
enum count_class {
  COUNT_ARITHMETIC,
  COUNT_BRANCH,
  COUNT_BARRIER,
  COUNT_GLOBAL_LOAD,
  COUNT_GLOBAL_STORE,
  COUNT_GLOBAL_ATOMIC,
  COUNT_SHARED_LOAD,
  COUNT_SHARED_STORE,
  COUNT_SHARED_ATOMIC,
  COUNT_LOCAL_LOAD,
  COUNT_LOCAL_STORE,
  COUNT_CONSTANT_LOAD,
  COUNT_TEXTURE,
  COUNT_SURFACE,
  COUNT_COPY_LOAD,  /* bulk copies: from global memory */
  COUNT_COPY_STORE, /* to global memory, reductions too */
  COUNT_MATRIX,     /* mma, wmma.mma, wgmma.mma_async */
  COUNT_OTHER,
  COUNT_CLASSES
};

/* One static instruction with what it did in one launch. */
struct instruction_record {
  struct source_line source;
  unsigned ptx_line;       /* line within the PTX text, from 1 */
  enum count_class class_; /* for a generic access: of its last execution */
  unsigned access_bytes;   /* of one lane's memory access; 0: none. Ideal
                                 sectors are threads × access_bytes / 32 */
  struct flops flops;      /* of one lane */
  struct instruction_counts counts;
};

struct launch_counts {
  size_t n_records;
  struct instruction_record *records; /* owned; free with launch_counts_free */
};

void launch_counts_free(struct launch_counts *counts);

#endif
