/* What the race check knows of words of memory, in groups of 16 words, so
 * that a warp's access is judged by a few vector loops; and those loops.
 * cells.c is compiled for each level of vector instructions. */
#ifndef DEVICE_CHECK_CELLS_H
#define DEVICE_CHECK_CELLS_H

#include <stdbool.h>
#include <stdint.h>

enum { CELL_WORDS = 16, CELL_WORD_BYTES = 4 };

/* The last reads and the last write of each word. A clock of 0: none. */
struct cell_reads {
  uint32_t block[CELL_WORDS], clock[CELL_WORDS];
  uint32_t site[CELL_WORDS];   /* how and by which warp: enum cell_site */
  uint32_t lanes[CELL_WORDS];  /* of that warp */
};
struct cell_writes {
  uint32_t block[CELL_WORDS], clock[CELL_WORDS], site[CELL_WORDS];
  uint32_t thread[CELL_WORDS]; /* warp * 32 + lane */
};

enum cell_site {
  SITE_RECORD_BITS = 19,  /* the instruction */
  SITE_MASK_SHIFT = 19,   /* bytes of the word, 4 bits */
  SITE_KIND_SHIFT = 23,   /* enum check_kind */
  SITE_MANY_WARPS = 1 << 25, SITE_MANY_BLOCKS = 1 << 26,
  SITE_MANY = SITE_MANY_WARPS | SITE_MANY_BLOCKS,
  SITE_WARP_SHIFT = 27
};

/* Lanes of an access that lie one behind the other, or at one address. */
struct check_run {
  uint32_t lanes;
  uint8_t first, n;  /* lanes first, first + 1 …; when `same`: their number */
  bool same;
  bool twin;         /* lanes 16 to 31 are where lanes 0 to 15 are; n is 16 */
};

/* Who accesses, for the loops below. */
struct cell_access {
  uint32_t tag, clock, barrier_clock, warp_clock, warp, site;
  bool global;
  const uint32_t *bit;  /* [CELL_WORDS]: the lanes at each word, 0: nobody */
  const uint32_t *lane; /* [CELL_WORDS]: the lane; UINT32_MAX: several */
};

struct check_loops {
  /* Splits the lanes of `mask` into runs of accesses of `bytes`, at most 32.
   * Returns their number. */
  unsigned (*find_runs)(const uint64_t *address, uint32_t mask,
                        unsigned bytes, struct check_run *runs);
  /* Notes plain reads, or writes, of whole words. False, and nothing is
   * noted, when an earlier access may be in conflict. `writes` and the
   * store's `reads` may be NULL: there were none. */
  bool (*read)(const struct cell_access *a, struct cell_reads *reads,
               const struct cell_writes *writes);
  bool (*write)(const struct cell_access *a, const struct cell_reads *reads,
                struct cell_writes *writes);
};

/* The loops to use; set once, before any kernel runs. */
void check_set_loops(const struct check_loops *loops);
const struct check_loops *check_loops(void);

#endif
