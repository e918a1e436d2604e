/* Solves block after block, with products of product.h between the blocks. */
#include "solve.h"

#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "factor.h"

enum { BLOCK = 256 };

void solve_transpose(struct solve *s)
{
  struct operand a = s->a;
  int64_t row = s->row;
  s->a.row = a.column;
  s->a.column = a.row;
  s->a.is_lower = !a.is_lower;
  s->row = s->column;
  s->column = row;
}

static void *element(const struct solve *s, int64_t i, int64_t j)
{
  return (char *)s->x +
         (i * s->row + j * s->column) * (int64_t)number_bytes(s->a.type);
}

/* Rows [first, first + rows) of B: less what the rows from `solved` on, `n` of
 * them, have to do with them. */
static bool subtract(const struct solve *s, int64_t first, int64_t rows,
                     int64_t solved, int64_t n)
{
  struct product p = {
    .m = rows,
    .n = s->n,
    .k = n,
    .a = s->a,
    .b = { .at = element(s, solved, 0),
           .type = s->a.type,
           .row = s->row,
           .column = s->column },
    .c = element(s, first, 0),
    .c_type = s->a.type,
    .c_row = s->row,
    .c_column = s->column,
    .alpha = { -1, 0 },
    .beta = { s->alpha[0], s->alpha[1] },
  };
  p.a.kind = KIND_FULL;
  p.a.at = (const char *)s->a.at + (first * s->a.row + solved * s->a.column) *
                                       (int64_t)number_bytes(s->a.type);
  return product_run(&p);
}

/* One column of a block of unknowns, whose matrix is `a`. */
static void solve_column(const struct solve *s, const double *a, int64_t rows,
                         double *x)
{
  for (int64_t step = 0; step < rows; step++) {
    int64_t l = s->a.is_lower ? step : rows - 1 - step;
    int64_t from = s->a.is_lower ? l + 1 : 0;
    int64_t to = s->a.is_lower ? rows : l;
    const double *column = a + l * rows;
    if (!s->a.is_unit)
      x[l] /= column[l];
    for (int64_t i = from; i < to && x[l] != 0; i++)
      x[i] -= column[i] * x[l];
  }
}

static void solve_complex_column(const struct solve *s, const double *a,
                                 int64_t rows, double *numbers)
{
  const number *matrix = (const number *)a;
  number *x = (number *)numbers;
  for (int64_t step = 0; step < rows; step++) {
    int64_t l = s->a.is_lower ? step : rows - 1 - step;
    int64_t from = s->a.is_lower ? l + 1 : 0;
    int64_t to = s->a.is_lower ? rows : l;
    const number *column = matrix + l * rows;
    if (!s->a.is_unit)
      x[l] /= column[l];
    for (int64_t i = from; i < to && x[l] != 0; i++)
      x[i] -= column[i] * x[l];
  }
}

static void solve_block(const struct solve *s, double *a, int64_t first,
                        int64_t rows)
{
  double x[2 * BLOCK];
  unsigned parts = number_parts(s->a.type);
  for (int64_t j = 0; j < rows; j++)
    numbers_widen(a + j * rows * parts, s->a.type,
                  (const char *)s->a.at +
                      (first * s->a.row + (first + j) * s->a.column) *
                          (int64_t)number_bytes(s->a.type),
                  s->a.row, rows);
  for (int64_t i = 0; i < rows * rows && s->a.conjugate; i++)
    a[2 * i + 1] = -a[2 * i + 1];
  for (int64_t j = 0; j < s->n; j++) {
    numbers_widen(x, s->a.type, element(s, first, j), s->row, rows);
    (parts == 2 ? solve_complex_column : solve_column)(s, a, rows, x);
    numbers_narrow(element(s, first, j), s->a.type, s->row, x, rows);
  }
}

/* Whatever A is. */
static bool clear(const struct solve *s)
{
  for (int64_t j = 0; j < s->n; j++)
    for (int64_t i = 0; i < s->m; i++)
      memset(element(s, i, j), 0, number_bytes(s->a.type));
  return true;
}

bool solve_run(const struct solve *s)
{
  int64_t blocks = (s->m + BLOCK - 1) / BLOCK;
  int64_t order = s->m < BLOCK ? s->m : BLOCK;
  double *a;
  bool fine;
  if (s->alpha[0] == 0 && s->alpha[1] == 0)
    return clear(s);
  a = host_try_new((size_t)(order * order + 1) * number_parts(s->a.type),
                   sizeof *a);
  fine = a != NULL;
  for (int64_t step = 0; step < blocks && fine; step++) {
    int64_t first = (s->a.is_lower ? step : blocks - 1 - step) * BLOCK;
    int64_t rows = s->m - first < BLOCK ? s->m - first : BLOCK;
    fine = s->a.is_lower
               ? subtract(s, first, rows, 0, first)
               : subtract(s, first, rows, first + rows, s->m - first - rows);
    if (fine)
      solve_block(s, a, first, rows);
  }
  free(a);
  return fine;
}
