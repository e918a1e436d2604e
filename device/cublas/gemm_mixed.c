/* Products of matrices whose types the caller names, and of half precision.
 * Sums are exact and rounded to float, then to C's type: a GPU that computes
 * in half precision rounds more often. */
#include "gemm.h"
#include "numbers.h"

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

static bool computes_in_whole(int compute)
{
  return compute == CUBLAS_COMPUTE_32I ||
         compute == CUBLAS_COMPUTE_32I_PEDANTIC;
}

static bool computes_in_double(int compute)
{
  return compute == CUBLAS_COMPUTE_64F ||
         compute == CUBLAS_COMPUTE_64F_PEDANTIC;
}

/* The mixes that cuBLAS's manual lists, for real numbers. */
static bool is_served(const struct mix *mix)
{
  if (mix->a != mix->b)
    return false;
  if (computes_in_double(mix->compute))
    return mix->a == CUDA_R_64F && mix->c == CUDA_R_64F;
  if (computes_in_half(mix->compute))
    return mix->a == CUDA_R_16F && mix->c == CUDA_R_16F;
  if (computes_in_whole(mix->compute))
    return mix->a == CUDA_R_8I && mix->c == CUDA_R_32I;
  if (!computes_in_float(mix->compute))
    return false;
  return ((mix->a == CUDA_R_32F || mix->a == CUDA_R_8I) &&
          mix->c == CUDA_R_32F) ||
         ((mix->a == CUDA_R_16F || mix->a == CUDA_R_16BF) &&
          (mix->c == mix->a || mix->c == CUDA_R_32F));
}

/* The type of alpha and beta. */
static int scalars_of(const struct mix *mix)
{
  return computes_in_half(mix->compute)     ? CUDA_R_16F
         : computes_in_double(mix->compute) ? CUDA_R_64F
         : computes_in_whole(mix->compute)  ? CUDA_R_32I
                                            : CUDA_R_32F;
}

static struct job begin_gemm(cublasHandle_t handle, const char *call,
                             const struct mix *mix)
{
  struct job job = job_begin(handle, call);
  if (job.status == CUBLAS_STATUS_SUCCESS && !is_served(mix)) {
    explain(job.call,
            "types %d, %d, %d with compute type %d: the software device "
            "multiplies half and bfloat16 in float, float in float, double "
            "in double, and bytes in int or float",
            mix->a, mix->b, mix->c, mix->compute);
    job.status = CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return job;
}

/* What an H100 wants of bytes that are multiplied in int: columns that begin at
 * multiples of four bytes, and one matrix at least that is not transposed. */
static struct job begin_bytes(cublasHandle_t handle, const char *call,
                              const struct mix *mix, int trans_a, int trans_b,
                              int64_t lda, int64_t ldb)
{
  struct job job = begin_gemm(handle, call, mix);
  bool both = trans_a != CUBLAS_OP_N && trans_b != CUBLAS_OP_N;
  if (job.status != CUBLAS_STATUS_SUCCESS || !computes_in_whole(mix->compute) ||
      (lda % 4 == 0 && ldb % 4 == 0 && !both))
    return job;
  explain(job.call,
          "bytes in int: lda and ldb are %lld and %lld, and want to be "
          "multiples of 4; and not both matrices may be transposed",
          (long long)lda, (long long)ldb);
  job.status = CUBLAS_STATUS_NOT_SUPPORTED;
  return job;
}

static const struct gemm_places places_ex = { 9, 12, 16, 17 };
static const struct gemm_places places_strided_ex = { 9, 13, 18, 20 };
static const struct mix halves = { CUDA_R_16F, CUDA_R_16F, CUDA_R_16F,
                                   CUBLAS_COMPUTE_16F };

/* With sizes of type INT; END is what the call's name ends with. */
#define CALLS(INT, END)                                                        \
  API cublasStatus_t cublasGemmEx##END(                                        \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *a, int type_a, INT lda, const void *b,    \
      int type_b, INT ldb, const void *beta, void *c, int type_c, INT ldc,     \
      int compute, int algorithm)                                              \
  {                                                                            \
    struct mix mix = { type_a, type_b, type_c, compute };                      \
    (void)algorithm;                                                           \
    return gemm_call(                                                          \
        begin_bytes(handle, "cublasGemmEx", &mix, trans_a, trans_b, lda, ldb), \
        GEMM(type_a, type_c), alpha, beta, scalars_of(&mix), places_ex,        \
        (struct gemm_batch){ 1, 0, 0, 0 });                                    \
  }                                                                            \
  API cublasStatus_t cublasGemmStridedBatchedEx##END(                          \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *a, int type_a, INT lda,                   \
      long long stride_a, const void *b, int type_b, INT ldb,                  \
      long long stride_b, const void *beta, void *c, int type_c, INT ldc,      \
      long long stride_c, INT count, int compute, int algorithm)               \
  {                                                                            \
    struct mix mix = { type_a, type_b, type_c, compute };                      \
    (void)algorithm;                                                           \
    return gemm_call(                                                          \
        begin_bytes(handle, "cublasGemmStridedBatchedEx", &mix, trans_a,       \
                    trans_b, lda, ldb),                                        \
        GEMM(type_a, type_c), alpha, beta, scalars_of(&mix),                   \
        places_strided_ex,                                                     \
        (struct gemm_batch){ count, stride_a, stride_b, stride_c });           \
  }                                                                            \
  API cublasStatus_t cublasGemmBatchedEx##END(                                 \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *at_a, int type_a, INT lda,                \
      const void *at_b, int type_b, INT ldb, const void *beta,                 \
      const void *at_c, int type_c, INT ldc, INT count, int compute,           \
      int algorithm)                                                           \
  {                                                                            \
    struct mix mix = { type_a, type_b, type_c, compute };                      \
    void *a = NULL, *b = NULL, *c = NULL;                                      \
    (void)algorithm;                                                           \
    return gemm_call_pointers(begin_bytes(handle, "cublasGemmBatchedEx", &mix, \
                                          trans_a, trans_b, lda, ldb),         \
                              GEMM(type_a, type_c), alpha, beta,               \
                              scalars_of(&mix), places_ex, at_a, at_b, at_c,   \
                              count);                                          \
  }                                                                            \
  API cublasStatus_t cublasSgemmEx##END(                                       \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const float *alpha, const void *a, int type_a, INT lda, const void *b,   \
      int type_b, INT ldb, const float *beta, void *c, int type_c, INT ldc)    \
  {                                                                            \
    struct mix mix = { type_a, type_b, type_c, CUBLAS_COMPUTE_32F };           \
    return gemm_call(begin_gemm(handle, "cublasSgemmEx", &mix),                \
                     GEMM(type_a, type_c), alpha, beta, CUDA_R_32F, places_ex, \
                     (struct gemm_batch){ 1, 0, 0, 0 });                       \
  }                                                                            \
  API cublasStatus_t cublasHgemm##END(                                         \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *a, INT lda, const void *b, INT ldb,       \
      const void *beta, void *c, INT ldc)                                      \
  {                                                                            \
    return gemm_call(begin_gemm(handle, "cublasHgemm", &halves),               \
                     GEMM(CUDA_R_16F, CUDA_R_16F), alpha, beta, CUDA_R_16F,    \
                     gemm_plain, (struct gemm_batch){ 1, 0, 0, 0 });           \
  }                                                                            \
  API cublasStatus_t cublasHgemmStridedBatched##END(                           \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *a, INT lda, long long stride_a,           \
      const void *b, INT ldb, long long stride_b, const void *beta, void *c,   \
      INT ldc, long long stride_c, INT count)                                  \
  {                                                                            \
    return gemm_call(                                                          \
        begin_gemm(handle, "cublasHgemmStridedBatched", &halves),              \
        GEMM(CUDA_R_16F, CUDA_R_16F), alpha, beta, CUDA_R_16F, gemm_strided,   \
        (struct gemm_batch){ count, stride_a, stride_b, stride_c });           \
  }                                                                            \
  API cublasStatus_t cublasHgemmBatched##END(                                  \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *at_a, INT lda, const void *at_b, INT ldb, \
      const void *beta, const void *at_c, INT ldc, INT count)                  \
  {                                                                            \
    void *a = NULL, *b = NULL, *c = NULL;                                      \
    return gemm_call_pointers(                                                 \
        begin_gemm(handle, "cublasHgemmBatched", &halves),                     \
        GEMM(CUDA_R_16F, CUDA_R_16F), alpha, beta, CUDA_R_16F, gemm_plain,     \
        at_a, at_b, at_c, count);                                              \
  }

CALLS(int, )
CALLS(int64_t, _64)
