/* Checks the parameters that all calls of GEMM share, looks the matrices up
 * and multiplies them. */
#include "gemm.h"

#include "options.h"
#include "product.h"

const struct gemm_places gemm_plain = { 8, 10, 13, 14 };
const struct gemm_places gemm_strided = { 8, 11, 15, 17 };

static int64_t rows_of_a(const struct gemm *g)
{
  return g->trans_a == CUBLAS_OP_N ? g->m : g->k;
}

static int64_t rows_of_b(const struct gemm *g)
{
  return g->trans_b == CUBLAS_OP_N ? g->k : g->n;
}

static void check_gemm(struct job *job, const struct gemm *g,
                       struct gemm_places places, int64_t n_products)
{
  job_choice(job, 1, "transa", g->trans_a, TRANSPOSES);
  job_choice(job, 2, "transb", g->trans_b, TRANSPOSES);
  job_size(job, 3, "m", g->m);
  job_size(job, 4, "n", g->n);
  job_size(job, 5, "k", g->k);
  job_leading(job, places.lda, "lda", g->lda, rows_of_a(g));
  job_leading(job, places.ldb, "ldb", g->ldb, rows_of_b(g));
  job_leading(job, places.ldc, "ldc", g->ldc, g->m);
  job_size(job, places.count, "batchCount", n_products);
}

/* Looks the matrices up and multiplies. */
static void run_gemm(struct job *job, const struct gemm *g)
{
  int64_t rows_a = rows_of_a(g), rows_b = rows_of_b(g);
  size_t bytes = number_bytes(g->type);
  const void *a =
      job_matrix(job, "A", g->a, rows_a, g->m + g->k - rows_a, g->lda, bytes);
  const void *b =
      job_matrix(job, "B", g->b, rows_b, g->k + g->n - rows_b, g->ldb, bytes);
  void *c =
      job_matrix(job, "C", g->c, g->m, g->n, g->ldc, number_bytes(g->c_type));
  struct product product = {
    .m = g->m,
    .n = g->n,
    .k = g->k,
    .a = product_operand(a, g->type, g->trans_a, g->lda),
    .b = product_operand(b, g->type, g->trans_b, g->ldb),
    .c = c,
    .c_type = g->c_type,
    .c_row = 1,
    .c_column = g->ldc,
    .alpha = { g->alpha[0], g->alpha[1] },
    .beta = { g->beta[0], g->beta[1] },
  };
  job_product(job, &product);
}

cublasStatus_t gemm_call(struct job job, struct gemm g, const void *alpha,
                         const void *beta, int scalars,
                         struct gemm_places places, struct gemm_batch batch)
{
  long long bytes = (long long)number_bytes(g.type);
  long long c_bytes = (long long)number_bytes(g.c_type);
  check_gemm(&job, &g, places, batch.n);
  job_typed(&job, "alpha", alpha, scalars, g.alpha);
  job_typed(&job, "beta", beta, scalars, g.beta);
  for (int64_t i = 0; i < batch.n && job_runs(&job); i++) {
    run_gemm(&job, &g);
    g.a = (const char *)g.a + batch.a * bytes;
    g.b = (const char *)g.b + batch.b * bytes;
    g.c = (char *)g.c + batch.c * c_bytes;
  }
  return job.status;
}

cublasStatus_t gemm_call_pointers(struct job job, struct gemm g,
                                  const void *alpha, const void *beta,
                                  int scalars, struct gemm_places places,
                                  const void *a, const void *b, const void *c,
                                  int64_t n)
{
  check_gemm(&job, &g, places, n);
  job_typed(&job, "alpha", alpha, scalars, g.alpha);
  job_typed(&job, "beta", beta, scalars, g.beta);
  const void *const *at_a = job_vector(&job, "Aarray", a, n, 1, sizeof *at_a);
  const void *const *at_b = job_vector(&job, "Barray", b, n, 1, sizeof *at_b);
  void *const *at_c = job_vector(&job, "Carray", c, n, 1, sizeof *at_c);
  for (int64_t i = 0; i < n && job_runs(&job); i++) {
    g.a = at_a[i];
    g.b = at_b[i];
    g.c = at_c[i];
    run_gemm(&job, &g);
  }
  return job.status;
}
