/* Accesses that span several allocations, and the access map. */
#include "resolve.h"

#include "../count/sectors.h"
#include "../count/wavefronts.h"
#include "fault.h"

_Static_assert(COUNT_LANES == LANES, "count/ and exec/ mean the same warp");

bool exec_resolve_each(struct warp *w, const struct step *s, struct request *r)
{
  struct cached_range *range = &w->ranges[s->record];
  struct allocation found = { 0 };
  unsigned n_found = 0;
  u64 first_host;

  for (unsigned l = 0; l < LANES; l++) {
    u64 address = r->address[l];

    if (!(r->mask >> l & 1)) {
      r->host_storage[l] = 0;
      continue;
    }
    if (n_found == 0 || address < found.address ||
        address + r->bytes > found.address + found.bytes) {
      if (!exec_find(w, address, &found) ||
          address + r->bytes > found.address + found.bytes) {
        exec_fault_global(w, s, l, address, r->bytes, r->kind != KIND_LOAD);
        return false;
      }
      n_found++;
      range->low = found.address;
      range->high = found.address + found.bytes;
      range->offset =
          found.kind == MEMORY_REGISTERED ? 0 : memory_view_offset();
    }
    r->host_storage[l] = address + (u64)range->offset;
  }
  first_host = r->host_storage[__builtin_ctz(r->mask)];
  for (unsigned l = 0; l < LANES; l++)
    if (!(r->mask >> l & 1))
      r->host_storage[l] = first_host;
  r->host = r->host_storage;
  r->offset = 0;
  if (n_found > 1) { /* neighbours for the device, strangers for the host */
    r->contiguous = false;
    r->half[0] = r->half[1] = HALF_OTHER;
  }
  return true;
}

static void trace_lane(struct warp *w, const struct step *s,
                       const struct request *r, uint64_t number, unsigned lane,
                       unsigned pass)
{
  const struct launch *launch = w->block->grid->launch;
  const struct ptx_instruction *ptx =
      w->block->grid->program->records[s->record].ptx;
  struct lane_access access = {
    .source = ptx->source,
    .ptx_line = ptx->line,
    .block = { w->block->id[0], w->block->id[1], w->block->id[2] },
    .warp = w->index,
    .lane = lane,
    .request = number,
    .step = w->step,
    .space = r->space,
    .operation = r->kind == KIND_LOAD    ? ACCESS_LOAD
                 : r->kind == KIND_STORE ? ACCESS_STORE
                                         : ACCESS_ATOMIC,
    .address = r->address[lane],
    .bytes = r->bytes,
    .wavefront = pass,
  };

  launch->sink(launch->sink_context, &access);
}

void exec_trace(struct warp *w, const struct step *s, const struct request *r)
{
  struct grid *grid = w->block->grid;
  const struct launch *launch = grid->launch;
  unsigned pass_of[LANES] = { 0 }, wavefronts, ideal;
  uint64_t number;

  if (r->space == SPACE_PARAMETER || r->space == SPACE_NONE)
    return;
  if (launch->has_sink_block)
    for (int i = 0; i < 3; i++)
      if (w->block->id[i] != launch->sink_block[i])
        return;
  if (r->space == SPACE_SHARED)
    count_wavefronts(r->address, r->mask, r->bytes, r->kind == KIND_LOAD,
                     &wavefronts, &ideal, pass_of);
  pthread_mutex_lock(&grid->lock);
  number = atomic_fetch_add(&grid->next_request, 1);
  for (unsigned l = 0; l < LANES; l++)
    if (r->mask >> l & 1)
      trace_lane(w, s, r, number, l, pass_of[l]);
  pthread_mutex_unlock(&grid->lock);
}
