/* Products of narrow and of complex numbers. All values are small integers,
 * so that results are exact whatever they are computed in. */
#include "matrices.h"

/* The header has it for C++ only. */
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t trans_a,
                           cublasOperation_t trans_b, int m, int n, int k,
                           const void *alpha, const void *a, int lda,
                           const void *b, int ldb, const void *beta, void *c,
                           int ldc);

cublasStatus_t cublasHgemmBatched(cublasHandle_t handle,
                                  cublasOperation_t trans_a,
                                  cublasOperation_t trans_b, int m, int n,
                                  int k, const void *alpha, const void *a,
                                  int lda, const void *b, int ldb,
                                  const void *beta, const void *c, int ldc,
                                  int count);

enum { M = 3, N = 4, K = 2 };

static uint32_t bits_of(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint16_t half(int value) /* |value| < 2048 */
{
  uint32_t bits = bits_of((float)value);
  return value == 0 ? 0
                    : (uint16_t)((bits >> 16 & 0x8000) |
                                 ((bits & 0x7fffffff) - 0x38000000) >> 13);
}

static uint16_t bfloat(int value) /* |value| < 256 */
{
  return (uint16_t)(bits_of((float)value) >> 16);
}

static int a_at(int row, int column) { return row * 3 - column * 2 + 1; }
static int b_at(int row, int column) { return 2 - row + column * (row + 1); }

/* Of A (M x K) and B (K x N). */
static int product(int row, int column)
{
  int sum = 0;
  for (int i = 0; i < K; i++)
    sum += a_at(row, i) * b_at(i, column);
  return sum;
}

struct narrow {
  uint16_t a[M * K], b[K * N], c[M * N];
};

/* B is stored transposed; C is all ones. */
static struct narrow fill(uint16_t (*of)(int))
{
  struct narrow v;
  for (int i = 0; i < M * K; i++)
    v.a[i] = of(a_at(i % M, i / M));
  for (int i = 0; i < K * N; i++)
    v.b[i] = of(b_at(i / N, i % N));
  for (int i = 0; i < M * N; i++)
    v.c[i] = of(1);
  return v;
}

static void check_narrow(const void *c, uint16_t (*of)(int), int added)
{
  uint16_t got[M * N];
  download(got, c, sizeof got);
  for (int i = 0; i < M * N; i++)
    CHECK_EQUAL(got[i], of(product(i % M, i / M) + added));
}

BEHAVIOUR(half_in_half)
{
  struct narrow v = fill(half);
  void *a = upload(v.a, sizeof v.a), *b = upload(v.b, sizeof v.b);
  void *c = upload(v.c, sizeof v.c);
  uint16_t one = half(1), two = half(2);
  CHECK_EQUAL(cublasHgemm(begin(), CUBLAS_OP_N, CUBLAS_OP_T, M, N, K, &one, a,
                          M, b, N, &two, c, M),
              OK);
  check_narrow(c, half, 2);
}

BEHAVIOUR(half_in_float)
{
  struct narrow v = fill(half);
  void *a = upload(v.a, sizeof v.a), *b = upload(v.b, sizeof v.b);
  void *c = upload(v.c, sizeof v.c);
  float one = 1, zero = 0;
  CHECK_EQUAL(cublasGemmEx(begin(), CUBLAS_OP_N, CUBLAS_OP_T, M, N, K, &one, a,
                           CUDA_R_16F, M, b, CUDA_R_16F, N, &zero, c,
                           CUDA_R_16F, M, CUBLAS_COMPUTE_32F,
                           CUBLAS_GEMM_DEFAULT),
              OK);
  check_narrow(c, half, 0);
}

BEHAVIOUR(bfloat_to_float)
{
  struct narrow v = fill(bfloat);
  void *a = upload(v.a, sizeof v.a), *b = upload(v.b, sizeof v.b);
  float one = 1, zero = 0, got[M * N] = { 0 }, *c = upload(got, sizeof got);
  CHECK_EQUAL(cublasGemmEx(begin(), CUBLAS_OP_N, CUBLAS_OP_T, M, N, K, &one, a,
                           CUDA_R_16BF, M, b, CUDA_R_16BF, N, &zero, c,
                           CUDA_R_32F, M, CUBLAS_COMPUTE_32F,
                           CUBLAS_GEMM_DEFAULT),
              OK);
  download(got, c, sizeof got);
  for (int i = 0; i < M * N; i++)
    CHECK(got[i] == (float)product(i % M, i / M));
}

BEHAVIOUR(strided_bfloats)
{
  struct narrow v[2] = { fill(bfloat), fill(bfloat) };
  const long long apart = sizeof *v / sizeof(uint16_t);
  struct narrow *d = upload(v, sizeof v);
  float one = 1;
  CHECK_EQUAL(cublasGemmStridedBatchedEx(
                  begin(), CUBLAS_OP_N, CUBLAS_OP_T, M, N, K, &one, d->a,
                  CUDA_R_16BF, M, apart, d->b, CUDA_R_16BF, N, apart, &one,
                  d->c, CUDA_R_16BF, M, apart, 2, CUBLAS_COMPUTE_32F,
                  CUBLAS_GEMM_DEFAULT),
              OK);
  check_narrow(d[0].c, bfloat, 1);
  check_narrow(d[1].c, bfloat, 1);
}

/* The largest half is 65504; half of 2^-24 goes to the even one, 0. */
BEHAVIOUR(rounds_to_half)
{
  const float values[6] = { 1.0F + 0x1p-11F, 1.0F + 3 * 0x1p-11F, 65519, 65520,
                            0x1p-25F,        3 * 0x1p-26F };
  const uint16_t expected[6] = { 0x3c00, 0x3c02, 0x7bff, 0x7c00, 0, 1 };
  uint16_t one = half(1), got[6] = { 0 }, *c = upload(got, sizeof got);
  uint16_t *a = upload(&one, sizeof one);
  float zero = 0;
  for (int i = 0; i < 6; i++)
    CHECK_EQUAL(cublasGemmEx(begin(), CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1,
                             &values[i], a, CUDA_R_16F, 1, a, CUDA_R_16F, 1,
                             &zero, c + i, CUDA_R_16F, 1, CUBLAS_COMPUTE_32F,
                             CUBLAS_GEMM_DEFAULT),
                OK);
  download(got, c, sizeof got);
  for (int i = 0; i < 6; i++)
    CHECK_EQUAL(got[i], expected[i]);
}

/* (1 + 2i) * conj(3 + 4i) = 11 + 2i, and i times 1. */
BEHAVIOUR(complex_and_conjugate)
{
  const cuComplex a = { 1, 2 }, b = { 3, 4 }, one = { 1, 0 }, i = { 0, 1 };
  cuComplex c = { 1, 0 }, *d = upload(&c, sizeof c);
  CHECK_EQUAL(cublasCgemm(begin(), CUBLAS_OP_N, CUBLAS_OP_C, 1, 1, 1, &one,
                          upload(&a, sizeof a), 1, upload(&b, sizeof b), 1, &i,
                          d, 1),
              OK);
  download(&c, d, sizeof c);
  CHECK(c.x == 11 && c.y == 3);
}

BEHAVIOUR(double_complex_batches)
{
  const cuDoubleComplex values[2] = { { 1, 2 }, { 3, 4 } }, one = { 1, 0 };
  const cuDoubleComplex zero = { 0, 0 };
  cuDoubleComplex c[2] = { { 9, 9 }, { 9, 9 } }, *d = upload(c, sizeof c);
  cuDoubleComplex *a = upload(values, sizeof values);
  CHECK_EQUAL(cublasZgemmStridedBatched(begin(), CUBLAS_OP_T, CUBLAS_OP_N, 1, 1,
                                        1, &one, a, 1, 1, a, 1, 0, &zero, d, 1,
                                        1, 2),
              OK);
  download(c, d, sizeof c);
  CHECK(c[0].x == -3 && c[0].y == 4);
  CHECK(c[1].x == -5 && c[1].y == 10);
}

/* Two products whose matrices are found by their addresses, the second one
 * first. */
struct addresses {
  void *a[2], *b[2], *c[2];
};

static struct addresses *addresses_of(struct narrow *d)
{
  struct addresses at = { { d[1].a, d[0].a },
                          { d[1].b, d[0].b },
                          { d[1].c, d[0].c } };
  return upload(&at, sizeof at);
}

BEHAVIOUR(halves_by_addresses)
{
  struct narrow v[2] = { fill(half), fill(half) }, *d = upload(v, sizeof v);
  struct addresses *at = addresses_of(d);
  uint16_t one = half(1), two = half(2);
  CHECK_EQUAL(cublasHgemmBatched(begin(), CUBLAS_OP_N, CUBLAS_OP_T, M, N, K,
                                 &one, at->a, M, at->b, N, &two, at->c, M, 2),
              OK);
  check_narrow(d[0].c, half, 2);
  check_narrow(d[1].c, half, 2);
}

BEHAVIOUR(bfloats_by_addresses)
{
  struct narrow v[2] = { fill(bfloat), fill(bfloat) }, *d = upload(v, sizeof v);
  struct addresses *at = addresses_of(d);
  float one = 1;
  CHECK_EQUAL(cublasGemmBatchedEx(begin(), CUBLAS_OP_N, CUBLAS_OP_T, M, N, K,
                                  &one, (const void *const *)at->a, CUDA_R_16BF,
                                  M, (const void *const *)at->b, CUDA_R_16BF, N,
                                  &one, at->c, CUDA_R_16BF, M, 2,
                                  CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
              OK);
  check_narrow(d[0].c, bfloat, 1);
  check_narrow(d[1].c, bfloat, 1);
}

/* (1 + 2i) * (3 + 4i) = -5 + 10i, and (1 + 2i)^2 = -3 + 4i. */
BEHAVIOUR(complex_by_addresses)
{
  const cuComplex values[2] = { { 1, 2 }, { 3, 4 } }, one = { 1, 0 },
                  zero = { 0, 0 };
  cuComplex c[2] = { { 9, 9 }, { 9, 9 } }, *d = upload(c, sizeof c);
  cuComplex *v = upload(values, sizeof values);
  const cuComplex *a[2] = { v, v }, *b[2] = { v, v + 1 };
  cuComplex *to[2] = { d + 1, d };
  CHECK_EQUAL(cublasCgemmBatched(begin(), CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1,
                                 &one, upload(a, sizeof a), 1,
                                 upload(b, sizeof b), 1, &zero,
                                 upload(to, sizeof to), 1, 2),
              OK);
  download(c, d, sizeof c);
  CHECK(c[0].x == -5 && c[0].y == 10);
  CHECK(c[1].x == -3 && c[1].y == 4);
}

BEHAVIOUR(batches_of_less_than_none_are_refused)
{
  const cuComplex one = { 1, 0 };
  const cublasOperation_t n = CUBLAS_OP_N;
  cuComplex *d = upload(&one, sizeof one);
  cublasHandle_t h = begin();
  CHECK_EQUAL(cublasCgemmStridedBatched(h, n, n, 1, 1, 1, &one, d, 1, 0, d, 1,
                                        0, &one, d, 1, 0, -1),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasHgemmBatched(h, n, n, 1, 1, 1, d, d, 1, d, 1, d, d, 1, -1),
              CUBLAS_STATUS_INVALID_VALUE);
}

/* ---- bytes ----------------------------------------------------------------- */

enum { SIDE = 16 };

struct bytes {
  int8_t a[SIDE * SIDE], b[SIDE * SIDE];
};

/* Both as they are multiplied: A's rows and B's columns are rows in memory. */
static struct bytes fill_bytes(void)
{
  struct bytes v;
  for (int i = 0; i < SIDE * SIDE; i++) {
    v.a[i] = (int8_t)(i * 37 + 11);
    v.b[i] = (int8_t)(i * 91 - 5);
  }
  return v;
}

static int32_t product_of_bytes(const struct bytes *v, int row, int column)
{
  int32_t sum = 0;
  for (int k = 0; k < SIDE; k++)
    sum += v->a[row * SIDE + k] * v->b[column * SIDE + k];
  return sum;
}

BEHAVIOUR(bytes_to_int)
{
  struct bytes v = fill_bytes(), *d = upload(&v, sizeof v);
  int32_t got[SIDE * SIDE], three = 3, minus = -2;
  for (int i = 0; i < SIDE * SIDE; i++)
    got[i] = i;
  int32_t *c = upload(got, sizeof got);
  CHECK_EQUAL(cublasGemmEx(begin(), CUBLAS_OP_T, CUBLAS_OP_N, SIDE, SIDE, SIDE,
                           &three, d->a, CUDA_R_8I, SIDE, d->b, CUDA_R_8I, SIDE,
                           &minus, c, CUDA_R_32I, SIDE, CUBLAS_COMPUTE_32I,
                           CUBLAS_GEMM_DEFAULT),
              OK);
  download(got, c, sizeof got);
  for (int i = 0; i < SIDE * SIDE; i++)
    CHECK_EQUAL(got[i], 3 * product_of_bytes(&v, i % SIDE, i / SIDE) - 2 * i);
}

/* Only the last 32 bits count, of numbers that no double holds. */
BEHAVIOUR(ints_wrap)
{
  struct bytes v = fill_bytes(), *d = upload(&v, sizeof v);
  int32_t got[SIDE * SIDE], alpha = 123456789, beta = INT32_MAX;
  for (int i = 0; i < SIDE * SIDE; i++)
    got[i] = INT32_MAX - i;
  int32_t *c = upload(got, sizeof got);
  CHECK_EQUAL(cublasGemmEx(begin(), CUBLAS_OP_T, CUBLAS_OP_N, SIDE, SIDE, SIDE,
                           &alpha, d->a, CUDA_R_8I, SIDE, d->b, CUDA_R_8I, SIDE,
                           &beta, c, CUDA_R_32I, SIDE, CUBLAS_COMPUTE_32I,
                           CUBLAS_GEMM_DEFAULT),
              OK);
  download(got, c, sizeof got);
  for (int i = 0; i < SIDE * SIDE; i++) {
    uint32_t product = (uint32_t)product_of_bytes(&v, i % SIDE, i / SIDE);
    uint32_t was = (uint32_t)INT32_MAX - (uint32_t)i;
    CHECK_EQUAL(got[i],
                (int32_t)(123456789u * product + (uint32_t)INT32_MAX * was));
  }
}

BEHAVIOUR(bytes_to_float_in_batches)
{
  struct bytes v = fill_bytes(), *d = upload(&v, sizeof v);
  float got[2][SIDE * SIDE] = { { 0 } }, half_of = 0.5F, zero = 0;
  float *c = upload(got, sizeof got);
  CHECK_EQUAL(cublasGemmStridedBatchedEx(
                  begin(), CUBLAS_OP_T, CUBLAS_OP_N, SIDE, SIDE, SIDE, &half_of,
                  d->a, CUDA_R_8I, SIDE, 0, d->b, CUDA_R_8I, SIDE, 0, &zero, c,
                  CUDA_R_32F, SIDE, SIDE * SIDE, 2, CUBLAS_COMPUTE_32F,
                  CUBLAS_GEMM_DEFAULT),
              OK);
  download(got, c, sizeof got);
  for (int i = 0; i < 2 * SIDE * SIDE; i++) {
    int at = i % (SIDE * SIDE);
    CHECK(got[i / (SIDE * SIDE)][at] ==
          0.5F * (float)product_of_bytes(&v, at % SIDE, at / SIDE));
  }
}

BEHAVIOUR(bytes_in_int_want_columns_of_words)
{
  struct bytes v = fill_bytes(), *d = upload(&v, sizeof v);
  const cublasOperation_t n = CUBLAS_OP_N, t = CUBLAS_OP_T;
  int32_t one = 1, got[16] = { 0 }, *c = upload(got, sizeof got);
  cublasHandle_t h = begin();
  CHECK_EQUAL(cublasGemmEx(h, n, n, 4, 4, 4, &one, d->a, CUDA_R_8I, 5, d->b,
                           CUDA_R_8I, 4, &one, c, CUDA_R_32I, 4,
                           CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
              CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK_EQUAL(cublasGemmEx(h, n, n, 4, 4, 4, &one, d->a, CUDA_R_8I, 4, d->b,
                           CUDA_R_8I, 6, &one, c, CUDA_R_32I, 4,
                           CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
              CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK_EQUAL(cublasGemmEx(h, t, t, 4, 4, 4, &one, d->a, CUDA_R_8I, 4, d->b,
                           CUDA_R_8I, 4, &one, c, CUDA_R_32I, 4,
                           CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT),
              CUBLAS_STATUS_NOT_SUPPORTED);
}

BEHAVIOUR(bytes_have_no_other_products)
{
  struct bytes v = fill_bytes(), *d = upload(&v, sizeof v);
  float one = 1;
  CHECK_EQUAL(cublasGemmEx(begin(), CUBLAS_OP_T, CUBLAS_OP_N, SIDE, SIDE, SIDE,
                           &one, d->a, CUDA_R_8I, SIDE, d->b, CUDA_R_8I, SIDE,
                           &one, d, CUDA_R_16F, SIDE, CUBLAS_COMPUTE_32F,
                           CUBLAS_GEMM_DEFAULT),
              CUBLAS_STATUS_NOT_SUPPORTED);
}
