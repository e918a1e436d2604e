/* Bulk copies and stores move their bytes at once and count them at the
 * mbarrier or group. */
#include "bulk.h"

#include <string.h>

#include "../count/sectors.h"
#include "checked.h"
#include "checked_async_proxy.h"
#include "cluster.h"
#include "fault.h"
#include "lanes/lanes.h"
#include "mbarrier.h"

u64 bulk_address_of(const struct warp *w, const struct bulk_address *a,
                    unsigned l)
{
  if (!a->memory.has_base)
    return a->offset;
  return a->memory.wide_address
             ? ((const u64 *)slot_at(w, a->base))[l] + a->offset
             : (u32)(((const u32 *)slot_at(w, a->base))[l] + a->offset);
}

static void *bad(struct warp *w, const struct step *s, unsigned l,
                 enum fault_kind kind, enum fault_space space, u64 address,
                 u32 bytes, bool is_store)
{
  exec_fault_access(w, s, l, kind, space, address, bytes, is_store);
  return NULL;
}

/* Stores to shared memory of a cluster's block that has ended are lost, and the
 * mbarrier with it learns nothing. Copies are not: they fault. */
static bool is_lost(struct warp *w, const struct step *s, unsigned l,
                    const struct bulk_address *to, u32 bytes)
{
  u64 address = bulk_address_of(w, to, l), offset;

  if (w->block->cluster == NULL || to->memory.space != ACCESS_SHARED)
    return false;
  if (address >= SHARED_WINDOW)
    address -= SHARED_WINDOW;
  if (cluster_ended_owner(w->block, address, &offset) == NULL)
    return false;
  checked_lost(w, s, l, address, bytes);
  return true;
}

/* The same in the shared memory of the block itself or another one. */
static void *reach_shared(struct warp *w, const struct step *s, unsigned l,
                          u64 address, u32 bytes, unsigned alignment,
                          bool is_store)
{
  struct block *owner = w->block;
  u64 offset = address;

  if (address % alignment != 0)
    return bad(w, s, l, FAULT_MISALIGNED, SPACE_SHARED, address, alignment,
               is_store);
  if (address > owner->shared_bytes && owner->cluster != NULL)
    owner = cluster_owner(owner, address, &offset);
  if (owner == NULL || offset > owner->shared_bytes ||
      bytes > owner->shared_bytes - offset) {
    cluster_fault(w, s, l, address, bytes, is_store);
    return NULL;
  }
  if (is_store && bytes > sizeof(u64)) /* not an mbarrier */
    proxy_writes(w, s, l, owner, offset, bytes);
  if (!is_store)
    proxy_reads(w, s, l, owner, offset, bytes);
  return owner->shared + offset;
}

void *bulk_reach(struct warp *w, const struct step *s, unsigned l,
                 const struct bulk_address *a, u64 address, u32 bytes,
                 unsigned alignment, bool is_store)
{
  struct allocation found;

  if (a->memory.space == ACCESS_SHARED)
    return reach_shared(
        w, s, l, address >= SHARED_WINDOW ? address - SHARED_WINDOW : address,
        bytes, alignment, is_store);
  if (address % alignment != 0)
    return bad(w, s, l, FAULT_MISALIGNED, SPACE_GLOBAL, address, alignment,
               is_store);
  if (!exec_find(w, address, &found) ||
      bytes > found.address + found.bytes - address) {
    exec_fault_global(w, s, l, address, bytes, is_store);
    return NULL;
  }
  return (void *)(uintptr_t)(address + (found.kind == MEMORY_REGISTERED
                                            ? 0
                                            : (u64)memory_view_offset()));
}

bool bulk_tell_barrier(struct warp *w, const struct step *s, unsigned l,
                       const struct bulk_extra *x, u64 address, u32 bytes)
{
  u64 *barrier;

  if (!x->has_barrier)
    return true;
  barrier = bulk_reach(w, s, l, &x->barrier, address, 8, 8, true);
  if (barrier == NULL)
    return false;
  mbarrier_complete_bytes(barrier, bytes);
  return true;
}

static void combine(const struct bulk_extra *x, u8 *to, const u8 *from,
                    u32 bytes)
{
  unsigned element = x->operation.memory.bytes;

  for (u32 i = 0; i < bytes; i += element) {
    u64 value = 0;

    memcpy(&value, from + i, element);
    atomic_update(to + i, &x->operation, value, false);
  }
}

/* One lane's copy to `to`, counted by the mbarrier at `barrier`. */
static bool copy_to(struct warp *w, const struct step *s, unsigned l, u64 to,
                    u64 barrier)
{
  const struct bulk_extra *x = s->extra;
  u32 bytes = ((const u32 *)slot_at(w, x->bytes))[l];
  u8 *source = bulk_reach(w, s, l, &x->from, bulk_address_of(w, &x->from, l),
                          bytes, 16, false);
  u8 *target =
      source == NULL ? NULL : bulk_reach(w, s, l, &x->to, to, bytes, 16, true);

  if (target == NULL)
    return false;
  w->counts[s->record].sectors += count_sectors_of_copy(
      x->from.memory.space == ACCESS_SHARED ? to
                                            : bulk_address_of(w, &x->from, l),
      bytes);
  if (x->reduces)
    combine(x, target, source, bytes);
  else
    memmove(target, source, bytes);
  return bulk_tell_barrier(w, s, l, x, barrier, bytes);
}

/* Each block that the lane's mask names gets the bytes at the same offset,
 * and its own mbarrier counts them. */
static bool copy_to_many(struct warp *w, const struct step *s, unsigned l,
                         u64 to, u64 barrier)
{
  const struct bulk_extra *x = s->extra;
  u32 ranks = ((const uint16_t *)slot_at(w, x->ranks))[l];

  for (; ranks != 0; ranks &= ranks - 1) {
    u32 rank = (u32)__builtin_ctz(ranks);

    if (!copy_to(w, s, l, cluster_map(w->block, to, rank),
                 cluster_map(w->block, barrier, rank)))
      return false;
  }
  return true;
}

const struct step *bulk_copy(struct warp *w, const struct step *s)
{
  const struct bulk_extra *x = s->extra;

  for (u32 m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u32 bytes = ((const u32 *)slot_at(w, x->bytes))[l];
    u64 to = bulk_address_of(w, &x->to, l);
    u64 barrier = x->has_barrier ? bulk_address_of(w, &x->barrier, l) : 0;

    if (bytes % 16 != 0)
      return exec_fault(w, s, l, FAULT_MISALIGNED,
                        "%u bytes: a bulk copy moves multiples of 16", bytes);
    if (!(x->to_many ? copy_to_many : copy_to)(w, s, l, to, barrier))
      return NULL;
  }
  w->polled = true;
  return s + 1;
}

/* st.async and red.async: elements out of registers. */
const struct step *bulk_store(struct warp *w, const struct step *s)
{
  const struct bulk_extra *x = s->extra;
  unsigned element = x->operation.memory.bytes;
  u32 lanes = step_mask(w, s);

  /* An H200 refuses it even for the block's own memory. */
  if (lanes != 0 && !w->block->grid->launch->explicit_cluster)
    return exec_fault(
        w, s, (unsigned)__builtin_ctz(lanes), FAULT_ILLEGAL,
        "the launch has no clusters: give them with "
        "__cluster_dims__ or cudaLaunchAttributeClusterDimension");
  for (u32 m = lanes; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u8 *to;

    if (is_lost(w, s, l, &x->to, x->n * element))
      continue;
    to = bulk_reach(w, s, l, &x->to, bulk_address_of(w, &x->to, l),
                    x->n * element, x->n * element, true);
    if (to == NULL)
      return NULL;
    for (unsigned i = 0; i < x->n; i++) {
      u64 value = 0;

      memcpy(&value, (const u8 *)slot_at(w, x->values[i]) + l * element,
             element);
      if (x->reduces)
        atomic_update(to + i * element, &x->operation, value, false);
      else
        memcpy(to + i * element, &value, element);
    }
    if (!bulk_tell_barrier(w, s, l, x, bulk_address_of(w, &x->barrier, l),
                           x->n * element))
      return NULL;
  }
  w->polled = true;
  return s + 1;
}
