/* SOFTDEVICE_REPORT: what each kernel did, for a reader. */
#ifndef DEVICE_REPORT_TEXT_H
#define DEVICE_REPORT_TEXT_H

#include <stdio.h>

#include "lines.h"

/* All launches of one kernel. */
struct kernel_totals {
  char *name;
  uint64_t n_launches;
  uint32_t grid[3], block[3]; /* of the last launch */
  int shapes_differ;          /* between launches */
  struct totals totals;
  struct line_table lines;
  struct kernel_totals *next;
};

void text_report(FILE *out, const struct kernel_totals *kernels);

#endif
