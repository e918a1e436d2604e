/* Products of matrices of complex numbers: two floats or two doubles each. */
#include "gemm.h"

/* LETTER C or Z with numbers of TYPE, sizes of type INT; END and END_BATCHED
 * are what the names of the calls end with. */
#define CALLS(LETTER, TYPE, INT, END, END_BATCHED)                             \
  API cublasStatus_t cublas##LETTER##gemm##END(                                \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *a, INT lda, const void *b, INT ldb,       \
      const void *beta, void *c, INT ldc)                                      \
  {                                                                            \
    return gemm_call(job_begin(handle, "cublas" #LETTER "gemm"),               \
                     GEMM(TYPE, TYPE), alpha, beta, TYPE, gemm_plain,          \
                     (struct gemm_batch){ 1, 0, 0, 0 });                       \
  }                                                                            \
  API cublasStatus_t cublas##LETTER##gemmStridedBatched##END_BATCHED(          \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *a, INT lda, long long stride_a,           \
      const void *b, INT ldb, long long stride_b, const void *beta, void *c,   \
      INT ldc, long long stride_c, INT count)                                  \
  {                                                                            \
    return gemm_call(                                                          \
        job_begin(handle, "cublas" #LETTER "gemmStridedBatched"),              \
        GEMM(TYPE, TYPE), alpha, beta, TYPE, gemm_strided,                     \
        (struct gemm_batch){ count, stride_a, stride_b, stride_c });           \
  }                                                                            \
  API cublasStatus_t cublas##LETTER##gemmBatched##END_BATCHED(                 \
      cublasHandle_t handle, int trans_a, int trans_b, INT m, INT n, INT k,    \
      const void *alpha, const void *at_a, INT lda, const void *at_b, INT ldb, \
      const void *beta, const void *at_c, INT ldc, INT count)                  \
  {                                                                            \
    void *a = NULL, *b = NULL, *c = NULL;                                      \
    return gemm_call_pointers(                                                 \
        job_begin(handle, "cublas" #LETTER "gemmBatched"), GEMM(TYPE, TYPE),   \
        alpha, beta, TYPE, gemm_plain, at_a, at_b, at_c, count);               \
  }

CALLS(C, CUDA_C_32F, int, _v2, )
CALLS(C, CUDA_C_32F, int64_t, _v2_64, _64)
CALLS(Z, CUDA_C_64F, int, _v2, )
CALLS(Z, CUDA_C_64F, int64_t, _v2_64, _64)
