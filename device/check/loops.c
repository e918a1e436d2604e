/* Chooses the build of cells.c that fits this processor. */
#include <stdatomic.h>
#include <stddef.h>

#include "../support/vector_level.h"
#include "cells.h"

extern const struct check_loops check_loops_base;
#ifdef LANES_X86
extern const struct check_loops check_loops_v3, check_loops_v4;
#endif

static _Atomic(const struct check_loops *) loops;

static const struct check_loops *loops_for(enum vector_level level)
{
#ifdef LANES_X86
  if (level == VECTOR_V4)
    return &check_loops_v4;
  if (level == VECTOR_V3)
    return &check_loops_v3;
#else
  (void)level;
#endif
  return &check_loops_base;
}

/* Threads that come here at the same time all choose the same. */
const struct check_loops *check_loops(void)
{
  const struct check_loops *chosen =
      atomic_load_explicit(&loops, memory_order_relaxed);

  if (chosen == NULL) {
    chosen = loops_for(vector_level());
    atomic_store_explicit(&loops, chosen, memory_order_relaxed);
  }
  return chosen;
}

void check_set_loops(const struct check_loops *wanted)
{
  atomic_store_explicit(&loops, wanted, memory_order_relaxed);
}
