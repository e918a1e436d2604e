/* Video instructions, one lane at a time: select, calculate wider, saturate,
 * merge. */
#include "video.h"

#include "lanes/lanes.h"

static s64 clamp(s64 v, unsigned bits, bool is_signed)
{
  s64 most = (INT64_C(1) << (bits - is_signed)) - 1;
  s64 least = is_signed ? -most - 1 : 0;

  return v > most ? most : v < least ? least : v;
}

static s64 part_of(u64 v, unsigned part, unsigned bits, bool is_signed)
{
  v = v >> part * bits << (64 - bits);
  return is_signed ? (s64)v >> (64 - bits) : (s64)(v >> (64 - bits));
}

static bool compared(enum comparison comparison, s64 a, s64 b)
{
  switch (comparison) {
  case COMPARE_EQ: return a == b;
  case COMPARE_NE: return a != b;
  case COMPARE_LT: return a < b;
  case COMPARE_LE: return a <= b;
  case COMPARE_GT: return a > b;
  default: return a >= b;
  }
}

static s64 shifted(const struct video_extra *x, s64 a, s64 b)
{
  unsigned n = (unsigned)(x->wraps ? b & 31 : b > 32 || b < 0 ? 32 : b);

  return x->op == VIDEO_SHL ? (s64)((u64)a << n) : a >> n;
}

static s64 calculated(const struct video_extra *x, s64 a, s64 b)
{
  switch (x->op) {
  case VIDEO_ADD: return a + b;
  case VIDEO_SUB: return a - b;
  case VIDEO_ABSDIFF: return a > b ? a - b : b - a;
  case VIDEO_MIN: return a < b ? a : b;
  case VIDEO_MAX: return a > b ? a : b;
  case VIDEO_AVRG: return (a + b + (a + b >= 0)) >> 1;
  case VIDEO_SET: return compared(x->comparison, a, b);
  default: return shifted(x, a, b);
  }
}

/* a * b + c, each negated or not, shifted right, as the reference says. */
static u32 multiply_add(const struct video_extra *x, s64 a, s64 b, u32 c)
{
  bool minus = x->a.negated != x->b.negated;
  bool is_signed = x->a.is_signed || x->b.is_signed || minus || x->c_negated;
  __int128 sum = (__int128)a * b;
  __int128 most = is_signed ? INT32_MAX : UINT32_MAX;
  __int128 least = is_signed ? INT32_MIN : 0;
  int one = x->plus_one;

  if (!one && minus) {
    sum = ~sum;
    one = 1;
  } else if (!one && x->c_negated) {
    c = ~c;
    one = 1;
  }
  sum += (is_signed ? (__int128)(s32)c : (__int128)c) + one;
  sum >>= x->shift;
  if (x->saturates)
    sum = sum > most ? most : sum < least ? least : sum;
  return (u32)sum;
}

static u32 merged(u32 c, u32 value, unsigned part, unsigned bits)
{
  u32 field = (u32)((UINT64_C(1) << bits) - 1) << part * bits;

  return (c & ~field) | (value << part * bits & field);
}

static u32 single(const struct video_extra *x, u32 a, u32 b, u32 c)
{
  s64 from_a = part_of(a, x->a.part[0], x->a_bits, x->a.is_signed);
  s64 from_b = part_of(b, x->b.part[0], x->b_bits, x->b.is_signed);
  bool is_signed = x->op == VIDEO_SET ? x->a.is_signed : x->result_signed;
  s64 other = is_signed ? (s64)(s32)c : (s64)c, value;

  if (x->op == VIDEO_MAD)
    return multiply_add(x, from_a, from_b, c);
  value = calculated(x, from_a, from_b);
  if (x->saturates)
    value = clamp(value, x->to_bits, x->result_signed);
  switch (x->second) {
  case VIDEO_THEN_ADD: return (u32)value + c;
  case VIDEO_THEN_MIN:
  case VIDEO_THEN_MAX:
    value = is_signed ? (s64)(s32)value : (s64)(u32)value;
    return (u32)((value < other) == (x->second == VIDEO_THEN_MIN) ? value
                                                                  : other);
  case VIDEO_MERGE: return merged(c, (u32)value, x->to_part, x->to_bits);
  default: return (u32)value;
  }
}

static u32 several(const struct video_extra *x, u32 a, u32 b, u32 c)
{
  u64 both = (u64)b << 32 | a;

  for (unsigned i = 0; i < x->parts; i++) {
    s64 value =
        calculated(x, part_of(both, x->a.part[i], x->bits, x->a.is_signed),
                   part_of(both, x->b.part[i], x->bits, x->b.is_signed));

    if (!(x->mask >> i & 1))
      continue;
    if (x->saturates)
      value = clamp(value, x->bits, x->result_signed);
    c = x->second == VIDEO_THEN_ADD ? c + (u32)value
                                    : merged(c, (u32)value, i, x->bits);
  }
  return c;
}

const struct step *video_run(struct warp *w, const struct step *s)
{
  const struct video_extra *x = s->extra;
  const u32 *a = slot_at(w, s->a), *b = slot_at(w, s->b);
  const u32 *c = slot_at(w, s->c);
  u32 *d = slot_at(w, s->d);

  for (u32 m = step_mask(w, s); m != 0; m &= m - 1) {
    unsigned l = (unsigned)__builtin_ctz(m);

    d[l] = x->parts == 1 ? single(x, a[l], b[l], c[l])
                         : several(x, a[l], b[l], c[l]);
  }
  return s + 1;
}
