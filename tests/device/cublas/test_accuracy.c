/* Long sums against sums in long double. The device's bound, whatever BLAS it
 * was built with: the exact result rounded once to its type, plus 2^-40 of the
 * sum of magnitudes for float and narrower types, 2^-44 for double. A GPU's
 * bound is another, so on_gpu leaves these out. */
#include <math.h>

#include "matrices.h"

enum { MANY = 1 << 21, LONG = 300 * 1000 + 7 };

#define FLOAT_BOUND 0x1p-40L
#define DOUBLE_BOUND 0x1p-44L

/* A sum that keeps what each addition rounds away. */
struct sum {
  long double value, lost, size;
};

static void add(struct sum *sum, long double term)
{
  long double next = sum->value + term;
  sum->lost += fabsl(sum->value) >= fabsl(term) ? sum->value - next + term
                                                : term - next + sum->value;
  sum->value = next;
  sum->size += fabsl(term);
}

static long double exact(const struct sum *sum)
{
  return sum->value + sum->lost;
}

static void within(const char *what, double got, long double expected,
                   long double size, long double unit, long double bound)
{
  long double allowed = unit * fabsl(expected) + bound * size;
  if (fabsl((long double)got - expected) <= allowed)
    return;
  fprintf(stderr, "%s is %.9g, expected %.12Lg: off by %.3Lg, allowed %.3Lg\n",
          what, got, expected, fabsl((long double)got - expected), allowed);
  exit(1);
}

static void check_float(const char *what, float got, const struct sum *sum)
{
  within(what, (double)got, exact(sum), sum->size, 0x1p-24L, FLOAT_BOUND);
}

static void check_double(const char *what, double got, const struct sum *sum)
{
  within(what, got, exact(sum), sum->size, 0x1p-53L, DOUBLE_BOUND);
}

/* In [0.5, 1.5): all of one sign, which is the worst for plain sums. */
static double fraction(unsigned i)
{
  return 0.5 + (double)(i * 2654435761u >> 8) * 0x1p-24;
}

static float *floats(size_t n, unsigned seed)
{
  float *values = room(n * sizeof *values);
  for (size_t i = 0; i < n; i++)
    values[i] = (float)fraction((unsigned)i + seed);
  return values;
}

static double *doubles(size_t n, unsigned seed)
{
  double *values = room(n * sizeof *values);
  for (size_t i = 0; i < n; i++)
    values[i] = fraction((unsigned)i + seed) / 3;
  return values;
}

BEHAVIOUR(sums_of_two_million_floats)
{
  cublasHandle_t h = begin();
  float *x = floats(MANY, 1), *y = floats(MANY, 77), got;
  float *dx = upload(x, MANY * sizeof *x), *dy = upload(y, MANY * sizeof *y);
  struct sum dot = { 0, 0, 0 }, squares = { 0, 0, 0 }, sizes = { 0, 0, 0 };
  for (int i = 0; i < MANY; i++) {
    add(&dot, (long double)x[i] * y[i]);
    add(&squares, (long double)x[i] * x[i]);
    add(&sizes, fabsl(x[i]));
  }
  CHECK_EQUAL(cublasSdot(h, MANY, dx, 1, dy, 1, &got), OK);
  check_float("dot", got, &dot);
  CHECK_EQUAL(cublasSasum(h, MANY, dx, 1, &got), OK);
  check_float("asum", got, &sizes);
  CHECK_EQUAL(cublasSnrm2(h, MANY, dx, 1, &got), OK);
  within("nrm2", (double)got, sqrtl(exact(&squares)), sqrtl(squares.size),
         0x1p-24L, FLOAT_BOUND);
}

BEHAVIOUR(sums_of_two_million_doubles)
{
  cublasHandle_t h = begin();
  double *x = doubles(MANY, 1), *y = doubles(MANY, 77), got;
  double *dx = upload(x, MANY * sizeof *x), *dy = upload(y, MANY * sizeof *y);
  struct sum dot = { 0, 0, 0 }, squares = { 0, 0, 0 }, sizes = { 0, 0, 0 };
  for (int i = 0; i < MANY; i++) {
    add(&dot, (long double)x[i] * y[i]);
    add(&squares, (long double)x[i] * x[i]);
    add(&sizes, fabsl(x[i]));
  }
  CHECK_EQUAL(cublasDdot(h, MANY, dx, 1, dy, 1, &got), OK);
  check_double("dot", got, &dot);
  CHECK_EQUAL(cublasDasum(h, MANY, dx, 1, &got), OK);
  check_double("asum", got, &sizes);
  CHECK_EQUAL(cublasDnrm2(h, MANY, dx, 1, &got), OK);
  within("nrm2", got, sqrtl(exact(&squares)), sqrtl(squares.size), 0x1p-52L,
         DOUBLE_BOUND);
}

/* Steps, also backwards: the vectors meet at their other ends. */
BEHAVIOUR(sums_with_steps)
{
  enum { N = 1000 };
  cublasHandle_t h = begin();
  float *x = floats(3 * N, 5), *y = floats(2 * N, 9), got;
  float *dx = upload(x, 3 * N * sizeof *x), *dy = upload(y, 2 * N * sizeof *y);
  struct sum dot = { 0, 0, 0 }, sizes = { 0, 0, 0 };
  for (int i = 0; i < N; i++) {
    add(&dot, (long double)x[3 * i] * y[2 * (N - 1 - i)]);
    add(&sizes, fabsl(x[3 * i]));
  }
  CHECK_EQUAL(cublasSdot(h, N, dx, 3, dy, -2, &got), OK);
  check_float("dot", got, &dot);
  CHECK_EQUAL(cublasSasum(h, N, dx, 3, &got), OK);
  check_float("asum", got, &sizes);
}

BEHAVIOUR(norms_neither_overflow_nor_vanish)
{
  const double large[2] = { 3e300, 4e300 }, small[2] = { 3e-300, -4e-300 };
  const double odd[3] = { 1, (double)INFINITY, 2 }, none[2] = { 0, -0.0 };
  const float wide[2] = { 3e38F, 1e38F };
  cublasHandle_t h = begin();
  double got;
  float norm;
  CHECK_EQUAL(cublasDnrm2(h, 2, upload(large, sizeof large), 1, &got), OK);
  CHECK(fabs(got / 5e300 - 1) < 1e-15);
  CHECK_EQUAL(cublasDnrm2(h, 2, upload(small, sizeof small), 1, &got), OK);
  CHECK(fabs(got / 5e-300 - 1) < 1e-15);
  CHECK_EQUAL(cublasDnrm2(h, 3, upload(odd, sizeof odd), 1, &got), OK);
  CHECK(got == (double)INFINITY);
  CHECK_EQUAL(cublasDnrm2(h, 2, upload(none, sizeof none), 1, &got), OK);
  CHECK(got == 0);
  CHECK_EQUAL(cublasSnrm2(h, 2, upload(wide, sizeof wide), 1, &norm), OK);
  CHECK(fabs((double)norm / 3.1622777e38 - 1) < 1e-6);
}

/* C (2 x 3) from sums of `LONG` products; A and B as `op` stores them. */
enum { ROWS = 2, COLUMNS = 3 };

#define LONG_GEMM(name, REAL, MAKE, CALL, CHECK_IT, ALPHA, BETA)               \
  static void name(cublasOperation_t op)                                       \
  {                                                                            \
    cublasHandle_t h = begin();                                                \
    int lda = op == CUBLAS_OP_N ? ROWS : LONG;                                 \
    int ldb = op == CUBLAS_OP_N ? COLUMNS : LONG;                              \
    REAL *a = MAKE(ROWS * LONG, 3), *b = MAKE(COLUMNS * LONG, 4);              \
    REAL *c = MAKE(ROWS * COLUMNS, 5), got[ROWS * COLUMNS];                    \
    REAL alpha = (REAL)(ALPHA), beta = (REAL)(BETA);                           \
    REAL *da = upload(a, ROWS * LONG * sizeof *a);                             \
    REAL *db = upload(b, COLUMNS * LONG * sizeof *b);                          \
    REAL *dc = upload(c, ROWS * COLUMNS * sizeof *c);                          \
    CHECK_EQUAL(CALL(h, op, op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N,     \
                     ROWS, COLUMNS, LONG, &alpha, da, lda, db, ldb, &beta, dc, \
                     ROWS),                                                    \
                OK);                                                           \
    download(got, dc, sizeof got);                                             \
    for (int j = 0; j < COLUMNS; j++)                                          \
      for (int i = 0; i < ROWS; i++) {                                         \
        struct sum sum = { 0, 0, 0 };                                          \
        for (int k = 0; k < LONG; k++)                                         \
          add(&sum,                                                            \
              (long double)alpha                                               \
                      *a[op == CUBLAS_OP_N ? i + k * ROWS : k + i * LONG] *    \
                  b[op == CUBLAS_OP_N ? j + k * COLUMNS : k + j * LONG]);      \
        add(&sum, (long double)beta *c[i + j * ROWS]);                         \
        CHECK_IT("gemm", got[i + j * ROWS], &sum);                             \
      }                                                                        \
  }

LONG_GEMM(long_sgemm, float, floats, cublasSgemm, check_float, 0.3, -0.7)
LONG_GEMM(long_dgemm, double, doubles, cublasDgemm, check_double, 0.3, -0.7)

BEHAVIOUR(gemm_with_long_sums)
{
  long_sgemm(CUBLAS_OP_N);
  long_sgemm(CUBLAS_OP_T);
}

BEHAVIOUR(double_gemm_with_long_sums)
{
  long_dgemm(CUBLAS_OP_N);
  long_dgemm(CUBLAS_OP_T);
}

/* What a GPU's users meet as a dot product by way of gemm. */
BEHAVIOUR(one_element_from_two_million)
{
  cublasHandle_t h = begin();
  float *a = floats(MANY, 1), *b = floats(MANY, 2), one = 1, zero = 0, got;
  float *da = upload(a, MANY * sizeof *a), *db = upload(b, MANY * sizeof *b);
  float *dc = upload(&zero, sizeof zero);
  struct sum sum = { 0, 0, 0 };
  for (int i = 0; i < MANY; i++)
    add(&sum, (long double)a[i] * b[i]);
  CHECK_EQUAL(cublasSgemm(h, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, MANY, &one, da,
                          MANY, db, MANY, &zero, dc, 1),
              OK);
  download(&got, dc, sizeof got);
  check_float("gemm", got, &sum);
  CHECK_EQUAL(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, MANY, &one, da, 1,
                          db, 1, &zero, dc, 1),
              OK);
  download(&got, dc, sizeof got);
  check_float("gemm", got, &sum);
}

BEHAVIOUR(gemv_with_long_sums)
{
  cublasHandle_t h = begin();
  float *a = floats(2 * LONG, 3), *x = floats(LONG, 4);
  float alpha = 1.1F, beta = 0.3F, y[2] = { 7, 8 }, got[2];
  float *da = upload(a, 2 * LONG * sizeof *a);
  float *dx = upload(x, LONG * sizeof *x);
  for (int transposed = 0; transposed < 2; transposed++) {
    float *dy = upload(y, sizeof y);
    CHECK_EQUAL(transposed ? cublasSgemv(h, CUBLAS_OP_T, LONG, 2, &alpha, da,
                                         LONG, dx, 1, &beta, dy, 1)
                           : cublasSgemv(h, CUBLAS_OP_N, 2, LONG, &alpha, da, 2,
                                         dx, 1, &beta, dy, 1),
                OK);
    download(got, dy, sizeof got);
    for (int i = 0; i < 2; i++) {
      struct sum sum = { 0, 0, 0 };
      for (int k = 0; k < LONG; k++)
        add(&sum, (long double)alpha *
                      a[transposed ? k + i * LONG : i + 2 * k] * x[k]);
      add(&sum, (long double)beta * y[i]);
      check_float("gemv", got[i], &sum);
    }
  }
}

BEHAVIOUR(gemv_with_steps_backwards)
{
  enum { M = 3, N = 600 };
  cublasHandle_t h = begin();
  double *a = doubles(M * N, 3), *x = doubles(2 * N, 4), y[2 * M], got[2 * M];
  double alpha = 1.5, beta = 0.5, *da = upload(a, M * N * sizeof *a), *dy;
  for (int i = 0; i < 2 * M; i++)
    y[i] = i + 1;
  dy = upload(y, sizeof y);
  CHECK_EQUAL(cublasDgemv(h, CUBLAS_OP_N, M, N, &alpha, da, M,
                          upload(x, 2 * N * sizeof *x), -2, &beta, dy, -2),
              OK);
  download(got, dy, sizeof got);
  for (int i = 0; i < M; i++) {
    struct sum sum = { 0, 0, 0 };
    int at = 2 * (M - 1 - i);
    for (int k = 0; k < N; k++)
      add(&sum, (long double)alpha * a[i + k * M] * x[2 * (N - 1 - k)]);
    add(&sum, (long double)beta * y[at]);
    check_double("gemv", got[at], &sum);
    CHECK(got[at + 1] == y[at + 1]);
  }
}

/* A^H B of one column each. */
BEHAVIOUR(complex_gemm_with_long_sums)
{
  cublasHandle_t h = begin();
  float *a = floats(2 * LONG, 3), *b = floats(2 * LONG, 4);
  const cuComplex one = { 1, 0 }, zero = { 0, 0 };
  cuComplex got, *dc = upload(&zero, sizeof zero);
  struct sum real = { 0, 0, 0 }, imaginary = { 0, 0, 0 };
  CHECK_EQUAL(cublasCgemm(h, CUBLAS_OP_C, CUBLAS_OP_N, 1, 1, LONG, &one,
                          upload(a, 2 * LONG * sizeof *a), LONG,
                          upload(b, 2 * LONG * sizeof *b), LONG, &zero, dc, 1),
              OK);
  download(&got, dc, sizeof got);
  for (int k = 0; k < LONG; k++) {
    long double ar = a[2 * k], ai = -a[2 * k + 1], br = b[2 * k];
    long double bi = b[2 * k + 1];
    add(&real, ar * br);
    add(&real, -ai * bi);
    add(&imaginary, ar * bi);
    add(&imaginary, ai * br);
  }
  check_float("real part", got.x, &real);
  check_float("imaginary part", got.y, &imaginary);
}

BEHAVIOUR(double_complex_gemm_with_long_sums)
{
  cublasHandle_t h = begin();
  double *a = doubles(2 * LONG, 3), *b = doubles(2 * LONG, 4);
  const cuDoubleComplex one = { 1, 0 }, zero = { 0, 0 };
  cuDoubleComplex got, *dc = upload(&zero, sizeof zero);
  struct sum real = { 0, 0, 0 }, imaginary = { 0, 0, 0 };
  CHECK_EQUAL(cublasZgemmStridedBatched(
                  h, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, LONG, &one,
                  upload(a, 2 * LONG * sizeof *a), LONG, 0,
                  upload(b, 2 * LONG * sizeof *b), LONG, 0, &zero, dc, 1, 0, 1),
              OK);
  download(&got, dc, sizeof got);
  for (int k = 0; k < LONG; k++) {
    long double ar = a[2 * k], ai = a[2 * k + 1], br = b[2 * k];
    long double bi = b[2 * k + 1];
    add(&real, ar * br);
    add(&real, -ai * bi);
    add(&imaginary, ar * bi);
    add(&imaginary, ai * br);
  }
  check_double("real part", got.x, &real);
  check_double("imaginary part", got.y, &imaginary);
}

BEHAVIOUR(batches_with_long_sums)
{
  cublasHandle_t h = begin();
  float *a = floats(2 * LONG, 3), *b = floats(2 * LONG, 4), one = 1, zero = 0;
  float *da = upload(a, 2 * LONG * sizeof *a), got[2] = { 0, 0 };
  float *db = upload(b, 2 * LONG * sizeof *b), *dc = upload(got, sizeof got);
  const float *at_a[] = { da, da + LONG }, *at_b[] = { db, db + LONG };
  float *at_c[] = { dc, dc + 1 };
  for (int strided = 0; strided < 2; strided++) {
    CHECK_EQUAL(cudaMemset(dc, 0xff, sizeof got), cudaSuccess);
    CHECK_EQUAL(
        strided ? cublasSgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1,
                                            LONG, &one, da, 1, LONG, db, LONG,
                                            LONG, &zero, dc, 1, 1, 2)
                : cublasSgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, LONG,
                                     &one, upload(at_a, sizeof at_a), 1,
                                     upload(at_b, sizeof at_b), LONG, &zero,
                                     upload(at_c, sizeof at_c), 1, 2),
        OK);
    download(got, dc, sizeof got);
    for (int i = 0; i < 2; i++) {
      struct sum sum = { 0, 0, 0 };
      for (int k = 0; k < LONG; k++)
        add(&sum, (long double)a[i * LONG + k] * b[i * LONG + k]);
      check_float("product", got[i], &sum);
    }
  }
}

/* Half and bfloat16 with sums in float: as if summed exactly. */
BEHAVIOUR(narrow_gemm_with_long_sums)
{
  const struct {
    cudaDataType type;
    uint16_t first; /* 1.0; the bits behind it are fractions of it */
    float unit;     /* what the last bit is worth there */
  } kinds[] = { { CUDA_R_16F, 0x3c00, 0x1p-10F },
                { CUDA_R_16BF, 0x3f80, 0x1p-7F } };
  cublasHandle_t h = begin();
  for (int kind = 0; kind < 2; kind++) {
    uint16_t *a = room(LONG * sizeof *a);
    float one = 1, zero = 0, got, *dc = upload(&zero, sizeof zero);
    struct sum sum = { 0, 0, 0 };
    void *da;
    for (int i = 0; i < LONG; i++) {
      unsigned part = (unsigned)i * 2654435761u >> 16 & 127;
      long double value = 1 + kinds[kind].unit * part;
      a[i] = (uint16_t)(kinds[kind].first + part);
      add(&sum, value * value);
    }
    da = upload(a, LONG * sizeof *a);
    CHECK_EQUAL(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, LONG, &one, da,
                             kinds[kind].type, LONG, da, kinds[kind].type, LONG,
                             &zero, dc, CUDA_R_32F, 1, CUBLAS_COMPUTE_32F,
                             CUBLAS_GEMM_DEFAULT),
                OK);
    download(&got, dc, sizeof got);
    check_float("product", got, &sum);
  }
}

/* The symmetric and triangular ones, with sums as long as a test can bear;
 * 2000 is more than one block of each. */
enum { ORDER = 2000 };

BEHAVIOUR(symmetric_with_long_sums)
{
  cublasHandle_t h = begin();
  float *a = floats(ORDER * ORDER, 3), *x = floats(ORDER, 4), one = 1, zero = 0;
  float *got = room(ORDER * sizeof *got);
  float *da = upload(a, ORDER * ORDER * sizeof *a);
  float *dx = upload(x, ORDER * sizeof *x), *dy = upload(x, ORDER * sizeof *x);
  for (int lower = 0; lower < 2; lower++)
    for (int by_symm = 0; by_symm < 2; by_symm++) {
      cublasFillMode_t half =
          lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
      CHECK_EQUAL(by_symm
                      ? cublasSsymm(h, CUBLAS_SIDE_LEFT, half, ORDER, 1, &one,
                                    da, ORDER, dx, ORDER, &zero, dy, ORDER)
                      : cublasSsymv(h, half, ORDER, &one, da, ORDER, dx, 1,
                                    &zero, dy, 1),
                  OK);
      download(got, dy, ORDER * sizeof *got);
      for (int i = 0; i < ORDER; i += 37) {
        struct sum sum = { 0, 0, 0 };
        for (int k = 0; k < ORDER; k++)
          add(&sum, (long double)x[k] * ((i >= k) == lower ? a[i + k * ORDER]
                                                           : a[k + i * ORDER]));
        check_float("product", got[i], &sum);
      }
    }
}

BEHAVIOUR(rank_updates_with_long_sums)
{
  cublasHandle_t h = begin();
  float *a = floats(2 * LONG, 3), *b = floats(2 * LONG, 4), one = 1, zero = 0;
  float *da = upload(a, 2 * LONG * sizeof *a), got[4] = { 0, 9, 0, 0 };
  float *db = upload(b, 2 * LONG * sizeof *b), *dc = upload(got, sizeof got);
  for (int twice = 0; twice < 2; twice++) {
    CHECK_EQUAL(twice
                    ? cublasSsyr2k(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, 2,
                                   LONG, &one, da, LONG, db, LONG, &zero, dc, 2)
                    : cublasSsyrk(h, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, 2,
                                  LONG, &one, da, LONG, &zero, dc, 2),
                OK);
    download(got, dc, sizeof got);
    CHECK(got[1] == 9);
    for (int at = 0; at < 4; at++) {
      struct sum sum = { 0, 0, 0 };
      int i = at % 2 * LONG, j = at / 2 * LONG;
      if (at == 1)
        continue;
      for (int k = 0; k < LONG; k++) {
        add(&sum, (long double)a[i + k] * (twice ? b : a)[j + k]);
        if (twice)
          add(&sum, (long double)b[i + k] * a[j + k]);
      }
      check_float("element", got[at], &sum);
    }
  }
}

BEHAVIOUR(triangles_with_long_sums)
{
  cublasHandle_t h = begin();
  float *a = floats(ORDER * ORDER, 3), *x = floats(ORDER, 4), one = 1;
  float *got = room(ORDER * sizeof *got);
  float *da = upload(a, ORDER * ORDER * sizeof *a);
  for (int transposed = 0; transposed < 2; transposed++)
    for (int by_trmm = 0; by_trmm < 2; by_trmm++) {
      cublasOperation_t op = transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
      float *dx = upload(x, ORDER * sizeof *x);
      CHECK_EQUAL(
          by_trmm ? cublasStrmm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, op,
                                CUBLAS_DIAG_NON_UNIT, ORDER, 1, &one, da, ORDER,
                                dx, ORDER, dx, ORDER)
                  : cublasStrmv(h, CUBLAS_FILL_MODE_LOWER, op,
                                CUBLAS_DIAG_NON_UNIT, ORDER, da, ORDER, dx, 1),
          OK);
      download(got, dx, ORDER * sizeof *got);
      for (int i = 0; i < ORDER; i += 37) {
        struct sum sum = { 0, 0, 0 };
        for (int k = transposed ? i : 0; k < (transposed ? ORDER : i + 1); k++)
          add(&sum, (long double)x[k] *
                        a[transposed ? k + i * ORDER : i + k * ORDER]);
        check_float("product", got[i], &sum);
      }
    }
}

/* What trsv and trsm answer, put in again: the residual is one rounding of the
 * answer, not one for each term of its sums. */
BEHAVIOUR(solutions_with_long_sums)
{
  cublasHandle_t h = begin();
  float *a = floats(ORDER * ORDER, 3), *b = floats(ORDER, 4), one = 1;
  float *x = room(ORDER * sizeof *x), *da;
  for (int i = 0; i < ORDER; i++)
    for (int j = 0; j < ORDER; j++)
      a[i + j * ORDER] = i == j ? 2 : a[i + j * ORDER] / (2 * ORDER);
  da = upload(a, ORDER * ORDER * sizeof *a);
  for (int by_trsm = 0; by_trsm < 2; by_trsm++) {
    float *dx = upload(b, ORDER * sizeof *b);
    CHECK_EQUAL(
        by_trsm ? cublasStrsm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER,
                              CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, ORDER, 1, &one,
                              da, ORDER, dx, ORDER)
                : cublasStrsv(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                              CUBLAS_DIAG_NON_UNIT, ORDER, da, ORDER, dx, 1),
        OK);
    download(x, dx, ORDER * sizeof *x);
    for (int i = 0; i < ORDER; i++) {
      struct sum sum = { 0, 0, 0 };
      for (int k = 0; k <= i; k++)
        add(&sum, (long double)a[i + k * ORDER] * x[k]);
      within("row times solution", (double)b[i], exact(&sum), sum.size,
             0x1p-23L, FLOAT_BOUND);
    }
  }
}

/* Sizes beyond one block in every direction: whole numbers, so results are
 * exact. Some elements of each are compared. */
enum { TALL = 270, BROAD = 530, DEEP = 300, PITCH = 533 };

static double whole(const double *a, cublasOperation_t op, int i, int j)
{
  return op == CUBLAS_OP_N ? a[i + j * PITCH] : a[j + i * PITCH];
}

static double *wholes(unsigned seed)
{
  double *values = room(PITCH * PITCH * sizeof *values);
  for (unsigned i = 0; i < PITCH * PITCH; i++)
    values[i] = number(i + seed);
  return values;
}

BEHAVIOUR(blocks_of_gemm_meet)
{
  const cublasOperation_t ops[2] = { CUBLAS_OP_N, CUBLAS_OP_T };
  const size_t bytes = PITCH * PITCH * sizeof(double);
  double *a = wholes(1), *b = wholes(2), *c = wholes(3), *got = wholes(4);
  double *da = upload(a, bytes), *db = upload(b, bytes), *dc, alpha = 2;
  double beta = -1;
  cublasHandle_t h = begin();
  for (int which = 0; which < 4; which++) {
    cublasOperation_t op_a = ops[which & 1], op_b = ops[which >> 1];
    dc = upload(c, bytes);
    CHECK_EQUAL(cublasDgemm(h, op_a, op_b, TALL, BROAD, DEEP, &alpha, da, PITCH,
                            db, PITCH, &beta, dc, PITCH),
                OK);
    download(got, dc, bytes);
    for (int j = 0; j < PITCH; j += 3)
      for (int i = 0; i < PITCH; i += 7) {
        double sum = 0;
        for (int k = 0; k < DEEP; k++)
          sum += whole(a, op_a, i, k) * whole(b, op_b, k, j);
        CHECK(got[i + j * PITCH] == (i < TALL && j < BROAD
                                         ? 2 * sum - c[i + j * PITCH]
                                         : c[i + j * PITCH]));
      }
  }
}

/* Element (i, j) of op(A), of which one half counts. */
static double half_of(const double *a, int lower, cublasOperation_t op, int i,
                      int j, int symmetric, int unit)
{
  int row = op == CUBLAS_OP_N ? i : j, column = op == CUBLAS_OP_N ? j : i;
  if (row == column && unit)
    return 1;
  if (lower ? row >= column : row <= column)
    return a[row + column * PITCH];
  return symmetric ? a[column + row * PITCH] : 0;
}

/* symm, trmm on both sides, with all that there is to choose. */
BEHAVIOUR(blocks_of_halves_meet)
{
  const size_t bytes = PITCH * PITCH * sizeof(double);
  double *a = wholes(1), *b = wholes(2), *got = wholes(4), one = 1, zero = 0;
  double *da = upload(a, bytes), *db = upload(b, bytes), *dc = upload(b, bytes);
  cublasHandle_t h = begin();
  for (int which = 0; which < 20; which++) {
    int symmetric = which >= 16, unit = !symmetric && (which >> 3 & 1);
    int left = which & 1, lower = which >> 1 & 1;
    cublasOperation_t op =
        !symmetric && which >> 2 & 1 ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasSideMode_t side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    cublasFillMode_t half =
        lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    CHECK_EQUAL(
        symmetric
            ? cublasDsymm(h, side, half, TALL, BROAD, &one, da, PITCH, db,
                          PITCH, &zero, dc, PITCH)
            : cublasDtrmm(h, side, half, op,
                          unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, TALL,
                          BROAD, &one, da, PITCH, db, PITCH, dc, PITCH),
        OK);
    download(got, dc, bytes);
    for (int j = 0; j < BROAD; j += 23)
      for (int i = 0; i < TALL; i += 11) {
        double sum = 0;
        for (int k = 0; k < (left ? TALL : BROAD); k++)
          sum += left ? half_of(a, lower, op, i, k, symmetric, unit) *
                            b[k + j * PITCH]
                      : b[i + k * PITCH] *
                            half_of(a, lower, op, k, j, symmetric, unit);
        CHECK(got[i + j * PITCH] == sum);
      }
  }
}

BEHAVIOUR(blocks_of_rank_updates_meet)
{
  const size_t bytes = PITCH * PITCH * sizeof(double);
  double *a = wholes(1), *b = wholes(2), *c = wholes(3), *got = wholes(4);
  double *da = upload(a, bytes), *db = upload(b, bytes), *dc, alpha = 1;
  double beta = 3;
  cublasHandle_t h = begin();
  for (int which = 0; which < 8; which++) {
    int twice = which & 1, lower = which >> 1 & 1;
    cublasOperation_t op = which >> 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasFillMode_t half =
        lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    dc = upload(c, bytes);
    CHECK_EQUAL(twice ? cublasDsyr2k(h, half, op, BROAD, DEEP, &alpha, da,
                                     PITCH, db, PITCH, &beta, dc, PITCH)
                      : cublasDsyrk(h, half, op, BROAD, DEEP, &alpha, da, PITCH,
                                    &beta, dc, PITCH),
                OK);
    download(got, dc, bytes);
    for (int j = 0; j < BROAD; j += 13)
      for (int i = 0; i < BROAD; i += 7) {
        double sum = 0;
        for (int k = 0; k < DEEP; k++)
          sum += whole(a, op, i, k) * whole(twice ? b : a, op, j, k) +
                 (twice ? whole(b, op, i, k) * whole(a, op, j, k) : 0);
        CHECK(got[i + j * PITCH] == ((lower ? i >= j : i <= j)
                                         ? sum + 3 * c[i + j * PITCH]
                                         : c[i + j * PITCH]));
      }
  }
}

/* trsm takes back what trmm did. */
BEHAVIOUR(blocks_of_solutions_meet)
{
  const size_t bytes = PITCH * PITCH * sizeof(double);
  double *a = wholes(1), *b = wholes(2), *got = wholes(4), one = 1;
  double *da, *db = upload(b, bytes), *dc = upload(b, bytes);
  cublasHandle_t h = begin();
  for (int i = 0; i < PITCH * PITCH; i++)
    a[i] = i / PITCH == i % PITCH ? 2 : a[i] / (8 * PITCH);
  da = upload(a, bytes);
  for (int which = 0; which < 16; which++) {
    cublasSideMode_t side = which & 1 ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    cublasFillMode_t half =
        which & 2 ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    cublasOperation_t op = which & 4 ? CUBLAS_OP_T : CUBLAS_OP_N;
    cublasDiagType_t diag = which & 8 ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
    CHECK_EQUAL(cublasDtrmm(h, side, half, op, diag, TALL, BROAD, &one, da,
                            PITCH, db, PITCH, dc, PITCH),
                OK);
    CHECK_EQUAL(cublasDtrsm(h, side, half, op, diag, TALL, BROAD, &one, da,
                            PITCH, dc, PITCH),
                OK);
    download(got, dc, bytes);
    for (int j = 0; j < BROAD; j++)
      for (int i = 0; i < TALL; i++)
        CHECK(fabs(got[i + j * PITCH] - b[i + j * PITCH]) < 1e-12);
  }
}

/* Zeros of a triangle are left out, not multiplied. */
BEHAVIOUR(zeros_of_a_triangle_meet_no_infinity)
{
  const float a[4] = { 1, 2, 77, 3 }, infinity = INFINITY, one = 1;
  float x[2] = { 5, infinity }, *dx = upload(x, sizeof x);
  cublasHandle_t h = begin();
  CHECK_EQUAL(cublasStrmm(h, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER,
                          CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 2, 1, &one,
                          upload(a, sizeof a), 2, dx, 2, dx, 2),
              OK);
  download(x, dx, sizeof x);
  CHECK(x[0] == 5 && x[1] == infinity);
}
