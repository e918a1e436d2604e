/* A sorted array of allocations with binary search, and the latest freed ones. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "../support/small_limits.h"
#include "../support/host_memory.h"

#define N_FREED LIMIT(1024, 4)

static struct allocation freed[N_FREED];
static size_t n_freed; /* ever; the ring holds the last N_FREED */

size_t table_upper(const struct allocation_table *table, uint64_t address)
{
  size_t low = 0, high = table->n_rows;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (table->rows[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

struct allocation *table_containing(const struct allocation_table *table,
                                    uint64_t address)
{
  size_t i = table_upper(table, address);
  if (i == 0)
    return NULL;
  struct allocation *row = &table->rows[i - 1];
  return address - row->address < row->bytes ? row : NULL;
}

bool table_insert(struct allocation_table *table, struct allocation row)
{
  if (table->n_rows == table->capacity) {
    size_t n = table->capacity ? 2 * table->capacity : 64;
    struct allocation *rows = host_try_grow(table->rows, n, sizeof *rows);
    if (rows == NULL)
      return false;
    table->rows = rows;
    table->capacity = n;
  }
  size_t i = table_upper(table, row.address);
  memmove(&table->rows[i + 1], &table->rows[i],
          (table->n_rows - i) * sizeof row);
  table->rows[i] = row;
  table->n_rows++;
  return true;
}

void table_remove(struct allocation_table *table, size_t index)
{
  table->n_rows--;
  memmove(&table->rows[index], &table->rows[index + 1],
          (table->n_rows - index) * sizeof *table->rows);
}

void freed_remember(const struct allocation *allocation)
{
  freed[n_freed++ % N_FREED] = *allocation;
}

uint64_t allocation_distance(const struct allocation *allocation,
                             uint64_t address)
{
  if (address < allocation->address)
    return allocation->address - address;
  uint64_t offset = address - allocation->address;
  return offset < allocation->bytes ? 0 : offset - allocation->bytes + 1;
}

const struct allocation *freed_nearest(uint64_t address, uint64_t *distance)
{
  const struct allocation *best = NULL;
  size_t n = n_freed < N_FREED ? n_freed : N_FREED;
  for (size_t i = 1; i <= n; i++) { /* latest first */
    const struct allocation *row = &freed[(n_freed - i) % N_FREED];
    uint64_t d = allocation_distance(row, address);
    if (best == NULL || d < *distance) {
      best = row;
      *distance = d;
    }
  }
  return best;
}
