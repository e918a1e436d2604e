/* Splits and joins paths, and keeps the frames of called functions. */
#include "path.h"

#include <stdlib.h>
#include <string.h>

#include "../support/small_limits.h"
#include "../support/host_memory.h"
#include "barrier.h"
#include "checked.h"
#include "control.h"
#include "trace.h"

static void *take_or_allocate(void *free_list, size_t bytes)
{
  void **list = free_list;
  void *taken = *list;

  if (taken != NULL) {
    memcpy(list, taken, sizeof *list);
    return taken;
  }
  return host_new(1, bytes);
}

struct path *path_new(struct warp *w, uint32_t mask, const struct step *pc,
                      struct frame *frame, struct join *join)
{
  struct path *path = take_or_allocate(&w->worker->free_paths, sizeof *path);

  *path = (struct path){
    .mask = mask, .pc = pc, .frame = frame, .join = join, .state = PATH_READY
  };
  path->next = w->paths;
  w->paths = path;
  return path;
}

static void path_remove(struct warp *w, struct path *path)
{
  struct path **at = &w->paths;

  while (*at != path)
    at = &(*at)->next;
  *at = path->next;
  path->next = w->worker->free_paths;
  w->worker->free_paths = path;
  if (w->path == path)
    w->path = NULL;
}

static void use_frame(struct warp *w, struct frame *frame)
{
  w->area[AREA_FRAME] = frame->registers;
  w->area[AREA_CONSTANTS] = frame->function->constants;
}

void path_enter(struct warp *w, struct path *path)
{
  w->path = path;
  w->mask = path->mask;
  use_frame(w, path->frame);
}

static struct join *join_new(struct warp *w, const struct step *at)
{
  struct join *join = take_or_allocate(&w->worker->free_joins, sizeof *join);

  *join = (struct join){ .parent = w->path->join,
                         .at = at,
                         .frame = w->path->frame,
                         .expected = w->mask };
  return join;
}

static void join_free(struct warp *w, struct join *join)
{
  join->parent = w->worker->free_joins;
  w->worker->free_joins = join;
}

void path_split(struct warp *w, uint32_t taken, const struct step *target,
                const struct step *at)
{
  struct path *path = w->path, *other;
  struct join *join = path->join;

  /* In a loop every iteration would wait at the same place: one is enough. */
  if (at != NULL &&
      (join == NULL || join->at != at || join->frame != path->frame)) {
    join = join_new(w, at);
    path->join = join;
  }
  other = path_new(w, taken, target, path->frame, join);
  other->spins = path->spins;
  other->polled = w->polled;
  other->quiet = path->quiet;
  w->mask &= ~taken;
}

bool path_join(struct warp *w, const struct step *at)
{
  struct path *path = w->path;

  while (path->join != NULL && path->join->at == at &&
         path->join->frame == path->frame) {
    struct join *join = path->join;

    join->arrived |= w->mask;
    if (join->arrived != join->expected) {
      path_remove(w, path);
      return false;
    }
    w->mask = path->mask = join->expected;
    path->join = join->parent;
    join_free(w, join);
  }
  return true;
}

/* Lanes leave for good: no join may wait for them any longer. */
static void leave_joins(struct warp *w, struct join *join, uint32_t mask)
{
  while (join != NULL) {
    struct join *parent = join->parent;

    join->expected &= ~mask;
    if (join->expected == 0) {
      join_free(w, join);
    } else if (join->arrived == join->expected) {
      path_new(w, join->expected, join->at, join->frame, parent);
      join_free(w, join);
    }
    join = parent;
  }
}

static void leave_frames(struct warp *w, struct frame *frame, uint32_t mask)
{
  while (frame != NULL) {
    struct frame *caller = frame->caller;

    frame->lanes &= ~mask;
    if (frame->lanes == 0)
      frame_free(w->worker, frame);
    frame = caller;
  }
}

void path_exit(struct warp *w, uint32_t mask)
{
  struct path *path = w->path;
  struct frame *frame = path->frame;
  struct join *join = path->join;

  w->mask &= ~mask;
  w->alive &= ~mask;
  w->block->n_alive -= (uint32_t)__builtin_popcount(mask);
  path->mask = w->mask;
  if (w->mask == 0)
    path_remove(w, path);
  leave_joins(w, join, mask);
  leave_frames(w, frame, mask);
}

const struct join *path_waiting_join(const struct path *path)
{
  const struct join *outermost = NULL;

  for (const struct join *j = path->join; j != NULL; j = j->parent)
    if (j->arrived != 0)
      outermost = j;
  return outermost;
}

/* Those who wait in `join` go on without the others. */
static void let_go(struct warp *w, struct join *join)
{
  path_new(w, join->arrived, join->at, join->frame, join->parent);
  join->expected &= ~join->arrived;
  join->arrived = 0;
}

/* The innermost join of `path` in which some lanes of `wanted` wait. */
static struct join *join_with(const struct path *path, uint32_t wanted)
{
  struct join *join = path->join;

  while (join != NULL && (join->arrived & wanted) == 0)
    join = join->parent;
  return join;
}

void path_break_joins(struct warp *w, struct path *path)
{
  struct join *join = join_with(path, FULL);

  if (join != NULL) {
    let_go(w, join);
    w->parted = true;
  }
}

/* Lanes that come to `s` do nothing there but end. Told by place: checks put
 * handlers of their own into the steps. */
static bool only_ends(const struct frame *frame, const struct step *s)
{
  const struct function *function = frame->function;

  const struct step *end = &function->steps[function->n_steps - 1];

  if (frame->caller != NULL)
    return false;
  if (s < end && function->program->records[s->record].ptx == NULL)
    s++; /* the entry of a block */
  /* `ret` goes to the last block */
  if (trace_handler(function, s) == control_branch)
    s = ((const struct branch_extra *)s->extra)->target + 1;
  return s == end;
}

static bool join_only_ends(const struct join *join)
{
  return only_ends(join->frame, join->at);
}

bool path_let_waiters_go(struct warp *w)
{
  for (struct path *path = w->paths; path != NULL; path = path->next) {
    uint32_t missing =
        path->state == PATH_AT_WARP_SYNC ? warp_sync_missing(w, path)
        : path->state == PATH_AT_BARRIER ? barrier_missing(w, path)
                                         : 0;
    struct join *join = missing == 0 ? NULL : join_with(path, missing);

    if (join == NULL)
      continue;
    if (path->state == PATH_AT_WARP_SYNC && !join_only_ends(join))
      checked_passed_by(w, path, join->arrived & missing);
    let_go(w, join);
    return true;
  }
  return false;
}

uint32_t path_ending_lanes(const struct warp *w)
{
  uint32_t lanes = 0;

  for (const struct path *p = w->paths; p != NULL; p = p->next) {
    if (p != w->path && p->state == PATH_READY && only_ends(p->frame, p->pc))
      lanes |= p->mask;
    for (const struct join *j = p->join; j != NULL; j = j->parent)
      if (j->arrived != 0 && join_only_ends(j))
        lanes |= j->arrived;
  }
  return lanes;
}

bool path_let_anyone_go(struct warp *w)
{
  for (struct path *path = w->paths; path != NULL; path = path->next) {
    struct join *join = join_with(path, FULL);

    if (join != NULL) {
      let_go(w, join);
      return true;
    }
  }
  return false;
}

enum { FRAME_SPARE = LIMIT(4096, LANE_ALIGNMENT) };

struct frame *frame_new(struct worker *worker, const struct function *function)
{
  struct frame **at = &worker->free_frames, *frame;
  size_t bytes = function->frame_bytes;

  while (*at != NULL && (*at)->bytes < bytes)
    at = &(*at)->caller;
  frame = *at;
  if (frame != NULL) {
    *at = frame->caller;
  } else {
    size_t size =
        (sizeof *frame + bytes + FRAME_SPARE) & ~(size_t)(LANE_ALIGNMENT - 1);

    frame = host_take_aligned(LANE_ALIGNMENT, size);
    frame->bytes = size - sizeof *frame;
  }
  memset(frame->registers, 0, bytes);
  *(uint32_t *)frame->registers = FULL; /* SLOT_TRUE */
  frame->function = function;
  frame->caller = NULL;
  frame->local_base = 0;
  frame->gpu_stack = 0;
  return frame;
}

void frame_free(struct worker *worker, struct frame *frame)
{
  frame->caller = worker->free_frames;
  worker->free_frames = frame;
}

struct frame *frame_push(struct warp *w, const struct function *function,
                         uint32_t local_base)
{
  struct frame *frame = frame_new(w->worker, function);
  uint32_t *base;

  frame->caller = w->path->frame;
  frame->lanes = w->mask;
  frame->local_base = local_base;
  frame->gpu_stack = frame->caller->gpu_stack + function->gpu_frame_bytes;
  w->path->frame = frame;
  use_frame(w, frame);
  base = slot_at(w, function->local_base);
  for (unsigned l = 0; l < LANES; l++)
    base[l] = local_base;
  return frame;
}

void frame_pop(struct warp *w, uint32_t lanes)
{
  struct frame *frame = w->path->frame;

  w->path->frame = frame->caller;
  use_frame(w, frame->caller);
  frame->lanes &= ~lanes;
  if (frame->lanes == 0)
    frame_free(w->worker, frame);
}

/* After a fault: every path leaves as if its lanes had exited, which may set
 * free the lanes that waited for them, as paths to be freed in turn. */
void warp_paths_free(struct warp *w)
{
  while (w->paths != NULL) {
    uint32_t mask = w->paths->mask;
    struct frame *frame = w->paths->frame;
    struct join *join = w->paths->join;

    path_remove(w, w->paths);
    leave_joins(w, join, mask);
    leave_frames(w, frame, mask);
  }
}
