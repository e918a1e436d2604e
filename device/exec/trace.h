/* Programs with a trace (SOFTDEVICE_TRACE) or an access map
 * (SOFTDEVICE_ACCESS_MAP): every PTX instruction gets its number before it
 * runs, and is reported to the launch's trace sink. As with checks, handlers
 * are exchanged once, after decoding, so that a program without either runs
 * the very same code as before. */
#ifndef DEVICE_EXEC_TRACE_H
#define DEVICE_EXEC_TRACE_H

#include "machine.h"

/* Call it after checked_program, so that an instruction is traced before it is
 * checked. */
void trace_program(struct program *program);

/* What `s`, a step of `function`, does without its trace. */
static inline step_function *trace_handler(const struct function *function,
                                           const struct step *s)
{
  return function->traced == NULL ? s->run
                                  : function->traced[s - function->steps];
}

#endif
