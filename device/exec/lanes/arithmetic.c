/* One handler for each small row of the instruction table. */
#include "../../support/rounding.h"
#include "half.h"
#include "integer.h"

#define KEEP(m, l, new, old) ((m) >> (l)&1 ? (new) : (old))

#define HANDLER(name)                                                          \
  static const struct step *run_##name(struct warp *w, const struct step *s)

/* Runs `calculate`, which sets `r` from lane l, for the active lanes. */
#define OVER_LANES(D, calculate)                                               \
  {                                                                            \
    u32 m = step_mask(w, s);                                                   \
    D *d = IN_LANES(D, w, s->d);                                               \
    if (m == FULL) {                                                           \
      EACH_LANE                                                                \
      {                                                                        \
        calculate;                                                             \
        d[l] = r;                                                              \
      }                                                                        \
    } else {                                                                   \
      EACH_LANE                                                                \
      {                                                                        \
        calculate;                                                             \
        d[l] = KEEP(m, l, r, d[l]);                                            \
      }                                                                        \
    }                                                                          \
    return s + 1;                                                              \
  }

#define FROM(T, x) const T *p##x = IN_LANES(const T, w, s->x)
#define FROM_FOURTH(T) const T *pe = IN_LANES(const T, w, (slot)s->immediate)

#define LANE1(name, pattern, D, A, expression)                                 \
  HANDLER(name)                                                                \
  {                                                                            \
    FROM(A, a);                                                                \
    OVER_LANES(D, A a = pa[l]; D r = (D)(expression))                          \
  }
#define LANE2(name, pattern, D, A, B, expression)                              \
  HANDLER(name)                                                                \
  {                                                                            \
    FROM(A, a);                                                                \
    FROM(B, b);                                                                \
    OVER_LANES(D, A a = pa[l]; B b = pb[l]; D r = (D)(expression))             \
  }
#define LANE3(name, pattern, D, A, B, C, expression)                           \
  HANDLER(name)                                                                \
  {                                                                            \
    FROM(A, a);                                                                \
    FROM(B, b);                                                                \
    FROM(C, c);                                                                \
    OVER_LANES(D, A a = pa[l]; B b = pb[l]; C c = pc[l];                       \
               D r = (D)(expression))                                          \
  }
#define LANE4(name, pattern, D, A, B, C, E, expression)                        \
  HANDLER(name)                                                                \
  {                                                                            \
    FROM(A, a);                                                                \
    FROM(B, b);                                                                \
    FROM(C, c);                                                                \
    FROM_FOURTH(E);                                                            \
    OVER_LANES(D, A a = pa[l]; B b = pb[l]; C c = pc[l]; E e = pe[l];          \
               D r = (D)(expression))                                          \
  }

/* Arithmetic in the row's rounding mode: what `rounding` says where it is a
 * local variable; here, to nearest. */
enum { rounding = ROUND_NEAREST };
#define ADD(a, b) ROUNDED_ADD(a, b, rounding)
#define SUB(a, b) ROUNDED_SUB(a, b, rounding)
#define MUL(a, b) ROUNDED_MUL(a, b, rounding)
#define DIV(a, b) ROUNDED_DIV(a, b, rounding)
#define SQRT(a) ROUNDED_SQRT(a, rounding)
#define FLUSH_BY(result, exact) flush_by(result, exact, rounding)

_Static_assert((int)FLOAT_RZ == (int)ROUND_TO_ZERO &&
                   (int)FLOAT_RM == (int)ROUND_DOWN &&
                   (int)FLOAT_RP == (int)ROUND_UP,
               "flags of an instruction are rounding modes");

/* Loads fix subnormal sources, `finish` fixes the result. The flags do not
 * change within the loop, so the compiler moves their tests out of it. */
#define SOURCE(T, x)                                                           \
  T x = p##x[l];                                                               \
  x = flags & FLOAT_FTZ ? flush_##T(x) : x
#define FINISH(T)                                                              \
  r = flags & FLOAT_FTZ ? flush_##T(r) : r;                                    \
  r = flags & FLOAT_SAT ? saturate_##T(r) : r;                                 \
  r = one_nan_##T(r)
#define MODIFIED(name, T, sources, calculate)                                  \
  static const struct step *name##_lanes(struct warp *w, const struct step *s) \
  {                                                                            \
    const u32 flags = s->flags, rounding = flags & FLOAT_ROUND_MASK;           \
    (void)rounding;                                                            \
    sources;                                                                   \
    OVER_LANES(T, calculate)                                                   \
  }                                                                            \
  HANDLER(name##_modified)                                                     \
  {                                                                            \
    u32 mode = s->flags & FLOAT_ROUND_MASK;                                    \
    const struct step *next;                                                   \
    if (mode == 0)                                                             \
      return name##_lanes(w, s);                                               \
    rounding_begin(mode);                                                      \
    next = name##_lanes(w, s);                                                 \
    rounding_end();                                                            \
    return next;                                                               \
  }

#define FLOAT1(name, pattern, T, expression)                                   \
  LANE1(name, pattern, T, T, one_nan_##T(expression))                          \
  MODIFIED(name, T, FROM(T, a), SOURCE(T, a); T r = (expression); FINISH(T))
#define FLOAT2(name, pattern, T, expression)                                   \
  LANE2(name, pattern, T, T, T, one_nan_##T(expression))                       \
  MODIFIED(name, T, FROM(T, a); FROM(T, b), SOURCE(T, a); SOURCE(T, b);        \
           T r = (expression); FINISH(T))

/* Rows of three sources are fused multiply-adds. */
#define FMAF(a, b, c) fused[l]
#define fused_f64(a, b, c) nan_of_fused(fused[l], a, b, c)
#define FLOAT3(name, pattern, T, expression)                                   \
  HANDLER(name)                                                                \
  {                                                                            \
    _Alignas(LANE_ALIGNMENT) T fused[LANES];                                   \
    FROM(T, a);                                                                \
    FROM(T, b);                                                                \
    FROM(T, c);                                                                \
    fuse_##T(fused, pa, pb, pc, rounding);                                     \
    OVER_LANES(T, const T a = pa[l]; const T b = pb[l]; const T c = pc[l];     \
               (void)a; (void)b; (void)c; T r = one_nan_##T(expression))       \
  }                                                                            \
  MODIFIED(                                                                    \
      name, T, FROM(T, a); FROM(T, b); FROM(T, c);                             \
      _Alignas(LANE_ALIGNMENT) T source[3][LANES];                             \
      _Alignas(LANE_ALIGNMENT) T fused[LANES]; EACH_LANE {                     \
        SOURCE(T, a);                                                          \
        SOURCE(T, b);                                                          \
        SOURCE(T, c);                                                          \
        source[0][l] = a;                                                      \
        source[1][l] = b;                                                      \
        source[2][l] = c;                                                      \
      } fuse_##T(fused, source[0], source[1], source[2], rounding),            \
                                               const T a = source[0][l];       \
      const T b = source[1][l]; const T c = source[2][l]; (void)a; (void)b;    \
      (void)c; T r = (expression); FINISH(T))

/* The bit above T of a result in the wider type is the carry or borrow. */
#define CARRY(name, T, W, in, out, sources, take, expression)                  \
  HANDLER(name)                                                                \
  {                                                                            \
    u32 m = step_mask(w, s), flags = 0;                                        \
    u32 *cc = slot_at(w, (slot)s->immediate);                                  \
    const u32 before = *cc;                                                    \
    T *d = IN_LANES(T, w, s->d);                                               \
    sources;                                                                   \
    EACH_LANE                                                                  \
    {                                                                          \
      take;                                                                    \
      const W carry = in ? before >> l & 1 : 0;                                \
      const W r = (expression);                                                \
      (void)carry;                                                             \
      d[l] = KEEP(m, l, (T)r, d[l]);                                           \
      flags |= (u32)(r >> (8 * sizeof(T)) & 1) << l;                           \
    }                                                                          \
    if (out)                                                                   \
      *cc = (before & ~m) | (flags & m);                                       \
    return s + 1;                                                              \
  }
#define CARRY2(name, pattern, T, W, in, out, expression)                       \
  CARRY(name, T, W, in, out, FROM(T, a); FROM(T, b), const T a = pa[l];        \
        const T b = pb[l], expression)
#define CARRY3(name, pattern, T, W, in, out, expression)                       \
  CARRY(name, T, W, in, out, FROM(T, a); FROM(T, b);                           \
        FROM(T, c), const T a = pa[l]; const T b = pb[l];                      \
        const T c = pc[l], expression)

/* Half precision: one function calculates, four handlers convert. */
static inline f64 half_in(u16 h, bool bf16, u32 flags)
{
  f32 v = bf16 ? f32_from_bf16(h) : f32_from_half(h);

  if ((flags & FLOAT_FTZ) && (bf16 ? (h & 0x7f80) : (h & 0x7c00)) == 0)
    v = h & 0x8000 ? -0.0f : 0.0f;
  return v;
}

static inline u16 half_out(f64 v, bool bf16, u32 flags)
{
  v = flags & FLOAT_SAT ? saturate_f64(v) : v;
  v = (flags & FLOAT_RELU) && v <= 0 ? 0.0 : v;
  if ((flags & FLOAT_FTZ) &&
      fabs(round_to_format(v, bf16 ? 7 : 10, -1000, 1000, 0)) <
          (bf16 ? 0x1p-126 : 0x1p-14))
    v = copysign(0.0, v); /* as flush_by */
  return bf16 ? bf16_from_f64(v, 0) : half_from_f64(v, 0);
}

#define HALF_LOOP(name, R, parts, bf16, calculate)                             \
  HANDLER(name)                                                                \
  {                                                                            \
    const u32 m = step_mask(w, s), flags = s->flags;                           \
    const R *pa = slot_at(w, s->a);                                            \
    const R *pb = slot_at(w, s->b);                                            \
    const R *pc = slot_at(w, s->c);                                            \
    R *d = slot_at(w, s->d);                                                   \
    for (unsigned l = 0; l < LANES; l++) {                                     \
      R r = 0;                                                                 \
      if (!(m >> l & 1))                                                       \
        continue;                                                              \
      for (unsigned i = 0; i < 16 * parts; i += 16)                            \
        r |= (R)((R)half_out(                                                  \
                     calculate(half_in((u16)(pa[l] >> i), bf16, flags),        \
                               half_in((u16)(pb[l] >> i), bf16, flags),        \
                               half_in((u16)(pc[l] >> i), bf16, flags)),       \
                     bf16, flags)                                              \
                 << i);                                                        \
      d[l] = r;                                                                \
    }                                                                          \
    return s + 1;                                                              \
  }
#define HALF(name, opcode, modifiers, expression)                              \
  static inline f64 name##_value(f64 a, f64 b, f64 c)                          \
  {                                                                            \
    (void)b;                                                                   \
    (void)c;                                                                   \
    return (expression);                                                       \
  }                                                                            \
  HALF_LOOP(name##_f16, u16, 1, false, name##_value)                           \
  HALF_LOOP(name##_f16x2, u32, 2, false, name##_value)                         \
  HALF_LOOP(name##_bf16, u16, 1, true, name##_value)                           \
  HALF_LOOP(name##_bf16x2, u32, 2, true, name##_value)

#define OVER_MASK(expression)                                                  \
  {                                                                            \
    u32 m = step_mask(w, s);                                                   \
    u32 *d = slot_at(w, s->d);                                                 \
    u32 a = predicate_at(w, s->a) ^ (s->flags & 1 ? FULL : 0);                 \
    u32 b = predicate_at(w, s->b) ^ (s->flags & 2 ? FULL : 0);                 \
    (void)b;                                                                   \
    *d = (*d & ~m) | ((expression)&m);                                         \
    return s + 1;                                                              \
  }
#define MASK1(name, pattern, expression) HANDLER(name) OVER_MASK(expression)
#define MASK2(name, pattern, expression) HANDLER(name) OVER_MASK(expression)

#include "../../ptx/instructions.def"

#define PLAIN(name) handlers->plain[OP_##name] = run_##name;
#define BOTH(name)                                                             \
  PLAIN(name) handlers->modified[OP_##name] = run_##name##_modified;
#define ROW(name, ...) PLAIN(name)
#define FLOAT(name, ...) BOTH(name)
#define HALF(name, ...)                                                        \
  PLAIN(name##_f16) PLAIN(name##_f16x2) PLAIN(name##_bf16) PLAIN(name##_bf16x2)
#define LARGE(...)

void LANES_LOCAL(lanes_arithmetic)(struct lane_handlers *handlers)
{
#include "../../ptx/instructions.def"
}
