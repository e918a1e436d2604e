/* Reads of memory that nothing has written.
 *
 * Told at the load, as compute-sanitizer does, with exceptions that keep
 * correct programs silent: an element whose value nothing uses, or the upper
 * half of a word that is only narrowed, as padding after a number; values that
 * are only stored again, as in a copied struct with padding, and atomic loads
 * of a word that holds a narrower atomic, where some byte of the access was
 * written; members of local structs that are copied one by one; the bits
 * around a bit-field, which a store puts back; and lanes whose value a selp
 * drops, as the compiler loads ahead of a condition what it may. Where the selp
 * comes later, exec/checked_chosen.c reports what it keeps. */
#include "../memory/memory.h"
#include "block.h"

static bool is_device_memory(const struct check_access *a, unsigned lane,
                             uint32_t *bits, uint64_t at)
{
  struct allocation found;
  uint64_t address = a->address[lane], from, to;

  if (a->space != SPACE_GLOBAL)
    return true;
  if (!memory_find(address, &found))
    return false;
  if (found.kind == MEMORY_DEVICE)
    return true;
  /* The host writes it unseen, or it is zero from the start. */
  from = address - at > found.address ? 0 : found.address - (address - at);
  to = found.address + found.bytes - (address - at);
  shadow_set(bits, from, (to < SHADOW_BYTES ? to : SHADOW_BYTES) - from, true);
  return false;
}

static bool uses_unwritten(const struct check_access *a, const uint32_t *bits,
                           uint64_t at)
{
  if (a->kept || (a->moved && a->space == SPACE_LOCAL))
    return false;
  if ((a->only_copied || a->unwritten != NULL || a->kind > CHECK_VOLATILE) &&
      !shadow_none_set(bits, at, a->bytes))
    return false;
  if (a->n_elements == 0)
    return true;
  if (a->n_elements == 1 && a->low_bytes != 0 &&
      a->low_bytes < a->element_bytes)
    return (a->used & 1) != 0 && !shadow_all_set(bits, at, a->low_bytes);
  for (unsigned i = 0; i < a->n_elements; i++)
    if (a->used >> i & 1 &&
        !shadow_all_set(bits, at + i * a->element_bytes, a->element_bytes))
      return true;
  return false;
}

static void init_lane(struct check_block *block, const struct check_access *a,
                      unsigned lane, uint32_t *bits, uint64_t at)
{
  bool unwritten = a->loads && !a->skip_init && !(a->dropped >> lane & 1) &&
                   !shadow_all_set(bits, at, a->bytes) &&
                   uses_unwritten(a, bits, at) &&
                   is_device_memory(a, lane, bits, at);

  if (unwritten && a->unwritten != NULL) {
    *a->unwritten |= UINT32_C(1) << lane;
  } else if (unwritten) {
    struct check_report report = {
      .check = CHECK_INIT,
      .title = a->space == SPACE_GLOBAL ? "read of uninitialised global memory"
               : a->space == SPACE_SHARED
                   ? "read of uninitialised shared memory"
                   : "read of uninitialised local memory",
      .did = check_did(true, a->stores, a->kind, a->bytes),
      .warp = a->warp,
      .lane = lane,
      .record = a->record,
      .has_address = true,
      .space = a->space,
      .address = a->address[lane],
    };

    check_report(block, &report, "nothing was written there before");
    shadow_set(bits, at, a->bytes, true); /* once is enough */
  }
  if (a->stores)
    shadow_set(bits, at, a->bytes, true);
}

void init_run(struct check_block *block, const struct check_access *a,
              const struct check_run *run, uint32_t *bits, uint64_t at)
{
  unsigned bytes = run->same ? a->bytes : run->n * a->bytes;
  uint64_t first = a->address[run->first];

  if (!a->loads || a->skip_init || shadow_all_set(bits, at, bytes)) {
    if (a->stores)
      shadow_set(bits, at, bytes, true);
    return;
  }
  for (uint32_t m = run->lanes; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    init_lane(block, a, l, bits, at + (a->address[l] - first));
  }
}
