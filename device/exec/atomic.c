#include "atomic.h"

#include <string.h>

#include "lanes/access.h"
#include "lanes/half.h"

/* The new value for `old`, in the low bits. */
static u64 integer_value(const struct atomic_extra *x, u64 old, u64 b, u64 c)
{
  switch (x->op) {
  case ATOMIC_AND: return old & b;
  case ATOMIC_OR: return old | b;
  case ATOMIC_XOR: return old ^ b;
  case ATOMIC_ADD: return old + b;
  case ATOMIC_INC: return (u32)old >= (u32)b ? 0 : old + 1;
  case ATOMIC_DEC: return old == 0 || (u32)old > (u32)b ? b : old - 1;
  case ATOMIC_EXCH: return b;
  case ATOMIC_CAS: return old == b ? c : old;
  default: break;
  }
  if (x->type == TYPE_S32)
    old = (u64)(s64)(s32)old, b = (u64)(s64)(s32)b;
  if (ptx_type_is_signed(x->type))
    return ((s64)old < (s64)b) == (x->op == ATOMIC_MIN) ? old : b;
  return (old < b) == (x->op == ATOMIC_MIN) ? old : b;
}

static u16 half_sum(u64 a, u64 b)
{
  return half_from_f64((f64)f32_from_half((u16)a) +
                       (f64)f32_from_half((u16)b), 0);
}

static u16 bf16_sum(u64 a, u64 b)
{
  return bf16_from_f64((f64)f32_from_bf16((u16)a) +
                       (f64)f32_from_bf16((u16)b), 0);
}

/* PTX ISA: on global memory, atomic addition of .f32 flushes subnormals. */
static f32 sum_f32(f32 a, f32 b, bool flush)
{
  if (!flush)
    return one_nan_f32(a + b);
  return flush_f32(one_nan_f32(flush_f32(a) + flush_f32(b)));
}

static u64 new_value(const struct atomic_extra *x, u64 old, u64 b, u64 c,
                     bool global)
{
  switch (x->type) {
  case TYPE_F32:
    return bits_f32(sum_f32(f32_bits((u32)old), f32_bits((u32)b), global));
  case TYPE_F64: return bits_f64(f64_bits(old) + f64_bits(b));
  case TYPE_F16: return half_sum(old, b);
  case TYPE_BF16: return bf16_sum(old, b);
  case TYPE_F16X2:
    return half_sum(old, b) | (u32)half_sum(old >> 16, b >> 16) << 16;
  case TYPE_BF16X2:
    return bf16_sum(old, b) | (u32)bf16_sum(old >> 16, b >> 16) << 16;
  default: return integer_value(x, old, b, c);
  }
}

#define UPDATE(bits)                                                         \
  static u64 update_##bits(u##bits *at, const struct atomic_extra *x, u64 b, \
                           u64 c, bool global)                               \
  {                                                                          \
    u##bits old = __atomic_load_n(at, __ATOMIC_RELAXED), new;                \
    do                                                                       \
      new = (u##bits)new_value(x, old, b, c, global);                        \
    while (!__atomic_compare_exchange_n(at, &old, new, false,                \
                                        __ATOMIC_SEQ_CST,                    \
                                        __ATOMIC_SEQ_CST));                  \
    return old;                                                              \
  }
UPDATE(16)
UPDATE(32)
UPDATE(64)

static u64 update(void *at, unsigned bytes, const struct atomic_extra *x,
                  u64 b, u64 c, bool global)
{
  if (bytes == 4 && x->op == ATOMIC_ADD && !ptx_type_is_float(x->type))
    return __atomic_fetch_add((u32 *)at, (u32)b, __ATOMIC_SEQ_CST);
  if (bytes == 8)
    return update_64(at, x, b, c, global);
  return bytes == 4 ? update_32(at, x, b, c, global)
                    : update_16(at, x, b, c, global);
}

static u64 lane_value(const struct warp *w, slot s, unsigned bytes,
                      unsigned l)
{
  if (bytes == 8)
    return ((const u64 *)slot_at(w, s))[l];
  return bytes == 4 ? ((const u32 *)slot_at(w, s))[l]
                    : ((const u16 *)slot_at(w, s))[l];
}

static void set_lane(struct warp *w, slot s, unsigned bytes, unsigned l,
                     u64 value)
{
  if (bytes == 8)
    ((u64 *)slot_at(w, s))[l] = value;
  else if (bytes == 4)
    ((u32 *)slot_at(w, s))[l] = (u32)value;
  else
    ((u16 *)slot_at(w, s))[l] = (u16)value;
}

const struct step *atomic_run(struct warp *w, const struct step *s)
{
  const struct atomic_extra *x = s->extra;
  unsigned bytes = x->memory.bytes;
  struct request r;

  r.mask = step_mask(w, s);
  r.bytes = bytes;
  r.kind = KIND_ATOMIC;
  if (r.mask == 0)
    return s + 1;
  if (!lane_handlers()->resolve(w, s, &r))
    return NULL;
  for (u32 m = r.mask; m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u64 b = lane_value(w, s->b, bytes, l);
    u64 c = x->op == ATOMIC_CAS ? lane_value(w, s->c, bytes, l) : 0;
    u64 old = update(request_lane(&r, l), bytes, x, b, c,
                     r.space == SPACE_GLOBAL);

    if (x->has_result)
      set_lane(w, s->d, bytes, l, old);
  }
  w->polled = true;
  return s + 1;
}
