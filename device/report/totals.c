/* Adds instruction records to totals, column by column. */
#include "totals.h"

#include <string.h>

#define COUNT_ANY COUNT_CLASSES

/* What of a record a counter may add. */
struct record_values {
  uint64_t warps, threads, sectors, wavefronts, conflicts, divergent;
  uint64_t warps_with_words; /* of loads of constants that have any */
  uint64_t bytes;
  uint64_t flop_f32, flop_f64, matrix_operations;
};

static struct record_values values_of(const struct instruction_record *record)
{
  const struct instruction_counts *counts = &record->counts;
  return (struct record_values){
    .warps = counts->warps,
    .threads = counts->threads,
    .sectors = counts->sectors,
    .wavefronts = counts->wavefronts,
    .conflicts = counts->wavefronts - counts->ideal_wavefronts,
    .divergent = counts->divergent,
    .warps_with_words = counts->wavefronts > 0 ? counts->warps : 0,
    .bytes = counts->threads * record->access_bytes,
    .flop_f32 = counts->threads * record->flops.f32,
    .flop_f64 = counts->threads * record->flops.f64,
    .matrix_operations = counts->threads * record->flops.matrix,
  };
}

static bool counts_in(unsigned class_, const struct instruction_record *record)
{
  return class_ == COUNT_ANY || class_ == record->class_;
}

void totals_add_record(struct totals *totals,
                       const struct instruction_record *record)
{
  struct record_values values = values_of(record);
#define COUNTER(file, column, class_, value, ...)                              \
  if (counts_in(COUNT_##class_, record))                                       \
    totals->column += values.value;
#include "counts.def"
}

void totals_add(struct totals *totals, const struct totals *more)
{
#define COUNTER(file, column, ...) totals->column += more->column;
#include "counts.def"
}

bool totals_find(const struct totals *totals, const char *column,
                 uint64_t *value)
{
#define COUNTER(file, name, ...)                                               \
  if (strcmp(column, #name) == 0) {                                            \
    *value = totals->name;                                                     \
    return true;                                                               \
  }
#include "counts.def"
  return false;
}
