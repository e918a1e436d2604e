/* Frees what a launch counted. */
#include "counts.h"

#include <stdlib.h>

void launch_counts_free(struct launch_counts *counts)
{
  free(counts->records);
  counts->records = NULL;
  counts->n_records = 0;
}
