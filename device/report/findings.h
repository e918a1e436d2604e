/* What a student should look at first: source lines that make the hardware do
 * more passes than their work needs. */
#ifndef DEVICE_REPORT_FINDINGS_H
#define DEVICE_REPORT_FINDINGS_H

#include <stdio.h>

#include "lines.h"

enum finding_kind {
  FINDING_LOAD_SECTORS,
  FINDING_STORE_SECTORS,
  FINDING_LOAD_CONFLICTS,
  FINDING_STORE_CONFLICTS,
  FINDING_DIVERGENCE,
  FINDING_IDLE_LANES,
  FINDING_LOCAL_MEMORY
};

struct finding {
  enum finding_kind kind;
  const struct line_totals *line;
  double score; /* passes beyond the ideal: sectors, wavefronts, branches */
};

/* The worst `limit` findings of a kernel, worst first; returns how many. */
size_t findings_rank(const struct line_table *lines, struct finding *findings,
                     size_t limit);

/* Prints one: the place, the line itself, what was counted, what it means. */
void finding_print(FILE *out, const struct finding *finding, size_t rank);

#endif
