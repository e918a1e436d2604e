/* Textbook factorisation in doubles, a column at a time: LU with partial
 * pivoting, QR by Householder reflections. */
#include "factor.h"

#include <math.h>
#include <stddef.h>

/* How LAPACK measures a complex number when it looks for a pivot. */
static double size_of(number x) { return fabs(creal(x)) + fabs(cimag(x)); }

static void swap_rows(number *a, int64_t n, int64_t columns, int64_t i,
                      int64_t j)
{
  for (int64_t k = 0; k < columns && i != j; k++) {
    number old = a[i + k * n];
    a[i + k * n] = a[j + k * n];
    a[j + k * n] = old;
  }
}

static int64_t largest(const number *column, int64_t first, int64_t n)
{
  int64_t best = first;
  for (int64_t i = first + 1; i < n; i++)
    if (size_of(column[i]) > size_of(column[best]))
      best = i;
  return best;
}

int factor_lu(number *a, int64_t n, int *pivots)
{
  int singular = 0;
  for (int64_t k = 0; k < n; k++) {
    number *column = a + k * n;
    int64_t pivot = pivots != NULL ? largest(column, k, n) : k;
    if (pivots != NULL)
      pivots[k] = (int)pivot + 1;
    if (column[pivot] == 0) {
      singular = singular != 0 ? singular : (int)k + 1;
      continue;
    }
    swap_rows(a, n, n, k, pivot);
    for (int64_t i = k + 1; i < n; i++)
      column[i] /= column[k];
    for (int64_t j = k + 1; j < n; j++)
      for (int64_t i = k + 1; i < n; i++)
        a[i + j * n] -= column[i] * a[k + j * n];
  }
  return singular;
}

static void solve_plain(const number *a, int64_t n, number *b)
{
  for (int64_t k = 0; k < n; k++)
    for (int64_t i = k + 1; i < n; i++)
      b[i] -= a[i + k * n] * b[k];
  for (int64_t k = n - 1; k >= 0; k--) {
    b[k] /= a[k + k * n];
    for (int64_t i = 0; i < k; i++)
      b[i] -= a[i + k * n] * b[k];
  }
}

static void solve_transposed(const number *a, int64_t n, bool conjugate,
                             number *b)
{
  for (int64_t k = 0; k < n; k++) {
    for (int64_t i = 0; i < k; i++)
      b[k] -= (conjugate ? conj(a[i + k * n]) : a[i + k * n]) * b[i];
    b[k] /= conjugate ? conj(a[k + k * n]) : a[k + k * n];
  }
  for (int64_t k = n - 1; k >= 0; k--)
    for (int64_t i = k + 1; i < n; i++)
      b[k] -= (conjugate ? conj(a[i + k * n]) : a[i + k * n]) * b[i];
}

void factor_solve_lu(const number *a, int64_t n, const int *pivots,
                     enum factor_op op, number *b)
{
  if (op == FACTOR_PLAIN) {
    for (int64_t k = 0; pivots != NULL && k < n; k++)
      swap_rows(b, n, 1, k, pivots[k] - 1);
    solve_plain(a, n, b);
    return;
  }
  solve_transposed(a, n, op == FACTOR_CONJUGATE, b);
  for (int64_t k = n - 1; pivots != NULL && k >= 0; k--)
    swap_rows(b, n, 1, k, pivots[k] - 1);
}

/* x -= by v (v* x), where v begins with 1 at `first`. */
static void reflect(const number *v, int64_t first, int64_t m, number by,
                    number *x)
{
  number sum = x[first];
  for (int64_t i = first + 1; i < m; i++)
    sum += conj(v[i]) * x[i];
  sum *= by;
  x[first] -= sum;
  for (int64_t i = first + 1; i < m; i++)
    x[i] -= v[i] * sum;
}

/* As LAPACK's larfg: the reflection that leaves one element of a column. */
static number reflection(number *column, int64_t first, int64_t m)
{
  double squares = 0, length;
  number alpha = column[first], by;
  for (int64_t i = first + 1; i < m; i++)
    squares += creal(column[i]) * creal(column[i]) +
               cimag(column[i]) * cimag(column[i]);
  if (squares == 0 && cimag(alpha) == 0)
    return 0;
  length = hypot(cabs(alpha), sqrt(squares));
  length = creal(alpha) >= 0 ? -length : length;
  by = (length - alpha) / length;
  for (int64_t i = first + 1; i < m; i++)
    column[i] /= alpha - length;
  column[first] = length;
  return by;
}

void factor_qr(number *a, int64_t m, int64_t n, number *tau)
{
  for (int64_t k = 0; k < n; k++) {
    tau[k] = reflection(a + k * m, k, m);
    for (int64_t j = k + 1; j < n; j++)
      reflect(a + k * m, k, m, conj(tau[k]), a + j * m);
  }
}

int factor_first_zero(const number *a, int64_t m, int64_t n)
{
  for (int64_t k = 0; k < n; k++)
    if (a[k + k * m] == 0)
      return (int)k + 1;
  return 0;
}

void factor_solve_qr(const number *a, int64_t m, int64_t n, const number *tau,
                     number *b)
{
  for (int64_t k = 0; k < n; k++)
    reflect(a + k * m, k, m, conj(tau[k]), b);
  for (int64_t k = n - 1; k >= 0; k--) {
    b[k] /= a[k + k * m];
    for (int64_t i = 0; i < k; i++)
      b[i] -= a[i + k * m] * b[k];
  }
}
