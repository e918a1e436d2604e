/* Which path of a warp runs next, for how long, and what happens to one that
 * seems to spin: README.md, "Loops that wait". */
#include "warp.h"

#include <string.h>

#include "../support/small_limits.h"
#include "async.h"
#include "barrier.h"
#include "path.h"

/* Basic blocks that one path runs before it is the turn of other paths, and
 * turns of paths before it is the turn of other warps. README.md, "Loops that
 * wait", has the rules that the following constants belong to. */
enum { PATH_BLOCKS = LIMIT(1024, 3), PATH_TURNS = LIMIT(16, 2) };
/* Rule 1: a spinner's turns get shorter by half, this often. */
enum { MOST_SPINS = LIMIT(3, 1) };
/* Rule 3: turns of a spinner, and of every other worker, in which nothing else
 * happens before waiters go on without it; and turns of the spinner after which
 * they go on in any case. */
enum {
  QUIET_TURNS = LIMIT(32, 8),
  OTHERS_TURNS = LIMIT(32, 8),
  MOST_TURNS = 65536
};
/* A spin whose lanes part and meet again in every round never uses up its
 * time: paths that end in joins count, too. */
enum { PATH_RUNS = LIMIT(256, 4) };

static void set_thread_ids(struct warp *w)
{
  const uint32_t *extent = w->block->grid->launch->block;

  for (uint32_t l = 0; l < LANES; l++) {
    uint32_t thread = w->index * LANES + l;
    uint32_t bit = UINT32_C(1) << l;

    w->specials[SPECIAL_TID_X][l] = thread % extent[0];
    w->specials[SPECIAL_TID_Y][l] = thread / extent[0] % extent[1];
    w->specials[SPECIAL_TID_Z][l] = thread / extent[0] / extent[1];
    w->specials[SPECIAL_LANEID][l] = l;
    w->specials[SPECIAL_WARPID][l] = w->index;
    w->specials[SPECIAL_LANEMASK_EQ][l] = bit;
    w->specials[SPECIAL_LANEMASK_LT][l] = bit - 1;
    w->specials[SPECIAL_LANEMASK_LE][l] = bit | (bit - 1);
    w->specials[SPECIAL_LANEMASK_GE][l] = ~(bit - 1);
    w->specials[SPECIAL_LANEMASK_GT][l] = ~(bit | (bit - 1));
  }
}

void warp_prepare(struct warp *w, struct block *block, struct worker *worker,
                  uint32_t index)
{
  w->block = block;
  w->worker = worker;
  w->index = index;
  w->counts = worker->counts;
  w->ranges = worker->ranges;
  w->local_stride = block->grid->local_stride;
  w->local = block->local + (size_t)index * LANES * w->local_stride;
  set_thread_ids(w);
}

void warp_release(struct warp *w) { async_free(w); }

void warp_start(struct warp *w)
{
  struct block *block = w->block;
  const struct function *function = block->grid->function;
  uint32_t first = w->index * LANES;
  uint32_t n = block->n_threads - first;
  uint32_t mask = n >= LANES ? FULL : (UINT32_C(1) << n) - 1;
  struct frame *frame = frame_new(w->worker, function);

  frame->lanes = mask;
  w->alive = mask;
  w->done = false;
  w->has_stack = false;
  w->at_cluster = 0;
  w->path = NULL;
  w->paths = NULL;
  w->area[AREA_SPECIALS] = (uint8_t *)w->specials;
  w->area[AREA_BLOCK] = (uint8_t *)block->values;
  w->waiting.present = 0;
  w->missed = 0;
  path_new(w, mask, function->steps, frame, NULL);
}

static void run_path(struct warp *w, struct path *path)
{
  const struct step *s = path->pc;

  path_enter(w, path);
  w->budget = PATH_BLOCKS >> path->spins;
  w->polled = path->polled;
  path->polled = false;
  do
    s = s->run(w, s);
  while (s != NULL);
  if (w->path != NULL)
    w->path->mask = w->mask;
}

static void move_to_end(struct warp *w, struct path *path)
{
  struct path **at = &w->paths;

  if (path->next == NULL)
    return;
  while (*at != path)
    at = &(*at)->next;
  *at = path->next;
  while (*at != NULL)
    at = &(*at)->next;
  *at = path;
  path->next = NULL;
}

/* Who sees the new number sees all that this worker did before, its earlier
 * events among them. */
static void add_one(atomic_uint_fast64_t *count)
{
  atomic_store_explicit(count,
                        atomic_load_explicit(count, memory_order_relaxed) + 1,
                        memory_order_release);
}

/* The number of events in which any worker made progress. If there are new ones,
 * the turns that the workers have had by now are noted. */
static uint64_t events_of(struct worker *worker)
{
  const struct grid *grid = worker->grid;
  uint64_t events = 0;

  for (unsigned i = 0; i < grid->n_workers; i++)
    events +=
        atomic_load_explicit(&grid->workers[i].events, memory_order_acquire);
  if (events == worker->seen_events)
    return events;
  worker->seen_events = events;
  for (unsigned i = 0; i < grid->n_workers; i++)
    worker->seen_turns[i] =
        atomic_load_explicit(&grid->workers[i].turns, memory_order_acquire);
  return events;
}

/* Have all other workers had turns since the last progress? The operating
 * system may have kept one from running. */
static bool all_had_turns(const struct worker *worker)
{
  const struct grid *grid = worker->grid;

  for (unsigned i = 0; i < grid->n_workers; i++) {
    uint64_t turns =
        atomic_load_explicit(&grid->workers[i].turns, memory_order_acquire);

    if (turns != UINT64_MAX && turns < worker->seen_turns[i] + OTHERS_TURNS)
      return false;
  }
  return true;
}

/* Rules 2 to 4 for the current path, which is a suspected spinner. */
static void try_joins(struct warp *w)
{
  struct grid *grid = w->worker->grid;
  struct path *path = w->path;
  const struct join *join = path_waiting_join(path);
  uint64_t events;
  uint32_t record;

  if (join == NULL)
    return;
  record = join->at->record;
  if (atomic_load_explicit(&grid->program->breaks[record],
                           memory_order_relaxed)) {
    path_break_joins(w, path);
    return;
  }
  if (join->arrived != path->quiet.arrived)
    add_one(&w->worker->events);
  events = events_of(w->worker);
  if (path->quiet.turns == 0 || events != path->quiet.events) {
    path->quiet.turns = 0;
    path->quiet.events = events;
    path->quiet.arrived = join->arrived;
  }
  path->quiet.turns++;
  path->quiet.all_turns++;
  if (path->quiet.all_turns < MOST_TURNS &&
      (path->quiet.turns < QUIET_TURNS || !all_had_turns(w->worker)))
    return;
  atomic_store_explicit(&grid->program->breaks[record], 1,
                        memory_order_relaxed);
  path->quiet.turns = path->quiet.all_turns = 0;
  path_break_joins(w, path);
}

/* No path of the warp gets any further, or only spinners do: lanes for which
 * others wait that wait for them in turn go on without them. */
static bool go_on_apart(struct warp *w)
{
  return path_let_waiters_go(w) || warp_sync_divide(w);
}

/* The current path has used up its turn. If it looked at memory in it, it is a
 * suspected spinner: rule 1. */
static enum turn end_turn(struct warp *w)
{
  enum turn turn = w->polled ? TURN_WAITED : TURN_RAN;

  if (!w->polled) {
    w->path->spins = 0;
  } else {
    go_on_apart(w);
    try_joins(w);
    if (w->path->spins < MOST_SPINS)
      w->path->spins++;
  }
  move_to_end(w, w->path);
  return turn;
}

enum turn warp_turn(struct warp *w)
{
  enum turn best = TURN_NONE;

  for (unsigned turns = 0, runs = 0; turns < PATH_TURNS && runs < PATH_RUNS;
       runs++) {
    struct path *path = w->paths;
    enum turn turn = TURN_RAN;
    uint32_t alive = w->alive;

    while (path != NULL && path->state != PATH_READY)
      path = path->next;
    if (path == NULL && go_on_apart(w))
      continue;
    if (path == NULL)
      return best;
    run_path(w, path);
    w->block->looked |= w->polled;
    add_one(&w->worker->turns);
    if (atomic_load_explicit(&w->worker->grid->stopped, memory_order_relaxed))
      return TURN_STOPPED;
    if (w->path != NULL && w->path->state == PATH_READY) {
      turn = end_turn(w);
      turns++;
    } else if (w->path == NULL && w->polled && w->alive == alive) {
      turn = TURN_WAITED; /* in a join, as in every round of a spin */
    }
    if (!w->polled || w->alive != alive)
      add_one(&w->worker->events);
    best = turn > best ? turn : best;
    if (w->gives_way) {
      w->gives_way = false;
      return best;
    }
    if (turn == TURN_WAITED && w->path != NULL && w->paths->next == NULL)
      return best; /* no other path of this warp can help */
  }
  return best;
}
