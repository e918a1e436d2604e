/* Races: two accesses to one place, at least one a store, that nothing
 * orders. Judged by the rules, never by values or by the order in which the
 * device happened to run them, with one exception: two stores of the same
 * value are left alone. README.md explains the rules and what is remembered
 * of each cell.
 *
 * A cell remembers its last write and its last reads with the clock of their
 * block. A block's clock grows with each event that orders something; an
 * access is ordered before what follows when its clock is not above that of a
 * barrier since. Lanes of a warp have no order but by __syncwarp, shuffles
 * and votes, as on Volta and later. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../memory/memory.h"
#include "../support/host_memory.h"
#include "block.h"

/* The access that was there before. */
struct other {
  uint32_t tag, warp, lane, clock, site;
  uint32_t record; /* RECORD_LOST: the cell kept a later one */
  bool stored, only_stored;
};

enum { RECORD_MASK = (1 << SITE_RECORD_BITS) - 1 };
#define RECORD_LOST UINT32_MAX

static uint32_t site_record(uint32_t site) { return site & RECORD_MASK; }

static enum check_kind site_kind(uint32_t site)
{
  return (enum check_kind)(site >> SITE_KIND_SHIFT & 3);
}

static bool ordered(const struct check_block *b, uint32_t warp, uint32_t lane,
                    const struct other *o)
{
  if (o->tag == b->tag) {
    if (o->clock <= b->barrier_clock)
      return true;
    if (o->warp == warp && (o->clock <= b->warp_clock[warp] ||
                            (b->lane_clock[warp] != NULL &&
                             o->clock <= b->lane_clock[warp][lane][o->lane])))
      return true;
  }
  return order_known(&b->launch->order, &b->order, b->tag, warp, o->tag,
                     o->warp, o->clock);
}

uint32_t check_now(const struct check_block *block) { return block->clock; }

bool check_is_ordered(const struct check_block *block, uint32_t warp,
                      uint32_t lane, const struct check_block *of,
                      uint32_t of_warp, uint32_t clock)
{
  struct other other = { .tag = of->tag, .warp = of_warp, .clock = clock };

  return (block == of && warp == of_warp) || ordered(block, warp, lane, &other);
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
  unsigned element;

  if (a->element_bytes == 0) /* cp.async, mbarrier.init: not in registers */
    return NULL;
  element = at / a->element_bytes;
  if (element >= CHECK_ELEMENTS || a->value[element] == NULL)
    return NULL;
  return a->value[element] + (size_t)lane * a->register_bytes +
         at % a->element_bytes;
}

/* Does the access do no more than to store values that are known? */
static bool only_stores(const struct check_access *a)
{
  return a->stores && !a->loads && value_at(a, 0, 0) != NULL;
}

/* What the last store to a cell has written, or is about to write. */
enum stored_value { VALUE_IN_MEMORY, VALUE_THE_SAME, VALUE_ANOTHER };

/* The same question about the store that another worker has begun. Some of its
 * lanes may not be noted yet: they are none of this cell's, and the worker may
 * still be writing the access that they belong to. */
static enum stored_value value_begun(const struct check_storing *s,
                                     const struct check_access *a,
                                     unsigned lane, const struct other *o,
                                     unsigned at, unsigned n)
{
  const struct check_access *its = &s->access;
  uint64_t place;

  if ((atomic_load_explicit(&s->lanes, memory_order_acquire) >> o->lane & 1) ==
      0)
    return VALUE_IN_MEMORY;
  place = a->address[lane] + at - its->address[o->lane];
  if (s->tag != o->tag || its->warp != o->warp ||
      site_record(its->record) != o->record || place >= its->bytes)
    return VALUE_IN_MEMORY;
  for (unsigned i = 0; i < n; i++)
    if (*value_at(its, o->lane, (unsigned)place + i) !=
        *value_at(a, lane, at + i))
      return VALUE_ANOTHER;
  return VALUE_THE_SAME;
}

/* Another worker's block notes its store a moment before it stores. The cell's
 * page is locked, so that the store was noted by one of those that have begun
 * and not yet ended, or is in memory. */
static enum stored_value value_elsewhere(const struct check_block *b,
                                         const struct check_access *a,
                                         unsigned lane, const struct other *o,
                                         unsigned at, unsigned n)
{
  enum stored_value found = VALUE_IN_MEMORY;

  for (unsigned i = 0; i < b->launch->n_workers && found == VALUE_IN_MEMORY;
       i++) {
    struct check_storing *s = &b->launch->storing[i];

    if (s == b->storing ||
        atomic_load_explicit(&s->lanes, memory_order_acquire) == 0)
      continue;
    storing_lock(s);
    found = value_begun(s, a, lane, o, at, n);
    storing_unlock(s);
  }
  return found;
}

/* Is it the value that the cell's last store left: that of an earlier lane of
 * the same instruction, of another worker's store, or the memory's? */
static bool same_value(const struct check_block *b,
                       const struct check_access *a, unsigned lane,
                       const struct other *o, unsigned at, unsigned n)
{
  bool now = o->tag == b->tag && o->warp == a->warp && o->clock == b->clock &&
             o->record == a->record;
  const uint8_t *memory =
      a->space == SPACE_SHARED
          ? a->shared + a->address[lane]
          : (const uint8_t *)(uintptr_t)a->address[lane] + memory_view_offset();
  const uint8_t *earlier = NULL;

  if (!only_stores(a) || !o->only_stored)
    return false;
  if (o->tag != b->tag && a->space == SPACE_GLOBAL) {
    enum stored_value elsewhere = value_elsewhere(b, a, lane, o, at, n);

    if (elsewhere != VALUE_IN_MEMORY)
      return elsewhere == VALUE_THE_SAME;
  }
  for (unsigned l = 0; now && l < lane; l++)
    if (a->lanes >> l & 1 && a->address[l] == a->address[lane])
      earlier = value_at(a, l, at);
  for (unsigned i = 0; i < n; i++) {
    uint8_t value = *value_at(a, lane, at + i);

    if (value != (earlier != NULL ? *value_at(a, o->lane, at + i)
                                  : *(const volatile uint8_t *)&memory[at + i]))
      return false;
  }
  return true;
}

static const char *title_of(const struct check_block *b,
                            const struct check_access *a, const struct other *o)
{
  if (o->tag != b->tag)
    return a->space == SPACE_GLOBAL
               ? "race between blocks in global memory"
               : "race between blocks of a cluster in shared memory";
  if (o->warp == a->warp)
    return a->space == SPACE_SHARED
               ? "race between lanes of a warp in shared memory"
               : "race between lanes of a warp in global memory";
  return a->space == SPACE_SHARED ? "race between warps in shared memory"
                                  : "race between warps in global memory";
}

static const char *advice_of(const struct check_block *b,
                             const struct check_access *a,
                             const struct other *o)
{
  if (o->tag != b->tag && a->space == SPACE_SHARED)
    return "the cluster's barrier between them would order them";
  if (o->tag != b->tag)
    return "blocks run in any order: use an atomic, a release and an acquire, "
           "or two launches";
  if (o->warp == a->warp)
    return "lanes of a warp run independently: __syncwarp() or a shuffle "
           "orders them";
  return "a __syncthreads() between them would order them";
}

/* Threads of one block lack a barrier after the last one; blocks lack an order
 * for what is in one allocation. What orders warps orders their lanes, too. */
static void set_cause(const struct check_block *b, const struct check_access *a,
                      const struct other *o, struct finding *f)
{
  f->weak = o->tag == b->tag && o->warp == a->warp;
  if (o->tag == b->tag) {
    f->cause = a->space == SPACE_SHARED ? "threads, shared" : "threads, global";
    f->object = part_of_kernel(b);
  } else if (a->space == SPACE_SHARED) {
    f->cause = "blocks, shared";
  } else {
    f->cause = "blocks, global";
    f->object = number_of_allocation(f->address);
  }
}

/* What this worker thread reported lately: the same race again costs no more
 * than a look at this table. */
struct recent_report {
  uint64_t launch;
  uint32_t here, there;
  const char *title;
  struct known *known;
};
enum { RECENT_REPORTS = 256 };

static struct recent_report *recent_report_of(const struct check_block *b,
                                              const struct check_access *a,
                                              const struct other *o)
{
  static _Thread_local struct recent_report all[RECENT_REPORTS];

  return &all[(a->record * 31 + o->record + b->launch->number) %
              RECENT_REPORTS];
}

static void report_race(struct check_block *b, const struct check_access *a,
                        unsigned lane, const struct other *o, unsigned at)
{
  const struct check_launch *launch = b->launch;
  struct recent_report now = { launch->number, a->record, o->record,
                               title_of(b, a, o), NULL };
  struct recent_report *recent = recent_report_of(b, a, o);
  struct finding f = {
    .check = CHECK_RACE,
    .title = now.title,
    .kernel = launch->kernel,
    .has_address = true,
    .space = a->space,
    .address = a->address[lane] + at,
  };

  if (atomic_load_explicit(&launch->muted, memory_order_relaxed))
    return;
  if (recent->known != NULL && recent->launch == now.launch &&
      recent->here == now.here && recent->there == now.there &&
      recent->title == now.title) {
    finding_again(recent->known);
    return;
  }
  set_cause(b, a, o, &f);
  fill_story(b, &f);
  fill_side(b, a->warp, lane, a->record, &f.here);
  f.here.did = check_did(a->loads, a->stores, a->kind, a->bytes);
  fill_side(b, o->warp, o->lane, o->record, &f.there);
  f.there.did =
      o->stored ? (site_kind(o->site) == CHECK_ATOMIC ? "an atomic" : "a store")
                : "a load";
  if (o->tag != b->tag) {
    uint64_t index = o->tag - 1;

    f.there.block[0] = (uint32_t)(index % launch->grid[0]);
    f.there.block[1] = (uint32_t)(index / launch->grid[0] % launch->grid[1]);
    f.there.block[2] = (uint32_t)(index / launch->grid[0] / launch->grid[1]);
  }
  strcpy(f.detail, advice_of(b, a, o));
  now.known = finding_add(&f);
  *recent = now;
}

/* What is known of the bytes of one cell; either may be missing. */
struct cell {
  struct cell_reads *r;
  struct cell_others *o;
  struct cell_writes *w;
  unsigned i;
};

/* Bytes [at, at + n) of what `lane` accesses are those of the cell. */
static void against_write(struct check_block *b, const struct check_access *a,
                          unsigned lane, const struct cell *cell, unsigned at,
                          unsigned n)
{
  const struct cell_writes *w = cell->w;
  struct other o = {
    .tag = w->block[cell->i],
    .warp = w->thread[cell->i] >> 5,
    .lane = w->thread[cell->i] & 31,
    .clock = w->clock[cell->i],
    .site = w->site[cell->i],
    .record = site_record(w->site[cell->i]),
    .stored = true,
    .only_stored = (w->site[cell->i] & SITE_ONLY_STORED) != 0,
  };

  if (both_strong(b, a, &o) || ordered(b, a->warp, lane, &o) ||
      same_value(b, a, lane, &o, at, n))
    return;
  report_race(b, a, lane, &o, at);
}

/* The first of these readers that nothing orders before the access. */
static bool report_reader(struct check_block *b, const struct check_access *a,
                          unsigned lane, struct other *o, uint32_t lanes,
                          unsigned at)
{
  if (o->tag == b->tag && o->warp == a->warp)
    lanes &= ~(UINT32_C(1) << lane);
  for (; lanes != 0; lanes &= lanes - 1) {
    o->lane = (uint32_t)__builtin_ctz(lanes);
    if (both_strong(b, a, o) || ordered(b, a->warp, lane, o))
      continue;
    report_race(b, a, lane, o, at);
    return true;
  }
  return false;
}

/* The reader whose place others have taken. Its clock is gone: all that is
 * known is that it read since the block's last barrier, or in another block.
 * That is enough where nothing else than barriers makes order. */
static bool report_also(struct check_block *b, const struct check_access *a,
                        unsigned lane, const struct cell *cell, unsigned at)
{
  const struct cell_reads *r = cell->r;
  uint32_t site = r->site[cell->i], also = cell->o->also[cell->i];
  bool warps = r->block[cell->i] == b->tag && (site & SITE_MANY_WARPS) != 0 &&
               r->clock[cell->i] > b->barrier_clock;
  bool blocks = (site & SITE_MANY_BLOCKS) != 0 && between_blocks(a);
  struct other o = {
    .tag = cell->o->also_block[cell->i],
    .warp = also >> ALSO_WARP_SHIFT,
    .lane = also >> ALSO_LANE_SHIFT & 31,
    .record = also & RECORD_MASK,
  };

  if (atomic_load_explicit(&b->launch->order.n_logs, memory_order_relaxed) !=
          0 ||
      b->partial || site_kind(site) != CHECK_PLAIN || !(warps || blocks))
    return false;
  report_race(b, a, lane, &o, at);
  return true;
}

/* The lanes that read at the line of the cell's site. */
static uint32_t last_readers(const struct cell *cell)
{
  return cell->r->site[cell->i] & SITE_MANY_LINES ? cell->o->last[cell->i]
                                                  : cell->r->lanes[cell->i];
}

/* Reports one reader, if possible one whose line is known. */
static void against_reads(struct check_block *b, const struct check_access *a,
                          unsigned lane, const struct cell *cell, unsigned at)
{
  const struct cell_reads *r = cell->r;
  unsigned i = cell->i;
  uint32_t site = r->site[i], last = last_readers(cell);
  struct other o = {
    .tag = r->block[i],
    .warp = site >> SITE_WARP_SHIFT,
    .clock = r->clock[i],
    .site = site,
    .record = site_record(site),
  };

  if (report_reader(b, a, lane, &o, last, at))
    return;
  if ((site & SITE_FLAGS) == SITE_MANY_LINES) {
    uint32_t also = cell->o->also[i];

    o.record = also & RECORD_MASK;
    if (report_reader(b, a, lane, &o,
                      UINT32_C(1) << (also >> ALSO_LANE_SHIFT & 31), at))
      return;
  }
  if (report_also(b, a, lane, cell, at))
    return;
  o.record = RECORD_LOST;
  report_reader(b, a, lane, &o, r->lanes[i] & ~last, at);
}

/* The reader that the cell names by now becomes the other one, `also`. */
static void set_also(const struct cell *cell, uint32_t lanes)
{
  unsigned i = cell->i;
  uint32_t site = cell->r->site[i];

  cell->o->also[i] = site_record(site) |
                     (uint32_t)__builtin_ctz(lanes) << ALSO_LANE_SHIFT |
                     site >> SITE_WARP_SHIFT << ALSO_WARP_SHIFT;
  cell->o->also_block[i] = cell->r->block[i];
}

/* A warp reads once more before anything orders its lanes: the cell keeps the
 * earlier clock, and all lanes. */
static void add_reader(const struct cell *cell, uint32_t bit, uint32_t site)
{
  struct cell_reads *r = cell->r;
  unsigned i = cell->i;
  uint32_t old = r->site[i], last = last_readers(cell);

  if (site_record(old) == site_record(site)) {
    cell->o->last[i] = last | bit;
  } else {
    if ((old & SITE_MANY) == 0 && (last & ~bit) != 0)
      set_also(cell, last & ~bit);
    if ((last & ~bit) != 0)
      site |= SITE_MANY_LINES;
    cell->o->last[i] = bit;
  }
  r->lanes[i] |= bit;
  r->site[i] = (old & SITE_FLAGS) | site;
}

/* The read that a cell remembers, as seen from a new one. */
enum earlier_read {
  READ_NONE,       /* or of a block that had this shared memory before */
  READ_ORDERED,    /* by this block, before its last barrier */
  READ_AGAIN,      /* by the same warp in the same way, and nothing has
                        ordered its lanes since */
  READ_FRESH,      /* otherwise by this block since its last barrier */
  READ_OTHER_BLOCK /* by another block that runs at the same time */
};

static enum earlier_read earlier_read(const struct check_block *b,
                                      const struct check_access *a,
                                      const struct cell *cell, uint32_t site)
{
  const struct cell_reads *r = cell->r;
  unsigned i = cell->i;
  uint32_t old = r->site[i] & ~(uint32_t)SITE_FLAGS;

  if (r->clock[i] == 0)
    return READ_NONE;
  if (r->block[i] != b->tag)
    return between_blocks(a) ? READ_OTHER_BLOCK : READ_NONE;
  if (r->clock[i] <= b->barrier_clock)
    return READ_ORDERED;
  if (old >> SITE_KIND_SHIFT == site >> SITE_KIND_SHIFT &&
      r->clock[i] > b->warp_clock[a->warp])
    return READ_AGAIN;
  return READ_FRESH;
}

/* The cell's `also` reader keeps its place if it is of another block, which no
 * barrier of this block orders, or of another warp than the new reader. */
static bool also_stays(const struct cell *cell, uint32_t warp)
{
  uint32_t site = cell->r->site[cell->i], also = cell->o->also[cell->i];

  return (site & SITE_MANY_BLOCKS) != 0 ||
         ((site & SITE_MANY_WARPS) != 0 && also >> ALSO_WARP_SHIFT != warp);
}

/* Notes a read. It takes the place of the earlier one, which may still be one
 * half of a race with a store to come. So the cell is marked as read by many
 * warps, or by many blocks, and keeps the displaced reader as `also`.
 *
 * Volatile and atomic reads conflict with fewer stores than plain ones do:
 * they neither displace a plain read nor leave a mark. */
static void remember_read(struct check_block *b, const struct check_access *a,
                          unsigned lane, const struct cell *cell, uint32_t site)
{
  struct cell_reads *r = cell->r;
  const unsigned i = cell->i;
  const uint32_t old = r->site[i], bit = UINT32_C(1) << lane;
  const enum earlier_read earlier = earlier_read(b, a, cell, site);
  const bool was_plain = site_kind(old) == CHECK_PLAIN;
  const bool fresh = earlier == READ_FRESH;
  const bool other_block = earlier == READ_OTHER_BLOCK;
  uint32_t flags = 0;

  if (earlier == READ_AGAIN) {
    add_reader(cell, bit, site);
    return;
  }
  if ((fresh || other_block) && was_plain && a->kind != CHECK_PLAIN)
    return;
  if (fresh)
    flags |= old & SITE_MANY_WARPS;
  if (earlier != READ_NONE)
    flags |= old & SITE_MANY_BLOCKS;
  if (was_plain && other_block) {
    flags |= SITE_MANY_BLOCKS;
    set_also(cell, last_readers(cell));
  } else if (was_plain && fresh && old >> SITE_WARP_SHIFT != a->warp) {
    flags |= SITE_MANY_WARPS;
    if (!also_stays(cell, a->warp))
      set_also(cell, last_readers(cell));
  }
  r->block[i] = b->tag;
  r->clock[i] = b->clock;
  r->site[i] = flags | site;
  r->lanes[i] = bit;
}

static uint32_t site_of_access(const struct check_access *a)
{
  return (a->record & RECORD_MASK) | (uint32_t)a->kind << SITE_KIND_SHIFT |
         a->warp << SITE_WARP_SHIFT |
         (only_stores(a) ? (uint32_t)SITE_ONLY_STORED : 0);
}

/* Judges a lane's access to the bytes of one cell, and notes it. */
static void one_cell(struct check_block *b, const struct check_access *a,
                     unsigned lane, const struct cell *cell, unsigned at,
                     unsigned n)
{
  const uint32_t tag = b->tag, me = a->warp << 5 | lane;
  const bool global = between_blocks(a);
  const struct cell_reads *r = cell->r;
  struct cell_writes *w = cell->w;
  const unsigned i = cell->i;
  uint32_t site = site_of_access(a);

  if (w != NULL && w->clock[i] != 0 &&
      (w->block[i] == tag ? w->clock[i] > b->barrier_clock && w->thread[i] != me
                          : global))
    against_write(b, a, lane, cell, at, n);
  if (!a->stores) {
    remember_read(b, a, lane, cell, site);
    return;
  }
  if (r != NULL && r->clock[i] != 0 &&
      (r->block[i] == tag
           ? r->clock[i] > b->barrier_clock || r->site[i] & SITE_MANY_BLOCKS
           : global))
    against_reads(b, a, lane, cell, at);
  w->block[i] = tag;
  w->clock[i] = b->clock;
  w->site[i] = site;
  w->thread[i] = me;
}

/* ---- groups of cells -------- */

/* Up to 16 cells, from cell `i` on, of `unit` bytes each. */
struct place {
  struct cell_reads *r;
  struct cell_others *o;
  struct cell_writes *w;
  unsigned i, unit;
};

/* Cell `to` of the groups in `into` learns what cell `from` of `s` knows. */
static void copy_cell(const struct cell_split *into, unsigned to,
                      const struct cell_split *s, unsigned from)
{
#define COPY(side, field)                                                      \
  into->side[to / CELLS].field[to % CELLS] =                                   \
      s->side[from / CELLS].field[from % CELLS]
  if (s->reads != NULL) {
    COPY(reads, block);
    COPY(reads, clock);
    COPY(reads, site);
    COPY(reads, lanes);
    COPY(others, last);
    COPY(others, also);
    COPY(others, also_block);
  }
  if (s->writes != NULL) {
    COPY(writes, block);
    COPY(writes, clock);
    COPY(writes, site);
    COPY(writes, thread);
  }
#undef COPY
}

static void allocate_split(struct cell_split *s, unsigned n)
{
  s->reads = host_take_aligned(CELL_ALIGNMENT, n * sizeof *s->reads);
  s->others = host_take_aligned(CELL_ALIGNMENT, n * sizeof *s->others);
  s->writes = host_take_aligned(CELL_ALIGNMENT, n * sizeof *s->writes);
  s->capacity = n;
}

/* From now on each cell of the group stands for `unit` bytes, and knows what
 * the wider cell knew: `whole`, or the group itself, split before. */
static void split_group(struct cell_split *s, const struct cell_split *whole,
                        unsigned unit)
{
  unsigned before = s->unit == 0 ? CELL_BYTES : s->unit;
  unsigned n = CELL_BYTES / unit;
  struct cell_split from = s->unit == 0 ? *whole : *s, left = *s;
  bool is_new = s->unit != 0 || s->capacity < n;

  if (is_new)
    allocate_split(s, n);
  memset(s->reads, 0, n * sizeof *s->reads);
  memset(s->writes, 0, n * sizeof *s->writes);
  for (unsigned i = 0; i < n * CELLS; i++)
    copy_cell(s, i, &from, i * unit / before);
  if (is_new) {
    free(left.reads);
    free(left.others);
    free(left.writes);
  }
  s->unit = unit;
}

/* The cells `at` bytes after the first one, where `bytes` are accessed: no
 * cell stands for more. */
static struct place place_of_split(const struct cells *cells, uint64_t at,
                                   unsigned bytes)
{
  uint64_t group = at / GROUP_BYTES;
  struct cell_split *s;
  unsigned cell;

  if (*cells->splits == NULL) {
    *cells->splits = host_new(cells->n_groups, sizeof **cells->splits);
  }
  s = &(*cells->splits)[group];
  if (bytes < (s->unit == 0 ? CELL_BYTES : s->unit)) {
    struct cell_split whole = {
      .reads = cells->reads == NULL ? NULL : &cells->reads[group],
      .others = cells->reads == NULL ? NULL : &cells->others[group],
      .writes = cells->writes == NULL ? NULL : &cells->writes[group],
    };

    split_group(s, &whole, bytes);
  }
  cell = (unsigned)(at % GROUP_BYTES) / s->unit;
  return (struct place){
    .r = cells->reads == NULL ? NULL : &s->reads[cell / CELLS],
    .o = &s->others[cell / CELLS],
    .w = cells->writes == NULL ? NULL : &s->writes[cell / CELLS],
    .i = cell % CELLS,
    .unit = s->unit,
  };
}

static inline struct place place_in_cells(const struct cells *cells,
                                          uint64_t at, unsigned bytes)
{
  uint64_t group = at / GROUP_BYTES;

  if (bytes < CELL_BYTES ||
      (*cells->splits != NULL && (*cells->splits)[group].unit != 0))
    return place_of_split(cells, at, bytes);
  return (struct place){
    .r = cells->reads == NULL ? NULL : &cells->reads[group],
    .o = cells->reads == NULL ? NULL : &cells->others[group],
    .w = cells->writes == NULL ? NULL : &cells->writes[group],
    .i = at / CELL_BYTES % CELLS,
    .unit = CELL_BYTES,
  };
}

static void one_lane(struct check_block *b, const struct check_access *a,
                     unsigned lane, const struct cells *cells, uint64_t first)
{
  struct place p;

  for (unsigned at = 0; at < a->bytes; at += p.unit) {
    struct cell cell;

    p = place_in_cells(cells, first + at, a->bytes);
    cell = (struct cell){ p.r, p.o, p.w, p.i };
    one_cell(b, a, lane, &cell, at, p.unit);
  }
}

/* ---- many lanes at once -------- */

#define FOUR(from) from, from + 1, from + 2, from + 3
#define SIXTEEN(from)                                                          \
  FOUR(from), FOUR(from + 4), FOUR(from + 8), FOUR(from + 12)
#define BITS(from, one)                                                        \
  one << (from), one << (from + 1), one << (from + 2), one << (from + 3)
#define SIXTEEN_BITS(from, one)                                                \
  BITS(from, one), BITS(from + 4, one), BITS(from + 8, one),                   \
      BITS(from + 12, one)

static const uint32_t lane_of[CHECK_LANES] = { SIXTEEN(0), SIXTEEN(16) };
static const uint32_t bit_of[CHECK_LANES] = { SIXTEEN_BITS(0, 1u),
                                              SIXTEEN_BITS(16, 1u) };
static const uint32_t twin_of[CELLS] = { SIXTEEN_BITS(0, 0x10001u) };
#define FOUR_TIMES(x) x, x, x, x
static const uint32_t several[CELLS] = { FOUR_TIMES(UINT32_MAX),
                                         FOUR_TIMES(UINT32_MAX),
                                         FOUR_TIMES(UINT32_MAX),
                                         FOUR_TIMES(UINT32_MAX) };

/* Cells [i, i + n) of a group are those of the run from its cell `done` on.
 * Says which lanes are at each. */
static void place_lanes(const struct check_run *run, unsigned cells_per_lane,
                        unsigned done, const struct place *p, unsigned n,
                        uint32_t *bit, uint32_t *lane)
{
  unsigned shift = (unsigned)__builtin_ctz(cells_per_lane);

  for (unsigned i = 0; i < CELLS; i++) {
    unsigned k = i - p->i, l = run->first + ((done + k) >> shift);

    bit[i] = k < n ? UINT32_C(1) << (l & 31) : 0;
    lane[i] = l & 31;
    if (run->twin) {
      bit[i] |= bit[i] << 16;
      lane[i] = UINT32_MAX;
    }
  }
}

static void lanes_of_cells(struct check_block *b, const struct check_access *a,
                           const struct cell_access *cells,
                           const struct place *p, unsigned done, unsigned n)
{
  for (unsigned i = p->i; i < p->i + n; i++) {
    struct cell cell = { p->r, p->o, p->w, i };
    unsigned at = (done + (i - p->i) * p->unit) % a->bytes;

    for (uint32_t m = cells->bit[i]; m != 0; m &= m - 1)
      one_cell(b, a, (unsigned)__builtin_ctz(m), &cell, at, p->unit);
  }
}

/* Lanes side by side. */
static void race_row(struct check_block *b, const struct check_access *a,
                     const struct check_run *run, const struct cells *cells,
                     uint64_t first)
{
  const struct check_loops *loops = check_loops();
  unsigned bytes = run->n * a->bytes, n;
  uint32_t bit[CELLS], lane[CELLS];
  struct place p;
  struct cell_access these = {
    .tag = b->tag,
    .clock = b->clock,
    .barrier_clock = b->barrier_clock,
    .warp_clock = b->warp_clock[a->warp],
    .warp = a->warp,
    .site = site_of_access(a),
    .global = between_blocks(a),
  };

  for (unsigned done = 0; done < bytes; done += n * p.unit) {
    p = place_in_cells(cells, first + done, a->bytes);
    n = (bytes - done) / p.unit;
    n = CELLS - p.i < n ? CELLS - p.i : n;
    if (n == CELLS && p.unit == a->bytes) {
      these.bit = run->twin ? twin_of : bit_of + run->first + done / p.unit;
      these.lane = run->twin ? several : lane_of + run->first + done / p.unit;
    } else {
      place_lanes(run, a->bytes / p.unit, done / p.unit, &p, n, bit, lane);
      these.bit = bit;
      these.lane = lane;
    }
    if (a->stores ? loops->write(&these, p.r, p.w)
                  : loops->read(&these, p.r, p.o, p.w))
      continue;
    lanes_of_cells(b, a, &these, &p, done, n);
  }
}

/* All lanes read one place: the first stands for the others, unless something
 * was written there. */
static bool race_same(struct check_block *b, const struct check_access *a,
                      const struct check_run *run, const struct cells *cells,
                      uint64_t first)
{
  struct place p;

  if (a->stores || a->kind != CHECK_PLAIN)
    return false;
  for (unsigned at = 0; at < a->bytes && cells->writes != NULL; at += p.unit) {
    p = place_in_cells(cells, first + at, a->bytes);
    if (p.w->clock[p.i] != 0 &&
        (p.w->block[p.i] == b->tag ? p.w->clock[p.i] > b->barrier_clock
                                   : between_blocks(a)))
      return false;
  }
  one_lane(b, a, run->first, cells, first);
  for (unsigned at = 0; at < a->bytes; at += p.unit) {
    p = place_in_cells(cells, first + at, a->bytes);
    p.r->lanes[p.i] |= run->lanes;
    if (p.r->site[p.i] & SITE_MANY_LINES)
      p.o->last[p.i] |= run->lanes;
  }
  return true;
}

void race_run(struct check_block *b, const struct check_access *a,
              const struct check_run *run, const struct cells *cells,
              uint64_t first)
{
  uint64_t address = a->address[run->first];

  if (run->same
          ? run->n > 1 && race_same(b, a, run, cells, first)
          : run->n > 1 && a->kind == CHECK_PLAIN && !(a->stores && run->twin)) {
    if (!run->same)
      race_row(b, a, run, cells, first);
    return;
  }
  for (uint32_t m = run->lanes; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    one_lane(b, a, l, cells, first + (a->address[l] - address));
  }
}
