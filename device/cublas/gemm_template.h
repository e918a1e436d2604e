/* gemm, one and many; see instances.h. */

API cublasStatus_t V2(gemm)(cublasHandle_t handle, int trans_a, int trans_b,
                            INT m, INT n, INT k, const REAL *alpha,
                            const REAL *a, INT lda, const REAL *b, INT ldb,
                            const REAL *beta, REAL *c, INT ldc)
{
  struct job job = job_begin(handle, NAME(gemm));
  struct gemm gemm = {trans_a, trans_b, m, n, k, lda, ldb, ldc, a, b, c, 0, 0};
  gemm_check(&job, &gemm, (const int[]){8, 10, 13});
  gemm_scalars(&job, &gemm, alpha, beta, sizeof *a);
  gemm_run(&job, &gemm, sizeof *a);
  return job.status;
}

/* Matrices `stride_a` elements apart, and so on. */
API cublasStatus_t PLAIN(gemmStridedBatched)(
    cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,
    const REAL *alpha, const REAL *a, INT lda, long long stride_a,
    const REAL *b, INT ldb, long long stride_b, const REAL *beta, REAL *c,
    INT ldc, long long stride_c, INT n_products)
{
  struct job job = job_begin(handle, NAME(gemmStridedBatched));
  struct gemm gemm = {trans_a, trans_b, m, n, k, lda, ldb, ldc, a, b, c, 0, 0};
  gemm_check(&job, &gemm, (const int[]){8, 11, 15});
  job_size(&job, 17, "batchCount", n_products);
  gemm_scalars(&job, &gemm, alpha, beta, sizeof *a);
  for (INT i = 0; i < n_products && job_runs(&job); i++) {
    gemm.a = a + i * stride_a;
    gemm.b = b + i * stride_b;
    gemm.c = c + i * stride_c;
    gemm_run(&job, &gemm, sizeof *a);
  }
  return job.status;
}

/* The matrices' addresses lie in device memory, too. */
API cublasStatus_t PLAIN(gemmBatched)(
    cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,
    const REAL *alpha, const REAL *const a[], INT lda, const REAL *const b[],
    INT ldb, const REAL *beta, REAL *const c[], INT ldc, INT n_products)
{
  struct job job = job_begin(handle, NAME(gemmBatched));
  struct gemm gemm = {trans_a, trans_b, m, n, k, lda, ldb, ldc, 0, 0, 0, 0, 0};
  gemm_check(&job, &gemm, (const int[]){8, 10, 13});
  job_size(&job, 14, "batchCount", n_products);
  gemm_scalars(&job, &gemm, alpha, beta, sizeof **a);
  const REAL *const *at_a =
      job_vector(&job, "Aarray", a, n_products, 1, sizeof *a);
  const REAL *const *at_b =
      job_vector(&job, "Barray", b, n_products, 1, sizeof *b);
  REAL *const *at_c = job_vector(&job, "Carray", c, n_products, 1, sizeof *c);
  for (INT i = 0; i < n_products && job_runs(&job); i++) {
    gemm.a = at_a[i];
    gemm.b = at_b[i];
    gemm.c = at_c[i];
    gemm_run(&job, &gemm, sizeof **a);
  }
  return job.status;
}
