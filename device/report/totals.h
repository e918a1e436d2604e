/* Counts of one kernel or one source line: the columns of the CSV files, which
 * counts.def lists. */
#ifndef DEVICE_REPORT_TOTALS_H
#define DEVICE_REPORT_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

#include "../count/counts.h"

/* Which file a counter is written to. */
enum totals_file {
  TOTALS_COUNTS,
  TOTALS_CACHES,
  TOTALS_ATOMICS,
  TOTALS_TENSOR,
  TOTALS_FILES,
  TOTALS_REPORT = TOTALS_FILES /* none of them */
};

struct totals {
#define COUNTER(file, column, ...) uint64_t column;
#include "counts.def"
};

void totals_add_record(struct totals *totals,
                       const struct instruction_record *record);
void totals_add(struct totals *totals, const struct totals *more);

/* The value of a column by its name. Returns whether there is one. */
bool totals_find(const struct totals *totals, const char *column,
                 uint64_t *value);

#endif
