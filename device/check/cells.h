/* What the race check remembers of memory: a cell for each aligned word of
 * 4 bytes. Cells come in groups of 16, so that a few vector operations judge
 * a warp's access; those operations are here, too. cells.c is compiled for
 * each level of vector instructions.
 *
 * Where a program uses narrower elements, the group is split: its cells then
 * stand for 2 bytes or 1 byte each (struct cell_split), so that two warps
 * that use different bytes of one word never meet in a cell. */
#ifndef DEVICE_CHECK_CELLS_H
#define DEVICE_CHECK_CELLS_H

#include <stdbool.h>
#include <stdint.h>

enum { CELLS = 16, CELL_BYTES = 4, GROUP_BYTES = CELLS * CELL_BYTES };

/* Of arrays of cells: no group's vectors cross a cache line. */
enum { CELL_ALIGNMENT = 64 };

/* The last reads and the last write of each cell's bytes. A clock of 0 means
 * that there was none. A cell has room for the reads of one warp and for one
 * reader besides; README.md says what is dropped when there are more. */
struct cell_reads {
  uint32_t block[CELLS], clock[CELLS];
  uint32_t site[CELLS];  /* how and by which warp: enum cell_site */
  uint32_t lanes[CELLS]; /* of that warp, whichever line they read at */
};
/* More about reads that a flag of the site speaks of. */
struct cell_others {
  uint32_t last[CELLS]; /* SITE_MANY_LINES: the lanes that read at `site` */
  uint32_t also[CELLS], also_block[CELLS]; /* another reader: enum cell_also */
};
struct cell_writes {
  uint32_t block[CELLS], clock[CELLS], site[CELLS];
  uint32_t thread[CELLS]; /* warp * 32 + lane */
};

enum cell_site {
  SITE_RECORD_BITS = 22,      /* the instruction */
  SITE_MANY_LINES = 1 << 22,  /* lanes of this warp read at other lines, too:
                                 `also`, unless a flag below has it */
  SITE_ONLY_STORED = 1 << 22, /* of a write: it neither loaded, like an atomic,
                                 nor are its values unknown */
  SITE_KIND_SHIFT = 23,       /* enum check_kind, 2 bits */
  SITE_MANY_WARPS = 1 << 25,  /* since the block's last barrier another warp
                                 read, too: `also`, or this block's `also`
                                 gave way to another block's */
  SITE_MANY_BLOCKS = 1 << 26, /* in this launch another block read, too:
                                 `also` */
  SITE_MANY = SITE_MANY_WARPS | SITE_MANY_BLOCKS,
  SITE_FLAGS = SITE_MANY | SITE_MANY_LINES,
  SITE_WARP_SHIFT = 27
};

enum cell_also { /* the record as in cell_site, and the thread */
                 ALSO_LANE_SHIFT = 22,
                 ALSO_WARP_SHIFT = 27
};

/* The cells of a group that was split, 4 / `unit` times 16 of each. */
struct cell_split {
  unsigned unit;     /* bytes per cell: 2 or 1; 0: not split */
  unsigned capacity; /* groups of 16 allocated */
  struct cell_reads *reads;
  struct cell_others *others;
  struct cell_writes *writes;
};

/* Lanes of an access that lie side by side, or at one address. */
struct check_run {
  uint32_t lanes;
  uint8_t first, n; /* lanes first, first + 1 …; when `same`: their number */
  bool same;
  bool twin; /* lanes 16 to 31 are where lanes 0 to 15 are; n is 16 */
};

/* Who accesses, for the loops below. */
struct cell_access {
  uint32_t tag, clock, barrier_clock, warp_clock, warp, site;
  bool global;
  const uint32_t *bit;  /* [CELLS]: the lanes at each cell, 0: none */
  const uint32_t *lane; /* [CELLS]: the lane; UINT32_MAX: several */
};

struct check_loops {
  /* Splits the lanes of `mask` into runs of accesses of `bytes`, at most 32.
   * Returns their number. */
  unsigned (*find_runs)(const uint64_t *address, uint32_t mask, unsigned bytes,
                        struct check_run *runs);
  /* Notes plain reads, or writes, of whole cells. False, and nothing is
   * noted, when an earlier access may be in conflict. `writes` and the
   * store's `reads` may be NULL: there were none. */
  bool (*read)(const struct cell_access *a, struct cell_reads *reads,
               struct cell_others *others, const struct cell_writes *writes);
  bool (*write)(const struct cell_access *a, const struct cell_reads *reads,
                struct cell_writes *writes);
};

/* The loops for this processor: see ../support/vector_level.h. */
const struct check_loops *check_loops(void);

/* Others in their place, for tests; before any kernel runs. */
void check_set_loops(const struct check_loops *loops);

#endif
