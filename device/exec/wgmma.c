/* Reads the matrices out of registers and shared memory, multiplies them and
 * puts the result back, once all warps of a warpgroup are there. */
#include "wgmma.h"

#include <string.h>

#include "fault.h"
#include "lanes/half.h"

enum { WARP_ROWS = WGMMA_ROWS / WARPGROUP };

/* ---- operands ------------------------------------------------------------ */

static const u8 *chunk_at(struct warp *w, const struct step *s, u32 address)
{
  const struct block *block = w->block;

  if (address + UINT64_C(16) > block->shared_bytes) {
    exec_fault_access(w, s, 0, FAULT_OUT_OF_BOUNDS, SPACE_SHARED, address, 16,
                      false);
    return NULL;
  }
  return block->shared + address;
}

/* The elements of a chunk, `step` apart. */
static void split_chunk(const u8 *from, unsigned bytes, u32 *to, unsigned step)
{
  u8 one[16];
  u16 two[8];
  u32 four[4];

  switch (bytes) {
  case 1:
    memcpy(one, from, sizeof one);
    for (unsigned i = 0; i < 16; i++)
      to[i * step] = one[i];
    break;
  case 2:
    memcpy(two, from, sizeof two);
    for (unsigned i = 0; i < 8; i++)
      to[i * step] = two[i];
    break;
  default:
    memcpy(four, from, sizeof four);
    for (unsigned i = 0; i < 4; i++)
      to[i * step] = four[i];
  }
}

/* The tile's elements, as bits: (line, k) to to[line * line_step +
 * k * k_step]. */
static bool read_tile(struct warp *w, const struct step *s,
                      const struct wgmma_tile *tile, bool crosswise,
                      unsigned lines, unsigned depth, unsigned bytes, u32 *to,
                      unsigned line_step, unsigned k_step)
{
  unsigned along = crosswise ? 1 : 16 / bytes, across = crosswise ? 8 : 1;

  for (unsigned line = 0; line < lines; line += across)
    for (unsigned k = 0; k < depth; k += along) {
      unsigned inside;
      const u8 *from =
          chunk_at(w, s, wgmma_chunk(tile, crosswise, line, k, bytes, &inside));

      if (from == NULL)
        return false;
      split_chunk(from, bytes, &to[line * line_step + k * k_step],
                  crosswise ? line_step : k_step);
    }
  return true;
}

static void describe(const struct wgmma_extra *x, struct multiplication *p)
{
  p->a_type = x->a_type;
  p->b_type = x->b_type;
  p->d_type = x->d_type;
  p->rows = WGMMA_ROWS;
  p->n = x->n;
  p->k = x->a_type == MATRIX_B1 ? x->k / 32 : x->k;
  p->at_once = p->k;
  /* The two signs of imm-scale-a and -b make one. */
  p->negate = x->negate_a != x->negate_b;
}

/* A in a warp's registers: four of them, each with some elements of a row. */
static void read_registers(const struct warp *w, const struct wgmma_extra *x,
                           struct multiplication *p)
{
  unsigned bits = matrix_bits(x->a_type);
  unsigned each = bits == 1 ? 1 : 32 / bits; /* elements in a register */
  u32 mask = bits == 1 || bits == 32 ? FULL : (UINT32_C(1) << bits) - 1;
  u32 *rows = &p->a[w->index % WARPGROUP * WARP_ROWS * p->k];

  for (unsigned r = 0; r < 4; r++) {
    const u32 *from = slot_at(w, x->a_registers[r]);

    for (unsigned l = 0; l < LANES; l++)
      for (unsigned i = 0; i < each; i++)
        rows[(l / 4 + 8 * (r & 1)) * p->k + (r / 2 * 4 + l % 4) * each + i] =
            from[l] >> (i * bits % 32) & mask;
  }
}

/* All threads have to agree on what the whole warpgroup uses. */
static bool one_value(struct warp *group, const struct step *s, slot from,
                      const char *what, u64 *value)
{
  *value = *(const u64 *)slot_at(group, from);
  for (unsigned i = 0; i < WARPGROUP * LANES; i++) {
    struct warp *w = &group[i / LANES];
    u64 lane = ((const u64 *)slot_at(w, from))[i % LANES];

    if (lane == *value)
      continue;
    exec_fault(w, s, i % LANES, FAULT_UNSUPPORTED,
               "the %s is 0x%llx in thread %u of the warpgroup and 0x%llx in "
               "thread 0: PTX leaves undefined what it does",
               what, (unsigned long long)lane, i, (unsigned long long)*value);
    return false;
  }
  return true;
}

static bool one_predicate(struct warp *group, const struct step *s, bool *value)
{
  const struct wgmma_extra *x = s->extra;

  *value = (predicate_at(group, x->keeps) ^ x->keeps_invert) & 1;
  for (unsigned i = 0; i < WARPGROUP; i++) {
    u32 lanes = predicate_at(&group[i], x->keeps) ^ x->keeps_invert;
    u32 others = *value ? ~lanes : lanes;

    if (others == 0)
      continue;
    exec_fault(&group[i], s, (unsigned)__builtin_ctz(others), FAULT_UNSUPPORTED,
               "scale-d is %s in thread 0 of the warpgroup and not here: PTX "
               "leaves undefined what it does",
               *value ? "true" : "false");
    return false;
  }
  return true;
}

static bool read_operands(struct warp *group, const struct step *s,
                          struct multiplication *p)
{
  const struct wgmma_extra *x = s->extra;
  unsigned bits = matrix_bits(x->b_type);
  unsigned bytes = bits == 1 ? 4 : bits / 8;
  u64 descriptor;
  struct wgmma_tile tile;

  if (!one_value(group, s, x->b, "descriptor of B", &descriptor))
    return false;
  tile = wgmma_tile_of(descriptor);
  if (!read_tile(group, s, &tile, x->b_crosswise, x->n, p->k, bytes, p->b, 1,
                 p->n))
    return false;
  if (!x->a_is_shared) {
    for (unsigned i = 0; i < WARPGROUP; i++)
      read_registers(&group[i], x, p);
    return true;
  }
  if (!one_value(group, s, x->a, "descriptor of A", &descriptor))
    return false;
  tile = wgmma_tile_of(descriptor);
  return read_tile(group, s, &tile, x->a_crosswise, WGMMA_ROWS, p->k, bytes,
                   p->a, p->k, 1);
}

/* ---- sums ---------------------------------------------------------------- */

/* A warp's registers hold its 16 rows of n sums in pairs: lane l has two of row
 * l / 4, or of the row eight below it, from column 2 * (l % 4) on. Further pairs
 * are eight columns on. */
enum { QUADS = 8, PAIR = 2, QUAD = 4 };

/* Where pair `i` of lane 0 is among the warpgroup's sums. */
static unsigned pair_at(const struct warp *w, unsigned n, unsigned i)
{
  return (w->index % WARPGROUP * WARP_ROWS + 8 * (i & 1)) * n + i / 2 * 8;
}

static unsigned pairs_of(const struct wgmma_extra *x)
{
  return x->n_registers / (x->d_type == MATRIX_F16 ? 1 : PAIR);
}

/* Sums in single precision, the usual ones: nothing is asked in the loop, so
 * that the compiler makes vectors of it. */
static void read_singles(const u32 *even, const u32 *odd, unsigned n,
                         f64 *restrict real)
{
  for (unsigned q = 0; q < QUADS; q++, real += n)
    for (unsigned l = 0; l < QUAD; l++) {
      real[PAIR * l] = (f64)f32_bits(even[QUAD * q + l]);
      real[PAIR * l + 1] = (f64)f32_bits(odd[QUAD * q + l]);
    }
}

static void write_singles(u32 *restrict even, u32 *restrict odd, unsigned n,
                          const f64 *real)
{
  for (unsigned q = 0; q < QUADS; q++, real += n)
    for (unsigned l = 0; l < QUAD; l++) {
      even[QUAD * q + l] = matrix_single(real[PAIR * l]);
      odd[QUAD * q + l] = matrix_single(real[PAIR * l + 1]);
    }
}

static void read_sums(const struct warp *w, const struct wgmma_extra *x,
                      struct multiplication *p)
{
  for (unsigned i = 0; i < pairs_of(x); i++) {
    bool half = x->d_type == MATRIX_F16;
    const u32 *even = slot_at(w, x->d[half ? i : 2 * i]);
    const u32 *odd = slot_at(w, x->d[half ? i : 2 * i + 1]);
    unsigned at = pair_at(w, x->n, i);

    if (x->d_type == MATRIX_F32) {
      read_singles(even, odd, x->n, &p->sums.real[at]);
      continue;
    }
    for (unsigned q = 0; q < QUADS; q++, at += x->n)
      for (unsigned l = 0; l < QUAD; l++) {
        f64 *real = &p->sums.real[at + PAIR * l];
        s64 *whole = &p->sums.whole[at + PAIR * l];

        if (half) {
          real[0] = (f64)f32_from_half((u16)even[QUAD * q + l]);
          real[1] = (f64)f32_from_half((u16)(even[QUAD * q + l] >> 16));
        } else {
          whole[0] = (s32)even[QUAD * q + l];
          whole[1] = (s32)odd[QUAD * q + l];
        }
      }
  }
}

static u32 whole_result(s64 sum, bool saturate)
{
  if (saturate && sum != (s32)sum)
    return sum < 0 ? (u32)INT32_MIN : (u32)INT32_MAX;
  return (u32)(u64)sum;
}

static void write_sums(struct warp *w, const struct wgmma_extra *x,
                       const struct multiplication *p)
{
  for (unsigned i = 0; i < pairs_of(x); i++) {
    bool half = x->d_type == MATRIX_F16;
    u32 *even = slot_at(w, x->d[half ? i : 2 * i]);
    u32 *odd = slot_at(w, x->d[half ? i : 2 * i + 1]);
    unsigned at = pair_at(w, x->n, i);

    if (x->d_type == MATRIX_F32) {
      write_singles(even, odd, x->n, &p->sums.real[at]);
      continue;
    }
    for (unsigned q = 0; q < QUADS; q++, at += x->n)
      for (unsigned l = 0; l < QUAD; l++) {
        const f64 *real = &p->sums.real[at + PAIR * l];
        const s64 *whole = &p->sums.whole[at + PAIR * l];

        if (half) {
          even[QUAD * q + l] = matrix_half(real[0]) | matrix_half(real[1])
                                                          << 16;
        } else {
          even[QUAD * q + l] = whole_result(whole[0], x->saturate);
          odd[QUAD * q + l] = whole_result(whole[1], x->saturate);
        }
      }
  }
}

/* ---- instructions -------------------------------------------------------- */

/* wgmma is for four warps side by side, the first of which has a number that
 * is a multiple of four, and all of their threads. */
static bool whole_warpgroup(struct warp *w, const struct step *s, u32 mask)
{
  u32 end = (w->index / WARPGROUP + 1) * WARPGROUP * LANES;

  if (w->block->n_threads < end) {
    exec_fault(w, s, (unsigned)__builtin_ctz(mask), FAULT_ILLEGAL,
               "the block has %u threads: this instruction needs whole "
               "warpgroups, of 128 threads each",
               w->block->n_threads);
    return false;
  }
  return matrix_whole_warp(w, s, mask);
}

static bool multiply(struct warp *group, const struct step *s)
{
  const struct wgmma_extra *x = s->extra;
  struct multiplication p;
  bool keeps;

  describe(x, &p);
  if (!one_predicate(group, s, &keeps) || !read_operands(group, s, &p))
    return false;
  if (keeps)
    for (unsigned i = 0; i < WARPGROUP; i++)
      read_sums(&group[i], x, &p);
  else
    memset(&p.sums, 0, WGMMA_ROWS * p.n * sizeof *p.sums.real);
  lane_handlers()->multiply(&p);
  for (unsigned i = 0; i < WARPGROUP; i++)
    write_sums(&group[i], x, &p);
  return true;
}

/* An H200 reads 128 bytes in a pass, of B once for all four warps. */
static void count_passes(struct warp *w, const struct step *s)
{
  enum { DEPTH_BYTES = 32, PASS_BYTES = 128 };
  const struct wgmma_extra *x = s->extra;

  w->counts[s->record].wavefronts +=
      (x->n + (x->a_is_shared ? WGMMA_ROWS : 0)) * DEPTH_BYTES / PASS_BYTES;
}

static void release(struct warp *w)
{
  for (struct path *path = w->paths; path != NULL; path = path->next)
    if (path->state == PATH_AT_BARRIER && path->barrier == WARPGROUP_BARRIER)
      path->state = PATH_READY;
}

const struct step *wgmma_multiply(struct warp *w, const struct step *s)
{
  struct warpgroup *group = &w->block->warpgroups[w->index / WARPGROUP];
  struct warp *first = w - w->index % WARPGROUP;
  u32 mask = step_mask(w, s);

  if (mask == 0)
    return s + 1;
  if (!whole_warpgroup(w, s, mask))
    return NULL;
  if (group->arrived != 0 && group->at != s)
    return exec_fault(w, s, 0, FAULT_BARRIER,
                      "another warp of the warpgroup is at another wgmma: its "
                      "four warps execute the same one");
  group->at = s;
  group->arrived |= UINT32_C(1) << w->index % WARPGROUP;
  w->polled = true;
  if (group->arrived == (UINT32_C(1) << WARPGROUP) - 1) {
    group->arrived = 0;
    if (!multiply(first, s))
      return NULL;
    count_passes(w, s);
    for (unsigned i = 0; i < WARPGROUP; i++)
      release(&first[i]);
    return s + 1;
  }
  w->path->state = PATH_AT_BARRIER;
  w->path->barrier = WARPGROUP_BARRIER;
  w->path->mask = w->mask;
  w->path->pc = s + 1;
  return NULL;
}

const struct step *wgmma_order(struct warp *w, const struct step *s)
{
  u32 mask = step_mask(w, s);

  if (mask != 0 && !whole_warpgroup(w, s, mask))
    return NULL;
  return s + 1;
}
