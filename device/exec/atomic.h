/* atom and red (PTX ISA 9.7.13). */
#ifndef DEVICE_EXEC_ATOMIC_H
#define DEVICE_EXEC_ATOMIC_H

#include "lanes/handlers.h"
#include "machine.h"

enum atomic_op {
  ATOMIC_AND,
  ATOMIC_OR,
  ATOMIC_XOR,
  ATOMIC_ADD,
  ATOMIC_INC,
  ATOMIC_DEC,
  ATOMIC_MIN,
  ATOMIC_MAX,
  ATOMIC_EXCH,
  ATOMIC_CAS
};
struct atomic_extra {
  struct memory_extra memory; /* first: the request's addresses */
  enum atomic_op op;
  enum ptx_type type;
  bool has_result;
  slot results[8]; /* of a vector; its sources: memory.elements */
};
step_function atomic_run;

/* One lane's operation at `at`, which is reachable and aligned. `flushes`: a
 * sum in f32 takes subnormals for zero. */
void atomic_update(void *at, const struct atomic_extra *extra, uint64_t b,
                   bool flushes);

/* ld and st with a memory order or .volatile, of one element of up to 8
 * bytes: other workers may be at the same address at the same time. Their
 * extra is a memory_extra. */
step_function atomic_load_lanes, atomic_store_lanes;

/* The same for vectors of up to 32 bytes. */
step_function atomic_load_vector, atomic_store_vector;

#endif
