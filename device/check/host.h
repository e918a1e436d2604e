/* What kind of memory of the host program an address belongs to. */
#ifndef DEVICE_CHECK_HOST_H
#define DEVICE_CHECK_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "the stack of the host program"; false where nothing is mapped, or the
 * device's own memory. */
bool host_region(uint64_t address, char *text, size_t bytes);

#endif
