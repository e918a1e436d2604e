/* Level 3 of every type: products with a hermitian matrix, updates of a half by
 * two matrices, products with a diagonal matrix, many triangular systems. */
#include <string.h>

#include "job.h"
#include "options.h"
#include "solve.h"

/* ---- hemm ------------------------------------------------------------------ */

static cublasStatus_t hemm(struct job job, int type, int side, int uplo,
                           int64_t m, int64_t n, const void *alpha,
                           const void *a, int64_t lda, const void *b,
                           int64_t ldb, const void *beta, void *c, int64_t ldc)
{
  bool is_left = side == CUBLAS_SIDE_LEFT;
  int64_t order = is_left ? m : n;
  size_t bytes = number_bytes(type);
  double times[2], keep[2];
  job_choice(&job, 1, "side", side, SIDES);
  job_choice(&job, 2, "uplo", uplo, FILLS);
  job_size(&job, 3, "m", m);
  job_size(&job, 4, "n", n);
  job_leading(&job, 7, "lda", lda, order);
  job_leading(&job, 9, "ldb", ldb, m);
  job_leading(&job, 12, "ldc", ldc, m);
  job_typed(&job, "alpha", alpha, type, times);
  job_typed(&job, "beta", beta, type, keep);
  if (m == 0 || n == 0)
    return job.status;
  struct operand half = product_half(
      job_matrix(&job, "A", a, order, order, lda, bytes), type, CUBLAS_OP_N,
      lda, KIND_HERMITIAN, uplo == CUBLAS_FILL_MODE_LOWER, false);
  struct operand whole = product_operand(
      job_matrix(&job, "B", b, m, n, ldb, bytes), type, CUBLAS_OP_N, ldb);
  struct product product = {
    .m = m,
    .n = n,
    .k = order,
    .a = is_left ? half : whole,
    .b = is_left ? whole : half,
    .c = job_matrix(&job, "C", c, m, n, ldc, bytes),
    .c_type = type,
    .c_row = 1,
    .c_column = ldc,
    .alpha = { times[0], times[1] },
    .beta = { keep[0], keep[1] },
  };
  job_product(&job, &product);
  return job.status;
}

/* ---- syrkx, herkx ---------------------------------------------------------- */

static void clear_imaginary(void *c, int type, int64_t n, int64_t ldc)
{
  size_t bytes = number_bytes(type);
  for (int64_t i = 0; i < n; i++)
    memset((char *)c + (size_t)(i + i * ldc) * bytes + bytes / 2, 0, bytes / 2);
}

/* One half of C = alpha op(A) op(B)^T + beta C; conjugated if it is hermitian,
 * whose beta and diagonal are real. */
static cublasStatus_t update(struct job job, int type, bool hermitian, int uplo,
                             int trans, int64_t n, int64_t k, const void *alpha,
                             const void *a, int64_t lda, const void *b,
                             int64_t ldb, const void *beta, void *c,
                             int64_t ldc)
{
  bool plain = trans == CUBLAS_OP_N;
  int turned = hermitian ? CUBLAS_OP_C : CUBLAS_OP_T;
  int64_t rows = plain ? n : k, columns = plain ? k : n;
  size_t bytes = number_bytes(type);
  bool is_complex = number_parts(type) == 2;
  double times[2], keep[2];
  job_choice(&job, 1, "uplo", uplo, FILLS);
  job_choice(&job, 2, "trans", trans, TRANSPOSES);
  if (is_complex && !plain && trans != turned) /* the other transposition */
    job_choice(&job, 2, "trans", -1, TRANSPOSES);
  job_size(&job, 3, "n", n);
  job_size(&job, 4, "k", k);
  job_leading(&job, 7, "lda", lda, rows);
  job_leading(&job, 9, "ldb", ldb, rows);
  job_leading(&job, 12, "ldc", ldc, n);
  job_typed(&job, "alpha", alpha, type, times);
  job_typed(&job, "beta", beta,
            !hermitian           ? type
            : type == CUDA_C_32F ? CUDA_R_32F
                                 : CUDA_R_64F,
            keep);
  const void *one = job_matrix(&job, "A", a, rows, columns, lda, bytes);
  const void *other = job_matrix(&job, "B", b, rows, columns, ldb, bytes);
  struct product product = {
    .m = n,
    .n = n,
    .k = k,
    .a = product_operand(one, type, plain ? CUBLAS_OP_N : turned, lda),
    .b = product_operand(other, type, plain ? turned : CUBLAS_OP_N, ldb),
    .c = job_matrix(&job, "C", c, n, n, ldc, bytes),
    .c_type = type,
    .c_row = 1,
    .c_column = ldc,
    .part = uplo == CUBLAS_FILL_MODE_LOWER ? PART_LOWER : PART_UPPER,
    .alpha = { times[0], times[1] },
    .beta = { keep[0], keep[1] },
  };
  bool is_nothing = (k == 0 || (times[0] == 0 && times[1] == 0)) &&
                    keep[0] == 1 && keep[1] == 0;
  if (is_nothing || n == 0)
    return job.status;
  job_product(&job, &product);
  if (hermitian && job_runs(&job))
    clear_imaginary(product.c, type, n, ldc);
  return job.status;
}

/* ---- dgmm ------------------------------------------------------------------ */

/* C = diag(x) A, or A diag(x). C may be A. */
static cublasStatus_t dgmm(struct job job, int type, int side, int64_t m,
                           int64_t n, const void *a, int64_t lda, const void *x,
                           int64_t incx, void *c, int64_t ldc)
{
  bool is_left = side == CUBLAS_SIDE_LEFT, any = m > 0 && n > 0;
  int64_t n_x = is_left ? m : n, bytes = (int64_t)number_bytes(type);
  job_choice(&job, 1, "mode", side, SIDES);
  job_size(&job, 2, "m", m);
  job_size(&job, 3, "n", n);
  job_leading(&job, 5, "lda", lda, m);
  job_leading(&job, 9, "ldc", ldc, m);
  const void *from = job_matrix(&job, "A", a, m, n, lda, (size_t)bytes);
  struct vector by =
      sums_vector(job_vector(&job, "x", x, any ? n_x : 0, incx, (size_t)bytes),
                  type, n_x, incx);
  void *to = job_matrix(&job, "C", c, m, n, ldc, (size_t)bytes);
  for (int64_t j = 0; j < n && any && job_runs(&job); j++)
    for (int64_t i = 0; i < m; i++) {
      double one[2] = { 0, 0 }, other[2] = { 0, 0 }, product[2];
      int64_t at = (is_left ? i : j) * incx;
      numbers_widen(one, type, (const char *)from + (i + j * lda) * bytes, 1,
                    1);
      numbers_widen(other, type, (const char *)by.at + at * bytes, 1, 1);
      product[0] = one[0] * other[0];
      product[1] = one[0] * other[1] + one[1] * other[0];
      if (number_parts(type) == 2)
        product[0] -= one[1] * other[1];
      numbers_narrow((char *)to + (i + j * ldc) * bytes, type, 1, product, 1);
    }
  return job.status;
}

/* ---- trsmBatched ----------------------------------------------------------- */

struct triangle {
  int type, side, uplo, trans, diag;
  int64_t m, n;
};

static void solve_one(struct job *job, const struct triangle *t,
                      const double alpha[2], const void *a, int64_t lda,
                      void *b, int64_t ldb)
{
  int64_t order = t->side == CUBLAS_SIDE_LEFT ? t->m : t->n;
  size_t bytes = number_bytes(t->type);
  struct solve solve = {
    .a = product_half(job_matrix(job, "A", a, order, order, lda, bytes),
                      t->type, t->trans, lda, KIND_TRIANGULAR,
                      t->uplo == CUBLAS_FILL_MODE_LOWER,
                      t->diag == CUBLAS_DIAG_UNIT),
    .m = order,
    .n = t->m + t->n - order,
    .x = job_matrix(job, "B", b, t->m, t->n, ldb, bytes),
    .row = 1,
    .column = ldb,
    .alpha = { alpha[0], alpha[1] },
  };
  if (t->side == CUBLAS_SIDE_RIGHT)
    solve_transpose(&solve);
  if (job_runs(job) && !solve_run(&solve))
    job->status = CUBLAS_STATUS_ALLOC_FAILED;
}

static cublasStatus_t trsm_batched(struct job job, struct triangle t,
                                   const void *alpha, const void *as,
                                   int64_t lda, const void *bs, int64_t ldb,
                                   int64_t count)
{
  double times[2];
  bool any = t.m > 0 && t.n > 0;
  job_choice(&job, 1, "side", t.side, SIDES);
  job_choice(&job, 2, "uplo", t.uplo, FILLS);
  job_choice(&job, 3, "trans", t.trans, TRANSPOSES);
  job_choice(&job, 4, "diag", t.diag, DIAGS);
  job_size(&job, 5, "m", t.m);
  job_size(&job, 6, "n", t.n);
  job_leading(&job, 9, "lda", lda, t.side == CUBLAS_SIDE_LEFT ? t.m : t.n);
  job_leading(&job, 11, "ldb", ldb, t.m);
  job_size(&job, 12, "batchCount", count);
  job_typed(&job, "alpha", alpha, t.type, times);
  count = any ? count : 0;
  const void *const *a = job_vector(&job, "A[]", as, count, 1, sizeof *a);
  void *const *b = job_vector(&job, "B[]", bs, count, 1, sizeof *b);
  for (int64_t i = 0; i < count && job_runs(&job); i++)
    solve_one(&job, &t, times, a[i], lda, b[i], ldb);
  return job.status;
}

/* ---- calls ----------------------------------------------------------------- */

#define CALLS(LETTER, TYPE, INT, END)                                          \
  API cublasStatus_t cublas##LETTER##syrkx##END(                               \
      cublasHandle_t handle, int uplo, int trans, INT n, INT k,                \
      const void *alpha, const void *a, INT lda, const void *b, INT ldb,       \
      const void *beta, void *c, INT ldc)                                      \
  {                                                                            \
    return update(job_begin(handle, "cublas" #LETTER "syrkx"), TYPE, false,    \
                  uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);     \
  }                                                                            \
  API cublasStatus_t cublas##LETTER##dgmm##END(                                \
      cublasHandle_t handle, int mode, INT m, INT n, const void *a, INT lda,   \
      const void *x, INT incx, void *c, INT ldc)                               \
  {                                                                            \
    return dgmm(job_begin(handle, "cublas" #LETTER "dgmm"), TYPE, mode, m, n,  \
                a, lda, x, incx, c, ldc);                                      \
  }                                                                            \
  API cublasStatus_t cublas##LETTER##trsmBatched##END(                         \
      cublasHandle_t handle, int side, int uplo, int trans, int diag, INT m,   \
      INT n, const void *alpha, const void *a, INT lda, const void *b,         \
      INT ldb, INT count)                                                      \
  {                                                                            \
    struct triangle t = { TYPE, side, uplo, trans, diag, m, n };               \
    return trsm_batched(job_begin(handle, "cublas" #LETTER "trsmBatched"), t,  \
                        alpha, a, lda, b, ldb, count);                         \
  }

#define COMPLEX_CALLS(LETTER, TYPE, INT, END)                                  \
  API cublasStatus_t cublas##LETTER##hemm_v2##END(                             \
      cublasHandle_t handle, int side, int uplo, INT m, INT n,                 \
      const void *alpha, const void *a, INT lda, const void *b, INT ldb,       \
      const void *beta, void *c, INT ldc)                                      \
  {                                                                            \
    return hemm(job_begin(handle, "cublas" #LETTER "hemm"), TYPE, side, uplo,  \
                m, n, alpha, a, lda, b, ldb, beta, c, ldc);                    \
  }                                                                            \
  API cublasStatus_t cublas##LETTER##herkx##END(                               \
      cublasHandle_t handle, int uplo, int trans, INT n, INT k,                \
      const void *alpha, const void *a, INT lda, const void *b, INT ldb,       \
      const void *beta, void *c, INT ldc)                                      \
  {                                                                            \
    return update(job_begin(handle, "cublas" #LETTER "herkx"), TYPE, true,     \
                  uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);     \
  }

#define BOTH(CALLS, LETTER, TYPE)                                              \
  CALLS(LETTER, TYPE, int, )                                                   \
  CALLS(LETTER, TYPE, int64_t, _64)

BOTH(CALLS, S, CUDA_R_32F)
BOTH(CALLS, D, CUDA_R_64F)
BOTH(CALLS, C, CUDA_C_32F)
BOTH(CALLS, Z, CUDA_C_64F)
BOTH(COMPLEX_CALLS, C, CUDA_C_32F)
BOTH(COMPLEX_CALLS, Z, CUDA_C_64F)
