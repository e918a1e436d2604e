/* mbarrier objects in shared memory (PTX ISA 9.7.13.15). A block is run by
 * one worker, so they need no locks. */
#ifndef DEVICE_EXEC_MBARRIER_H
#define DEVICE_EXEC_MBARRIER_H

#include "lanes/handlers.h"
#include "machine.h"

enum mbarrier_op {
  MBARRIER_INIT,
  MBARRIER_INVAL,
  MBARRIER_ARRIVE,
  MBARRIER_EXPECT,
  MBARRIER_COMPLETE,
  MBARRIER_TEST,
  MBARRIER_PENDING,
  MBARRIER_COPIES
};
struct mbarrier_extra {
  struct memory_extra memory; /* first: the request's addresses */
  enum mbarrier_op op;
  bool has_result, parity, drop, expects, may_suspend, keeps_count;
  bool has_count;
  slot count; /* arrivals, bytes, state or parity */
};
step_function mbarrier_run;

/* complete_tx on the mbarrier at `at`, which is reachable and aligned. */
void mbarrier_complete_bytes(uint64_t *at, uint32_t bytes);

#endif
