/* What the checks know of a launch and of a running block. Private to
 * device/check. */
#ifndef DEVICE_CHECK_BLOCK_H
#define DEVICE_CHECK_BLOCK_H

#include "finding.h"
#include "hooks.h"
#include "order.h"
#include "shadow.h"

enum { CHECK_WARPS = 32 };

struct check_launch {
  const char *kernel;
  struct check_program program;
  uint32_t grid[3];
  uint64_t number;           /* 1, 2, 3 … in the process */
  struct order order;
};

struct check_block {
  struct check_launch *launch;
  uint64_t index;
  uint32_t tag;              /* low bits of index, plus 1 */
  uint32_t id[3], threads[3], n_threads, n_warps;
  uint32_t shared_bytes;
  uint64_t local_stride;
  uint32_t clock;            /* grows with every event that orders */
  uint32_t barrier_clock;    /* accesses up to here are ordered for all */
  uint32_t warp_clock[CHECK_WARPS]; /* … for the lanes of this warp */
  uint32_t (*lane_clock[CHECK_WARPS])[CHECK_LANES]; /* [who][of whom] */
  bool partial;              /* some warps of it synchronised by themselves */
  struct order_block order;
  struct shadow_cell *shared_cells;
  uint32_t *shared_init, *local_init;
};

/* The parts of check_access, for one lane. `bits` is a map with a bit per
 * byte, `at` the place of the access in it. */
void init_lane(struct check_block *block, const struct check_access *a,
               unsigned lane, uint32_t *bits, uint64_t at);
void race_lane(struct check_block *block, const struct check_access *a,
               unsigned lane, struct shadow_cell *cells, uint64_t word);

void fill_side(const struct check_block *block, uint32_t warp, uint32_t lane,
               uint32_t record, struct finding_side *side);

#endif
