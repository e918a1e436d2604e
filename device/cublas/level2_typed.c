/* Level 2 of every type: matrices with a band, and updates by two vectors. */
#include "job.h"
#include "options.h"
#include "sums.h"

/* ---- gbmv ------------------------------------------------------------------ */

struct band {
  const void *at;
  int type, trans;
  int64_t m, n, lower, upper, leading; /* diagonals below and above the main */
};

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* The stored elements of line `i` of op(A), a row; the first is in column
 * `*first`, and there are `*n`. Element (i, j) is at (upper + i - j, j). */
static struct vector line_of(const struct band *a, int64_t i, int64_t *first,
                             int64_t *n)
{
  bool plain = a->trans == CUBLAS_OP_N;
  int64_t before = plain ? a->lower : a->upper;
  int64_t after = plain ? a->upper : a->lower;
  *first = most(0, i - before);
  *n = most(0, least(plain ? a->n : a->m, i + after + 1) - *first);
  int64_t row = plain ? i : *first, column = plain ? *first : i;
  return (struct vector){ (const char *)a->at +
                              (a->upper + row - column + column * a->leading) *
                                  (int64_t)number_bytes(a->type),
                          a->type, plain ? a->leading - 1 : 1 };
}

static void multiply_band(const struct band *a, struct vector x,
                          struct vector y, const double alpha[2],
                          const double beta[2])
{
  int64_t rows = a->trans == CUBLAS_OP_N ? a->m : a->n;
  int64_t bytes = (int64_t)number_bytes(a->type);
  bool keeps = beta[0] != 0 || beta[1] != 0;
  bool is_zero = alpha[0] == 0 && alpha[1] == 0;
  for (int64_t i = 0; i < rows; i++) {
    double sum[2] = { 0, 0 }, was[2] = { 0, 0 }, to[2];
    char *at = (char *)(uintptr_t)y.at + i * y.step * bytes;
    int64_t first, n;
    struct vector line = line_of(a, i, &first, &n);
    struct vector part = { (const char *)x.at + first * x.step * bytes, x.type,
                           x.step };
    if (!is_zero)
      sums_dot(line, part, n, a->trans == CUBLAS_OP_C, sum);
    if (keeps)
      numbers_widen(was, y.type, at, 1, 1);
    to[0] = alpha[0] * sum[0] - alpha[1] * sum[1];
    to[1] = alpha[0] * sum[1] + alpha[1] * sum[0];
    if (keeps) {
      to[0] += beta[0] * was[0] - beta[1] * was[1];
      to[1] += beta[0] * was[1] + beta[1] * was[0];
    }
    numbers_narrow(at, y.type, 1, to, 1);
  }
}

static cublasStatus_t gbmv(struct job job, struct band a, const void *alpha,
                           const void *x, int64_t incx, const void *beta,
                           void *y, int64_t incy)
{
  bool plain = a.trans == CUBLAS_OP_N, any = a.m > 0 && a.n > 0;
  int64_t n_x = plain ? a.n : a.m, n_y = plain ? a.m : a.n;
  size_t bytes = number_bytes(a.type);
  double times[2], keep[2];
  job_choice(&job, 1, "trans", a.trans, TRANSPOSES);
  job_size(&job, 2, "m", a.m);
  job_size(&job, 3, "n", a.n);
  job_size(&job, 4, "kl", a.lower);
  job_size(&job, 5, "ku", a.upper);
  job_leading(&job, 8, "lda", a.leading, a.lower + a.upper + 1);
  job_increment(&job, 10, "incx", incx);
  job_increment(&job, 13, "incy", incy);
  job_typed(&job, "alpha", alpha, a.type, times);
  job_typed(&job, "beta", beta, a.type, keep);
  a.at = job_matrix(&job, "A", a.at, any ? a.lower + a.upper + 1 : 0, a.n,
                    a.leading, bytes);
  const void *from = job_vector(&job, "x", x, any ? n_x : 0, incx, bytes);
  void *to = job_vector(&job, "y", y, any ? n_y : 0, incy, bytes);
  if (job_runs(&job) && any)
    multiply_band(&a, sums_vector(from, a.type, n_x, incx),
                  sums_vector(to, a.type, n_y, incy), times, keep);
  return job.status;
}

/* ---- syr2 ------------------------------------------------------------------ */

static struct operand row_of(struct vector v)
{
  return (struct operand){ .at = v.at, .type = v.type, .column = v.step };
}

/* One half of A = alpha x y^T + alpha y x^T + A. */
static cublasStatus_t syr2(struct job job, int type, int uplo, int64_t n,
                           const void *alpha, const void *x, int64_t incx,
                           const void *y, int64_t incy, void *a, int64_t lda)
{
  size_t bytes = number_bytes(type);
  double times[2];
  job_choice(&job, 1, "uplo", uplo, FILLS);
  job_size(&job, 2, "n", n);
  job_increment(&job, 5, "incx", incx);
  job_increment(&job, 7, "incy", incy);
  job_leading(&job, 9, "lda", lda, n);
  job_typed(&job, "alpha", alpha, type, times);
  struct vector one =
      sums_vector(job_vector(&job, "x", x, n, incx, bytes), type, n, incx);
  struct vector other =
      sums_vector(job_vector(&job, "y", y, n, incy, bytes), type, n, incy);
  struct product product = {
    .m = n,
    .n = n,
    .k = 1,
    .a = product_column(one),
    .b = row_of(other),
    .a2 = product_column(other),
    .b2 = row_of(one),
    .c = job_matrix(&job, "A", a, n, n, lda, bytes),
    .c_type = type,
    .c_row = 1,
    .c_column = lda,
    .part = uplo == CUBLAS_FILL_MODE_LOWER ? PART_LOWER : PART_UPPER,
    .alpha = { times[0], times[1] },
    .beta = { 1, 0 },
  };
  if (times[0] != 0 || times[1] != 0)
    job_product(&job, &product);
  return job.status;
}

#define CALLS(LETTER, TYPE, INT, END)                                          \
  API cublasStatus_t cublas##LETTER##gbmv_v2##END(                             \
      cublasHandle_t handle, int trans, INT m, INT n, INT kl, INT ku,          \
      const void *alpha, const void *a, INT lda, const void *x, INT incx,      \
      const void *beta, void *y, INT incy)                                     \
  {                                                                            \
    struct band band = { a, TYPE, trans, m, n, kl, ku, lda };                  \
    return gbmv(job_begin(handle, "cublas" #LETTER "gbmv"), band, alpha, x,    \
                incx, beta, y, incy);                                          \
  }                                                                            \
  API cublasStatus_t cublas##LETTER##syr2_v2##END(                             \
      cublasHandle_t handle, int uplo, INT n, const void *alpha,               \
      const void *x, INT incx, const void *y, INT incy, void *a, INT lda)      \
  {                                                                            \
    return syr2(job_begin(handle, "cublas" #LETTER "syr2"), TYPE, uplo, n,     \
                alpha, x, incx, y, incy, a, lda);                              \
  }

#define BOTH(LETTER, TYPE)                                                     \
  CALLS(LETTER, TYPE, int, )                                                   \
  CALLS(LETTER, TYPE, int64_t, _64)

BOTH(S, CUDA_R_32F)
BOTH(D, CUDA_R_64F)
BOTH(C, CUDA_C_32F)
BOTH(Z, CUDA_C_64F)
