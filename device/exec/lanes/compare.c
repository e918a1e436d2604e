/* setp, set, selp, slct and testp (PTX ISA 9.7.6 and 9.7.3). */
#include "floating.h"
#include "half.h"

static u32 combine(const struct warp *w, const struct step *s, u32 r)
{
  u32 c;

  if ((s->flags & COMPARE_COMBINE) == 0)
    return r;
  c = predicate_at(w, s->c) ^ (s->flags & COMPARE_INVERT ? FULL : 0);
  switch (s->flags & COMPARE_COMBINE) {
  case 1: return r & c;
  case 2: return r | c;
  default: return r ^ c;
  }
}

static void write_lanes(struct warp *w, const struct step *s, u32 m, u32 r)
{
  u32 yes = s->flags & COMPARE_TO_F32 ? 0x3f800000 : FULL;
  u32 *d = IN_LANES(u32, w, s->d);
  u16 *narrow = IN_LANES(u16, w, s->d);

  for (unsigned l = 0; l < LANES; l++) {
    if (!(m >> l & 1))
      continue;
    if (s->flags & COMPARE_TO_16)
      narrow[l] = r >> l & 1 ? 0xffff : 0;
    else
      d[l] = r >> l & 1 ? yes : 0;
  }
}

static void finish_rare(struct warp *w, const struct step *s, u32 m, u32 r)
{
  u32 *d = slot_at(w, s->d);
  u32 q = combine(w, s, ~r);

  r = combine(w, s, r);
  if (s->flags & (COMPARE_TO_32 | COMPARE_TO_F32 | COMPARE_TO_16)) {
    write_lanes(w, s, m, r);
    return;
  }
  *d = (*d & ~m) | (r & m);
  if (s->flags & COMPARE_SECOND) {
    d = slot_at(w, ((const struct second_slot *)s->extra)->q);
    *d = (*d & ~m) | (q & m);
  }
}

static inline const struct step *finish(struct warp *w, const struct step *s,
                                        u32 m, u32 r)
{
  if ((s->flags & ~(u32)COMPARE_FTZ) == 0) {
    u32 *d = slot_at(w, s->d);

    *d = (*d & ~m) | (r & m);
  } else {
    finish_rare(w, s, m, r);
  }
  return s + 1;
}

#define COMPARE(name, T, prepare, expression)                                  \
  static const struct step *compare_##name(struct warp *w,                     \
                                           const struct step *s)               \
  {                                                                            \
    u32 m = step_mask(w, s), r = 0;                                            \
    const T *pa = IN_LANES(const T, w, s->a);                                  \
    const T *pb = IN_LANES(const T, w, s->b);                                  \
    EACH_LANE                                                                  \
    {                                                                          \
      prepare;                                                                 \
      r |= (u32)(expression) << l;                                             \
    }                                                                          \
    return finish(w, s, m, r);                                                 \
  }

#define PLAIN(T)                                                               \
  T a = pa[l];                                                                 \
  T b = pb[l]
#define INTEGER(name, T)                                                       \
  COMPARE(name##_eq, T, PLAIN(T), a == b)                                      \
  COMPARE(name##_ne, T, PLAIN(T), a != b)                                      \
  COMPARE(name##_lt, T, PLAIN(T), a < b)                                       \
  COMPARE(name##_le, T, PLAIN(T), a <= b)                                      \
  COMPARE(name##_gt, T, PLAIN(T), a > b)                                       \
  COMPARE(name##_ge, T, PLAIN(T), a >= b)
INTEGER(u16, u16)
INTEGER(s16, s16)
INTEGER(u32, u32)
INTEGER(s32, s32)
INTEGER(u64, u64)
INTEGER(s64, s64)

#define FLOATING(name, T, prepare)                                             \
  COMPARE(name##_eq, T, prepare, a == b)                                       \
  COMPARE(name##_ne, T, prepare, (a < b) | (a > b))                            \
  COMPARE(name##_lt, T, prepare, a < b)                                        \
  COMPARE(name##_le, T, prepare, a <= b)                                       \
  COMPARE(name##_gt, T, prepare, a > b)                                        \
  COMPARE(name##_ge, T, prepare, a >= b)                                       \
  COMPARE(name##_equ, T, prepare, !((a < b) | (a > b)))                        \
  COMPARE(name##_neu, T, prepare, a != b)                                      \
  COMPARE(name##_ltu, T, prepare, !(a >= b))                                   \
  COMPARE(name##_leu, T, prepare, !(a > b))                                    \
  COMPARE(name##_gtu, T, prepare, !(a <= b))                                   \
  COMPARE(name##_geu, T, prepare, !(a < b))                                    \
  COMPARE(name##_num, T, prepare, (a == a) & (b == b))                         \
  COMPARE(name##_nan, T, prepare, (a != a) | (b != b))
FLOATING(f64, f64, PLAIN(f64))
#define MAYBE_FLUSHED                                                          \
  f32 a = pa[l];                                                               \
  f32 b = pb[l];                                                               \
  a = s->flags & COMPARE_FTZ ? flush_f32(a) : a;                               \
  b = s->flags & COMPARE_FTZ ? flush_f32(b) : b
FLOATING(f32, f32, MAYBE_FLUSHED)
#define FROM_HALF                                                              \
  f32 a = f32_from_half(pa[l]);                                                \
  f32 b = f32_from_half(pb[l])
FLOATING(f16, u16, FROM_HALF)
#define FROM_BF16                                                              \
  f32 a = f32_from_bf16(pa[l]);                                                \
  f32 b = f32_from_bf16(pb[l])
FLOATING(bf16, u16, FROM_BF16)

#define SELECT(bits)                                                           \
  static const struct step *select_##bits(struct warp *w,                      \
                                          const struct step *s)                \
  {                                                                            \
    u32 m = step_mask(w, s), c = predicate_at(w, s->c);                        \
    const u##bits *a = IN_LANES(const u##bits, w, s->a);                       \
    const u##bits *b = IN_LANES(const u##bits, w, s->b);                       \
    u##bits *d = IN_LANES(u##bits, w, s->d);                                   \
    c ^= s->flags & 1 ? FULL : 0;                                              \
    EACH_LANE                                                                  \
    {                                                                          \
      u##bits r = c >> l & 1 ? a[l] : b[l];                                    \
      d[l] = m >> l & 1 ? r : d[l];                                            \
    }                                                                          \
    return s + 1;                                                              \
  }                                                                            \
  static const struct step *by_sign_s32_##bits(struct warp *w,                 \
                                               const struct step *s)           \
  {                                                                            \
    u32 m = step_mask(w, s);                                                   \
    const u##bits *a = IN_LANES(const u##bits, w, s->a);                       \
    const u##bits *b = IN_LANES(const u##bits, w, s->b);                       \
    const s32 *c = IN_LANES(const s32, w, s->c);                               \
    u##bits *d = IN_LANES(u##bits, w, s->d);                                   \
    EACH_LANE                                                                  \
    {                                                                          \
      u##bits r = c[l] >= 0 ? a[l] : b[l];                                     \
      d[l] = m >> l & 1 ? r : d[l];                                            \
    }                                                                          \
    return s + 1;                                                              \
  }                                                                            \
  static const struct step *by_sign_f32_##bits(struct warp *w,                 \
                                               const struct step *s)           \
  {                                                                            \
    u32 m = step_mask(w, s);                                                   \
    const u##bits *a = IN_LANES(const u##bits, w, s->a);                       \
    const u##bits *b = IN_LANES(const u##bits, w, s->b);                       \
    const f32 *c = IN_LANES(const f32, w, s->c);                               \
    u##bits *d = IN_LANES(u##bits, w, s->d);                                   \
    EACH_LANE                                                                  \
    {                                                                          \
      f32 by = s->flags & COMPARE_FTZ ? flush_f32(c[l]) : c[l];                \
      u##bits r = by >= 0.0f ? a[l] : b[l];                                    \
      d[l] = m >> l & 1 ? r : d[l];                                            \
    }                                                                          \
    return s + 1;                                                              \
  }
SELECT(16)
SELECT(32)
SELECT(64)

/* testp.finite .infinite .number .notanumber .normal .subnormal */
static u32 property(u32 which, u64 magnitude, u64 infinity, u64 normal)
{
  switch (which) {
  case 0: return magnitude < infinity;
  case 1: return magnitude == infinity;
  case 2: return magnitude <= infinity;
  case 3: return magnitude > infinity;
  case 4:
    return magnitude == 0 || /* counts as normal */
           (magnitude >= normal && magnitude < infinity);
  default: return magnitude != 0 && magnitude < normal;
  }
}

static const struct step *test_f32(struct warp *w, const struct step *s)
{
  u32 m = step_mask(w, s), r = 0, *d = slot_at(w, s->d);
  const u32 *a = IN_LANES(const u32, w, s->a);

  for (unsigned l = 0; l < LANES; l++)
    r |= property(s->flags, a[l] & 0x7fffffff, 0x7f800000, 0x00800000) << l;
  *d = (*d & ~m) | (r & m);
  return s + 1;
}

static const struct step *test_f64(struct warp *w, const struct step *s)
{
  u32 m = step_mask(w, s), r = 0, *d = slot_at(w, s->d);
  const u64 *a = IN_LANES(const u64, w, s->a);

  for (unsigned l = 0; l < LANES; l++)
    r |= property(s->flags, a[l] & ~SIGN64, UINT64_C(0x7ff0000000000000),
                  UINT64_C(0x0010000000000000))
         << l;
  *d = (*d & ~m) | (r & m);
  return s + 1;
}

#define INTEGER_ROW(name)                                                      \
  {                                                                            \
    compare_##name##_eq, compare_##name##_ne, compare_##name##_lt,             \
        compare_##name##_le, compare_##name##_gt, compare_##name##_ge, NULL,   \
        NULL, NULL, NULL, NULL, NULL, NULL, NULL                               \
  }
#define FLOATING_ROW(name)                                                     \
  {                                                                            \
    compare_##name##_eq, compare_##name##_ne, compare_##name##_lt,             \
        compare_##name##_le, compare_##name##_gt, compare_##name##_ge,         \
        compare_##name##_equ, compare_##name##_neu, compare_##name##_ltu,      \
        compare_##name##_leu, compare_##name##_gtu, compare_##name##_geu,      \
        compare_##name##_num, compare_##name##_nan                             \
  }

static step_function *const rows[COMPARE_TYPES][COMPARISONS] = {
  [COMPARE_U16] = INTEGER_ROW(u16),  [COMPARE_S16] = INTEGER_ROW(s16),
  [COMPARE_U32] = INTEGER_ROW(u32),  [COMPARE_S32] = INTEGER_ROW(s32),
  [COMPARE_U64] = INTEGER_ROW(u64),  [COMPARE_S64] = INTEGER_ROW(s64),
  [COMPARE_F32] = FLOATING_ROW(f32), [COMPARE_F64] = FLOATING_ROW(f64),
  [COMPARE_F16] = FLOATING_ROW(f16), [COMPARE_BF16] = FLOATING_ROW(bf16),
};

void LANES_LOCAL(lanes_compare)(struct lane_handlers *handlers)
{
  for (int type = 0; type < COMPARE_TYPES; type++)
    for (int i = 0; i < COMPARISONS; i++)
      handlers->compare[type][i] = rows[type][i];
  handlers->select16 = select_16;
  handlers->select32 = select_32;
  handlers->select64 = select_64;
  handlers->select_by_sign[0][0] = by_sign_s32_16;
  handlers->select_by_sign[0][1] = by_sign_s32_32;
  handlers->select_by_sign[0][2] = by_sign_s32_64;
  handlers->select_by_sign[1][0] = by_sign_f32_16;
  handlers->select_by_sign[1][1] = by_sign_f32_32;
  handlers->select_by_sign[1][2] = by_sign_f32_64;
  handlers->test_property[0] = test_f32;
  handlers->test_property[1] = test_f64;
}
