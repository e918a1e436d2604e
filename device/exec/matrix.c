/* Gathers matrices from the lanes' registers, multiplies them and puts the
 * result back. matrix_place says which lane holds which element. */
#include "matrix.h"

#include <math.h>

#include "../support/rounding.h"
#include "fault.h"
#include "lanes/half.h"

unsigned matrix_bits(enum matrix_type type)
{
  static const unsigned char bits[MATRIX_TYPES] = {
    [MATRIX_F16] = 16, [MATRIX_BF16] = 16, [MATRIX_TF32] = 32,
    [MATRIX_F32] = 32, [MATRIX_F64] = 64,  [MATRIX_E4M3] = 8,
    [MATRIX_E5M2] = 8, [MATRIX_S8] = 8,    [MATRIX_U8] = 8,
    [MATRIX_S4] = 4,   [MATRIX_U4] = 4,    [MATRIX_B1] = 1,
    [MATRIX_S32] = 32,
  };

  return bits[type];
}

struct matrix_place matrix_place(const struct matrix_fragment *f, unsigned lane,
                                 unsigned i)
{
  unsigned slab_width = 4 * f->run, slabs = f->depth / slab_width;
  unsigned run = i / f->run, slab, line;

  if (f->stacked && f->lines >= 16) {
    slab = run / 2 % slabs;
    line = 8 * (run & 1) + 16 * (run / 2 / slabs);
  } else {
    slab = run % slabs;
    line = 8 * (run / slabs);
  }
  return (struct matrix_place){
    line + lane / 4, slab * slab_width + lane % 4 * f->run + i % f->run
  };
}

bool matrix_whole_warp(struct warp *w, const struct step *s, uint32_t mask)
{
  if (mask == FULL)
    return true;
  exec_fault(w, s, (unsigned)__builtin_ctz(mask), FAULT_BARRIER,
             "%d of 32 lanes are here; this instruction needs the whole warp",
             __builtin_popcount(mask));
  return false;
}

/* ---- elements ------------------------------------------------------------ */

static u64 element(const struct warp *w, const struct matrix_fragment *f,
                   unsigned lane, unsigned i)
{
  unsigned bits = matrix_bits(f->type), each = 32 / (bits > 32 ? 32 : bits);
  u32 word;

  if (bits == 64)
    return ((const u64 *)slot_at(w, f->registers[i]))[lane];
  word = ((const u32 *)slot_at(w, f->registers[i / each]))[lane];
  return bits == 32 ? word
                    : word >> i % each * bits & ((UINT32_C(1) << bits) - 1);
}

static f64 float_value(enum matrix_type type, u64 bits)
{
  switch (type) {
  case MATRIX_F16: return (f64)f32_from_half((u16)bits);
  case MATRIX_BF16: return (f64)f32_from_bf16((u16)bits);
  /* The hardware looks at the upper 19 bits only. */
  case MATRIX_TF32: return (f64)f32_bits((u32)bits & 0xffffe000);
  case MATRIX_E4M3: return f64_from_eight((u32)bits, EIGHT_E4M3);
  case MATRIX_E5M2: return f64_from_eight((u32)bits, EIGHT_E5M2);
  case MATRIX_F64: return f64_bits(bits);
  default: return (f64)f32_bits((u32)bits);
  }
}

static s32 integer_value(enum matrix_type type, u64 bits)
{
  switch (type) {
  case MATRIX_S8: return (s8)(u8)bits;
  case MATRIX_S4: return (s32)(bits & 7) - (s32)(bits & 8);
  default: return (s32)(u32)bits;
  }
}

static bool is_integer(enum matrix_type type) { return type >= MATRIX_S8; }

/* The largest: 16 lines of 256 single bits, or 32 lines of 16. */
enum { MOST_ELEMENTS = 4096, MOST_RESULTS = 512 };
struct operand {
  union {
    f64 real[MOST_ELEMENTS];
    s32 whole[MOST_ELEMENTS];
  };
};

/* The right matrix is turned, so that the innermost loop runs along lines. */
static void gather(const struct warp *w, const struct matrix_fragment *f,
                   bool turned, struct operand *to)
{
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned i = 0; i < f->elements; i++) {
      struct matrix_place p = matrix_place(f, l, i);
      unsigned at =
          turned ? p.at * f->lines + p.line : p.line * f->depth + p.at;
      u64 bits = element(w, f, l, i);

      if (is_integer(f->type))
        to->whole[at] = integer_value(f->type, bits);
      else
        to->real[at] = float_value(f->type, bits);
    }
}

static u32 single_result(f64 value)
{
  return value != value ? 0x7fffffff : bits_f32((f32)value);
}

/* Element `i` of `lane` becomes `value`. */
static void put_real(struct warp *w, const struct matrix_fragment *f,
                     unsigned lane, unsigned i, f64 value)
{
  if (f->type == MATRIX_F64)
    ((f64 *)slot_at(w, f->registers[i]))[lane] = value;
  else if (f->type == MATRIX_F32)
    ((u32 *)slot_at(w, f->registers[i]))[lane] = single_result(value);
  else
    ((u16 *)slot_at(w, f->registers[i / 2]))[2 * lane + i % 2] =
        half_from_f64(value, 0);
}

/* ---- products ------------------------------------------------------------ */

/* Products of the small types are exact in double precision, and so are
 * their sums but in extreme cases: what is rounded is the end result, once,
 * to nearest. An H200 drops low bits of the addends instead. */
static void multiply_real(const struct matrix_extra *x,
                          const struct operand *left,
                          const struct operand *right, f64 *sums)
{
  unsigned lines = x->left.lines, columns = x->right.lines;
  unsigned depth = x->left.depth;

  for (unsigned m = 0; m < lines; m++)
    for (unsigned k = 0; k < depth; k++) {
      f64 a = left->real[m * depth + k];
      const f64 *b = &right->real[k * columns];
      f64 *sum = &sums[m * columns];

      for (unsigned n = 0; n < columns; n++)
        sum[n] += a * b[n];
    }
}

/* Double precision: one fused operation after the other. */
static void multiply_double(const struct matrix_extra *x,
                            const struct operand *left,
                            const struct operand *right, f64 *sums)
{
  unsigned columns = x->right.lines, depth = x->left.depth;

  rounding_begin(x->rounding);
  for (unsigned m = 0; m < x->left.lines; m++)
    for (unsigned n = 0; n < columns; n++)
      for (unsigned k = 0; k < depth; k++)
        sums[m * columns + n] =
            ROUNDED_FMA(left->real[m * depth + k], right->real[k * columns + n],
                        sums[m * columns + n], x->rounding);
  rounding_end();
}

static s64 bit_count(u32 bits) { return __builtin_popcount(bits); }

static void multiply_whole(const struct matrix_extra *x,
                           const struct operand *left,
                           const struct operand *right, s64 *sums)
{
  unsigned columns = x->right.lines, depth = x->left.depth;

  for (unsigned m = 0; m < x->left.lines; m++)
    for (unsigned k = 0; k < depth; k++) {
      s32 a = left->whole[m * depth + k];
      const s32 *b = &right->whole[k * columns];
      s64 *sum = &sums[m * columns];

      for (unsigned n = 0; n < columns; n++)
        sum[n] += x->product == PRODUCT_MULTIPLY ? (s64)a * b[n]
                  : x->product == PRODUCT_XOR    ? bit_count((u32)(a ^ b[n]))
                                                 : bit_count((u32)(a & b[n]));
    }
}

static void product_of_reals(struct warp *w, const struct matrix_extra *x,
                             const struct operand *left,
                             const struct operand *right)
{
  f64 sums[MOST_RESULTS];

  for (unsigned l = 0; l < LANES; l++)
    for (unsigned i = 0; i < x->c.elements; i++) {
      struct matrix_place p = matrix_place(&x->c, l, i);

      sums[p.line * x->c.depth + p.at] =
          float_value(x->c.type, element(w, &x->c, l, i));
    }
  if (x->left.type == MATRIX_F64)
    multiply_double(x, left, right, sums);
  else
    multiply_real(x, left, right, sums);
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned i = 0; i < x->d.elements; i++) {
      struct matrix_place p = matrix_place(&x->d, l, i);

      put_real(w, &x->d, l, i, sums[p.line * x->d.depth + p.at]);
    }
}

static s32 whole_result(s64 sum, bool saturate)
{
  if (saturate && sum != (s32)sum)
    return sum < 0 ? INT32_MIN : INT32_MAX;
  return (s32)(u32)(u64)sum;
}

static void product_of_wholes(struct warp *w, const struct matrix_extra *x,
                              const struct operand *left,
                              const struct operand *right)
{
  s64 sums[MOST_RESULTS];

  for (unsigned l = 0; l < LANES; l++)
    for (unsigned i = 0; i < x->c.elements; i++) {
      struct matrix_place p = matrix_place(&x->c, l, i);

      sums[p.line * x->c.depth + p.at] = (s32)(u32)element(w, &x->c, l, i);
    }
  multiply_whole(x, left, right, sums);
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned i = 0; i < x->d.elements; i++) {
      struct matrix_place p = matrix_place(&x->d, l, i);

      ((s32 *)slot_at(w, x->d.registers[i]))[l] =
          whole_result(sums[p.line * x->d.depth + p.at], x->saturate);
    }
}

/* ---- m8n8k4 of f16 ------------------------------------------------------- */

/* Lanes 4q to 4q + 3 and 4q + 16 to 4q + 19 make product q. */
static unsigned quad_lane(unsigned quad, unsigned i)
{
  return 4 * quad + (i & 3) + 4 * (i & 4);
}

/* Row and column of element `i` of the quad's lane `l` (0 to 7). */
static struct matrix_place quad_place(const struct matrix_fragment *f,
                                      unsigned l, unsigned i)
{
  if (f->type == MATRIX_F16)
    return (struct matrix_place){ l, i };
  return (struct matrix_place){ (l & 1) + (i & 2) + (l & 4),
                                (i & 4) + (l & 2) + (i & 1) };
}

static void multiply_quad(struct warp *w, const struct matrix_extra *x,
                          unsigned quad, f64 sums[8][8])
{
  f64 a[8][4], b[4][8];

  for (unsigned l = 0; l < 8; l++)
    for (unsigned i = 0; i < 4; i++) {
      f64 left =
          float_value(MATRIX_F16, element(w, &x->left, quad_lane(quad, l), i));
      f64 right =
          float_value(MATRIX_F16, element(w, &x->right, quad_lane(quad, l), i));

      *(x->a_by_row ? &a[l][i] : &a[i + (l & 4)][l & 3]) = left;
      *(x->b_by_row ? &b[l & 3][i + (l & 4)] : &b[i][l]) = right;
    }
  for (unsigned l = 0; l < 8; l++)
    for (unsigned i = 0; i < 8; i++) {
      struct matrix_place p = quad_place(&x->c, l, i);

      sums[p.line][p.at] =
          float_value(x->c.type, element(w, &x->c, quad_lane(quad, l), i));
    }
  for (unsigned m = 0; m < 8; m++)
    for (unsigned n = 0; n < 8; n++)
      for (unsigned k = 0; k < 4; k++)
        sums[m][n] += a[m][k] * b[k][n];
}

static void multiply_quads(struct warp *w, const struct matrix_extra *x)
{
  f64 sums[4][8][8];

  for (unsigned quad = 0; quad < 4; quad++)
    multiply_quad(w, x, quad, sums[quad]);
  for (unsigned quad = 0; quad < 4; quad++)
    for (unsigned l = 0; l < 8; l++)
      for (unsigned i = 0; i < 8; i++) {
        struct matrix_place p = quad_place(&x->d, l, i);

        put_real(w, &x->d, quad_lane(quad, l), i, sums[quad][p.line][p.at]);
      }
}

const struct step *matrix_multiply(struct warp *w, const struct step *s)
{
  const struct matrix_extra *x = s->extra;
  struct operand left, right;
  u32 mask = step_mask(w, s);

  if (mask == 0)
    return s + 1;
  if (!matrix_whole_warp(w, s, mask))
    return NULL;
  if (x->quads) {
    multiply_quads(w, x);
    return s + 1;
  }
  gather(w, &x->left, false, &left);
  gather(w, &x->right, true, &right);
  if (is_integer(x->left.type))
    product_of_wholes(w, x, &left, &right);
  else
    product_of_reals(w, x, &left, &right);
  return s + 1;
}

/* movmatrix: an 8 x 8 matrix of 16 bits, two of a row in each lane. */
const struct step *matrix_transpose(struct warp *w, const struct step *s)
{
  u16 from[2 * LANES];
  u16 *to = slot_at(w, s->d);
  const u16 *source = slot_at(w, s->a);
  u32 mask = step_mask(w, s);

  if (mask == 0)
    return s + 1;
  if (!matrix_whole_warp(w, s, mask))
    return NULL;
  for (unsigned i = 0; i < 2 * LANES; i++)
    from[i] = source[i];
  for (unsigned i = 0; i < 2 * LANES; i++)
    to[i] = from[i % 8 * 8 + i / 8];
  return s + 1;
}
