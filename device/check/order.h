/* Order that flags, locks, atomics with fences, and barriers of a part of a
 * block make (PTX ISA, chapter 8, "Memory Consistency Model").
 *
 * A release writes an entry into the log of the location it is made at: which
 * warp it was, and how much that warp knew. An acquire keeps a reference to
 * the log as far as it was then. Whether one warp knows of another's access
 * is asked only where two accesses meet: by a search through references.
 * Knowledge is kept by warp: what one lane learns, its warp knows. */
#ifndef DEVICE_CHECK_ORDER_H
#define DEVICE_CHECK_ORDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORDER_WARPS = 32, ORDER_BUCKETS = 1024 };

struct order_log;
struct order_reference {
  struct order_log *log;
  uint32_t n; /* entries of it; UINT32_MAX: all */
};
struct order_list {
  struct order_reference *items;
  uint32_t n, effective, capacity;
  struct order_list *next; /* all of a launch */
};

/* How much a warp had done and knew at one moment. */
struct order_snapshot {
  bool valid, of_block;
  uint32_t block, warp, clock, barrier_clock;
  const struct order_list *common, *own;
  uint32_t n_common, n_own;
};

struct order_block { /* in each running block */
  struct order_list *common, *own[ORDER_WARPS];
  struct order_snapshot fence[ORDER_WARPS];
  uint32_t moved[ORDER_WARPS]; /* references that `common` has already */
};

struct order { /* in each launch */
  pthread_mutex_t lock;
  struct order_log *buckets[ORDER_BUCKETS];
  struct order_list *lists;
  _Atomic(size_t) n_logs;
  uint32_t search; /* number of the search, marks logs seen */
};

void order_init(struct order *order);
void order_free(struct order *order);

/* `at` is what the warp knows now. */
void order_release(struct order *order, uint64_t key,
                   const struct order_snapshot *at);
void order_acquire(struct order *order, struct order_block *block,
                   uint32_t warp, uint64_t key, bool whole, bool effective);
/* References that the warp took earlier count from now on. */
void order_effective(struct order_block *block, uint32_t warp);
void order_barrier(struct order *order, struct order_block *block,
                   uint32_t n_warps);
struct order_snapshot order_snapshot(const struct order_block *block,
                                     uint32_t warp);

/* Does `warp` of the block tagged `asker` know of what warp `of` of block
 * `block` did at `clock`? */
bool order_known(struct order *order, const struct order_block *state,
                 uint32_t asker, uint32_t warp, uint32_t block, uint32_t of,
                 uint32_t clock);

#endif
