/* Comparisons and packed conversions, one lane at a time. */
#include "half_steps.h"

#include "lanes/half.h"

static bool compared(enum comparison comparison, f32 a, f32 b)
{
  bool unordered = a != a || b != b;

  switch (comparison) {
  case COMPARE_EQ: return a == b;
  case COMPARE_NE: return a < b || a > b;
  case COMPARE_LT: return a < b;
  case COMPARE_LE: return a <= b;
  case COMPARE_GT: return a > b;
  case COMPARE_GE: return a >= b;
  case COMPARE_EQU: return unordered || a == b;
  case COMPARE_NEU: return unordered || a != b;
  case COMPARE_LTU: return unordered || a < b;
  case COMPARE_LEU: return unordered || a <= b;
  case COMPARE_GTU: return unordered || a > b;
  case COMPARE_GEU: return unordered || a >= b;
  case COMPARE_NUM: return !unordered;
  default: return unordered;
  }
}

static f32 source(u32 bits, const struct half_extra *x)
{
  u16 h = (u16)bits;

  if (x->ftz && (h & (x->bf16 ? 0x7f80 : 0x7c00)) == 0)
    h &= 0x8000;
  return x->bf16 ? f32_from_bf16(h) : f32_from_half(h);
}

static bool combined(const struct half_extra *x, bool r, bool c)
{
  return x->combine == 0   ? r
         : x->combine == 1 ? (r && c)
         : x->combine == 2 ? (r || c)
                           : r != c;
}

static u32 lane_bits(const struct warp *w, slot from, unsigned l, bool pair)
{
  return pair ? ((const u32 *)slot_at(w, from))[l]
              : ((const u16 *)slot_at(w, from))[l];
}

static void set_predicate(struct warp *w, slot to, unsigned l, bool value)
{
  u32 *d = slot_at(w, to);

  *d = (*d & ~(UINT32_C(1) << l)) | (u32)value << l;
}

static void set_value(struct warp *w, const struct step *s, unsigned l,
                      const bool r[2])
{
  const struct half_extra *x = s->extra;
  u32 one = !x->to_float ? 0xffff : x->bf16 ? 0x3f80 : 0x3c00;
  u32 value = (r[0] ? one : 0) | (x->pair && r[1] ? one << 16 : 0);

  if (!x->pair && !x->to_float && r[0])
    value = 0xffffffff;
  if (x->result_bytes == 4)
    ((u32 *)slot_at(w, s->d))[l] = value;
  else
    ((u16 *)slot_at(w, s->d))[l] = (u16)value;
}

const struct step *half_compare(struct warp *w, const struct step *s)
{
  const struct half_extra *x = s->extra;
  u32 c = x->combine == 0 ? 0 : predicate_at(w, s->c) ^ x->invert;

  for (u32 m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    u32 a = lane_bits(w, s->a, l, x->pair);
    u32 b = lane_bits(w, s->b, l, x->pair);
    bool r[2] = { false, false };

    for (unsigned i = 0; i < 1u + x->pair; i++)
      r[i] = combined(x,
                      compared(x->comparison, source(a >> 16 * i, x),
                               source(b >> 16 * i, x)),
                      c >> l & 1);
    if (x->is_set) {
      set_value(w, s, l, r);
      continue;
    }
    set_predicate(w, s->d, l, r[0]);
    if (x->has_second)
      set_predicate(w, x->second, l, r[1]);
  }
  return s + 1;
}

static f64 packed(const struct half_extra *x, f32 value)
{
  if (x->relu && value <= 0)
    return 0;
  return x->finite ? finite_f64(value, x->bf16 ? 0x1.fep127 : 65504.0) : value;
}

const struct step *half_pack(struct warp *w, const struct step *s)
{
  const struct half_extra *x = s->extra;
  const f32 *a = slot_at(w, s->a), *b = slot_at(w, s->b);
  u32 *d = slot_at(w, s->d);

  for (u32 m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);
    f64 high = packed(x, a[l]), low = packed(x, b[l]);

    d[l] = x->bf16 ? (u32)bf16_from_f64(high, x->rounding) << 16 |
                         bf16_from_f64(low, x->rounding)
                   : (u32)half_from_f64(high, x->rounding) << 16 |
                         half_from_f64(low, x->rounding);
  }
  return s + 1;
}
