/* atom and red (PTX ISA 9.7.13). */
#ifndef DEVICE_EXEC_ATOMIC_H
#define DEVICE_EXEC_ATOMIC_H

#include "lanes/handlers.h"
#include "machine.h"

enum atomic_op {
  ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR, ATOMIC_ADD, ATOMIC_INC, ATOMIC_DEC,
  ATOMIC_MIN, ATOMIC_MAX, ATOMIC_EXCH, ATOMIC_CAS
};
struct atomic_extra {
  struct memory_extra memory; /* first: the request's addresses */
  enum atomic_op op;
  enum ptx_type type;
  bool has_result;
};
step_function atomic_run;

#endif
