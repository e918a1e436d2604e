#include "bulk.h"

#include <string.h>

#include "fault.h"
#include "lanes/lanes.h"
#include "mbarrier.h"

static u64 address_of(const struct warp *w, const struct bulk_address *a,
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

/* Where lane l's `bytes` bytes are on the host; NULL after a fault. */
static void *reach(struct warp *w, const struct step *s, unsigned l,
                   const struct bulk_address *a, u32 bytes,
                   unsigned alignment, bool is_store)
{
  u64 address = address_of(w, a, l);
  bool shared = a->memory.space == ACCESS_SHARED;
  enum fault_space space = shared ? SPACE_SHARED : SPACE_GLOBAL;
  struct allocation found;

  if (shared && address >= SHARED_WINDOW)
    address -= SHARED_WINDOW;
  if (address % alignment != 0)
    return bad(w, s, l, FAULT_MISALIGNED, space, address, alignment,
               is_store);
  if (shared) {
    if (address > w->block->shared_bytes ||
        bytes > w->block->shared_bytes - address)
      return bad(w, s, l, FAULT_OUT_OF_BOUNDS, space, address, bytes,
                 is_store);
    return w->block->shared + address;
  }
  if (!memory_find(address, &found) ||
      bytes > found.address + found.bytes - address)
    return bad(w, s, l, FAULT_OUT_OF_BOUNDS, space, address, bytes,
               is_store);
  return (void *)(uintptr_t)(
      address + (found.kind == MEMORY_REGISTERED
                     ? 0 : (u64)memory_view_offset()));
}

static bool tell_barrier(struct warp *w, const struct step *s, unsigned l,
                         const struct bulk_extra *x, u32 bytes)
{
  u64 *barrier;

  if (!x->has_barrier)
    return true;
  barrier = reach(w, s, l, &x->barrier, 8, 8, true);
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
    atomic_update(to + i, &x->operation, value);
  }
}

const struct step *bulk_copy(struct warp *w, const struct step *s)
{
  const struct bulk_extra *x = s->extra;

  for (u32 m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u32 bytes = ((const u32 *)slot_at(w, x->bytes))[l];
    u8 *from, *to;

    if (bytes % 16 != 0)
      return exec_fault(w, s, l, FAULT_MISALIGNED,
                        "%u bytes: a bulk copy moves multiples of 16", bytes);
    from = reach(w, s, l, &x->from, bytes, 16, false);
    to = from == NULL ? NULL : reach(w, s, l, &x->to, bytes, 16, true);
    if (to == NULL)
      return NULL;
    if (x->reduces)
      combine(x, to, from, bytes);
    else
      memmove(to, from, bytes);
    if (!tell_barrier(w, s, l, x, bytes))
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

  for (u32 m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u8 *to = reach(w, s, l, &x->to, x->n * element, x->n * element, true);

    if (to == NULL)
      return NULL;
    for (unsigned i = 0; i < x->n; i++) {
      u64 value = 0;

      memcpy(&value, (const u8 *)slot_at(w, x->values[i]) + l * element,
             element);
      if (x->reduces)
        atomic_update(to + i * element, &x->operation, value);
      else
        memcpy(to + i * element, &value, element);
    }
    if (!tell_barrier(w, s, l, x, x->n * element))
      return NULL;
  }
  w->polled = true;
  return s + 1;
}
