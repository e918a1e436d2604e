/* alloca, stacksave, stackrestore (PTX ISA 9.7.17). A lane's local memory is
 * shared by two stacks: frames of functions grow from its bottom, what
 * alloca gives from its top. */
#ifndef DEVICE_EXEC_STACK_H
#define DEVICE_EXEC_STACK_H

#include "machine.h"

step_function stack_allocate, stack_save, stack_restore;

/* The first byte of the lanes' local memory that alloca has taken. */
static inline uint32_t stack_limit(const struct warp *w, uint32_t mask)
{
  uint32_t limit = w->local_stride;

  if (w->has_stack)
    for (; mask != 0; mask &= mask - 1)
      limit = w->stack[__builtin_ctz(mask)] < limit
                  ? w->stack[__builtin_ctz(mask)]
                  : limit;
  return limit;
}

#endif
