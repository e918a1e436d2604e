/* Live allocations in order of address, and the last ones that were freed.
 * Not locked: memory.c does that. */
#ifndef DEVICE_MEMORY_TABLE_H
#define DEVICE_MEMORY_TABLE_H

#include "memory.h"

struct allocation_table {
  struct allocation *rows; /* sorted by address */
  size_t n_rows, capacity;
};

/* Index of the first row that starts above `address`. */
size_t table_upper(const struct allocation_table *table, uint64_t address);

/* The row that contains `address`, or NULL. */
struct allocation *table_containing(const struct allocation_table *table,
                                    uint64_t address);

bool table_insert(struct allocation_table *table, struct allocation row);
void table_remove(struct allocation_table *table, size_t index);

/* Remembers a freed allocation; forgets the oldest. */
void freed_remember(const struct allocation *allocation);

/* The freed allocation nearest to `address`, the latest one where several
 * are equally near, or NULL; `*distance` is 0 inside it. */
const struct allocation *freed_nearest(uint64_t address, uint64_t *distance);

/* Bytes between `address` and the allocation; 0 when it lies inside. */
uint64_t allocation_distance(const struct allocation *allocation,
                             uint64_t address);

#endif
