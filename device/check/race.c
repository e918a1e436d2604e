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
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "../memory/memory.h"
#include "block.h"

struct other { /* the access that was there before */
  uint32_t tag, warp, lane, clock, site;
  bool stored, anonymous;
};

static uint32_t site_record(uint32_t site)
{
  return site & ((UINT32_C(1) << SITE_RECORD_BITS) - 1);
}

static uint32_t site_mask(uint32_t site)
{
  return site >> SITE_MASK_SHIFT & 15;
}

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
  unsigned element;

  if (a->element_bytes == 0) /* cp.async, mbarrier.init: not in registers */
    return NULL;
  element = at / a->element_bytes;
  if (element >= CHECK_ELEMENTS || a->value[element] == NULL)
    return NULL;
  return a->value[element] + (size_t)lane * a->register_bytes +
         at % a->element_bytes;
}

/* Another worker's block notes its store a moment before it stores. Waits for
 * the byte to become `value`, and says whether it did. A program that really
 * stores different values often is not made slow by that: after so many vain
 * waits nobody waits any more. */
enum { WAIT_YIELDS = 256, MOST_VAIN_WAITS = 1000 };

static bool becomes(const uint8_t *byte, uint8_t value)
{
  static atomic_uint n_vain;

  if (atomic_load_explicit(&n_vain, memory_order_relaxed) >= MOST_VAIN_WAITS)
    return false;
  for (unsigned i = 0; i < WAIT_YIELDS; i++) {
    if (*(const volatile uint8_t *)byte == value)
      return true;
    sched_yield();
  }
  atomic_fetch_add_explicit(&n_vain, 1, memory_order_relaxed);
  return false;
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
    } else if (memory[at + i] != *value &&
               (o->tag == b->tag || a->space != SPACE_GLOBAL ||
                !becomes(&memory[at + i], *value))) {
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
    return a->space == SPACE_GLOBAL
               ? "race between blocks in global memory"
               : "race between blocks of a cluster in shared memory";
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
  if (o->tag != b->tag && a->space == SPACE_SHARED)
    return "the cluster's barrier between them would order them";
  if (o->tag != b->tag)
    return "blocks run in any order: use an atomic, a release and an acquire, "
           "or two launches";
  if (o->warp == a->warp && !o->anonymous)
    return "lanes of a warp run independently: __syncwarp() or a shuffle "
           "orders them";
  return "a __syncthreads() between them would order them";
}

/* Findings of this thread, so that those that come again and again take no
 * time. */
struct told {
  uint64_t launch;
  uint32_t here, there;
  const char *title;
  struct known *known;
};
enum { TOLD = 256 };

static struct told *told_at(const struct check_block *b,
                            const struct check_access *a,
                            const struct other *o)
{
  static _Thread_local struct told all[TOLD];

  return &all[(a->record * 31 + site_record(o->site) + b->launch->number) %
              TOLD];
}

static void tell(struct check_block *b, const struct check_access *a,
                 unsigned lane, const struct other *o, unsigned at)
{
  const struct check_launch *launch = b->launch;
  struct told now = { launch->number, a->record, site_record(o->site),
                      title_of(b, a, o), NULL };
  struct told *told = told_at(b, a, o);
  struct finding f = {
    .check = CHECK_RACE, .title = now.title, .kernel = launch->kernel,
    .has_address = true, .space = a->space, .address = a->address[lane] + at,
  };

  if (told->known != NULL && told->launch == now.launch && told->here == now.here &&
      told->there == now.there && told->title == now.title) {
    finding_again(told->known);
    return;
  }
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
  now.known = finding_add(&f);
  *told = now;
}

/* One word and what is known of it; either may be missing. */
struct word {
  struct cell_reads *r;
  struct cell_writes *w;
  unsigned i;
};

static void against_write(struct check_block *b, const struct check_access *a,
                          unsigned lane, const struct word *word, unsigned at,
                          unsigned n)
{
  const struct cell_writes *w = word->w;
  struct other o = {
    .tag = w->block[word->i], .warp = w->thread[word->i] >> 5,
    .lane = w->thread[word->i] & 31, .clock = w->clock[word->i],
    .site = w->site[word->i], .stored = true,
  };

  if (both_strong(b, a, &o) || ordered(b, a->warp, lane, &o) ||
      same_value(b, a, lane, &o, at, n))
    return;
  tell(b, a, lane, &o, at);
}

/* Other lanes than this one may be the ones that read. */
static void against_reads(struct check_block *b, const struct check_access *a,
                          unsigned lane, const struct word *word, unsigned at)
{
  const struct cell_reads *r = word->r;
  uint32_t site = r->site[word->i], lanes = r->lanes[word->i];
  struct other o = {
    .tag = r->block[word->i], .warp = site >> SITE_WARP_SHIFT,
    .clock = r->clock[word->i], .site = site,
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
  if (o.tag == b->tag && site & SITE_MANY_WARPS &&
      o.clock > b->barrier_clock)
    tell(b, a, lane, &o, at);
  else if (site & SITE_MANY_BLOCKS && between_blocks(a)) {
    o.tag = b->tag + 1;
    tell(b, a, lane, &o, at);
  }
}

static void remember_read(struct check_block *b, const struct check_access *a,
                          unsigned lane, const struct word *word,
                          uint32_t site)
{
  struct cell_reads *r = word->r;
  unsigned i = word->i;
  uint32_t old = r->site[i], bit = UINT32_C(1) << lane;
  bool mine = r->block[i] == b->tag && r->clock[i] != 0;
  bool fresh = mine && r->clock[i] > b->barrier_clock;
  bool other = !mine && r->clock[i] != 0 && between_blocks(a);

  if (fresh && ((old ^ site) & ~(uint32_t)SITE_MANY) >> SITE_MASK_SHIFT == 0 &&
      r->clock[i] > b->warp_clock[a->warp]) {
    r->lanes[i] |= bit; /* with the older clock: never too late */
    r->site[i] = (old & SITE_MANY) | site;
    return;
  }
  if ((fresh || other) && a->kind != CHECK_PLAIN &&
      site_kind(old) == CHECK_PLAIN)
    return;
  if (site_kind(old) == CHECK_PLAIN) {
    if (fresh && old >> SITE_WARP_SHIFT != a->warp)
      site |= SITE_MANY_WARPS;
    if (other)
      site |= SITE_MANY_BLOCKS;
  }
  site |= (fresh ? old & SITE_MANY_WARPS : 0) |
          (mine || other ? old & SITE_MANY_BLOCKS : 0);
  r->block[i] = b->tag;
  r->clock[i] = b->clock;
  r->site[i] = site;
  r->lanes[i] = bit;
}

static uint32_t site_of_access(const struct check_access *a, uint32_t mask)
{
  return (a->record & ((UINT32_C(1) << SITE_RECORD_BITS) - 1)) |
         mask << SITE_MASK_SHIFT | (uint32_t)a->kind << SITE_KIND_SHIFT |
         a->warp << SITE_WARP_SHIFT;
}

static void one_word(struct check_block *b, const struct check_access *a,
                     unsigned lane, const struct word *word, uint32_t mask,
                     unsigned at, unsigned n)
{
  const uint32_t tag = b->tag, me = a->warp << 5 | lane;
  const bool global = between_blocks(a);
  const struct cell_reads *r = word->r;
  struct cell_writes *w = word->w;
  const unsigned i = word->i;
  uint32_t site = site_of_access(a, mask);

  if (w != NULL && w->clock[i] != 0 &&
      (w->block[i] == tag ? w->clock[i] > b->barrier_clock &&
                                w->thread[i] != me
                          : global) &&
      (site_mask(w->site[i]) & mask) != 0)
    against_write(b, a, lane, word, at, n);
  if (!a->stores) {
    remember_read(b, a, lane, word, site);
    return;
  }
  if (r != NULL && r->clock[i] != 0 &&
      (r->block[i] == tag ? r->clock[i] > b->barrier_clock ||
                                r->site[i] & SITE_MANY_BLOCKS
                          : global) &&
      (site_mask(r->site[i]) & mask) != 0)
    against_reads(b, a, lane, word, at);
  w->block[i] = tag;
  w->clock[i] = b->clock;
  w->site[i] = site;
  w->thread[i] = me;
}

static struct word word_at(const struct cells *cells, uint64_t word)
{
  uint64_t group = word / CELL_WORDS;

  return (struct word){
    .r = cells->reads == NULL ? NULL : &cells->reads[group],
    .w = cells->writes == NULL ? NULL : &cells->writes[group],
    .i = word % CELL_WORDS,
  };
}

static void one_lane(struct check_block *b, const struct check_access *a,
                     unsigned lane, const struct cells *cells, uint64_t first)
{
  if (a->bytes < CELL_WORD_BYTES) {
    unsigned shift = (unsigned)(a->address[lane] & 3);
    struct word word = word_at(cells, first);

    one_word(b, a, lane, &word, ((1u << a->bytes) - 1) << shift, 0, a->bytes);
    return;
  }
  for (unsigned at = 0; at < a->bytes; at += CELL_WORD_BYTES) {
    struct word word = word_at(cells, first + at / CELL_WORD_BYTES);

    one_word(b, a, lane, &word, 15, at, CELL_WORD_BYTES);
  }
}

/* ---- many lanes at once -------- */

#define FOUR(from) from, from + 1, from + 2, from + 3
#define SIXTEEN(from) \
  FOUR(from), FOUR(from + 4), FOUR(from + 8), FOUR(from + 12)
#define BITS(from, one) \
  one << (from), one << (from + 1), one << (from + 2), one << (from + 3)
#define SIXTEEN_BITS(from, one) \
  BITS(from, one), BITS(from + 4, one), BITS(from + 8, one), \
  BITS(from + 12, one)

static const uint32_t lane_of[CHECK_LANES] = { SIXTEEN(0), SIXTEEN(16) };
static const uint32_t bit_of[CHECK_LANES] = { SIXTEEN_BITS(0, 1u),
                                              SIXTEEN_BITS(16, 1u) };
static const uint32_t twin_of[CELL_WORDS] = { SIXTEEN_BITS(0, 0x10001u) };
#define FOUR_TIMES(x) x, x, x, x
static const uint32_t several[CELL_WORDS] = {
  FOUR_TIMES(UINT32_MAX), FOUR_TIMES(UINT32_MAX), FOUR_TIMES(UINT32_MAX),
  FOUR_TIMES(UINT32_MAX)
};

/* Words [from, from + n) of a group are those of the run from its word
 * `done` on. Says which lanes are at each. */
static void place_lanes(const struct check_run *run, unsigned words_per_lane,
                        unsigned done, unsigned from, unsigned n,
                        uint32_t *bit, uint32_t *lane)
{
  unsigned shift = (unsigned)__builtin_ctz(words_per_lane);

  for (unsigned i = 0; i < CELL_WORDS; i++) {
    unsigned k = i - from, l = run->first + ((done + k) >> shift);

    bit[i] = k < n ? UINT32_C(1) << (l & 31) : 0;
    lane[i] = l & 31;
    if (run->twin) {
      bit[i] |= bit[i] << 16;
      lane[i] = UINT32_MAX;
    }
  }
}

static void lanes_of_words(struct check_block *b, const struct check_access *a,
                           const struct cell_access *words,
                           const struct word *group, unsigned done,
                           unsigned from, unsigned n)
{
  for (unsigned i = from; i < from + n; i++) {
    struct word word = { group->r, group->w, i };
    unsigned at = (done + i - from) * CELL_WORD_BYTES % a->bytes;

    for (uint32_t m = words->bit[i]; m != 0; m &= m - 1)
      one_word(b, a, (unsigned)__builtin_ctz(m), &word, 15, at,
               CELL_WORD_BYTES);
  }
}

/* Whole words, one behind the other. */
static void race_words(struct check_block *b, const struct check_access *a,
                       const struct check_run *run, const struct cells *cells,
                       uint64_t first)
{
  const struct check_loops *loops = check_loops();
  unsigned words_per_lane = a->bytes / CELL_WORD_BYTES;
  unsigned n_words = run->n * words_per_lane, n;
  uint32_t bit[CELL_WORDS], lane[CELL_WORDS];
  struct cell_access words = {
    .tag = b->tag, .clock = b->clock, .barrier_clock = b->barrier_clock,
    .warp_clock = b->warp_clock[a->warp], .warp = a->warp,
    .site = site_of_access(a, 15), .global = between_blocks(a),
  };

  for (unsigned done = 0; done < n_words; done += n) {
    struct word group = word_at(cells, first + done);

    n = CELL_WORDS - group.i < n_words - done ? CELL_WORDS - group.i
                                              : n_words - done;
    if (n == CELL_WORDS && words_per_lane == 1) {
      words.bit = run->twin ? twin_of : bit_of + run->first + done;
      words.lane = run->twin ? several : lane_of + run->first + done;
    } else {
      place_lanes(run, words_per_lane, done, group.i, n, bit, lane);
      words.bit = bit;
      words.lane = lane;
    }
    if (a->stores ? loops->write(&words, group.r, group.w)
                  : loops->read(&words, group.r, group.w))
      continue;
    lanes_of_words(b, a, &words, &group, done, group.i, n);
  }
}

/* All lanes read one place: the first stands for the others, unless somebody
 * wrote there. */
static bool race_same(struct check_block *b, const struct check_access *a,
                      const struct check_run *run, const struct cells *cells,
                      uint64_t first)
{
  unsigned n = a->bytes < CELL_WORD_BYTES ? 1 : a->bytes / CELL_WORD_BYTES;

  if (a->stores || a->kind != CHECK_PLAIN)
    return false;
  for (unsigned i = 0; i < n && cells->writes != NULL; i++) {
    struct word word = word_at(cells, first + i);

    if (word.w->clock[word.i] != 0 &&
        (word.w->block[word.i] == b->tag
             ? word.w->clock[word.i] > b->barrier_clock
             : between_blocks(a)))
      return false;
  }
  one_lane(b, a, run->first, cells, first);
  for (unsigned i = 0; i < n; i++) {
    struct word word = word_at(cells, first + i);

    word.r->lanes[word.i] |= run->lanes;
  }
  return true;
}

void race_run(struct check_block *b, const struct check_access *a,
              const struct check_run *run, const struct cells *cells,
              uint64_t first)
{
  uint64_t address = a->address[run->first];

  if (run->same ? run->n > 1 && race_same(b, a, run, cells, first)
                : run->n > 1 && a->bytes >= CELL_WORD_BYTES &&
                      a->kind == CHECK_PLAIN && !(a->stores && run->twin)) {
    if (!run->same)
      race_words(b, a, run, cells, first);
    return;
  }
  for (uint32_t m = run->lanes; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    one_lane(b, a, l, cells, (first * CELL_WORD_BYTES + (address & 3) +
                              a->address[l] - address) / CELL_WORD_BYTES);
  }
}
