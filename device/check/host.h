/* What of the host program lies at an address. */
#ifndef DEVICE_CHECK_HOST_H
#define DEVICE_CHECK_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "the stack of the host program"; false when nothing is mapped there. */
bool host_region(uint64_t address, char *text, size_t bytes);

#endif
