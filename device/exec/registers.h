/* Which registers of a function may share a place in its frame. */
#ifndef DEVICE_EXEC_REGISTERS_H
#define DEVICE_EXEC_REGISTERS_H

#include "machine.h"

/* Fills place[r] for each register r with the number of its place. Registers
 * get the same number only if they are of the same size and no lane ever needs
 * both values. One whose value a lane may read before writing it has a place
 * that no other register used before, so that it is 0 as the frame began.
 * Returns how many places there are. */
uint32_t registers_share(const struct function *function, uint32_t *place);

#endif
