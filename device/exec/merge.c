/* Adds the counts of all workers. A generic access gets the class of the space
 * that it reached. */
#include "merge.h"

#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"

static void add_counts(struct instruction_counts *to,
                       const struct instruction_counts *from)
{
  to->warps += from->warps;
  to->threads += from->threads;
  to->sectors += from->sectors;
  to->wavefronts += from->wavefronts;
  to->ideal_wavefronts += from->ideal_wavefronts;
  to->divergent += from->divergent;
}

/* One record: its own counts, or its block's entries. */
static void merge_one(const struct grid *grid, size_t i,
                      struct instruction_record *to)
{
  const struct record *record = &grid->program->records[i];

  to->source = record->ptx->source;
  to->ptx_line = record->ptx->line;
  to->class_ = record->class_;
  to->access_bytes = record->access_bytes;
  to->flops = record->flops;
  for (unsigned k = 0; k < grid->n_workers; k++) {
    const struct worker *worker = &grid->workers[k];

    add_counts(&to->counts, &worker->counts[i]);
    if (!record->by_itself) {
      to->counts.warps += worker->counts[record->block_record].warps;
      to->counts.threads += worker->counts[record->block_record].threads;
    }
    if (worker->classes[i] != 0)
      to->class_ = (enum count_class)(worker->classes[i] - 1);
  }
}

/* The kernel's own instructions, and those of functions that it ran. */
static bool wanted(const struct grid *grid, const struct function *function)
{
  if (function->n_records == 0)
    return false;
  if (function == grid->function)
    return true;
  for (unsigned k = 0; k < grid->n_workers; k++)
    if (grid->workers[k].counts[function->first_record].warps != 0)
      return true;
  return false;
}

void merge_counts(const struct grid *grid, struct launch_counts *counts)
{
  const struct program *program = grid->program;
  size_t n = 0;

  for (size_t f = 0; f < program->n_functions; f++)
    if (wanted(grid, program->functions[f]))
      n += program->functions[f]->n_records;
  counts->n_records = 0;
  counts->records = host_new(n + 1, sizeof *counts->records);
  for (size_t f = 0; f < program->n_functions; f++) {
    const struct function *function = program->functions[f];

    if (!wanted(grid, function))
      continue;
    for (size_t i = function->first_record;
         i < function->first_record + function->n_records; i++)
      if (program->records[i].ptx != NULL)
        merge_one(grid, i, &counts->records[counts->n_records++]);
  }
}
