/* The libcuda.so.1 that lies beside this library, opened when it is needed,
 * as CUDA's own runtime does. */
#ifndef DEVICE_RUNTIME_DRIVER_ENTRY_H
#define DEVICE_RUNTIME_DRIVER_ENTRY_H

/* NULL, and a line on stderr, when there is none. */
void *driver_function(const char *name);

#endif
