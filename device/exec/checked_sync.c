/* Barriers, warp-level operations, fences, exits and calls, as the checks see
 * them. */
#include "checked.h"

#include <string.h>

#include "checked_async_proxy.h"
#include "checked_chosen.h"
#include "checked_site.h"
#include "checked_uses.h"
#include "cluster.h"
#include "path.h"

static struct check_report report_at(const struct warp *w, const struct step *s,
                                     unsigned lane, const char *title)
{
  return (struct check_report){ .check = CHECK_SYNC,
                                .title = title,
                                .did = "called",
                                .warp = w->index,
                                .lane = lane,
                                .record = s->record };
}

/* ---- barriers of a block -------- */

/* What has both titles is one mistake. */
static const char barriers[] = "barriers";

/* Lanes of the warp that wait at another barrier. */
static uint32_t lanes_elsewhere(const struct warp *w, const struct step *s)
{
  uint32_t lanes = 0;

  for (const struct path *p = w->paths; p != NULL; p = p->next)
    if (p != w->path && p->state == PATH_AT_BARRIER && p->pc - 1 != s)
      lanes |= p->mask;
  return lanes;
}

static uint32_t lanes_at_syncwarp(const struct warp *w)
{
  uint32_t lanes = 0;

  for (const struct path *p = w->paths; p != NULL; p = p->next)
    if (p->state == PATH_AT_WARP_SYNC &&
        ((const struct warp_extra *)p->pc->extra)->op == WARP_SYNC)
      lanes |= p->mask;
  return lanes;
}

static void check_divergence(struct warp *w, const struct step *s,
                             uint32_t mask)
{
  uint32_t missing = w->alive & ~mask & ~path_ending_lanes(w);
  struct check_report report;

  if (missing == 0)
    w->parted = false;
  /* Lanes that the device let run ahead of a spinning one: that it comes
   * later is no fault of the program's. */
  if (w->parted)
    missing = lanes_elsewhere(w, s);
  else /* where those wait, it has been reported */
    missing &= ~lanes_at_syncwarp(w);
  if (!check_wanted(CHECK_SYNC) || missing == 0)
    return;
  report = report_at(w, s, (unsigned)__builtin_ctz(mask),
                     "barrier in divergent code");
  report.cause = barriers;
  check_report(checks_of(w), &report,
               "lanes 0x%08x of warp %u are here, lanes 0x%08x are not", mask,
               w->index, missing);
}

static const struct source_line *line_of(const struct warp *w, uint32_t record)
{
  const struct ptx_instruction *ptx =
      w->block->grid->program->records[record].ptx;

  return ptx == NULL || ptx->source.line == 0 ? NULL : &ptx->source;
}

/* All threads of a block meet at one barrier in the source. */
static void check_same_barrier(struct warp *w, const struct step *s,
                               uint32_t mask, unsigned id)
{
  const struct source_line *first = line_of(w, w->block->checked->first[id]);
  const struct source_line *here = line_of(w, s->record);
  struct check_report report;

  if (!check_wanted(CHECK_SYNC) || first == NULL || here == NULL ||
      first->line == here->line)
    return;
  report = report_at(w, s, (unsigned)__builtin_ctz(mask), "different barriers");
  report.cause = barriers;
  check_report(checks_of(w), &report,
               "other threads of the block wait at the barrier of line %u",
               first->line);
}

static bool is_whole(const struct warp *w, const struct check_site *site,
                     const struct barrier_extra *x, unsigned lane)
{
  if (!x->has_count)
    return true;
  return !site->arrivals &&
         ((const uint32_t *)slot_at(w, x->count))[lane] >= w->block->n_threads;
}

const struct step *checked_barrier(struct warp *w, const struct step *s)
{
  const struct check_site *site = site_of(w, s);
  const struct barrier_extra *x = s->extra;
  struct checked_block *checked = w->block->checked;
  uint32_t mask = active_lanes(w, s), id;
  const struct step *next;
  uint64_t key;
  bool whole;

  if (mask == 0)
    return site->run(w, s);
  id = ((const uint32_t *)slot_at(w, x->id))[__builtin_ctz(mask)];
  if (id >= BARRIERS)
    return site->run(w, s);
  whole = is_whole(w, site, x, (unsigned)__builtin_ctz(mask));
  if (site->aligned)
    check_divergence(w, s, mask);
  if (!w->block->barriers[id].in_use) {
    checked->phase[id]++;
    checked->first[id] = s->record;
  } else if (!x->has_count && site->aligned) {
    check_same_barrier(w, s, mask, id);
  }
  if (!whole) {
    key = UINT64_C(1) << 62 | (uint64_t)checked->phase[id] << 8 | id;
    check_arrive(checks_of(w), checks_of(w), w->index, key);
    if (x->kind != BARRIER_ARRIVE)
      check_wait(checks_of(w), checks_of(w), w->index, key);
  }
  next = site->run(w, s);
  if (whole && !w->block->barriers[id].in_use)
    check_block_barrier(checked->check, s->record);
  return next;
}

/* The barrier of a cluster: each phase orders what came before the arrivals
 * before what comes after the waits, in all of its blocks. */
const struct step *checked_cluster(struct warp *w, const struct step *s)
{
  const struct check_site *site = site_of(w, s);
  uint32_t mask = active_lanes(w, s);
  const struct block *lead =
      w->block->cluster == NULL ? w->block : w->block->cluster->blocks[0];
  const struct check_block *of = lead->checked->check;
  uint64_t phase = lead->cluster_phase;
  bool waits = site->run == cluster_wait;

  if (mask == 0)
    return site->run(w, s);
  if (site->aligned)
    check_divergence(w, s, mask);
  if (waits &&
      !(mask & w->at_cluster & (phase & 1 ? w->cluster_odd : ~w->cluster_odd)))
    phase--; /* it is over */
  if (waits)
    check_wait(checks_of(w), of, w->index, UINT64_C(5) << 61 | phase);
  else
    check_arrive(checks_of(w), of, w->index, UINT64_C(5) << 61 | phase);
  return site->run(w, s);
}

/* ---- warps -------- */

static uint32_t waiting_lanes(const struct warp *w)
{
  uint32_t lanes = 0;

  for (const struct path *p = w->paths; p != NULL; p = p->next)
    if (p->state == PATH_AT_WARP_SYNC)
      lanes |= p->mask;
  return lanes;
}

/* A lane reads one that the mask names and that is not there. */
static void check_source(struct warp *w, const struct step *s, uint32_t members,
                         unsigned lane)
{
  unsigned from = warp_shuffle_source(w, s->extra, lane);
  struct check_report report = report_at(w, s, lane, "shuffle from no lane");

  if (((members & ~w->alive & ~w->missed) >> from & 1) == 0)
    return;
  if (w->index * LANES + from >= w->block->n_threads)
    check_report(
        checks_of(w), &report,
        "lane %u reads lane %u of warp %u, which a block of %u threads "
        "does not have:\n  what comes is undefined, though mask "
        "0x%08x names that lane",
        lane, from, w->index, w->block->n_threads, members);
  else
    check_report(checks_of(w), &report,
                 "lane %u reads lane %u of warp %u, which has ended: what "
                 "comes is undefined,\n  though mask 0x%08x names that lane",
                 lane, from, w->index, members);
}

/* True: a lane's mask does not name it, which may be a fault, too. */
static bool check_masks(struct warp *w, const struct step *s,
                        const uint32_t *members, uint32_t mask)
{
  const struct warp_extra *x = s->extra;
  uint32_t looking = x->op == WARP_SHUFFLE && (site_of(w, s)->used & 1)
                         ? mask & ~uses_dropped(w, site_of(w, s))
                         : 0;

  for (uint32_t m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    struct check_report report = report_at(w, s, l, "wrong member mask");

    if (!(members[l] >> l & 1)) {
      check_report(checks_of(w), &report,
                   "lane %u calls with mask 0x%08x, which does not name it", l,
                   members[l]);
      return true;
    }
    if (looking >> l & 1 && (members[l] & ~w->alive) != 0)
      check_source(w, s, members[l], l);
  }
  return false;
}

/* The member mask that a waiting path came with. */
static uint32_t members_of(struct warp *w, const struct path *p)
{
  const struct warp_extra *x = p->pc->extra;
  uint8_t *frame = w->area[AREA_FRAME], *constants = w->area[AREA_CONSTANTS];
  uint32_t members = 0;

  if (!x->has_members)
    return 0;
  w->area[AREA_FRAME] = p->frame->registers;
  w->area[AREA_CONSTANTS] = p->frame->function->constants;
  members = ((const uint32_t *)slot_at(w, x->members))[__builtin_ctz(p->mask)];
  w->area[AREA_FRAME] = frame;
  w->area[AREA_CONSTANTS] = constants;
  return members;
}

/* The lanes of one mask execute the same instruction; only for __syncwarp it may
 * be another one of them. */
static void check_places(struct warp *w, const struct step *s, uint32_t mask,
                         const struct path *other)
{
  const struct warp_extra *here = s->extra, *there = other->pc->extra;
  const struct source_line *at = line_of(w, s->record);
  const struct source_line *elsewhere = line_of(w, other->pc->record);
  struct check_report report;

  if ((here->op == WARP_SYNC && there->op == WARP_SYNC) || at == NULL ||
      elsewhere == NULL ||
      (at->line == elsewhere->line && strcmp(at->file, elsewhere->file) == 0))
    return;
  report = report_at(w, s, (unsigned)__builtin_ctz(mask),
                     "lanes of one mask at different lines");
  report.other_did = "a call";
  report.other_lane = (unsigned)__builtin_ctz(other->mask);
  report.other_record = other->pc->record;
  check_report(checks_of(w), &report,
               "lanes 0x%08x of warp %u are at the first line, lanes 0x%08x at "
               "the second; mask 0x%08x names both",
               mask, w->index, other->mask, members_of(w, other));
}

/* Lane `l`, which comes with mask `members`, and lanes of `other` that wait: one
 * names the other, but their masks differ. Returns those lanes. */
static uint32_t at_odds(const struct warp *w, const struct path *other,
                        uint32_t members, unsigned l)
{
  uint32_t lanes = 0;

  for (uint32_t m = other->mask; m != 0; m &= m - 1) {
    uint32_t theirs = w->waiting.inputs.members[__builtin_ctz(m)];

    if (theirs != members && ((members & m & -m) != 0 || (theirs >> l & 1)))
      lanes |= m & -m;
  }
  return lanes;
}

static void report_odds(struct warp *w, const struct step *s, uint32_t members,
                        unsigned l, uint32_t lanes)
{
  struct check_report report = report_at(w, s, l, "wrong member mask");
  uint32_t theirs = w->waiting.inputs.members[__builtin_ctz(lanes)];

  if (members & lanes)
    check_report(checks_of(w), &report,
                 "mask 0x%08x names lanes 0x%08x, "
                 "which wait with mask 0x%08x",
                 members, members & lanes, theirs);
  else
    check_report(
        checks_of(w), &report,
        "lanes 0x%08x wait for lane %u with mask 0x%08x, it comes with "
        "mask 0x%08x",
        lanes, l, theirs, members);
}

/* Lanes that wait for one another must agree on who they are. */
static void check_agreement(struct warp *w, const struct step *s,
                            const uint32_t *members, uint32_t mask)
{
  for (const struct path *p = w->paths; p != NULL; p = p->next) {
    uint32_t odds = 0, named = 0;

    if (p->state != PATH_AT_WARP_SYNC || p == w->path)
      continue;
    for (uint32_t m = mask; m != 0 && odds == 0; m &= m - 1) {
      unsigned l = (unsigned)__builtin_ctz(m);

      named |= members[l] & p->mask;
      odds = at_odds(w, p, members[l], l);
      if (odds != 0)
        report_odds(w, s, members[l], l, odds);
    }
    if (odds == 0 && named != 0)
      check_places(w, s, mask, p);
  }
}

static void sync_groups(struct warp *w, const uint32_t *members, uint32_t mask)
{
  while (mask != 0) {
    uint32_t group = members[__builtin_ctz(mask)] & mask;

    group |= mask & -mask;
    check_warp_sync(checks_of(w), w->index, group, (w->alive & ~group) == 0);
    mask &= ~group;
  }
}

const struct step *checked_warp(struct warp *w, const struct step *s)
{
  const struct check_site *site = site_of(w, s);
  const struct warp_extra *x = s->extra;
  uint32_t mask = active_lanes(w, s), before, after;
  uint32_t members[LANES];
  const struct step *next;
  bool reported = false;

  if (mask == 0 || !x->has_members)
    return site->run(w, s);
  for (unsigned l = 0; l < LANES; l++)
    members[l] = ((const uint32_t *)slot_at(w, x->members))[l];
  if (check_wanted(CHECK_SYNC)) {
    reported = check_masks(w, s, members, mask);
    check_agreement(w, s, members, mask);
  }
  before = waiting_lanes(w) | mask;
  next = site->run(w, s);
  if (next != NULL) {
    sync_groups(w, members, mask);
    return next;
  }
  if (reported && w->worker->faulted && w->worker->fault.kind == FAULT_ILLEGAL)
    w->worker->fault.reported = 1;
  after = before & ~waiting_lanes(w);
  if (after != 0)
    check_warp_sync(checks_of(w), w->index, after, (w->alive & ~after) == 0);
  return NULL;
}

void checked_passed_by(struct warp *w, const struct path *path, uint32_t lanes)
{
  struct check_report report;

  /* `check_left` and `check_places` report the others. */
  if (w->block->checked == NULL || !check_wanted(CHECK_SYNC) ||
      ((const struct warp_extra *)path->pc->extra)->op != WARP_SYNC)
    return;
  report = report_at(w, path->pc, (unsigned)__builtin_ctz(path->mask),
                     "__syncwarp in divergent code");
  check_report(checks_of(w), &report,
               "lanes 0x%08x of warp %u are here, lanes 0x%08x, which the mask "
               "names, are not",
               path->mask, w->index, lanes);
}

void checked_together(struct warp *w)
{
  if (w->block->checked != NULL)
    check_warp_sync(checks_of(w), w->index, w->alive, true);
}

/* Lanes end while others wait for them in a shuffle. */
static void check_left(struct warp *w, uint32_t left)
{
  for (const struct path *p = w->paths; p != NULL; p = p->next) {
    const struct warp_extra *x;
    struct check_report report;

    if (p->state != PATH_AT_WARP_SYNC)
      continue;
    x = p->pc->extra;
    if (x->op == WARP_SYNC || (members_of(w, p) & left) == 0)
      continue;
    report = report_at(w, p->pc, (unsigned)__builtin_ctz(p->mask),
                       "wrong member mask");
    check_report(checks_of(w), &report,
                 "lanes 0x%08x of warp %u wait for "
                 "lanes 0x%08x, which end without coming",
                 p->mask, w->index, members_of(w, p) & left);
    w->missed |= members_of(w, p) & left;
  }
}

const struct step *checked_exit(struct warp *w, const struct step *s)
{
  uint32_t mask = active_lanes(w, s), before = waiting_lanes(w), after;
  struct block *block = w->block;
  bool used[BARRIERS];
  const struct step *next;

  if (mask != 0 && before != 0 && check_wanted(CHECK_SYNC))
    check_left(w, mask);
  for (unsigned i = 0; i < BARRIERS; i++)
    used[i] = block->barriers[i].in_use && block->barriers[i].expected == 0;
  next = site_of(w, s)->run(w, s);
  for (unsigned i = 0; i < BARRIERS; i++)
    if (used[i] && !block->barriers[i].in_use)
      check_block_barrier(block->checked->check, block->checked->first[i]);
  after = before & ~waiting_lanes(w);
  if (after != 0)
    check_warp_sync(checks_of(w), w->index, after, (w->alive & ~after) == 0);
  return next;
}

/* ---- the rest -------- */

const struct step *checked_fence(struct warp *w, const struct step *s)
{
  if (active_lanes(w, s) != 0) {
    check_fence(checks_of(w), w->index, site_of(w, s)->of_block);
    if (site_of(w, s)->fences_proxy)
      proxy_fence(w);
  }
  return site_of(w, s)->run(w, s);
}

const struct step *checked_call(struct warp *w, const struct step *s)
{
  const struct frame *before = w->path->frame, *frame;
  const struct step *next = site_of(w, s)->run(w, s);
  const struct ptx_function *ptx;

  if (next == NULL || w->path == NULL || w->path->frame == before)
    return next;
  frame = w->path->frame;
  ptx = frame->function->ptx;
  chosen_frame_start(w);
  check_local(checks_of(w), w->index, w->mask, frame->local_base,
              frame->function->local_bytes, false);
  for (size_t i = 0; i < ptx->n_parameters; i++)
    check_local(checks_of(w), w->index, w->mask,
                frame->local_base + ptx->parameters[i]->place,
                ptx->parameters[i]->bytes, true);
  return next;
}

/* What a function kept in local memory is unwritten once it has returned. */
const struct step *checked_leave(struct warp *w, const struct step *s)
{
  const struct frame *frame = w->path->frame;
  uint32_t lanes = active_lanes(w, s), from = frame->local_base;

  if (lanes != 0 && frame->caller != NULL)
    check_local(checks_of(w), w->index, lanes, from,
                frame->function->local_bytes, false);
  return site_of(w, s)->run(w, s);
}
