/* Copies and stores of many bytes that an mbarrier or a group tells the end
 * of: cp.async.bulk, cp.reduce.async.bulk, st.async, red.async (PTX ISA
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
  slot bytes;                 /* uint32_t lanes; of a store: none */
  bool to_many;               /* blocks of the cluster, by rank: */
  slot ranks;                 /* uint16_t lanes, a bit each */
  unsigned n;                 /* st.async, red.async: elements in a vector */
  slot values[4];
  struct atomic_extra operation; /* its type is the elements' */
};
step_function bulk_copy, bulk_store;

#endif
