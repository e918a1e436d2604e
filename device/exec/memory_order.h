/* Memory orders of loads, stores and atomics (PTX ISA chapter 8). */
#ifndef DEVICE_EXEC_MEMORY_ORDER_H
#define DEVICE_EXEC_MEMORY_ORDER_H

#include "decode.h"

/* Emits what the current instruction's .release needs before its access, or
 * its .acquire and .volatile after it. */
void memory_order_before(struct decoder *d);
void memory_order_after(struct decoder *d);

step_function memory_fence;

#endif
