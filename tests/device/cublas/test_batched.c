/* LU and least squares, many at once: systems whose solution is known. */
#include <complex.h>
#include <math.h>

#include "matrices.h"

enum { N = 5, LD = 7, COUNT = 3, RHS = 2, TALL = 9, TALL_LD = 10 };
typedef double complex complex_number;

/* Values of any of the four types, as complex doubles. */
enum type { SINGLE, DOUBLE, COMPLEX, DOUBLE_COMPLEX, TYPES };
static const size_t size_of[TYPES] = { 4, 8, 8, 16 };

static void put(enum type type, void *to, size_t i, complex_number value)
{
  if (type == SINGLE)
    ((float *)to)[i] = (float)creal(value);
  else if (type == DOUBLE)
    ((double *)to)[i] = creal(value);
  else if (type == COMPLEX)
    ((float complex *)to)[i] = (float complex)value;
  else
    ((complex_number *)to)[i] = value;
}

static complex_number get(enum type type, const void *from, size_t i)
{
  return type == SINGLE    ? (double)((const float *)from)[i]
         : type == DOUBLE  ? ((const double *)from)[i]
         : type == COMPLEX ? ((const float complex *)from)[i]
                           : ((const complex_number *)from)[i];
}

static double bound(enum type type)
{
  return type == SINGLE || type == COMPLEX ? 1e-5 : 1e-13;
}

static complex_number some(enum type type, unsigned i)
{
  double imaginary = type >= COMPLEX ? number(3 * i + 1) : 0;
  return number(i) + imaginary * I;
}

/* Matrix `which` needs rows to change places: its diagonal is small. */
static complex_number element(enum type type, int which, int i, int j)
{
  unsigned seed = (unsigned)(which * 100 + j * 10 + i);
  return i == j ? 0.0625 * which : some(type, seed) + (i == (j + 1) % N) * 20;
}

struct batch {
  enum type type;
  char a[COUNT * LD * N * 16], b[COUNT * LD * RHS * 16];
  void *da, *db, *array_a, *array_b;
  int *pivots, *info;
};

static void *array_of(char *first, size_t apart)
{
  void *at[COUNT];
  for (int i = 0; i < COUNT; i++)
    at[i] = first + (size_t)i * apart;
  return upload(at, sizeof at);
}

static void make(struct batch *v, enum type type)
{
  static int no_pivots[COUNT * N];
  size_t size = size_of[type];
  v->type = type;
  for (int k = 0; k < COUNT; k++)
    for (int j = 0; j < N; j++)
      for (int i = 0; i < LD; i++)
        put(type, v->a, (size_t)(k * LD * N + j * LD + i),
            i < N ? element(type, k, i, j) : 77);
  memset(v->b, 0, sizeof v->b);
  v->da = upload(v->a, sizeof v->a);
  v->db = upload(v->b, sizeof v->b);
  v->array_a = array_of(v->da, LD * N * size);
  v->array_b = array_of(v->db, LD * RHS * size);
  v->pivots = upload(no_pivots, sizeof no_pivots);
  v->info = upload(no_pivots, sizeof no_pivots);
}

static cublasStatus_t getrf(const struct batch *v, cublasHandle_t h, int n,
                            int lda, int *pivots, int count)
{
  switch (v->type) {
  case SINGLE:
    return cublasSgetrfBatched(h, n, v->array_a, lda, pivots, v->info, count);
  case DOUBLE:
    return cublasDgetrfBatched(h, n, v->array_a, lda, pivots, v->info, count);
  case COMPLEX:
    return cublasCgetrfBatched(h, n, v->array_a, lda, pivots, v->info, count);
  default:
    return cublasZgetrfBatched(h, n, v->array_a, lda, pivots, v->info, count);
  }
}

static cublasStatus_t getri(const struct batch *v, cublasHandle_t h, int n,
                            int lda, void *array_c, int ldc, int count)
{
  const int *p = v->pivots;
  switch (v->type) {
  case SINGLE:
    return cublasSgetriBatched(h, n, v->array_a, lda, p, array_c, ldc, v->info,
                               count);
  case DOUBLE:
    return cublasDgetriBatched(h, n, v->array_a, lda, p, array_c, ldc, v->info,
                               count);
  case COMPLEX:
    return cublasCgetriBatched(h, n, v->array_a, lda, p, array_c, ldc, v->info,
                               count);
  default:
    return cublasZgetriBatched(h, n, v->array_a, lda, p, array_c, ldc, v->info,
                               count);
  }
}

static cublasStatus_t getrs(const struct batch *v, cublasHandle_t h,
                            cublasOperation_t op, int n, int nrhs, int lda,
                            int ldb, int *info, int count)
{
  const int *p = v->pivots;
  switch (v->type) {
  case SINGLE:
    return cublasSgetrsBatched(h, op, n, nrhs, v->array_a, lda, p, v->array_b,
                               ldb, info, count);
  case DOUBLE:
    return cublasDgetrsBatched(h, op, n, nrhs, v->array_a, lda, p, v->array_b,
                               ldb, info, count);
  case COMPLEX:
    return cublasCgetrsBatched(h, op, n, nrhs, v->array_a, lda, p, v->array_b,
                               ldb, info, count);
  default:
    return cublasZgetrsBatched(h, op, n, nrhs, v->array_a, lda, p, v->array_b,
                               ldb, info, count);
  }
}

static void expect_info(const struct batch *v, int all)
{
  int info[COUNT];
  download(info, v->info, sizeof info);
  for (int k = 0; k < COUNT; k++)
    CHECK_EQUAL(info[k], all);
}

/* L U is A with its rows in the order of the pivots. */
BEHAVIOUR(factors_make_up_the_matrix)
{
  static struct batch v;
  static char got[sizeof v.a];
  int pivots[COUNT * N];
  for (int type = 0; type < TYPES; type++) {
    make(&v, type);
    CHECK_EQUAL(getrf(&v, begin(), N, LD, v.pivots, COUNT), OK);
    expect_info(&v, 0);
    download(got, v.da, sizeof got);
    download(pivots, v.pivots, sizeof pivots);
    for (int k = 0; k < COUNT; k++) {
      int row[N] = { 0, 1, 2, 3, 4 };
      for (int i = 0; i < N; i++) {
        int other = pivots[k * N + i] - 1, old = row[i];
        CHECK(other >= i && other < N);
        row[i] = row[other];
        row[other] = old;
      }
      for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
          complex_number sum = 0;
          for (int l = 0; l <= (i < j ? i : j); l++)
            sum += (l == i ? 1 : get(type, got, k * LD * N + l * LD + i)) *
                   get(type, got, k * LD * N + j * LD + l);
          CHECK(cabs(sum - element(type, k, row[i], j)) < 40 * bound(type));
        }
      CHECK(get(type, got, k * LD * N + N) == 77);
    }
  }
}

BEHAVIOUR(inverse_times_matrix_is_one)
{
  static struct batch v;
  static char got[sizeof v.a];
  for (int type = 0; type < TYPES; type++) {
    make(&v, type);
    void *dc = upload(v.a, sizeof v.a);
    cublasHandle_t h = begin();
    CHECK_EQUAL(getrf(&v, h, N, LD, v.pivots, COUNT), OK);
    CHECK_EQUAL(
        getri(&v, h, N, LD, array_of(dc, LD * N * size_of[type]), LD, COUNT),
        OK);
    expect_info(&v, 0);
    download(got, dc, sizeof got);
    for (int k = 0; k < COUNT; k++)
      for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
          complex_number sum = 0;
          for (int l = 0; l < N; l++)
            sum += element(type, k, i, l) *
                   get(type, got, k * LD * N + j * LD + l);
          CHECK(cabs(sum - (i == j)) < 20 * bound(type));
        }
  }
}

static complex_number solution(enum type type, int k, int i, int j)
{
  return some(type, (unsigned)(500 + k * 50 + j * 10 + i));
}

BEHAVIOUR(systems_are_solved)
{
  static struct batch v;
  static char got[sizeof v.b];
  for (int which = 0; which < 3 * TYPES; which++) {
    cublasOperation_t op = (cublasOperation_t)(which % 3);
    enum type type = which / 3;
    int info = 9;
    make(&v, type);
    for (int k = 0; k < COUNT; k++)
      for (int j = 0; j < RHS; j++)
        for (int i = 0; i < N; i++) {
          complex_number sum = 0;
          for (int l = 0; l < N; l++) {
            complex_number a = op == CUBLAS_OP_N ? element(type, k, i, l)
                                                 : element(type, k, l, i);
            sum += (op == CUBLAS_OP_C ? conj(a) : a) * solution(type, k, l, j);
          }
          put(type, v.b, k * LD * RHS + j * LD + i, sum);
        }
    CHECK_EQUAL(cudaMemcpy(v.db, v.b, sizeof v.b, cudaMemcpyHostToDevice),
                cudaSuccess);
    cublasHandle_t h;
    CHECK_EQUAL(cublasCreate(&h), OK);
    CHECK_EQUAL(getrf(&v, h, N, LD, v.pivots, COUNT), OK);
    CHECK_EQUAL(getrs(&v, h, op, N, RHS, LD, LD, &info, COUNT), OK);
    CHECK_EQUAL(info, 0);
    download(got, v.db, sizeof got);
    for (int k = 0; k < COUNT; k++)
      for (int j = 0; j < RHS; j++)
        for (int i = 0; i < N; i++)
          CHECK(cabs(get(type, got, k * LD * RHS + j * LD + i) -
                     solution(type, k, i, j)) < 40 * bound(type));
    CHECK_EQUAL(cublasDestroy(h), OK);
  }
}

/* Without pivots: rows stay where they are. */
BEHAVIOUR(no_pivots_where_none_are_wanted)
{
  const double a[4] = { 2, 6, 1, 4 }, expected[4] = { 2, 3, 1, 1 };
  double got[4], *da = upload(a, sizeof a);
  int info = 5, *dev_info = upload(&info, sizeof info);
  CHECK_EQUAL(cublasDgetrfBatched(begin(), 2, upload(&da, sizeof da), 2, NULL,
                                  dev_info, 1),
              OK);
  download(got, da, sizeof got);
  for (int i = 0; i < 4; i++)
    CHECK(got[i] == expected[i]);
  download(&info, dev_info, sizeof info);
  CHECK_EQUAL(info, 0);
}

BEHAVIOUR(singular_matrices_are_told)
{
  const float a[9] = { 1, 2, 4, 2, 4, 8, 1, 0, 5 }; /* without rounding */
  float *da = upload(a, sizeof a), *dc = upload(a, sizeof a);
  int info = 5, *dev_info = upload(&info, sizeof info);
  int pivots[3], *dev_pivots = upload(a, sizeof pivots);
  float *const *at_a = upload(&da, sizeof da), *const *at_c =
                                                   upload(&dc, sizeof dc);
  cublasHandle_t h = begin();
  CHECK_EQUAL(cublasSgetrfBatched(h, 3, at_a, 3, dev_pivots, dev_info, 1), OK);
  download(&info, dev_info, sizeof info);
  CHECK(info == 2 || info == 3); /* whichever the pivots leave without one */
  CHECK_EQUAL(cublasSgetriBatched(h, 3, (const float *const *)at_a, 3,
                                  dev_pivots, at_c, 3, dev_info, 1),
              OK);
  download(&info, dev_info, sizeof info);
  CHECK(info == 2 || info == 3);
}

/* The residual of least squares is at right angles to every column. */
static cublasStatus_t gels(enum type type, cublasHandle_t h,
                           cublasOperation_t op, int m, int n, int nrhs,
                           void *a, int lda, void *c, int ldc, int *info,
                           int *dev_info, int count)
{
  switch (type) {
  case SINGLE:
    return cublasSgelsBatched(h, op, m, n, nrhs, a, lda, c, ldc, info, dev_info,
                              count);
  case DOUBLE:
    return cublasDgelsBatched(h, op, m, n, nrhs, a, lda, c, ldc, info, dev_info,
                              count);
  case COMPLEX:
    return cublasCgelsBatched(h, op, m, n, nrhs, a, lda, c, ldc, info, dev_info,
                              count);
  default:
    return cublasZgelsBatched(h, op, m, n, nrhs, a, lda, c, ldc, info, dev_info,
                              count);
  }
}

static complex_number tall(enum type type, int k, int i, int j)
{
  return some(type, (unsigned)(900 + k * 97 + j * 13 + i)) + (i == j) * 9;
}

BEHAVIOUR(residuals_of_least_squares_are_perpendicular)
{
  static char a[COUNT * TALL_LD * N * 16], b[COUNT * TALL_LD * RHS * 16];
  static char got[sizeof b];
  for (int type = 0; type < TYPES; type++) {
    size_t size = size_of[type];
    int info = 9, dev_info[COUNT] = { 7, 7, 7 };
    for (int k = 0; k < COUNT; k++)
      for (int i = 0; i < TALL; i++) {
        for (int j = 0; j < N; j++)
          put(type, a, k * TALL_LD * N + j * TALL_LD + i, tall(type, k, i, j));
        for (int j = 0; j < RHS; j++)
          put(type, b, k * TALL_LD * RHS + j * TALL_LD + i,
              solution(type, k, i, j));
      }
    char *da = upload(a, sizeof a), *db = upload(b, sizeof b);
    int *found = upload(dev_info, sizeof dev_info);
    CHECK_EQUAL(gels(type, begin(), CUBLAS_OP_N, TALL, N, RHS,
                     array_of(da, TALL_LD * N * size), TALL_LD,
                     array_of(db, TALL_LD * RHS * size), TALL_LD, &info, found,
                     COUNT),
                OK);
    CHECK_EQUAL(info, 0);
    download(dev_info, found, sizeof dev_info);
    download(got, db, sizeof got);
    for (int k = 0; k < COUNT; k++)
      for (int j = 0; j < RHS; j++) {
        complex_number left[TALL];
        CHECK_EQUAL(dev_info[k], 0);
        for (int i = 0; i < TALL; i++) {
          left[i] = solution(type, k, i, j);
          for (int l = 0; l < N; l++)
            left[i] -= tall(type, k, i, l) *
                       get(type, got, k * TALL_LD * RHS + j * TALL_LD + l);
        }
        for (int l = 0; l < N; l++) {
          complex_number angle = 0;
          for (int i = 0; i < TALL; i++)
            angle += conj(tall(type, k, i, l)) * left[i];
          CHECK(cabs(angle) < 400 * bound(type));
        }
      }
  }
}

BEHAVIOUR(columns_of_zeros_are_told)
{
  const double a[6] = { 1, 2, 3, 0, 0, 0 }, b[3] = { 1, 1, 1 };
  double *da = upload(a, sizeof a), *db = upload(b, sizeof b);
  int info = 9, dev = 7, *dev_info = upload(&dev, sizeof dev);
  CHECK_EQUAL(cublasDgelsBatched(begin(), CUBLAS_OP_N, 3, 2, 1,
                                 upload(&da, sizeof da), 3,
                                 upload(&db, sizeof db), 3, &info, dev_info, 1),
              OK);
  download(&dev, dev_info, sizeof dev);
  CHECK_EQUAL(dev, 2);
}

#define BAD CUBLAS_STATUS_INVALID_VALUE

BEHAVIOUR(bad_arguments_of_batches)
{
  static struct batch v;
  cublasHandle_t h = begin();
  const cublasOperation_t op = CUBLAS_OP_N;
  int info = 9;
  for (int type = 0; type < TYPES; type++) {
    make(&v, type);
    void *c = v.array_b, *a = v.array_a;
    CHECK_EQUAL(getrf(&v, NULL, N, LD, v.pivots, COUNT),
                CUBLAS_STATUS_NOT_INITIALIZED);
    CHECK_EQUAL(getrf(&v, h, -1, LD, v.pivots, COUNT), BAD);
    CHECK_EQUAL(getrf(&v, h, N, N - 1, v.pivots, COUNT), BAD);
    CHECK_EQUAL(getrf(&v, h, N, LD, v.pivots, -1), BAD);
    CHECK_EQUAL(getrf(&v, h, N, LD, v.pivots, 0), OK);
    CHECK_EQUAL(getri(&v, h, -1, LD, c, LD, COUNT), BAD);
    CHECK_EQUAL(getri(&v, h, N, N - 1, c, LD, COUNT), BAD);
    CHECK_EQUAL(getri(&v, h, N, LD, c, N - 1, COUNT), BAD);
    CHECK_EQUAL(getri(&v, h, N, LD, c, LD, -1), BAD);
    CHECK_EQUAL(
        getrs(&v, h, (cublasOperation_t)9, N, RHS, LD, LD, &info, COUNT), BAD);
    CHECK_EQUAL(getrs(&v, h, op, -1, RHS, LD, LD, &info, COUNT), BAD);
    CHECK_EQUAL(info, -2);
    CHECK_EQUAL(getrs(&v, h, op, N, -1, LD, LD, &info, COUNT), BAD);
    CHECK_EQUAL(info, -3);
    CHECK_EQUAL(getrs(&v, h, op, N, RHS, N - 1, LD, &info, COUNT), BAD);
    CHECK_EQUAL(info, -5);
    CHECK_EQUAL(getrs(&v, h, op, N, RHS, LD, N - 1, &info, COUNT), BAD);
    CHECK_EQUAL(info, -8);
    CHECK_EQUAL(getrs(&v, h, op, N, RHS, LD, LD, &info, -1),
                CUBLAS_STATUS_EXECUTION_FAILED);
    CHECK_EQUAL(getrs(&v, h, op, N, RHS, LD, LD, &info, 0),
                CUBLAS_STATUS_EXECUTION_FAILED);
    CHECK_EQUAL(info, 0);
    CHECK_EQUAL(gels(type, h, op, -1, 2, 1, a, LD, c, LD, &info, NULL, 1), BAD);
    CHECK_EQUAL(info, -1);
    CHECK_EQUAL(gels(type, h, op, 3, -1, 1, a, LD, c, LD, &info, NULL, 1), BAD);
    CHECK_EQUAL(info, -3);
    CHECK_EQUAL(gels(type, h, op, 3, 2, -1, a, LD, c, LD, &info, NULL, 1), BAD);
    CHECK_EQUAL(info, -2);
    CHECK_EQUAL(gels(type, h, op, 3, 2, 1, a, 2, c, LD, &info, NULL, 1), BAD);
    CHECK_EQUAL(info, -5);
    CHECK_EQUAL(gels(type, h, op, 3, 2, 1, a, LD, c, 2, &info, NULL, 1), BAD);
    CHECK_EQUAL(info, -7);
    CHECK_EQUAL(gels(type, h, op, 3, 2, 1, a, LD, c, LD, &info, NULL, -1), BAD);
    CHECK_EQUAL(info, -8);
    CHECK_EQUAL(gels(type, h, op, 2, 3, 1, a, LD, c, LD, &info, NULL, 1),
                CUBLAS_STATUS_NOT_SUPPORTED);
    CHECK_EQUAL(
        gels(type, h, CUBLAS_OP_T, 3, 2, 1, a, LD, c, LD, &info, NULL, 1),
        CUBLAS_STATUS_NOT_SUPPORTED);
  }
}
