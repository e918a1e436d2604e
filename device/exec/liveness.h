/* How many registers a function keeps alive at once. */
#ifndef DEVICE_EXEC_LIVENESS_H
#define DEVICE_EXEC_LIVENESS_H

#include "machine.h"

/* 32-bit registers per thread: the most that are alive at one place, and a
 * few that every kernel needs. ptxas allots others, mostly some more or less;
 * its number cannot be had without it. */
uint32_t liveness_registers(const struct function *function);

/* As many as any compiler needs: the most that a loop hands from one round to
 * the next, which can neither be computed again nor be put off. Integers may be
 * in registers of the warp, and a loop whose rounds are a constant may be
 * unrolled: they don't count. 0 where the size of the blocks makes ptxas spill. */
uint32_t liveness_least(const struct function *function);

#endif
