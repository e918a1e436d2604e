/* Reads a tensor map and copies its boxes row by row, with zeros outside of
 * the tensor. */
#include "tensor.h"

#include <string.h>

#include "../count/sectors.h"
#include "cluster.h"
#include "fault.h"

enum {
  CHUNK = 16,         /* swizzling moves 16 bytes at a time */
  MOST_ROWS = 1 << 20 /* more than fit into any shared memory */
};

/* One lane's copy. */
struct move {
  struct warp *w;
  const struct step *s;
  unsigned lane;
  const struct tensor_map *map;
  int32_t at[TENSOR_RANK]; /* the box's first corner */
  uint64_t shared;         /* its address in shared memory */
  uint8_t *box;            /* on the host */
  uint32_t row_bytes, rows;
};

/* ---- the tensor map ------------------------------------------------------ */

static bool find_map(struct move *m, uint64_t address)
{
  const struct grid *grid = m->w->block->grid;
  const struct tensor_extra *x = m->s->extra;
  struct allocation found;
  const struct tensor_map *map = NULL;

  if (address - PARAMETER_WINDOW < grid->kernel->parameter_bytes)
    map = (const void *)(grid->parameters + (address - PARAMETER_WINDOW));
  else if (memory_find(address, &found) &&
           found.address + found.bytes - address >= TENSOR_MAP_BYTES)
    map = memory_view(address, TENSOR_MAP_BYTES);
  if (address % 64 != 0 || map == NULL || map->mark != TENSOR_MAP_MARK) {
    exec_fault(m->w, m->s, m->lane, FAULT_OUT_OF_BOUNDS,
               "no tensor map is at 0x%llx: it is 128 bytes, aligned to 64, "
               "that cuTensorMapEncodeTiled filled",
               (unsigned long long)address);
    return false;
  }
  if (map->rank != x->rank) {
    exec_fault(m->w, m->s, m->lane, FAULT_UNSUPPORTED,
               "%u coordinates for a tensor map of %u dimensions", x->rank,
               map->rank);
    return false;
  }
  m->map = map;
  m->row_bytes = (uint32_t)map->box[0] * map->element_bytes;
  m->rows = 1;
  for (unsigned i = 1; i < map->rank; i++)
    if ((m->rows *= map->box[i]) > MOST_ROWS) {
      exec_fault(m->w, m->s, m->lane, FAULT_OUT_OF_BOUNDS,
                 "a box larger than shared memory");
      return false;
    }
  return true;
}

/* ---- rows ---------------------------------------------------------------- */

/* Address of the row's element of coordinate 0; false: the row lies outside. */
static bool row_place(const struct move *m, uint32_t row, uint64_t *address)
{
  const struct tensor_map *map = m->map;

  *address = map->address;
  for (unsigned i = 1; i < map->rank; i++) {
    int64_t at = m->at[i] + (int64_t)(row % map->box[i]) * map->step[i];

    row /= map->box[i];
    if (at < 0 || at > map->last[i])
      return false;
    *address += (uint64_t)at * map->stride[i];
  }
  return true;
}

/* The elements [*from, *to) of a row that lie within the tensor. */
static void row_extent(const struct move *m, uint32_t *from, uint32_t *to)
{
  int64_t first = m->at[0], n = m->map->box[0];
  int64_t left = (int64_t)m->map->last[0] + 1 - first;

  *from = (uint32_t)(first >= 0 ? 0 : -first < n ? -first : n);
  *to = (uint32_t)(left < 0 ? 0 : left < n ? left : n);
  if (*to < *from)
    *to = *from;
}

/* Where byte `offset` of the box lies: bits 4… of the address are changed by
 * bits 7…, as many as the pattern's chunks have. */
static uint8_t *box_place(const struct move *m, uint32_t offset)
{
  uint64_t address = m->shared + offset;
  uint64_t mask = m->map->swizzle == 0 ? 0 : m->map->swizzle / CHUNK - 1;
  uint64_t moved = address ^ ((address >> 7 & mask) << 4);

  return m->box + (int64_t)(moved - m->shared);
}

static void combine(const struct move *m, uint8_t *to, const uint8_t *from,
                    uint32_t bytes)
{
  static const enum ptx_type types[TENSOR_TYPES] = {
    [TENSOR_U8] = TYPE_U8,
    [TENSOR_U16] = TYPE_U16,
    [TENSOR_U32] = TYPE_U32,
    [TENSOR_S32] = TYPE_S32,
    [TENSOR_U64] = TYPE_U64,
    [TENSOR_S64] = TYPE_S64,
    [TENSOR_F16] = TYPE_F16,
    [TENSOR_F32] = TYPE_F32,
    [TENSOR_F64] = TYPE_F64,
    [TENSOR_BF16] = TYPE_BF16,
    [TENSOR_F32_FLUSHED] = TYPE_F32,
    [TENSOR_TF32] = TYPE_F32,
    [TENSOR_TF32_FLUSHED] = TYPE_F32,
  };
  const struct tensor_extra *x = m->s->extra;
  struct atomic_extra operation = x->bulk.operation;
  unsigned element = m->map->element_bytes;
  bool flushes =
      m->map->type == TENSOR_F32_FLUSHED || m->map->type == TENSOR_TF32_FLUSHED;

  operation.type = types[m->map->type];
  operation.memory.bytes = element;
  for (uint32_t i = 0; i < bytes; i += element) {
    uint64_t value = 0;

    memcpy(&value, from + i, element);
    atomic_update(to + i, &operation, value, flushes);
  }
}

/* Numbers of tf32 are rounded to nearest even as they are loaded; subnormals
 * stay even where a sum would flush them, and NaNs become one. That is what an
 * H100 does. */
static uint32_t round_tf32(uint32_t bits)
{
  if ((bits & 0x7fffffff) > 0x7f800000)
    return 0x7fffe000;
  return (bits + 0xfff + (bits >> 13 & 1)) & ~UINT32_C(0x1fff);
}

static void load_bytes(const struct move *m, uint8_t *to, const uint8_t *from,
                       uint32_t bytes)
{
  memcpy(to, from, bytes);
  if (m->map->type != TENSOR_TF32 && m->map->type != TENSOR_TF32_FLUSHED)
    return;
  for (uint32_t i = 0; i + 4 <= bytes; i += 4) {
    uint32_t bits;

    memcpy(&bits, to + i, sizeof bits);
    bits = round_tf32(bits);
    memcpy(to + i, &bits, sizeof bits);
  }
}

/* Bytes [from, to) of a row, of which the tensor has those at `global`. */
static void move_bytes(const struct move *m, uint32_t row, uint32_t from,
                       uint32_t to, uint8_t *global)
{
  const struct tensor_extra *x = m->s->extra;

  while (from < to) {
    uint32_t n =
        CHUNK - from % CHUNK < to - from ? CHUNK - from % CHUNK : to - from;
    uint8_t *here = box_place(m, row * m->row_bytes + from);

    if (x->loads)
      load_bytes(m, here, global, n);
    else if (x->bulk.reduces)
      combine(m, global, here, n);
    else
      memcpy(global, here, n);
    global += n;
    from += n;
  }
}

/* What lies outside of the tensor. An H100's NaN is made of this number of 16
 * bits. */
static void fill_bytes(const struct move *m, uint32_t row, uint32_t from,
                       uint32_t to)
{
  static const uint8_t nan[] = { 0xf7, 0x7f };

  for (; from < to; from++)
    *box_place(m, row * m->row_bytes + from) =
        m->map->fills_nan ? nan[from % 2] : 0;
}

static bool move_row(const struct move *m, uint32_t row)
{
  const struct tensor_extra *x = m->s->extra;
  struct bulk_address global = { .memory = { .space = ACCESS_GLOBAL } };
  unsigned element = m->map->element_bytes;
  uint32_t from, to;
  uint64_t address;
  uint8_t *there = NULL;

  row_extent(m, &from, &to);
  bool is_there = row_place(m, row, &address);
  if (!is_there)
    from = to = 0;
  /* An H200 counts what a load finds outside of the tensor, too; a row that is
   * outside altogether has no address and counts as if it began a line. */
  m->w->counts[m->s->record].sectors += count_sectors_of_copy(
      is_there
          ? address + (uint64_t)(((int64_t)m->at[0] + (x->loads ? 0 : from)) *
                                 element)
          : 0,
      x->loads ? m->row_bytes : (to - from) * element);
  address += (uint64_t)((int64_t)m->at[0] + from) * element;
  if (from < to) {
    there = bulk_reach(m->w, m->s, m->lane, &global, address,
                       (to - from) * element, element, !x->loads);
    if (there == NULL)
      return false;
  }
  if (x->loads) {
    fill_bytes(m, row, 0, from * element);
    fill_bytes(m, row, to * element, m->row_bytes);
  }
  move_bytes(m, row, from * element, to * element, there);
  return true;
}

/* ---- copies -------------------------------------------------------------- */

static bool supported(const struct move *m)
{
  const struct tensor_extra *x = m->s->extra;

  if (!x->bulk.reduces ||
      (m->map->type != TENSOR_U8 && m->map->type != TENSOR_U16))
    return true;
  exec_fault(m->w, m->s, m->lane, FAULT_UNSUPPORTED,
             "a reduction of elements of %u bytes", m->map->element_bytes);
  return false;
}

/* Where a box may begin, as an H200 has it: it answers anything else with an
 * illegal instruction. */
static bool begins_well(const struct move *m)
{
  const struct tensor_extra *x = m->s->extra;

  if (m->at[0] % (int32_t)(16 / m->map->element_bytes) != 0) {
    exec_fault(m->w, m->s, m->lane, FAULT_ILLEGAL,
               "the first coordinate is %d, and elements have %u bytes: a box "
               "begins at a multiple of 16 bytes",
               m->at[0], m->map->element_bytes);
    return false;
  }
  for (unsigned i = 0; !x->loads && i < x->rank; i++)
    if (m->at[i] < 0) {
      exec_fault(m->w, m->s, m->lane, FAULT_ILLEGAL,
                 "coordinate %u is %d: only a load may begin before the tensor",
                 i, m->at[i]);
      return false;
    }
  return true;
}

static bool copy_box(struct move *m, uint64_t shared, uint64_t barrier)
{
  const struct tensor_extra *x = m->s->extra;
  uint32_t bytes = m->rows * m->row_bytes;

  m->shared = shared >= SHARED_WINDOW ? shared - SHARED_WINDOW : shared;
  m->box = bulk_reach(m->w, m->s, m->lane, &x->bulk.to, shared, bytes, 128,
                      x->loads);
  if (m->box == NULL)
    return false;
  /* The pattern follows addresses within the block that has them. */
  m->shared &= UINT64_C(0xffffff);
  for (uint32_t row = 0; row < m->rows; row++)
    if (!move_row(m, row))
      return false;
  return bulk_tell_barrier(m->w, m->s, m->lane, &x->bulk, barrier, bytes);
}

static bool copy_to_many(struct move *m, uint64_t shared, uint64_t barrier)
{
  const struct tensor_extra *x = m->s->extra;
  uint32_t ranks = ((const uint16_t *)slot_at(m->w, x->bulk.ranks))[m->lane];

  for (; ranks != 0; ranks &= ranks - 1) {
    uint32_t rank = (uint32_t)__builtin_ctz(ranks);

    if (!copy_box(m, cluster_map(m->w->block, shared, rank),
                  cluster_map(m->w->block, barrier, rank)))
      return false;
  }
  return true;
}

const struct step *tensor_copy(struct warp *w, const struct step *s)
{
  const struct tensor_extra *x = s->extra;

  for (uint32_t mask = step_mask(w, s); mask != 0; mask &= mask - 1) {
    unsigned l = (unsigned)__builtin_ctz(mask);
    struct move m = { .w = w, .s = s, .lane = l };
    uint64_t shared = bulk_address_of(w, &x->bulk.to, l);
    uint64_t barrier =
        x->bulk.has_barrier ? bulk_address_of(w, &x->bulk.barrier, l) : 0;

    if (!find_map(&m, ((const uint64_t *)slot_at(w, x->map))[l]) ||
        !supported(&m))
      return NULL;
    for (unsigned i = 0; i < x->rank; i++)
      m.at[i] = ((const int32_t *)slot_at(w, x->coordinates[i]))[l];
    if (!begins_well(&m))
      return NULL;
    if (!(x->bulk.to_many ? copy_to_many : copy_box)(&m, shared, barrier))
      return NULL;
  }
  w->polled = true;
  return s + 1;
}
