/* SOFTDEVICE_ACCESS_KERNEL and SOFTDEVICE_ACCESS_BLOCK: what the access map
 * and the trace are limited to. */
#ifndef DEVICE_REPORT_CHOSEN_H
#define DEVICE_REPORT_CHOSEN_H

#include <stdbool.h>

#include "../exec/launch.h"

/* `kernel` is the readable name. */
bool chosen_kernel(const char *kernel);

/* Sets the block that the sinks of `launch` get. */
void chosen_block(struct launch *launch);

#endif
