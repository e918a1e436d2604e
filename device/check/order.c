/* Logs of releases by address, references to them by warp, and the search that
 * decides whether one warp knows what another one did. */
#include "order.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"

struct order_log {
  struct order_log *next;
  uint64_t key;
  struct order_snapshot *entries;
  uint32_t n, capacity;
  uint32_t search, seen; /* of the search `search`: entries seen */
};

static void *grown(void *items, uint32_t *capacity, size_t bytes)
{
  *capacity = *capacity == 0 ? 8 : 2 * *capacity;
  return host_grow(items, *capacity, bytes);
}

void order_init(struct order *order)
{
  memset(order, 0, sizeof *order);
  pthread_mutex_init(&order->lock, NULL);
}

void order_free(struct order *order)
{
  for (unsigned i = 0; i < ORDER_BUCKETS; i++)
    while (order->buckets[i] != NULL) {
      struct order_log *next = order->buckets[i]->next;

      free(order->buckets[i]->entries);
      free(order->buckets[i]);
      order->buckets[i] = next;
    }
  while (order->lists != NULL) {
    struct order_list *next = order->lists->next;

    free(order->lists->items);
    free(order->lists);
    order->lists = next;
  }
  pthread_mutex_destroy(&order->lock);
}

static struct order_log *find_log(struct order *order, uint64_t key, bool make)
{
  uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  struct order_log **bucket = &order->buckets[hash % ORDER_BUCKETS], *log;

  for (log = *bucket; log != NULL; log = log->next)
    if (log->key == key)
      return log;
  if (!make)
    return NULL;
  log = host_new(1, sizeof *log);
  log->key = key;
  log->next = *bucket;
  *bucket = log;
  atomic_fetch_add(&order->n_logs, 1);
  return log;
}

void order_release(struct order *order, uint64_t key,
                   const struct order_snapshot *at)
{
  struct order_log *log;
  const struct order_snapshot *last;

  pthread_mutex_lock(&order->lock);
  log = find_log(order, key, true);
  last = log->n > 0 ? &log->entries[log->n - 1] : NULL;
  if (last == NULL || last->block != at->block || last->warp != at->warp ||
      last->clock != at->clock) {
    if (log->n == log->capacity)
      log->entries = grown(log->entries, &log->capacity, sizeof *log->entries);
    log->entries[log->n++] = *at;
  }
  pthread_mutex_unlock(&order->lock);
}

static struct order_list *list_in(struct order *order,
                                  struct order_list **place)
{
  if (*place == NULL) {
    *place = host_new(1, sizeof **place);
    (*place)->next = order->lists;
    order->lists = *place;
  }
  return *place;
}

static void add_reference(struct order_list *list,
                          struct order_reference reference)
{
  if (list->n == list->capacity)
    list->items = grown(list->items, &list->capacity, sizeof *list->items);
  list->items[list->n++] = reference;
}

void order_acquire(struct order *order, struct order_block *block,
                   uint32_t warp, uint64_t key, bool whole, bool effective)
{
  struct order_log *log;

  if (!whole && atomic_load(&order->n_logs) == 0)
    return;
  pthread_mutex_lock(&order->lock);
  log = find_log(order, key, whole);
  if (log != NULL && (whole || log->n > 0)) {
    struct order_list *list = list_in(order, &block->own[warp]);
    struct order_reference now = { log, whole ? UINT32_MAX : log->n };
    bool same = list->n > 0 && list->items[list->n - 1].log == log &&
                list->items[list->n - 1].n == now.n;

    if (!same)
      add_reference(list, now);
    if (effective)
      list->effective = list->n;
  }
  pthread_mutex_unlock(&order->lock);
}

void order_effective(struct order_block *block, uint32_t warp)
{
  struct order_list *list = block->own[warp];

  if (list != NULL)
    list->effective = list->n;
}

void order_barrier(struct order *order, struct order_block *block,
                   uint32_t n_warps)
{
  if (atomic_load(&order->n_logs) == 0)
    return;
  pthread_mutex_lock(&order->lock);
  for (uint32_t w = 0; w < n_warps; w++) {
    struct order_list *own = block->own[w];

    if (own == NULL)
      continue;
    own->effective = own->n;
    for (uint32_t i = block->moved[w]; i < own->n; i++)
      add_reference(list_in(order, &block->common), own->items[i]);
    block->moved[w] = own->n;
  }
  if (block->common != NULL)
    block->common->effective = block->common->n;
  pthread_mutex_unlock(&order->lock);
}

struct order_snapshot order_snapshot(const struct order_block *block,
                                     uint32_t warp)
{
  const struct order_list *own = block->own[warp];

  return (struct order_snapshot){
    .valid = true,
    .warp = warp,
    .common = block->common,
    .own = own,
    .n_common = block->common == NULL ? 0 : block->common->effective,
    .n_own = own == NULL ? 0 : own->effective,
  };
}

/* ---- search -------------------------------------------------------------- */

struct question {
  struct order *order;
  uint32_t asker, block, of, clock;
  struct order_reference *stack;
  uint32_t n, capacity;
};

static void push(struct question *q, const struct order_list *list, uint32_t n)
{
  for (uint32_t i = 0; list != NULL && i < n; i++) {
    if (q->n == q->capacity)
      q->stack = grown(q->stack, &q->capacity, sizeof *q->stack);
    q->stack[q->n++] = list->items[i];
  }
}

static bool answers(const struct question *q, const struct order_snapshot *e)
{
  return e->block == q->block && (!e->of_block || e->block == q->asker) &&
         (q->clock <= e->barrier_clock ||
          (e->warp == q->of && q->clock <= e->clock));
}

static bool look(struct question *q)
{
  while (q->n > 0) {
    struct order_reference r = q->stack[--q->n];
    uint32_t end = r.n < r.log->n ? r.n : r.log->n, from = 0;

    if (r.log->search == q->order->search)
      from = r.log->seen;
    if (from >= end)
      continue;
    r.log->search = q->order->search;
    r.log->seen = end;
    for (uint32_t i = end; i-- > from;) {
      const struct order_snapshot *e = &r.log->entries[i];

      if (answers(q, e))
        return true;
      push(q, e->common, e->n_common);
      push(q, e->own, e->n_own);
    }
  }
  return false;
}

bool order_known(struct order *order, const struct order_block *state,
                 uint32_t asker, uint32_t warp, uint32_t block, uint32_t of,
                 uint32_t clock)
{
  struct question q = {
    .order = order, .asker = asker, .block = block, .of = of, .clock = clock
  };
  const struct order_list *own = state->own[warp];
  bool known;

  if (atomic_load(&order->n_logs) == 0)
    return false;
  pthread_mutex_lock(&order->lock);
  order->search++;
  if (state->common != NULL)
    push(&q, state->common, state->common->effective);
  if (own != NULL)
    push(&q, own, own->effective);
  known = look(&q);
  free(q.stack);
  pthread_mutex_unlock(&order->lock);
  return known;
}
