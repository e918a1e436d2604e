/* Adds instruction records to totals, column by column. */
#include "totals.h"

static uint64_t conflicts(const struct instruction_counts *counts)
{
  return counts->wavefronts - counts->ideal_wavefronts;
}

static void add_global(struct totals *t,
                       const struct instruction_record *record)
{
  const struct instruction_counts *counts = &record->counts;
  uint64_t bytes = counts->threads * record->access_bytes;
  if (record->class_ == COUNT_GLOBAL_LOAD) {
    t->ld_requests += counts->warps;
    t->ld_sectors += counts->sectors;
    t->ld_bytes += bytes;
  } else if (record->class_ == COUNT_GLOBAL_STORE) {
    t->st_requests += counts->warps;
    t->st_sectors += counts->sectors;
    t->st_bytes += bytes;
  } else {
    t->atomic_requests += counts->warps;
    t->atomic_sectors += counts->sectors;
  }
}

void totals_add_record(struct totals *t,
                       const struct instruction_record *record)
{
  const struct instruction_counts *counts = &record->counts;
  t->warp_instructions += counts->warps;
  t->thread_instructions += counts->threads;
  t->flop_f32 += counts->threads * record->flops.f32;
  t->flop_f64 += counts->threads * record->flops.f64;
  switch (record->class_) {
  case COUNT_BRANCH:
    t->branches += counts->warps;
    t->divergent_branches += counts->divergent;
    break;
  case COUNT_BARRIER: t->barriers += counts->warps; break;
  case COUNT_GLOBAL_LOAD:
  case COUNT_GLOBAL_STORE:
  case COUNT_GLOBAL_ATOMIC: add_global(t, record); break;
  case COUNT_SHARED_LOAD:
    t->shared_ld_requests += counts->warps;
    t->shared_ld_wavefronts += counts->wavefronts;
    t->shared_ld_conflicts += conflicts(counts);
    break;
  case COUNT_SHARED_STORE:
    t->shared_st_requests += counts->warps;
    t->shared_st_wavefronts += counts->wavefronts;
    t->shared_st_conflicts += conflicts(counts);
    break;
  case COUNT_SHARED_ATOMIC:
    t->shared_atomic_requests += counts->warps;
    t->shared_atomic_wavefronts += counts->wavefronts;
    break;
  case COUNT_LOCAL_LOAD: t->local_ld_requests += counts->warps; break;
  case COUNT_CONSTANT_LOAD:
    if (counts->wavefronts > 0) { /* a kernel's parameters have no words */
      t->constant_ld_requests += counts->warps;
      t->constant_ld_words += counts->wavefronts;
    }
    break;
  case COUNT_TEXTURE: t->texture_requests += counts->warps; break;
  case COUNT_MATRIX:
    t->matrix_instructions += counts->warps;
    t->matrix_wavefronts += counts->wavefronts;
    t->matrix_operations += counts->threads * record->flops.matrix;
    break;
  case COUNT_COPY_LOAD: /* each lane makes one of its own */
    t->copy_ld_requests += counts->threads;
    t->copy_ld_sectors += counts->sectors;
    break;
  case COUNT_COPY_STORE:
    t->copy_st_requests += counts->threads;
    t->copy_st_sectors += counts->sectors;
    break;
  case COUNT_SURFACE: t->surface_requests += counts->warps; break;
  case COUNT_LOCAL_STORE: t->local_st_requests += counts->warps; break;
  default: break;
  }
}

void totals_add(struct totals *totals, const struct totals *more)
{
#define COLUMN(name) totals->name += more->name;
  TOTALS_COLUMNS(COLUMN)
  CACHE_COLUMNS(COLUMN)
  ATOMIC_COLUMNS(COLUMN)
  TENSOR_COLUMNS(COLUMN)
#undef COLUMN
  totals->ld_bytes += more->ld_bytes;
  totals->st_bytes += more->st_bytes;
  totals->surface_requests += more->surface_requests;
}
