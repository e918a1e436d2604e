/* bar and barrier: paths wait in their warp until the block's count is
 * complete. */
#include "barrier.h"

#include <stdio.h>
#include <string.h>

#include "fault.h"
#include "path.h"

static void store_result(struct warp *w, const struct path *path,
                         uint32_t count, uint32_t expected)
{
  const struct step *s = path->pc - 1;
  const struct barrier_extra *extra = s->extra;
  uint8_t *area[4];
  uint32_t *d;

  if (extra->kind < BARRIER_POPC)
    return;
  memcpy(area, w->area, sizeof area);
  w->area[AREA_FRAME] = path->frame->registers;
  d = slot_at(w, s->d);
  if (extra->kind == BARRIER_POPC) {
    for (unsigned l = 0; l < LANES; l++)
      if (path->mask >> l & 1)
        d[l] = count;
  } else if (extra->kind == BARRIER_AND ? count == expected : count != 0) {
    *d |= path->mask;
  } else {
    *d &= ~path->mask;
  }
  memcpy(w->area, area, sizeof area);
}

static void release_barrier(struct block *block, unsigned id)
{
  struct block_barrier *barrier = &block->barriers[id];
  uint32_t voters = barrier->arrived;

  for (uint32_t i = 0; i < block->n_warps; i++) {
    struct warp *w = &block->warps[i];

    for (struct path *path = w->paths; path != NULL; path = path->next)
      if (path->state == PATH_AT_BARRIER && path->barrier == id) {
        path->state = PATH_READY;
        store_result(w, path, barrier->count_true, voters);
      }
  }
  memset(barrier, 0, sizeof *barrier);
}

/* Lanes of one warp that count as arrived: all of it when every lane that
 * still lives waits here, as exited lanes count with their warp. */
static uint32_t arrived_of_warp(const struct warp *w, unsigned id)
{
  uint32_t lanes = 0;

  for (const struct path *path = w->paths; path != NULL; path = path->next)
    if (path->state == PATH_AT_BARRIER && path->barrier == id)
      lanes |= path->mask;
  if (lanes != 0 && lanes == w->alive)
    return LANES;
  return (uint32_t)__builtin_popcount(lanes);
}

/* Lanes of one warp wait at different instructions, of which one is aligned. An
 * H100 then waits for ever, or lets each part go on without the other: it
 * depends on the code around. */
static bool is_torn(const struct warp *w, unsigned id)
{
  const struct path *first = NULL;
  bool aligned = false, torn = false;

  for (const struct path *path = w->paths; path != NULL; path = path->next) {
    if (path->state != PATH_AT_BARRIER || path->barrier != id)
      continue;
    aligned |= ((const struct barrier_extra *)(path->pc - 1)->extra)->aligned;
    torn |= first != NULL && path->pc != first->pc;
    first = path;
  }
  return aligned && torn;
}

static bool is_complete(const struct block *block, unsigned id)
{
  const struct block_barrier *barrier = &block->barriers[id];
  uint32_t arrived = 0;

  if (barrier->expected == 0)
    return barrier->arrived >= block->n_alive;
  for (uint32_t i = 0; i < block->n_warps; i++)
    arrived += arrived_of_warp(&block->warps[i], id);
  return arrived + barrier->signalled >= barrier->expected;
}

static void check_barrier(struct block *block, unsigned id)
{
  if (!block->barriers[id].in_use || !is_complete(block, id))
    return;
  for (uint32_t i = 0; i < block->n_warps; i++)
    if (is_torn(&block->warps[i], id))
      return;
  release_barrier(block, id);
}

uint32_t barrier_missing(const struct warp *w, const struct path *path)
{
  if (path->barrier >= BARRIERS ||
      w->block->barriers[path->barrier].expected != 0)
    return 0;
  return w->alive & ~path->mask;
}

void barrier_lanes_left(struct block *block)
{
  for (unsigned id = 0; id < BARRIERS; id++)
    check_barrier(block, id);
}

const struct step *barrier_block(struct warp *w, const struct step *s)
{
  const struct barrier_extra *extra = s->extra;
  uint32_t mask = step_mask(w, s);
  unsigned first;
  uint32_t id;
  struct block_barrier *barrier;

  if (mask == 0)
    return s + 1;
  if (mask != w->mask) {
    path_split(w, w->mask & ~mask, s + 1, NULL);
    w->mask = mask;
  }
  first = (unsigned)__builtin_ctz(mask);
  id = ((const uint32_t *)slot_at(w, extra->id))[first];
  if (id >= BARRIERS)
    return exec_fault(w, s, first, FAULT_BARRIER,
                      "barrier %u: a block has barriers 0 to 15", id);
  barrier = &w->block->barriers[id];
  barrier->in_use = true;
  if (extra->has_count)
    barrier->expected = ((const uint32_t *)slot_at(w, extra->count))[first];
  if (extra->kind == BARRIER_ARRIVE) {
    barrier->signalled +=
        mask == w->alive ? LANES : (uint32_t)__builtin_popcount(mask);
    check_barrier(w->block, id);
    return s + 1;
  }
  barrier->arrived += (uint32_t)__builtin_popcount(mask);
  if (extra->kind >= BARRIER_POPC)
    barrier->count_true += (uint32_t)__builtin_popcount(
        mask & (predicate_at(w, extra->predicate) ^ extra->invert));
  w->path->state = PATH_AT_BARRIER;
  w->path->barrier = id;
  w->path->mask = w->mask;
  w->path->pc = s + 1;
  check_barrier(w->block, id);
  return NULL;
}

/* What `path` waits for, in words; those about masks are put together in
 * `text`. */
static const char *waits_for(const struct warp *w, const struct path *path,
                             char *text, size_t bytes)
{
  uint32_t masks[2];

  if (path->state == PATH_AT_BARRIER && path->barrier == WARPGROUP_BARRIER)
    return "the other warps of its warpgroup";
  if (path->state == PATH_AT_BARRIER)
    return "a barrier";
  if (path->state != PATH_AT_WARP_SYNC)
    return "its turn";
  warp_sync_masks(w, path, masks);
  if (masks[0] != masks[1])
    snprintf(text, bytes,
             "other lanes of its warp with different masks, 0x%08x and 0x%08x",
             masks[0], masks[1]);
  else
    snprintf(text, bytes, "other lanes of its warp, mask 0x%08x", masks[0]);
  return text;
}

static const char *cause_in(const struct warp *w)
{
  const struct step *barrier = NULL;

  for (const struct path *p = w->paths; p != NULL; p = p->next) {
    const char *cause =
        p->state == PATH_AT_WARP_SYNC ? warp_sync_cause(w, p) : NULL;

    if (p->state == PATH_AT_BARRIER && barrier != NULL && p->pc != barrier)
      cause = "lanes of one warp wait at different barriers";
    if (cause != NULL)
      return cause;
    if (p->state == PATH_AT_BARRIER)
      barrier = p->pc;
  }
  return NULL;
}

const char *barrier_cause(const struct block *block)
{
  for (uint32_t i = 0; i < block->n_warps; i++) {
    const char *cause = cause_in(&block->warps[i]);

    if (cause != NULL)
      return cause;
  }
  return "not all threads come";
}

void barrier_describe(const struct block *block, char *text, size_t bytes)
{
  const struct program *program = block->grid->program;
  size_t length = 0;

  text[0] = '\0';
  for (uint32_t i = 0; i < block->n_warps; i++) {
    const struct warp *w = &block->warps[i];

    for (const struct path *p = w->paths; p != NULL; p = p->next) {
      const struct step *at = p->state == PATH_AT_BARRIER ? p->pc - 1 : p->pc;
      const struct ptx_instruction *ptx = program->records[at->record].ptx;
      char what[80];
      int n = snprintf(text + length, bytes - length,
                       "\n    warp %u, lanes 0x%08x wait for %s at line %u", i,
                       p->mask, waits_for(w, p, what, sizeof what),
                       ptx == NULL             ? 0
                       : ptx->source.line != 0 ? ptx->source.line
                                               : ptx->line);

      if (n < 0 || (size_t)n >= bytes - length)
        return;
      length += (size_t)n;
    }
    for (const struct path *p = w->paths; p != NULL; p = p->next)
      for (const struct join *j = p->join; j != NULL; j = j->parent)
        if (j->arrived != 0) {
          int n = snprintf(text + length, bytes - length,
                           "\n    warp %u, lanes 0x%08x wait for those to "
                           "meet again",
                           i, j->arrived);

          if (n < 0 || (size_t)n >= bytes - length)
            return;
          length += (size_t)n;
          break;
        }
  }
}
