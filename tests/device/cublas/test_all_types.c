/* Calls of all four types, against their definition. Values are small whole
 * numbers, so that every sum is exact. */
#include "typed.h"

enum { SIDE = 6, LD = 9, ALL = LD * LD };

static const cublasOperation_t operations[3] = { CUBLAS_OP_N, CUBLAS_OP_T,
                                                 CUBLAS_OP_C };

/* Element (i, j) of op(A), stored with `LD`. */
static number_z at(const number_z *a, cublasOperation_t op, int i, int j)
{
  return op == CUBLAS_OP_N   ? a[i + j * LD]
         : op == CUBLAS_OP_T ? a[j + i * LD]
                             : conj(a[j + i * LD]);
}

/* A factor as the call takes it, on the host. */
struct factor {
  char bytes[16];
};
static struct factor factor_of(cudaDataType type, number_z value)
{
  struct factor f;
  pack(f.bytes, type, &value, 1);
  return f;
}

static number_z some(cudaDataType type, double real, double imaginary)
{
  return is_complex(type) ? real + imaginary * I : real;
}

/* ---- bands ----------------------------------------------------------------- */

struct band_case {
  int m, n, kl, ku, incx, incy;
};

static void check_gbmv(cudaDataType type, cublasOperation_t op,
                       const struct band_case *s, number_z beta)
{
  number_z a[ALL], x[ALL], y[ALL], alpha = some(type, 2, -1);
  struct factor times = factor_of(type, alpha), keep = factor_of(type, beta);
  int n_x = op == CUBLAS_OP_N ? s->n : s->m;
  int n_y = op == CUBLAS_OP_N ? s->m : s->n;
  fill_numbers(a, type, ALL, 1);
  fill_numbers(x, type, ALL, 2);
  fill_numbers(y, type, ALL, 3);
  for (int i = 0; i < ALL && beta == 0; i++)
    y[i] = NAN;
  void *d = upload_numbers(y, type, ALL);
  CHECK_EQUAL(BY_TYPE(type, gbmv, begin(), op, s->m, s->n, s->kl, s->ku,
                      (void *)&times, upload_numbers(a, type, ALL), LD,
                      upload_numbers(x, type, ALL), s->incx, (void *)&keep, d,
                      s->incy),
              OK);
  for (int i = 0; i < n_y; i++) {
    number_z sum = 0;
    for (int j = 0; j < n_x; j++) {
      int row = op == CUBLAS_OP_N ? i : j, column = op == CUBLAS_OP_N ? j : i;
      int at_x = s->incx > 0 ? j * s->incx : (j - n_x + 1) * s->incx;
      if (row - column > s->kl || column - row > s->ku)
        continue;
      number_z element = a[s->ku + row - column + column * LD];
      sum += (op == CUBLAS_OP_C ? conj(element) : element) * x[at_x];
    }
    number_z *to = &y[s->incy > 0 ? i * s->incy : (i - n_y + 1) * s->incy];
    *to = alpha * sum + (beta == 0 ? 0 : beta * *to);
  }
  expect_numbers("y", d, type, y, ALL);
}

BEHAVIOUR(gbmv)
{
  static const struct band_case cases[] = {
    { 5, 6, 2, 1, 1, 1 },  { 6, 5, 0, 3, 2, 1 },   { 6, 4, 1, 1, -1, 2 },
    { 3, 6, 0, 0, 1, -2 }, { 2, 2, 3, 4, -2, -1 }, { 6, 2, 1, 0, 1, 1 },
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    /* Each handle and room is counted: a case takes a type by turns. */
    cudaDataType type = types[i % TYPES];
    check_gbmv(type, operations[i % 3], &cases[i], some(type, -1, 2));
  }
}

BEHAVIOUR(gbmv_conjugated)
{
  static const struct band_case s = { 5, 6, 2, 1, 1, 1 };
  check_gbmv(CUDA_C_64F, CUBLAS_OP_C, &s, 1);
  check_gbmv(CUDA_C_32F, CUBLAS_OP_T, &s, 1);
}

BEHAVIOUR(gbmv_without_beta_reads_nothing)
{
  static const struct band_case s = { 5, 6, 1, 1, 1, 1 };
  check_gbmv(CUDA_R_32F, CUBLAS_OP_N, &s, 0);
}

BEHAVIOUR(wrong_bands)
{
  cublasHandle_t h = begin();
  const cublasOperation_t n = CUBLAS_OP_N;
  float one = 1, values[64] = { 0 }, *a = upload(values, sizeof values);
  const cublasStatus_t bad = CUBLAS_STATUS_INVALID_VALUE;
  CHECK_EQUAL(cublasSgbmv(h, n, 4, 5, 1, 2, &one, a, 3, a, 1, &one, a, 1), bad);
  CHECK_EQUAL(cublasSgbmv(h, n, -1, 5, 1, 2, &one, a, 4, a, 1, &one, a, 1),
              bad);
  CHECK_EQUAL(cublasSgbmv(h, n, 4, 5, -1, 2, &one, a, 4, a, 1, &one, a, 1),
              bad);
  CHECK_EQUAL(cublasSgbmv(h, n, 4, 5, 1, -2, &one, a, 4, a, 1, &one, a, 1),
              bad);
  CHECK_EQUAL(cublasSgbmv(h, n, 4, 5, 1, 2, &one, a, 4, a, 0, &one, a, 1), bad);
  CHECK_EQUAL(cublasSgbmv(h, n, 0, 5, 1, 2, &one, a, 4, a, 1, &one, a, 1), OK);
}

/* ---- updates --------------------------------------------------------------- */

static int is_kept(cublasFillMode_t half, int i, int j)
{
  return half == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
}

static void check_syr2(cudaDataType type, cublasFillMode_t half, int incx,
                       int incy)
{
  number_z a[ALL], x[ALL], y[ALL], alpha = some(type, 1, 2);
  struct factor times = factor_of(type, alpha);
  fill_numbers(a, type, ALL, 1);
  fill_numbers(x, type, ALL, 2);
  fill_numbers(y, type, ALL, 3);
  void *d = upload_numbers(a, type, ALL);
  CHECK_EQUAL(BY_TYPE(type, syr2, begin(), half, SIDE, (void *)&times,
                      upload_numbers(x, type, ALL), incx,
                      upload_numbers(y, type, ALL), incy, d, LD),
              OK);
#define AT(v, inc, i) v[(inc) > 0 ? (i) * (inc) : ((i)-SIDE + 1) * (inc)]
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++)
      if (is_kept(half, i, j))
        a[i + j * LD] += alpha * (AT(x, incx, i) * AT(y, incy, j) +
                                  AT(y, incy, i) * AT(x, incx, j));
  expect_numbers("A", d, type, a, ALL);
}

BEHAVIOUR(syr2_of_reals)
{
  check_syr2(CUDA_R_32F, CUBLAS_FILL_MODE_LOWER, 1, -1);
  check_syr2(CUDA_R_64F, CUBLAS_FILL_MODE_UPPER, -1, 1);
}

BEHAVIOUR(syr2_of_complexes)
{
  check_syr2(CUDA_C_32F, CUBLAS_FILL_MODE_UPPER, 1, 1);
  check_syr2(CUDA_C_64F, CUBLAS_FILL_MODE_LOWER, -1, -1);
}

static void check_syrkx(cudaDataType type, cublasFillMode_t half,
                        cublasOperation_t op, int k, int hermitian)
{
  number_z a[ALL], b[ALL], c[ALL], alpha = some(type, 2, 1);
  number_z beta = hermitian ? 3 : some(type, -1, 1);
  struct factor times = factor_of(type, alpha);
  struct factor keep = factor_of(!hermitian           ? type
                                 : type == CUDA_C_32F ? CUDA_R_32F
                                                      : CUDA_R_64F,
                                 beta);
  fill_numbers(a, type, ALL, 1);
  fill_numbers(b, type, ALL, 2);
  fill_numbers(c, type, ALL, 3);
  void *d = upload_numbers(c, type, ALL);
  void *da = upload_numbers(a, type, ALL), *db = upload_numbers(b, type, ALL);
  CHECK_EQUAL(
      hermitian
          ? BY_COMPLEX(type, herkx, begin(), half, op, SIDE, k, (void *)&times,
                       da, LD, db, LD, (void *)&keep, d, LD)
          : BY_TYPE(type, syrkx, begin(), half, op, SIDE, k, (void *)&times, da,
                    LD, db, LD, (void *)&keep, d, LD),
      OK);
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++) {
      number_z sum = 0;
      for (int l = 0; l < k; l++)
        sum += at(a, op, i, l) *
               (hermitian ? conj(at(b, op, j, l)) : at(b, op, j, l));
      if (!is_kept(half, i, j))
        continue;
      c[i + j * LD] = alpha * sum + beta * c[i + j * LD];
      if (hermitian && i == j)
        c[i + j * LD] = creal(c[i + j * LD]);
    }
  expect_numbers("C", d, type, c, ALL);
}

BEHAVIOUR(syrkx_of_reals)
{
  check_syrkx(CUDA_R_32F, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 4, 0);
  check_syrkx(CUDA_R_64F, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, 8, 0);
}

BEHAVIOUR(syrkx_of_complexes)
{
  check_syrkx(CUDA_C_32F, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, 3, 0);
  check_syrkx(CUDA_C_64F, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, 0, 0);
}

BEHAVIOUR(herkx)
{
  check_syrkx(CUDA_C_32F, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 3, 1);
  check_syrkx(CUDA_C_64F, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_C, 4, 1);
}

BEHAVIOUR(wrong_updates)
{
  cublasHandle_t h = begin();
  const cublasFillMode_t low = CUBLAS_FILL_MODE_LOWER;
  const cuComplex one = { 1, 0 };
  float real = 1, values[128] = { 0 }, *a = upload(values, sizeof values);
  cuComplex *c = (cuComplex *)a;
  const cublasStatus_t bad = CUBLAS_STATUS_INVALID_VALUE;
  CHECK_EQUAL(
      cublasSsyrkx(h, low, CUBLAS_OP_N, 4, 3, &real, a, 3, a, 4, &real, a, 4),
      bad);
  CHECK_EQUAL(cublasSsyrkx(h, CUBLAS_FILL_MODE_FULL, CUBLAS_OP_N, 4, 3, &real,
                           a, 4, a, 4, &real, a, 4),
              bad);
  CHECK_EQUAL(
      cublasCsyrkx(h, low, CUBLAS_OP_C, 2, 2, &one, c, 2, c, 2, &one, c, 2),
      bad);
  CHECK_EQUAL(
      cublasCherkx(h, low, CUBLAS_OP_T, 2, 2, &one, c, 2, c, 2, &real, c, 2),
      bad);
  CHECK_EQUAL(cublasCsyr2(h, low, 2, &one, c, 0, c, 1, c, 2), bad);
  CHECK_EQUAL(cublasCsyr2(h, low, 2, &one, c, 1, c, 1, c, 1), bad);
}

/* ---- hemm ------------------------------------------------------------------ */

/* The other half, and the imaginary parts of the diagonal, are not
 * read. */
static void check_hemm(cudaDataType type, cublasSideMode_t side,
                       cublasFillMode_t half, int m, int n)
{
  number_z a[ALL], b[ALL], c[ALL], alpha = 2 - I, beta = 1 + I;
  struct factor times = factor_of(type, alpha), keep = factor_of(type, beta);
  int order = side == CUBLAS_SIDE_LEFT ? m : n;
  fill_numbers(a, type, ALL, 1);
  fill_numbers(b, type, ALL, 2);
  fill_numbers(c, type, ALL, 3);
  void *d = upload_numbers(c, type, ALL);
  CHECK_EQUAL(BY_COMPLEX(type, hemm, begin(), side, half, m, n, (void *)&times,
                         upload_numbers(a, type, ALL), LD,
                         upload_numbers(b, type, ALL), LD, (void *)&keep, d,
                         LD),
              OK);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < m; i++) {
      number_z sum = 0;
      for (int l = 0; l < order; l++) {
        int row = side == CUBLAS_SIDE_LEFT ? i : l;
        int column = side == CUBLAS_SIDE_LEFT ? l : j;
        number_z element = row == column ? creal(a[row + column * LD])
                           : is_kept(half, row, column)
                               ? a[row + column * LD]
                               : conj(a[column + row * LD]);
        sum += element *
               (side == CUBLAS_SIDE_LEFT ? b[l + j * LD] : b[i + l * LD]);
      }
      c[i + j * LD] = alpha * sum + beta * c[i + j * LD];
    }
  expect_numbers("C", d, type, c, ALL);
}

BEHAVIOUR(hemm_from_the_left)
{
  check_hemm(CUDA_C_32F, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, 5, 3);
  check_hemm(CUDA_C_64F, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, 4, 6);
}

BEHAVIOUR(hemm_from_the_right)
{
  check_hemm(CUDA_C_32F, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, 5, 3);
  check_hemm(CUDA_C_64F, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, 4, 6);
}

BEHAVIOUR(wrong_hermitians)
{
  cublasHandle_t h = begin();
  const cublasSideMode_t left = CUBLAS_SIDE_LEFT;
  const cublasFillMode_t low = CUBLAS_FILL_MODE_LOWER;
  const cuComplex one = { 1, 0 }, values[8] = { { 0, 0 } };
  cuComplex *a = upload(values, sizeof values);
  const cublasStatus_t bad = CUBLAS_STATUS_INVALID_VALUE;
  CHECK_EQUAL(cublasChemm(h, left, low, 2, 2, &one, a, 1, a, 2, &one, a, 2),
              bad);
  CHECK_EQUAL(cublasChemm(h, left, low, -2, 2, &one, a, 2, a, 2, &one, a, 2),
              bad);
  CHECK_EQUAL(cublasChemm(h, left, low, 2, 2, &one, a, 2, a, 2, &one, a, 1),
              bad);
  CHECK_EQUAL(
      cublasChemm(h, left, low, 0, 2, &one, NULL, 1, NULL, 1, &one, NULL, 1),
      OK);
}

/* ---- dgmm ------------------------------------------------------------------ */

static void check_dgmm(cudaDataType type, cublasSideMode_t side, int incx)
{
  enum { M = 5, N = 4 };
  number_z a[ALL], x[ALL], c[ALL];
  int n_x = side == CUBLAS_SIDE_LEFT ? M : N;
  fill_numbers(a, type, ALL, 1);
  fill_numbers(x, type, ALL, 2);
  fill_numbers(c, type, ALL, 3);
  void *d = upload_numbers(c, type, ALL);
  CHECK_EQUAL(BY_TYPE(type, dgmm, begin(), side, M, N,
                      upload_numbers(a, type, ALL), LD,
                      upload_numbers(x, type, ALL), incx, d, LD),
              OK);
  for (int j = 0; j < N; j++)
    for (int i = 0; i < M; i++) {
      int l = side == CUBLAS_SIDE_LEFT ? i : j;
      c[i + j * LD] =
          a[i + j * LD] * x[incx > 0 ? l * incx : (l - n_x + 1) * incx];
    }
  expect_numbers("C", d, type, c, ALL);
}

BEHAVIOUR(dgmm_of_reals)
{
  check_dgmm(CUDA_R_32F, CUBLAS_SIDE_LEFT, 2);
  check_dgmm(CUDA_R_64F, CUBLAS_SIDE_RIGHT, 1);
}

BEHAVIOUR(dgmm_of_complexes)
{
  check_dgmm(CUDA_C_32F, CUBLAS_SIDE_RIGHT, 1);
  check_dgmm(CUDA_C_64F, CUBLAS_SIDE_LEFT, -1);
}

BEHAVIOUR(wrong_diagonals)
{
  cublasHandle_t h = begin();
  float values[16] = { 0 }, *a = upload(values, sizeof values);
  const cublasStatus_t bad = CUBLAS_STATUS_INVALID_VALUE;
  CHECK_EQUAL(cublasSdgmm(h, CUBLAS_SIDE_LEFT, 3, 2, a, 2, a, 1, a, 3), bad);
  CHECK_EQUAL(cublasSdgmm(h, CUBLAS_SIDE_LEFT, -3, 2, a, 3, a, 1, a, 3), bad);
  CHECK_EQUAL(cublasSdgmm(h, (cublasSideMode_t)4, 3, 2, a, 3, a, 1, a, 3), bad);
  CHECK_EQUAL(cublasSdgmm(h, CUBLAS_SIDE_LEFT, 3, 2, a, 3, a, 1, a, 2), bad);
  CHECK_EQUAL(cublasSdgmm(h, CUBLAS_SIDE_LEFT, 0, 2, NULL, 1, NULL, 1, NULL, 1),
              OK);
}

/* ---- trsmBatched ----------------------------------------------------------- */

/* A is a unit triangle, or has powers of two on its diagonal: B is made of a
 * solution that is then found exactly. The other half of A holds NaNs. */
static void check_trsm(cudaDataType type, cublasSideMode_t side,
                       cublasFillMode_t half, cublasOperation_t op,
                       cublasDiagType_t diag)
{
  enum { M = 4, N = 5, COUNT = 2 };
  number_z a[ALL], read[ALL], b[ALL], x[COUNT][ALL], alpha = 2;
  struct factor times = factor_of(type, alpha);
  int order = side == CUBLAS_SIDE_LEFT ? M : N;
  void *as[COUNT], *bs[COUNT];
  for (int number = 0; number < COUNT; number++) {
    fill_numbers(a, type, ALL, 1 + (unsigned)number);
    fill_numbers(x[number], type, ALL, 5 + (unsigned)number);
    for (int j = 0; j < order; j++)
      for (int i = 0; i < order; i++) {
        if (i == j)
          a[i + j * LD] = some(type, 2, is_complex(type) && i % 2 ? 2 : 0);
        read[i + j * LD] = !is_kept(half, i, j)                 ? 0
                           : i == j && diag == CUBLAS_DIAG_UNIT ? 1
                                                                : a[i + j * LD];
        if (!is_kept(half, i, j) || (i == j && diag == CUBLAS_DIAG_UNIT))
          a[i + j * LD] = NAN;
      }
    memcpy(b, x[number], sizeof b);
    for (int j = 0; j < N; j++)
      for (int i = 0; i < M; i++) {
        number_z sum = 0;
        for (int l = 0; l < order; l++)
          sum += side == CUBLAS_SIDE_LEFT
                     ? at(read, op, i, l) * x[number][l + j * LD]
                     : x[number][i + l * LD] * at(read, op, l, j);
        b[i + j * LD] = sum / alpha;
      }
    as[number] = upload_numbers(a, type, ALL);
    bs[number] = upload_numbers(b, type, ALL);
  }
  CHECK_EQUAL(BY_TYPE(type, trsmBatched, begin(), side, half, op, diag, M, N,
                      (void *)&times, upload(as, sizeof as), LD,
                      upload(bs, sizeof bs), LD, COUNT),
              OK);
  for (int number = 0; number < COUNT; number++)
    expect_numbers("X", bs[number], type, x[number], ALL);
}

BEHAVIOUR(trsm_batched_of_floats)
{
  check_trsm(CUDA_R_32F, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
             CUBLAS_DIAG_NON_UNIT);
}

BEHAVIOUR(trsm_batched_of_doubles)
{
  check_trsm(CUDA_R_64F, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T,
             CUBLAS_DIAG_UNIT);
}

BEHAVIOUR(trsm_batched_of_complex_floats)
{
  check_trsm(CUDA_C_32F, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_C,
             CUBLAS_DIAG_UNIT);
}

BEHAVIOUR(trsm_batched_of_complex_doubles)
{
  check_trsm(CUDA_C_64F, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
             CUBLAS_DIAG_NON_UNIT);
}

BEHAVIOUR(wrong_batches_of_triangles)
{
  cublasHandle_t h = begin();
  const cublasSideMode_t left = CUBLAS_SIDE_LEFT;
  const cublasFillMode_t low = CUBLAS_FILL_MODE_LOWER;
  const cublasDiagType_t diag = CUBLAS_DIAG_NON_UNIT;
  float one = 1, values[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  float *a = upload(values, sizeof values);
  const float *const *as = upload(&a, sizeof a);
  float *const *bs = upload(&a, sizeof a);
  const cublasStatus_t bad = CUBLAS_STATUS_INVALID_VALUE;
  CHECK_EQUAL(cublasStrsmBatched(h, left, low, CUBLAS_OP_N, diag, 3, 2, &one,
                                 as, 2, bs, 3, 1),
              bad);
  CHECK_EQUAL(cublasStrsmBatched(h, left, low, CUBLAS_OP_N, diag, 3, 2, &one,
                                 as, 3, bs, 2, 1),
              bad);
  CHECK_EQUAL(cublasStrsmBatched(h, left, low, CUBLAS_OP_N, diag, 3, 2, &one,
                                 as, 3, bs, 3, -1),
              bad);
  CHECK_EQUAL(cublasStrsmBatched(h, left, low, CUBLAS_OP_N, diag, 3, 2, &one,
                                 as, 3, bs, 3, 0),
              OK);
}
