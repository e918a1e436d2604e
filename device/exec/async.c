#include "async.h"

#include <stdlib.h>
#include <string.h>

#include "../small_limits.h"
#include "lanes/access.h"

struct copy {
  u32 mask;               /* lanes that still wait for it */
  unsigned bytes;
  u32 group[LANES];       /* of the lane that it belongs to */
  void *to[LANES];
  const void *from[LANES];
  unsigned from_bytes[LANES];
};

struct async_copies {
  u32 committed[LANES];   /* groups, by lane */
  size_t n, capacity;
  struct copy *copies;
};

static struct copy *add_copy(struct warp *w)
{
  struct async_copies *async = w->async;

  if (async == NULL)
    async = w->async = calloc(1, sizeof *async);
  if (async == NULL)
    abort();
  if (async->n == async->capacity) {
    async->capacity = async->capacity == 0 ? LIMIT(8, 1) : 2 * async->capacity;
    async->copies =
        realloc(async->copies, async->capacity * sizeof *async->copies);
    if (async->copies == NULL)
      abort();
  }
  return &async->copies[async->n++];
}

const struct step *async_copy(struct warp *w, const struct step *s)
{
  const struct async_extra *x = s->extra;
  struct step destination = *s;
  struct request from, to;
  struct copy *copy;
  u32 mask = step_mask(w, s);

  if (mask == 0)
    return s + 1;
  from.mask = to.mask = mask;
  from.bytes = to.bytes = x->bytes;
  from.kind = KIND_LOAD;
  to.kind = KIND_STORE;
  destination.extra = &x->destination;
  destination.a = x->destination_base;
  destination.immediate = x->destination_offset;
  if (!lane_handlers()->resolve(w, s, &from) ||
      !lane_handlers()->resolve(w, &destination, &to))
    return NULL;
  copy = add_copy(w);
  copy->mask = mask;
  copy->bytes = x->bytes;
  for (u32 m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u32 bytes = x->has_source_bytes
                    ? ((const u32 *)slot_at(w, x->source_bytes))[l]
                    : x->bytes;

    if (x->may_ignore && (predicate_at(w, x->ignore) ^ x->ignore_invert) >>
                             l & 1)
      bytes = 0;
    copy->group[l] = w->async->committed[l];
    copy->to[l] = request_lane(&to, l);
    copy->from[l] = request_lane(&from, l);
    copy->from_bytes[l] = bytes < x->bytes ? bytes : x->bytes;
  }
  return s + 1;
}

const struct step *async_commit(struct warp *w, const struct step *s)
{
  u32 mask = step_mask(w, s);

  if (w->async == NULL)
    return s + 1;
  for (; mask != 0; mask &= mask - 1)
    w->async->committed[__builtin_ctz(mask)]++;
  return s + 1;
}

static void complete(struct copy *copy, unsigned l)
{
  memcpy(copy->to[l], copy->from[l], copy->from_bytes[l]);
  memset((u8 *)copy->to[l] + copy->from_bytes[l], 0,
         copy->bytes - copy->from_bytes[l]);
  copy->mask &= ~(UINT32_C(1) << l);
}

/* Completes the copies of lanes of `mask`: all, or those of groups that are
 * followed by at least `keep` committed ones. */
static void complete_lanes(struct async_copies *async, u32 mask, bool all,
                           u32 keep)
{
  size_t kept = 0;

  for (size_t i = 0; i < async->n; i++) {
    struct copy *copy = &async->copies[i];

    for (u32 m = copy->mask & mask; m != 0; m &= m - 1) {
      unsigned l = (unsigned)__builtin_ctz(m);

      if (all || copy->group[l] + keep < async->committed[l])
        complete(copy, l);
    }
    if (copy->mask != 0)
      async->copies[kept++] = *copy;
  }
  async->n = kept;
}

/* flags: 0 wait_group with the number in `immediate`, 1 wait_all. */
const struct step *async_wait(struct warp *w, const struct step *s)
{
  u32 mask = step_mask(w, s);

  if (w->async != NULL && mask != 0)
    complete_lanes(w->async, mask, s->flags != 0, (u32)s->immediate);
  return s + 1;
}

void async_complete(struct warp *w, uint32_t mask)
{
  if (w->async != NULL)
    complete_lanes(w->async, mask, true, 0);
}

void async_finish(struct warp *w)
{
  if (w->async == NULL)
    return;
  complete_lanes(w->async, FULL, true, 0);
  memset(w->async->committed, 0, sizeof w->async->committed);
}

void async_free(struct warp *w)
{
  if (w->async != NULL)
    free(w->async->copies);
  free(w->async);
  w->async = NULL;
}
