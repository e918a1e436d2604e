/* What happens to device memory outside of kernels, for the checks. */
#ifndef DEVICE_CHECK_WATCH_H
#define DEVICE_CHECK_WATCH_H

/* Begins to watch allocations and the host's writes, if a check needs it.
 * May be called more than once. */
void check_watch_memory(void);

/* Tells of device memory that was never freed. */
void check_leaks(void);

#endif
