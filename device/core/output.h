/* Device printf. Text waits in memory until the host synchronises, as on a
 * GPU, where a program that ends without doing so prints nothing (CUDA
 * Programming Guide, "Formatted Output"). */
#ifndef DEVICE_CORE_OUTPUT_H
#define DEVICE_CORE_OUTPUT_H

#include <stdio.h>

/* Where a launch prints to. Valid until output_flush; launches and flushes
 * exclude each other by output_lock. NULL when out of memory. */
FILE *output_stream(void);
void output_lock(void);
void output_unlock(void);

/* Moves what was printed to stdout. */
void output_flush(void);

/* Tells on stderr when text was never flushed. */
void output_at_exit(void);

#endif
