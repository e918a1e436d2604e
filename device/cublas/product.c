/* Cuts a product into blocks that the CPU's BLAS multiplies in doubles. */
#include "product.h"

#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "../support/host_memory.h"

/* A block of A fits into a CPU's second cache beside a column of C. */
enum { ROWS = 128, COLUMNS = 256, DEPTH = 256 };

struct operand product_operand(const void *at, int type, int operation,
                               int64_t leading)
{
  struct operand o = { .at = at, .type = type, .row = 1, .column = leading };
  if (operation != CUBLAS_OP_N) {
    o.row = leading;
    o.column = 1;
  }
  o.conjugate = operation == CUBLAS_OP_C && number_parts(type) == 2;
  return o;
}

struct operand product_half(const void *at, int type, int operation,
                            int64_t leading, enum kind kind, bool is_lower,
                            bool is_unit)
{
  struct operand o = product_operand(at, type, operation, leading);
  o.kind = kind;
  o.is_lower = is_lower == (operation == CUBLAS_OP_N);
  o.is_unit = is_unit;
  return o;
}

struct operand product_column(struct vector v)
{
  return (struct operand){ .at = v.at, .type = v.type, .row = v.step };
}

static int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }

static void negate_imaginary(double *numbers, int64_t n)
{
  for (int64_t i = 0; i < n; i++)
    numbers[2 * i + 1] = -numbers[2 * i + 1];
}

static const char *element(const struct operand *o, int64_t i, int64_t j)
{
  return (const char *)o->at +
         (i * o->row + j * o->column) * (int64_t)number_bytes(o->type);
}

/* One column of a matrix of which a half is stored: rows [i, i + rows). */
static void pack_half_column(double *to, const struct operand *o, int64_t i,
                             int64_t j, int64_t rows)
{
  unsigned parts = number_parts(o->type);
  int64_t above = j < i ? 0 : min(j - i, rows); /* the diagonal */
  int64_t from = o->is_lower ? above : 0;
  int64_t end = o->is_lower ? rows : min(above + (j >= i), rows);
  memset(to, 0, (size_t)rows * parts * sizeof *to);
  if (end > from)
    numbers_widen(to + from * parts, o->type, element(o, i + from, j), o->row,
                  end - from);
  if (o->kind == KIND_SYMMETRIC || o->kind == KIND_HERMITIAN) {
    int64_t first = o->is_lower ? 0 : end;
    int64_t count = o->is_lower ? from : rows - end;
    if (count > 0)
      numbers_widen(to + first * parts, o->type, element(o, j, i + first),
                    o->column, count);
    if (o->kind == KIND_HERMITIAN) {
      negate_imaginary(to + first * parts, count);
      if (j >= i && j < i + rows)
        to[(j - i) * parts + 1] = 0;
    }
  } else if (o->is_unit && j >= i && j < i + rows) {
    memset(to + (j - i) * parts, 0, parts * sizeof *to);
    to[(j - i) * parts] = 1;
  }
}

/* The block that begins at (i, j), as doubles, column after column. */
static void pack_block(double *to, const struct operand *o, int64_t i,
                       int64_t j, int64_t rows, int64_t columns)
{
  unsigned parts = number_parts(o->type);
  for (int64_t x = 0; x < columns; x++) {
    double *column = to + x * rows * parts;
    if (o->kind == KIND_FULL)
      numbers_widen(column, o->type, element(o, i, j + x), o->row, rows);
    else
      pack_half_column(column, o, i, j + x, rows);
  }
  if (o->conjugate)
    negate_imaginary(to, rows * columns);
}

/* Which of `n` elements along column or row `at` are not in the half of zeros,
 * counted from `first` on. */
struct range {
  int64_t from, to;
};

static struct range filled(bool from_diagonal, int64_t at, int64_t first,
                           int64_t n)
{
  int64_t here = at - first;
  if (from_diagonal)
    return (struct range){ here < 0 ? 0 : min(here, n), n };
  return (struct range){ 0, here < 0 ? 0 : min(here + 1, n) };
}

struct block {
  int64_t i, j, l; /* where it begins in C, and in the sums */
  int64_t rows, columns, depth;
};

/* Real numbers only. Leaves out what is zero, as BLAS does: zero times infinity
 * is not zero. */
static void multiply_triangle(const struct product *p, const struct block *at,
                              const double *a, const double *b, double *c)
{
  bool is_a = p->a.kind == KIND_TRIANGULAR;
  memset(c, 0, (size_t)(at->rows * at->columns) * sizeof *c);
  for (int64_t j = 0; j < at->columns; j++) {
    struct range sums = { 0, at->depth };
    if (!is_a)
      sums = filled(p->b.is_lower, at->j + j, at->l, at->depth);
    for (int64_t l = sums.from; l < sums.to; l++) {
      const double by = b[j * at->depth + l], *from = a + l * at->rows;
      double *to = c + j * at->rows;
      struct range rows = { 0, at->rows };
      if (is_a)
        rows = filled(p->a.is_lower, at->l + l, at->i, at->rows);
      for (int64_t i = rows.from; i < rows.to; i++)
        to[i] += from[i] * by;
    }
  }
}

static void multiply(const struct product *p, const struct block *at,
                     const double *a, const double *b, double *c)
{
  const double one[2] = { 1, 0 }, zero[2] = { 0, 0 };
  int m = (int)at->rows, n = (int)at->columns, k = (int)at->depth;
  if (p->a.kind == KIND_TRIANGULAR || p->b.kind == KIND_TRIANGULAR)
    multiply_triangle(p, at, a, b, c);
  else if (number_parts(p->a.type) == 2)
    cblas_zgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, one, a, m,
                b, k, zero, c, m);
  else
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, a, m, b,
                k, 0, c, m);
}

/* Is all of this block of a triangular operand zeros? */
static bool is_empty(const struct operand *o, int64_t i, int64_t j,
                     int64_t rows, int64_t columns)
{
  if (o->kind != KIND_TRIANGULAR)
    return false;
  return o->is_lower ? i + rows <= j : j + columns <= i;
}

static bool is_zero(const double number[2])
{
  return number[0] == 0 && number[1] == 0;
}

/* to = alpha times sum, plus beta times what is there. */
static void scale(double *to, const double *sum, int64_t n, unsigned parts,
                  const double alpha[2], const double beta[2])
{
  bool keeps = !is_zero(beta);
  for (int64_t i = 0; i < n; i++) {
    const double *s = sum + parts * i;
    double *t = to + parts * i, was[2] = { 0, 0 };
    if (keeps)
      memcpy(was, t, parts * sizeof *t);
    if (parts == 1) {
      *t = alpha[0] * s[0] + (keeps ? beta[0] * was[0] : 0);
      continue;
    }
    t[0] = alpha[0] * s[0] - alpha[1] * s[1];
    t[1] = alpha[0] * s[1] + alpha[1] * s[0];
    if (keeps) {
      t[0] += beta[0] * was[0] - beta[1] * was[1];
      t[1] += beta[0] * was[1] + beta[1] * was[0];
    }
  }
}

/* The same of int, whose sums wrap. Sums of products of bytes are exact. */
static void scale_whole(double *to, const double *sum, int64_t n, double alpha,
                        double beta)
{
  for (int64_t i = 0; i < n; i++) {
    uint64_t value = (uint64_t)(int64_t)sum[i] * (uint64_t)(int64_t)alpha;
    if (beta != 0)
      value += (uint64_t)(int64_t)to[i] * (uint64_t)(int64_t)beta;
    to[i] = (int32_t)(uint32_t)value;
  }
}

static void write_block(const struct product *p, const struct block *at,
                        const double *sum)
{
  unsigned parts = number_parts(p->c_type);
  for (int64_t j = 0; j < at->columns; j++) {
    double column[2 * ROWS];
    const double *sum_of_column;
    struct range rows = { 0, at->rows };
    if (p->part != PART_WHOLE)
      rows = filled(p->part == PART_LOWER, at->j + j, at->i, at->rows);
    int64_t n = rows.to - rows.from;
    char *to = (char *)p->c +
               ((at->i + rows.from) * p->c_row + (at->j + j) * p->c_column) *
                   (int64_t)number_bytes(p->c_type);
    if (n <= 0)
      continue;
    if (!is_zero(p->beta))
      numbers_widen(column, p->c_type, to, p->c_row, n);
    sum_of_column = sum + (j * at->rows + rows.from) * parts;
    if (p->c_type == CUDA_R_32I)
      scale_whole(column, sum_of_column, n, p->alpha[0], p->beta[0]);
    else
      scale(column, sum_of_column, n, parts, p->alpha, p->beta);
    numbers_narrow(to, p->c_type, p->c_row, column, n);
  }
}

struct scratch {
  double *a, *b, *part, *sum, *lost;
};

/* Is nothing of this block of C written? */
static bool is_outside(const struct product *p, const struct block *at)
{
  return (p->part == PART_LOWER && at->i + at->rows <= at->j) ||
         (p->part == PART_UPPER && at->j + at->columns <= at->i);
}

/* Adds A B to a block of C. */
static void add_product(const struct product *p, const struct operand *a,
                        const struct operand *b, struct block *at,
                        const struct scratch *s)
{
  int64_t n = at->rows * at->columns * number_parts(p->c_type);
  for (at->l = 0; at->l < p->k; at->l += DEPTH) {
    at->depth = min(p->k - at->l, DEPTH);
    if (is_empty(a, at->i, at->l, at->rows, at->depth) ||
        is_empty(b, at->l, at->j, at->depth, at->columns))
      continue;
    pack_block(s->a, a, at->i, at->l, at->rows, at->depth);
    pack_block(s->b, b, at->l, at->j, at->depth, at->columns);
    multiply(p, at, s->a, s->b, s->part);
    for (int64_t i = 0; i < n; i++)
      sums_add(&s->sum[i], &s->lost[i], s->part[i]);
  }
}

static void run_block(const struct product *p, struct block *at,
                      const struct scratch *s)
{
  int64_t n = at->rows * at->columns * number_parts(p->c_type);
  memset(s->sum, 0, (size_t)n * sizeof *s->sum);
  memset(s->lost, 0, (size_t)n * sizeof *s->lost);
  if (!is_zero(p->alpha)) {
    add_product(p, &p->a, &p->b, at, s);
    if (p->a2.at != NULL)
      add_product(p, &p->a2, &p->b2, at, s);
  }
  for (int64_t i = 0; i < n; i++)
    s->sum[i] = sums_total(s->sum[i], s->lost[i]);
  write_block(p, at, s->sum);
}

bool product_run(const struct product *p)
{
  int64_t rows = min(p->m, ROWS), columns = min(p->n, COLUMNS);
  int64_t depth = min(p->k, DEPTH), c = rows * columns;
  struct scratch s;
  struct block at;
  if (p->m <= 0 || p->n <= 0)
    return true;
  s.a = host_try_new((size_t)(rows * depth + depth * columns + 3 * c + 1) *
                         number_parts(p->c_type),
                     sizeof *s.a);
  if (s.a == NULL)
    return false;
  s.b = s.a + rows * depth * number_parts(p->c_type);
  s.part = s.b + depth * columns * number_parts(p->c_type);
  s.sum = s.part + c * number_parts(p->c_type);
  s.lost = s.sum + c * number_parts(p->c_type);
  for (at.j = 0; at.j < p->n; at.j += COLUMNS)
    for (at.i = 0; at.i < p->m; at.i += ROWS) {
      at.rows = min(p->m - at.i, ROWS);
      at.columns = min(p->n - at.j, COLUMNS);
      if (!is_outside(p, &at))
        run_block(p, &at, &s);
    }
  free(s.a);
  return true;
}
