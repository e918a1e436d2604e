/* gemm, one and many; see instances.h. */

API cublasStatus_t V2(gemm)(cublasHandle_t handle, int trans_a, int trans_b,
                            INT m, INT n, INT k, const REAL *alpha,
                            const REAL *a, INT lda, const REAL *b, INT ldb,
                            const REAL *beta, REAL *c, INT ldc)
{
  return gemm_call(job_begin(handle, NAME(gemm)), GEMM(TYPE, TYPE), alpha, beta,
                   TYPE, gemm_plain, (struct gemm_batch){ 1, 0, 0, 0 });
}

/* Matrices `stride_a` elements apart, and so on. */
API cublasStatus_t PLAIN(gemmStridedBatched)(
    cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,
    const REAL *alpha, const REAL *a, INT lda, long long stride_a,
    const REAL *b, INT ldb, long long stride_b, const REAL *beta, REAL *c,
    INT ldc, long long stride_c, INT n_products)
{
  return gemm_call(
      job_begin(handle, NAME(gemmStridedBatched)), GEMM(TYPE, TYPE), alpha,
      beta, TYPE, gemm_strided,
      (struct gemm_batch){ n_products, stride_a, stride_b, stride_c });
}

/* The matrices' addresses lie in device memory, too. */
API cublasStatus_t PLAIN(gemmBatched)(cublasHandle_t handle, int trans_a,
                                      int trans_b, INT m, INT n, INT k,
                                      const REAL *alpha,
                                      const REAL *const at_a[], INT lda,
                                      const REAL *const at_b[], INT ldb,
                                      const REAL *beta, REAL *const at_c[],
                                      INT ldc, INT n_products)
{
  const REAL *a = NULL, *b = NULL;
  REAL *c = NULL;
  return gemm_call_pointers(job_begin(handle, NAME(gemmBatched)),
                            GEMM(TYPE, TYPE), alpha, beta, TYPE, gemm_plain,
                            at_a, at_b, at_c, n_products);
}
