/* Races: two accesses to one place, at least one a store, that nothing
 * orders. Judged by the rules, never by values or by the order in which the
 * device happened to run them, with one exception: two stores of the same
 * value are left alone.
 *
 * Each word remembers its last write and its last reads with the clock of
 * their block. A block's clock grows with each event that orders something;
 * an access is ordered before what follows when its clock is not above that
 * of a barrier since. Lanes of a warp have no order but by __syncwarp,
 * shuffles and votes, as on Volta and later. */
#include <stdatomic.h>
#include <string.h>

#include "../memory/memory.h"
#include "block.h"

/* A site: who and how, in 32 bits. */
enum {
  RECORD_BITS = 19, MASK_SHIFT = 19, KIND_SHIFT = 23,
  MANY_WARPS = 1 << 25, MANY_BLOCKS = 1 << 26, WARP_SHIFT = 27
};

struct other { /* the access that was there before */
  uint32_t tag, warp, lane, clock, site;
  bool stored, anonymous;
};

static uint32_t site_record(uint32_t site)
{
  return site & ((UINT32_C(1) << RECORD_BITS) - 1);
}

static uint32_t site_mask(uint32_t site) { return site >> MASK_SHIFT & 15; }

static enum check_kind site_kind(uint32_t site)
{
  return (enum check_kind)(site >> KIND_SHIFT & 3);
}

static bool ordered(const struct check_block *b, uint32_t warp, uint32_t lane,
                    const struct other *o)
{
  if (o->tag == b->tag) {
    if (o->clock <= b->barrier_clock)
      return true;
    if (o->warp == warp &&
        (o->clock <= b->warp_clock[warp] ||
         (b->lane_clock[warp] != NULL &&
          o->clock <= b->lane_clock[warp][lane][o->lane])))
      return true;
  }
  return order_known(&b->launch->order, &b->order, b->tag, warp, o->tag,
                     o->warp, o->clock);
}

/* Volatile makes an access strong towards other warps. Within a warp it says
 * nothing about order: the warp-synchronous style of old. */
static bool both_strong(const struct check_block *b,
                        const struct check_access *a, const struct other *o)
{
  enum check_kind before = site_kind(o->site);

  if (a->kind == CHECK_PLAIN || before == CHECK_PLAIN)
    return false;
  return a->kind > CHECK_VOLATILE || before > CHECK_VOLATILE ||
         o->tag != b->tag || o->warp != a->warp;
}

static const uint8_t *value_at(const struct check_access *a, unsigned lane,
                               unsigned at)
{
  unsigned element = at / a->element_bytes;

  if (element >= CHECK_ELEMENTS || a->value[element] == NULL)
    return NULL;
  return a->value[element] + (size_t)lane * a->register_bytes +
         at % a->element_bytes;
}

/* What is there already: an earlier lane's value of the same instruction, or
 * the memory's. */
static bool same_value(const struct check_block *b,
                       const struct check_access *a, unsigned lane,
                       const struct other *o, unsigned at, unsigned n)
{
  bool now = o->tag == b->tag && o->warp == a->warp &&
             o->clock == b->clock && site_record(o->site) == a->record;
  const uint8_t *memory =
      a->space == SPACE_SHARED
          ? a->shared + a->address[lane]
          : (const uint8_t *)(uintptr_t)a->address[lane] +
                memory_view_offset();
  const uint8_t *earlier = NULL;

  if (!a->stores || a->loads || !o->stored)
    return false;
  for (unsigned l = 0; now && l < lane; l++)
    if (a->lanes >> l & 1 && a->address[l] == a->address[lane])
      earlier = value_at(a, l, at);
  for (unsigned i = 0; i < n; i++) {
    const uint8_t *value = value_at(a, lane, at + i);

    if (value == NULL)
      return false;
    if (earlier != NULL) {
      const uint8_t *other = value_at(a, o->lane, at + i);

      if (other == NULL || *other != *value)
        return false;
    } else if (memory[at + i] != *value) {
      return false;
    }
  }
  return true;
}

static const char *title_of(const struct check_block *b,
                            const struct check_access *a,
                            const struct other *o)
{
  if (o->tag != b->tag)
    return "race between blocks in global memory";
  if (o->warp == a->warp && !o->anonymous)
    return a->space == SPACE_SHARED
               ? "race between lanes of a warp in shared memory"
               : "race between lanes of a warp in global memory";
  return a->space == SPACE_SHARED
             ? "race between warps in shared memory"
             : "race between warps in global memory";
}

static const char *advice_of(const struct check_block *b,
                             const struct check_access *a,
                             const struct other *o)
{
  if (o->tag != b->tag)
    return "blocks run in any order: use an atomic, a release and an acquire, "
           "or two launches";
  if (o->warp == a->warp && !o->anonymous)
    return "lanes of a warp run independently: __syncwarp() or a shuffle "
           "orders them";
  return "a __syncthreads() between them would order them";
}

static void tell(struct check_block *b, const struct check_access *a,
                 unsigned lane, const struct other *o, unsigned at)
{
  const struct check_launch *launch = b->launch;
  struct finding f = {
    .check = CHECK_RACE, .title = title_of(b, a, o), .kernel = launch->kernel,
    .has_address = true, .space = a->space, .address = a->address[lane] + at,
  };

  fill_side(b, a->warp, lane, a->record, &f.here);
  f.here.did = check_did(a->loads, a->stores, a->kind, a->bytes);
  fill_side(b, o->warp, o->lane, site_record(o->site), &f.there);
  f.there.did = o->stored ? (site_kind(o->site) == CHECK_ATOMIC ? "an atomic"
                                                                : "a store")
                          : "a load";
  if (o->anonymous) {
    f.there.has_thread = false;
    f.there.has_block = o->tag == b->tag;
  } else if (o->tag != b->tag) {
    uint64_t index = o->tag - 1;

    f.there.block[0] = (uint32_t)(index % launch->grid[0]);
    f.there.block[1] = (uint32_t)(index / launch->grid[0] % launch->grid[1]);
    f.there.block[2] = (uint32_t)(index / launch->grid[0] / launch->grid[1]);
  }
  strcpy(f.detail, advice_of(b, a, o));
  finding_add(&f);
}

static void against_write(struct check_block *b, const struct check_access *a,
                          unsigned lane, const struct shadow_cell *cell,
                          unsigned at, unsigned n)
{
  struct other o = {
    .tag = cell->write_block, .warp = cell->write_thread >> 5,
    .lane = cell->write_thread & 31, .clock = cell->write_clock,
    .site = cell->write_site, .stored = true,
  };

  if (both_strong(b, a, &o) || ordered(b, a->warp, lane, &o) ||
      same_value(b, a, lane, &o, at, n))
    return;
  tell(b, a, lane, &o, at);
}

/* Other lanes than this one may be the ones that read. */
static void against_reads(struct check_block *b, const struct check_access *a,
                          unsigned lane, const struct shadow_cell *cell,
                          unsigned at)
{
  uint32_t site = cell->read_site, lanes = cell->read_lanes;
  struct other o = {
    .tag = cell->read_block, .warp = site >> WARP_SHIFT,
    .clock = cell->read_clock, .site = site,
  };
  bool exact = atomic_load_explicit(&b->launch->order.n_logs,
                                    memory_order_relaxed) == 0;

  if (o.tag == b->tag && o.warp == a->warp)
    lanes &= ~(UINT32_C(1) << lane);
  for (; lanes != 0; lanes &= lanes - 1) {
    o.lane = (uint32_t)__builtin_ctz(lanes);
    if (both_strong(b, a, &o) || ordered(b, a->warp, lane, &o))
      continue;
    tell(b, a, lane, &o, at);
    return;
  }
  if (!exact || b->partial || site_kind(site) != CHECK_PLAIN)
    return;
  /* Readers whose names were overwritten by later ones. */
  o.anonymous = true;
  if (o.tag == b->tag && site & MANY_WARPS && o.clock > b->barrier_clock)
    tell(b, a, lane, &o, at);
  else if (site & MANY_BLOCKS && a->space == SPACE_GLOBAL) {
    o.tag = b->tag + 1;
    tell(b, a, lane, &o, at);
  }
}

static void remember_read(struct check_block *b, const struct check_access *a,
                          unsigned lane, struct shadow_cell *cell,
                          uint32_t site)
{
  uint32_t old = cell->read_site, bit = UINT32_C(1) << lane;
  bool mine = cell->read_block == b->tag && cell->read_clock != 0;
  bool fresh = mine && cell->read_clock > b->barrier_clock;
  bool other = !mine && cell->read_clock != 0 && a->space == SPACE_GLOBAL;
  const uint32_t flags = MANY_WARPS | MANY_BLOCKS;

  if (fresh && ((old ^ site) & ~flags) >> MASK_SHIFT == 0 &&
      cell->read_clock > b->warp_clock[a->warp]) {
    cell->read_lanes |= bit; /* with the older clock: never too late */
    if (a->record != site_record(old))
      cell->read_site = (old & flags) | site;
    return;
  }
  if ((fresh || other) && a->kind != CHECK_PLAIN &&
      site_kind(old) == CHECK_PLAIN)
    return;
  if (site_kind(old) == CHECK_PLAIN) {
    if (fresh && old >> WARP_SHIFT != a->warp)
      site |= MANY_WARPS;
    if (other)
      site |= MANY_BLOCKS;
  }
  site |= (fresh ? old & MANY_WARPS : 0) |
          (mine || other ? old & MANY_BLOCKS : 0);
  cell->read_block = b->tag;
  cell->read_clock = b->clock;
  cell->read_site = site;
  cell->read_lanes = bit;
}

static inline void one_word(struct check_block *b,
                            const struct check_access *a, unsigned lane,
                            struct shadow_cell *cell, uint32_t mask,
                            unsigned at, unsigned n)
{
  const uint32_t tag = b->tag, me = a->warp << 5 | lane;
  const bool global = a->space == SPACE_GLOBAL;
  uint32_t site = (a->record & ((UINT32_C(1) << RECORD_BITS) - 1)) |
                  mask << MASK_SHIFT | (uint32_t)a->kind << KIND_SHIFT |
                  a->warp << WARP_SHIFT;

  if (cell->write_clock != 0 &&
      (cell->write_block == tag
           ? cell->write_clock > b->barrier_clock && cell->write_thread != me
           : global) &&
      (site_mask(cell->write_site) & mask) != 0)
    against_write(b, a, lane, cell, at, n);
  if (!a->stores) {
    remember_read(b, a, lane, cell, site);
    return;
  }
  if (cell->read_clock != 0 &&
      (cell->read_block == tag ? cell->read_clock > b->barrier_clock ||
                                     cell->read_site & MANY_BLOCKS
                               : global) &&
      (site_mask(cell->read_site) & mask) != 0)
    against_reads(b, a, lane, cell, at);
  cell->write_block = tag;
  cell->write_clock = b->clock;
  cell->write_site = site;
  cell->write_thread = me;
}

void race_lane(struct check_block *b, const struct check_access *a,
               unsigned lane, struct shadow_cell *cells, uint64_t word)
{
  if (a->bytes < 4) {
    unsigned shift = (unsigned)(a->address[lane] & 3);

    one_word(b, a, lane, &cells[word], ((1u << a->bytes) - 1) << shift, 0,
             a->bytes);
    return;
  }
  for (unsigned at = 0; at < a->bytes; at += 4)
    one_word(b, a, lane, &cells[word + at / 4], 15, at, 4);
}
