/* Launches that can never end: every block comes back to states that it had
 * before, registers, local and shared memory and all, and goes on doing so. A
 * counter, a clock or anything else that moves makes another state. */
#ifndef DEVICE_EXEC_ENDLESS_H
#define DEVICE_EXEC_ENDLESS_H

#include "machine.h"

/* A block, or the first one of a cluster, begins and ends to be run. */
void endless_begin(struct block *block);
void endless_end(struct block *block);

/* Now and then, between two turns of a block. True: the grid was stopped. */
bool endless_is(struct block *block);

#endif
