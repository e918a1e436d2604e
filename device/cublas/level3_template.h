/* Matrices; see instances.h. gemm and its relatives are in gemm.c. */

/* C = alpha A B + beta C, or B A; A is square, the others have m rows and n
 * columns. */
static void LOCAL(multiply)(struct job *job, int side, struct operand a, INT m,
                            INT n, REAL alpha, const REAL *b, INT ldb,
                            REAL beta, REAL *c, INT ldc)
{
  struct operand other = product_operand(b, TYPE, CUBLAS_OP_N, ldb);
  bool is_left = side == CUBLAS_SIDE_LEFT;
  struct product product = {
      .m = m,
      .n = n,
      .k = is_left ? m : n,
      .a = is_left ? a : other,
      .b = is_left ? other : a,
      .c = c,
      .c_type = TYPE,
      .c_row = 1,
      .c_column = ldc,
      .alpha = {(double)alpha, 0},
      .beta = {(double)beta, 0},
  };
  job_product(job, &product);
}

/* One half of C = alpha op(A) op(B)^T + beta C, with n rows and k terms; with
 * `twice`, op(B) op(A)^T is added to the product. */
static void LOCAL(update)(struct job *job, int uplo, int trans, INT n, INT k,
                          REAL alpha, const REAL *a, INT lda, const REAL *b,
                          INT ldb, bool twice, REAL beta, REAL *c, INT ldc)
{
  int other = trans == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
  struct product product = {
      .m = n,
      .n = n,
      .k = k,
      .a = product_operand(a, TYPE, trans, lda),
      .b = product_operand(b, TYPE, other, ldb),
      .a2 = product_operand(twice ? b : NULL, TYPE, trans, ldb),
      .b2 = product_operand(twice ? a : NULL, TYPE, other, lda),
      .c = c,
      .c_type = TYPE,
      .c_row = 1,
      .c_column = ldc,
      .part = uplo == CUBLAS_FILL_MODE_LOWER ? PART_LOWER : PART_UPPER,
      .alpha = {(double)alpha, 0},
      .beta = {(double)beta, 0},
  };
  job_product(job, &product);
}

API cublasStatus_t V2(symm)(cublasHandle_t handle, int side, int uplo, INT m,
                            INT n, const REAL *alpha, const REAL *a, INT lda,
                            const REAL *b, INT ldb, const REAL *beta, REAL *c,
                            INT ldc)
{
  struct job job = job_begin(handle, NAME(symm));
  INT order = side == CUBLAS_SIDE_LEFT ? m : n;
  job_choice(&job, 1, "side", side, SIDES);
  job_choice(&job, 2, "uplo", uplo, FILLS);
  job_size(&job, 3, "m", m);
  job_size(&job, 4, "n", n);
  job_leading(&job, 7, "lda", lda, order);
  job_leading(&job, 9, "ldb", ldb, m);
  job_leading(&job, 12, "ldc", ldc, m);
  REAL times = (REAL)job_scalar(&job, "alpha", alpha, sizeof times);
  REAL keep = (REAL)job_scalar(&job, "beta", beta, sizeof keep);
  const REAL *one = job_matrix(&job, "A", a, order, order, lda, sizeof *a);
  const REAL *other = job_matrix(&job, "B", b, m, n, ldb, sizeof *b);
  REAL *to = job_matrix(&job, "C", c, m, n, ldc, sizeof *c);
  LOCAL(multiply)(&job, side,
                  product_half(one, TYPE, CUBLAS_OP_N, lda, KIND_SYMMETRIC,
                               uplo == CUBLAS_FILL_MODE_LOWER, false),
                  m, n, times, other, ldb, keep, to, ldc);
  return job.status;
}

API cublasStatus_t V2(syrk)(cublasHandle_t handle, int uplo, int trans, INT n,
                            INT k, const REAL *alpha, const REAL *a, INT lda,
                            const REAL *beta, REAL *c, INT ldc)
{
  struct job job = job_begin(handle, NAME(syrk));
  INT rows = trans == CUBLAS_OP_N ? n : k;
  INT columns = trans == CUBLAS_OP_N ? k : n;
  job_choice(&job, 1, "uplo", uplo, FILLS);
  job_choice(&job, 2, "trans", trans, TRANSPOSES);
  job_size(&job, 3, "n", n);
  job_size(&job, 4, "k", k);
  job_leading(&job, 7, "lda", lda, rows);
  job_leading(&job, 10, "ldc", ldc, n);
  REAL times = (REAL)job_scalar(&job, "alpha", alpha, sizeof times);
  REAL keep = (REAL)job_scalar(&job, "beta", beta, sizeof keep);
  const REAL *from = job_matrix(&job, "A", a, rows, columns, lda, sizeof *a);
  REAL *to = job_matrix(&job, "C", c, n, n, ldc, sizeof *c);
  LOCAL(update)(&job, uplo, trans, n, k, times, from, lda, from, lda, false,
                keep, to, ldc);
  return job.status;
}

API cublasStatus_t V2(syr2k)(cublasHandle_t handle, int uplo, int trans,
                             INT n, INT k, const REAL *alpha, const REAL *a,
                             INT lda, const REAL *b, INT ldb,
                             const REAL *beta, REAL *c, INT ldc)
{
  struct job job = job_begin(handle, NAME(syr2k));
  INT rows = trans == CUBLAS_OP_N ? n : k;
  INT columns = trans == CUBLAS_OP_N ? k : n;
  job_choice(&job, 1, "uplo", uplo, FILLS);
  job_choice(&job, 2, "trans", trans, TRANSPOSES);
  job_size(&job, 3, "n", n);
  job_size(&job, 4, "k", k);
  job_leading(&job, 7, "lda", lda, rows);
  job_leading(&job, 9, "ldb", ldb, rows);
  job_leading(&job, 12, "ldc", ldc, n);
  REAL times = (REAL)job_scalar(&job, "alpha", alpha, sizeof times);
  REAL keep = (REAL)job_scalar(&job, "beta", beta, sizeof keep);
  const REAL *one = job_matrix(&job, "A", a, rows, columns, lda, sizeof *a);
  const REAL *other = job_matrix(&job, "B", b, rows, columns, ldb, sizeof *b);
  REAL *to = job_matrix(&job, "C", c, n, n, ldc, sizeof *c);
  LOCAL(update)(&job, uplo, trans, n, k, times, one, lda, other, ldb, true,
                keep, to, ldc);
  return job.status;
}

static void LOCAL(copy_matrix)(REAL *to, INT to_ld, const REAL *from,
                               INT from_ld, INT rows, INT columns)
{
  for (INT j = 0; j < columns; j++)
    memmove(to + (size_t)j * (size_t)to_ld, from + (size_t)j * (size_t)from_ld,
            (size_t)rows * sizeof *to);
}

/* C = alpha op(A) B, not in place as BLAS has it; C may be B. */
API cublasStatus_t V2(trmm)(cublasHandle_t handle, int side, int uplo,
                            int trans, int diag, INT m, INT n,
                            const REAL *alpha, const REAL *a, INT lda,
                            const REAL *b, INT ldb, REAL *c, INT ldc)
{
  struct job job = job_begin(handle, NAME(trmm));
  INT order = side == CUBLAS_SIDE_LEFT ? m : n;
  job_choice(&job, 1, "side", side, SIDES);
  job_choice(&job, 2, "uplo", uplo, FILLS);
  job_choice(&job, 3, "trans", trans, TRANSPOSES);
  job_choice(&job, 4, "diag", diag, DIAGS);
  job_size(&job, 5, "m", m);
  job_size(&job, 6, "n", n);
  job_leading(&job, 9, "lda", lda, order);
  job_leading(&job, 11, "ldb", ldb, m);
  job_leading(&job, 13, "ldc", ldc, m);
  REAL times = (REAL)job_scalar(&job, "alpha", alpha, sizeof times);
  const REAL *one = job_matrix(&job, "A", a, order, order, lda, sizeof *a);
  const REAL *other = job_matrix(&job, "B", b, m, n, ldb, sizeof *b);
  REAL *to = job_matrix(&job, "C", c, m, n, ldc, sizeof *c);
  if (!job_runs(&job) || m == 0 || n == 0)
    return job.status;
  REAL *copy = host_try_new((size_t)m * (size_t)n, sizeof *copy);
  if (copy == NULL)
    return CUBLAS_STATUS_ALLOC_FAILED;
  if (times != 0)
    job_reads(&job, product_operand(other, TYPE, CUBLAS_OP_N, ldb), m, n);
  LOCAL(copy_matrix)(copy, m, other, ldb, m, n);
  LOCAL(multiply)(&job, side,
                  product_half(one, TYPE, trans, lda, KIND_TRIANGULAR,
                               uplo == CUBLAS_FILL_MODE_LOWER,
                               diag == CUBLAS_DIAG_UNIT),
                  m, n, times, copy, m, 0, to, ldc);
  free(copy);
  return job.status;
}

API cublasStatus_t V2(trsm)(cublasHandle_t handle, int side, int uplo,
                            int trans, int diag, INT m, INT n,
                            const REAL *alpha, const REAL *a, INT lda,
                            REAL *b, INT ldb)
{
  struct job job = job_begin(handle, NAME(trsm));
  INT order = side == CUBLAS_SIDE_LEFT ? m : n;
  job_choice(&job, 1, "side", side, SIDES);
  job_choice(&job, 2, "uplo", uplo, FILLS);
  job_choice(&job, 3, "trans", trans, TRANSPOSES);
  job_choice(&job, 4, "diag", diag, DIAGS);
  job_size(&job, 5, "m", m);
  job_size(&job, 6, "n", n);
  job_leading(&job, 9, "lda", lda, order);
  job_leading(&job, 11, "ldb", ldb, m);
  REAL times = (REAL)job_scalar(&job, "alpha", alpha, sizeof times);
  const REAL *one = job_matrix(&job, "A", a, order, order, lda, sizeof *a);
  REAL *to = job_matrix(&job, "B", b, m, n, ldb, sizeof *b);
  struct solve solve = {
      .a = product_half(one, TYPE, trans, lda, KIND_TRIANGULAR,
                        uplo == CUBLAS_FILL_MODE_LOWER,
                        diag == CUBLAS_DIAG_UNIT),
      .m = order,
      .n = m + n - order,
      .x = to,
      .row = 1,
      .column = ldb,
      .alpha = {(double)times, 0},
  };
  if (times != 0 && m > 0 && n > 0) {
    job_reads(&job, solve.a, order, order);
    job_reads(&job, product_operand(to, TYPE, CUBLAS_OP_N, ldb), m, n);
  }
  if (side == CUBLAS_SIDE_RIGHT)
    solve_transpose(&solve);
  if (job_runs(&job) && m > 0 && n > 0 && !solve_run(&solve))
    job.status = CUBLAS_STATUS_ALLOC_FAILED;
  return job.status;
}

static REAL LOCAL(element)(const REAL *a, INT ld, int trans, INT i, INT j)
{
  return trans == CUBLAS_OP_N ? a[(size_t)j * (size_t)ld + (size_t)i]
                              : a[(size_t)i * (size_t)ld + (size_t)j];
}

/* C may be an operand that is neither transposed nor of another shape. */
static void LOCAL(check_place)(struct job *job, const char *name,
                               const REAL *operand, INT ld, int trans,
                               const REAL *c, INT ldc)
{
  if (operand != c || job->status != CUBLAS_STATUS_SUCCESS ||
      (trans == CUBLAS_OP_N && ld == ldc))
    return;
  explain(job->call, "C is %s, which is transposed or has another "
               "leading dimension", name);
  job->status = CUBLAS_STATUS_INVALID_VALUE;
}

API cublasStatus_t PLAIN(geam)(cublasHandle_t handle, int trans_a,
                               int trans_b, INT m, INT n, const REAL *alpha,
                               const REAL *a, INT lda, const REAL *beta,
                               const REAL *b, INT ldb, REAL *c, INT ldc)
{
  struct job job = job_begin(handle, NAME(geam));
  INT rows_a = trans_a == CUBLAS_OP_N ? m : n;
  INT rows_b = trans_b == CUBLAS_OP_N ? m : n;
  job_choice(&job, 1, "transa", trans_a, TRANSPOSES);
  job_choice(&job, 2, "transb", trans_b, TRANSPOSES);
  job_size(&job, 3, "m", m);
  job_size(&job, 4, "n", n);
  job_leading(&job, 7, "lda", lda, rows_a);
  job_leading(&job, 10, "ldb", ldb, rows_b);
  job_leading(&job, 12, "ldc", ldc, m);
  REAL of_a = (REAL)job_scalar(&job, "alpha", alpha, sizeof of_a);
  REAL of_b = (REAL)job_scalar(&job, "beta", beta, sizeof of_b);
  LOCAL(check_place)(&job, "A", a, lda, trans_a, c, ldc);
  LOCAL(check_place)(&job, "B", b, ldb, trans_b, c, ldc);
  INT read_a = of_a != 0 ? rows_a : 0, read_b = of_b != 0 ? rows_b : 0;
  const REAL *one = job_matrix(&job, "A", a, read_a, m + n - rows_a, lda,
                               sizeof *a);
  const REAL *other = job_matrix(&job, "B", b, read_b, m + n - rows_b, ldb,
                                 sizeof *b);
  REAL *to = job_matrix(&job, "C", c, m, n, ldc, sizeof *c);
  job_reads(&job, product_operand(one, TYPE, trans_a, lda), m, n);
  job_reads(&job, product_operand(other, TYPE, trans_b, ldb), m, n);
  if (!job_runs(&job))
    return job.status;
  for (INT j = 0; j < n; j++)
    for (INT i = 0; i < m; i++) {
      REAL sum = one != NULL ? of_a * LOCAL(element)(one, lda, trans_a, i, j)
                             : 0;
      if (other != NULL)
        sum += of_b * LOCAL(element)(other, ldb, trans_b, i, j);
      to[(size_t)j * (size_t)ldc + (size_t)i] = sum;
    }
  return job.status;
}
