/* SOFTDEVICE_ACCESS_KERNEL, SOFTDEVICE_ACCESS_BLOCK, SOFTDEVICE_ACCESS_WARP:
 * what the access map, the trace and (by the kernel) the launches written down are
 * limited to. */
#ifndef DEVICE_REPORT_SELECTION_H
#define DEVICE_REPORT_SELECTION_H

#include <stdbool.h>

#include "../exec/launch.h"

/* `kernel` is the readable name. */
bool chosen_kernel(const char *kernel);

/* SOFTDEVICE_LAUNCH_NUMBER: the launch that is written down; or all. */
bool chosen_launch(uint64_t number);

/* Sets the block that the sinks of `launch` get. */
void chosen_block(struct launch *launch);

/* The warp of the block that they are limited to; -1: all. */
long chosen_warp(void);

/* Ends the process if one of these makes no sense, whether or not there will
 * be an access map. */
void chosen_check(void);

#endif
