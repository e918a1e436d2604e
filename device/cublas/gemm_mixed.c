/* Products of matrices whose types the caller names, and of half precision.
 * Narrow numbers are widened, multiplied in float and rounded once: a GPU
 * that computes in half precision rounds more often. */
#include <stdlib.h>

#include "gemm.h"
#include "narrow.h"

struct mix {
  int a, b, c, compute;
};

static bool computes_in_float(int compute)
{
  return compute == CUBLAS_COMPUTE_32F ||
         compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
         compute == CUBLAS_COMPUTE_32F_FAST_16F ||
         compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
         compute == CUBLAS_COMPUTE_32F_FAST_TF32;
}

static bool computes_in_half(int compute)
{
  return compute == CUBLAS_COMPUTE_16F ||
         compute == CUBLAS_COMPUTE_16F_PEDANTIC;
}

static bool computes_in_double(int compute)
{
  return compute == CUBLAS_COMPUTE_64F ||
         compute == CUBLAS_COMPUTE_64F_PEDANTIC;
}

static size_t bytes_of(int type)
{
  return type == CUDA_R_64F ? 8 : type == CUDA_R_32F ? 4 : 2;
}

/* The mixes that cuBLAS's manual lists, for real numbers of 16 bits or more. */
static bool is_served(const struct mix *mix)
{
  if (mix->a != mix->b)
    return false;
  if (computes_in_double(mix->compute))
    return mix->a == CUDA_R_64F && mix->c == CUDA_R_64F;
  if (computes_in_half(mix->compute))
    return mix->a == CUDA_R_16F && mix->c == CUDA_R_16F;
  if (!computes_in_float(mix->compute))
    return false;
  return (mix->a == CUDA_R_32F && mix->c == CUDA_R_32F) ||
         ((mix->a == CUDA_R_16F || mix->a == CUDA_R_16BF) &&
          (mix->c == mix->a || mix->c == CUDA_R_32F));
}

static double scalar(struct job *job, const char *name, const void *address,
                     const struct mix *mix)
{
  uint16_t half;
  if (!computes_in_half(mix->compute))
    return job_scalar(job, name, address,
                      computes_in_double(mix->compute) ? 8 : 4);
  job_number(job, name, address, &half, sizeof half);
  return (double)narrow_from_half(half);
}

static float element(const void *matrix, int type, size_t i)
{
  if (type == CUDA_R_32F)
    return ((const float *)matrix)[i];
  if (type == CUDA_R_16F)
    return narrow_from_half(((const uint16_t *)matrix)[i]);
  return narrow_from_bfloat(((const uint16_t *)matrix)[i]);
}

/* A matrix as floats, its columns one behind the other. */
static float *widened(const void *matrix, int type, int64_t rows,
                      int64_t columns, int64_t leading)
{
  size_t n = (size_t)rows * (size_t)columns;
  float *wide = calloc(n + 1, sizeof *wide);
  if (wide == NULL)
    abort();
  for (int64_t x = 0; matrix != NULL && x < columns; x++)
    for (int64_t y = 0; y < rows; y++)
      wide[x * rows + y] = element(matrix, type, (size_t)(x * leading + y));
  return wide;
}

static void store(void *matrix, int type, int64_t leading, const float *wide,
                  int64_t rows, int64_t columns)
{
  for (int64_t x = 0; x < columns; x++)
    for (int64_t y = 0; y < rows; y++) {
      float value = wide[x * rows + y];
      size_t i = (size_t)(x * leading + y);
      if (type == CUDA_R_32F)
        ((float *)matrix)[i] = value;
      else if (type == CUDA_R_16F)
        ((uint16_t *)matrix)[i] = narrow_to_half(value);
      else
        ((uint16_t *)matrix)[i] = narrow_to_bfloat(value);
    }
}

static void multiply_narrow(struct job *job, const struct gemm *g,
                            const struct mix *mix)
{
  int64_t rows_a = gemm_rows_of_a(g), columns_a = g->m + g->k - rows_a;
  int64_t rows_b = gemm_rows_of_b(g), columns_b = g->k + g->n - rows_b;
  const void *a = job_matrix(job, "A", g->a, rows_a, columns_a, g->lda,
                             bytes_of(mix->a));
  const void *b = job_matrix(job, "B", g->b, rows_b, columns_b, g->ldb,
                             bytes_of(mix->b));
  void *c = job_matrix(job, "C", g->c, g->m, g->n, g->ldc, bytes_of(mix->c));
  if (!job_runs(job) || g->m == 0 || g->n == 0)
    return;
  float *wide_a = widened(a, mix->a, rows_a, columns_a, g->lda);
  float *wide_b = widened(b, mix->b, rows_b, columns_b, g->ldb);
  float *wide_c =
      widened(g->beta == 0 ? NULL : c, mix->c, g->m, g->n, g->ldc);
  struct gemm wide = *g;
  wide.lda = rows_a > 0 ? rows_a : 1;
  wide.ldb = rows_b > 0 ? rows_b : 1;
  wide.ldc = g->m;
  gemm_multiply_floats(&wide, wide_a, wide_b, wide_c);
  store(c, mix->c, g->ldc, wide_c, g->m, g->n);
  free(wide_a);
  free(wide_b);
  free(wide_c);
}

static void multiply(struct job *job, const struct gemm *gemm,
                     const struct mix *mix)
{
  if (bytes_of(mix->a) == 2)
    multiply_narrow(job, gemm, mix);
  else
    gemm_run(job, gemm, bytes_of(mix->a));
}

/* Bytes apart in memory: of A, B and C, from one product to the next. */
struct strides {
  long long a, b, c;
  int64_t n;
};

static cublasStatus_t run(struct job job, struct gemm *gemm, const void *alpha,
                          const void *beta, const struct mix *mix,
                          const int numbers[3], struct strides strides)
{
  if (job.status == CUBLAS_STATUS_SUCCESS && !is_served(mix)) {
    core.explain(job.call,
                 "types %d, %d, %d with compute type %d: the software device "
                 "multiplies half and bfloat16 in float, float in float and "
                 "double in double",
                 mix->a, mix->b, mix->c, mix->compute);
    return CUBLAS_STATUS_NOT_SUPPORTED;
  }
  gemm_check(&job, gemm, numbers);
  gemm->alpha = scalar(&job, "alpha", alpha, mix);
  gemm->beta = scalar(&job, "beta", beta, mix);
  for (int64_t i = 0; i < strides.n && job_runs(&job); i++) {
    multiply(&job, gemm, mix);
    gemm->a = (const char *)gemm->a + strides.a * (long long)bytes_of(mix->a);
    gemm->b = (const char *)gemm->b + strides.b * (long long)bytes_of(mix->b);
    gemm->c = (char *)gemm->c + strides.c * (long long)bytes_of(mix->c);
  }
  return job.status;
}

static const struct strides one = {0, 0, 0, 1};
static const int numbers_ex[3] = {9, 12, 16}, numbers_half[3] = {8, 10, 13};
static const int numbers_strided_ex[3] = {9, 13, 18};
static const int numbers_strided_half[3] = {8, 11, 15};

#define PRODUCT(trans_a, trans_b, m, n, k, lda, ldb, ldc, a, b, c)             \
  struct gemm gemm = {trans_a, trans_b, m, n, k, lda, ldb, ldc, a, b, c, 0, 0}

/* With sizes of type INT; END is what the call's name ends with. */
#define CALLS(INT, END)                                                        \
  API cublasStatus_t cublasGemmEx##END(                                        \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *a, int type_a, INT lda, const void *b,    \
      int type_b, INT ldb, const void *beta, void *c, int type_c, INT ldc,     \
      int compute, int algorithm)                                              \
  {                                                                            \
    PRODUCT(trans_a, trans_b, m, n, k, lda, ldb, ldc, a, b, c);                \
    (void)algorithm;                                                           \
    return run(job_begin(handle, "cublasGemmEx"), &gemm, alpha, beta,          \
               &(struct mix){type_a, type_b, type_c, compute}, numbers_ex,     \
               one);                                                           \
  }                                                                            \
  API cublasStatus_t cublasGemmStridedBatchedEx##END(                          \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *a, int type_a, INT lda,                   \
      long long stride_a, const void *b, int type_b, INT ldb,                  \
      long long stride_b, const void *beta, void *c, int type_c, INT ldc,      \
      long long stride_c, INT count, int compute, int algorithm)               \
  {                                                                            \
    PRODUCT(trans_a, trans_b, m, n, k, lda, ldb, ldc, a, b, c);                \
    (void)algorithm;                                                           \
    return run(job_begin(handle, "cublasGemmStridedBatchedEx"), &gemm, alpha,  \
               beta, &(struct mix){type_a, type_b, type_c, compute},           \
               numbers_strided_ex,                                             \
               (struct strides){stride_a, stride_b, stride_c, count});         \
  }                                                                            \
  API cublasStatus_t cublasSgemmEx##END(                                       \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const float *alpha, const void *a, int type_a, INT lda, const void *b,   \
      int type_b, INT ldb, const float *beta, void *c, int type_c, INT ldc)    \
  {                                                                            \
    PRODUCT(trans_a, trans_b, m, n, k, lda, ldb, ldc, a, b, c);                \
    return run(job_begin(handle, "cublasSgemmEx"), &gemm, alpha, beta,         \
               &(struct mix){type_a, type_b, type_c, CUBLAS_COMPUTE_32F},      \
               numbers_ex, one);                                               \
  }                                                                            \
  API cublasStatus_t cublasHgemm##END(                                         \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *a, INT lda, const void *b, INT ldb,       \
      const void *beta, void *c, INT ldc)                                      \
  {                                                                            \
    PRODUCT(trans_a, trans_b, m, n, k, lda, ldb, ldc, a, b, c);                \
    return run(job_begin(handle, "cublasHgemm"), &gemm, alpha, beta, &halves,  \
               numbers_half, one);                                             \
  }                                                                            \
  API cublasStatus_t cublasHgemmStridedBatched##END(                           \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *a, INT lda, long long stride_a,           \
      const void *b, INT ldb, long long stride_b, const void *beta, void *c,   \
      INT ldc, long long stride_c, INT count)                                  \
  {                                                                            \
    PRODUCT(trans_a, trans_b, m, n, k, lda, ldb, ldc, a, b, c);                \
    return run(job_begin(handle, "cublasHgemmStridedBatched"), &gemm, alpha,   \
               beta, &halves, numbers_strided_half,                            \
               (struct strides){stride_a, stride_b, stride_c, count});         \
  }

static const struct mix halves = {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F,
                                  CUBLAS_COMPUTE_16F};
CALLS(int, )
CALLS(int64_t, _64)
