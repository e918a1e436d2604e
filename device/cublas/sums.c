/* Dot products, norms and sums of absolute values, with compensated summation. */
#include "sums.h"

#include <math.h>

enum { BLOCK = 256 };

struct vector sums_vector(const void *address, int type, int64_t n,
                          int64_t increment)
{
  struct vector v = { address, type, increment };
  if (increment < 0 && n > 0 && address != NULL)
    v.at = (const char *)address -
           (n - 1) * increment * (int64_t)number_bytes(type);
  return v;
}

static int64_t min(int64_t a, int64_t b) { return a < b ? a : b; }

/* Up to BLOCK elements from number `first` on. */
static int64_t take_doubles(double *to, const struct vector *v, int64_t first,
                            int64_t n)
{
  int64_t count = min(n - first, BLOCK);
  const char *at = v->at;
  numbers_widen(to, v->type,
                at + first * v->step * (int64_t)number_bytes(v->type), v->step,
                count);
  return count;
}

/* Four sums at once, so that an addition need not wait for the last one. */
static double dot(const double *x, const double *y, int64_t n)
{
  double sum[4] = { 0, 0, 0, 0 };
  int64_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (int part = 0; part < 4; part++)
      sum[part] += x[i + part] * y[i + part];
  for (; i < n; i++)
    sum[0] += x[i] * y[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void dot_complex(const double *x, const double *y, int64_t n,
                        double sign, double *sum)
{
  sum[0] = sum[1] = 0;
  for (int64_t i = 0; i < n; i++) {
    double real = x[2 * i], imaginary = sign * x[2 * i + 1];
    sum[0] += real * y[2 * i] - imaginary * y[2 * i + 1];
    sum[1] += real * y[2 * i + 1] + imaginary * y[2 * i];
  }
}

void sums_dot(struct vector x, struct vector y, int64_t n, bool conjugate,
              double *result)
{
  double one[2 * BLOCK], other[2 * BLOCK];
  double value[2] = { 0, 0 }, lost[2] = { 0, 0 }, part[2];
  bool is_complex = number_parts(x.type) == 2;
  for (int64_t first = 0; first < n; first += BLOCK) {
    int64_t count = take_doubles(one, &x, first, n);
    take_doubles(other, &y, first, n);
    if (is_complex)
      dot_complex(one, other, count, conjugate ? -1 : 1, part);
    else
      part[0] = dot(one, other, count);
    for (int i = 0; i <= is_complex; i++)
      sums_add(&value[i], &lost[i], part[i]);
  }
  for (int i = 0; i <= is_complex; i++)
    result[i] = sums_total(value[i], lost[i]);
}

double sums_of_sizes(struct vector x, int64_t n)
{
  double block[2 * BLOCK], value = 0, lost = 0;
  for (int64_t first = 0; first < n; first += BLOCK) {
    int64_t count = number_parts(x.type) * take_doubles(block, &x, first, n);
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
      sum += fabs(block[i]);
    sums_add(&value, &lost, sum);
  }
  return sums_total(value, lost);
}

/* NaN if there is one. */
static double greatest(struct vector x, int64_t n)
{
  double block[2 * BLOCK], most = 0;
  for (int64_t first = 0; first < n; first += BLOCK) {
    int64_t count = number_parts(x.type) * take_doubles(block, &x, first, n);
    for (int64_t i = 0; i < count; i++)
      if (!(fabs(block[i]) <= most))
        most = isnan(most) ? most : fabs(block[i]);
  }
  return most;
}

/* The squares of doubles can leave the range of doubles; those of narrower
 * numbers cannot. */
double sums_norm(struct vector x, int64_t n)
{
  double block[2 * BLOCK], value = 0, lost = 0, scale = 1;
  if (x.type == CUDA_R_64F || x.type == CUDA_C_64F) {
    double most = greatest(x, n);
    if (most == 0 || isinf(most) || isnan(most))
      return most;
    scale = most > 0x1p450 ? 0x1p-600 : most < 0x1p-450 ? 0x1p600 : 1;
  }
  for (int64_t first = 0; first < n; first += BLOCK) {
    int64_t count = number_parts(x.type) * take_doubles(block, &x, first, n);
    if (scale != 1)
      for (int64_t i = 0; i < count; i++)
        block[i] *= scale;
    sums_add(&value, &lost, dot(block, block, count));
  }
  return sqrt(sums_total(value, lost)) / scale;
}
