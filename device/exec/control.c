/* Entries of basic blocks, branches, calls, returns and exits. */
#include "control.h"

#include <string.h>

#include "barrier.h"
#include "builtin.h"
#include "call_stack.h"
#include "cluster.h"
#include "fault.h"
#include "path.h"
#include "stack.h"

/* At the entry of a basic block: counts it, and from time to time lets other
 * paths and warps have their turn. */
static inline const struct step *enter(struct warp *w, const struct step *s)
{
  struct instruction_counts *counts = &w->counts[s->record];

  counts->warps++;
  counts->threads += (unsigned)__builtin_popcount(w->mask);
  if (--w->budget <= 0) {
    w->path->pc = s + 1;
    return NULL;
  }
  return s + 1;
}

const struct step *control_enter(struct warp *w, const struct step *s)
{
  return enter(w, s);
}

const struct step *control_enter_join(struct warp *w, const struct step *s)
{
  if (w->path->join != NULL && !path_join(w, s))
    return NULL;
  return enter(w, s);
}

const struct step *control_branch(struct warp *w, const struct step *s)
{
  (void)w;
  return ((const struct branch_extra *)s->extra)->target;
}

const struct step *control_branch_if(struct warp *w, const struct step *s)
{
  const struct branch_extra *extra = s->extra;
  uint32_t taken = w->mask & (predicate_at(w, s->guard) ^ s->guard_invert);

  if (taken == w->mask)
    return extra->target;
  if (taken == 0)
    return s + 1;
  w->counts[s->record].divergent++;
  path_split(w, taken, extra->target, extra->join);
  return s + 1;
}

const struct step *control_branch_table(struct warp *w, const struct step *s)
{
  const struct branch_table *table = s->extra;
  const uint32_t *index = slot_at(w, s->a);
  uint32_t left = step_mask(w, s);
  uint32_t first_index;

  if (left == 0)
    return s + 1;
  for (uint32_t m = left; m != 0; m &= m - 1)
    if (index[__builtin_ctz(m)] >= table->n)
      return exec_fault(w, s, (unsigned)__builtin_ctz(m), FAULT_TRAP,
                        "index %u of a table of %zu branch targets",
                        index[__builtin_ctz(m)], table->n);
  if (left != w->mask) { /* some lanes fall through */
    w->counts[s->record].divergent++;
    path_split(w, w->mask & ~left, s + 1, table->common.join);
  }
  first_index = index[__builtin_ctz(left)];
  for (;;) {
    uint32_t same = 0, other = left;

    for (uint32_t m = left; m != 0; m &= m - 1)
      if (index[__builtin_ctz(m)] == index[__builtin_ctz(left)])
        same |= m & -m;
    other &= ~same;
    if (other == 0)
      return table->targets[index[__builtin_ctz(left)]];
    if (index[__builtin_ctz(left)] == first_index)
      w->counts[s->record].divergent++;
    path_split(w, same, table->targets[index[__builtin_ctz(left)]],
               table->common.join);
    left = other;
  }
}

const struct step *control_exit(struct warp *w, const struct step *s)
{
  uint32_t mask = step_mask(w, s);

  if (mask == 0)
    return s + 1;
  path_exit(w, mask);
  barrier_lanes_left(w->block);
  cluster_lanes_left(w, mask);
  warp_sync_lanes_left(w);
  if (w->path == NULL)
    return NULL;
  return s + 1;
}

const struct step *control_trap(struct warp *w, const struct step *s)
{
  uint32_t mask = step_mask(w, s);

  if (mask == 0)
    return s + 1;
  return exec_fault(w, s, (unsigned)__builtin_ctz(mask), FAULT_TRAP, "%s", "");
}

const struct step *control_unsupported(struct warp *w, const struct step *s)
{
  uint32_t mask = step_mask(w, s);

  if (mask == 0)
    return s + 1;
  return exec_fault(w, s, (unsigned)__builtin_ctz(mask), FAULT_UNSUPPORTED,
                    "%s", s->extra == NULL ? "" : (const char *)s->extra);
}

const struct step *control_nothing(struct warp *w, const struct step *s)
{
  step_mask(w, s);
  return s + 1;
}

/* nanosleep: a thread that waits for others lets them run. */
const struct step *control_yield(struct warp *w, const struct step *s)
{
  step_mask(w, s);
  w->polled = true;
  w->path->pc = s + 1;
  w->budget = 0;
  return NULL;
}

/* Other warps get their turn before this path goes on. */
const struct step *control_pause(struct warp *w, const struct step *s)
{
  w->gives_way = true;
  w->path->pc = s + 1;
  w->budget = 0;
  return NULL;
}

/* ---- calls -------------------------------------------------------------- */

static uint8_t *local_at(const struct warp *w, unsigned lane, uint32_t at)
{
  return w->local + (size_t)lane * w->local_stride + at;
}

/* A call of memmove for each lane and argument would be half of a call's cost:
 * most have 4 or 8 bytes. */
static void copy_locals(struct warp *w, uint32_t to, uint32_t from,
                        uint32_t bytes)
{
  for (uint32_t m = w->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    uint8_t *there = local_at(w, l, to);
    const uint8_t *here = local_at(w, l, from);

    switch (bytes) {
    case 4: memmove(there, here, 4); break;
    case 8: memmove(there, here, 8); break;
    default: memmove(there, here, bytes);
    }
  }
}

static bool is_too_deep(const struct warp *w, const struct function *callee,
                        uint32_t base)
{
  uint32_t most = w->block->grid->most_stack;

  return (most != 0 &&
          w->path->frame->gpu_stack + callee->gpu_frame_bytes > most) ||
         (uint64_t)base + callee->local_bytes > stack_limit(w, w->mask);
}

static const struct step *too_deep(struct warp *w, const struct step *s,
                                   const struct function *callee)
{
  const struct grid *grid = w->block->grid;
  unsigned lane = (unsigned)__builtin_ctz(w->mask);
  uint32_t depth = 0;

  for (const struct frame *f = w->path->frame; f->caller != NULL; f = f->caller)
    depth++;
  return exec_fault(w, s, lane, FAULT_STACK_OVERFLOW,
                    "call of %s, %u calls deep: its functions have about %u "
                    "bytes on the stack.\n  cudaLimitStackSize is %u: raise "
                    "it with cudaDeviceSetLimit()",
                    callee->ptx->name, depth, w->path->frame->gpu_stack,
                    grid->launch->stack_limit == 0 ? DEFAULT_STACK_LIMIT
                                                   : grid->launch->stack_limit);
}

/* Calls `callee` with all lanes of the current path. */
static const struct step *enter_function(struct warp *w, const struct step *s,
                                         const struct function *callee)
{
  const struct call_extra *extra = s->extra;
  struct frame *caller = w->path->frame;
  const struct ptx_function *ptx = callee->ptx;
  uint32_t base =
      (caller->local_base + caller->function->local_bytes + 15) & ~UINT32_C(15);
  struct frame *frame;

  if (callee->steps == NULL || ptx->n_parameters != extra->n_arguments)
    return exec_fault(w, s, (unsigned)__builtin_ctz(w->mask), FAULT_UNSUPPORTED,
                      "call of %s, which %s", ptx->name,
                      callee->steps == NULL ? "has no code in this program"
                                            : "takes other arguments");
  if (is_too_deep(w, callee, base))
    return too_deep(w, s, callee);
  for (unsigned i = 0; i < extra->n_arguments; i++)
    copy_locals(w, base + (uint32_t)ptx->parameters[i]->place,
                caller->local_base + extra->arguments[i].offset,
                extra->arguments[i].bytes);
  frame = frame_push(w, callee, base);
  frame->call = s;
  frame->return_step = s + 1;
  return callee->steps;
}

static const struct function *function_at(const struct program *program,
                                          uint64_t address)
{
  uint64_t index = (address - FUNCTION_WINDOW) / 16;

  if (address < FUNCTION_WINDOW || index >= program->n_functions ||
      address % 16 != 0)
    return NULL;
  return program->functions[index];
}

static const struct step *call_one(struct warp *w, const struct step *s,
                                   const struct function *callee)
{
  if (callee->is_builtin)
    return builtin_call(w, s, callee);
  return enter_function(w, s, callee);
}

/* Through a pointer: lanes that call the same function go together. */
static const struct step *call_indirect(struct warp *w, const struct step *s)
{
  const struct call_extra *extra = s->extra;
  const uint64_t *target = slot_at(w, extra->target);
  unsigned first = (unsigned)__builtin_ctz(w->mask);
  const struct function *callee =
      function_at(w->block->grid->program, target[first]);
  uint32_t same = 0, other;

  if (callee == NULL)
    return exec_fault_access(w, s, first, FAULT_OUT_OF_BOUNDS, SPACE_NONE,
                             target[first], 0, false);
  for (unsigned l = 0; l < LANES; l++)
    same |= (uint32_t)(target[l] == target[first]) << l;
  other = w->mask & ~same;
  if (other != 0) {
    w->counts[s->record].divergent++;
    path_split(w, other, s, s + 1);
  }
  return call_one(w, s, callee);
}

const struct step *control_call(struct warp *w, const struct step *s)
{
  const struct call_extra *extra = s->extra;
  uint32_t mask = step_mask(w, s);

  if (mask == 0)
    return s + 1;
  if (mask != w->mask) /* guarded: the others wait after the call */
    path_split(w, w->mask & ~mask, s + 1, s + 1);
  if (extra->callee == NULL)
    return call_indirect(w, s);
  return call_one(w, s, extra->callee);
}

const struct step *control_leave(struct warp *w, const struct step *s)
{
  struct frame *frame = w->path->frame;
  const struct step *next = frame->return_step;
  const struct call_extra *call = frame->call->extra;
  const struct ptx_function *ptx = frame->function->ptx;
  uint32_t base = frame->local_base;

  (void)s;
  for (unsigned i = 0; i < call->n_results && i < ptx->n_results; i++)
    copy_locals(w, frame->caller->local_base + call->results[i].offset,
                base + (uint32_t)ptx->results[i]->place,
                call->results[i].bytes);
  frame_pop(w, w->mask);
  return next;
}
