/* Handlers of instructions that decide what runs next. */
#ifndef DEVICE_EXEC_CONTROL_H
#define DEVICE_EXEC_CONTROL_H

#include "machine.h"

struct branch_extra {
  uint32_t target_block, join_block; /* while decoding */
  const struct step *target, *join;
};
struct branch_table {         /* brx.idx */
  struct branch_extra common; /* its join */
  size_t n;
  uint32_t *blocks;
  const struct step **targets;
};

struct argument {
  uint32_t offset, bytes;
}; /* in the function's locals */
struct call_extra {
  const struct function *callee; /* NULL when called by address */
  slot target;                   /* uint64_t lanes: its address */
  unsigned n_arguments, n_results;
  struct argument *arguments, *results;
};

step_function control_enter, control_enter_join, control_branch,
    control_branch_if, control_branch_table, control_exit, control_leave,
    control_call, control_trap, control_unsupported, control_nothing,
    control_yield, control_pause;

#endif
