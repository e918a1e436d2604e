/* Level 1 with types that the caller names: DotEx and its family. Narrow
 * numbers are widened; a result is rounded once, or for half and bfloat16 by
 * way of float. */
#include "job.h"
#include "sums.h"

/* The types of a call. A result or alpha that it has not is -1. */
struct types {
  int scalar, x, y, result, compute;
};

static int real_of(int type)
{
  return type == CUDA_C_32F   ? CUDA_R_32F
         : type == CUDA_C_64F ? CUDA_R_64F
                              : type;
}

/* What a call gives: numbers of the vectors' type, or one real number. */
enum gives { GIVES_NUMBERS, GIVES_NORM, GIVES_SIZES };

/* What cuBLAS's manual lists: one type for all, and computing in it, or in
 * float where it is narrower. A norm and its computing are real. The manual is
 * silent about AsumEx: an H200 takes a float for the sum of halves, and
 * computes complex sums in complex. */
static bool is_served(const struct types *t, enum gives gives)
{
  bool narrow = number_bytes(t->x) == 2;
  int compute = narrow ? CUDA_R_32F : t->x;
  int result = gives == GIVES_NUMBERS ? t->x : real_of(t->x);

  if (gives == GIVES_NORM)
    compute = real_of(compute);
  if (gives == GIVES_SIZES && narrow)
    result = CUDA_R_32F;
  return number_bytes(t->x) > 1 && t->x != CUDA_R_32I &&
         (t->y < 0 || t->y == t->x) &&
         (t->scalar < 0 || t->scalar == compute) &&
         (t->result < 0 || t->result == result) && t->compute == compute;
}

static struct job begin_level1(cublasHandle_t handle, const char *call,
                               struct types types, enum gives gives)
{
  struct job job = job_begin(handle, call);
  if (job.status == CUBLAS_STATUS_SUCCESS && !is_served(&types, gives)) {
    explain(call,
            "types of alpha %d, x %d, y %d and the result %d, computed in "
            "%d (-1: none): the software device takes one type for all, "
            "computed in it, or in float for half and bfloat16",
            types.scalar, types.x, types.y, types.result, types.compute);
    job.status = CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return job;
}

static void give(struct job *job, void *result, int type, const double *number)
{
  double bytes[2];
  numbers_narrow(bytes, type, 1, number, 1);
  job_result(job, "result", result, bytes, number_bytes(type));
}

static cublasStatus_t dot(struct job job, int64_t n, const void *x,
                          struct types types, int64_t incx, const void *y,
                          int64_t incy, void *result, bool conjugate)
{
  size_t bytes = number_bytes(types.x);
  double sum[2] = { 0, 0 };
  const void *one = job_vector(&job, "x", x, n, incx, bytes);
  const void *other = job_vector(&job, "y", y, n, incy, bytes);
  job_reads_vector(&job, one, types.x, n, incx);
  job_reads_vector(&job, other, types.x, n, incy);
  if (job_runs(&job) && n > 0)
    sums_dot(sums_vector(one, types.x, n, incx),
             sums_vector(other, types.x, n, incy), n, conjugate, sum);
  if (job_runs(&job))
    give(&job, result, types.result, sum);
  return job.status;
}

typedef double sum_function(struct vector x, int64_t n);

static cublasStatus_t sum(struct job job, int64_t n, const void *x,
                          struct types types, int64_t incx, void *result,
                          sum_function *sum_of)
{
  int64_t count = incx > 0 ? n : 0;
  double number[2] = { 0, 0 };
  const void *from =
      job_vector(&job, "x", x, count, incx, number_bytes(types.x));
  job_reads_vector(&job, from, types.x, count, incx);
  if (job_runs(&job) && count > 0)
    number[0] = sum_of(sums_vector(from, types.x, n, incx), n);
  if (job_runs(&job))
    give(&job, result, types.result, number);
  return job.status;
}

/* to = alpha from + to, or alpha from alone. */
static void scale_and_add(const double alpha[2], struct vector from,
                          struct vector to, int64_t n, bool adds)
{
  size_t bytes = number_bytes(to.type);
  bool is_complex = number_parts(to.type) == 2;
  for (int64_t i = 0; i < n; i++) {
    const void *at = (const char *)from.at + i * from.step * (int64_t)bytes;
    void *place = (char *)(uintptr_t)to.at + i * to.step * (int64_t)bytes;
    double x[2] = { 0, 0 }, y[2] = { 0, 0 }, sum[2];
    numbers_widen(x, to.type, at, 1, 1);
    numbers_widen(y, to.type, place, 1, 1);
    sum[0] = alpha[0] * x[0] + (adds ? y[0] : 0);
    sum[1] = 0;
    if (is_complex) {
      sum[0] = alpha[0] * x[0] - alpha[1] * x[1] + (adds ? y[0] : 0);
      sum[1] = alpha[0] * x[1] + alpha[1] * x[0] + (adds ? y[1] : 0);
    }
    numbers_narrow(place, to.type, 1, sum, 1);
  }
}

static cublasStatus_t axpy(struct job job, int64_t n, const void *alpha,
                           struct types types, const void *x, int64_t incx,
                           void *y, int64_t incy)
{
  size_t bytes = number_bytes(types.x);
  double by[2];
  job_typed(&job, "alpha", alpha, types.scalar, by);
  const void *from = job_vector(&job, "x", x, n, incx, bytes);
  void *to = job_vector(&job, "y", y, n, incy, bytes);
  if (by[0] != 0 || by[1] != 0) {
    job_reads_vector(&job, from, types.x, n, incx);
    job_reads_vector(&job, to, types.x, n, incy);
  }
  if (job_runs(&job) && n > 0)
    scale_and_add(by, sums_vector(from, types.x, n, incx),
                  sums_vector(to, types.x, n, incy), n, true);
  return job.status;
}

static cublasStatus_t scal(struct job job, int64_t n, const void *alpha,
                           struct types types, void *x, int64_t incx)
{
  int64_t count = incx > 0 ? n : 0;
  double by[2];
  job_typed(&job, "alpha", alpha, types.scalar, by);
  void *to = job_vector(&job, "x", x, count, incx, number_bytes(types.x));
  if (by[0] != 0 || by[1] != 0)
    job_reads_vector(&job, to, types.x, count, incx);
  if (job_runs(&job) && count > 0)
    scale_and_add(by, sums_vector(to, types.x, n, incx),
                  sums_vector(to, types.x, n, incx), n, false);
  return job.status;
}

#define DOT(name, INT, END, conjugate)                                         \
  API cublasStatus_t cublas##name##END(                                        \
      cublasHandle_t handle, INT n, const void *x, int type_x, INT incx,       \
      const void *y, int type_y, INT incy, void *result, int type_result,      \
      int compute)                                                             \
  {                                                                            \
    struct types types = { -1, type_x, type_y, type_result, compute };         \
    return dot(begin_level1(handle, "cublas" #name, types, GIVES_NUMBERS), n,  \
               x, types, incx, y, incy, result, conjugate);                    \
  }

#define SUM(name, INT, END, sum_of, gives)                                     \
  API cublasStatus_t cublas##name##END(                                        \
      cublasHandle_t handle, INT n, const void *x, int type_x, INT incx,       \
      void *result, int type_result, int compute)                              \
  {                                                                            \
    struct types types = { -1, type_x, -1, type_result, compute };             \
    return sum(begin_level1(handle, "cublas" #name, types, gives), n, x,       \
               types, incx, result, sum_of);                                   \
  }

/* With sizes of type INT; END is what the call's name ends with. */
#define CALLS(INT, END)                                                        \
  DOT(DotEx, INT, END, false)                                                  \
  DOT(DotcEx, INT, END, true)                                                  \
  SUM(Nrm2Ex, INT, END, sums_norm, GIVES_NORM)                                 \
  SUM(AsumEx, INT, END, sums_of_sizes, GIVES_SIZES)                            \
  API cublasStatus_t cublasAxpyEx##END(                                        \
      cublasHandle_t handle, INT n, const void *alpha, int type_alpha,         \
      const void *x, int type_x, INT incx, void *y, int type_y, INT incy,      \
      int compute)                                                             \
  {                                                                            \
    struct types types = { type_alpha, type_x, type_y, -1, compute };          \
    return axpy(begin_level1(handle, "cublasAxpyEx", types, GIVES_NUMBERS), n, \
                alpha, types, x, incx, y, incy);                               \
  }                                                                            \
  API cublasStatus_t cublasScalEx##END(                                        \
      cublasHandle_t handle, INT n, const void *alpha, int type_alpha,         \
      void *x, int type_x, INT incx, int compute)                              \
  {                                                                            \
    struct types types = { type_alpha, type_x, -1, -1, compute };              \
    return scal(begin_level1(handle, "cublasScalEx", types, GIVES_NUMBERS), n, \
                alpha, types, x, incx);                                        \
  }

CALLS(int, )
CALLS(int64_t, _64)
