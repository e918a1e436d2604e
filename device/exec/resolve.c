#include "resolve.h"

#include "fault.h"

bool exec_resolve_each(struct warp *w, const struct step *s,
                       struct request *r)
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
      if (!memory_find(address, &found) ||
          address + r->bytes > found.address + found.bytes) {
        exec_fault_access(w, s, l, FAULT_OUT_OF_BOUNDS, SPACE_GLOBAL, address,
                          r->bytes, r->kind != KIND_LOAD);
        return false;
      }
      n_found++;
      range->low = found.address;
      range->high = found.address + found.bytes;
      range->offset = found.kind == MEMORY_REGISTERED
                          ? 0 : memory_view_offset();
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

/* Different values of the lanes' addresses without their last `shift` bits. */
static unsigned distinct(const u64 *address, u32 mask, unsigned shift)
{
  u64 seen[LANES];
  unsigned n = 0;

  for (; mask != 0; mask &= mask - 1) {
    u64 unit = address[__builtin_ctz(mask)] >> shift;
    unsigned i = 0;

    while (i < n && seen[i] != unit)
      i++;
    if (i == n)
      seen[n++] = unit;
  }
  return n;
}

unsigned exec_sectors(const u64 *address, u32 mask, unsigned bytes)
{
  (void)bytes; /* aligned accesses of up to 32 bytes stay in one sector */
  return distinct(address, mask, 5);
}

unsigned exec_words(const u64 *address, u32 mask)
{
  return distinct(address, mask, 2);
}

unsigned exec_local_sectors(const u64 *offset, u32 mask, unsigned bytes)
{
  unsigned n = 0;

  for (unsigned at = 0; at < bytes; at += 4) {
    u64 physical[LANES];

    for (unsigned l = 0; l < LANES; l++)
      physical[l] = (offset[l] + at) / 4 * (4 * LANES) + 4 * l;
    n += exec_sectors(physical, mask, 4);
  }
  return n;
}

/* Lanes [first, first + LANES / groups) are served together. Returns their
 * passes: the largest number of distinct words in one bank. */
static unsigned group_wavefronts(const u64 *address, u32 mask,
                                 unsigned words, unsigned *pass_of)
{
  u64 seen[LANES][4 * LANES / 4];
  unsigned depth[LANES] = { 0 }, most = 0;

  for (; mask != 0; mask &= mask - 1) {
    unsigned l = (unsigned)__builtin_ctz(mask), pass = 0;

    for (unsigned i = 0; i < words; i++) {
      u64 word = (address[l] >> 2) + i;
      unsigned bank = (unsigned)(word % LANES), at = 0;

      while (at < depth[bank] && seen[bank][at] != word)
        at++;
      if (at == depth[bank])
        seen[bank][depth[bank]++] = word;
      pass = at > pass ? at : pass;
      most = depth[bank] > most ? depth[bank] : most;
    }
    if (pass_of != NULL)
      pass_of[l] = pass;
  }
  return most;
}

/* Does every active lane l want the same address as lane l ^ distance, where
 * that one is active, too? */
static bool in_pairs(const u64 *address, u32 mask, unsigned distance)
{
  for (u32 m = mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m), partner = l ^ distance;

    if (mask >> partner & 1 && address[l] != address[partner])
      return false;
  }
  return true;
}

/* Adds the passes of one group of lanes. */
static void serve(const u64 *address, u32 lanes, unsigned bytes,
                  unsigned *wavefronts, unsigned *pass_of)
{
  unsigned before = *wavefronts;

  *wavefronts += group_wavefronts(address, lanes, bytes <= 4 ? 1 : bytes / 4,
                                  pass_of);
  for (u32 m = lanes; pass_of != NULL && m != 0; m &= m - 1)
    pass_of[__builtin_ctz(m)] += before;
}

/* 8-byte accesses are served by halves of a warp, 16-byte ones by quarters.
 * But a load in which pairs of lanes want the same word needs half the data:
 * two groups go as one, `lanes`, if that takes a single pass. If it does not,
 * they go one after the other, and what is counted as conflicts is what the
 * joint passes would have been beyond the first. All this was measured on an
 * H200 (tests/device/wavefronts). */
static void serve_pair(const u64 *address, u32 lanes, u32 first_group,
                       unsigned bytes, bool joint, unsigned *wavefronts,
                       unsigned *conflicts, unsigned *pass_of)
{
  u32 part[2] = { lanes & first_group, lanes & ~first_group };
  unsigned joint_passes = 0;

  if (joint) {
    serve(address, lanes, bytes, &joint_passes, NULL);
    *conflicts += joint_passes > 0 ? joint_passes - 1 : 0;
  }
  if (joint_passes == 1) {
    serve(address, lanes, bytes, wavefronts, pass_of);
    return;
  }
  for (unsigned i = 0; i < 2; i++) {
    unsigned before = *wavefronts;

    if (part[i] != 0)
      serve(address, part[i], bytes, wavefronts, pass_of);
    if (!joint && part[i] != 0)
      *conflicts += *wavefronts - before - 1;
  }
}

void exec_wavefronts(const u64 *address, u32 mask, unsigned bytes,
                     bool is_load, unsigned *wavefronts, unsigned *ideal,
                     unsigned *pass_of)
{
  const u32 half = UINT32_C(0xffff), quarters = UINT32_C(0x00ff00ff);
  bool joint = is_load && bytes > 4 && in_pairs(address, mask, 2);
  unsigned conflicts = 0;

  *wavefronts = 0;
  if (bytes <= 4) {
    serve(address, mask, bytes, wavefronts, pass_of);
    conflicts = *wavefronts > 0 ? *wavefronts - 1 : 0;
  } else if (bytes <= 8) {
    joint = joint || (is_load && in_pairs(address, mask, 1));
    serve_pair(address, mask, half, bytes, joint, wavefronts, &conflicts,
               pass_of);
  } else {
    for (unsigned h = 0; h < 2; h++) {
      u32 lanes = mask & half << 16 * h;

      serve_pair(address, lanes, quarters, bytes,
                 joint || (is_load && in_pairs(address, lanes, 1)),
                 wavefronts, &conflicts, pass_of);
    }
  }
  *ideal = *wavefronts - conflicts;
}

static void trace_lane(struct warp *w, const struct step *s,
                       const struct request *r, uint64_t number,
                       unsigned lane, unsigned pass)
{
  const struct launch *launch = w->block->grid->launch;
  const struct ptx_instruction *ptx =
      w->block->grid->program->records[s->record].ptx;
  struct lane_access access = {
    .source = ptx->source, .ptx_line = ptx->line,
    .block = { w->block->id[0], w->block->id[1], w->block->id[2] },
    .warp = w->index, .lane = lane, .request = number, .space = r->space,
    .operation = r->kind == KIND_LOAD    ? ACCESS_LOAD
                 : r->kind == KIND_STORE ? ACCESS_STORE
                                         : ACCESS_ATOMIC,
    .address = r->address[lane], .bytes = r->bytes, .wavefront = pass,
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
    exec_wavefronts(r->address, r->mask, r->bytes, r->kind == KIND_LOAD,
                    &wavefronts, &ideal, pass_of);
  pthread_mutex_lock(&grid->lock);
  number = atomic_fetch_add(&grid->next_request, 1);
  for (unsigned l = 0; l < LANES; l++)
    if (r->mask >> l & 1)
      trace_lane(w, s, r, number, l, pass_of[l]);
  pthread_mutex_unlock(&grid->lock);
}
