/* A matrix and vectors; see instances.h. */

/* y = alpha A x + beta y, where A has `n_y` rows and `n_x` columns. */
static void LOCAL(times_vector)(struct job *job, struct operand a, INT n_y,
                                INT n_x, const REAL *x, INT incx, REAL *y,
                                INT incy, REAL alpha, REAL beta)
{
  struct product product = {
      .m = n_y,
      .n = 1,
      .k = n_x,
      .a = a,
      .b = product_column(sums_vector(x, TYPE, n_x, incx)),
      .c = (void *)(uintptr_t)sums_vector(y, TYPE, n_y, incy).at,
      .c_type = TYPE,
      .c_row = incy,
      .alpha = {(double)alpha, 0},
      .beta = {(double)beta, 0},
  };
  job_product(job, &product);
}

API cublasStatus_t V2(gemv)(cublasHandle_t handle, int trans, INT m, INT n,
                            const REAL *alpha, const REAL *a, INT lda,
                            const REAL *x, INT incx, const REAL *beta,
                            REAL *y, INT incy)
{
  struct job job = job_begin(handle, NAME(gemv));
  INT n_x = trans == CUBLAS_OP_N ? n : m, n_y = trans == CUBLAS_OP_N ? m : n;
  job_choice(&job, 1, "trans", trans, TRANSPOSES);
  job_size(&job, 2, "m", m);
  job_size(&job, 3, "n", n);
  job_leading(&job, 6, "lda", lda, m);
  job_increment(&job, 8, "incx", incx);
  job_increment(&job, 11, "incy", incy);
  REAL times = (REAL)job_scalar(&job, "alpha", alpha, sizeof times);
  REAL keep = (REAL)job_scalar(&job, "beta", beta, sizeof keep);
  const REAL *matrix = job_matrix(&job, "A", a, m, n, lda, sizeof *a);
  const REAL *from = job_vector(&job, "x", x, n_x, incx, sizeof *x);
  REAL *to = job_vector(&job, "y", y, n_y, incy, sizeof *y);
  LOCAL(times_vector)(&job, product_operand(matrix, TYPE, trans, lda),
                      m > 0 && n > 0 ? n_y : 0, n_x, from, incx, to, incy,
                      times, keep);
  return job.status;
}

API cublasStatus_t V2(ger)(cublasHandle_t handle, INT m, INT n,
                           const REAL *alpha, const REAL *x, INT incx,
                           const REAL *y, INT incy, REAL *a, INT lda)
{
  struct job job = job_begin(handle, NAME(ger));
  job_size(&job, 1, "m", m);
  job_size(&job, 2, "n", n);
  job_increment(&job, 5, "incx", incx);
  job_increment(&job, 7, "incy", incy);
  job_leading(&job, 9, "lda", lda, m);
  REAL times = (REAL)job_scalar(&job, "alpha", alpha, sizeof times);
  const REAL *column = job_vector(&job, "x", x, m, incx, sizeof *x);
  const REAL *row = job_vector(&job, "y", y, n, incy, sizeof *y);
  REAL *matrix = job_matrix(&job, "A", a, m, n, lda, sizeof *a);
  if (times != 0 && m > 0 && n > 0) {
    job_reads_vector(&job, column, TYPE, m, incx);
    job_reads_vector(&job, row, TYPE, n, incy);
    job_reads(&job, product_operand(matrix, TYPE, CUBLAS_OP_N, lda), m, n);
  }
  if (job_runs(&job) && m > 0 && n > 0)
    CPU(ger)(CblasColMajor, (int)m, (int)n, times, column, (int)incx, row,
             (int)incy, matrix, (int)lda);
  return job.status;
}

API cublasStatus_t V2(symv)(cublasHandle_t handle, int uplo, INT n,
                            const REAL *alpha, const REAL *a, INT lda,
                            const REAL *x, INT incx, const REAL *beta,
                            REAL *y, INT incy)
{
  struct job job = job_begin(handle, NAME(symv));
  job_choice(&job, 1, "uplo", uplo, FILLS);
  job_size(&job, 2, "n", n);
  job_leading(&job, 5, "lda", lda, n);
  job_increment(&job, 7, "incx", incx);
  job_increment(&job, 10, "incy", incy);
  REAL times = (REAL)job_scalar(&job, "alpha", alpha, sizeof times);
  REAL keep = (REAL)job_scalar(&job, "beta", beta, sizeof keep);
  const REAL *matrix = job_matrix(&job, "A", a, n, n, lda, sizeof *a);
  const REAL *from = job_vector(&job, "x", x, n, incx, sizeof *x);
  REAL *to = job_vector(&job, "y", y, n, incy, sizeof *y);
  LOCAL(times_vector)(&job,
                      product_half(matrix, TYPE, CUBLAS_OP_N, lda,
                                   KIND_SYMMETRIC,
                                   uplo == CUBLAS_FILL_MODE_LOWER, false),
                      n, n, from, incx, to, incy, times, keep);
  return job.status;
}

API cublasStatus_t V2(syr)(cublasHandle_t handle, int uplo, INT n,
                           const REAL *alpha, const REAL *x, INT incx,
                           REAL *a, INT lda)
{
  struct job job = job_begin(handle, NAME(syr));
  job_choice(&job, 1, "uplo", uplo, FILLS);
  job_size(&job, 2, "n", n);
  job_increment(&job, 5, "incx", incx);
  job_leading(&job, 7, "lda", lda, n);
  REAL times = (REAL)job_scalar(&job, "alpha", alpha, sizeof times);
  const REAL *from = job_vector(&job, "x", x, n, incx, sizeof *x);
  REAL *matrix = job_matrix(&job, "A", a, n, n, lda, sizeof *a);
  if (times != 0) {
    job_reads_vector(&job, from, TYPE, n, incx);
    job_reads(&job,
              product_half(matrix, TYPE, CUBLAS_OP_N, lda, KIND_SYMMETRIC,
                           uplo == CUBLAS_FILL_MODE_LOWER, false),
              n, n);
  }
  if (job_runs(&job) && n > 0)
    CPU(syr)(CblasColMajor, fill_of(uplo), (int)n, times, from, (int)incx,
             matrix, (int)lda);
  return job.status;
}

/* What trmv and trsv have in common. */
static struct job LOCAL(triangle)(cublasHandle_t handle, const char *call,
                                  int uplo, int trans, int diag, INT n,
                                  const REAL *a, INT lda, REAL *x, INT incx,
                                  const REAL **matrix, REAL **to)
{
  struct job job = job_begin(handle, call);
  job_choice(&job, 1, "uplo", uplo, FILLS);
  job_choice(&job, 2, "trans", trans, TRANSPOSES);
  job_choice(&job, 3, "diag", diag, DIAGS);
  job_size(&job, 4, "n", n);
  job_leading(&job, 6, "lda", lda, n);
  job_increment(&job, 8, "incx", incx);
  *matrix = job_matrix(&job, "A", a, n, n, lda, sizeof *a);
  *to = job_vector(&job, "x", x, n, incx, sizeof *x);
  return job;
}

API cublasStatus_t V2(trmv)(cublasHandle_t handle, int uplo, int trans,
                            int diag, INT n, const REAL *a, INT lda, REAL *x,
                            INT incx)
{
  const REAL *matrix;
  REAL *to;
  struct job job = LOCAL(triangle)(handle, NAME(trmv), uplo, trans, diag, n,
                                   a, lda, x, incx, &matrix, &to);
  if (!job_runs(&job) || n == 0)
    return job.status;
  REAL *copy = host_try_new((size_t)n, sizeof *copy);
  if (copy == NULL)
    return CUBLAS_STATUS_ALLOC_FAILED;
  job_reads_vector(&job, to, TYPE, n, incx);
  CPU(copy)((int)n, to, (int)incx, copy, 1);
  LOCAL(times_vector)(&job,
                      product_half(matrix, TYPE, trans, lda, KIND_TRIANGULAR,
                                   uplo == CUBLAS_FILL_MODE_LOWER,
                                   diag == CUBLAS_DIAG_UNIT),
                      n, n, copy, 1, to, incx, 1, 0);
  free(copy);
  return job.status;
}

API cublasStatus_t V2(trsv)(cublasHandle_t handle, int uplo, int trans,
                            int diag, INT n, const REAL *a, INT lda, REAL *x,
                            INT incx)
{
  const REAL *matrix;
  REAL *to;
  struct job job = LOCAL(triangle)(handle, NAME(trsv), uplo, trans, diag, n,
                                   a, lda, x, incx, &matrix, &to);
  struct solve solve = {
      .a = product_half(matrix, TYPE, trans, lda, KIND_TRIANGULAR,
                        uplo == CUBLAS_FILL_MODE_LOWER,
                        diag == CUBLAS_DIAG_UNIT),
      .m = n,
      .n = 1,
      .x = (void *)(uintptr_t)sums_vector(to, TYPE, n, incx).at,
      .row = incx,
      .alpha = {1, 0},
  };
  job_reads(&job, solve.a, n, n);
  job_reads_vector(&job, to, TYPE, n, incx);
  if (job_runs(&job) && !solve_run(&solve))
    job.status = CUBLAS_STATUS_ALLOC_FAILED;
  return job.status;
}
