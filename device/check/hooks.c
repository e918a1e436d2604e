/* Takes what the executor passes, keeps the clocks of blocks and warps, and
 * hands each access to the checks that were asked for. */
#include "hooks.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../memory/memory.h"
#include "../support/host_memory.h"
#include "block.h"

struct check_launch *check_launch_new(const char *kernel,
                                      const uint32_t grid[3],
                                      unsigned n_workers,
                                      const struct check_program *program)
{
  static atomic_uint_fast64_t launches;
  struct check_launch *launch = host_new(1, sizeof *launch);

  launch->kernel = kernel;
  launch->program = *program;
  memcpy(launch->grid, grid, sizeof launch->grid);
  launch->number = atomic_fetch_add(&launches, 1) + 1;
  if (program->hidden_writes)
    shadow_set_blind();
  order_init(&launch->order);
  launch->n_workers = n_workers;
  launch->storing = host_new_aligned(_Alignof(struct check_storing),
                                     n_workers * sizeof *launch->storing);
  for (unsigned i = 0; i < n_workers; i++)
    atomic_flag_clear(&launch->storing[i].lock);
  launch->operation = operation_now();
  return launch;
}

void check_launch_mute(struct check_launch *launch)
{
  atomic_store(&launch->muted, true);
}

void check_launch_free(struct check_launch *launch)
{
  if (launch->operation != NULL)
    operation_settle(launch->operation);
  findings_list();
  order_free(&launch->order);
  free(launch->storing);
  free(launch);
}

static size_t local_words(const struct check_block *block)
{
  return (size_t)(block->n_warps * CHECK_LANES * block->local_stride / 32 + 2);
}

static size_t shared_groups(uint32_t bytes) { return bytes / GROUP_BYTES + 1; }

struct check_block *check_block_new(struct check_launch *launch,
                                    const struct check_shape *shape)
{
  struct check_block *block = host_new(1, sizeof *block);

  block->launch = launch;
  block->storing = &launch->storing[shape->worker];
  memcpy(block->threads, shape->threads, sizeof block->threads);
  block->n_threads = shape->threads[0] * shape->threads[1] * shape->threads[2];
  block->n_warps = (block->n_threads + CHECK_LANES - 1) / CHECK_LANES;
  block->shared_bytes = shape->shared_bytes;
  block->zeroed_bytes = shape->zeroed_bytes;
  block->local_stride = shape->local_stride;
  block->in_cluster = shape->in_cluster;
  block->races = check_wanted(CHECK_RACE);
  if (block->races) {
    size_t groups = shared_groups(shape->shared_bytes);

    block->shared_reads =
        host_new_aligned(CELL_ALIGNMENT, groups * sizeof *block->shared_reads);
    block->shared_others = host_take_aligned(
        CELL_ALIGNMENT, groups * sizeof *block->shared_others);
    block->shared_writes =
        host_new_aligned(CELL_ALIGNMENT, groups * sizeof *block->shared_writes);
  }
  if (check_wanted(CHECK_INIT)) {
    block->shared_init = host_new(shape->shared_bytes / 32 + 2, 4);
    block->local_init = host_new(local_words(block), 4);
  }
  return block;
}

void check_block_free(struct check_block *block)
{
  for (unsigned i = 0; i < CHECK_WARPS; i++)
    free(block->lane_clock[i]);
  for (size_t i = 0;
       block->shared_splits != NULL && i < shared_groups(block->shared_bytes);
       i++) {
    free(block->shared_splits[i].reads);
    free(block->shared_splits[i].others);
    free(block->shared_splits[i].writes);
  }
  free(block->shared_splits);
  free(block->shared_reads);
  free(block->shared_others);
  free(block->shared_writes);
  free(block->shared_init);
  free(block->local_init);
  free(block);
}

void check_block_start(struct check_block *block, uint64_t index,
                       const uint32_t id[3])
{
  block->index = index;
  block->tag = (uint32_t)index + 1;
  memcpy(block->id, id, sizeof block->id);
  block->clock = 1;
  block->barrier_clock = 0;
  block->barrier = NO_RECORD;
  block->shared_read_clock = block->shared_write_clock = 0;
  block->partial = false;
  memset(block->warp_clock, 0, sizeof block->warp_clock);
  memset(&block->order, 0, sizeof block->order);
  for (unsigned i = 0; i < CHECK_WARPS; i++) {
    free(block->lane_clock[i]);
    block->lane_clock[i] = NULL;
  }
  if (block->shared_init != NULL) {
    memset(block->shared_init, 0, (block->shared_bytes / 32 + 2) * 4);
    memset((char *)block->shared_init +
               (block->shared_bytes - block->zeroed_bytes) / 8,
           0xff, block->zeroed_bytes / 8);
    memset(block->local_init, 0, local_words(block) * 4);
  }
  if (block->in_cluster && block->races) { /* what earlier blocks left */
    size_t groups = shared_groups(block->shared_bytes);

    memset(block->shared_reads, 0, groups * sizeof *block->shared_reads);
    memset(block->shared_writes, 0, groups * sizeof *block->shared_writes);
    for (size_t i = 0; block->shared_splits != NULL && i < groups; i++)
      block->shared_splits[i].unit = 0;
  }
}

/* ---- order -------- */

/* A clock that cannot go on makes everything ordered: silence, no phantoms. */
static uint32_t tick(struct check_block *b)
{
  if (b->clock == UINT32_MAX)
    return UINT32_MAX;
  return b->clock++;
}

static struct order_snapshot snapshot(struct check_block *b, uint32_t warp)
{
  struct order_snapshot now = order_snapshot(&b->order, warp);

  now.block = b->tag;
  now.barrier_clock = b->barrier_clock;
  now.clock = tick(b);
  return now;
}

void check_block_barrier(struct check_block *b, uint32_t record)
{
  b->barrier = record;
  if (!b->races)
    return;
  b->barrier_clock = tick(b);
  order_barrier(&b->launch->order, &b->order, b->n_warps);
}

void check_arrive(struct check_block *b, const struct check_block *of,
                  uint32_t warp, uint64_t key)
{
  struct order_snapshot now;

  if (!b->races)
    return;
  b->partial = true;
  order_effective(&b->order, warp);
  now = snapshot(b, warp);
  order_release(&b->launch->order, key ^ (uint64_t)of->tag << 24, &now);
}

void check_wait(struct check_block *b, const struct check_block *of,
                uint32_t warp, uint64_t key)
{
  if (!b->races)
    return;
  b->partial = true;
  order_acquire(&b->launch->order, &b->order, warp,
                key ^ (uint64_t)of->tag << 24, true, true);
}

static void sync_some(struct check_block *b, uint32_t warp, uint32_t lanes)
{
  uint32_t(*known)[CHECK_LANES] = b->lane_clock[warp];
  uint32_t most[CHECK_LANES] = { 0 }, now = tick(b);

  if (known == NULL)
    known = b->lane_clock[warp] = host_new(CHECK_LANES, sizeof *known);
  for (uint32_t m = lanes; m != 0; m &= m - 1)
    for (unsigned of = 0; of < CHECK_LANES; of++)
      if (known[__builtin_ctz(m)][of] > most[of])
        most[of] = known[__builtin_ctz(m)][of];
  for (uint32_t m = lanes; m != 0; m &= m - 1)
    most[__builtin_ctz(m)] = now;
  for (uint32_t m = lanes; m != 0; m &= m - 1)
    memcpy(known[__builtin_ctz(m)], most, sizeof most);
}

void check_warp_sync(struct check_block *b, uint32_t warp, uint32_t lanes,
                     bool all)
{
  if (!b->races)
    return;
  order_effective(&b->order, warp);
  if (all)
    b->warp_clock[warp] = tick(b);
  else
    sync_some(b, warp, lanes);
}

void check_fence(struct check_block *b, uint32_t warp, bool of_block)
{
  if (!b->races)
    return;
  order_effective(&b->order, warp);
  b->order.fence[warp] = snapshot(b, warp);
  b->order.fence[warp].of_block = of_block;
}

static uint64_t order_key(const struct check_block *b,
                          const struct check_access *a, unsigned lane)
{
  const struct check_block *of = a->owner != NULL ? a->owner : b;

  return a->space == SPACE_SHARED
             ? (UINT64_C(1) << 63 | (uint64_t)of->tag << 24) ^ a->address[lane]
             : a->address[lane];
}

static void strong_lane(struct check_block *b, const struct check_access *a,
                        unsigned lane)
{
  struct order *order = &b->launch->order;
  struct order_snapshot *fence = &b->order.fence[a->warp];
  uint64_t key = order_key(b, a, lane);

  if (a->loads)
    order_acquire(order, &b->order, a->warp, key, false,
                  (a->order & CHECK_ACQUIRE) != 0);
  if (!a->stores)
    return;
  if (a->order & CHECK_RELEASE) {
    struct order_snapshot now = snapshot(b, a->warp);

    now.of_block = (a->order & CHECK_SCOPE_BLOCK) != 0;
    order_release(order, key, &now);
  } else if (fence->valid) {
    order_release(order, key, fence);
  }
}

/* ---- accesses -------- */

/* What numbers the lanes of a run stored, in one page. */
static void note_sizes(struct shadow_page *page, const struct check_access *a,
                       const struct check_run *run, uint64_t at)
{
  unsigned lanes = run->same ? 1 : run->n;

  shadow_note_size(page, at, lanes * a->bytes, a->element_bytes);
}

/* ---- stores that are noted and not yet done -------- */

void storing_lock(struct check_storing *s)
{
  while (atomic_flag_test_and_set_explicit(&s->lock, memory_order_acquire))
    sched_yield();
}

void storing_unlock(struct check_storing *s)
{
  atomic_flag_clear_explicit(&s->lock, memory_order_release);
}

void check_store_begin(struct check_block *b, const struct check_access *a)
{
  struct check_storing *s = b->storing;

  if (!b->races)
    return;
  s->open = true;
  s->tag = b->tag;
  s->access = *a;
}

void storing_noted(struct check_block *b, uint32_t lanes)
{
  struct check_storing *s = b->storing;

  if (s->open)
    atomic_fetch_or_explicit(&s->lanes, lanes, memory_order_release);
}

void check_store_end(struct check_block *b)
{
  struct check_storing *s = b->storing;

  if (!s->open)
    return;
  storing_lock(s);
  atomic_store_explicit(&s->lanes, 0, memory_order_release);
  storing_unlock(s);
  s->open = false;
}

/* ---- pages and blocks -------- */

/* Lanes of a run in one page. */
static void in_page(struct check_block *b, const struct check_access *a,
                    const struct check_run *run, bool init)
{
  uint64_t at = a->address[run->first] % SHADOW_BYTES;
  struct shadow_page *page = shadow_lock(a->address[run->first]);

  if (page == NULL)
    return;
  if (init && !page->all_init) {
    init_run(b, a, run, page->init, at);
    if (a->stores)
      note_sizes(page, a, run, at);
  }
  if (b->races) {
    uint64_t launch = b->launch->number;
    struct cell_reads *reads = shadow_reads(page, launch, !a->stores);
    struct cells cells = { reads, page->others,
                           shadow_writes(page, launch, a->stores),
                           shadow_splits(page, launch), SHADOW_GROUPS };

    race_run(b, a, run, &cells, at);
    if (a->stores)
      storing_noted(b, run->lanes);
    if (b->launch->operation != NULL)
      operation_run(b->launch->operation, b, a, run, page, at);
  }
  shadow_unlock(page);
}

/* A run that goes beyond its page is cut there. */
static void access_global(struct check_block *b, const struct check_access *a,
                          const struct check_run *run, bool init)
{
  uint64_t at = a->address[run->first] % SHADOW_BYTES;
  struct check_run left = *run, part;

  if (run->same || at + run->n * a->bytes <= SHADOW_BYTES) {
    in_page(b, a, run, init);
    return;
  }
  if (run->twin) {
    left.twin = false;
    left.lanes = 0xffff;
    access_global(b, a, &left, init);
    left.lanes <<= 16;
    left.first = 16;
    access_global(b, a, &left, init);
    return;
  }
  part = left;
  part.n = (uint8_t)((SHADOW_BYTES - at) / a->bytes);
  part.lanes &= (UINT32_C(1) << (part.first + part.n)) - 1;
  left.first = (uint8_t)(left.first + part.n);
  left.n = (uint8_t)(left.n - part.n);
  left.lanes &= ~part.lanes;
  in_page(b, a, &part, init);
  in_page(b, a, &left, init);
}

/* Before the last barrier everything is in order, but what the cluster's
 * other blocks did. */
static void access_shared(struct check_block *b, const struct check_access *a,
                          const struct check_run *run, bool init)
{
  struct check_block *of = a->owner != NULL ? a->owner : b;
  uint64_t at = a->address[run->first];
  bool read =
      !a->stores || a->owner != NULL || b->shared_read_clock > b->barrier_clock;
  bool written =
      a->stores || a->owner != NULL || b->shared_write_clock > b->barrier_clock;
  struct cells cells = { read ? of->shared_reads : NULL, of->shared_others,
                         written ? of->shared_writes : NULL, &of->shared_splits,
                         shared_groups(of->shared_bytes) };

  if (init)
    init_run(b, a, run, of->shared_init, at);
  if (!b->races)
    return;
  if (a->stores)
    b->shared_write_clock = b->clock;
  else
    b->shared_read_clock = b->clock;
  race_run(b, a, run, &cells, at);
}

/* Every lane has its own. */
static void access_local(struct check_block *b, const struct check_access *a)
{
  for (uint32_t m = a->lanes; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    struct check_run lane = { UINT32_C(1) << l, (uint8_t)l, 1, true, false };

    init_run(b, a, &lane, b->local_init,
             (a->warp * CHECK_LANES + l) * b->local_stride + a->address[l]);
  }
}

void check_access(struct check_block *b, const struct check_access *a,
                  const struct check_run *runs, unsigned n_runs)
{
  bool init = b->shared_init != NULL && !b->launch->program.hidden_writes;

  if (a->space == SPACE_GLOBAL)
    for (unsigned i = 0; i < n_runs; i++)
      access_global(b, a, &runs[i], init);
  else if (a->space == SPACE_SHARED)
    for (unsigned i = 0; i < n_runs; i++)
      access_shared(b, a, &runs[i], init);
  else if (a->space == SPACE_LOCAL && b->local_init != NULL)
    access_local(b, a);
  if (a->kind != CHECK_PLAIN && b->races && a->space != SPACE_LOCAL)
    for (uint32_t m = a->lanes; m != 0; m &= m - 1)
      strong_lane(b, a, (unsigned)__builtin_ctz(m));
}

void check_acquired(struct check_block *b, const struct check_access *a)
{
  if (a->kind == CHECK_PLAIN || !a->loads || !b->races ||
      a->space == SPACE_LOCAL)
    return;
  for (uint32_t m = a->lanes; m != 0; m &= m - 1)
    order_acquire(&b->launch->order, &b->order, a->warp,
                  order_key(b, a, (unsigned)__builtin_ctz(m)), false,
                  (a->order & CHECK_ACQUIRE) != 0);
}

void check_local(struct check_block *b, uint32_t warp, uint32_t lanes,
                 uint64_t offset, uint64_t bytes, bool written)
{
  for (uint32_t m = lanes; m != 0 && b->local_init != NULL; m &= m - 1)
    shadow_set(b->local_init,
               (warp * CHECK_LANES + (unsigned)__builtin_ctz(m)) *
                       b->local_stride +
                   offset,
               bytes, written);
}

/* ---- reports -------- */

const char *check_did(bool loads, bool stores, enum check_kind kind,
                      unsigned bytes)
{
  static _Thread_local char text[2][48];
  static _Thread_local unsigned next;
  char *to = text[next++ % 2];

  snprintf(to, sizeof text[0], "%s%s of %u byte%s",
           kind == CHECK_VOLATILE ? "volatile " : "",
           loads && stores ? "atomic"
           : stores        ? "store"
                           : "load",
           bytes, bytes == 1 ? "" : "s");
  return to;
}

void fill_side(const struct check_block *b, uint32_t warp, uint32_t lane,
               uint32_t record, struct finding_side *side)
{
  const struct check_program *program = &b->launch->program;
  struct check_place place = program->place_of(program->program, record);
  uint32_t thread = warp * CHECK_LANES + lane;

  side->source = place.source;
  side->ptx_line = place.ptx_line;
  side->has_block = side->has_thread = true;
  memcpy(side->block, b->id, sizeof side->block);
  side->thread[0] = thread % b->threads[0];
  side->thread[1] = thread / b->threads[0] % b->threads[1];
  side->thread[2] = thread / b->threads[0] / b->threads[1];
}

void fill_story(const struct check_block *b, struct finding *f)
{
  const struct check_program *program = &b->launch->program;

  if (f->has_address && program->story_of != NULL)
    program->story_of(program->grid, f->space, f->address, f->story,
                      sizeof f->story);
}

uint64_t part_of_kernel(const struct check_block *b)
{
  const struct check_program *program = &b->launch->program;
  struct check_place place = { 0 };
  const struct source_line *line = &place.source;

  if (b->barrier != NO_RECORD)
    place = program->place_of(program->program, b->barrier);
  while (line->caller != NULL)
    line = line->caller;
  return line->line != 0 ? line->line : place.ptx_line;
}

uint64_t number_of_allocation(uint64_t address)
{
  struct allocation near;
  bool freed;

  return memory_nearest(address, &near, &freed) ? near.serial : 0;
}

/* Local memory that nothing has written may be any variable. */
static void set_cause(const struct check_block *b, const struct check_report *r,
                      struct finding *f)
{
  f->cause = r->cause != NULL ? r->cause : r->title;
  if (r->has_address && r->space == SPACE_GLOBAL)
    f->object = number_of_allocation(r->address);
  else if (r->check == CHECK_INIT && r->space == SPACE_SHARED)
    f->object = part_of_kernel(b);
  else if (r->check == CHECK_INIT)
    f->cause = NULL;
}

void check_report(struct check_block *b, const struct check_report *r,
                  const char *detail, ...)
{
  struct finding f = {
    .check = r->check,
    .title = r->title,
    .kernel = b->launch->kernel,
    .has_address = r->has_address,
    .space = r->space,
    .address = r->address,
  };
  va_list arguments;

  if (atomic_load_explicit(&b->launch->muted, memory_order_relaxed))
    return;
  set_cause(b, r, &f);
  fill_story(b, &f);
  fill_side(b, r->warp, r->lane, r->record, &f.here);
  f.here.did = r->did;
  if (r->other_did != NULL)
    fill_side(b, r->warp, r->other_lane, r->other_record, &f.there);
  f.there.did = r->other_did;
  va_start(arguments, detail);
  vsnprintf(f.detail, sizeof f.detail, detail, arguments);
  va_end(arguments);
  finding_add(&f);
}
