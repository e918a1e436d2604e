/* The 64 bits of an mbarrier and what each operation does to them. */
#include "mbarrier.h"

#include "async.h"
#include "cluster.h"
#include "fault.h"
#include "lanes/access.h"

/* The 64 bits of an mbarrier are the implementation's own; ours: */
struct mbarrier {
  u32 expected, pending; /* arrivals */
  s32 bytes;             /* that are still to come */
  u32 phase;             /* parity of the one that is running */
};
enum { COUNT_BITS = 20, COUNT_MASK = (1 << COUNT_BITS) - 1, TX_BITS = 23 };

static struct mbarrier unpack_mbarrier(u64 word)
{
  return (struct mbarrier){
    .expected = (u32)word & COUNT_MASK,
    .pending = (u32)(word >> COUNT_BITS) & COUNT_MASK,
    .bytes = (s32)((s64)(word << 1) >> (64 - TX_BITS)),
    .phase = (u32)(word >> 63),
  };
}

static u64 pack_mbarrier(const struct mbarrier *b)
{
  return (u64)b->expected | (u64)b->pending << COUNT_BITS |
         ((u64)(u32)b->bytes & ((1 << TX_BITS) - 1)) << (63 - TX_BITS) |
         (u64)b->phase << 63;
}

static void maybe_complete(struct mbarrier *b)
{
  if (b->pending != 0 || b->bytes != 0)
    return;
  b->pending = b->expected;
  b->phase ^= 1;
}

static u64 lane_count(const struct warp *w, const struct mbarrier_extra *x,
                      unsigned l)
{
  if (!x->has_count)
    return 1;
  if (x->op == MBARRIER_TEST && !x->parity)
    return ((const u64 *)slot_at(w, x->count))[l];
  return ((const u32 *)slot_at(w, x->count))[l];
}

static void set_result(struct warp *w, const struct step *s,
                       const struct mbarrier_extra *x, unsigned l, u64 value)
{
  u32 *predicate = slot_at(w, s->d);

  if (!x->has_result)
    return;
  if (x->op == MBARRIER_TEST)
    *predicate = (*predicate & ~(UINT32_C(1) << l)) | (u32)value << l;
  else
    ((u64 *)slot_at(w, s->d))[l] = value;
}

/* One lane's operation. False when it arrives more often than expected. */
static bool operate_lane(struct warp *w, const struct step *s,
                         const struct mbarrier_extra *x, u64 *at, unsigned l)
{
  struct mbarrier b = unpack_mbarrier(*at);
  u64 before = *at, n = lane_count(w, x, l);

  switch (x->op) {
  case MBARRIER_INIT:
    b = (struct mbarrier){ .expected = (u32)n, .pending = (u32)n };
    break;
  case MBARRIER_INVAL: b = (struct mbarrier){ 0 }; break;
  case MBARRIER_EXPECT: b.bytes += (s32)n; break;
  case MBARRIER_COMPLETE:
    b.bytes -= (s32)n;
    maybe_complete(&b);
    break;
  case MBARRIER_COPIES:
    if (x->keeps_count)
      break; /* counts itself up and down again */
    /* fall through */
  case MBARRIER_ARRIVE:
    if (x->expects) {
      b.bytes += (s32)n;
      n = 1;
    }
    if (n > b.pending)
      return false;
    b.pending -= (u32)n;
    b.expected -= x->drop ? (u32)n : 0;
    maybe_complete(&b);
    break;
  case MBARRIER_TEST:
    set_result(w, s, x, l,
               b.phase != (x->parity ? (u32)n & 1 : (u32)(n >> 63)));
    return true;
  default: break;
  }
  *at = pack_mbarrier(&b);
  set_result(w, s, x, l, before);
  return true;
}

static const struct step *pending_count(struct warp *w, const struct step *s,
                                        u32 mask)
{
  for (; mask != 0; mask &= mask - 1) {
    unsigned l = (unsigned)__builtin_ctz(mask);

    ((u32 *)slot_at(w, s->d))[l] =
        unpack_mbarrier(((const u64 *)slot_at(w, s->b))[l]).pending;
  }
  return s + 1;
}

void mbarrier_complete_bytes(uint64_t *at, uint32_t bytes)
{
  struct mbarrier b = unpack_mbarrier(*at);

  b.bytes -= (s32)bytes;
  maybe_complete(&b);
  *at = pack_mbarrier(&b);
}

/* Of `mask`, the lanes whose mbarrier is not that of a cluster's block that has
 * ended: an arrival there is lost, as on a GPU. */
static u32 without_ended(const struct warp *w, const struct step *s,
                         const struct mbarrier_extra *x, u32 mask)
{
  const u64 *wide = slot_at(w, s->a);
  const u32 *narrow = slot_at(w, s->a);
  u32 left = mask;

  if (x->op == MBARRIER_TEST || !x->memory.has_base ||
      w->block->cluster == NULL || w->block->cluster->n_ended == 0)
    return mask;
  for (u32 m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u64 address = x->memory.wide_address ? wide[l] + s->immediate
                                         : (u32)(narrow[l] + (u32)s->immediate);
    u64 offset;

    if (address >= SHARED_WINDOW)
      address -= SHARED_WINDOW;
    if (cluster_ended_owner(w->block, address, &offset) != NULL)
      left &= ~(m & -m);
  }
  return left;
}

const struct step *mbarrier_run(struct warp *w, const struct step *s)
{
  const struct mbarrier_extra *x = s->extra;
  struct request r;

  r.mask = step_mask(w, s);
  r.bytes = 8;
  r.kind = KIND_ATOMIC;
  if (r.mask == 0)
    return s + 1;
  if (x->op == MBARRIER_PENDING)
    return pending_count(w, s, r.mask);
  r.mask = without_ended(w, s, x, r.mask);
  if (r.mask == 0)
    return s + 1;
  if (!lane_handlers()->resolve(w, s, &r))
    return NULL;
  if (x->op == MBARRIER_COPIES)
    async_complete(w, r.mask);
  for (u32 m = r.mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    if (!operate_lane(w, s, x, request_lane(&r, l), l))
      return exec_fault(w, s, l, FAULT_BARRIER,
                        "more arrivals than the mbarrier expects");
  }
  w->polled = true;
  return s + 1;
}
