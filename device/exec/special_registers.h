/* Special registers (PTX ISA chapter 10). */
#ifndef DEVICE_EXEC_SPECIAL_REGISTERS_H
#define DEVICE_EXEC_SPECIAL_REGISTERS_H

#include "machine.h"

/* Slot of a register that stays the same while a block runs. */
bool special_slot(const char *name, unsigned bytes, slot *to);

/* A register that must be read when asked: its step's flags, or -1. */
int special_dynamic(const char *name, unsigned *bytes);
step_function special_read; /* step.flags says which; d is the result */

/* A register that is always 0 here: performance counters, driver's values. */
bool special_is_zero(const char *name, unsigned bytes);

/* isspacep.const: d = a is the address of a variable in constant memory. */
step_function special_is_constant;

#endif
