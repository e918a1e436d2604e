/* Gathers matrices from the lanes' registers, multiplies them and puts the
 * result back. matrix_place says which lane holds which element. */
#include "multiplication.h"

#include <math.h>
#include <string.h>

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

/* ---- half of A ----------------------------------------------------------- */

/* Where in its line of A lies the element that is the `at`-th of those which
 * are there? Four bits of metadata go with a group of two elements (32 bits),
 * eight (4 bits) or four, of which half are there. The layout of the metadata
 * is an H100's, which agrees with PTX's figures. */
static unsigned sparse_place(const struct warp *w, const struct matrix_extra *x,
                             unsigned line, unsigned at)
{
  const u32 *metadata = slot_at(w, x->metadata);
  unsigned bits = matrix_bits(x->left.type), half = line / 8;
  unsigned group = bits == 32 ? 2 : bits == 4 ? 8 : 4;
  unsigned groups = x->right.depth / group;
  unsigned g = at / (group / 2), i = at % (group / 2), lane, four;

  if (bits >= 16) { /* both lines of a lane, four groups of each */
    lane = groups * x->selector / 4 + g / 4;
    four = 4 * half + g % 4;
  } else { /* one line, eight groups */
    lane = 2 * x->selector + half + g / 8 * 2;
    four = g % 8;
  }
  four = metadata[line % 8 * 4 + lane] >> 4 * four & 15;
  if (bits == 32)
    return g * group + (four >> 1 & 1);
  if (bits == 4)
    return g * group + 2 * (four >> 2 * (i / 2) & 3) + i % 2;
  return g * group + (four >> 2 * i & 3);
}

/* ---- gathering and putting ------------------------------------------------- */

/* The largest: 16 lines of 256 single bits, or 32 lines of 16. */
enum { MOST_ELEMENTS = 4096, MOST_RESULTS = 512 };
struct operand {
  union {
    f64 real[MOST_ELEMENTS];
    s32 whole[MOST_ELEMENTS];
  };
};

/* The right matrix is turned, so that the innermost loop runs along lines. */
static void gather(const struct warp *w, const struct matrix_extra *x,
                   bool turned, struct operand *to)
{
  const struct matrix_fragment *f = turned ? &x->right : &x->left;

  if (x->sparse && !turned)
    memset(to->whole, 0, sizeof to->whole);
  for (unsigned l = 0; l < LANES; l++)
    for (unsigned i = 0; i < f->elements; i++) {
      struct matrix_place p = matrix_place(f, l, i);
      unsigned along =
          x->sparse && !turned ? sparse_place(w, x, p.line, p.at) : p.at;
      unsigned at =
          turned ? along * f->lines + p.line : p.line * x->right.depth + along;
      u64 bits = element(w, f, l, i);

      if (is_integer(f->type))
        to->whole[at] = integer_value(f->type, bits);
      else
        to->real[at] = float_value(f->type, bits);
    }
}

u32 matrix_half(f64 sum)
{
  u32 bits = half_from_f64(sum, 0);

  return bits == 0x8000 ? 0 : bits;
}

/* Element `i` of `lane` becomes `value`. */
static void put_real(struct warp *w, const struct matrix_fragment *f,
                     unsigned lane, unsigned i, f64 value)
{
  if (f->type == MATRIX_F64)
    ((f64 *)slot_at(w, f->registers[i]))[lane] = value;
  else if (f->type == MATRIX_F32)
    ((u32 *)slot_at(w, f->registers[i]))[lane] = matrix_single(value);
  else
    ((u16 *)slot_at(w, f->registers[i / 2]))[2 * lane + i % 2] =
        (u16)matrix_half(value);
}

/* Lane 0's place of an element leads to those of the others. */
static unsigned place_from(struct matrix_place first,
                           const struct matrix_fragment *f, unsigned lane)
{
  return (first.line + lane / 4) * f->depth + first.at + lane % 4 * f->run;
}

static void gather_sums(const struct warp *w, const struct matrix_fragment *f,
                        f64 *to)
{
  for (unsigned i = 0; i < f->elements; i++) {
    struct matrix_place first = matrix_place(f, 0, i);

    if (f->type == MATRIX_F32) {
      const f32 *from = slot_at(w, f->registers[i]);

      for (unsigned l = 0; l < LANES; l++)
        to[place_from(first, f, l)] = (f64)from[l];
    } else if (f->type == MATRIX_F16) {
      const u16 *from = slot_at(w, f->registers[i / 2]);

      for (unsigned l = 0; l < LANES; l++)
        to[place_from(first, f, l)] = (f64)f32_from_half(from[2 * l + i % 2]);
    } else {
      const f64 *from = slot_at(w, f->registers[i]);

      for (unsigned l = 0; l < LANES; l++)
        to[place_from(first, f, l)] = from[l];
    }
  }
}

static void put_sums(struct warp *w, const struct matrix_fragment *f,
                     const f64 *sums)
{
  for (unsigned i = 0; i < f->elements; i++) {
    struct matrix_place first = matrix_place(f, 0, i);

    if (f->type == MATRIX_F32) {
      u32 *to = slot_at(w, f->registers[i]);

      for (unsigned l = 0; l < LANES; l++)
        to[l] = matrix_single(sums[place_from(first, f, l)]);
    } else {
      for (unsigned l = 0; l < LANES; l++)
        put_real(w, f, l, i, sums[place_from(first, f, l)]);
    }
  }
}

/* ---- products ------------------------------------------------------------ */

static enum matrix_type tensor_type(enum matrix_type type)
{
  return type == MATRIX_E4M3 || type == MATRIX_E5M2 ? MATRIX_F16 : type;
}

/* Of four 8-bit floats in a register the first two belong to the first step,
 * the others to the second one. */
static unsigned tensor_place(enum matrix_type type, unsigned at, unsigned depth)
{
  if (tensor_type(type) == type)
    return at;
  return at / 4 * 2 + at % 2 + (at % 4 < 2 ? 0 : depth / 2);
}

/* 8-bit floats are f16 by the time an H200 multiplies them. */
static void widen_eights(enum matrix_type type, u32 *bits)
{
  if (type == MATRIX_E4M3)
    for (unsigned l = 0; l < LANES; l++)
      bits[l] = half_from_e4m3(bits[l]);
  else if (type == MATRIX_E5M2)
    for (unsigned l = 0; l < LANES; l++)
      bits[l] = half_from_e5m2(bits[l]);
}

/* The right matrix is turned, so that the innermost loop runs along lines. */
static void gather_bits(const struct warp *w, const struct matrix_fragment *f,
                        bool turned, bool by_steps, u32 *to)
{
  unsigned bits = matrix_bits(f->type), each = 32 / bits;
  unsigned line_step = turned ? 1 : f->depth, step = turned ? f->lines : 1;

  for (unsigned i = 0; i < f->elements; i++) {
    const u32 *words = slot_at(w, f->registers[i / each]);
    struct matrix_place first = matrix_place(f, 0, i);
    unsigned shift = i % each * bits;
    u32 mask = UINT32_MAX >> (32 - bits), lanes[LANES];

    for (unsigned l = 0; l < LANES; l++)
      lanes[l] = words[l] >> shift & mask;
    widen_eights(f->type, lanes);
    for (unsigned l = 0; l < 4; l++) {
      unsigned at = first.at + l * f->run;
      u32 *first_line;

      if (by_steps)
        at = tensor_place(f->type, at, f->depth);
      first_line = &to[first.line * line_step + at * step];
      for (unsigned line = 0; line < LANES / 4; line++)
        first_line[line * line_step] = lanes[4 * line + l];
    }
  }
}

/* mma and wmma of real numbers. Tensor cores add all k products and C in one
 * step. What their instructions can't do takes two: the k = 8 that wmma has
 * for tf32, and 8-bit floats, whose sums begin at zero and have C added last. */
static void begin_product(const struct matrix_extra *x, unsigned rows,
                          struct multiplication *p)
{
  p->a_type = tensor_type(x->left.type);
  p->b_type = tensor_type(x->right.type);
  p->d_type = x->d.type;
  p->rows = rows;
  p->n = x->right.lines;
  p->k = x->left.depth;
  p->at_once = x->in_two_steps ? p->k / 2 : p->k;
  p->negate = false;
}

/* The multiplied numbers of a row, which has elements of B of its own. */
static void multiply_sparse_row(const struct warp *w,
                                const struct matrix_extra *x, unsigned row,
                                const u32 *a, const u32 *b,
                                struct multiplication *p)
{
  begin_product(x, 1, p);
  for (unsigned at = 0; at < p->k; at++) {
    unsigned to = tensor_place(x->left.type, at, p->k);
    unsigned from = sparse_place(w, x, row, at);

    p->a[to] = a[row * p->k + at];
    for (unsigned n = 0; n < p->n; n++)
      p->b[to * p->n + n] = b[from * p->n + n];
  }
  lane_handlers()->multiply(p);
}

static void multiply_real(struct warp *w, const struct matrix_extra *x)
{
  bool eight = tensor_type(x->left.type) != x->left.type;
  unsigned rows = x->left.lines, n = x->right.lines;
  struct multiplication p;
  f64 c[MOST_RESULTS], sums[MOST_RESULTS];

  gather_sums(w, &x->c, c);
  if (x->sparse) {
    u32 a[MOST_RESULTS], b[MOST_RESULTS];

    gather_bits(w, &x->left, false, false, a);
    gather_bits(w, &x->right, true, false, b);
    for (unsigned row = 0; row < rows; row++) {
      for (unsigned i = 0; i < n; i++)
        p.sums.real[i] = eight ? 0 : c[row * n + i];
      multiply_sparse_row(w, x, row, a, b, &p);
      memcpy(&sums[row * n], p.sums.real, n * sizeof *sums);
    }
  } else {
    begin_product(x, rows, &p);
    gather_bits(w, &x->left, false, true, p.a);
    gather_bits(w, &x->right, true, true, p.b);
    for (unsigned i = 0; i < rows * n; i++)
      p.sums.real[i] = eight ? 0 : c[i];
    lane_handlers()->multiply(&p);
    memcpy(sums, p.sums.real, rows * n * sizeof *sums);
  }
  for (unsigned i = 0; i < rows * n; i++)
    sums[i] += eight ? c[i] : 0;
  put_sums(w, &x->d, sums);
}

/* Double precision: one fused operation after the other. */
static void multiply_double(const struct matrix_extra *x,
                            const struct operand *left,
                            const struct operand *right, f64 *sums)
{
  unsigned columns = x->right.lines, depth = x->right.depth;

  rounding_begin(x->rounding);
  for (unsigned m = 0; m < x->left.lines; m++)
    for (unsigned n = 0; n < columns; n++)
      for (unsigned k = 0; k < depth; k++) {
        f64 a = left->real[m * depth + k], b = right->real[k * columns + n];
        f64 *sum = &sums[m * columns + n];
        f64 next = ROUNDED_FMA(a, b, *sum, x->rounding);

        *sum = *sum == *sum ? made_f64(next, a, b) : next;
      }
  rounding_end();
}

static s64 bit_count(u32 bits) { return __builtin_popcount(bits); }

static void multiply_whole(const struct matrix_extra *x,
                           const struct operand *left,
                           const struct operand *right, s64 *sums)
{
  unsigned columns = x->right.lines, depth = x->right.depth;

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

static void product_of_doubles(struct warp *w, const struct matrix_extra *x)
{
  f64 sums[MOST_RESULTS];
  struct operand left, right;

  gather(w, x, false, &left);
  gather(w, x, true, &right);
  gather_sums(w, &x->c, sums);
  multiply_double(x, &left, &right, sums);
  put_sums(w, &x->d, sums);
}

static s32 whole_result(s64 sum, bool saturate)
{
  if (saturate && sum != (s32)sum)
    return sum < 0 ? INT32_MIN : INT32_MAX;
  return (s32)(u32)(u64)sum;
}

/* Of bytes and halves of bytes: all of A by all of B at once. */
static void multiply_bytes(const struct warp *w, const struct matrix_extra *x,
                           s64 *sums)
{
  unsigned n = x->left.lines * x->right.lines;
  struct multiplication p;

  begin_product(x, x->left.lines, &p);
  gather_bits(w, &x->left, false, false, p.a);
  gather_bits(w, &x->right, true, false, p.b);
  memcpy(p.sums.whole, sums, n * sizeof *sums);
  lane_handlers()->multiply(&p);
  memcpy(sums, p.sums.whole, n * sizeof *sums);
}

static void multiply_gathered(const struct warp *w,
                              const struct matrix_extra *x, s64 *sums)
{
  struct operand left, right;

  gather(w, x, false, &left);
  gather(w, x, true, &right);
  multiply_whole(x, &left, &right, sums);
}

static void product_of_wholes(struct warp *w, const struct matrix_extra *x)
{
  s64 sums[MOST_RESULTS];

  for (unsigned i = 0; i < x->c.elements; i++) {
    const s32 *from = slot_at(w, x->c.registers[i]);
    struct matrix_place first = matrix_place(&x->c, 0, i);

    for (unsigned l = 0; l < LANES; l++)
      sums[place_from(first, &x->c, l)] = from[l];
  }
  if (x->sparse || x->left.type == MATRIX_B1)
    multiply_gathered(w, x, sums);
  else
    multiply_bytes(w, x, sums);
  for (unsigned i = 0; i < x->d.elements; i++) {
    s32 *to = slot_at(w, x->d.registers[i]);
    struct matrix_place first = matrix_place(&x->d, 0, i);

    for (unsigned l = 0; l < LANES; l++)
      to[l] = whole_result(sums[place_from(first, &x->d, l)], x->saturate);
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

/* An H200 has no such instruction: it takes what ordinary ones make of it.
 * Here the sum is exact, and rounded once. */
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
  u32 mask = step_mask(w, s);

  if (mask == 0)
    return s + 1;
  if (!matrix_whole_warp(w, s, mask))
    return NULL;
  if (x->quads)
    multiply_quads(w, x);
  else if (is_integer(x->left.type))
    product_of_wholes(w, x);
  else if (x->left.type == MATRIX_F64)
    product_of_doubles(w, x);
  else
    multiply_real(w, x);
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
