/* Everything that a handler or the scheduler may need to see: the decoded
 * program and the warps, blocks, workers and grids that execute it. Private to
 * device/exec; what the runtime library sees is in program.h and launch.h. */
#ifndef DEVICE_EXEC_MACHINE_H
#define DEVICE_EXEC_MACHINE_H

#include "../memory/memory.h"
#include "code.h"
#include "grid_state.h"
#include "launch.h"
#include "step.h"
#include "warp_state.h"

static inline void *slot_at(const struct warp *w, slot s)
{
  return w->area[s & 3] + (s & ~UINT32_C(3));
}

static inline uint32_t predicate_at(const struct warp *w, slot s)
{
  return *(const uint32_t *)slot_at(w, s);
}

/* Most instructions have no guard: this keeps their handlers short. */
__attribute__((noinline, unused)) static uint32_t
guarded_mask(struct warp *w, const struct step *s)
{
  struct instruction_counts *counts = &w->counts[s->record];
  uint32_t mask = w->mask & (predicate_at(w, s->guard) ^ s->guard_invert);

  counts->warps += mask != 0;
  counts->threads += (unsigned)__builtin_popcount(mask);
  return mask;
}

/* Lanes that execute `s`: the path's, less those whose guard fails. A guarded
 * instruction counts itself, the others are counted by their block's entry. */
static inline uint32_t step_mask(struct warp *w, const struct step *s)
{
  return s->guard == SLOT_TRUE ? w->mask : guarded_mask(w, s);
}

#endif
