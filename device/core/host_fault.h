/* Crashes of the host program on device memory. */
#ifndef DEVICE_CORE_HOST_FAULT_H
#define DEVICE_CORE_HOST_FAULT_H

/* From now on a crash on device memory explains itself. */
void host_fault_watch(void);

#endif
