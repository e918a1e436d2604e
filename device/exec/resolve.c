/* Accesses that span several allocations, and the access map. */
#include "resolve.h"

#include <string.h>

#include "../count/sectors.h"
#include "../count/wavefronts.h"
#include "fault.h"

_Static_assert(COUNT_LANES == LANES, "count/ and exec/ mean the same warp");

static bool is_in(const struct cached_range *range, u64 address, unsigned bytes)
{
  return address >= range->low && address < range->high &&
         bytes <= range->high - address;
}

/* The allocation that holds the access, or NULL. */
static const struct cached_range *range_of(struct warp *w, u64 address,
                                           unsigned bytes)
{
  struct worker *worker = w->worker;
  struct cached_range *range = worker->recent;
  const uint64_t generation = memory_generation();
  struct allocation found;

  if (worker->recent_generation != generation) { /* something was freed */
    memset(worker->recent, 0, sizeof worker->recent);
    worker->recent_generation = generation;
  }
  for (unsigned i = 0; i < RECENT_RANGES; i++)
    if (is_in(&range[i], address, bytes))
      return &range[i];
  if (!exec_find(w, address, &found) ||
      address + bytes > found.address + found.bytes)
    return NULL;
  range = &worker->recent[worker->n_recent++ % RECENT_RANGES];
  range->low = found.address;
  range->high = found.address + found.bytes;
  range->offset = found.kind == MEMORY_REGISTERED ? 0 : memory_view_offset();
  return range;
}

bool exec_resolve_each(struct warp *w, const struct step *s, struct request *r)
{
  struct cached_range range = { 0 };
  unsigned n_found = 0;
  u64 first_host;

  for (unsigned l = 0; l < LANES; l++) {
    u64 address = r->address[l];

    if (!(r->mask >> l & 1)) {
      r->host_storage[l] = 0;
      continue;
    }
    if (!is_in(&range, address, r->bytes)) {
      const struct cached_range *found = range_of(w, address, r->bytes);

      if (found == NULL) {
        exec_fault_global(w, s, l, address, r->bytes, r->kind != KIND_LOAD);
        return false;
      }
      n_found++;
      range = *found;
    }
    r->host_storage[l] = address + (u64)range.offset;
  }
  w->ranges[s->record] = range;
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

/* Of an ld or st; NULL for what else touches memory, which may move its bytes
 * later. */
static const struct memory_extra *moved_at_once(const struct step *s,
                                                const char *opcode)
{
  if (strncmp(opcode, "ld.", 3) == 0)
    return s->extra;
  return strncmp(opcode, "st.", 3) == 0 && strncmp(opcode, "st.as", 5) != 0 &&
                 strncmp(opcode, "st.bu", 5) != 0
             ? s->extra
             : NULL;
}

/* What a lane stores, out of its registers. */
static bool take_stored(const struct warp *w, const struct memory_extra *extra,
                        unsigned lane, uint64_t *stored)
{
  static const unsigned char register_bytes[TRANSFERS] = {
    [TRANSFER_U8_16] = 2,  [TRANSFER_S8_16] = 2,  [TRANSFER_U8_32] = 4,
    [TRANSFER_S8_32] = 4,  [TRANSFER_U8_64] = 8,  [TRANSFER_S8_64] = 8,
    [TRANSFER_16_16] = 2,  [TRANSFER_U16_32] = 4, [TRANSFER_S16_32] = 4,
    [TRANSFER_U16_64] = 8, [TRANSFER_S16_64] = 8, [TRANSFER_32_32] = 4,
    [TRANSFER_U32_64] = 8, [TRANSFER_S32_64] = 8, [TRANSFER_64_64] = 8,
  };
  unsigned bytes = register_bytes[extra->transfer];

  if (bytes == 0)
    return false;
  for (unsigned i = 0; i < extra->n; i++) {
    stored[i] = 0;
    memcpy(&stored[i],
           (const u8 *)slot_at(w, extra->elements[i]) + (size_t)lane * bytes,
           extra->bytes);
  }
  return true;
}

static void trace_lane(struct warp *w, const struct step *s,
                       const struct request *r, struct lane_access *access,
                       unsigned lane)
{
  const struct launch *launch = w->block->grid->launch;
  const struct ptx_instruction *ptx =
      w->block->grid->program->records[s->record].ptx;
  const struct memory_extra *extra = moved_at_once(s, ptx->opcode);

  access->lane = lane;
  access->address = r->address[lane];
  access->memory = request_lane(r, lane);
  access->n_elements = extra != NULL       ? extra->n
                       : access->bytes > 8 ? access->bytes / 4
                                           : 1;
  access->is_known = extra != NULL && r->kind == KIND_STORE &&
                     take_stored(w, extra, lane, access->stored);
  launch->sink(launch->sink_context, access);
}

static struct lane_access access_of(struct warp *w, const struct step *s,
                                    const struct request *r, uint64_t number)
{
  const struct ptx_instruction *ptx =
      w->block->grid->program->records[s->record].ptx;

  return (struct lane_access){
    .source = ptx->source,
    .ptx_line = ptx->line,
    .block = { w->block->id[0], w->block->id[1], w->block->id[2] },
    .warp = w->index,
    .request = number,
    .step = w->step,
    .space = r->space,
    .operation = r->kind == KIND_LOAD    ? ACCESS_LOAD
                 : r->kind == KIND_STORE ? ACCESS_STORE
                                         : ACCESS_ATOMIC,
    .bytes = r->bytes,
  };
}

void exec_trace(struct warp *w, const struct step *s, const struct request *r)
{
  struct grid *grid = w->block->grid;
  const struct launch *launch = grid->launch;
  unsigned pass_of[LANES] = { 0 }, wavefronts = 0, ideal = 0;
  struct lane_access access;

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
  access = access_of(w, s, r, atomic_fetch_add(&grid->next_request, 1));
  access.wavefronts = wavefronts;
  access.ideal = ideal;
  for (unsigned l = 0; l < LANES; l++)
    if (r->mask >> l & 1) {
      access.wavefront = pass_of[l];
      trace_lane(w, s, r, &access, l);
    }
  pthread_mutex_unlock(&grid->lock);
}
