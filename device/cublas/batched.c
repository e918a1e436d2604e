/* Many small systems at once: getrf, getri, getrs and gels, batched. Whatever
 * the numbers' type, they are computed in double and rounded once.
 *
 * getrs and gels report a wrong argument on the host, getrf and getri find one
 * for each matrix on the device. */
#include <stdlib.h>

#include "factor.h"
#include "job.h"
#include "options.h"
#include "../support/host_memory.h"

/* Arrays of matrices' addresses, which lie in device memory, too. */
struct many {
  int type;
  int64_t n; /* matrices */
};

static const void *const *addresses(struct job *job, const char *name,
                                    const void *array, int64_t n)
{
  return job_vector(job, name, array, n, 1, sizeof(void *));
}

static number *room_for(struct job *job, int64_t n)
{
  number *new =
      job_runs(job) ? host_try_new((size_t)(n + 1), sizeof *new) : NULL;
  if (job_runs(job) && new == NULL)
    job->status = CUBLAS_STATUS_ALLOC_FAILED;
  return new;
}

static struct operand stored(const void *at, int type, int64_t leading)
{
  return product_operand(at, type, CUBLAS_OP_N, leading);
}

/* A stored matrix to numbers without gaps, and back. */
static void load_matrix(number *to, int type, const void *from, int64_t rows,
                        int64_t columns, int64_t leading)
{
  unsigned parts = number_parts(type);
  for (int64_t j = 0; j < columns; j++)
    for (int64_t i = 0; i < rows; i++) {
      double part[2] = { 0, 0 };
      numbers_widen(part, type,
                    (const char *)from +
                        (j * leading + i) * (int64_t)number_bytes(type),
                    1, 1);
      to[j * rows + i] = parts == 2 ? part[0] + part[1] * I : part[0];
    }
}

static void store(void *to, int type, const number *from, int64_t rows,
                  int64_t columns, int64_t leading)
{
  for (int64_t j = 0; j < columns; j++)
    for (int64_t i = 0; i < rows; i++) {
      number value = from[j * rows + i];
      double part[2] = { creal(value), cimag(value) };
      numbers_narrow((char *)to +
                         (j * leading + i) * (int64_t)number_bytes(type),
                     type, 1, part, 1);
    }
}

/* Rows that do not exist would be changed: what getrf has not made. */
static bool are_pivots(struct job *job, const int *pivots, int64_t n)
{
  for (int64_t i = 0; pivots != NULL && i < n; i++)
    if (pivots[i] < 1 || pivots[i] > n) {
      explain(job->call, "pivot %lld is %d: none of %lld rows",
              (long long)i + 1, pivots[i], (long long)n);
      job->status = CUBLAS_STATUS_INVALID_VALUE;
      return false;
    }
  return true;
}

static cublasStatus_t getrf(struct job job, struct many many, int64_t n,
                            const void *array, int64_t lda, int *pivots,
                            int *info)
{
  job_size(&job, 1, "n", n);
  job_leading(&job, 3, "lda", lda, n);
  job_size(&job, 6, "batchSize", many.n);
  const void *const *a = addresses(&job, "Aarray", array, many.n);
  int *found = job_vector(&job, "infoArray", info, many.n, 1, sizeof *found);
  int *rows = pivots != NULL ? job_vector(&job, "PivotArray", pivots,
                                          n * many.n, 1, sizeof *rows)
                             : NULL;
  number *work = room_for(&job, n * n);
  for (int64_t i = 0; i < many.n && job_runs(&job); i++) {
    void *matrix =
        job_matrix(&job, "A", a[i], n, n, lda, number_bytes(many.type));
    if (!job_runs(&job))
      break;
    job_reads(&job, stored(matrix, many.type, lda), n, n);
    load_matrix(work, many.type, matrix, n, n, lda);
    found[i] = factor_lu(work, n, rows != NULL ? rows + i * n : NULL);
    store(matrix, many.type, work, n, n, lda);
  }
  free(work);
  return job.status;
}

static void invert(const number *a, int64_t n, const int *pivots,
                   number *inverse)
{
  for (int64_t j = 0; j < n; j++) {
    for (int64_t i = 0; i < n; i++)
      inverse[i + j * n] = i == j;
    factor_solve_lu(a, n, pivots, FACTOR_PLAIN, inverse + j * n);
  }
}

static cublasStatus_t getri(struct job job, struct many many, int64_t n,
                            const void *array, int64_t lda, const int *pivots,
                            const void *inverses, int64_t ldc, int *info)
{
  job_size(&job, 1, "n", n);
  job_leading(&job, 3, "lda", lda, n);
  job_leading(&job, 6, "ldc", ldc, n);
  job_size(&job, 8, "batchSize", many.n);
  const void *const *a = addresses(&job, "Aarray", array, many.n);
  const void *const *c = addresses(&job, "Carray", inverses, many.n);
  int *found = job_vector(&job, "infoArray", info, many.n, 1, sizeof *found);
  const int *rows = pivots != NULL ? job_vector(&job, "PivotArray", pivots,
                                                n * many.n, 1, sizeof *rows)
                                   : NULL;
  number *work = room_for(&job, 2 * n * n);
  for (int64_t i = 0; i < many.n && job_runs(&job); i++) {
    size_t bytes = number_bytes(many.type);
    const int *own = rows != NULL ? rows + i * n : NULL;
    const void *from = job_matrix(&job, "A", a[i], n, n, lda, bytes);
    void *to = job_matrix(&job, "C", (void *)(uintptr_t)c[i], n, n, ldc, bytes);
    if (!job_runs(&job) || !are_pivots(&job, own, n))
      break;
    job_reads(&job, stored(from, many.type, lda), n, n);
    load_matrix(work, many.type, from, n, n, lda);
    found[i] = factor_first_zero(work, n, n);
    if (found[i] != 0)
      continue;
    invert(work, n, own, work + n * n);
    store(to, many.type, work + n * n, n, n, ldc);
  }
  free(work);
  return job.status;
}

/* Which argument was wrong, for the host: minus its number, or 0. */
static void report(struct job *job, int *info, int wrong)
{
  if (info == NULL && job->status == CUBLAS_STATUS_SUCCESS) {
    explain(job->call, "info is NULL");
    job->status = CUBLAS_STATUS_INVALID_VALUE;
  }
  if (info != NULL)
    *info = -wrong;
}

/* An H200 answers so to a batch of getrs that holds nothing, and no number of
 * an argument. */
static void check_batch(struct job *job, int64_t n)
{
  if (job->status != CUBLAS_STATUS_SUCCESS || n > 0)
    return;
  explain(job->call, "batchSize is %lld", (long long)n);
  job->status = CUBLAS_STATUS_EXECUTION_FAILED;
}

static int64_t at_least_1(int64_t n) { return n > 1 ? n : 1; }

static cublasStatus_t getrs(struct job job, struct many many, int trans,
                            int64_t n, int64_t nrhs, const void *array,
                            int64_t lda, const int *pivots, const void *sides,
                            int64_t ldb, int *info)
{
  enum factor_op op = trans == CUBLAS_OP_N   ? FACTOR_PLAIN
                      : trans == CUBLAS_OP_T ? FACTOR_TRANSPOSED
                                             : FACTOR_CONJUGATE;
  report(&job, info,
         trans < 0 || trans >= TRANSPOSES ? 1
         : n < 0                          ? 2
         : nrhs < 0                       ? 3
         : lda < at_least_1(n)            ? 5
         : ldb < at_least_1(n)            ? 8
                                          : 0);
  job_choice(&job, 1, "trans", trans, TRANSPOSES);
  job_size(&job, 2, "n", n);
  job_size(&job, 3, "nrhs", nrhs);
  job_leading(&job, 5, "lda", lda, n);
  job_leading(&job, 8, "ldb", ldb, n);
  check_batch(&job, many.n);
  const void *const *a = addresses(&job, "Aarray", array, many.n);
  const void *const *b = addresses(&job, "Barray", sides, many.n);
  const int *rows = pivots != NULL ? job_vector(&job, "devIpiv", pivots,
                                                n * many.n, 1, sizeof *rows)
                                   : NULL;
  number *work = room_for(&job, n * n + n * nrhs);
  for (int64_t i = 0; i < many.n && job_runs(&job); i++) {
    size_t bytes = number_bytes(many.type);
    const int *own = rows != NULL ? rows + i * n : NULL;
    const void *from = job_matrix(&job, "A", a[i], n, n, lda, bytes);
    void *to =
        job_matrix(&job, "B", (void *)(uintptr_t)b[i], n, nrhs, ldb, bytes);
    if (!job_runs(&job) || !are_pivots(&job, own, n))
      break;
    job_reads(&job, stored(from, many.type, lda), n, n);
    load_matrix(work, many.type, from, n, n, lda);
    job_reads(&job, stored(to, many.type, ldb), n, nrhs);
    load_matrix(work + n * n, many.type, to, n, nrhs, ldb);
    for (int64_t j = 0; j < nrhs; j++)
      factor_solve_lu(work, n, own, op, work + n * n + j * n);
    store(to, many.type, work + n * n, n, nrhs, ldb);
  }
  free(work);
  return job.status;
}

/* As NVIDIA's: no transposed systems, and no more columns than rows. */
static void check_shape(struct job *job, int trans, int64_t m, int64_t n)
{
  if (job->status != CUBLAS_STATUS_SUCCESS || (trans == CUBLAS_OP_N && m >= n))
    return;
  explain(job->call, trans != CUBLAS_OP_N
                         ? "the matrices are not to be transposed"
                         : "there are fewer rows than columns");
  job->status = CUBLAS_STATUS_NOT_SUPPORTED;
}

static cublasStatus_t gels(struct job job, struct many many, int trans,
                           int64_t m, int64_t n, int64_t nrhs,
                           const void *array, int64_t lda, const void *sides,
                           int64_t ldc, int *info, int *dev_info)
{
  /* These are the numbers that an H200 gives; they are not the arguments'. */
  report(&job, info,
         m < 0                 ? 1
         : n < 0               ? 3
         : nrhs < 0            ? 2
         : lda < at_least_1(m) ? 5
         : ldc < at_least_1(m) ? 7
         : many.n < 0          ? 8
                               : 0);
  job_size(&job, 2, "m", m);
  job_size(&job, 3, "n", n);
  job_size(&job, 4, "nrhs", nrhs);
  job_leading(&job, 6, "lda", lda, m);
  job_leading(&job, 8, "ldc", ldc, m);
  job_size(&job, 11, "batchSize", many.n);
  check_shape(&job, trans, m, n);
  const void *const *a = addresses(&job, "Aarray", array, many.n);
  const void *const *c = addresses(&job, "Carray", sides, many.n);
  int *found = dev_info != NULL ? job_vector(&job, "devInfoArray", dev_info,
                                             many.n, 1, sizeof *found)
                                : NULL;
  number *work = room_for(&job, m * n + m * nrhs + n);
  for (int64_t i = 0; i < many.n && job_runs(&job); i++) {
    size_t bytes = number_bytes(many.type);
    number *right = work + m * n, *tau = right + m * nrhs;
    void *matrix =
        job_matrix(&job, "A", (void *)(uintptr_t)a[i], m, n, lda, bytes);
    void *to =
        job_matrix(&job, "C", (void *)(uintptr_t)c[i], m, nrhs, ldc, bytes);
    int dependent;
    if (!job_runs(&job))
      break;
    job_reads(&job, stored(matrix, many.type, lda), m, n);
    job_reads(&job, stored(to, many.type, ldc), m, nrhs);
    load_matrix(work, many.type, matrix, m, n, lda);
    load_matrix(right, many.type, to, m, nrhs, ldc);
    factor_qr(work, m, n, tau);
    dependent = factor_first_zero(work, m, n);
    for (int64_t j = 0; j < nrhs && dependent == 0; j++)
      factor_solve_qr(work, m, n, tau, right + j * m);
    if (found != NULL)
      found[i] = dependent;
    store(matrix, many.type, work, m, n, lda);
    if (dependent == 0)
      store(to, many.type, right, m, nrhs, ldc);
  }
  free(work);
  return job.status;
}

#define CALLS(LETTER, TYPE)                                                    \
  API cublasStatus_t cublas##LETTER##getrfBatched(                             \
      cublasHandle_t handle, int n, void *const a[], int lda, int *pivots,     \
      int *info, int count)                                                    \
  {                                                                            \
    return getrf(job_begin(handle, "cublas" #LETTER "getrfBatched"),           \
                 (struct many){ TYPE, count }, n, a, lda, pivots, info);       \
  }                                                                            \
  API cublasStatus_t cublas##LETTER##getriBatched(                             \
      cublasHandle_t handle, int n, const void *const a[], int lda,            \
      const int *pivots, void *const c[], int ldc, int *info, int count)       \
  {                                                                            \
    return getri(job_begin(handle, "cublas" #LETTER "getriBatched"),           \
                 (struct many){ TYPE, count }, n, a, lda, pivots, c, ldc,      \
                 info);                                                        \
  }                                                                            \
  API cublasStatus_t cublas##LETTER##getrsBatched(                             \
      cublasHandle_t handle, int trans, int n, int nrhs,                       \
      const void *const a[], int lda, const int *pivots, void *const b[],      \
      int ldb, int *info, int count)                                           \
  {                                                                            \
    return getrs(job_begin(handle, "cublas" #LETTER "getrsBatched"),           \
                 (struct many){ TYPE, count }, trans, n, nrhs, a, lda, pivots, \
                 b, ldb, info);                                                \
  }                                                                            \
  API cublasStatus_t cublas##LETTER##gelsBatched(                              \
      cublasHandle_t handle, int trans, int m, int n, int nrhs,                \
      void *const a[], int lda, void *const c[], int ldc, int *info,           \
      int *dev_info, int count)                                                \
  {                                                                            \
    return gels(job_begin(handle, "cublas" #LETTER "gelsBatched"),             \
                (struct many){ TYPE, count }, trans, m, n, nrhs, a, lda, c,    \
                ldc, info, dev_info);                                          \
  }

CALLS(S, CUDA_R_32F)
CALLS(D, CUDA_R_64F)
CALLS(C, CUDA_C_32F)
CALLS(Z, CUDA_C_64F)
