/* The product of matrices, for all of its calls. */
#ifndef DEVICE_CUBLAS_GEMM_H
#define DEVICE_CUBLAS_GEMM_H

#include "job.h"

struct gemm {
  int trans_a, trans_b;
  int64_t m, n, k, lda, ldb, ldc;
  const void *a, *b;
  void *c;
  double alpha, beta; /* floats fit */
};

static inline int64_t gemm_rows_of_a(const struct gemm *g)
{
  return g->trans_a == CUBLAS_OP_N ? g->m : g->k;
}

static inline int64_t gemm_rows_of_b(const struct gemm *g)
{
  return g->trans_b == CUBLAS_OP_N ? g->k : g->n;
}

/* `numbers` are those of lda, ldb and ldc among the parameters. */
void gemm_check(struct job *job, const struct gemm *gemm, const int numbers[3]);
void gemm_scalars(struct job *job, struct gemm *gemm, const void *alpha,
                  const void *beta, size_t element_bytes);

/* What is left when everything is checked and looked up. */
void gemm_multiply_floats(const struct gemm *gemm, const void *a,
                          const void *b, void *c);

/* Looks the matrices up and multiplies: float for 4 bytes, else double. */
void gemm_run(struct job *job, const struct gemm *gemm, size_t element_bytes);

#endif
