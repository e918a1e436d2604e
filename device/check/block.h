/* What the checks know of a launch and of a running block. Private to
 * device/check. */
#ifndef DEVICE_CHECK_BLOCK_H
#define DEVICE_CHECK_BLOCK_H

#include "cells.h"
#include "finding.h"
#include "hooks.h"
#include "operations.h"
#include "order.h"
#include "shadow.h"

enum { CHECK_WARPS = 32 };
#define NO_RECORD UINT32_MAX

/* A worker's store to global memory, from the moment at which it is noted to
 * the one at which memory holds its values. */
struct check_storing {
  _Alignas(64) atomic_flag lock; /* against its end while another looks */
  bool open;                     /* of interest to its own worker only */
  _Atomic uint32_t lanes;        /* those that are noted by now */
  uint32_t tag;                  /* of the block */
  struct check_access access;
};

struct check_launch {
  const char *kernel;
  struct check_program program;
  uint32_t grid[3];
  uint64_t number; /* 1, 2, 3 … in the process */
  struct order order;
  atomic_bool muted;
  struct op_now *operation; /* the stream's; NULL: not watched */
  unsigned n_workers;
  struct check_storing *storing; /* by worker */
};

struct check_block {
  struct check_launch *launch;
  struct check_storing *storing; /* its worker's */
  uint64_t index;
  uint32_t tag; /* low bits of index, plus 1 */
  uint32_t id[3], threads[3], n_threads, n_warps;
  uint32_t shared_bytes, zeroed_bytes;
  uint64_t local_stride;
  uint32_t clock;         /* grows with every event that orders */
  uint32_t barrier_clock; /* accesses up to here are ordered for all */
  uint32_t barrier;       /* the record of that barrier; NO_RECORD: none */
  uint32_t warp_clock[CHECK_WARPS]; /* … for the lanes of this warp */
  uint32_t (*lane_clock[CHECK_WARPS])[CHECK_LANES]; /* [who][of whom] */
  bool partial;    /* some warps of it synchronised by themselves */
  bool in_cluster; /* other blocks reach its shared memory */
  struct order_block order;
  bool races;                                     /* they are looked for */
  uint32_t shared_read_clock, shared_write_clock; /* of the last ones */
  struct cell_reads *shared_reads;
  struct cell_others *shared_others;
  struct cell_writes *shared_writes;
  struct cell_split *shared_splits; /* NULL: no group was split */
  uint32_t *shared_init, *local_init;
};

/* What is known about a range of memory; no reads, or no writes: none that
 * matter. */
struct cells {
  struct cell_reads *reads;
  struct cell_others *others;
  struct cell_writes *writes;
  struct cell_split **splits; /* one per group; *splits may be NULL */
  size_t n_groups;
};

/* Other blocks may be there, too. */
static inline bool between_blocks(const struct check_access *a)
{
  return a->space == SPACE_GLOBAL || a->owner != NULL;
}

/* The parts of check_access, for one run of lanes. `bits` is a map with a bit
 * per byte; `at` says where its first lane is: the byte in that map, or from
 * the first cell on. */
void init_run(struct check_block *block, const struct check_access *a,
              const struct check_run *run, uint32_t *bits, uint64_t at);
void race_run(struct check_block *block, const struct check_access *a,
              const struct check_run *run, const struct cells *cells,
              uint64_t at);

/* Cells have these lanes of a store from now on. Their page is locked. */
void storing_noted(struct check_block *block, uint32_t lanes);
/* Takes and gives back the lock of a store. */
void storing_lock(struct check_storing *storing);
void storing_unlock(struct check_storing *storing);

/* Where the part of the kernel begins that the block is in: after the barrier
 * at this line of the kernel, or 0. */
uint64_t part_of_kernel(const struct check_block *block);
/* The number of the allocation that holds an address, or is nearest to it. */
uint64_t number_of_allocation(uint64_t address);

void fill_story(const struct check_block *block, struct finding *finding);
void fill_side(const struct check_block *block, uint32_t warp, uint32_t lane,
               uint32_t record, struct finding_side *side);

#endif
