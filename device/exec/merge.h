/* What all workers counted, as the caller of launch_run gets it. */
#ifndef DEVICE_EXEC_MERGE_H
#define DEVICE_EXEC_MERGE_H

#include "machine.h"

void merge_counts(const struct grid *grid, struct launch_counts *counts);

#endif
