#include "gemm.h"

#include "options.h"

void gemm_check(struct job *job, const struct gemm *g, const int numbers[3])
{
  job_choice(job, 1, "transa", g->trans_a, TRANSPOSES);
  job_choice(job, 2, "transb", g->trans_b, TRANSPOSES);
  job_size(job, 3, "m", g->m);
  job_size(job, 4, "n", g->n);
  job_size(job, 5, "k", g->k);
  job_leading(job, numbers[0], "lda", g->lda, gemm_rows_of_a(g));
  job_leading(job, numbers[1], "ldb", g->ldb, gemm_rows_of_b(g));
  job_leading(job, numbers[2], "ldc", g->ldc, g->m);
}

void gemm_scalars(struct job *job, struct gemm *g, const void *alpha,
                  const void *beta, size_t element_bytes)
{
  g->alpha = job_scalar(job, "alpha", alpha, element_bytes);
  g->beta = job_scalar(job, "beta", beta, element_bytes);
}

void gemm_multiply_floats(const struct gemm *g, const void *a, const void *b,
                          void *c)
{
  cblas_sgemm(CblasColMajor, transpose_of(g->trans_a), transpose_of(g->trans_b),
              (int)g->m, (int)g->n, (int)g->k, (float)g->alpha, a, (int)g->lda,
              b, (int)g->ldb, (float)g->beta, c, (int)g->ldc);
}

static void multiply_doubles(const struct gemm *g, const void *a, const void *b,
                             void *c)
{
  cblas_dgemm(CblasColMajor, transpose_of(g->trans_a), transpose_of(g->trans_b),
              (int)g->m, (int)g->n, (int)g->k, g->alpha, a, (int)g->lda, b,
              (int)g->ldb, g->beta, c, (int)g->ldc);
}

void gemm_run(struct job *job, const struct gemm *g, size_t element_bytes)
{
  int64_t rows_a = gemm_rows_of_a(g), rows_b = gemm_rows_of_b(g);
  const void *a = job_matrix(job, "A", g->a, rows_a, g->m + g->k - rows_a,
                             g->lda, element_bytes);
  const void *b = job_matrix(job, "B", g->b, rows_b, g->k + g->n - rows_b,
                             g->ldb, element_bytes);
  void *c = job_matrix(job, "C", g->c, g->m, g->n, g->ldc, element_bytes);
  if (!job_runs(job) || g->m == 0 || g->n == 0)
    return;
  if (element_bytes == sizeof(float))
    gemm_multiply_floats(g, a, b, c);
  else
    multiply_doubles(g, a, b, c);
}
