/* The calls of the product of matrices. */
#include "gemm.h"

#define TEMPLATE "gemm_template.h"
#include "instances.h"

/* Bytes of an element for a mix of types that is served, else 0. */
static size_t mixed_bytes(const int types[3], int compute)
{
  bool is_float = compute == CUBLAS_COMPUTE_32F ||
      compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
      compute == CUBLAS_COMPUTE_32F_FAST_16F ||
      compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
      compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  bool is_double =
      compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
  int wanted = is_float ? CUDA_R_32F : CUDA_R_64F;
  for (int i = 0; i < 3; i++)
    if (types[i] != wanted || !(is_float || is_double))
      return 0;
  return is_float ? sizeof(float) : sizeof(double);
}

static cublasStatus_t run_mixed(cublasHandle_t handle, struct gemm *gemm,
                                const void *alpha, const void *beta,
                                const int types[3], int compute)
{
  struct job job = job_begin(handle, "cublasGemmEx");
  size_t bytes = mixed_bytes(types, compute);
  if (job.status == CUBLAS_STATUS_SUCCESS && bytes == 0) {
    core.explain(job.call,
                 "types %d, %d, %d with compute type %d: the "
                 "software device multiplies float in float and double in "
                 "double",
                 types[0], types[1], types[2], compute);
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  gemm_check(&job, gemm, (const int[]){9, 12, 16});
  gemm_scalars(&job, gemm, alpha, beta, bytes);
  gemm_run(&job, gemm, bytes);
  return job.status;
}

API cublasStatus_t cublasGemmEx(cublasHandle_t handle, int trans_a, int trans_b,
                                int m, int n, int k, const void *alpha,
                                const void *a, int type_a, int lda,
                                const void *b, int type_b, int ldb,
                                const void *beta, void *c, int type_c, int ldc,
                                int compute, int algorithm)
{
  struct gemm gemm = {trans_a, trans_b, m, n, k, lda, ldb, ldc, a, b, c, 0, 0};
  (void)algorithm;
  return run_mixed(handle, &gemm, alpha, beta,
                   (const int[]){type_a, type_b, type_c}, compute);
}

API cublasStatus_t cublasGemmEx_64(cublasHandle_t handle, int trans_a,
                                   int trans_b, int64_t m, int64_t n, int64_t k,
                                   const void *alpha, const void *a, int type_a,
                                   int64_t lda, const void *b, int type_b,
                                   int64_t ldb, const void *beta, void *c,
                                   int type_c, int64_t ldc, int compute,
                                   int algorithm)
{
  struct gemm gemm = {trans_a, trans_b, m, n, k, lda, ldb, ldc, a, b, c, 0, 0};
  (void)algorithm;
  return run_mixed(handle, &gemm, alpha, beta,
                   (const int[]){type_a, type_b, type_c}, compute);
}
