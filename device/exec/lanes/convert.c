/* cvt between any two scalar types (PTX ISA 9.7.9.21). A source is widened
 * to 64 bits without loss, then narrowed once. */
#include "../../support/rounding.h"
#include "half.h"

#define LOOP(statement)                                                        \
  for (unsigned l = 0; l < LANES; l++)                                         \
  statement

/* Low bits of a register that may be wider than the type. */
static void raw_lanes(u64 *to, const void *from, unsigned register_bytes)
{
  const u16 *narrow = from;
  const u32 *middle = from;
  const u64 *wide = from;

  if (register_bytes == 2)
    LOOP(to[l] = narrow[l];)
  else if (register_bytes == 4)
    LOOP(to[l] = middle[l];)
  else
    LOOP(to[l] = wide[l];)
}

static void integer_lanes(u64 *v, enum ptx_type type)
{
  unsigned drop = 64 - 8 * ptx_type_bytes(type);

  if (ptx_type_is_signed(type))
    LOOP(v[l] = (u64)((s64)(v[l] << drop) >> drop);)
  else
    LOOP(v[l] = v[l] << drop >> drop;)
}

static void float_lanes(f64 *to, const u64 *v, enum ptx_type type, bool ftz)
{
  switch (type) {
  case TYPE_F16: LOOP(to[l] = f32_from_half((u16)v[l]);) break;
  case TYPE_BF16: LOOP(to[l] = f32_from_bf16((u16)v[l]);) break;
  case TYPE_F64: LOOP(to[l] = f64_bits(v[l]);) break;
  default:
    if (ftz)
      LOOP(to[l] = flush_f32(f32_bits((u32)v[l]));)
    else
      LOOP(to[l] = f32_bits((u32)v[l]);)
  }
}

static void round_lanes(f64 *v, unsigned rounding)
{
  switch (rounding) {
  case CONVERT_RN: LOOP(v[l] = rint(v[l]);) break;
  case CONVERT_RZ: LOOP(v[l] = trunc(v[l]);) break;
  case CONVERT_RM: LOOP(v[l] = floor(v[l]);) break;
  default: LOOP(v[l] = ceil(v[l]);) break;
  }
  LOOP(v[l] = v[l] != v[l] ? v[l] + v[l] : v[l];) /* NaNs become quiet */
}

static u64 saturated_integer(u64 v, bool from_signed, enum ptx_type to)
{
  unsigned bits = 8 * ptx_type_bytes(to);

  if (ptx_type_is_signed(to)) {
    s64 most = INT64_MAX >> (64 - bits), least = -most - 1;

    if (!from_signed)
      return v > (u64)most ? (u64)most : v;
    return (s64)v > most ? (u64)most : (s64)v < least ? (u64)least : v;
  }
  if (from_signed && (s64)v < 0)
    return 0;
  return bits < 64 && v >> bits != 0 ? (UINT64_C(1) << bits) - 1 : v;
}

/* Floating point to integer always clamps; NaN gives 0, except that 64-bit
 * results, and all from double precision, have only their top bit set. */
static u64 integer_from_f64(f64 v, enum ptx_type to, bool from_double)
{
  unsigned bits = 8 * ptx_type_bytes(to);

  if (v != v)
    return !from_double && bits < 64 ? 0
           : ptx_type_is_signed(to)  ? (u64)(INT64_MIN >> (64 - bits))
                                     : UINT64_C(1) << (bits - 1);
  if (ptx_type_is_signed(to)) {
    f64 limit = ldexp(1.0, (int)bits - 1);

    if (v >= limit)
      return (u64)(INT64_MAX >> (64 - bits));
    return v < -limit ? (u64)(INT64_MIN >> (64 - bits)) : (u64)(s64)v;
  }
  if (v <= 0)
    return 0;
  return v >= ldexp(1.0, (int)bits) ? UINT64_MAX >> (64 - bits) : (u64)v;
}

/* A NaN of double precision keeps its sign and first bits. */
static u64 cut_nan(f64 v, enum ptx_type to)
{
  u32 bits = bits_f32((f32)v);

  return to == TYPE_F16    ? (bits >> 16 & 0xfc00) | (bits >> 13 & 0x3ff)
         : to == TYPE_BF16 ? bits >> 16
                           : bits;
}

/* The mode in which a float or a double is rounded. Shorter formats round by
 * themselves, and to nearest what is rounded to an integer. */
static unsigned mode_of(const struct convert_extra *extra)
{
  return extra->round_to_integer || extra->rounding > CONVERT_RP
             ? ROUND_NEAREST
             : extra->rounding;
}

static u64 float_from_f64(f64 v, const struct convert_extra *extra)
{
  f32 single;

  if (extra->saturate)
    v = saturate_f64(v);
  if (extra->relu)
    v = v > 0 || v != v ? v : 0.0;
  if (extra->finite)
    v = finite_f64(v, extra->to == TYPE_F16    ? 65504.0
                      : extra->to == TYPE_BF16 ? 0x1.fep127
                                               : 0x1.ffcp127);
  if (v != v && extra->from == TYPE_F64 && extra->to != TYPE_F64)
    return cut_nan(v, extra->to);
  switch (extra->to) {
  case TYPE_F16: return half_from_f64(v, extra->rounding);
  case TYPE_BF16: return bf16_from_f64(v, extra->rounding);
  case TYPE_TF32: return tf32_from_f64(v, extra->rounding);
  case TYPE_F64:
    return extra->ftz && v != v ? UINT64_C(0x7fffffffe0000000) : bits_f64(v);
  default:
    single = one_nan_f32(ROUNDED_F32(v, mode_of(extra)));
    if (extra->ftz && is_tiny_f32(v, mode_of(extra)))
      return bits_f64(v) >> 32 & 0x80000000;
    return bits_f32(extra->ftz ? flush_f32(single) : single);
  }
}

/* More than 53 bits: the last one stands for those beyond, so that rounding
 * to a short format happens once. */
static f64 exact_enough(u64 v, bool is_signed)
{
  bool negative = is_signed && (s64)v < 0;
  u64 magnitude = negative ? 0 - v : v;

  if (magnitude >> 53 != 0)
    magnitude =
        (magnitude & ~UINT64_C(0x7ff)) | ((magnitude & 0x7ff) != 0 ? 0x800 : 0);
  return negative ? -(f64)magnitude : (f64)magnitude;
}

static u64 float_from_integer(u64 v, const struct convert_extra *extra)
{
  bool is_signed = ptx_type_is_signed(extra->from);
  f32 single;

  if (extra->to == TYPE_F32) {
    single = is_signed ? ROUNDED_F32((s64)v, mode_of(extra))
                       : ROUNDED_F32(v, mode_of(extra));
    return bits_f32(extra->saturate ? saturate_f32(single) : single);
  }
  if (extra->to == TYPE_F64) {
    f64 wide = is_signed ? ROUNDED_F64((s64)v, mode_of(extra))
                         : ROUNDED_F64(v, mode_of(extra));

    return bits_f64(extra->saturate ? saturate_f64(wide) : wide);
  }
  return float_from_f64(exact_enough(v, is_signed), extra);
}

static void store_lanes(void *to, const u64 *v, u32 m,
                        const struct convert_extra *extra)
{
  u16 *narrow = to;
  u32 *middle = to;
  u64 *wide = to;

  if (extra->to_bytes == 2)
    LOOP(narrow[l] = m >> l & 1 ? (u16)v[l] : narrow[l];)
  else if (extra->to_bytes == 4)
    LOOP(middle[l] = m >> l & 1 ? (u32)v[l] : middle[l];)
  else
    LOOP(wide[l] = m >> l & 1 ? v[l] : wide[l];)
}

/* Conversions that are copies leave a NaN as it is. */
static bool copied(u64 *v, const struct convert_extra *extra)
{
  if (extra->to == TYPE_F32 && !extra->saturate && !extra->ftz &&
      !extra->round_to_integer) {
    if (extra->from == TYPE_BF16)
      LOOP(v[l] = (u64)(u32)v[l] << 16 & 0xffffffff;)
    return extra->from == TYPE_BF16 || extra->from == TYPE_F32;
  }
  return false;
}

static u64 tf32_from_f32(u32 bits, const struct convert_extra *extra)
{
  if ((bits & 0x7fffffff) > 0x7f800000)
    return extra->finite ? (bits & 0xffffe000) - 0x2000 /* as an H200 */
           : extra->rounding == CONVERT_RNA ? bits & 0xffffe000
                                            : 0x7fffe000;
  return float_from_f64(f32_bits(bits), extra);
}

static void from_float(u64 *v, const struct convert_extra *extra)
{
  f64 values[LANES];

  if (copied(v, extra))
    return;
  if (extra->to == TYPE_TF32) {
    LOOP(v[l] = tf32_from_f32((u32)v[l], extra);)
    return;
  }

  /* A GPU does not flush what becomes f16. */
  float_lanes(values, v, extra->from, extra->ftz && extra->to != TYPE_F16);
  if (extra->round_to_integer)
    round_lanes(values, extra->rounding);
  if (ptx_type_is_float(extra->to))
    LOOP(v[l] = float_from_f64(values[l], extra);)
  else
    LOOP(v[l] =
             integer_from_f64(values[l], extra->to, extra->from == TYPE_F64);)
}

static void from_integer(u64 *v, const struct convert_extra *extra)
{
  bool is_signed = ptx_type_is_signed(extra->from);

  integer_lanes(v, extra->from);
  if (ptx_type_is_float(extra->to)) {
    LOOP(v[l] = float_from_integer(v[l], extra);)
    return;
  }
  if (extra->saturate)
    LOOP(v[l] = saturated_integer(v[l], is_signed, extra->to);)
  integer_lanes(v, extra->to); /* a wider register gets it extended */
}

static const struct step *convert(struct warp *w, const struct step *s)
{
  const struct convert_extra *extra = s->extra;
  u32 m = step_mask(w, s);
  u64 v[LANES];

  raw_lanes(v, slot_at(w, s->a), extra->from_bytes);
  if (mode_of(extra) != ROUND_NEAREST)
    rounding_begin(mode_of(extra));
  if (ptx_type_is_float(extra->from))
    from_float(v, extra);
  else
    from_integer(v, extra);
  if (mode_of(extra) != ROUND_NEAREST)
    rounding_end();
  store_lanes(slot_at(w, s->d), v, m, extra);
  return s + 1;
}

#define QUICK(name, D, A, expression)                                          \
  static const struct step *quick_##name(struct warp *w, const struct step *s) \
  {                                                                            \
    u32 m = step_mask(w, s);                                                   \
    const A *pa = IN_LANES(const A, w, s->a);                                  \
    D *d = IN_LANES(D, w, s->d);                                               \
    if (m == FULL) {                                                           \
      EACH_LANE                                                                \
      {                                                                        \
        A a = pa[l];                                                           \
        d[l] = (expression);                                                   \
      }                                                                        \
    } else {                                                                   \
      EACH_LANE                                                                \
      {                                                                        \
        A a = pa[l];                                                           \
        D r = (expression);                                                    \
        d[l] = m >> l & 1 ? r : d[l];                                          \
      }                                                                        \
    }                                                                          \
    return s + 1;                                                              \
  }
QUICK(u32_u64, u64, u32, a)
QUICK(s32_s64, s64, s32, a)
QUICK(64_32, u32, u64, (u32)a)
QUICK(f32_f64, f64, f32, (f64)a)
QUICK(s32_f32, f32, s32, (f32)a)
QUICK(u32_f32, f32, u32, (f32)a)
QUICK(s32_f64, f64, s32, (f64)a)

void LANES_LOCAL(lanes_convert)(struct lane_handlers *handlers)
{
  handlers->convert = convert;
  handlers->convert_plain[CONVERT_U32_U64] = quick_u32_u64;
  handlers->convert_plain[CONVERT_S32_S64] = quick_s32_s64;
  handlers->convert_plain[CONVERT_64_32] = quick_64_32;
  handlers->convert_plain[CONVERT_F32_F64] = quick_f32_f64;
  handlers->convert_plain[CONVERT_S32_F32] = quick_s32_f32;
  handlers->convert_plain[CONVERT_U32_F32] = quick_u32_f32;
  handlers->convert_plain[CONVERT_S32_F64] = quick_s32_f64;
}
