/* The race check for 16 cells at once, as loops that the compiler turns into
 * vector instructions. They only handle the case in which nothing can be wrong;
 * race.c judges the rest cell by cell. */
#include "cells.h"

#include <stddef.h>

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)

enum { HALF = 16 };

/* ---- runs -------- */

/* The addresses of 16 lanes: all the same, or side by side. */
static bool half_shape(const uint64_t *address, unsigned bytes, bool *same)
{
  uint64_t first = address[0], spread = 0, uneven = 0;

  _Pragma("GCC ivdep") for (unsigned l = 0; l < HALF; l++)
  {
    uint64_t at = address[l] - first;

    spread |= at;
    uneven |= at ^ (uint64_t)l * bytes;
  }
  *same = spread == 0;
  return spread == 0 || uneven == 0;
}

static unsigned join_halves(const uint64_t *address, unsigned bytes,
                            struct check_run *runs)
{
  uint64_t second = address[HALF] - address[0];

  if (runs[0].same != runs[1].same)
    return 2;
  if (runs[0].same ? second != 0 : second != (uint64_t)HALF * bytes) {
    if (runs[0].same || second != 0)
      return 2;
    runs[0].lanes = UINT32_MAX;
    runs[0].twin = true;
    return 1;
  }
  runs[0].lanes = UINT32_MAX;
  runs[0].n = 2 * HALF;
  return 1;
}

static unsigned find_any(const uint64_t *address, uint32_t mask, unsigned bytes,
                         struct check_run *runs)
{
  unsigned n = 0;

  for (uint32_t m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    struct check_run *run = n == 0 ? NULL : &runs[n - 1];
    uint64_t from = run == NULL ? 0 : address[run->first];
    bool behind = run != NULL && l == (unsigned)(run->first + run->n);

    if (run != NULL && address[l] == from && (run->n == 1 || run->same)) {
      run->same = true;
    } else if (!behind || run->same ||
               address[l] != from + (uint64_t)run->n * bytes) {
      run = &runs[n++];
      *run = (struct check_run){ .first = (uint8_t)l };
    }
    run->lanes |= UINT32_C(1) << l;
    run->n++;
  }
  return n;
}

static unsigned find_runs(const uint64_t *address, uint32_t mask,
                          unsigned bytes, struct check_run *runs)
{
  if (mask != UINT32_MAX)
    return find_any(address, mask, bytes, runs);
  for (unsigned h = 0; h < 2; h++) {
    runs[h] = (struct check_run){ .lanes = UINT32_C(0xffff) << h * HALF,
                                  .first = (uint8_t)(h * HALF),
                                  .n = HALF };
    if (!half_shape(address + h * HALF, bytes, &runs[h].same))
      return find_any(address, mask, bytes, runs);
  }
  return join_halves(address, bytes, runs);
}

/* ---- cells --------
 *
 * The same rules as those for one cell in race.c, for 16 at once: a
 * comparison is all ones where it holds. */

typedef uint32_t many __attribute__((vector_size(64), aligned(4), may_alias));

#define MANY(array) (*(many *)(uintptr_t)(array))
#define EVERY(x) ((x) - (many){ 0 })
#define CHOOSE(mask, yes, no) (((yes) & (mask)) | ((no) & ~(mask)))
#define IS(comparison) ((many)(comparison))

/* gcc's address sanitizer keeps vectors of 64 bytes at places that are not
 * aligned to 64, and stores to them as if they were. */
#define UNWATCHED __attribute__((no_sanitize("address")))

UNWATCHED static inline bool is_any(const many *x)
{
  uint32_t any = 0;

  for (unsigned i = 0; i < CELLS; i++)
    any |= (*x)[i];
  return any != 0;
}

UNWATCHED static inline bool meets_write(const struct cell_access *a,
                                         const struct cell_writes *w)
{
  many clock = MANY(w->clock), me = (a->warp << 5) | MANY(a->lane);
  many ours = IS(clock > a->barrier_clock) & IS(MANY(w->thread) != me);
  many mine = IS(MANY(w->block) == a->tag);
  many met = IS(MANY(a->bit) != 0) & IS(clock != 0) &
             CHOOSE(mine, ours, EVERY(-(uint32_t)a->global));

  return is_any(&met);
}

UNWATCHED static inline bool meets_read(const struct cell_access *a,
                                        const struct cell_reads *r)
{
  many clock = MANY(r->clock), site = MANY(r->site), bit = MANY(a->bit);
  many mine = IS(MANY(r->block) == a->tag);
  many alone = mine & IS(site >> SITE_WARP_SHIFT == a->warp) &
               IS(MANY(r->lanes) == bit) &
               IS((site & (uint32_t)SITE_MANY) == 0);
  many ours = IS(clock > a->barrier_clock) |
              IS((site & (uint32_t)SITE_MANY_BLOCKS) != 0);
  many met = IS(bit != 0) & IS(clock != 0) & ~alone &
             CHOOSE(mine, ours, EVERY(-(uint32_t)a->global));

  return is_any(&met);
}

/* The number of the lowest bit, of words that are not 0: the exponent of its
 * value as a float. */
UNWATCHED static inline void lowest(const many *x, many *number)
{
  typedef int32_t signed_many
      __attribute__((vector_size(64), aligned(4), may_alias));
  typedef float floats __attribute__((vector_size(64)));
  floats value = __builtin_convertvector((signed_many)(*x & -*x), floats);

  *number = ((many)value >> 23 & 255) - 127;
}

enum { RECORD_MASK = (1 << SITE_RECORD_BITS) - 1 };

/* Keeps what gives way to the reads at `bit`: all ones in `fades` where it is
 * the read of another warp or block, in `lined` where it is this warp's, at
 * another line, or lines were distinguished before. Sets
 * SITE_MANY_LINES in `flags`. */
UNWATCHED __attribute__((noinline)) static void
note_others(const struct cell_access *a, const struct cell_reads *r,
            struct cell_others *others, const many *fades, const many *lined,
            many *flags)
{
  const uint32_t lines = SITE_MANY_LINES, all = SITE_MANY, record = RECORD_MASK;
  many old = MANY(r->site), bit = MANY(a->bit), before = MANY(others->last);
  many last = CHOOSE(IS((old & lines) != 0), before, MANY(r->lanes));
  many other_line = *lined & IS(((old ^ a->site) & record) != 0);
  many left = CHOOSE(other_line, last & ~(bit & -bit), last), lane, also;
  many moved = *fades | (other_line & IS((old & all) == 0) & IS(left != 0));

  lowest(&left, &lane);
  also = (old & record) | lane << ALSO_LANE_SHIFT |
         old >> SITE_WARP_SHIFT << ALSO_WARP_SHIFT;
  MANY(others->also) = CHOOSE(moved, also, MANY(others->also));
  MANY(others->also_block) =
      CHOOSE(moved, MANY(r->block), MANY(others->also_block));
  MANY(others->last) = CHOOSE(*lined, bit | (last & ~other_line), before);
  *flags |= other_line & IS(left != 0) & lines;
}

UNWATCHED static bool read_words(const struct cell_access *a,
                                 struct cell_reads *r,
                                 struct cell_others *others,
                                 const struct cell_writes *writes)
{
  const many old = MANY(r->site), clock = MANY(r->clock);
  const many bit = MANY(a->bit), lanes = MANY(r->lanes);
  const uint32_t global = -(uint32_t)a->global;
  const uint32_t kept = SITE_FLAGS, blocks = SITE_MANY_BLOCKS,
                 warps = SITE_MANY_WARPS, lines = SITE_MANY_LINES;
  many in = IS(bit != 0), there = IS(clock != 0);
  many mine = IS(MANY(r->block) == a->tag) & there;
  many fresh = mine & IS(clock > a->barrier_clock);
  many other = ~mine & there & global;
  many differs = (old ^ a->site) & ~kept;
  many again = in & fresh & IS(differs >> SITE_KIND_SHIFT == 0) &
               IS(clock > a->warp_clock);
  many plain = IS((old >> SITE_KIND_SHIFT & 3) == 0);
  many warp = plain & fresh & IS(differs >> SITE_WARP_SHIFT != 0);
  many flags = (warp & warps) | (plain & other & blocks) |
               (fresh & old & warps) | ((mine | other) & old & blocks);
  many fades = in & (warp | (plain & other));
  many lined = again & IS((differs | (old & lines)) != 0);
  many special = fades | lined;

  if (writes != NULL && meets_write(a, writes))
    return false;
  flags = CHOOSE(again, old & kept, flags);
  if (is_any(&special)) {
    fades &= ~(mine & (IS((old & blocks) != 0) |
                       (IS((old & warps) != 0) &
                        IS(MANY(others->also) >> ALSO_WARP_SHIFT != a->warp))));
    special = fades | lined;
    if (is_any(&special))
      note_others(a, r, others, &fades, &lined, &flags);
  }
  MANY(r->site) = CHOOSE(in, flags | a->site, old);
  MANY(r->lanes) = CHOOSE(in, bit | (lanes & again), lanes);
  in &= ~again;
  MANY(r->block) = CHOOSE(in, EVERY(a->tag), MANY(r->block));
  MANY(r->clock) = CHOOSE(in, EVERY(a->clock), clock);
  return true;
}

UNWATCHED static bool write_words(const struct cell_access *a,
                                  const struct cell_reads *reads,
                                  struct cell_writes *w)
{
  const many in = IS(MANY(a->bit) != 0);

  if (meets_write(a, w) || (reads != NULL && meets_read(a, reads)))
    return false;
  MANY(w->block) = CHOOSE(in, EVERY(a->tag), MANY(w->block));
  MANY(w->clock) = CHOOSE(in, EVERY(a->clock), MANY(w->clock));
  MANY(w->site) = CHOOSE(in, EVERY(a->site), MANY(w->site));
  MANY(w->thread) = CHOOSE(in, (a->warp << 5) | MANY(a->lane), MANY(w->thread));
  return true;
}

extern const struct check_loops PASTE(check_loops_, LANES_NAME);
const struct check_loops
    PASTE(check_loops_, LANES_NAME) = { find_runs, read_words, write_words };
