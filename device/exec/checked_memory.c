/* Memory accesses in programs with checks. Lanes whose address is wrong are
 * reported and left out; the others are passed to the checks and performed. */
#include <string.h>

#include "../check/host.h"
#include "../support/host_memory.h"
#include "async.h"
#include "checked.h"
#include "checked_async_proxy.h"
#include "checked_chosen.h"
#include "checked_site.h"
#include "checked_uses.h"
#include "cluster.h"
#include "fault.h"
#include "lanes/access.h"
#include "mbarrier.h"

struct accesses {
  _Alignas(LANE_ALIGNMENT)
      u64 address[LANES];    /* as computed; then within their space */
  u32 lanes[SPACE_NONE + 1]; /* by space, those that are fine */
  u32 bad;
  /* When all are fine and in one space: */
  unsigned n_runs; /* else 0 */
  enum fault_space space;
  struct check_run runs[LANES];
};

static void take_addresses(const struct warp *w, const struct memory_extra *x,
                           slot base, u64 add, u64 *address)
{
  if (!x->has_base) {
    EACH_LANE { address[l] = add; }
  } else if (x->wide_address) {
    const u64 *from = slot_at(w, base);

    EACH_LANE { address[l] = from[l] + add; }
  } else {
    const u32 *from = slot_at(w, base);

    EACH_LANE { address[l] = (u32)(from[l] + (u32)add); }
  }
}

/* In the block's own shared memory, or in that of another one of its
 * cluster. */
static bool in_shared(const struct block *block, u64 address, u64 bytes)
{
  u64 offset = address;

  if (address >> 55 != 0) /* before the window */
    return false;
  if (block->cluster != NULL)
    block = cluster_owner(block, address, &offset);
  return block != NULL && offset + bytes <= block->shared_bytes;
}

static enum fault_space space_of(const struct memory_extra *x, u64 address)
{
  switch (x->space) {
  case ACCESS_SHARED: return SPACE_SHARED;
  case ACCESS_LOCAL: return SPACE_LOCAL;
  case ACCESS_PARAMETER: return SPACE_PARAMETER;
  case ACCESS_GENERIC: break;
  default: return SPACE_GLOBAL;
  }
  switch ((address + WINDOW_BYTES) >> 56) { /* x[-1] belongs to x */
  case SHARED_WINDOW >> 56: return SPACE_SHARED;
  case LOCAL_WINDOW >> 56: return SPACE_LOCAL;
  case PARAMETER_WINDOW >> 56: return SPACE_PARAMETER;
  default: return SPACE_GLOBAL;
  }
}

/* Why an address outside of all allocations is none. */
static void describe_bad(uint64_t address, struct check_report *report,
                         char *text, size_t bytes)
{
  struct allocation near;
  bool freed;
  bool found = memory_nearest(address, &near, &freed);

  text[0] = '\0';
  if (found && freed && address >= near.address &&
      address - near.address < near.bytes) {
    report->title = "use after free";
  } else if (host_can_address(address) && host_region(address, text, bytes)) {
    report->check = CHECK_API;
    report->title = "host pointer used by a kernel";
  }
}

static void note_fault(struct warp *w, const struct step *s, unsigned lane,
                       enum fault_kind kind)
{
  struct worker *worker = w->worker;

  if (worker->faulted)
    return;
  worker->fault.kind = kind;
  worker->fault.detail[0] = '\0';
  fault_place(w, s, lane);
  worker->fault.reported = 1;
  worker->faulted = true;
}

/* Shared memory that a cluster has not. A GPU drops what is stored to a block
 * that has ended, and ends the launch where something is loaded. */
static void report_cluster(struct warp *w, const struct step *s, unsigned lane,
                           u64 address, const struct check_report *report)
{
  struct check_report there = *report;
  u64 offset;
  const struct block *ended = cluster_ended_owner(w->block, address, &offset);

  if (ended == NULL) {
    check_report(checks_of(w), report,
                 "it is that of another block of the cluster, which is none, "
                 "or has %u bytes of it",
                 w->block->shared_bytes);
    note_fault(w, s, lane, FAULT_OUT_OF_BOUNDS);
    return;
  }
  there.address = offset; /* as that block's own threads name it */
  check_report(checks_of(w), &there,
               "it is that of block %u of the cluster, which has ended: let "
               "the blocks meet (cluster.sync()) before one of them ends",
               ended->rank);
  if (site_of(w, s)->loads)
    note_fault(w, s, lane, FAULT_ENDED_BLOCK);
}

/* Tells of a lane's bad address; the access is left out. */
static void report_bad_address(struct warp *w, const struct step *s,
                               unsigned lane, u64 address, unsigned bytes,
                               enum fault_space space, bool misaligned)
{
  const struct check_site *site = site_of(w, s);
  const bool is_access = site->loads || site->stores; /* or an mbarrier's */
  struct check_report report = {
    .check = CHECK_MEMORY,
    .title = "out of bounds",
    .did = is_access ? check_did(site->loads, site->stores, site->kind, bytes)
                     : check_did(true, true, CHECK_ATOMIC, bytes),
    .warp = w->index,
    .lane = lane,
    .record = s->record,
    .has_address = true,
    .space = space,
    .address = address,
  };
  char text[EXPLAIN_BYTES] = "";
  enum fault_kind kind = FAULT_OUT_OF_BOUNDS;

  if (space == SPACE_GLOBAL)
    kind = exec_explain(w, address, bytes, text, sizeof text);
  if (misaligned && kind != FAULT_ADDRESS_SPACE) {
    report.title = "misaligned address";
    check_report(checks_of(w), &report, "it is %u bytes off a multiple of %u",
                 (unsigned)(address % bytes), bytes);
    note_fault(w, s, lane, FAULT_MISALIGNED);
    return;
  }
  if (kind != FAULT_OUT_OF_BOUNDS) {
    report.title = fault_title(kind);
    check_report(checks_of(w), &report, "%s", text);
    note_fault(w, s, lane, kind);
    return;
  }
  if (space == SPACE_GLOBAL)
    describe_bad(address, &report, text, sizeof text);
  else if (space == SPACE_SHARED)
    report.title = "out of bounds of shared memory";
  else
    report.title = "out of bounds of local memory";
  if (space == SPACE_SHARED && w->block->cluster != NULL &&
      address >> 55 == 0 && address >> CLUSTER_RANK_SHIFT != 0) {
    report_cluster(w, s, lane, address, &report);
    return;
  }
  if (space == SPACE_SHARED)
    check_report(checks_of(w), &report, "the block has %u bytes of it",
                 w->block->shared_bytes);
  else
    check_report(checks_of(w), &report,
                 text[0] == '\0' ? "%s" : "it points into %s", text);
  note_fault(w, s, lane, FAULT_OUT_OF_BOUNDS);
}

static bool in_memory(struct warp *w, const struct step *s, u64 address,
                      unsigned bytes, struct allocation *found)
{
  const struct cached_range *range = &w->ranges[s->record];

  /* The last addresses of all must not wrap around. */
  if (address >= range->low && address < range->high &&
      address + bytes <= range->high)
    return true;
  if (address >= found->address && address - found->address < found->bytes &&
      address + bytes <= found->address + found->bytes)
    return true;
  return exec_find(w, address, found) &&
         address + bytes <= found->address + found->bytes;
}

static bool run_is_fine(struct warp *w, const struct step *s,
                        const struct check_run *run, unsigned bytes,
                        const struct accesses *a, struct allocation *found)
{
  u64 low = a->address[run->first];
  u64 all = run->same ? bytes : (u64)run->n * bytes;

  if ((low & (bytes - 1)) != 0)
    return false;
  switch (a->space) {
  case SPACE_SHARED: return in_shared(w->block, low, all);
  case SPACE_LOCAL:
    return low < w->local_stride && low + all <= w->local_stride;
  case SPACE_GLOBAL: return in_memory(w, s, low, (unsigned)all, found);
  default: return false;
  }
}

/* The usual case: all lanes in one space, and nothing wrong. */
static bool find_runs(struct warp *w, const struct step *s,
                      const struct memory_extra *x, unsigned bytes, u32 mask,
                      struct accesses *a)
{
  struct allocation found = { 0 };
  u64 window = a->address[__builtin_ctz(mask)] >> 56, others = 0;

  a->n_runs = 0;
  a->space = space_of(x, a->address[__builtin_ctz(mask)]);
  if (x->space == ACCESS_GENERIC) {
    for (u32 m = mask; m != 0; m &= m - 1)
      others |= a->address[__builtin_ctz(m)] >> 56 ^ window;
    if (others != 0 || window > LOCAL_WINDOW >> 56)
      return false;
    EACH_LANE { a->address[l] &= (UINT64_C(1) << 56) - 1; }
  }
  a->n_runs = check_loops()->find_runs(a->address, mask, bytes, a->runs);
  for (unsigned i = 0; i < a->n_runs; i++)
    if (!run_is_fine(w, s, &a->runs[i], bytes, a, &found)) {
      a->n_runs = 0;
      if (x->space == ACCESS_GENERIC)
        EACH_LANE { a->address[l] |= window << 56; }
      return false;
    }
  return true;
}

static void sort_lanes(struct warp *w, const struct step *s,
                       const struct memory_extra *x, unsigned bytes, u32 mask,
                       bool reports, struct accesses *a)
{
  struct allocation found = { 0 };
  const bool generic = x->space == ACCESS_GENERIC;

  a->bad = 0;
  memset(a->lanes, 0, sizeof a->lanes);
  if (find_runs(w, s, x, bytes, mask, a)) {
    a->lanes[a->space] = mask;
    return;
  }
  for (u32 m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u64 whole = a->address[l];
    enum fault_space space = space_of(x, whole);
    bool fine, misaligned;

    if (space == SPACE_SHARED) {
      a->address[l] -= generic || whole >= SHARED_WINDOW ? SHARED_WINDOW : 0;
      fine = in_shared(w->block, a->address[l], bytes);
    } else if (space == SPACE_LOCAL) {
      a->address[l] -= generic || whole >= LOCAL_WINDOW ? LOCAL_WINDOW : 0;
      fine = a->address[l] < w->local_stride &&
             a->address[l] + bytes <= w->local_stride;
    } else {
      fine = space != SPACE_GLOBAL || in_memory(w, s, whole, bytes, &found);
    }
    misaligned = (a->address[l] & (bytes - 1)) != 0;
    if (fine && !misaligned) {
      a->lanes[space] |= UINT32_C(1) << l;
    } else if (space != SPACE_PARAMETER) {
      a->bad |= UINT32_C(1) << l;
      if (reports)
        report_bad_address(w, s, l, a->address[l], bytes, space, misaligned);
    }
  }
}

/* Loads that are left out give zero. */
static void clear_results(struct warp *w, const struct memory_extra *x,
                          unsigned register_bytes, u32 lanes)
{
  for (unsigned i = 0; i < x->n; i++)
    for (u32 m = lanes; m != 0; m &= m - 1)
      memset((u8 *)slot_at(w, x->elements[i]) +
                 (size_t)__builtin_ctz(m) * register_bytes,
             0, register_bytes);
}

static const struct step *run_without(struct warp *w, const struct step *s,
                                      u32 bad)
{
  const struct step *next;
  u32 all = w->mask;

  w->mask &= ~bad;
  next = site_of(w, s)->run(w, s);
  w->mask = all;
  return next;
}

/* What lanes do in shared memory, block by block of the cluster. */
static void each_owner(struct warp *w, const struct check_access *access,
                       const struct accesses *a,
                       void (*pass)(struct check_block *,
                                    const struct check_access *))
{
  struct check_access part = *access;
  u64 offset[LANES], at;
  u32 left = a->lanes[SPACE_SHARED];

  part.space = SPACE_SHARED;
  part.address = offset;
  while (left != 0) {
    const struct block *owner =
        cluster_owner(w->block, a->address[__builtin_ctz(left)], &at);

    part.lanes = 0;
    for (u32 m = left; m != 0; m &= m - 1)
      if (cluster_owner(w->block, a->address[__builtin_ctz(m)],
                        &offset[__builtin_ctz(m)]) == owner)
        part.lanes |= m & -m;
    left &= ~part.lanes;
    part.owner = owner->checked->check;
    part.shared = owner->shared;
    pass(checks_of(w), &part);
  }
}

static void pass_access(struct check_block *block,
                        const struct check_access *access)
{
  struct check_run runs[LANES];
  unsigned n = check_loops()->find_runs(access->address, access->lanes,
                                        access->bytes, runs);

  check_access(block, access, runs, n);
}

static void pass_to_checks(struct warp *w, struct check_access *access,
                           const struct accesses *a)
{
  static const enum fault_space spaces[] = { SPACE_GLOBAL, SPACE_SHARED,
                                             SPACE_LOCAL };

  struct check_run runs[LANES];
  unsigned n;

  access->warp = w->index;
  access->address = a->address;
  access->shared = w->block->shared;
  access->owner = NULL;
  if (w->block->cluster != NULL && a->lanes[SPACE_SHARED] != 0) {
    each_owner(w, access, a, pass_access);
  } else if (a->n_runs != 0) {
    access->space = a->space;
    access->lanes = a->lanes[a->space];
    check_access(checks_of(w), access, a->runs, a->n_runs);
    return;
  }
  for (unsigned i = 0; i < sizeof spaces / sizeof *spaces; i++) {
    access->space = spaces[i];
    access->lanes = a->lanes[spaces[i]];
    if (access->lanes == 0 ||
        (spaces[i] == SPACE_SHARED && w->block->cluster != NULL))
      continue;
    n = check_loops()->find_runs(a->address, access->lanes, access->bytes,
                                 runs);
    check_access(checks_of(w), access, runs, n);
  }
}

/* Stores to shared memory, for what wgmma and bulk copies ask of them. */
static void pass_to_proxy(struct warp *w, const struct step *s,
                          const struct accesses *a, unsigned bytes)
{
  for (u32 m = a->lanes[SPACE_SHARED]; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u64 offset = a->address[l];
    struct block *owner = w->block->cluster == NULL
                              ? w->block
                              : cluster_owner(w->block, offset, &offset);

    if (owner != NULL)
      proxy_stores(w, s, l, owner, offset, bytes);
  }
}

static void pass_to_choices(struct warp *w, const struct step *s, u32 mask,
                            u32 unwritten, const struct accesses *a,
                            unsigned bytes)
{
  for (enum fault_space i = SPACE_GLOBAL; i <= SPACE_LOCAL; i++)
    chosen_loaded(w, s, a->lanes[i], unwritten & a->lanes[i], i, a->address,
                  bytes);
  chosen_loaded(w, s, mask & a->bad, 0, SPACE_NONE, a->address, bytes);
}

static void pass_acquired(struct warp *w, struct check_access *access,
                          const struct accesses *a)
{
  static const enum fault_space spaces[] = { SPACE_GLOBAL, SPACE_SHARED };

  for (unsigned i = 0; i < sizeof spaces / sizeof *spaces; i++) {
    access->space = spaces[i];
    access->lanes = a->lanes[spaces[i]];
    if (spaces[i] == SPACE_SHARED && w->block->cluster != NULL)
      each_owner(w, access, a, check_acquired);
    else
      check_acquired(checks_of(w), access);
  }
}

const struct step *checked_memory(struct warp *w, const struct step *s)
{
  const struct check_site *site = site_of(w, s);
  const struct memory_extra *x = s->extra;
  bool plain = !(site->loads && site->stores);
  u32 mask = active_lanes(w, s);
  unsigned bytes = x->bytes * x->n;
  struct check_access access = {
    .bytes = bytes,
    .loads = site->loads,
    .stores = site->stores,
    .kind = site->kind,
    .order = site->order,
    .record = s->record,
    .only_copied = site->only_copied,
    .moved = site->moved,
    .kept = site->kept,
    .skip_init = site->skip_init,
    .used = site->used,
    .n_elements = plain ? x->n : 0,
    .element_bytes = x->bytes,
    .low_bytes = site->low_bytes,
    .register_bytes = site->register_bytes,
  };
  const bool reports = check_wanted(CHECK_MEMORY | CHECK_API);
  const bool only_stores = plain && site->stores;
  struct accesses a;
  const struct step *next;
  uint32_t unwritten = 0;

  if (mask == 0 || x->space == ACCESS_PARAMETER || x->space == ACCESS_CONSTANT)
    return site->run(w, s);
  take_addresses(w, x, s->a, s->immediate, a.address);
  sort_lanes(w, s, x, bytes, mask, reports, &a);
  if (site->chosen_later)
    access.unwritten = &unwritten;
  else
    access.dropped = uses_dropped(w, site);
  if (only_stores)
    for (unsigned i = 0; i < x->n; i++)
      access.value[i] = slot_at(w, x->elements[i]);
  access.warp = w->index;
  access.address = a.address;
  if (only_stores && a.lanes[SPACE_GLOBAL])
    check_store_begin(checks_of(w), &access);
  pass_to_checks(w, &access, &a);
  if (site->followed != 0 && (unwritten | (w->block->checked->chosen != NULL)))
    pass_to_choices(w, s, mask, unwritten, &a, bytes);
  if (site->stores && w->block->checked->proxy != NULL)
    pass_to_proxy(w, s, &a, bytes);
  if (a.bad == 0 || !reports) {
    next = site->run(w, s);
    if (site->loads && site->kind != CHECK_PLAIN)
      pass_acquired(w, &access, &a);
  } else {
    if (site->loads && plain)
      clear_results(w, x, site->register_bytes, a.bad);
    next = run_without(w, s, a.bad);
  }
  check_store_end(checks_of(w));
  return next;
}

enum { ASYNC_BYTES = 16 };

struct async_sources {
  u64 address[LANES];
  u32 bytes[LANES]; /* that the lane reads; 0: its address is unused */
  u32 bad;
  u8 values[LANES * ASYNC_BYTES];
};

static void take_sources(const struct warp *w, const struct step *s, u32 mask,
                         struct async_sources *from)
{
  const struct async_extra *x = s->extra;

  from->bad = 0;
  take_addresses(w, &x->source, s->a, s->immediate, from->address);
  for (u32 m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u32 bytes = async_source_bytes(w, x, l);

    from->bytes[l] = bytes < x->bytes ? bytes : x->bytes;
    if (bytes != 0 && from->address[l] % x->bytes != 0)
      from->bad |= m & -m;
  }
}

/* A source that is shorter than the copy is passed piece by piece: the checks
 * know accesses of 1, 2, 4, 8 and 16 bytes. */
static void pass_sources(struct warp *w, const struct step *s, u32 mask,
                         bool reports, struct async_sources *from)
{
  const struct async_extra *x = s->extra;
  struct check_access access = { .loads = true,
                                 .record = s->record,
                                 .only_copied = true };
  struct accesses a;

  for (u32 m = reports ? from->bad : 0; m != 0; m &= m - 1)
    report_bad_address(w, s, (unsigned)__builtin_ctz(m),
                       from->address[__builtin_ctz(m)], x->bytes, SPACE_GLOBAL,
                       true);
  for (unsigned piece = x->bytes; piece > 0; piece /= 2) {
    u32 lanes = 0;

    memcpy(a.address, from->address, sizeof a.address);
    for (u32 m = mask & ~from->bad; m != 0; m &= m - 1) {
      unsigned l = (unsigned)__builtin_ctz(m);

      if (from->bytes[l] & piece)
        lanes |= m & -m;
      a.address[l] += from->bytes[l] & ~(2 * piece - 1);
    }
    if (lanes == 0)
      continue;
    sort_lanes(w, s, &x->source, piece, lanes, reports, &a);
    from->bad |= a.bad;
    access.bytes = piece;
    pass_to_checks(w, &access, &a);
  }
}

/* What the copy is going to store: lanes that store the same to one place do
 * no harm. The toolkit's own headers let spare lanes repeat the last copy. */
static void take_values(u32 mask, unsigned bytes, struct async_sources *from)
{
  struct allocation found = { 0 };

  memset(from->values, 0, sizeof from->values);
  for (u32 m = mask & ~from->bad; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u64 at = from->address[l];

    if (from->bytes[l] == 0 ||
        ((at < found.address || at - found.address >= found.bytes) &&
         !memory_find(at, &found)))
      continue;
    at += found.kind == MEMORY_REGISTERED ? 0 : (u64)memory_view_offset();
    memcpy(from->values + l * bytes, (const u8 *)(uintptr_t)at, from->bytes[l]);
  }
}

const struct step *checked_async(struct warp *w, const struct step *s)
{
  const struct async_extra *x = s->extra;
  u32 mask = active_lanes(w, s), bad;
  const bool reports = check_wanted(CHECK_MEMORY | CHECK_API);
  struct async_sources from;
  struct check_access access = {
    .bytes = x->bytes,
    .stores = true,
    .record = s->record,
    .only_copied = true,
    .value = { from.values },
    .element_bytes = x->bytes,
    .register_bytes = x->bytes,
  };
  struct accesses a;

  if (mask == 0)
    return site_of(w, s)->run(w, s);
  take_sources(w, s, mask, &from);
  pass_sources(w, s, mask, reports, &from);
  take_values(mask, x->bytes, &from);
  bad = from.bad;
  take_addresses(w, &x->destination, x->destination_base, x->destination_offset,
                 a.address);
  sort_lanes(w, s, &x->destination, x->bytes, mask, reports, &a);
  pass_to_checks(w, &access, &a);
  bad |= a.bad;
  if (bad == 0 || !reports)
    return site_of(w, s)->run(w, s);
  return run_without(w, s, bad);
}

const struct step *checked_mbarrier(struct warp *w, const struct step *s)
{
  const struct mbarrier_extra *x = s->extra;
  u32 mask = active_lanes(w, s);
  struct check_access access = {
    .bytes = 8,
    .loads = x->op != MBARRIER_INIT,
    .stores = true,
    .kind = CHECK_ATOMIC,
    .record = s->record,
  };
  const bool reports = check_wanted(CHECK_MEMORY | CHECK_API);
  struct accesses a;
  u64 key;

  if (mask == 0 || x->op == MBARRIER_PENDING)
    return site_of(w, s)->run(w, s);
  take_addresses(w, &x->memory, s->a, s->immediate, a.address);
  sort_lanes(w, s, &x->memory, 8, mask, reports, &a);
  if (x->op == MBARRIER_INIT)
    access.kind = CHECK_PLAIN;
  pass_to_checks(w, &access, &a);
  for (u32 m = a.lanes[SPACE_SHARED]; m != 0; m &= m - 1) {
    const struct check_block *of = checks_of(w);
    u64 offset = a.address[__builtin_ctz(m)];

    if (w->block->cluster != NULL)
      of = cluster_owner(w->block, offset, &offset)->checked->check;
    key = UINT64_C(3) << 62 | offset;
    if (x->op == MBARRIER_TEST)
      check_wait(checks_of(w), of, w->index, key);
    else if (x->op != MBARRIER_INIT && x->op != MBARRIER_INVAL)
      check_arrive(checks_of(w), of, w->index, key);
  }
  if (a.bad != 0 && reports)
    return run_without(w, s, a.bad);
  return site_of(w, s)->run(w, s);
}

void checked_lost(struct warp *w, const struct step *s, unsigned lane,
                  uint64_t address, unsigned bytes)
{
  struct check_report report = {
    .check = CHECK_MEMORY,
    .title = "out of bounds of shared memory",
    .did = check_did(false, true, CHECK_PLAIN, bytes),
    .warp = w->index,
    .lane = lane,
    .record = s->record,
    .has_address = true,
    .space = SPACE_SHARED,
    .address = address,
  };

  if (w->block->checked != NULL && check_wanted(CHECK_MEMORY))
    report_cluster(w, s, lane, address, &report);
}

/* A bad address is left to the handler that performs the access. */
void checked_touch(struct warp *w, const struct step *s,
                   const struct memory_extra *x, const uint64_t *address,
                   uint32_t mask, unsigned bytes, bool stores)
{
  struct check_access access = {
    .bytes = bytes, .loads = !stores, .stores = stores, .record = s->record
  };
  struct accesses a;

  if (w->block->checked == NULL || mask == 0)
    return;
  memcpy(a.address, address, sizeof a.address);
  sort_lanes(w, s, x, bytes, mask, false, &a);
  pass_to_checks(w, &access, &a);
  if (stores && w->block->checked->proxy != NULL)
    pass_to_proxy(w, s, &a, bytes);
}
