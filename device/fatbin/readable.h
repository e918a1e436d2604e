/* How much memory can be read from a pointer on. */
#ifndef DEVICE_FATBIN_READABLE_H
#define DEVICE_FATBIN_READABLE_H

#include <stddef.h>

/* Bytes from `data` on that can be read; SIZE_MAX where the system does not
 * say. */
size_t readable_bytes(const void *data);

#endif
