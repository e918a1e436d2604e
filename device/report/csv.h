/* SOFTDEVICE_COUNTS, SOFTDEVICE_CACHES, SOFTDEVICE_ATOMICS, SOFTDEVICE_TENSOR
 * and SOFTDEVICE_LINES. */
#ifndef DEVICE_REPORT_CSV_H
#define DEVICE_REPORT_CSV_H

#include <stdio.h>

#include "lines.h"
#include "report.h"

/* One row per launch, with the columns of that file. */
void csv_launches_head(FILE *out, enum totals_file file);
void csv_launches_row(FILE *out, enum totals_file file,
                      const struct report_launch *id, const char *kernel,
                      const struct totals *totals);

/* One row per launch and source line. */
void csv_lines_head(FILE *out);
void csv_lines_rows(FILE *out, const struct report_launch *id,
                    const char *kernel, const struct line_table *lines);

#endif
