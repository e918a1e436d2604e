/* Addresses and pages apart from each other, for programs that put them
 * together themselves (cuMemMap). A range is both: the addresses from its
 * begin on, and the pages that they show at first. Made accessible by
 * memory_show. */
#ifndef DEVICE_MEMORY_VIRTUAL_H
#define DEVICE_MEMORY_VIRTUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../support/exported.h"

/* A free range; at `hint` if that is free. 0: none left.
 * `alignment` is a power of two, at least a page. */
uint64_t virtual_take(size_t bytes, size_t alignment, uint64_t hint)
    EXPORTED(virtual_take);

/* The same for its pages: filled as new device memory is. */
uint64_t virtual_pages(size_t bytes, size_t alignment) EXPORTED(virtual_pages);

/* Gives the range that begins here back, and its pages to the system. */
void virtual_give(uint64_t begin) EXPORTED(virtual_give);

/* [begin, begin + bytes) shows the pages of the range at `source`; with
 * `begin` itself its own ones. */
bool virtual_show(uint64_t begin, size_t bytes, uint64_t source)
    EXPORTED(virtual_show);

#endif
