/* Shared memory of other blocks of a cluster. */
#include <stdio.h>

#include "../count/wavefronts.h"
#include "cluster.h"
#include "fault.h"
#include "resolve.h"

enum { RANK_MASK = (1 << CLUSTER_RANK_BITS) - 1 };

/* The rank that an address names. */
static uint32_t rank_in(const struct block *block, u64 address)
{
  uint32_t field = address >> CLUSTER_RANK_SHIFT & RANK_MASK;

  return field == 0 ? block->rank : field - 1;
}

/* Whether it has ended or not. */
static struct block *any_owner(const struct block *block, uint64_t address,
                               uint64_t *offset)
{
  uint32_t rank = rank_in(block, address);

  if (block->cluster == NULL || rank >= block->cluster->n ||
      address >> (CLUSTER_RANK_SHIFT + CLUSTER_RANK_BITS) != 0)
    return NULL;
  *offset = address & ((UINT64_C(1) << CLUSTER_RANK_SHIFT) - 1);
  return block->cluster->blocks[rank];
}

struct block *cluster_owner(const struct block *block, uint64_t address,
                            uint64_t *offset)
{
  struct block *owner = any_owner(block, address, offset);

  return owner == NULL || owner->ended ? NULL : owner;
}

struct block *cluster_ended_owner(const struct block *block, uint64_t address,
                                  uint64_t *offset)
{
  struct block *owner = any_owner(block, address, offset);

  return owner != NULL && owner->ended ? owner : NULL;
}

/* Whatever window it is in stays. The block's own rank is written into the
 * address, too: another block may be handed the result. */
uint64_t cluster_map(const struct block *block, uint64_t address, uint32_t rank)
{
  uint32_t field = block->cluster == NULL && rank == block->rank ? 0 : rank + 1;

  return (address & ~((u64)RANK_MASK << CLUSTER_RANK_SHIFT)) |
         (u64)(field & RANK_MASK) << CLUSTER_RANK_SHIFT;
}

void cluster_fault(struct warp *w, const struct step *s, unsigned lane,
                   uint64_t address, unsigned bytes, bool is_store)
{
  const struct block *block = w->block;
  uint32_t rank = rank_in(block, address);
  struct fault *fault = &w->worker->fault;
  u64 offset;
  const struct block *ended = cluster_ended_owner(block, address, &offset);
  bool is_there = ended != NULL && offset + bytes <= ended->shared_bytes;

  exec_fault_access(w, s, lane,
                    is_there ? FAULT_ENDED_BLOCK : FAULT_OUT_OF_BOUNDS,
                    SPACE_SHARED, address & ((1u << CLUSTER_RANK_SHIFT) - 1),
                    bytes, is_store);
  if (block->cluster == NULL ||
      (address >> CLUSTER_RANK_SHIFT & RANK_MASK) == 0)
    fault->address = address;
  else if (rank == block->rank)
    return;
  else if (rank >= block->cluster->n)
    snprintf(fault->detail, sizeof fault->detail,
             "of block %u of the cluster, which has %u", rank,
             block->cluster->n);
  else
    snprintf(fault->detail, sizeof fault->detail,
             "of block %u of the cluster%s", rank,
             block->cluster->blocks[rank]->ended ? ", which has ended" : "");
}

bool cluster_resolve(struct warp *w, const struct step *s, struct request *r)
{
  struct instruction_counts *counts = &w->counts[s->record];
  unsigned first = (unsigned)__builtin_ctz(r->mask), wavefronts, ideal;

  r->uniform = true;
  for (u32 m = r->mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u64 offset;
    const struct block *owner = cluster_owner(w->block, r->address[l], &offset);

    if (owner == NULL && r->kind == KIND_STORE)
      owner = cluster_ended_owner(w->block, r->address[l], &offset);
    if (owner == NULL || offset + r->bytes > owner->shared_bytes) {
      cluster_fault(w, s, l, r->address[l], r->bytes, r->kind != KIND_LOAD);
      return false;
    }
    if (offset & (r->bytes - 1)) {
      exec_fault_access(w, s, l, FAULT_MISALIGNED, SPACE_SHARED, r->address[l],
                        r->bytes, r->kind != KIND_LOAD);
      return false;
    }
    r->host_storage[l] = (u64)(uintptr_t)(owner->shared + offset);
    r->uniform &= r->host_storage[l] == r->host_storage[first];
  }
  for (unsigned l = 0; l < LANES; l++)
    if (!(r->mask >> l & 1))
      r->host_storage[l] = r->host_storage[first];
  r->host = r->host_storage;
  r->offset = 0;
  r->contiguous = false;
  r->half[0] = r->half[1] = HALF_OTHER;
  count_wavefronts(r->address, r->mask, r->bytes, r->kind == KIND_LOAD,
                   &wavefronts, &ideal, NULL);
  counts->wavefronts += wavefronts;
  counts->ideal_wavefronts += ideal;
  return true;
}

const struct step *cluster_mapa(struct warp *w, const struct step *s)
{
  const u32 *rank = slot_at(w, s->b), *narrow = slot_at(w, s->a);
  const u64 *wide = slot_at(w, s->a);

  for (u32 m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    if (s->flags == 8)
      ((u64 *)slot_at(w, s->d))[l] = cluster_map(w->block, wide[l], rank[l]);
    else
      ((u32 *)slot_at(w, s->d))[l] =
          (u32)cluster_map(w->block, narrow[l], rank[l]);
  }
  return s + 1;
}

const struct step *cluster_rank_of(struct warp *w, const struct step *s)
{
  const u32 *narrow = slot_at(w, s->a);
  const u64 *wide = slot_at(w, s->a);
  u32 *d = slot_at(w, s->d);

  for (u32 m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    d[l] = rank_in(w->block, s->flags == 8 ? wide[l] : narrow[l]);
  }
  return s + 1;
}
