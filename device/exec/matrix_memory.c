/* Matrices between registers and memory. */
#include <string.h>

#include "checked.h"
#include "lanes/access.h"
#include "matrix.h"

/* ---- wmma.load, wmma.store ----------------------------------------------- */

/* Lanes' own bytes of the fragment, packed as they lie in its registers. */
struct packed {
  u8 bytes[LANES][4 * MATRIX_REGISTERS * 2];
};

static unsigned register_bytes(const struct matrix_fragment *f)
{
  return f->type == MATRIX_F64 ? 8 : 4;
}

static void pack_fragment(const struct warp *w, const struct matrix_fragment *f,
                          struct packed *p)
{
  unsigned bytes = register_bytes(f);

  for (unsigned r = 0; r < f->n_registers; r++)
    for (unsigned l = 0; l < LANES; l++)
      memcpy(&p->bytes[l][r * bytes],
             (const u8 *)slot_at(w, f->registers[r]) + l * bytes, bytes);
}

/* Registers beyond the first `elements` repeat them. */
static void unpack(struct warp *w, const struct matrix_fragment *f,
                   const struct packed *p)
{
  unsigned bytes = register_bytes(f);
  unsigned held = f->elements * matrix_bits(f->type) / 8;

  for (unsigned r = 0; r < f->n_registers; r++)
    for (unsigned l = 0; l < LANES; l++)
      memcpy((u8 *)slot_at(w, f->registers[r]) + l * bytes,
             &p->bytes[l][r * bytes % held], bytes);
}

static u64 base_address(const struct warp *w, const struct step *s,
                        const struct memory_extra *x, unsigned lane)
{
  u64 base = 0;

  if (x->has_base)
    base = x->wide_address ? ((const u64 *)slot_at(w, s->a))[lane]
                           : ((const u32 *)slot_at(w, s->a))[lane];
  return base + s->immediate;
}

static u64 stride_of(const struct warp *w, const struct matrix_memory *x,
                     unsigned lane)
{
  if (x->has_stride)
    return ((const u32 *)slot_at(w, x->stride))[lane];
  return x->along_lines ? x->fragment.depth : x->fragment.lines;
}

/* One access of all lanes: elements `first` and its `n - 1` neighbours. */
static bool move_part(struct warp *w, const struct step *s, unsigned first,
                      unsigned n, struct packed *packed)
{
  const struct matrix_memory *x = s->extra;
  const struct matrix_fragment *f = &x->fragment;
  unsigned bits = matrix_bits(f->type), bytes = n * bits / 8;
  struct memory_extra memory = x->memory;
  struct step access = *s;
  u64 *address = slot_at(w, x->address);
  struct request r;

  for (unsigned l = 0; l < LANES; l++) {
    struct matrix_place p = matrix_place(f, l, first);
    u64 stride = stride_of(w, x, l);
    u64 at = x->along_lines ? p.line * stride + p.at : p.at * stride + p.line;

    address[l] = base_address(w, s, &x->memory, l) + at * bits / 8;
  }
  memory.has_base = memory.wide_address = true;
  access.a = x->address;
  access.immediate = 0;
  access.extra = &memory;
  checked_touch(w, s, &memory, address, FULL, bytes, x->is_store);
  r.mask = FULL;
  r.bytes = bytes;
  r.kind = x->is_store ? KIND_STORE : KIND_LOAD;
  if (!lane_handlers()->resolve(w, &access, &r))
    return false;
  for (unsigned l = 0; l < LANES; l++) {
    u8 *held = &packed->bytes[l][first * bits / 8];

    if (x->is_store)
      memcpy(request_lane(&r, l), held, bytes);
    else
      memcpy(held, request_lane(&r, l), bytes);
  }
  return true;
}

const struct step *matrix_move(struct warp *w, const struct step *s)
{
  const struct matrix_memory *x = s->extra;
  unsigned n = x->along_lines ? x->fragment.run : 1;
  struct packed packed;
  u32 mask = step_mask(w, s);

  if (mask == 0)
    return s + 1;
  if (!matrix_whole_warp(w, s, mask))
    return NULL;
  checked_together(w);
  if (x->is_store)
    pack_fragment(w, &x->fragment, &packed);
  for (unsigned i = 0; i < x->fragment.elements; i += n)
    if (!move_part(w, s, i, n, &packed))
      return NULL;
  if (!x->is_store)
    unpack(w, &x->fragment, &packed);
  checked_together(w);
  w->polled = true;
  return s + 1;
}

/* ---- ldmatrix, stmatrix -------------------------------------------------- */

/* Half `i` (0 or 1) of `lane`'s register: its place among a matrix's 64. */
static unsigned half_index(const struct matrix_rows *x, unsigned lane,
                           unsigned i)
{
  unsigned line = lane / 4, at = lane % 4 * 2 + i;

  return x->transposed ? at * 8 + line : line * 8 + at;
}

static void touch_rows(struct warp *w, const struct step *s,
                       const struct matrix_rows *x, u32 mask)
{
  u64 address[LANES];

  for (unsigned l = 0; l < LANES; l++)
    address[l] = base_address(w, s, &x->memory, l);
  checked_touch(w, s, &x->memory, address, mask, 16, x->is_store);
}

const struct step *matrix_rows(struct warp *w, const struct step *s)
{
  const struct matrix_rows *x = s->extra;
  u16 data[4][64];
  struct request r;
  u32 mask = step_mask(w, s);

  if (mask == 0)
    return s + 1;
  if (!matrix_whole_warp(w, s, mask))
    return NULL;
  checked_together(w);
  r.mask = x->n == 4 ? FULL : (UINT32_C(1) << 8 * x->n) - 1;
  r.bytes = 16;
  r.kind = x->is_store ? KIND_STORE : KIND_LOAD;
  touch_rows(w, s, x, r.mask);
  if (!lane_handlers()->resolve(w, s, &r))
    return NULL;
  if (!x->is_store)
    for (unsigned row = 0; row < 8 * x->n; row++)
      memcpy(&data[row / 8][row % 8 * 8], request_lane(&r, row), 16);
  for (unsigned m = 0; m < x->n; m++)
    for (unsigned i = 0; i < 2 * LANES; i++) {
      u16 *held = (u16 *)slot_at(w, x->registers[m]) + i;
      u16 *at = &data[m][half_index(x, i / 2, i % 2)];

      *(x->is_store ? at : held) = *(x->is_store ? held : at);
    }
  if (x->is_store)
    for (unsigned row = 0; row < 8 * x->n; row++)
      memcpy(request_lane(&r, row), &data[row / 8][row % 8 * 8], 16);
  checked_together(w);
  w->polled = true;
  return s + 1;
}
