/* A list per warp of copies that were issued and not yet waited for. Their
 * bytes are moved when a lane waits, so that a missing wait shows. */
#include "async.h"

#include <stdlib.h>
#include <string.h>

#include "../count/sectors.h"
#include "../support/small_limits.h"
#include "../support/host_memory.h"
#include "fault.h"
#include "lanes/access.h"
#include "resolve.h"

struct copy {
  u32 mask; /* lanes that still wait for it */
  unsigned bytes;
  u32 group[LANES]; /* of the lane that it belongs to */
  void *to[LANES];
  const void *from[LANES];
  unsigned from_bytes[LANES];
};

struct async_copies {
  u32 committed[LANES]; /* groups, by lane */
  size_t n, capacity;
  struct copy *copies;
};

static struct copy *add_copy(struct warp *w)
{
  struct async_copies *async = w->async;

  if (async == NULL)
    async = w->async = host_new(1, sizeof *async);
  if (async->n == async->capacity) {
    async->capacity = async->capacity == 0 ? LIMIT(8, 1) : 2 * async->capacity;
    async->copies =
        host_grow(async->copies, async->capacity, sizeof *async->copies);
  }
  return &async->copies[async->n++];
}

uint32_t async_source_bytes(const struct warp *w, const struct async_extra *x,
                            unsigned lane)
{
  if (x->may_ignore &&
      (predicate_at(w, x->ignore) ^ x->ignore_invert) >> lane & 1)
    return 0;
  return x->has_source_bytes ? ((const u32 *)slot_at(w, x->source_bytes))[lane]
                             : x->bytes;
}

/* The sources of the lanes of `mask`, each of `bytes` bytes. */
static bool resolve_sources(struct warp *w, const struct step *s,
                            struct copy *copy, u32 mask, unsigned bytes,
                            struct request *from)
{
  from->mask = mask;
  from->bytes = bytes;
  from->kind = KIND_LOAD;
  if (!lane_handlers()->resolve(w, s, from))
    return false;
  for (u32 m = mask; m != 0; m &= m - 1)
    copy->from[__builtin_ctz(m)] =
        request_lane(from, (unsigned)__builtin_ctz(m));
  return true;
}

/* Sources that are shorter than the copy: their addresses are aligned to the
 * copy all the same. A sector is counted once, however many sizes there are. */
static bool resolve_short_sources(struct warp *w, const struct step *s,
                                  struct copy *copy, u32 mask, u64 *address)
{
  struct instruction_counts *counts = &w->counts[s->record];
  u64 sectors = counts->sectors;
  u32 all = mask;

  while (mask != 0) {
    unsigned first = (unsigned)__builtin_ctz(mask);
    unsigned bytes = copy->from_bytes[first];
    struct request from;
    u32 same = 0;

    for (u32 m = mask; m != 0; m &= m - 1)
      if (copy->from_bytes[__builtin_ctz(m)] == bytes)
        same |= m & -m;
    if (!resolve_sources(w, s, copy, same, bytes, &from))
      return false;
    for (u32 m = same; m != 0; m &= m - 1) {
      unsigned l = (unsigned)__builtin_ctz(m);

      address[l] = from.address[l];
      if (address[l] % copy->bytes != 0) {
        exec_fault_access(w, s, l, FAULT_MISALIGNED, SPACE_GLOBAL, address[l],
                          copy->bytes, false);
        return false;
      }
    }
    mask &= ~same;
  }
  counts->sectors = sectors + (all == 0 ? 0 : count_sectors(address, all));
  return true;
}

/* Fills in the sources of `copy`, and the addresses of the lanes that have
 * bytes to copy, which `reading` names. The others have none: theirs may be
 * any. */
static bool find_sources(struct warp *w, const struct step *s,
                         struct copy *copy, u32 mask, u64 *address,
                         u32 *reading)
{
  const struct async_extra *x = s->extra;
  struct request from;
  bool whole = true;

  *reading = 0;
  for (u32 m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u32 bytes = async_source_bytes(w, x, l);

    if (bytes > x->bytes) {
      exec_fault(w, s, l, FAULT_UNSUPPORTED,
                 "a source size of %u in a copy of "
                 "%u bytes: PTX leaves undefined what it does",
                 bytes, x->bytes);
      return false;
    }
    copy->from_bytes[l] = bytes;
    *reading |= (u32)(bytes != 0) << l;
    whole &= bytes == x->bytes;
  }
  if (!whole)
    return resolve_short_sources(w, s, copy, *reading, address);
  if (!resolve_sources(w, s, copy, mask, x->bytes, &from))
    return false;
  memcpy(address, from.address, LANES * sizeof *address);
  return true;
}

const struct step *async_copy(struct warp *w, const struct step *s)
{
  const struct async_extra *x = s->extra;
  struct step destination = *s;
  struct request to;
  struct copy copy, *kept;
  struct instruction_counts *counts = &w->counts[s->record];
  _Alignas(LANE_ALIGNMENT) u64 from[LANES] = { 0 };
  u64 sectors = counts->sectors;
  u32 mask = step_mask(w, s), reading;

  if (mask == 0)
    return s + 1;
  copy.mask = to.mask = mask;
  copy.bytes = to.bytes = x->bytes;
  to.kind = KIND_STORE;
  destination.extra = &x->destination;
  destination.a = x->destination_base;
  destination.immediate = x->destination_offset;
  if (!find_sources(w, s, &copy, mask, from, &reading) ||
      !lane_handlers()->resolve(w, &destination, &to))
    return NULL;
  if (x->past_l1)
    counts->sectors =
        sectors + count_sectors_past_l1(from, to.address, reading);
  kept = add_copy(w);
  for (u32 m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    copy.group[l] = w->async->committed[l];
    copy.to[l] = request_lane(&to, l);
  }
  *kept = copy;
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
  if (copy->from_bytes[l] != 0)
    memcpy(copy->to[l], copy->from[l], copy->from_bytes[l]);
  memset((u8 *)copy->to[l] + copy->from_bytes[l], 0,
         copy->bytes - copy->from_bytes[l]);
  copy->mask &= ~(UINT32_C(1) << l);
}

/* Of lanes that copy 16 bytes to one address, the same wins as of lanes that
 * store. Of 4 and 8 bytes, an H100 leaves the highest lane's. */
static unsigned turn_of(const struct copy *copy)
{
  return copy->bytes == 16 ? stored_together(copy->bytes) - 1 : 0;
}

/* Completes the copies of lanes of `mask`: all, or those of groups that are
 * followed by at least `keep` committed ones. */
static void complete_lanes(struct async_copies *async, u32 mask, bool all,
                           u32 keep)
{
  size_t kept = 0;

  for (size_t i = 0; i < async->n; i++) {
    struct copy *copy = &async->copies[i];
    const unsigned turn = turn_of(copy);
    u32 now = copy->mask & mask;

    for (u32 m = turn == 0 ? now : turned_mask(now, turn); m != 0; m &= m - 1) {
      unsigned l = (unsigned)__builtin_ctz(m) ^ turn;

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
