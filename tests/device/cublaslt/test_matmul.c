/* Products against their definition. Values are small whole numbers, so that
 * every sum is exact, whatever it is computed in; only what GELU gives is
 * compared within a bound. */
#include <math.h>

#include "products.h"

enum { M = 16, N = 32, K = 48, MOST = 4096 };

/* What a test multiplies: the numbers, as doubles, and where they lie. */
struct matrix {
  cudaDataType type;
  int rows, columns, leading, count;
  cublasLtOrder_t order;
  double value[MOST]; /* as stored, gaps included */
  void *device;
};

struct setup {
  cublasComputeType_t compute;
  cudaDataType scale;
  cublasOperation_t trans_a, trans_b;
  struct matrix a, b, c, d;
  double alpha, beta;
  cublasLtMatmulDesc_t what;
};

static size_t bytes_of(cudaDataType type)
{
  switch (type) {
  case CUDA_R_64F: return 8;
  case CUDA_R_32F:
  case CUDA_R_32I: return 4;
  case CUDA_R_16F:
  case CUDA_R_16BF: return 2;
  default: return 1;
  }
}

static uint32_t bits_of(float value)
{
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* A whole number that the type holds exactly. */
static void store(void *to, cudaDataType type, double value)
{
  float single = (float)value;
  uint32_t bits = bits_of(single), size = bits & 0x7fffffff;
  uint32_t sign = bits >> 31;
  int32_t whole = (int32_t)value;
  uint16_t two;
  uint8_t one;
  switch (type) {
  case CUDA_R_64F: memcpy(to, &value, 8); return;
  case CUDA_R_32F: memcpy(to, &single, 4); return;
  case CUDA_R_32I: memcpy(to, &whole, 4); return;
  case CUDA_R_16F:
    two = (uint16_t)(sign << 15 | (size == 0 ? 0 : (size - 0x38000000) >> 13));
    memcpy(to, &two, 2);
    return;
  case CUDA_R_16BF:
    two = (uint16_t)(bits >> 16);
    memcpy(to, &two, 2);
    return;
  case CUDA_R_8F_E4M3:
    one = (uint8_t)(sign << 7 | (size == 0 ? 0 : (size - 0x3c000000) >> 20));
    break;
  case CUDA_R_8F_E5M2:
    one = (uint8_t)(sign << 7 | (size == 0 ? 0 : (size - 0x38000000) >> 21));
    break;
  default: one = (uint8_t)(int8_t)value;
  }
  memcpy(to, &one, 1);
}

static float float_of(uint32_t bits)
{
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Of a normal number or 0. */
static double load(const void *from, cudaDataType type)
{
  double eight;
  float four;
  int32_t whole;
  uint16_t two;
  uint8_t one = *(const uint8_t *)from;
  switch (type) {
  case CUDA_R_64F: memcpy(&eight, from, 8); return eight;
  case CUDA_R_32F: memcpy(&four, from, 4); return (double)four;
  case CUDA_R_32I: memcpy(&whole, from, 4); return whole;
  case CUDA_R_16F:
    memcpy(&two, from, 2);
    return (two & 0x7fff) == 0
               ? 0
               : (double)float_of(
                     (uint32_t)(two & 0x8000) << 16 |
                     (((uint32_t)(two & 0x7fff) << 13) + 0x38000000));
  case CUDA_R_16BF:
    memcpy(&two, from, 2);
    return (double)float_of((uint32_t)two << 16);
  case CUDA_R_8F_E4M3:
    return (one & 0x7f) == 0
               ? 0
               : (double)float_of(
                     (uint32_t)(one & 0x80) << 24 |
                     (((uint32_t)(one & 0x7f) << 20) + 0x3c000000));
  case CUDA_R_8F_E5M2:
    return (one & 0x7f) == 0
               ? 0
               : (double)float_of(
                     (uint32_t)(one & 0x80) << 24 |
                     (((uint32_t)(one & 0x7f) << 21) + 0x38000000));
  default: return (int8_t)one;
  }
}

static int along(const struct matrix *m)
{
  return m->order == CUBLASLT_ORDER_ROW ? m->columns : m->rows;
}

static int across(const struct matrix *m)
{
  return m->order == CUBLASLT_ORDER_ROW ? m->rows : m->columns;
}

static int elements(const struct matrix *m) { return m->leading * across(m); }

static int place(const struct matrix *m, int row, int column, int number)
{
  return number * elements(m) + (m->order == CUBLASLT_ORDER_ROW
                                     ? row * m->leading + column
                                     : column * m->leading + row);
}

static void fill(struct matrix *m, unsigned seed)
{
  uint8_t bytes[8 * MOST];
  int n = elements(m) * m->count;
  CHECK(n <= MOST);
  for (int i = 0; i < n; i++) {
    m->value[i] =
        (double)(((unsigned)i * 2654435761u + seed * 40503u) >> 16 & 3) - 1;
    store(bytes + (size_t)i * bytes_of(m->type), m->type, m->value[i]);
  }
  m->device = upload(bytes, (size_t)n * bytes_of(m->type));
}

static struct setup plain(cublasComputeType_t compute, cudaDataType scale,
                          cudaDataType ab, cudaDataType cd)
{
  struct setup s = {
    .compute = compute, .scale = scale, .alpha = 2, .beta = 3
  };
  s.a = (struct matrix){ .type = ab, .rows = M, .columns = K, .count = 1 };
  s.b = (struct matrix){ .type = ab, .rows = K, .columns = N, .count = 1 };
  s.c = (struct matrix){ .type = cd, .rows = M, .columns = N, .count = 1 };
  s.d = s.c;
  return s;
}

static void turn(struct matrix *m)
{
  int rows = m->rows;
  m->rows = m->columns;
  m->columns = rows;
}

/* A transposed, as 8-bit numbers want it. */
static struct setup lines(cublasComputeType_t compute, cudaDataType scale,
                          cudaDataType ab, cudaDataType cd)
{
  struct setup s = plain(compute, scale, ab, cd);
  s.trans_a = CUBLAS_OP_T;
  turn(&s.a);
  return s;
}

static void set(struct setup *s, cublasLtMatmulDescAttributes_t attribute,
                const void *value, size_t bytes)
{
  CHECK_EQUAL(cublasLtMatmulDescSetAttribute(s->what, attribute, value, bytes),
              OK);
}

static void prepare(struct setup *s)
{
  struct matrix *each[] = { &s->a, &s->b, &s->c, &s->d };
  for (unsigned i = 0; i < 4; i++) {
    if (each[i]->leading == 0)
      each[i]->leading = along(each[i]);
    fill(each[i], i);
  }
  CHECK_EQUAL(cublasLtMatmulDescCreate(&s->what, s->compute, s->scale), OK);
  set(s, CUBLASLT_MATMUL_DESC_TRANSA, &s->trans_a, sizeof s->trans_a);
  set(s, CUBLASLT_MATMUL_DESC_TRANSB, &s->trans_b, sizeof s->trans_b);
}

static cublasLtMatrixLayout_t layout_of(const struct matrix *m)
{
  cublasLtMatrixLayout_t layout;
  int32_t order = (int32_t)m->order, count = m->count;
  int64_t stride = elements(m);
  CHECK_EQUAL(cublasLtMatrixLayoutCreate(&layout, m->type, (uint64_t)m->rows,
                                         (uint64_t)m->columns, m->leading),
              OK);
  CHECK_EQUAL(cublasLtMatrixLayoutSetAttribute(
                  layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order),
              OK);
  CHECK_EQUAL(
      cublasLtMatrixLayoutSetAttribute(
          layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count),
      OK);
  CHECK_EQUAL(cublasLtMatrixLayoutSetAttribute(
                  layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &stride,
                  sizeof stride),
              OK);
  return layout;
}

/* Asks for an algorithm, and multiplies with it: both give the same status. */
static cublasStatus_t multiply_with(struct setup *s, const void *alpha,
                                    const void *beta)
{
  cublasLtMatrixLayout_t a = layout_of(&s->a), b = layout_of(&s->b);
  cublasLtMatrixLayout_t c = layout_of(&s->c), d = layout_of(&s->d);
  cublasLtMatmulHeuristicResult_t found[2];
  cublasLtMatmulPreference_t preference;
  int n = -1;
  CHECK_EQUAL(cublasLtMatmulPreferenceCreate(&preference), OK);
  cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
      begin(), s->what, a, b, c, d, preference, 1, found, &n);
  if (status == OK) {
    CHECK_EQUAL(n, 1);
    CHECK_EQUAL(found[0].state, OK);
    status = cublasLtMatmul(begin(), s->what, alpha, s->a.device, a,
                            s->b.device, b, beta, s->c.device, c, s->d.device,
                            d, &found[0].algo, NULL, 0, 0);
    CHECK_EQUAL(cudaDeviceSynchronize(), cudaSuccess);
  }
  cublasLtMatmulPreferenceDestroy(preference);
  cublasLtMatrixLayoutDestroy(a);
  cublasLtMatrixLayoutDestroy(b);
  cublasLtMatrixLayoutDestroy(c);
  cublasLtMatrixLayoutDestroy(d);
  return status;
}

static cublasStatus_t multiply(struct setup *s)
{
  uint8_t alpha[8], beta[8];
  store(alpha, s->scale, s->alpha);
  store(beta, s->scale, s->beta);
  return multiply_with(s, alpha, beta);
}

/* op(A) op(B) at a place, exactly. */
static double sum_at(const struct setup *s, int row, int column, int number)
{
  double sum = 0;
  for (int k = 0; k < K; k++) {
    int a = s->trans_a == CUBLAS_OP_N ? place(&s->a, row, k, number)
                                      : place(&s->a, k, row, number);
    int b = s->trans_b == CUBLAS_OP_N ? place(&s->b, k, column, number)
                                      : place(&s->b, column, k, number);
    sum += s->a.value[a] * s->b.value[b];
  }
  return sum;
}

static double expected_at(const struct setup *s, int row, int column,
                          int number)
{
  double sum = s->alpha * sum_at(s, row, column, number);
  return s->beta == 0
             ? sum
             : sum + s->beta * s->c.value[place(&s->c, row, column, number)];
}

static double *result_of(const struct setup *s)
{
  static double value[MOST];
  uint8_t bytes[8 * MOST];
  int n = elements(&s->d) * s->d.count;
  download(bytes, s->d.device, (size_t)n * bytes_of(s->d.type));
  for (int i = 0; i < n; i++)
    value[i] = load(bytes + (size_t)i * bytes_of(s->d.type), s->d.type);
  return value;
}

static void check_at(const char *what, int row, int column, double got,
                     double expected, double bound)
{
  if (fabs(got - expected) <= bound)
    return;
  fprintf(stderr, "%s (%d, %d) is %.9g, expected %.9g\n", what, row, column,
          got, expected);
  exit(1);
}

/* And what lies between D's columns is as before. */
static void check(const struct setup *s)
{
  const double *got = result_of(s);
  for (int number = 0; number < s->d.count; number++)
    for (int i = 0; i < across(&s->d); i++)
      for (int j = 0; j < s->d.leading; j++) {
        int at = number * elements(&s->d) + i * s->d.leading + j;
        int row = s->d.order == CUBLASLT_ORDER_ROW ? i : j;
        int column = s->d.order == CUBLASLT_ORDER_ROW ? j : i;
        check_at("D", row, column, got[at],
                 j < along(&s->d) ? expected_at(s, row, column, number)
                                  : s->d.value[at],
                 0);
      }
}

static void check_all(struct setup s)
{
  prepare(&s);
  CHECK_EQUAL(multiply(&s), OK);
  check(&s);
  CHECK_EQUAL(cublasLtMatmulDescDestroy(s.what), OK);
}

BEHAVIOUR(floats)
{
  check_all(plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F));
}

BEHAVIOUR(floats_by_tf32)
{
  check_all(
      plain(CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F));
}

BEHAVIOUR(doubles)
{
  check_all(plain(CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F));
}

BEHAVIOUR(halves_in_float)
{
  check_all(plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F));
  check_all(plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F));
}

BEHAVIOUR(halves_in_half)
{
  check_all(plain(CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F));
}

/* Sums below 256, which bfloat16 holds. */
BEHAVIOUR(bfloats)
{
  check_all(plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF));
  check_all(plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F));
}

BEHAVIOUR(bytes_to_int)
{
  check_all(lines(CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I));
}

/* Of any size, as an H100 takes them; a line of C is one number then. */
BEHAVIOUR(bytes_to_float)
{
  struct setup s = lines(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8I, CUDA_R_32F);
  check_all(s);
  s.a.columns = s.c.rows = s.d.rows = 6;
  s.c.leading = s.d.leading = 6;
  check_all(s);
}

BEHAVIOUR(eight_bit_floats)
{
  struct setup s =
      lines(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_16BF);
  check_all(s);
  s.b.type = CUDA_R_8F_E5M2;
  check_all(s);
  s.c.type = s.d.type = CUDA_R_32F;
  check_all(s);
  s.b.type = CUDA_R_8F_E4M3;
  s.c.type = s.d.type = CUDA_R_16F;
  check_all(s);
}

BEHAVIOUR(transposed_and_with_gaps)
{
  for (int i = 0; i < 4; i++) {
    struct setup s =
        plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
    if (i & 1) {
      s.trans_a = CUBLAS_OP_T;
      turn(&s.a);
    }
    if (i & 2) {
      s.trans_b = CUBLAS_OP_C;
      turn(&s.b);
    }
    s.a.leading = s.a.rows + 4;
    s.b.leading = s.b.rows + 8;
    s.c.leading = M + 12;
    s.d.leading = M + 16;
    check_all(s);
  }
}

BEHAVIOUR(rows_first)
{
  for (int i = 0; i < 4; i++) {
    struct setup s =
        plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
    s.a.order = i & 1 ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
    s.b.order = i & 2 ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
    s.c.order = s.d.order = CUBLASLT_ORDER_ROW;
    s.d.leading = N + 4;
    check_all(s);
  }
}

BEHAVIOUR(batches)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  s.a.count = s.b.count = s.c.count = s.d.count = 2;
  s.d.leading = M + 4;
  check_all(s);
}

BEHAVIOUR(without_beta_nothing_is_read)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  float nan[M * N];
  s.beta = 0;
  prepare(&s);
  for (int i = 0; i < M * N; i++)
    nan[i] = NAN;
  s.d.device = upload(nan, sizeof nan);
  s.c.device = NULL;
  CHECK_EQUAL(multiply(&s), OK);
  check(&s);
}

/* D takes the place of C. */
BEHAVIOUR(in_place)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  prepare(&s);
  s.d.device = s.c.device;
  CHECK_EQUAL(multiply(&s), OK);
  check(&s);
}

/* Sums of int wrap, as factors of 2^30 show. */
BEHAVIOUR(ints_wrap)
{
  struct setup s = lines(CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I);
  s.alpha = 1 << 30;
  prepare(&s);
  CHECK_EQUAL(multiply(&s), OK);
  const double *got = result_of(&s);
  for (int row = 0; row < M; row++)
    for (int column = 0; column < N; column++) {
      uint32_t sum = (uint32_t)(int32_t)sum_at(&s, row, column, 0) << 30;
      int32_t c = (int32_t)s.c.value[place(&s.c, row, column, 0)];
      check_at("D", row, column, got[place(&s.d, row, column, 0)],
               (int32_t)(sum + (uint32_t)(3 * c)), 0);
    }
}

/* Rounded to the nearest, at halves to the even one, and limited. */
BEHAVIOUR(bytes_are_rounded_and_limited)
{
  struct setup s = lines(CUBLAS_COMPUTE_32I, CUDA_R_32F, CUDA_R_8I, CUDA_R_8I);
  prepare(&s);
  for (int i = 0; i < 2; i++) {
    float alpha = i == 0 ? 0.5F : 40, beta = 0;
    CHECK_EQUAL(multiply_with(&s, &alpha, &beta), OK);
    const double *got = result_of(&s);
    for (int row = 0; row < M; row++)
      for (int column = 0; column < N; column++) {
        double x = (double)alpha * sum_at(&s, row, column, 0);
        x = x > 127 ? 127 : x < -128 ? -128 : nearbyint(x);
        check_at("D", row, column, got[place(&s.d, row, column, 0)], x, 0);
      }
  }
}

/* ---- where factors are ----------------------------------------------------- */

static void set_mode(struct setup *s, int32_t mode)
{
  set(s, CUBLASLT_MATMUL_DESC_POINTER_MODE, &mode, sizeof mode);
}

BEHAVIOUR(factors_on_the_device)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  const float both[2] = { 2, 3 }, *device = upload(both, sizeof both);
  prepare(&s);
  set_mode(&s, CUBLASLT_POINTER_MODE_DEVICE);
  CHECK_EQUAL(multiply_with(&s, device, device + 1), OK);
  check(&s);
}

BEHAVIOUR(factors_of_rows)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  float alpha[M], beta = 0;
  for (int i = 0; i < M; i++)
    alpha[i] = (float)i - 3;
  prepare(&s);
  set_mode(&s, CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO);
  CHECK_EQUAL(multiply_with(&s, upload(alpha, sizeof alpha), &beta), OK);
  const double *got = result_of(&s);
  for (int row = 0; row < M; row++)
    for (int column = 0; column < N; column++)
      check_at("D", row, column, got[place(&s.d, row, column, 0)],
               (double)alpha[row] * sum_at(&s, row, column, 0), 0);
}

BEHAVIOUR(both_factors_of_rows)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  float alpha[M], beta[M];
  for (int i = 0; i < M; i++) {
    alpha[i] = (float)i - 3;
    beta[i] = (float)(i % 3);
  }
  prepare(&s);
  set_mode(&s, CUBLASLT_POINTER_MODE_DEVICE_VECTOR);
  CHECK_EQUAL(
      multiply_with(&s, upload(alpha, sizeof alpha), upload(beta, sizeof beta)),
      OK);
  const double *got = result_of(&s);
  for (int row = 0; row < M; row++)
    for (int column = 0; column < N; column++)
      check_at("D", row, column, got[place(&s.d, row, column, 0)],
               (double)alpha[row] * sum_at(&s, row, column, 0) +
                   (double)beta[row] * s.c.value[place(&s.c, row, column, 0)],
               0);
}

/* ---- what follows ---------------------------------------------------------- */

static void set_epilogue(struct setup *s, uint32_t epilogue, void *bias)
{
  set(s, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof epilogue);
  set(s, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &bias, sizeof bias);
}

static float bias_of(int row) { return (float)(row % 5) - 2; }

static void *upload_bias(cudaDataType type)
{
  uint8_t bytes[8 * M];
  for (int i = 0; i < M; i++)
    store(bytes + (size_t)i * bytes_of(type), type, (double)bias_of(i));
  return upload(bytes, M * bytes_of(type));
}

/* 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) */
static double gelu(double x)
{
  return 0.5 * x * (1 + tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)));
}

static void check_epilogue(struct setup s, uint32_t epilogue, double bound)
{
  prepare(&s);
  set_epilogue(&s, epilogue, upload_bias(s.d.type));
  CHECK_EQUAL(multiply(&s), OK);
  const double *got = result_of(&s);
  for (int row = 0; row < M; row++)
    for (int column = 0; column < N; column++) {
      double x = expected_at(&s, row, column, 0);
      if (epilogue & CUBLASLT_EPILOGUE_BIAS)
        x += (double)bias_of(row);
      if (epilogue & CUBLASLT_EPILOGUE_RELU)
        x = x > 0 ? x : 0;
      if (epilogue & CUBLASLT_EPILOGUE_GELU)
        x = gelu(x);
      check_at("D", row, column, got[place(&s.d, row, column, 0)], x,
               bound * (1 + fabs(x)));
    }
}

BEHAVIOUR(bias)
{
  check_epilogue(plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F),
                 CUBLASLT_EPILOGUE_BIAS, 0);
  check_epilogue(plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F),
                 CUBLASLT_EPILOGUE_BIAS, 0);
}

BEHAVIOUR(relu_with_and_without_bias)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF);
  check_epilogue(s, CUBLASLT_EPILOGUE_RELU, 0);
  check_epilogue(s, CUBLASLT_EPILOGUE_RELU_BIAS, 0);
}

/* Small sums, where GELU bends. A GPU's tanh is an approximation. */
BEHAVIOUR(gelu_with_and_without_bias)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  s.alpha = 0.0625;
  s.beta = 0.5;
  check_epilogue(s, CUBLASLT_EPILOGUE_GELU, 1e-3);
  check_epilogue(s, CUBLASLT_EPILOGUE_GELU_BIAS, 1e-3);
}

/* ---- auxiliary matrices and gradients -------------------------------------- */

enum { AUX = 128 }; /* its leading dimension: bits, or numbers */

static void *set_auxiliary(struct setup *s, const void *values, size_t bytes)
{
  void *aux = upload(values, bytes);
  int64_t leading = AUX;
  set(s, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, &aux, sizeof aux);
  set(s, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &leading, sizeof leading);
  return aux;
}

static struct setup small(void)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  s.alpha = 0.0625;
  s.beta = 0.5;
  return s;
}

/* A bit for each number that is not less than 0. */
BEHAVIOUR(relu_keeps_what_it_kept)
{
  struct setup s = small();
  uint8_t bits[AUX / 8 * N] = { 0 };
  prepare(&s);
  set_epilogue(&s, CUBLASLT_EPILOGUE_RELU_AUX_BIAS, upload_bias(CUDA_R_32F));
  void *aux = set_auxiliary(&s, bits, sizeof bits);
  CHECK_EQUAL(multiply(&s), OK);
  download(bits, aux, sizeof bits);
  const double *got = result_of(&s);
  for (int row = 0; row < M; row++)
    for (int column = 0; column < N; column++) {
      double x = expected_at(&s, row, column, 0) + (double)bias_of(row);
      int at = column * AUX + row;
      check_at("D", row, column, got[place(&s.d, row, column, 0)],
               x > 0 ? x : 0, 0);
      CHECK_EQUAL(bits[at / 8] >> at % 8 & 1, x >= 0);
    }
}

/* An H100 keeps a NaN, and sets its bit and that of 0. */
BEHAVIOUR(relu_of_nan_and_of_zero)
{
  for (int is_nan = 0; is_nan < 2; is_nan++) {
    struct setup s = small();
    uint8_t bits[AUX / 8 * N] = { 0 };
    s.alpha = is_nan ? NAN : 0;
    s.beta = 0;
    prepare(&s);
    set_epilogue(&s, CUBLASLT_EPILOGUE_RELU_AUX, NULL);
    void *aux = set_auxiliary(&s, bits, sizeof bits);
    CHECK_EQUAL(multiply(&s), OK);
    download(bits, aux, sizeof bits);
    const double *got = result_of(&s);
    for (int row = 0; row < M; row++)
      for (int column = 0; column < N; column++) {
        int at = column * AUX + row;
        double x = got[place(&s.d, row, column, 0)];
        CHECK_EQUAL(is_nan ? isnan(x) != 0 : x == 0, 1);
        CHECK_EQUAL(bits[at / 8] >> at % 8 & 1, 1);
      }
  }
}

BEHAVIOUR(gelu_keeps_what_it_got)
{
  struct setup s = small();
  static float numbers[AUX * N];
  prepare(&s);
  set_epilogue(&s, CUBLASLT_EPILOGUE_GELU_AUX_BIAS, upload_bias(CUDA_R_32F));
  void *aux = set_auxiliary(&s, numbers, sizeof numbers);
  CHECK_EQUAL(multiply(&s), OK);
  download(numbers, aux, sizeof numbers);
  for (int row = 0; row < M; row++)
    for (int column = 0; column < N; column++)
      check_at("what GELU got", row, column,
               (double)numbers[column * AUX + row],
               expected_at(&s, row, column, 0) + (double)bias_of(row), 0);
}

static void check_gradients(struct setup *s, const void *gradients,
                            const double *expected, double bound)
{
  float got[N];
  const double *d = result_of(s);
  double sums[M] = { 0 };
  download(got, gradients, M * sizeof *got);
  for (int row = 0; row < M; row++)
    for (int column = 0; column < N; column++) {
      double x = expected[column * M + row];
      check_at("D", row, column, d[place(&s->d, row, column, 0)], x,
               bound * (1 + fabs(x)));
      sums[row] += x;
    }
  for (int row = 0; row < M; row++)
    check_at("the bias's gradient", row, 0, (double)got[row], sums[row],
             bound * N);
}

BEHAVIOUR(gradient_of_relu)
{
  struct setup s = small();
  static double expected[M * N];
  uint8_t bits[AUX / 8 * N];
  for (unsigned i = 0; i < sizeof bits; i++)
    bits[i] = (uint8_t)(i * 73 + 29);
  prepare(&s);
  float nothing[M] = { 0 };
  void *gradients = upload(nothing, sizeof nothing);
  set_epilogue(&s, CUBLASLT_EPILOGUE_DRELU_BGRAD, gradients);
  set_auxiliary(&s, bits, sizeof bits);
  CHECK_EQUAL(multiply(&s), OK);
  for (int row = 0; row < M; row++)
    for (int column = 0; column < N; column++) {
      int at = column * AUX + row;
      expected[column * M + row] =
          bits[at / 8] >> at % 8 & 1 ? expected_at(&s, row, column, 0) : 0;
    }
  check_gradients(&s, gradients, expected, 0);
}

/* GELU's slope as a quotient of differences. */
BEHAVIOUR(gradient_of_gelu)
{
  struct setup s = small();
  static double expected[M * N];
  static float numbers[AUX * N];
  for (int i = 0; i < AUX * N; i++)
    numbers[i] = (float)(i * 37 % 97 - 48) / 16;
  prepare(&s);
  float nothing[M] = { 0 };
  void *gradients = upload(nothing, sizeof nothing);
  set_epilogue(&s, CUBLASLT_EPILOGUE_DGELU_BGRAD, gradients);
  set_auxiliary(&s, numbers, sizeof numbers);
  CHECK_EQUAL(multiply(&s), OK);
  for (int row = 0; row < M; row++)
    for (int column = 0; column < N; column++) {
      double x = (double)numbers[column * AUX + row], step = 1e-4;
      double slope = (gelu(x + step) - gelu(x - step)) / (2 * step);
      expected[column * M + row] = slope * expected_at(&s, row, column, 0);
    }
  check_gradients(&s, gradients, expected, 2e-3);
}

/* Sums of op(A)'s rows, or of op(B)'s columns. */
BEHAVIOUR(gradients_of_operands)
{
  for (int of_b = 0; of_b < 2; of_b++) {
    struct setup s = small();
    float got[N] = { 0 };
    s.trans_b = CUBLAS_OP_T;
    turn(&s.b);
    prepare(&s);
    void *gradients = upload(got, sizeof got);
    set_epilogue(&s, of_b ? CUBLASLT_EPILOGUE_BGRADB : CUBLASLT_EPILOGUE_BGRADA,
                 gradients);
    CHECK_EQUAL(multiply(&s), OK);
    check(&s);
    download(got, gradients, sizeof got);
    for (int i = 0; i < (of_b ? N : M); i++) {
      double sum = 0;
      for (int k = 0; k < K; k++)
        sum += of_b ? s.b.value[place(&s.b, i, k, 0)]
                    : s.a.value[place(&s.a, i, k, 0)];
      check_at("the gradient", i, 0, (double)got[i], sum, 0);
    }
  }
}

BEHAVIOUR(wrong_auxiliary_matrices)
{
  struct setup s = small();
  static float numbers[AUX * N];
  int64_t leading = 64;
  prepare(&s);
  set_epilogue(&s, CUBLASLT_EPILOGUE_RELU_AUX, NULL);
  set_auxiliary(&s, numbers, sizeof numbers);
  set(&s, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, &leading, sizeof leading);
  CHECK(multiply(&s) != OK);
}

/* ---- complex numbers ------------------------------------------------------- */

/* (1 + 2i) conj(3 + 4i) = 11 + 2i, times i, plus 2 (5 - i). */
BEHAVIOUR(complexes_and_conjugates)
{
  const cuComplex a = { 1, 2 }, b = { 3, 4 }, c = { 5, -1 };
  const cuComplex alpha = { 0, 1 }, beta = { 2, 0 };
  const int32_t op = CUBLAS_OP_C;
  cuComplex got, *d = upload(&c, sizeof c);
  cublasLtMatrixLayout_t layout;
  cublasLtMatmulDesc_t what;
  CHECK_EQUAL(cublasLtMatrixLayoutCreate(&layout, CUDA_C_32F, 1, 1, 1), OK);
  CHECK_EQUAL(cublasLtMatmulDescCreate(&what, CUBLAS_COMPUTE_32F, CUDA_C_32F),
              OK);
  CHECK_EQUAL(cublasLtMatmulDescSetAttribute(what, CUBLASLT_MATMUL_DESC_TRANSB,
                                             &op, sizeof op),
              OK);
  CHECK_EQUAL(cublasLtMatmul(begin(), what, &alpha, upload(&a, sizeof a),
                             layout, upload(&b, sizeof b), layout, &beta, d,
                             layout, d, layout, NULL, NULL, 0, 0),
              OK);
  download(&got, d, sizeof got);
  CHECK(got.x == 8 && got.y == 9);
  cublasLtMatrixLayoutDestroy(layout);
  cublasLtMatmulDescDestroy(what);
}

/* ---- 8-bit floats ---------------------------------------------------------- */

BEHAVIOUR(scales_of_operands)
{
  struct setup s =
      lines(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_32F);
  const float scales[2] = { 0.5F, 8 };
  const void *a = upload(scales, sizeof *scales);
  const void *b = upload(scales + 1, sizeof *scales);
  prepare(&s);
  set(&s, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &a, sizeof a);
  set(&s, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &b, sizeof b);
  CHECK_EQUAL(multiply(&s), OK);
  s.alpha *= 4;
  check(&s);
}

/* D's scale comes after its maximum; what is too large becomes 448. */
BEHAVIOUR(scale_and_maximum_of_the_result)
{
  struct setup s =
      lines(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8F_E4M3, CUDA_R_16BF);
  float scale = 64, most = -1;
  const void *of_d = upload(&scale, sizeof scale);
  void *largest = upload(&most, sizeof most);
  double expected_most = 0;
  s.alpha = 1;
  s.beta = 0;
  s.d.type = CUDA_R_8F_E4M3;
  prepare(&s);
  set(&s, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, &of_d, sizeof of_d);
  set(&s, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, &largest, sizeof largest);
  CHECK_EQUAL(multiply(&s), OK);
  const double *got = result_of(&s);
  for (int row = 0; row < M; row++)
    for (int column = 0; column < N; column++) {
      double sum = sum_at(&s, row, column, 0), x = 64 * sum;
      expected_most = fabs(sum) > expected_most ? fabs(sum) : expected_most;
      x = x > 448 ? 448 : x < -448 ? -448 : x;
      check_at("D", row, column, got[place(&s.d, row, column, 0)], x, 0);
    }
  download(&most, largest, sizeof most);
  CHECK((double)most == expected_most);
  CHECK(expected_most > 7); /* some are limited */
}

/* ---- algorithms ------------------------------------------------------------ */

/* Those of a product of floats: an array of one is enough. */
BEHAVIOUR(algorithms_have_numbers)
{
  const cudaDataType_t f = CUDA_R_32F;
  const cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  const cublasStatus_t invalid = CUBLAS_STATUS_INVALID_VALUE;
  cublasLtMatmulAlgo_t algorithm;
  int numbers[2] = { 99999, 99999 }, n = -1;
  CHECK_EQUAL(
      cublasLtMatmulAlgoGetIds(begin(), compute, f, f, f, f, f, 1, numbers, &n),
      OK);
  CHECK_EQUAL(n, 1);
  CHECK_EQUAL(numbers[1], 99999);
  CHECK_EQUAL(cublasLtMatmulAlgoInit(begin(), compute, f, f, f, f, f,
                                     numbers[0], &algorithm),
              OK);
  CHECK_EQUAL(cublasLtMatmulAlgoInit(begin(), compute, f, f, f, f, f,
                                     numbers[1], &algorithm),
              invalid);
  CHECK_EQUAL(
      cublasLtMatmulAlgoGetIds(begin(), compute, f, f, f, f, f, 0, numbers, &n),
      invalid);
}

/* An algorithm that was found is one; bytes of 0 are none. */
BEHAVIOUR(algorithm_of_nowhere)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulHeuristicResult_t found, again;
  cublasLtMatmulAlgo_t none = { 0 };
  const float alpha = 1, beta = 0;
  int n = 0;
  prepare(&s);
  cublasLtMatrixLayout_t a = layout_of(&s.a), b = layout_of(&s.b);
  cublasLtMatrixLayout_t c = layout_of(&s.c), d = layout_of(&s.d);
  CHECK_EQUAL(cublasLtMatmulPreferenceCreate(&preference), OK);
  CHECK_EQUAL(cublasLtMatmulAlgoGetHeuristic(begin(), s.what, a, b, c, d,
                                             preference, 1, &found, &n),
              OK);
  CHECK_EQUAL(
      cublasLtMatmulAlgoCheck(begin(), s.what, a, b, c, d, &found.algo, &again),
      OK);
  CHECK_EQUAL(again.state, OK);
  CHECK_EQUAL(
      cublasLtMatmulAlgoCheck(begin(), s.what, a, b, c, d, NULL, &again),
      CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasLtMatmul(begin(), s.what, &alpha, s.a.device, a, s.b.device,
                             b, &beta, s.c.device, c, s.d.device, d, &none,
                             NULL, 0, 0),
              CUBLAS_STATUS_NOT_SUPPORTED);
}

/* ---- wrong ones ------------------------------------------------------------ */

BEHAVIOUR(shapes_that_do_not_fit)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  s.b.rows = K + 1;
  prepare(&s);
  CHECK_EQUAL(multiply(&s), CUBLAS_STATUS_INVALID_VALUE);
}

BEHAVIOUR(types_that_have_no_product)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  s.a.type = CUDA_R_16F;
  prepare(&s);
  CHECK_EQUAL(multiply(&s), CUBLAS_STATUS_INVALID_VALUE);
  s = plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_64F, CUDA_R_64F);
  prepare(&s);
  CHECK_EQUAL(multiply(&s), CUBLAS_STATUS_NOT_SUPPORTED);
}

BEHAVIOUR(no_rows_have_no_product)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  prepare(&s);
  s.a.rows = s.c.rows = s.d.rows = 0;
  CHECK_EQUAL(multiply(&s), CUBLAS_STATUS_INVALID_VALUE);
}

BEHAVIOUR(c_and_d_lie_alike)
{
  for (int i = 0; i < 8; i++) {
    struct setup s =
        plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
    s.a.order = i & 1 ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
    s.b.order = i & 2 ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
    if (i & 4)
      s.c.order = CUBLASLT_ORDER_ROW;
    else
      s.d.order = CUBLASLT_ORDER_ROW;
    prepare(&s);
    CHECK_EQUAL(multiply(&s), CUBLAS_STATUS_INVALID_VALUE);
  }
}

BEHAVIOUR(no_bias_by_rows)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  s.c.order = s.d.order = CUBLASLT_ORDER_ROW;
  prepare(&s);
  set_epilogue(&s, CUBLASLT_EPILOGUE_BIAS, upload_bias(CUDA_R_32F));
  CHECK_EQUAL(multiply(&s), CUBLAS_STATUS_NOT_SUPPORTED);
}

BEHAVIOUR(no_gradient_of_b_as_it_is)
{
  struct setup s = small();
  prepare(&s);
  set_epilogue(&s, CUBLASLT_EPILOGUE_BGRADB, upload_bias(CUDA_R_32F));
  CHECK_EQUAL(multiply(&s), CUBLAS_STATUS_NOT_SUPPORTED);
}

BEHAVIOUR(matrices_nowhere)
{
  struct setup s =
      plain(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F);
  prepare(&s);
  struct setup without = s;
  without.a.device = NULL;
  CHECK_EQUAL(multiply(&without), CUBLAS_STATUS_INVALID_VALUE);
  without = s;
  without.c.device = NULL;
  CHECK_EQUAL(multiply(&without), CUBLAS_STATUS_INVALID_VALUE);
  without = s;
  without.d.device = NULL;
  CHECK_EQUAL(multiply(&without), CUBLAS_STATUS_INVALID_VALUE);
}
