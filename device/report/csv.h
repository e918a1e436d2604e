/* SOFTDEVICE_COUNTS, SOFTDEVICE_CACHES, SOFTDEVICE_ATOMICS, SOFTDEVICE_TENSOR
 * and SOFTDEVICE_LINES. */
#ifndef DEVICE_REPORT_CSV_H
#define DEVICE_REPORT_CSV_H

#include <stdio.h>

#include "lines.h"
#include "report.h"

void csv_counts_head(FILE *out);
void csv_counts_row(FILE *out, const struct report_launch *id,
                    const char *kernel, const struct totals *totals);

void csv_caches_head(FILE *out);
void csv_caches_row(FILE *out, const struct report_launch *id,
                    const char *kernel, const struct totals *totals);

void csv_atomics_head(FILE *out);
void csv_atomics_row(FILE *out, const struct report_launch *id,
                     const char *kernel, const struct totals *totals);

void csv_tensor_head(FILE *out);
void csv_tensor_row(FILE *out, const struct report_launch *id,
                    const char *kernel, const struct totals *totals);

void csv_lines_head(FILE *out);
void csv_lines_rows(FILE *out, const struct report_launch *id,
                    const char *kernel, const struct line_table *lines);

#endif
