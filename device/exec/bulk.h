/* Copies and stores of many bytes whose end an mbarrier or a group reports:
 * cp.async.bulk, cp.reduce.async.bulk, st.async, red.async (PTX ISA
 * 9.7.9.25, 9.7.13). They are done when they are issued, which hardware may
 * be, too. */
#ifndef DEVICE_EXEC_BULK_H
#define DEVICE_EXEC_BULK_H

#include "atomic.h"

struct bulk_address {
  struct memory_extra memory; /* space, base's width */
  slot base;
  uint64_t offset;
};
struct bulk_extra {
  struct bulk_address to, from, barrier;
  bool has_barrier, reduces;
  slot bytes;   /* uint32_t lanes; of a store: none */
  bool to_many; /* blocks of the cluster, by rank: */
  slot ranks;   /* uint16_t lanes, a bit each */
  unsigned n;   /* st.async, red.async: elements in a vector */
  slot values[4];
  struct atomic_extra operation; /* its type is the elements' */
};
step_function bulk_copy, bulk_store;

uint64_t bulk_address_of(const struct warp *w, const struct bulk_address *a,
                         unsigned lane);

/* Where `bytes` bytes at `address` are on the host; NULL after a fault. */
void *bulk_reach(struct warp *w, const struct step *s, unsigned lane,
                 const struct bulk_address *a, uint64_t address, uint32_t bytes,
                 unsigned alignment, bool is_store);

/* The mbarrier at `address`, if the instruction has one, counts these bytes as
 * arrived. */
bool bulk_tell_barrier(struct warp *w, const struct step *s, unsigned lane,
                       const struct bulk_extra *x, uint64_t address,
                       uint32_t bytes);

#endif
