/* Products of matrices of complex numbers: two floats or two doubles each. */
#include "gemm.h"

#include "options.h"

static CBLAS_TRANSPOSE complex_transpose_of(int operation)
{
  return operation == CUBLAS_OP_C ? CblasConjTrans : transpose_of(operation);
}

struct scalars {
  double alpha[2], beta[2]; /* or two floats each */
};

static void multiply(struct job *job, const struct gemm *g, size_t bytes,
                     const struct scalars *by)
{
  int64_t rows_a = gemm_rows_of_a(g), rows_b = gemm_rows_of_b(g);
  const void *a = job_matrix(job, "A", g->a, rows_a, g->m + g->k - rows_a,
                             g->lda, bytes);
  const void *b = job_matrix(job, "B", g->b, rows_b, g->k + g->n - rows_b,
                             g->ldb, bytes);
  void *c = job_matrix(job, "C", g->c, g->m, g->n, g->ldc, bytes);
  if (!job_runs(job) || g->m == 0 || g->n == 0)
    return;
  (bytes == 8 ? cblas_cgemm : cblas_zgemm)(
      CblasColMajor, complex_transpose_of(g->trans_a),
      complex_transpose_of(g->trans_b), (int)g->m, (int)g->n, (int)g->k,
      by->alpha, a, (int)g->lda, b, (int)g->ldb, by->beta, c, (int)g->ldc);
}

static cublasStatus_t run(struct job job, struct gemm *gemm, const void *alpha,
                          const void *beta, size_t bytes, const int numbers[3],
                          const long long strides[3], int64_t count)
{
  struct scalars by;
  gemm_check(&job, gemm, numbers);
  job_number(&job, "alpha", alpha, by.alpha, bytes);
  job_number(&job, "beta", beta, by.beta, bytes);
  for (int64_t i = 0; i < count && job_runs(&job); i++) {
    multiply(&job, gemm, bytes, &by);
    gemm->a = (const char *)gemm->a + strides[0] * (long long)bytes;
    gemm->b = (const char *)gemm->b + strides[1] * (long long)bytes;
    gemm->c = (char *)gemm->c + strides[2] * (long long)bytes;
  }
  return job.status;
}

/* LETTER C or Z with numbers of BYTES, sizes of type INT; END and END_BATCHED
 * are what the names of the calls end with. */
#define CALLS(LETTER, BYTES, INT, END, END_BATCHED)                            \
  API cublasStatus_t cublas##LETTER##gemm##END(                                \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *a, INT lda, const void *b, INT ldb,       \
      const void *beta, void *c, INT ldc)                                      \
  {                                                                            \
    struct gemm gemm = {trans_a, trans_b, m, n, k, lda, ldb,                   \
                        ldc,     a,       b, c, 0, 0};                         \
    return run(job_begin(handle, "cublas" #LETTER "gemm"), &gemm, alpha, beta, \
               BYTES, (const int[]){8, 10, 13}, (const long long[]){0, 0, 0},  \
               1);                                                             \
  }                                                                            \
  API cublasStatus_t cublas##LETTER##gemmStridedBatched##END_BATCHED(          \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *a, INT lda, long long stride_a,           \
      const void *b, INT ldb, long long stride_b, const void *beta, void *c,   \
      INT ldc, long long stride_c, INT count)                                  \
  {                                                                            \
    struct gemm gemm = {trans_a, trans_b, m, n, k, lda, ldb,                   \
                        ldc,     a,       b, c, 0, 0};                         \
    return run(job_begin(handle, "cublas" #LETTER "gemmStridedBatched"),       \
               &gemm, alpha, beta, BYTES, (const int[]){8, 11, 15},            \
               (const long long[]){stride_a, stride_b, stride_c}, count);      \
  }

CALLS(C, 8, int, _v2, )
CALLS(C, 8, int64_t, _v2_64, _64)
CALLS(Z, 16, int, _v2, )
CALLS(Z, 16, int64_t, _v2_64, _64)
