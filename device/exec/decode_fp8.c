/* Conversions to and from pairs of 8-bit floats (PTX ISA 9.7.9.21). */
#include "decode.h"
#include "lanes/half.h"

struct eight_extra {
  struct eight format;
  bool relu;
  bool singles; /* from two .f32 in `a` and `b`, not from a pair of halves */
};

static f64 kept(const struct eight_extra *x, f64 value)
{
  return x->relu && value <= 0 ? 0 : value;
}

static const struct step *to_eight(struct warp *w, const struct step *s)
{
  const struct eight_extra *x = s->extra;

  for (u32 mask = step_mask(w, s); mask != 0; mask &= mask - 1) {
    unsigned l = (unsigned)__builtin_ctz(mask);
    u32 a = ((const u32 *)slot_at(w, s->a))[l];
    f64 high = (f64)f32_bits(a), low = 0;

    if (x->singles) {
      low = (f64)f32_bits(((const u32 *)slot_at(w, s->b))[l]);
    } else {
      high = (f64)f32_from_half((u16)(a >> 16));
      low = (f64)f32_from_half((u16)a);
    }
    ((u16 *)slot_at(w, s->d))[l] =
        (u16)(eight_from_f64(kept(x, high), x->format) << 8 |
              eight_from_f64(kept(x, low), x->format));
  }
  return s + 1;
}

static const struct step *from_eight(struct warp *w, const struct step *s)
{
  const struct eight_extra *x = s->extra;

  for (u32 mask = step_mask(w, s); mask != 0; mask &= mask - 1) {
    unsigned l = (unsigned)__builtin_ctz(mask);
    u32 a = ((const u16 *)slot_at(w, s->a))[l];
    f64 low = kept(x, f64_from_eight(a & 0xff, x->format));
    f64 high = kept(x, f64_from_eight(a >> 8, x->format));

    ((u32 *)slot_at(w, s->d))[l] =
        (u32)half_from_f64(high, 0) << 16 | half_from_f64(low, 0);
  }
  return s + 1;
}

static bool decode_eight(struct decoder *d, bool to, bool singles)
{
  const struct ptx_operand *operands = d->instruction->operands;
  struct eight_extra *x = decode_keep(d, sizeof *x);
  slot result, a, b = SLOT_TRUE;
  struct step *s;

  x->format = ptx_has(&d->match, "e4m3x2") ? EIGHT_E4M3 : EIGHT_E5M2;
  x->relu = ptx_has(&d->match, "relu");
  x->singles = singles;
  if (!decode_operands(d, 2u + singles, 2u + singles) ||
      !decode_source(d, &operands[1], to ? 4 : 2, &a) ||
      (singles && !decode_source(d, &operands[2], 4, &b)) ||
      !decode_result(d, &operands[0], to ? 2 : 4, &result))
    return false;
  s = decode_emit(d, to ? to_eight : from_eight);
  s->d = result;
  s->a = a;
  s->b = b;
  s->extra = x;
  return true;
}

bool decode_convert_to_eight(struct decoder *d)
{
  return decode_eight(d, true, ptx_has(&d->match, "f32"));
}

bool decode_convert_from_eight(struct decoder *d)
{
  return decode_eight(d, false, false);
}
