/* Results against plain loops. Included for float and for double, with and
 * without 64-bit sizes, by test_results.c: REAL, CALL(axpy), INDEX(amax),
 * EACH(behaviour). */

static REAL *LOCAL(make)(size_t n, unsigned seed)
{
  REAL *values = room(n * sizeof *values);
  for (size_t i = 0; i < n; i++)
    values[i] = (REAL)number((unsigned)i + seed);
  return values;
}

static void LOCAL(expect)(const REAL *device, const REAL *expected, size_t n)
{
  REAL *got = room(n * sizeof *got);
  download(got, device, n * sizeof *got);
  for (size_t i = 0; i < n; i++)
    if (got[i] != expected[i]) {
      fprintf(stderr, "element %zu is %g, expected %g\n", i, (double)got[i],
              (double)expected[i]);
      exit(1);
    }
}

enum { LOCAL(M) = 5, LOCAL(N) = 7, LOCAL(K) = 6, LOCAL(LD) = 9 };
#define M LOCAL(M)
#define N LOCAL(N)
#define K LOCAL(K)
#define LD LOCAL(LD)
#define BYTES (LD * LD * sizeof(REAL))

/* Element (i, j) of op(A). */
static REAL LOCAL(at)(const REAL *a, cublasOperation_t op, int i, int j)
{
  return op == CUBLAS_OP_N ? a[i + j * LD] : a[j + i * LD];
}

/* The same of a symmetric or triangular matrix of which one half is kept. */
static REAL LOCAL(kept)(const REAL *a, cublasFillMode_t half, int i, int j,
                        int symmetric)
{
  int is_kept = half == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
  return is_kept ? a[i + j * LD] : symmetric ? a[j + i * LD] : 0;
}

EACH(axpy)
{
  cublasHandle_t h = begin();
  REAL *x = LOCAL(make)(LD * LD, 1), *y = LOCAL(make)(LD * LD, 2), alpha = 3;
  REAL *dx = upload(x, BYTES), *dy = upload(y, BYTES);
  CHECK_EQUAL(CALL(axpy)(h, N, &alpha, dx, 2, dy, 3), OK);
  for (int i = 0; i < N; i++)
    y[3 * i] += alpha * x[2 * i];
  LOCAL(expect)(dy, y, LD * LD);
}

EACH(axpy_backwards)
{
  cublasHandle_t h = begin();
  REAL *x = LOCAL(make)(LD * LD, 1), *y = LOCAL(make)(LD * LD, 2), alpha = 3;
  REAL *dx = upload(x, BYTES), *dy = upload(y, BYTES);
  CHECK_EQUAL(CALL(axpy)(h, N, &alpha, dx, -2, dy, 1), OK);
  for (int i = 0; i < N; i++)
    y[i] += alpha * x[2 * (N - 1 - i)];
  LOCAL(expect)(dy, y, LD * LD);
}

EACH(scal_copy_swap)
{
  cublasHandle_t h = begin();
  REAL *x = LOCAL(make)(LD * LD, 1), *y = LOCAL(make)(LD * LD, 2), alpha = 2;
  REAL *dx = upload(x, BYTES), *dy = upload(y, BYTES);
  CHECK_EQUAL(CALL(scal)(h, N, &alpha, dx, 2), OK);
  for (int i = 0; i < N; i++)
    x[2 * i] *= alpha;
  LOCAL(expect)(dx, x, LD * LD);
  CHECK_EQUAL(CALL(copy)(h, N, dx, 1, dy, 2), OK);
  for (int i = 0; i < N; i++)
    y[2 * i] = x[i];
  LOCAL(expect)(dy, y, LD * LD);
  CHECK_EQUAL(CALL(swap)(h, LD * LD, dx, 1, dy, 1), OK);
  LOCAL(expect)(dx, y, LD * LD);
  LOCAL(expect)(dy, x, LD * LD);
}

EACH(sums)
{
  cublasHandle_t h = begin();
  REAL *x = LOCAL(make)(LD * LD, 1), *y = LOCAL(make)(LD * LD, 2);
  REAL *dx = upload(x, BYTES), *dy = upload(y, BYTES);
  REAL dot = -1, sum = -1, norm = -1, expected_dot = 0, expected_sum = 0;
  REAL squares = 0;
  for (int i = 0; i < N; i++) {
    expected_dot += x[i] * y[2 * i];
    expected_sum += x[i] < 0 ? -x[i] : x[i];
    squares += x[i] * x[i];
  }
  CHECK_EQUAL(CALL(dot)(h, N, dx, 1, dy, 2, &dot), OK);
  CHECK_EQUAL(CALL(asum)(h, N, dx, 1, &sum), OK);
  CHECK_EQUAL(CALL(nrm2)(h, N, dx, 1, &norm), OK);
  CHECK(dot == expected_dot);
  CHECK(sum == expected_sum);
  CHECK(norm * norm > squares * (REAL)0.99999);
  CHECK(norm * norm < squares * (REAL)1.00001);
}

EACH(first_of_the_greatest_and_least)
{
  const REAL values[] = {3, -8, 2, 8, -1, 1};
  cublasHandle_t h = begin();
  REAL *dx = upload(values, sizeof values);
  SIZE greatest = 0, least = 0;
  CHECK_EQUAL(INDEX(amax)(h, 6, dx, 1, &greatest), OK);
  CHECK_EQUAL(INDEX(amin)(h, 6, dx, 1, &least), OK);
  CHECK_EQUAL(greatest, 2);
  CHECK_EQUAL(least, 5);
}

static void LOCAL(check_gemv)(cublasOperation_t op)
{
  cublasHandle_t h = begin();
  REAL *a = LOCAL(make)(LD * LD, 1), *x = LOCAL(make)(LD * LD, 2);
  REAL *y = LOCAL(make)(LD * LD, 3), alpha = 2, beta = -1;
  REAL *da = upload(a, BYTES), *dx = upload(x, BYTES), *dy = upload(y, BYTES);
  int rows = op == CUBLAS_OP_N ? M : N, columns = M + N - rows;
  CHECK_EQUAL(CALL(gemv)(h, op, M, N, &alpha, da, LD, dx, 2, &beta, dy, 1), OK);
  for (int i = 0; i < rows; i++) {
    REAL sum = 0;
    for (int j = 0; j < columns; j++)
      sum += LOCAL(at)(a, op, i, j) * x[2 * j];
    y[i] = alpha * sum + beta * y[i];
  }
  LOCAL(expect)(dy, y, LD * LD);
}

EACH(gemv)
{
  LOCAL(check_gemv)(CUBLAS_OP_N);
}

EACH(gemv_transposed)
{
  LOCAL(check_gemv)(CUBLAS_OP_T);
}

EACH(ger)
{
  cublasHandle_t h = begin();
  REAL *a = LOCAL(make)(LD * LD, 1), *x = LOCAL(make)(LD * LD, 2);
  REAL *y = LOCAL(make)(LD * LD, 3), alpha = 2;
  REAL *da = upload(a, BYTES), *dx = upload(x, BYTES), *dy = upload(y, BYTES);
  CHECK_EQUAL(CALL(ger)(h, M, N, &alpha, dx, 1, dy, 2, da, LD), OK);
  for (int j = 0; j < N; j++)
    for (int i = 0; i < M; i++)
      a[i + j * LD] += alpha * x[i] * y[2 * j];
  LOCAL(expect)(da, a, LD * LD);
}

EACH(symv)
{
  cublasHandle_t h = begin();
  REAL *a = LOCAL(make)(LD * LD, 1), *x = LOCAL(make)(LD * LD, 2);
  REAL *y = LOCAL(make)(LD * LD, 3), alpha = 2, beta = 3;
  REAL *da = upload(a, BYTES), *dx = upload(x, BYTES), *dy = upload(y, BYTES);
  CHECK_EQUAL(CALL(symv)(h, CUBLAS_FILL_MODE_UPPER, N, &alpha, da, LD, dx, 1,
                         &beta, dy, 1),
              OK);
  for (int i = 0; i < N; i++) {
    REAL sum = 0;
    for (int j = 0; j < N; j++)
      sum += LOCAL(kept)(a, CUBLAS_FILL_MODE_UPPER, i, j, 1) * x[j];
    y[i] = alpha * sum + beta * y[i];
  }
  LOCAL(expect)(dy, y, LD * LD);
}

/* trmv, and trsv to get back what it was given. */
EACH(trmv_and_trsv)
{
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  const cublasDiagType_t unit = CUBLAS_DIAG_UNIT;
  cublasHandle_t h = begin();
  REAL *a = LOCAL(make)(LD * LD, 1), *x = LOCAL(make)(LD * LD, 2);
  REAL *product = LOCAL(make)(LD * LD, 2);
  REAL *da = upload(a, BYTES), *dx = upload(x, BYTES);
  for (int i = 0; i < N; i++) {
    product[i] = x[i];
    for (int j = 0; j < i; j++)
      product[i] += a[i + j * LD] * x[j];
  }
  CHECK_EQUAL(CALL(trmv)(h, lower, CUBLAS_OP_N, unit, N, da, LD, dx, 1), OK);
  LOCAL(expect)(dx, product, LD * LD);
  CHECK_EQUAL(CALL(trsv)(h, lower, CUBLAS_OP_N, unit, N, da, LD, dx, 1), OK);
  LOCAL(expect)(dx, x, LD * LD);
}

static void LOCAL(multiply)(const REAL *a, cublasOperation_t op_a,
                            const REAL *b, cublasOperation_t op_b, REAL *c,
                            REAL alpha, REAL beta)
{
  for (int j = 0; j < N; j++)
    for (int i = 0; i < M; i++) {
      REAL sum = 0;
      for (int k = 0; k < K; k++)
        sum += LOCAL(at)(a, op_a, i, k) * LOCAL(at)(b, op_b, k, j);
      c[i + j * LD] = alpha * sum + (beta != 0 ? beta * c[i + j * LD] : 0);
    }
}

static void LOCAL(check_gemm)(cublasOperation_t op_a, cublasOperation_t op_b)
{
  cublasHandle_t h = begin();
  REAL *a = LOCAL(make)(LD * LD, 1), *b = LOCAL(make)(LD * LD, 2);
  REAL *c = LOCAL(make)(LD * LD, 3), alpha = 2, beta = -1;
  REAL *da = upload(a, BYTES), *db = upload(b, BYTES), *dc = upload(c, BYTES);
  CHECK_EQUAL(
      CALL(gemm)(h, op_a, op_b, M, N, K, &alpha, da, LD, db, LD, &beta, dc, LD),
      OK);
  LOCAL(multiply)(a, op_a, b, op_b, c, alpha, beta);
  LOCAL(expect)(dc, c, LD * LD);
}

EACH(gemm)
{
  LOCAL(check_gemm)(CUBLAS_OP_N, CUBLAS_OP_N);
}

EACH(gemm_transposed)
{
  LOCAL(check_gemm)(CUBLAS_OP_T, CUBLAS_OP_N);
  LOCAL(check_gemm)(CUBLAS_OP_N, CUBLAS_OP_C);
  LOCAL(check_gemm)(CUBLAS_OP_T, CUBLAS_OP_T);
}

EACH(gemm_does_not_read_what_it_replaces)
{
  cublasHandle_t h = begin();
  REAL *a = LOCAL(make)(LD * LD, 1), *c = LOCAL(make)(LD * LD, 2);
  REAL alpha = 1, beta = 0, *da = upload(a, BYTES), *dc = upload(c, BYTES);
  CHECK_EQUAL(cudaMemset(dc, 0xff, BYTES), cudaSuccess);
  CHECK_EQUAL(CALL(gemm)(h, CUBLAS_OP_N, CUBLAS_OP_N, LD, LD, LD, &alpha, da,
                         LD, da, LD, &beta, dc, LD),
              OK);
  for (int j = 0; j < LD; j++)
    for (int i = 0; i < LD; i++) {
      c[i + j * LD] = 0;
      for (int k = 0; k < LD; k++)
        c[i + j * LD] += a[i + k * LD] * a[k + j * LD];
    }
  LOCAL(expect)(dc, c, LD * LD);
}

EACH(batches)
{
  cublasHandle_t h = begin();
  REAL *a = LOCAL(make)(2 * LD * LD, 1), *b = LOCAL(make)(2 * LD * LD, 2);
  REAL *c = LOCAL(make)(2 * LD * LD, 3), alpha = 1, beta = 1;
  REAL *da = upload(a, 2 * BYTES), *db = upload(b, 2 * BYTES);
  REAL *dc = upload(c, 2 * BYTES);
  const REAL *at_a[] = {da + LD * LD, da}, *at_b[] = {db + LD * LD, db};
  REAL *at_c[] = {dc + LD * LD, dc};
  CHECK_EQUAL(PLAIN(gemmStridedBatched)(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K,
                                        &alpha, da, LD, LD * LD, db, LD,
                                        LD * LD, &beta, dc, LD, LD * LD, 2),
              OK);
  CHECK_EQUAL(PLAIN(gemmBatched)(h, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha,
                                 upload(at_a, sizeof at_a), LD,
                                 upload(at_b, sizeof at_b), LD, &beta,
                                 upload(at_c, sizeof at_c), LD, 2),
              OK);
  for (int twice = 0; twice < 2; twice++)
    for (int i = 0; i < 2; i++)
      LOCAL(multiply)
  (a + i * LD * LD, CUBLAS_OP_N, b + i * LD * LD, CUBLAS_OP_N, c + i * LD * LD,
   alpha, beta);
  LOCAL(expect)(dc, c, 2 * LD * LD);
}

EACH(symm)
{
  cublasHandle_t h = begin();
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  REAL *a = LOCAL(make)(LD * LD, 1), *b = LOCAL(make)(LD * LD, 2);
  REAL *c = LOCAL(make)(LD * LD, 3), alpha = 2, beta = 1;
  REAL *da = upload(a, BYTES), *db = upload(b, BYTES), *dc = upload(c, BYTES);
  CHECK_EQUAL(CALL(symm)(h, CUBLAS_SIDE_RIGHT, lower, M, N, &alpha, da, LD, db,
                         LD, &beta, dc, LD),
              OK);
  for (int j = 0; j < N; j++)
    for (int i = 0; i < M; i++) {
      REAL sum = 0;
      for (int k = 0; k < N; k++)
        sum += b[i + k * LD] * LOCAL(kept)(a, lower, k, j, 1);
      c[i + j * LD] = alpha * sum + beta * c[i + j * LD];
    }
  LOCAL(expect)(dc, c, LD * LD);
}

EACH(syrk)
{
  cublasHandle_t h = begin();
  REAL *a = LOCAL(make)(LD * LD, 1), *c = LOCAL(make)(LD * LD, 3);
  REAL alpha = 2, beta = -1, *da = upload(a, BYTES), *dc = upload(c, BYTES);
  CHECK_EQUAL(CALL(syrk)(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, N, K, &alpha,
                         da, LD, &beta, dc, LD),
              OK);
  for (int j = 0; j < N; j++)
    for (int i = 0; i <= j; i++) {
      REAL sum = 0;
      for (int k = 0; k < K; k++)
        sum += a[k + i * LD] * a[k + j * LD];
      c[i + j * LD] = alpha * sum + beta * c[i + j * LD];
    }
  LOCAL(expect)(dc, c, LD * LD);
}

/* trmm into another matrix, and trsm to get back what it was given. */
EACH(trmm_and_trsm)
{
  const cublasFillMode_t upper = CUBLAS_FILL_MODE_UPPER;
  const cublasDiagType_t unit = CUBLAS_DIAG_UNIT;
  cublasHandle_t h = begin();
  REAL *a = LOCAL(make)(LD * LD, 1), *b = LOCAL(make)(LD * LD, 2);
  REAL *c = LOCAL(make)(LD * LD, 3), alpha = 2, half = (REAL)0.5;
  REAL *da = upload(a, BYTES), *db = upload(b, BYTES), *dc = upload(c, BYTES);
  CHECK_EQUAL(CALL(trmm)(h, CUBLAS_SIDE_LEFT, upper, CUBLAS_OP_T, unit, M, N,
                         &alpha, da, LD, db, LD, dc, LD),
              OK);
  for (int j = 0; j < N; j++)
    for (int i = 0; i < M; i++) {
      REAL sum = b[i + j * LD];
      for (int k = 0; k < i; k++)
        sum += a[k + i * LD] * b[k + j * LD];
      c[i + j * LD] = alpha * sum;
    }
  LOCAL(expect)(dc, c, LD * LD);
  CHECK_EQUAL(CALL(trsm)(h, CUBLAS_SIDE_LEFT, upper, CUBLAS_OP_T, unit, M, N,
                         &half, da, LD, dc, LD),
              OK);
  for (int j = 0; j < N; j++)
    for (int i = 0; i < M; i++)
      c[i + j * LD] = b[i + j * LD];
  LOCAL(expect)(dc, c, LD * LD);
}

EACH(geam)
{
  cublasHandle_t h = begin();
  REAL *a = LOCAL(make)(LD * LD, 1), *b = LOCAL(make)(LD * LD, 2);
  REAL *c = LOCAL(make)(LD * LD, 3), alpha = 2, beta = -3;
  REAL *da = upload(a, BYTES), *db = upload(b, BYTES), *dc = upload(c, BYTES);
  CHECK_EQUAL(PLAIN(geam)(h, CUBLAS_OP_T, CUBLAS_OP_N, M, N, &alpha, da, LD,
                          &beta, db, LD, dc, LD),
              OK);
  for (int j = 0; j < N; j++)
    for (int i = 0; i < M; i++)
      c[i + j * LD] = alpha * a[j + i * LD] + beta * b[i + j * LD];
  LOCAL(expect)(dc, c, LD * LD);
}

EACH(gemm_ex)
{
  cublasHandle_t h = begin();
  REAL *a = LOCAL(make)(LD * LD, 1), *b = LOCAL(make)(LD * LD, 2);
  REAL *c = LOCAL(make)(LD * LD, 3), alpha = 2, beta = -1;
  REAL *da = upload(a, BYTES), *db = upload(b, BYTES), *dc = upload(c, BYTES);
  cudaDataType type = sizeof(REAL) == 4 ? CUDA_R_32F : CUDA_R_64F;
  CHECK_EQUAL(
      ANY(GemmEx)(h, CUBLAS_OP_N, CUBLAS_OP_T, M, N, K, &alpha, da, type, LD,
                  db, type, LD, &beta, dc, type, LD,
                  sizeof(REAL) == 4 ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_64F,
                  CUBLAS_GEMM_DEFAULT),
      OK);
  LOCAL(multiply)(a, CUBLAS_OP_N, b, CUBLAS_OP_T, c, alpha, beta);
  LOCAL(expect)(dc, c, LD * LD);
}

#undef M
#undef N
#undef K
#undef LD
#undef BYTES
