/* One warp's memory request: addresses checked, found in host memory, and
 * counted. Used by loads, stores, atomics and copies alike. */
#ifndef DEVICE_EXEC_LANES_ACCESS_H
#define DEVICE_EXEC_LANES_ACCESS_H

#include "lanes.h"

enum access_kind { KIND_LOAD, KIND_STORE, KIND_ATOMIC };

/* Addresses of 16 lanes: a tile row of 16 is as common as one of 32. */
enum half_shape { HALF_OTHER, HALF_UNIFORM, HALF_CONTIGUOUS };

struct request {
  u32 mask;
  unsigned bytes; /* per lane, all elements together */
  enum access_kind kind;
  enum fault_space space;  /* set by resolving */
  bool uniform;            /* all active lanes: same address */
  bool contiguous;         /* all 32 lanes, one behind the other */
  enum half_shape half[2]; /* of all 32 active lanes; else HALF_OTHER */
  intptr_t offset;         /* host pointer of lane l: host[l] + offset */
  const u64 *host;
  u64 *address; /* as the program sees it; inactive lanes repeat
                               an active one */
  _Alignas(LANE_ALIGNMENT) u64 storage[LANES];
  _Alignas(LANE_ALIGNMENT) u64 host_storage[LANES];
};

static inline void *request_lane(const struct request *r, unsigned lane)
{
  return (void *)(uintptr_t)(r->host[lane] + (u64)r->offset);
}

#endif
