/* Launches that take long. One whose threads only look at memory may wait for
 * ever: that is reported once, and a time limit ends it. */
#ifndef DEVICE_EXEC_OVERTIME_H
#define DEVICE_EXEC_OVERTIME_H

#include "machine.h"

void overtime_begin(struct grid *grid);

/* Between two turns of a block: true when the launch's time is up; then the
 * grid was stopped. */
bool overtime_is_up(struct block *block);

/* Stops the grid with a fault where some thread of the block is. */
void overtime_stop(struct block *block, enum fault_kind kind,
                   const char *detail);

/* All that the block's warps do is to look at memory. */
void overtime_waits(struct block *block);
/* Something else was done in the grid. */
void overtime_progress(struct grid *grid);

#endif
