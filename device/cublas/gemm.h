/* The product of matrices, for all of its calls. */
#ifndef DEVICE_CUBLAS_GEMM_H
#define DEVICE_CUBLAS_GEMM_H

#include "job.h"

struct gemm {
  int trans_a, trans_b;
  int64_t m, n, k, lda, ldb, ldc;
  const void *a, *b;
  void *c;
  int type, c_type; /* of A and B, and of C: see numbers.h */
  double alpha[2], beta[2];
};

/* What the caller names a parameter by: its place after the handle. */
struct gemm_places {
  int lda, ldb, ldc, count;
};

/* How many products, and how many numbers lie between one and the next. */
struct gemm_batch {
  int64_t n;
  long long a, b, c;
};

/* The whole call: checks, looks up, multiplies. alpha and beta are numbers of
 * type `scalars`. */
cublasStatus_t gemm_call(struct job job, struct gemm gemm, const void *alpha,
                         const void *beta, int scalars,
                         struct gemm_places places, struct gemm_batch batch);

/* The same for matrices whose addresses lie in device memory, too. */
cublasStatus_t gemm_call_pointers(struct job job, struct gemm gemm,
                                  const void *alpha, const void *beta,
                                  int scalars, struct gemm_places places,
                                  const void *a, const void *b, const void *c,
                                  int64_t n);

/* gemm, gemmBatched and gemmStridedBatched have their parameters there. */
extern const struct gemm_places gemm_plain, gemm_strided;

#define GEMM(type, c_type)                                                     \
  ((struct gemm){ trans_a,                                                     \
                  trans_b,                                                     \
                  m,                                                           \
                  n,                                                           \
                  k,                                                           \
                  lda,                                                         \
                  ldb,                                                         \
                  ldc,                                                         \
                  a,                                                           \
                  b,                                                           \
                  c,                                                           \
                  type,                                                        \
                  c_type,                                                      \
                  { 0, 0 },                                                    \
                  { 0, 0 } })

#endif
