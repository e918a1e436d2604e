/* Totals per source line, in order of file and line. */
#ifndef DEVICE_REPORT_LINES_H
#define DEVICE_REPORT_LINES_H

#include <stdbool.h>

#include "totals.h"

struct line_totals {
  char *file; /* owned; "" where the PTX names none */
  unsigned line;
  struct totals totals;
};

struct line_table {
  struct line_totals *rows;
  size_t n_rows, capacity;
};

/* Adds every record that was executed. False when out of memory. */
bool line_table_add(struct line_table *table,
                    const struct launch_counts *counts);
void line_table_free(struct line_table *table);

#endif
