/* How many registers a function keeps alive at once. */
#ifndef DEVICE_EXEC_LIVENESS_H
#define DEVICE_EXEC_LIVENESS_H

#include "machine.h"

/* 32-bit registers per thread: the most that are alive at one place, and a
 * few that every kernel needs. ptxas allots others, mostly some more or less;
 * its number cannot be had without it. */
uint32_t liveness_registers(const struct function *function);

#endif
