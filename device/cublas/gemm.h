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

/* `numbers` are those of lda, ldb and ldc among the parameters. */
void gemm_check(struct job *job, const struct gemm *gemm, const int numbers[3]);
void gemm_scalars(struct job *job, struct gemm *gemm, const void *alpha,
                  const void *beta, size_t element_bytes);

/* Looks the matrices up and multiplies: float for 4 bytes, else double. */
void gemm_run(struct job *job, const struct gemm *gemm, size_t element_bytes);

#endif
