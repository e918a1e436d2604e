/* Loads and stores. The common cases (all lanes one behind the other, or all
 * at one address, in the allocation that the instruction touched before) are
 * found by arithmetic over the 32 addresses and served as a block. */
#include <string.h>

#include "../cluster.h"
#include "../fault.h"
#include "../resolve.h"
#include "access.h"
#include "floating.h"
#include "passes.h"

/* What 32 addresses have in common. */
struct span {
  u64 low, high, bits;
};

static inline struct span span_of(const u64 *address)
{
  struct span span = { address[0], address[0], 0 };

  EACH_LANE
  {
    span.low = address[l] < span.low ? address[l] : span.low;
    span.high = address[l] > span.high ? address[l] : span.high;
    span.bits |= address[l];
  }
  return span;
}

static inline enum half_shape shape_of(u64 spread, u64 uneven)
{
  return spread == 0   ? HALF_UNIFORM
         : uneven == 0 ? HALF_CONTIGUOUS
                       : HALF_OTHER;
}

/* Finds lanes that are at one address or one behind the other. */
static inline void find_shapes(struct request *r, const struct span *span)
{
  const u64 *a = r->address;
  const u64 low = a[0], high = a[LANES / 2];
  u64 spread[2] = { 0, 0 }, uneven[2] = { 0, 0 };

  r->uniform = span->low == span->high;
  r->contiguous = false;
  r->half[0] = r->half[1] = HALF_OTHER;
  if (r->uniform || r->mask != FULL)
    return;
  _Pragma("GCC ivdep") for (unsigned l = 0; l < LANES / 2; l++)
  {
    u64 step = (u64)l * r->bytes;
    u64 here = a[l] - low, there = a[l + LANES / 2] - high;

    spread[0] |= here;
    spread[1] |= there;
    uneven[0] |= here ^ step;
    uneven[1] |= there ^ step;
  }
  r->half[0] = shape_of(spread[0], uneven[0]);
  r->half[1] = shape_of(spread[1], uneven[1]);
  r->contiguous =
      (uneven[0] | uneven[1]) == 0 && high - low == (u64)(LANES / 2) * r->bytes;
}

static inline bool has_halves(const struct request *r)
{
  return r->half[0] != HALF_OTHER && r->half[1] != HALF_OTHER;
}

/* For each lane: itself, or the active one before it. A path keeps its lanes for
 * many instructions, so this is seldom worked out. */
static RARELY void find_active(struct filling *filling, u32 mask)
{
  const s32 first = __builtin_ctz(mask);

  filling->mask = mask;
  EACH_LANE
  {
    /* The highest of the bits up to this lane's is the exponent of a float.
     * That it is not rounded up to the next, the bit below it is cleared; that
     * none is a sign, all go down by one. */
    u32 up_to = mask & FULL >> (LANES - 1 - l);
    f32 size = (f32)(s32)((up_to & ~(up_to >> 1)) >> 1);
    s32 last = (s32)(bits_f32(size) >> 23) - 126;

    filling->before[l] = (u32)(last > first ? last : first);
  }
}

static inline const u32 *active_before(struct filling *filling, u32 mask)
{
  if (filling->mask != mask)
    find_active(filling, mask);
  return filling->before;
}

/* to[l] = own[from[l]] + add. AVX-512 takes them out of its registers faster
 * than it gathers them from memory. */
static inline void pick_lanes(const u64 *own, const u32 *from, u64 add, u64 *to)
{
#ifdef FINDS_CONFLICTS
  __m512i part[4];
  const __m512i more = _mm512_set1_epi64((long long)add);

  for (unsigned i = 0; i < 4; i++)
    part[i] = _mm512_loadu_si512(own + 8 * i);
  for (unsigned i = 0; i < 4; i++) {
    const __m512i at = _mm512_cvtepu32_epi64(
        _mm256_loadu_si256((const __m256i *)(from + 8 * i)));
    const __m512i low = _mm512_permutex2var_epi64(part[0], at, part[1]);
    const __m512i high = _mm512_permutex2var_epi64(part[2], at, part[3]);
    const u32 is_high =
        _mm512_test_epi64_mask(at, _mm512_set1_epi64(LANES / 2));

    _mm512_storeu_si512(
        to + 8 * i, _mm512_add_epi64(
                        _mm512_mask_blend_epi64((u8)is_high, low, high), more));
  }
#else
  EACH_LANE { to[l] = own[from[l]] + add; }
#endif
}

/* Inactive lanes repeat the active one before them, so that they change
 * neither the span nor the order nor the sectors. */
static void fill_inactive(struct filling *filling, u64 *address, u32 mask)
{
  const u32 *from = active_before(filling, mask);
  u64 own[LANES];

  memcpy(own, address, sizeof own);
  pick_lanes(own, from, 0, address);
}

/* The same, where a base register has the addresses. */
static RARELY void take_active_addresses(struct warp *w, const struct step *s,
                                         const struct memory_extra *extra,
                                         struct request *r)
{
  const u32 *from = active_before(&w->worker->filling, r->mask);
  const u64 add = s->immediate;

  if (extra->wide_address) {
    const u64 *base = IN_LANES(const u64, w, s->a);

    pick_lanes(base, from, add, r->storage);
  } else {
    const u32 *base = IN_LANES(const u32, w, s->a);

    EACH_LANE { r->storage[l] = (u32)(base[from[l]] + (u32)add); }
  }
}

/* Computes the lanes' addresses: base register plus offset. */
static inline void take_addresses(struct warp *w, const struct step *s,
                                  const struct memory_extra *extra,
                                  struct request *r)
{
  const u64 add = s->immediate;

  r->address = r->storage;
  if (!extra->has_base) {
    EACH_LANE { r->storage[l] = add; }
    return;
  }
  if (r->mask != FULL) {
    take_active_addresses(w, s, extra, r);
    return;
  }
  if (extra->wide_address) {
    const u64 *base = IN_LANES(const u64, w, s->a);

    EACH_LANE { r->storage[l] = base[l] + add; }
  } else {
    const u32 *base = IN_LANES(const u32, w, s->a);

    EACH_LANE { r->storage[l] = (u32)(base[l] + (u32)add); }
  }
}

static bool misaligned(struct warp *w, const struct step *s,
                       const struct request *r, enum fault_space space)
{
  unsigned l = (unsigned)__builtin_ctz(r->mask);

  while (!(r->mask >> l & 1) || (r->address[l] & (r->bytes - 1)) == 0)
    l++;
  exec_fault_access(w, s, l, FAULT_MISALIGNED, space, r->address[l], r->bytes,
                    r->kind != KIND_LOAD);
  return false;
}

/* Two runs of sectors: together, or one after the other. */
static inline unsigned half_sectors(const struct request *r)
{
  u64 first[2], last[2];

  for (unsigned h = 0; h < 2; h++) {
    u64 start = r->address[h * (LANES / 2)];
    u64 bytes = r->half[h] == HALF_UNIFORM ? r->bytes : r->bytes * (LANES / 2);

    first[h] = start >> 5;
    last[h] = (start + bytes - 1) >> 5;
  }
  if (first[1] > last[0] || first[0] > last[1])
    return (unsigned)(last[0] - first[0] + last[1] - first[1] + 2);
  return (unsigned)((last[0] > last[1] ? last[0] : last[1]) -
                    (first[0] < first[1] ? first[0] : first[1]) + 1);
}

static inline unsigned global_sectors(const struct request *r)
{
  const u64 *a = r->address;
  u64 changes = 0, falls = 0;

  if (r->uniform)
    return 1;
  if (r->contiguous)
    return (unsigned)(((a[0] + LANES * r->bytes - 1) >> 5) - (a[0] >> 5) + 1);
  if (has_halves(r))
    return half_sectors(r);
  _Pragma("GCC ivdep") for (unsigned l = 1; l < LANES; l++)
  {
    changes += (a[l] >> 5) != (a[l - 1] >> 5);
    falls |= a[l] < a[l - 1];
  }
  if (falls)
    return lanes_units(a, r->mask, COUNT_SECTOR_SHIFT);
  return (unsigned)changes + 1;
}

/* Lanes that point into several allocations, as virtual functions' tables are,
 * and all into some that were found before. The one of lane 0 is tried first the
 * next time. */
static RARELY bool in_recent_ranges(struct warp *w, const struct step *s,
                                    const struct request *r)
{
  const struct worker *worker = w->worker;
  const intptr_t offset = memory_view_offset();
  const u64 *a = r->address;
  u64 outside[LANES], all = 0;

  if (worker->recent_generation != memory_generation())
    return false;
  EACH_LANE { outside[l] = 1; }
  for (unsigned i = 0; i < RECENT_RANGES; i++) {
    const struct cached_range *range = &worker->recent[i];
    const u64 low = range->low, bytes = range->high - low;
    const u64 starts = bytes < r->bytes ? 0 : bytes - r->bytes + 1;

    if (range->offset != offset)
      continue;
    if (a[0] - low < starts)
      w->ranges[s->record] = *range;
    EACH_LANE { outside[l] = a[l] - low < starts ? 0 : outside[l]; }
  }
  EACH_LANE { all |= outside[l]; }
  return all == 0;
}

static bool resolve_global(struct warp *w, const struct step *s,
                           struct request *r)
{
  const struct cached_range *range = &w->ranges[s->record];
  struct span span = span_of(r->address);

  r->space = SPACE_GLOBAL;
  if (span.bits & (r->bytes - 1))
    return misaligned(w, s, r, SPACE_GLOBAL);
  find_shapes(r, &span);
  /* An address at the very end of the space must not wrap around. */
  if (span.low >= range->low && span.high < range->high &&
      span.high + r->bytes <= range->high) {
    r->host = r->address;
    r->offset = range->offset;
  } else if (in_recent_ranges(w, s, r)) {
    r->host = r->address;
    r->offset = memory_view_offset();
  } else if (!exec_resolve_each(w, s, r)) {
    return false;
  }
  w->counts[s->record].sectors += global_sectors(r);
  return true;
}

static bool out_of_shared(struct warp *w, const struct step *s,
                          const struct request *r)
{
  unsigned l = (unsigned)__builtin_ctz(r->mask);

  while (!(r->mask >> l & 1) ||
         r->address[l] + r->bytes <= w->block->shared_bytes)
    l++;
  exec_fault_access(w, s, l, FAULT_OUT_OF_BOUNDS, SPACE_SHARED, r->address[l],
                    r->bytes, r->kind != KIND_LOAD);
  return false;
}

/* 32 words, each in a bank of its own: a padded tile's column. */
static inline bool is_permutation(const struct request *r)
{
  u32 banks = 0;

  if (r->bytes != 4 || r->mask != FULL)
    return false;
  EACH_LANE { banks |= (u32)1 << (r->address[l] >> 2 & (LANES - 1)); }
  return banks == FULL;
}

/* Words of one row of the 32 banks never conflict, nor do neighbours. */
static inline void shared_passes(const struct request *r,
                                 const struct span *span, unsigned *wavefronts,
                                 unsigned *ideal)
{
  *wavefronts = *ideal = 1;
  if (r->contiguous && r->bytes > 4)
    *wavefronts = *ideal = r->bytes / 4;
  else if (r->bytes <= 4 &&
           ((span->high >> 2) - (span->low >> 2) < LANES || is_permutation(r)))
    return;
  else if (r->bytes <= 16 && span->high < BANKED_BYTES)
    find_passes(r->address, r->mask, r->bytes, r->kind == KIND_LOAD, wavefronts,
                ideal);
  else
    count_wavefronts(r->address, r->mask, r->bytes, r->kind == KIND_LOAD,
                     wavefronts, ideal, NULL);
}

/* Addresses below 2^32 only. */
static inline bool is_known(const struct bank_pattern *p,
                            const struct request *r)
{
  const u64 *a = r->address;
  const u32 first = (u32)a[0], within = (r->bytes - 1) | 3;
  u32 differ = 0;

  EACH_LANE { differ |= ((u32)a[l] - first) ^ p->distance[l]; }
  return differ == 0 && p->mask == r->mask && p->bytes == r->bytes &&
         p->kind == r->kind && ((first ^ p->first) & within) == 0;
}

/* What lies in shared memory, at multiples of its size. */
static RARELY void learn(struct bank_pattern *p, struct request *r,
                         const struct span *span)
{
  const u64 *a = r->address;
  const u32 first = (u32)a[0];

  find_shapes(r, span);
  shared_passes(r, span, &p->wavefronts, &p->ideal);
  p->mask = r->mask;
  p->bytes = r->bytes;
  p->kind = (u8)r->kind;
  p->first = first;
  p->low = (s32)((u32)span->low - first);
  p->high = (s32)((u32)span->high - first);
  p->uniform = r->uniform;
  p->contiguous = r->contiguous;
  p->half[0] = (u8)r->half[0];
  p->half[1] = (u8)r->half[1];
  EACH_LANE { p->distance[l] = (u32)a[l] - first; }
}

/* Generic addresses of the shared window become offsets in it. */
static RARELY u64 leave_window(struct request *r)
{
  u64 bits = 0;

  EACH_LANE
  {
    r->storage[l] -= r->storage[l] >= SHARED_WINDOW ? SHARED_WINDOW : 0;
    bits |= r->storage[l];
  }
  return bits;
}

/* False: all is to be looked at, since nothing alike was there before, or it
 * is not inside now. */
static inline bool is_shared_again(const struct warp *w,
                                   const struct bank_pattern *p,
                                   struct request *r)
{
  u64 bits = 0;
  s64 first;

  EACH_LANE { bits |= r->address[l]; }
  if (bits >= SHARED_WINDOW)
    bits = leave_window(r);
  if (bits >> 32 != 0 || !is_known(p, r))
    return false;
  first = (s64)r->address[0];
  if (first + p->low < 0 ||
      first + p->high + (s64)r->bytes > (s64)w->block->shared_bytes)
    return false;
  r->uniform = p->uniform;
  r->contiguous = p->contiguous;
  r->half[0] = (enum half_shape)p->half[0];
  r->half[1] = (enum half_shape)p->half[1];
  return true;
}

static bool resolve_shared(struct warp *w, const struct step *s,
                           struct request *r)
{
  struct instruction_counts *counts = &w->counts[s->record];
  struct bank_pattern *p = &w->worker->patterns[s->record % BANK_PATTERNS];

  r->space = SPACE_SHARED;
  if (!is_shared_again(w, p, r)) {
    struct span span = span_of(r->address);

    if (span.high + r->bytes > w->block->shared_bytes)
      return w->block->cluster != NULL ? cluster_resolve(w, s, r)
                                       : out_of_shared(w, s, r);
    if (span.bits & (r->bytes - 1))
      return misaligned(w, s, r, SPACE_SHARED);
    learn(p, r, &span);
  }
  r->host = r->address;
  r->offset = (intptr_t)w->block->shared;
  counts->wavefronts += p->wavefronts;
  counts->ideal_wavefronts += p->ideal;
  return true;
}

/* As count_local_sectors: a word of each lane is in a sector with the same word
 * of its 7 neighbours. What has several words has as many times the sectors. */
static RARELY unsigned scattered_local_sectors(const struct request *r)
{
  _Alignas(LANE_ALIGNMENT) u32 sector[LANES];
  const unsigned words = (r->bytes + 3) / 4;
#ifdef FINDS_CONFLICTS
  const u32 mask = r->mask, some = (u32)__builtin_ctz(mask);
  const u32 of_some = (u32)(r->address[some] >> 2) * 4 + some / 8;

  EACH_LANE
  {
    const u32 own = (u32)(r->address[l] >> 2) * 4 + l / 8;

    sector[l] = mask >> l & 1 ? own : of_some;
  }
  return count_different(sector, mask) * words;
#else
  unsigned n = 0;

  EACH_LANE { sector[l] = (u32)(r->address[l] >> 2) * 4 + l / 8; }
  for (u32 left = r->mask; left != 0; n++) {
    const u32 first = sector[__builtin_ctz(left)];
    u32 same = 0;

    EACH_LANE { same |= (u32)(sector[l] == first) << l; }
    left &= ~same;
  }
  return n * words;
#endif
}

/* Lanes at one offset: their words are neighbours, 8 to a sector. */
static inline unsigned local_sectors(const struct request *r,
                                     const struct span *span)
{
  unsigned n = 0;

  if (span->low != span->high)
    return scattered_local_sectors(r);
  for (unsigned l = 0; l < LANES; l += 8)
    n += (r->mask >> l & 0xff) != 0;
  return n * ((r->bytes + 3) / 4);
}

static bool resolve_local(struct warp *w, const struct step *s,
                          struct request *r)
{
  struct span span;

  EACH_LANE
  {
    r->storage[l] -= r->storage[l] >= LOCAL_WINDOW ? LOCAL_WINDOW : 0;
  }
  span = span_of(r->address);
  r->space = SPACE_LOCAL;
  if (span.high >= w->local_stride || span.high + r->bytes > w->local_stride) {
    unsigned l = (unsigned)__builtin_ctz(r->mask);

    while (!(r->mask >> l & 1) || (r->address[l] < w->local_stride &&
                                   r->address[l] + r->bytes <= w->local_stride))
      l++;
    exec_fault_access(w, s, l, FAULT_OUT_OF_BOUNDS, SPACE_LOCAL, r->address[l],
                      r->bytes, r->kind != KIND_LOAD);
    return false;
  }
  if (span.bits & (r->bytes - 1))
    return misaligned(w, s, r, SPACE_LOCAL);
  r->half[0] = r->half[1] = HALF_OTHER;
  r->uniform = r->contiguous = false; /* every lane has its own memory */
  EACH_LANE { r->host_storage[l] = r->storage[l] + (u64)l * w->local_stride; }
  r->host = r->host_storage;
  r->offset = (intptr_t)w->local;
  w->counts[s->record].sectors += local_sectors(r, &span);
  return true;
}

static bool resolve_parameter(struct warp *w, const struct step *s,
                              struct request *r)
{
  const struct grid *grid = w->block->grid;
  struct span span;

  EACH_LANE
  {
    r->storage[l] -= r->storage[l] >= PARAMETER_WINDOW ? PARAMETER_WINDOW : 0;
  }
  span = span_of(r->address);
  r->space = SPACE_PARAMETER;
  if (r->kind != KIND_LOAD || span.high >= grid->kernel->parameter_bytes ||
      span.high + r->bytes > grid->kernel->parameter_bytes) {
    exec_fault_access(
        w, s, (unsigned)__builtin_ctz(r->mask),
        r->kind != KIND_LOAD ? FAULT_READ_ONLY : FAULT_OUT_OF_BOUNDS,
        SPACE_PARAMETER, span.high, r->bytes, r->kind != KIND_LOAD);
    return false;
  }
  if (span.bits & (r->bytes - 1))
    return misaligned(w, s, r, SPACE_PARAMETER);
  r->uniform = span.low == span.high;
  r->contiguous = false;
  r->half[0] = r->half[1] = HALF_OTHER;
  r->host = r->address;
  r->offset = (intptr_t)grid->parameters;
  return true;
}

static const enum count_class generic_classes[3][3] = {
  { COUNT_GLOBAL_LOAD, COUNT_GLOBAL_STORE, COUNT_GLOBAL_ATOMIC },
  { COUNT_SHARED_LOAD, COUNT_SHARED_STORE, COUNT_SHARED_ATOMIC },
  { COUNT_LOCAL_LOAD, COUNT_LOCAL_STORE, COUNT_GLOBAL_ATOMIC },
};

static bool resolve_window(struct warp *w, const struct step *s,
                           struct request *r, unsigned window)
{
  u8 *class_ = &w->worker->classes[s->record];

  if (window < 3)
    *class_ = (u8)(generic_classes[window][r->kind] + 1);
  switch (window) {
  case 0: return resolve_global(w, s, r);
  case 1: return resolve_shared(w, s, r);
  case 2: return resolve_local(w, s, r);
  case 3: return resolve_parameter(w, s, r);
  default:
    exec_fault_access(
        w, s, (unsigned)__builtin_ctz(r->mask), FAULT_OUT_OF_BOUNDS, SPACE_NONE,
        r->address[__builtin_ctz(r->mask)], r->bytes, r->kind != KIND_LOAD);
    return false;
  }
}

/* Lanes that point into different windows: each window for itself. */
static bool resolve_mixed(struct warp *w, const struct step *s,
                          struct request *r)
{
  struct request part;
  u32 left = r->mask;

  while (left != 0) {
    u64 window = r->storage[__builtin_ctz(left)] >> 56;

    part = *r;
    part.address = part.storage;
    part.mask = 0;
    for (unsigned l = 0; l < LANES; l++)
      part.mask |= (u32)(r->storage[l] >> 56 == window) << l;
    part.mask &= left;
    left &= ~part.mask;
    fill_inactive(&w->worker->filling, part.storage, part.mask);
    if (!resolve_window(w, s, &part, window > 4 ? 4 : (unsigned)window))
      return false;
    for (unsigned l = 0; l < LANES; l++)
      if (part.mask >> l & 1)
        r->host_storage[l] = (u64)(uintptr_t)request_lane(&part, l);
  }
  r->host = r->host_storage;
  r->offset = 0;
  r->uniform = r->contiguous = false;
  r->half[0] = r->half[1] = HALF_OTHER;
  r->space = SPACE_NONE;
  return true;
}

static bool resolve_generic(struct warp *w, const struct step *s,
                            struct request *r)
{
  u64 first = r->address[0] >> 56, difference = 0;

  EACH_LANE { difference |= r->address[l] >> 56 ^ first; }
  if (difference != 0)
    return resolve_mixed(w, s, r);
  return resolve_window(w, s, r, first > 4 ? 4 : (unsigned)first);
}

static bool resolve_constant(struct warp *w, const struct step *s,
                             struct request *r)
{
  if (!resolve_global(w, s, r))
    return false;
  w->counts[s->record].wavefronts +=
      r->uniform ? 1 : lanes_units(r->address, r->mask, COUNT_WORD_SHIFT);
  return true;
}

static bool read_only(struct warp *w, const struct step *s,
                      const struct request *r)
{
  unsigned l = (unsigned)__builtin_ctz(r->mask);

  exec_fault_access(w, s, l, FAULT_READ_ONLY, SPACE_CONSTANT, r->address[l],
                    r->bytes, true);
  return false;
}

bool LANES_LOCAL(lanes_resolve)(struct warp *w, const struct step *s,
                                struct request *r)
{
  const struct memory_extra *extra = s->extra;
  bool fine = false;

  take_addresses(w, s, extra, r);
  switch (extra->space) {
  case ACCESS_GENERIC: fine = resolve_generic(w, s, r); break;
  case ACCESS_GLOBAL: fine = resolve_global(w, s, r); break;
  case ACCESS_SHARED: fine = resolve_shared(w, s, r); break;
  case ACCESS_LOCAL: fine = resolve_local(w, s, r); break;
  case ACCESS_PARAMETER: fine = resolve_parameter(w, s, r); break;
  case ACCESS_CONSTANT:
    fine =
        r->kind == KIND_LOAD ? resolve_constant(w, s, r) : read_only(w, s, r);
    r->space = SPACE_CONSTANT;
    break;
  default: break;
  }
  if (fine && w->block->grid->launch->sink != NULL)
    exec_trace(w, s, r);
  return fine;
}

/* What a request costs, for tests. */
struct request_cost LANES_LOCAL(lanes_cost)(enum fault_space space,
                                            const u64 *address, u32 mask,
                                            unsigned bytes, bool is_load,
                                            struct bank_pattern *patterns,
                                            u32 key)
{
  struct request r = { .mask = mask,
                       .bytes = bytes,
                       .space = space,
                       .kind = is_load ? KIND_LOAD : KIND_STORE };
  struct request_cost cost = { 0, 0, 0 };
  struct filling filling = { 0 };
  struct span span;

  r.address = r.storage;
  EACH_LANE { r.storage[l] = address[l]; }
  if (mask != FULL)
    fill_inactive(&filling, r.storage, mask);
  span = span_of(r.address);
  if (space == SPACE_SHARED) {
    struct bank_pattern *p = &patterns[key % BANK_PATTERNS];

    if (!is_known(p, &r))
      learn(p, &r, &span);
    cost.wavefronts = p->wavefronts;
    cost.ideal = p->ideal;
    return cost;
  }
  find_shapes(&r, &span);
  if (space == SPACE_LOCAL)
    cost.units = local_sectors(&r, &span);
  else if (space == SPACE_CONSTANT)
    cost.units = r.uniform ? 1 : lanes_units(r.address, mask, COUNT_WORD_SHIFT);
  else
    cost.units = global_sectors(&r);
  return cost;
}

/* Memory type M and register type R of each transfer. */
typedef struct {
  u64 low, high;
} wide;

/* Moves element `at` bytes into each lane's access. */
#define ELEMENT(name, M, R)                                                    \
  static void in_##name(void *to, const struct request *r, unsigned at)        \
  {                                                                            \
    R *d = to;                                                                 \
    if (r->uniform) {                                                          \
      const R v = (R) * (const M *)((u8 *)request_lane(r, 0) + at);            \
      if (r->mask == FULL) {                                                   \
        EACH_LANE { d[l] = v; }                                                \
        return;                                                                \
      }                                                                        \
    }                                                                          \
    if (r->contiguous && r->bytes == sizeof(M)) {                              \
      const M *p = request_lane(r, 0);                                         \
      EACH_LANE { d[l] = (R)p[l]; }                                            \
      return;                                                                  \
    }                                                                          \
    if (has_halves(r) && r->bytes == sizeof(M)) {                              \
      for (unsigned h = 0; h < LANES; h += LANES / 2) {                        \
        const M *p = request_lane(r, h);                                       \
        const M v = *p;                                                        \
        if (r->half[h != 0] == HALF_UNIFORM) {                                 \
          _Pragma("GCC ivdep") for (unsigned l = 0; l < LANES / 2; l++)        \
              d[h + l] = (R)v;                                                 \
        } else {                                                               \
          _Pragma("GCC ivdep") for (unsigned l = 0; l < LANES / 2; l++)        \
              d[h + l] = (R)p[l];                                              \
        }                                                                      \
      }                                                                        \
      return;                                                                  \
    }                                                                          \
    if (r->mask == FULL) {                                                     \
      for (unsigned l = 0; l < LANES; l++)                                     \
        d[l] = (R) * (const M *)((u8 *)request_lane(r, l) + at);               \
      return;                                                                  \
    }                                                                          \
    if (r->uniform) {                                                          \
      const R v = (R) * (const M *)((u8 *)request_lane(r, 0) + at);            \
      const u32 m = r->mask;                                                   \
      EACH_LANE { d[l] = m >> l & 1 ? v : d[l]; }                              \
      return;                                                                  \
    }                                                                          \
    for (u32 m = r->mask; m != 0; m &= m - 1) {                                \
      unsigned l = (unsigned)__builtin_ctz(m);                                 \
      d[l] = (R) * (const M *)((u8 *)request_lane(r, l) + at);                 \
    }                                                                          \
  }                                                                            \
  static void out_##name(const void *from, const struct request *r,            \
                         unsigned at)                                          \
  {                                                                            \
    const R *d = from;                                                         \
    if (r->contiguous && r->bytes == sizeof(M)) {                              \
      M *p = request_lane(r, 0);                                               \
      EACH_LANE { p[l] = (M)d[l]; }                                            \
      return;                                                                  \
    }                                                                          \
    if (r->half[0] == HALF_CONTIGUOUS && r->half[1] == HALF_CONTIGUOUS &&      \
        r->bytes == sizeof(M)) {                                               \
      for (unsigned i = 0; i < LANES; i += LANES / 2) {                        \
        const unsigned h = sizeof(M) <= 4 ? LANES / 2 - i : i;                 \
        M *p = request_lane(r, h);                                             \
        _Pragma("GCC ivdep") for (unsigned l = 0; l < LANES / 2; l++) p[l] =   \
            (M)d[h + l];                                                       \
      }                                                                        \
      return;                                                                  \
    }                                                                          \
    const unsigned turn = stored_together(r->bytes) - 1;                       \
    for (u32 m = turned_mask(r->mask, turn); m != 0; m &= m - 1) {             \
      unsigned l = (unsigned)__builtin_ctz(m) ^ turn;                          \
      *(M *)((u8 *)request_lane(r, l) + at) = (M)d[l];                         \
    }                                                                          \
  }

/* All but the 128-bit one. */
#define SCALAR_ROWS(ROW)                                                       \
  ROW(U8_16, u8, u16)                                                          \
  ROW(S8_16, s8, s16)                                                          \
  ROW(U8_32, u8, u32)                                                          \
  ROW(S8_32, s8, s32)                                                          \
  ROW(U8_64, u8, u64)                                                          \
  ROW(S8_64, s8, s64)                                                          \
  ROW(16_16, u16, u16)                                                         \
  ROW(U16_32, u16, u32)                                                        \
  ROW(S16_32, s16, s32)                                                        \
  ROW(U16_64, u16, u64)                                                        \
  ROW(S16_64, s16, s64)                                                        \
  ROW(32_32, u32, u32)                                                         \
  ROW(U32_64, u32, u64)                                                        \
  ROW(S32_64, s32, s64)                                                        \
  ROW(64_64, u64, u64)
#define TRANSFER_ROWS(ROW) SCALAR_ROWS(ROW) ROW(128_128, wide, wide)

SCALAR_ROWS(ELEMENT)

static void in_128_128(void *to, const struct request *r, unsigned at)
{
  for (u32 m = r->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    memcpy((wide *)to + l, (u8 *)request_lane(r, l) + at, sizeof(wide));
  }
}

static void out_128_128(const void *from, const struct request *r, unsigned at)
{
  const unsigned turn = stored_together(r->bytes) - 1;

  for (u32 m = turned_mask(r->mask, turn); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m) ^ turn;

    memcpy((u8 *)request_lane(r, l) + at, (const wide *)from + l, sizeof(wide));
  }
}

/* Scalar handlers: one element, no question what transfer it is. */
#define HANDLERS(name, M, R)                                                   \
  static const struct step *load_##name(struct warp *w, const struct step *s)  \
  {                                                                            \
    struct request r;                                                          \
    r.mask = step_mask(w, s);                                                  \
    r.bytes = sizeof(M);                                                       \
    r.kind = KIND_LOAD;                                                        \
    if (r.mask == 0)                                                           \
      return s + 1;                                                            \
    if (!LANES_LOCAL(lanes_resolve)(w, s, &r))                                 \
      return NULL;                                                             \
    in_##name(slot_at(w, s->d), &r, 0);                                        \
    return s + 1;                                                              \
  }                                                                            \
  static const struct step *store_##name(struct warp *w, const struct step *s) \
  {                                                                            \
    struct request r;                                                          \
    r.mask = step_mask(w, s);                                                  \
    r.bytes = sizeof(M);                                                       \
    r.kind = KIND_STORE;                                                       \
    if (r.mask == 0)                                                           \
      return s + 1;                                                            \
    if (!LANES_LOCAL(lanes_resolve)(w, s, &r))                                 \
      return NULL;                                                             \
    out_##name(slot_at(w, s->d), &r, 0);                                       \
    return s + 1;                                                              \
  }
TRANSFER_ROWS(HANDLERS)

/* A kernel's parameter, all of it inside: one value for all lanes. */
#define PARAMETER(name, M, R)                                                  \
  static const struct step *parameter_##name(struct warp *w,                   \
                                             const struct step *s)             \
  {                                                                            \
    const R v = *(const M *)(w->block->grid->parameters + s->immediate);       \
    const u32 m = step_mask(w, s);                                             \
    R *d = IN_LANES(R, w, s->d);                                               \
    if (m == FULL) {                                                           \
      EACH_LANE { d[l] = v; }                                                  \
    } else {                                                                   \
      EACH_LANE { d[l] = m >> l & 1 ? v : d[l]; }                              \
    }                                                                          \
    return s + 1;                                                              \
  }
SCALAR_ROWS(PARAMETER)

static void (*const element_in[TRANSFERS])(void *, const struct request *,
                                           unsigned) = {
#define IN(name, M, R) [TRANSFER_##name] = in_##name,
  TRANSFER_ROWS(IN)
};
static void (*const element_out[TRANSFERS])(const void *,
                                            const struct request *,
                                            unsigned) = {
#define OUT(name, M, R) [TRANSFER_##name] = out_##name,
  TRANSFER_ROWS(OUT)
};

/* Vectors of words, the usual ones, for all 32 lanes: lanes to registers by
 * pieces of 4 x 4 or 2 x 2 that change rows for columns, two pieces at once.
 * Registers are written in as large pieces as other handlers read: a processor
 * waits when it has to put one load together from several fresh stores. */
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector) /* clang, and GCC from 12 on */
#define TURNS_VECTORS 1
#endif
#endif
#ifdef TURNS_VECTORS
#define PICK __builtin_shufflevector

typedef u32 words4 __attribute__((vector_size(16)));
typedef u32 words8 __attribute__((vector_size(32)));
typedef u64 longs2 __attribute__((vector_size(16)));
typedef u64 longs4 __attribute__((vector_size(32)));

static inline void turn_4(words8 v[4])
{
  words8 a = PICK(v[0], v[1], 0, 8, 1, 9, 4, 12, 5, 13);
  words8 b = PICK(v[0], v[1], 2, 10, 3, 11, 6, 14, 7, 15);
  words8 c = PICK(v[2], v[3], 0, 8, 1, 9, 4, 12, 5, 13);
  words8 d = PICK(v[2], v[3], 2, 10, 3, 11, 6, 14, 7, 15);

  v[0] = PICK(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
  v[1] = PICK(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
  v[2] = PICK(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
  v[3] = PICK(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

static inline void turn_2(longs4 v[2])
{
  longs4 a = v[0];

  v[0] = PICK(a, v[1], 0, 4, 2, 6);
  v[1] = PICK(a, v[1], 1, 5, 3, 7);
}

/* The 16 bytes of two lanes, and of one. */
static inline void words_of(words8 *to, const struct request *r, unsigned lane,
                            unsigned other)
{
  words4 a, b;

  memcpy(&a, request_lane(r, lane), sizeof a);
  memcpy(&b, request_lane(r, other), sizeof b);
  *to = PICK(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}

static inline void longs_of(longs4 *to, const struct request *r, unsigned lane,
                            unsigned other)
{
  longs2 a, b;

  memcpy(&a, request_lane(r, lane), sizeof a);
  memcpy(&b, request_lane(r, other), sizeof b);
  *to = PICK(a, b, 0, 1, 2, 3);
}

static inline void put(const struct request *r, unsigned lane, const void *from)
{
  memcpy(request_lane(r, lane), from, 16);
}

/* Half of the lanes, or all, want the same: rows of a tile times columns. */
static inline bool is_broadcast(const struct request *r)
{
  return r->uniform ||
         (r->half[0] == HALF_UNIFORM && r->half[1] == HALF_UNIFORM);
}

static void load_broadcast_4(struct warp *w, const struct memory_extra *extra,
                             const struct request *r)
{
  for (unsigned h = 0; h < LANES; h += LANES / 2) {
    u32 v[4];

    memcpy(v, request_lane(r, h), sizeof v);
    for (unsigned i = 0; i < 4; i++) {
      words8 *d = (words8 *)(IN_LANES(u32, w, extra->elements[i]) + h);

      d[0] = d[1] = (words8){ 0 } + v[i];
    }
  }
}

static void load_words_4(struct warp *w, const struct memory_extra *extra,
                         const struct request *r)
{
  if (is_broadcast(r)) {
    load_broadcast_4(w, extra, r);
    return;
  }
  for (unsigned l = 0; l < LANES; l += 8) {
    words8 v[4];

    _Pragma("GCC unroll 8") for (unsigned i = 0; i < 4; i++)
        words_of(&v[i], r, l + i, l + i + 4);
    turn_4(v);
    _Pragma("GCC unroll 8") for (unsigned i = 0; i < 4; i++) *
        (words8 *)(IN_LANES(u32, w, extra->elements[i]) + l) = v[i];
  }
}

static void store_words_4(struct warp *w, const struct memory_extra *extra,
                          const struct request *r)
{
  for (unsigned l = 0; l < LANES; l += 8) {
    words8 v[4];

    _Pragma("GCC unroll 8") for (unsigned i = 0; i < 4; i++) v[i] =
        *(words8 *)(IN_LANES(u32, w, extra->elements[i]) + l);
    turn_4(v);
    _Pragma("GCC unroll 8") for (unsigned i = 8; i-- > 0;)
        put(r, l + i, (const u8 *)&v[i % 4] + i / 4 * 16);
  }
}

static void load_longs_2(struct warp *w, const struct memory_extra *extra,
                         const struct request *r)
{
  for (unsigned l = 0; l < LANES; l += 4) {
    longs4 v[2];

    _Pragma("GCC unroll 8") for (unsigned i = 0; i < 2; i++)
        longs_of(&v[i], r, l + i, l + i + 2);
    turn_2(v);
    _Pragma("GCC unroll 8") for (unsigned i = 0; i < 2; i++) *
        (longs4 *)(IN_LANES(u64, w, extra->elements[i]) + l) = v[i];
  }
}

static void store_longs_2(struct warp *w, const struct memory_extra *extra,
                          const struct request *r)
{
  for (unsigned k = 0; k < LANES; k += 4) {
    const unsigned l = k ^ 4; /* eight lanes store together */
    longs4 v[2];

    _Pragma("GCC unroll 8") for (unsigned i = 0; i < 2; i++) v[i] =
        *(longs4 *)(IN_LANES(u64, w, extra->elements[i]) + l);
    turn_2(v);
    _Pragma("GCC unroll 8") for (unsigned i = 4; i-- > 0;)
        put(r, l + i, (const u8 *)&v[i % 2] + i / 2 * 16);
  }
}

#endif

/* Two words per lane: halves of a long. */
static void load_words_2(struct warp *w, const struct memory_extra *extra,
                         const struct request *r)
{
  u32 *first = IN_LANES(u32, w, extra->elements[0]);
  u32 *second = IN_LANES(u32, w, extra->elements[1]);
  _Alignas(LANE_ALIGNMENT) u64 both[LANES];

  for (unsigned l = 0; l < LANES; l++)
    memcpy(&both[l], request_lane(r, l), sizeof both[l]);
  EACH_LANE { first[l] = (u32)both[l]; }
  EACH_LANE { second[l] = (u32)(both[l] >> 32); }
}

static void store_words_2(struct warp *w, const struct memory_extra *extra,
                          const struct request *r)
{
  const u32 *first = IN_LANES(const u32, w, extra->elements[0]);
  const u32 *second = IN_LANES(const u32, w, extra->elements[1]);
  _Alignas(LANE_ALIGNMENT) u64 both[LANES];

  EACH_LANE { both[l] = first[l] | (u64)second[l] << 32; }
  for (unsigned k = 0; k < LANES; k++) {
    const unsigned l = k ^ (stored_together(sizeof *both) - 1);

    memcpy(request_lane(r, l), &both[l], sizeof both[l]);
  }
}

typedef void many_function(struct warp *w, const struct memory_extra *extra,
                           const struct request *r);

/* NULL: element by element. */
static many_function *whole_vectors(const struct memory_extra *extra,
                                    const struct request *r)
{
  bool load = r->kind == KIND_LOAD;

  if (r->mask != FULL)
    return NULL;
#ifdef TURNS_VECTORS
  if (extra->transfer == TRANSFER_32_32 && extra->n == 4)
    return load ? load_words_4 : store_words_4;
  if (extra->transfer == TRANSFER_64_64 && extra->n == 2)
    return load ? load_longs_2 : store_longs_2;
#endif
  if (extra->transfer == TRANSFER_32_32 && extra->n == 2)
    return load ? load_words_2 : store_words_2;
  return NULL;
}

static const struct step *load_many(struct warp *w, const struct step *s)
{
  const struct memory_extra *extra = s->extra;
  many_function *whole;
  struct request r;

  r.mask = step_mask(w, s);
  r.bytes = extra->bytes * extra->n;
  r.kind = KIND_LOAD;
  if (r.mask == 0)
    return s + 1;
  if (!LANES_LOCAL(lanes_resolve)(w, s, &r))
    return NULL;
  whole = whole_vectors(extra, &r);
  if (whole != NULL) {
    whole(w, extra, &r);
    return s + 1;
  }
  for (unsigned i = 0; i < extra->n; i++)
    element_in[extra->transfer](slot_at(w, extra->elements[i]), &r,
                                i * extra->bytes);
  return s + 1;
}

static const struct step *store_many(struct warp *w, const struct step *s)
{
  const struct memory_extra *extra = s->extra;
  many_function *whole;
  struct request r;

  r.mask = step_mask(w, s);
  r.bytes = extra->bytes * extra->n;
  r.kind = KIND_STORE;
  if (r.mask == 0)
    return s + 1;
  if (!LANES_LOCAL(lanes_resolve)(w, s, &r))
    return NULL;
  whole = whole_vectors(extra, &r);
  if (whole != NULL) {
    whole(w, extra, &r);
    return s + 1;
  }
  for (unsigned i = 0; i < extra->n; i++)
    element_out[extra->transfer](slot_at(w, extra->elements[i]), &r,
                                 i * extra->bytes);
  return s + 1;
}

void LANES_LOCAL(lanes_memory)(struct lane_handlers *handlers)
{
#define TAKE(name, M, R)                                                       \
  handlers->load[TRANSFER_##name] = load_##name;                               \
  handlers->store[TRANSFER_##name] = store_##name;
  TRANSFER_ROWS(TAKE)
#define TAKE_PARAMETER(name, M, R)                                             \
  handlers->load_parameter[TRANSFER_##name] = parameter_##name;
  SCALAR_ROWS(TAKE_PARAMETER)
  handlers->load_many = load_many;
  handlers->store_many = store_many;
  handlers->resolve = LANES_LOCAL(lanes_resolve);
  handlers->cost = LANES_LOCAL(lanes_cost);
}
