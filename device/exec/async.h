/* cp.async: copies whose bytes arrive when they are waited for, no sooner.
 * Hardware may be quicker; a program that relies on it is wrong, and here it
 * shows. Groups are counted by each thread for itself. */
#ifndef DEVICE_EXEC_ASYNC_H
#define DEVICE_EXEC_ASYNC_H

#include "lanes/handlers.h"
#include "machine.h"

struct async_extra {
  struct memory_extra source; /* first: the request's addresses */
  struct memory_extra destination;
  slot destination_base;
  uint64_t destination_offset;
  unsigned bytes;
  bool past_l1; /* .cg */
  bool has_source_bytes, may_ignore;
  slot source_bytes; /* read; the rest is filled with zeros */
  slot ignore;       /* predicate: nothing is read */
  uint32_t ignore_invert;
};
step_function async_copy, async_commit, async_wait;

/* How many bytes the lane reads. More than the copy has: a fault. */
uint32_t async_source_bytes(const struct warp *w, const struct async_extra *x,
                            unsigned lane);

/* Completes all copies of the lanes of `mask`. */
void async_complete(struct warp *w, uint32_t mask);

/* Completes the copies that exiting lanes have not waited for; forgets all. */
void async_finish(struct warp *w);
void async_free(struct warp *w);

#endif
