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

/* A thread's printf has ended. The buffer holds those of the last `most`
 * threads since it was flushed, and loses the others, as on a GPU, without a
 * word there. The caller holds the lock. */
void output_note(size_t most);

/* Moves what was printed to stdout, and tells on stderr what was lost. */
void output_flush(void);

/* Tells on stderr when text was never flushed. */
void output_at_exit(void);

#endif
