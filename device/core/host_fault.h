/* Crashes of the host program on device memory. */
#ifndef DEVICE_CORE_HOST_FAULT_H
#define DEVICE_CORE_HOST_FAULT_H

#include <stdbool.h>

/* From now on a crash on device memory explains itself. */
void host_fault_watch(void);

/* Whether it is still this handler that a SIGSEGV calls. */
bool host_fault_is_watched(void);

#endif
