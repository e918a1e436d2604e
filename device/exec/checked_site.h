/* What the checks need to know of one instruction. */
#ifndef DEVICE_EXEC_CHECKED_SITE_H
#define DEVICE_EXEC_CHECKED_SITE_H

#include "../check/hooks.h"
#include "barrier.h"
#include "machine.h"

struct register_uses;
struct proxy_checks;
struct chosen_values;

struct check_site {
  step_function *run; /* the handler that does the work */
  bool loads, stores;
  enum check_kind kind;
  unsigned order;
  bool only_copied, skip_init, aligned, of_block;
  bool arrivals;      /* the program has bar.arrive: who is counted at
                                a barrier need not wait there */
  uint32_t used;      /* elements of a load that something uses */
  unsigned low_bytes; /* of a single element, all that is used; 0: the whole */
  unsigned register_bytes;
  bool moved;        /* only_copied, and as far as known to local memory */
  bool kept;         /* a load of the bits around a bit-field */
  bool only_chosen;  /* one selp or more take the loaded value, or do
                                not, and nothing else looks at it */
  bool choice_known; /* by the predicate `choice`, set before */
  bool chosen_later; /* only_chosen, and not known yet: checked_chosen.c */
  unsigned followed; /* the register whose value is followed there, plus 1 */
  bool fences_proxy; /* fence.proxy.async */
  const struct register_uses *registers; /* checked_async_proxy.c */
  step_function *inner;                  /* after looking at them */
  slot choice;
  uint32_t choice_invert; /* FULL: taken where the predicate is false */
};

/* A running block's part. */
struct checked_block {
  struct check_block *check;
  struct proxy_checks *proxy; /* checked_async_proxy.c; or NULL */
  uint32_t phase[BARRIERS];
  uint32_t first[BARRIERS];     /* record of the barrier that was first */
  struct chosen_values *chosen; /* checked_chosen.c; NULL: none so far */
};

static inline const struct check_site *site_of(const struct warp *w,
                                               const struct step *s)
{
  return &w->block->grid->program->sites[s->record];
}

static inline struct check_block *checks_of(const struct warp *w)
{
  return w->block->checked->check;
}

/* Lanes that execute `s`, without counting them. */
static inline uint32_t active_lanes(const struct warp *w, const struct step *s)
{
  return s->guard == SLOT_TRUE
             ? w->mask
             : w->mask & (predicate_at(w, s->guard) ^ s->guard_invert);
}

step_function checked_memory, checked_async, checked_mbarrier;
step_function checked_barrier, checked_warp, checked_exit, checked_call,
    checked_leave, checked_fence, checked_cluster;

#endif
