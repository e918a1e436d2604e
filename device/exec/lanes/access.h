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

/* The order in which the lanes of a warp store. Which of several lanes that
 * store to one address wins is undefined, but the same on every GPU that was
 * asked (sm_90), in global and in shared memory: a store is served by passes
 * of up to 128 bytes, 32 lanes of 4 bytes, 16 of 8 or 8 of 16; the last pass
 * that has the address wins, and in it the lowest lane. So the passes come one
 * after the other, and the lanes of each from the highest to the lowest:
 *
 *   const unsigned turn = stored_together(bytes) - 1;
 *   for (u32 m = turned_mask(mask, turn); m != 0; m &= m - 1)
 *     store_of_lane((unsigned)__builtin_ctz(m) ^ turn);
 */
static inline unsigned stored_together(unsigned bytes)
{
  return bytes <= 4 ? LANES : LANES * 4 / bytes;
}

/* The bits of `mask`, turned round in each group of `turn` + 1. */
static inline u32 turned_mask(u32 mask, unsigned turn)
{
  if (mask == FULL)
    return mask;
  mask = (mask >> 1 & 0x55555555) | (mask & 0x55555555) << 1;
  mask = (mask >> 2 & 0x33333333) | (mask & 0x33333333) << 2;
  if (turn >= 7)
    mask = (mask >> 4 & 0x0f0f0f0f) | (mask & 0x0f0f0f0f) << 4;
  if (turn >= 15)
    mask = (mask >> 8 & 0x00ff00ff) | (mask & 0x00ff00ff) << 8;
  return turn < 31 ? mask : mask >> 16 | mask << 16;
}

static inline void *request_lane(const struct request *r, unsigned lane)
{
  return (void *)(uintptr_t)(r->host[lane] + (u64)r->offset);
}

#endif
