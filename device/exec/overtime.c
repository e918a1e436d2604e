/* Compares the time since the launch began, or since anything made progress,
 * with the limit. */
#include "overtime.h"

#include <stdio.h>
#include <time.h>

#include "fault.h"
#include "launch.h"

/* What is no wait yet. */
enum { PATIENCE_SECONDS = 20 };

static uint64_t now(void)
{
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void overtime_begin(struct grid *grid)
{
  grid->started = now();
  atomic_store(&grid->progressed, grid->started);
}

void overtime_progress(struct grid *grid)
{
  if (atomic_load_explicit(&grid->waits, memory_order_relaxed)) {
    atomic_store(&grid->waits, 0);
    atomic_store(&grid->progressed, now());
  }
}

/* Some thread that has not ended, and the instruction that it comes to. */
static struct warp *anyone(struct block *block, const struct step **s,
                           unsigned *lane)
{
  const struct record *records = block->grid->program->records;
  struct warp *w = block->warps;

  for (uint32_t i = 0; i < block->n_warps; i++, w++)
    if (!w->done && w->paths != NULL) {
      const struct function *function = w->paths->frame->function;

      *s = w->paths->pc;
      if (w->paths->state == PATH_AT_BARRIER)
        *s -= 1;
      while (records[(*s)->record].ptx == NULL &&
             *s + 1 < function->steps + function->n_steps)
        *s += 1;
      *lane = (unsigned)__builtin_ctz(w->paths->mask);
      return w;
    }
  return NULL;
}

bool overtime_is_up(struct block *block)
{
  struct grid *grid = block->grid;
  uint32_t limit = grid->launch->time_limit;
  const struct step *s;
  unsigned lane;
  struct warp *w;

  if (limit == 0 || now() - grid->started < limit * UINT64_C(1000000000))
    return false;
  w = anyone(block, &s, &lane);
  if (w == NULL)
    return false;
  exec_fault(w, NULL, lane, FAULT_TIMEOUT, "it has run for %u s", limit);
  fault_place(w, s, lane);
  return true;
}

void overtime_stop(struct block *block, enum fault_kind kind,
                   const char *detail)
{
  const struct step *s;
  unsigned lane;
  struct warp *w = anyone(block, &s, &lane);

  if (w == NULL)
    return;
  exec_fault(w, NULL, lane, kind, "%s", detail);
  fault_place(w, s, lane);
}

void overtime_waits(struct block *block)
{
  struct grid *grid = block->grid;
  const struct step *s;
  struct fault fault;
  unsigned lane;
  struct warp *w;

  if (grid->launch->report_waiting == NULL)
    return;
  if (!atomic_load_explicit(&grid->waits, memory_order_relaxed)) {
    atomic_store(&grid->waits, 1);
    return;
  }
  if (now() - atomic_load(&grid->progressed) <
          PATIENCE_SECONDS * UINT64_C(1000000000) ||
      atomic_exchange(&grid->reported_waiting, 1))
    return;
  w = anyone(block, &s, &lane);
  if (w == NULL)
    return;
  fault_describe(&fault, w, s, lane);
  fault.kind = FAULT_WAITING;
  snprintf(fault.detail, sizeof fault.detail,
           "for %d s its threads have looked at memory only. If they wait for "
           "the host or for\n  a kernel launched later, they wait for ever: "
           "every call is done when it returns.\n  SOFTDEVICE_TIME_LIMIT ends "
           "such a launch after so many seconds.",
           PATIENCE_SECONDS);
  grid->launch->report_waiting(&fault);
}
