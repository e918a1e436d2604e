#include "warp.h"

#include <stdlib.h>
#include <string.h>

#include "../small_limits.h"
#include "async.h"
#include "path.h"

/* Basic blocks that one path runs before others have their turn, and turns
 * of paths before other warps have theirs. */
enum { PATH_BLOCKS = LIMIT(1024, 3), PATH_TURNS = LIMIT(16, 2) };
/* Who spins gets less of it: half as much after each turn, so many times. */
enum { MOST_SPINS = LIMIT(3, 1) };
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
  w->sync_values = calloc(1, 4096);
  if (w->sync_values == NULL)
    abort();
  set_thread_ids(w);
}

void warp_release(struct warp *w)
{
  async_free(w);
  free(w->sync_values);
}

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
  memset(w->sync_values, 0, 4096);
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

/* The current path has had its time. A path that went round for so long and
 * looked at memory all the while may be spinning: those who wait for it in a
 * join may be who it waits for. */
static enum turn end_turn(struct warp *w)
{
  enum turn turn = w->polled ? TURN_WAITED : TURN_RAN;

  if (!w->polled) {
    w->path->spins = 0;
  } else {
    path_break_joins(w, w->path);
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
    if (path == NULL)
      return best;
    run_path(w, path);
    if (atomic_load_explicit(&w->worker->grid->stopped,
                             memory_order_relaxed))
      return TURN_STOPPED;
    if (w->path != NULL && w->path->state == PATH_READY) {
      turn = end_turn(w);
      turns++;
    } else if (w->path == NULL && w->polled && w->alive == alive) {
      turn = TURN_WAITED; /* in a join, as in every round of a spin */
    }
    best = turn > best ? turn : best;
    if (turn == TURN_WAITED && w->path != NULL && w->paths->next == NULL)
      return best; /* nobody else in this warp can help */
  }
  return best;
}
