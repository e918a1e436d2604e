/* Calls that the device doesn't have. */
#ifndef DEVICE_RUNTIME_UNSUPPORTED_H
#define DEVICE_RUNTIME_UNSUPPORTED_H

#include <stdbool.h>

/* Says so once per name; returns cudaErrorNotSupported as this thread's last
 * error. */
int unsupported_call(const char *name, bool *reported);

#endif
