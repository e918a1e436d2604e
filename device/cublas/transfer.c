/* Vectors and matrices between host and device: copies of rows. */
#include "handle.h"

/* Statuses as an H200 gives them. */
static cublasStatus_t status_of(cudaError_t error)
{
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                              : CUBLAS_STATUS_MAPPING_ERROR;
}

struct rows {
  int64_t n;                           /* how many, */
  int64_t width, from_pitch, to_pitch; /* of how many bytes, and how far */
  const void *from;
  void *to;
  enum cudaMemcpyKind kind;
};

static cublasStatus_t copy(const char *call, const struct rows *r,
                           const cudaStream_t *stream)
{
  if (r->n < 0 || r->width < 0)
    return CUBLAS_STATUS_MAPPING_ERROR;
  if (r->n == 0 || r->width == 0)
    return CUBLAS_STATUS_SUCCESS;
  struct call outer = call_begin((struct call){ call, true });
  cudaError_t error =
      stream == NULL
          ? core_memcpy_2d(r->to, (size_t)r->to_pitch, r->from,
                           (size_t)r->from_pitch, (size_t)r->width,
                           (size_t)r->n, r->kind)
          : core_memcpy_2d_async(r->to, (size_t)r->to_pitch, r->from,
                                 (size_t)r->from_pitch, (size_t)r->width,
                                 (size_t)r->n, r->kind, *stream);
  call_end(outer);
  return status_of(error);
}

static cublasStatus_t vector(const char *call, int64_t n, int64_t bytes,
                             const void *x, int64_t incx, void *y, int64_t incy,
                             enum cudaMemcpyKind kind,
                             const cudaStream_t *stream)
{
  struct rows rows = { n, bytes, incx * bytes, incy * bytes, x, y, kind };
  if (bytes <= 0 || incx <= 0 || incy <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  return copy(call, &rows, stream);
}

/* A column is a row of the copy. */
static cublasStatus_t matrix(const char *call, int64_t rows, int64_t columns,
                             int64_t bytes, const void *a, int64_t lda, void *b,
                             int64_t ldb, enum cudaMemcpyKind kind,
                             const cudaStream_t *stream)
{
  struct rows r = {
    columns, rows * bytes, lda * bytes, ldb * bytes, a, b, kind
  };
  if (bytes <= 0 || lda <= 0 || ldb <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (lda < rows || ldb < rows)
    return CUBLAS_STATUS_MAPPING_ERROR;
  return copy(call, &r, stream);
}

#define VECTOR_CALLS(name, kind, end, INT)                                     \
  API cublasStatus_t name##end(INT n, INT bytes, const void *x, INT incx,      \
                               void *y, INT incy)                              \
  {                                                                            \
    return vector(#name, n, bytes, x, incx, y, incy, kind, NULL);              \
  }                                                                            \
  API cublasStatus_t name##Async##end(INT n, INT bytes, const void *x,         \
                                      INT incx, void *y, INT incy,             \
                                      cudaStream_t stream)                     \
  {                                                                            \
    return vector(#name "Async", n, bytes, x, incx, y, incy, kind, &stream);   \
  }

#define MATRIX_CALLS(name, kind, end, INT)                                     \
  API cublasStatus_t name##end(INT rows, INT columns, INT bytes,               \
                               const void *a, INT lda, void *b, INT ldb)       \
  {                                                                            \
    return matrix(#name, rows, columns, bytes, a, lda, b, ldb, kind, NULL);    \
  }                                                                            \
  API cublasStatus_t name##Async##end(INT rows, INT columns, INT bytes,        \
                                      const void *a, INT lda, void *b,         \
                                      INT ldb, cudaStream_t stream)            \
  {                                                                            \
    return matrix(#name "Async", rows, columns, bytes, a, lda, b, ldb, kind,   \
                  &stream);                                                    \
  }

VECTOR_CALLS(cublasSetVector, cudaMemcpyHostToDevice, , int)
VECTOR_CALLS(cublasSetVector, cudaMemcpyHostToDevice, _64, int64_t)
VECTOR_CALLS(cublasGetVector, cudaMemcpyDeviceToHost, , int)
VECTOR_CALLS(cublasGetVector, cudaMemcpyDeviceToHost, _64, int64_t)
MATRIX_CALLS(cublasSetMatrix, cudaMemcpyHostToDevice, , int)
MATRIX_CALLS(cublasSetMatrix, cudaMemcpyHostToDevice, _64, int64_t)
MATRIX_CALLS(cublasGetMatrix, cudaMemcpyDeviceToHost, , int)
MATRIX_CALLS(cublasGetMatrix, cudaMemcpyDeviceToHost, _64, int64_t)
