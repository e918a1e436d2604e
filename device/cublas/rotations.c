/* Rotations of two vectors, plain and modified, of every type: rotg, rotm,
 * rotmg, and RotEx with its relatives. They are computed in double and rounded
 * once; rotg's c and s come of the rounded length. */
#include <complex.h>
#include <math.h>

#include "job.h"
#include "sums.h"

typedef double complex number;

static number take_number(struct job *job, const char *name, const void *at,
                          int type)
{
  double part[2];
  job_typed(job, name, at, type, part);
  return part[0] + part[1] * I;
}

static void give_number(struct job *job, const char *name, void *at, int type,
                        number value)
{
  double part[2] = { creal(value), cimag(value) }, bytes[2];
  numbers_narrow(bytes, type, 1, part, 1);
  job_result(job, name, at, bytes, number_bytes(type));
}

/* As it is once it has been stored. */
static double rounded(double value, int type)
{
  double part[2] = { value, 0 }, bytes[2];
  numbers_narrow(bytes, type, 1, part, 1);
  numbers_widen(part, type, bytes, 1, 1);
  return part[0];
}

static int real_of(int type)
{
  return type == CUDA_C_32F   ? CUDA_R_32F
         : type == CUDA_C_64F ? CUDA_R_64F
                              : type;
}

/* ---- rotg ------------------------------------------------------------------ */

struct rotation {
  number r, z, s; /* z: what becomes of b */
  double c;
};

/* Special numbers and signs as on an H100: of an infinity nothing but the length
 * is a number. */
static struct rotation rotate_reals(double a, double b, int type)
{
  struct rotation g = { .r = a, .z = b, .c = 1 };
  double length = rounded(hypot(a, b), type), s, z;
  if (a == 0 && b == 0)
    return g;
  if (isinf(a) || isinf(b)) {
    g.r = length;
    g.c = NAN;
    g.s = g.z = NAN;
    return g;
  }
  length = copysign(length, fabs(a) > fabs(b) ? a : b);
  g.c = rounded(a / length, type);
  s = rounded(b / length, type);
  z = fabs(a) > fabs(b) ? s : g.c != 0 ? 1 / g.c : 1;
  g.r = length;
  g.s = s;
  g.z = isnan(length) ? NAN : z;
  return g;
}

/* b stays as it is. */
static struct rotation rotate_complexes(number a, number b)
{
  double size = hypot(creal(a), cimag(a));
  double length = hypot(size, hypot(creal(b), cimag(b)));
  number direction = size > 0 ? a / size : 1;
  if (size == 0)
    return (struct rotation){ .r = b, .z = b, .s = 1, .c = 0 };
  return (struct rotation){ .r = direction * length,
                            .z = b,
                            .s = direction * conj(b) / length,
                            .c = size / length };
}

static cublasStatus_t rotg(struct job job, void *a, void *b, int type, void *c,
                           int c_type, void *s, int s_type)
{
  number one = take_number(&job, "a", a, type);
  number other = take_number(&job, "b", b, type);
  struct rotation g = number_parts(type) == 2
                          ? rotate_complexes(one, other)
                          : rotate_reals(creal(one), creal(other), type);
  give_number(&job, "c", c, c_type, g.c);
  give_number(&job, "s", s, s_type, g.s);
  give_number(&job, "a", a, type, g.r);
  give_number(&job, "b", b, type, g.z);
  return job.status;
}

/* ---- rotating -------------------------------------------------------------- */

/* (x, y) = (m[0] x + m[1] y, m[2] x + m[3] y) */
static cublasStatus_t rotate(struct job job, int64_t n, void *x, int type,
                             int64_t incx, void *y, int64_t incy,
                             const number m[4])
{
  size_t bytes = number_bytes(type);
  void *one = job_vector(&job, "x", x, n, incx, bytes);
  void *other = job_vector(&job, "y", y, n, incy, bytes);
  struct vector first = sums_vector(one, type, n, incx);
  struct vector second = sums_vector(other, type, n, incy);
  for (int64_t i = 0; i < n && job_runs(&job); i++) {
    char *at_x = (char *)(uintptr_t)first.at + i * incx * (int64_t)bytes;
    char *at_y = (char *)(uintptr_t)second.at + i * incy * (int64_t)bytes;
    double a[2] = { 0, 0 }, b[2] = { 0, 0 };
    numbers_widen(a, type, at_x, 1, 1);
    numbers_widen(b, type, at_y, 1, 1);
    number p = a[0] + a[1] * I, q = b[0] + b[1] * I;
    number u = m[0] * p + m[1] * q, v = m[2] * p + m[3] * q;
    double of_x[2] = { creal(u), cimag(u) }, of_y[2] = { creal(v), cimag(v) };
    numbers_narrow(at_x, type, 1, of_x, 1);
    numbers_narrow(at_y, type, 1, of_y, 1);
  }
  return job.status;
}

static cublasStatus_t rot(struct job job, int64_t n, void *x, int type,
                          int64_t incx, void *y, int64_t incy, const void *c,
                          int c_type, const void *s, int s_type)
{
  number cosine = creal(take_number(&job, "c", c, c_type));
  number sine = take_number(&job, "s", s, s_type);
  const number m[4] = { cosine, sine, -conj(sine), cosine };
  return rotate(job, n, x, type, incx, y, incy, m);
}

/* param[0] says which of the four numbers after it count. */
static cublasStatus_t rotm(struct job job, int64_t n, void *x, int type,
                           int64_t incx, void *y, int64_t incy,
                           const void *param, int param_type)
{
  double flag[2], h[4][2];
  const char *at = param;
  job_typed(&job, "param", param, param_type, flag);
  for (int i = 0; i < 4; i++)
    job_typed(&job, "param", at + (i + 1) * (int64_t)number_bytes(param_type),
              param_type, h[i]);
  /* An H100 leaves vectors alone for any other flag, too. */
  if (flag[0] != -1 && flag[0] != 0 && flag[0] != 1)
    return job.status;
  const number all[4] = { h[0][0], h[2][0], h[1][0], h[3][0] };
  const number ones_inside[4] = { 1, h[2][0], h[1][0], 1 };
  const number ones_across[4] = { h[0][0], 1, -1, h[3][0] };
  return rotate(job, n, x, type, incx, y, incy,
                flag[0] < 0    ? all
                : flag[0] == 0 ? ones_inside
                               : ones_across);
}

/* ---- rotmg ----------------------------------------------------------------- */

/* Numbers stay between the inverse of its square and its square. */
#define GAMMA 4096.0

struct modified {
  double d1, d2, x1, flag, h11, h21, h12, h22;
};

static void clear_all(struct modified *m)
{
  *m = (struct modified){ .flag = -1 };
}

/* All four numbers count from now on. */
static void write_out(struct modified *m)
{
  if (m->flag == 0)
    m->h11 = m->h22 = 1;
  if (m->flag == 1) {
    m->h21 = -1;
    m->h12 = 1;
  }
  m->flag = -1;
}

static void rescale(struct modified *m)
{
  const double most = GAMMA * GAMMA, least = 1 / most;
  while (m->d1 != 0 && isfinite(m->d1) && (m->d1 <= least || m->d1 >= most)) {
    double by = m->d1 <= least ? GAMMA : 1 / GAMMA;
    write_out(m);
    m->d1 *= by * by;
    m->x1 /= by;
    m->h11 /= by;
    m->h12 /= by;
  }
  while (m->d2 != 0 && isfinite(m->d2) &&
         (fabs(m->d2) <= least || fabs(m->d2) >= most)) {
    double by = fabs(m->d2) <= least ? GAMMA : 1 / GAMMA;
    write_out(m);
    m->d2 *= by * by;
    m->h21 /= by;
    m->h22 /= by;
  }
}

/* As BLAS defines it. */
static void make_modified(struct modified *m, double y1)
{
  double p1 = m->d1 * m->x1, p2 = m->d2 * y1, q1 = p1 * m->x1, q2 = p2 * y1, u;
  if (m->d1 < 0) {
    clear_all(m);
    return;
  }
  if (p2 == 0) {
    m->flag = -2;
    return;
  }
  if (fabs(q1) > fabs(q2)) {
    m->h21 = -y1 / m->x1;
    m->h12 = p2 / p1;
    u = 1 - m->h12 * m->h21;
    if (u <= 0) {
      clear_all(m);
      return;
    }
    m->flag = 0;
    m->d1 /= u;
    m->d2 /= u;
    m->x1 *= u;
  } else if (q2 < 0) {
    clear_all(m);
    return;
  } else {
    double d2 = m->d2;
    m->flag = 1;
    m->h11 = p1 / p2;
    m->h22 = m->x1 / y1;
    u = 1 + m->h11 * m->h22;
    m->d2 = m->d1 / u;
    m->d1 = d2 / u;
    m->x1 = y1 * u;
  }
  rescale(m);
}

static cublasStatus_t rotmg(struct job job, void *d1, void *d2, void *x1,
                            const void *y1, int type, void *param,
                            int param_type)
{
  struct modified m = { .d1 = creal(take_number(&job, "d1", d1, type)),
                        .d2 = creal(take_number(&job, "d2", d2, type)),
                        .x1 = creal(take_number(&job, "x1", x1, type)) };
  double y = creal(take_number(&job, "y1", y1, type));
  make_modified(&m, y);
  const double h[5] = { m.flag, m.h11, m.h21, m.h12, m.h22 };
  bool counts[5] = { true, m.flag != 0, m.flag != 1, m.flag != 1, m.flag != 0 };
  give_number(&job, "d1", d1, type, m.d1);
  give_number(&job, "d2", d2, type, m.d2);
  give_number(&job, "x1", x1, type, m.x1);
  for (int i = 0; i < 5; i++)
    if (i == 0 || (counts[i] && m.flag != -2))
      give_number(&job, "param",
                  (char *)param + i * (int64_t)number_bytes(param_type),
                  param_type, h[i]);
  return job.status;
}

/* ---- calls ----------------------------------------------------------------- */

#define GENERATE(LETTER, TYPE)                                                 \
  API cublasStatus_t cublas##LETTER##rotg_v2(cublasHandle_t handle, void *a,   \
                                             void *b, void *c, void *s)        \
  {                                                                            \
    return rotg(job_begin(handle, "cublas" #LETTER "rotg"), a, b, TYPE, c,     \
                real_of(TYPE), s, TYPE);                                       \
  }

#define MODIFIED(LETTER, TYPE, INT, END)                                       \
  API cublasStatus_t cublas##LETTER##rotm_v2##END(                             \
      cublasHandle_t handle, INT n, void *x, INT incx, void *y, INT incy,      \
      const void *param)                                                       \
  {                                                                            \
    return rotm(job_begin(handle, "cublas" #LETTER "rotm"), n, x, TYPE, incx,  \
                y, incy, param, TYPE);                                         \
  }

#define GENERATE_MODIFIED(LETTER, TYPE)                                        \
  API cublasStatus_t cublas##LETTER##rotmg_v2(cublasHandle_t handle, void *d1, \
                                              void *d2, void *x1,              \
                                              const void *y1, void *param)     \
  {                                                                            \
    return rotmg(job_begin(handle, "cublas" #LETTER "rotmg"), d1, d2, x1, y1,  \
                 TYPE, param, TYPE);                                           \
  }

GENERATE(S, CUDA_R_32F)
GENERATE(D, CUDA_R_64F)
GENERATE(C, CUDA_C_32F)
GENERATE(Z, CUDA_C_64F)
MODIFIED(S, CUDA_R_32F, int, )
MODIFIED(S, CUDA_R_32F, int64_t, _64)
MODIFIED(D, CUDA_R_64F, int, )
MODIFIED(D, CUDA_R_64F, int64_t, _64)
GENERATE_MODIFIED(S, CUDA_R_32F)
GENERATE_MODIFIED(D, CUDA_R_64F)

/* ---- types that the caller names ------------------------------------------- */

/* What an H100 takes: vectors and factors of one type, computed in it or, where
 * it is narrower, in float; the factors of complex vectors may be real. */
static bool is_served(int type, int factors, int compute, bool has_complex)
{
  bool is_narrow = type == CUDA_R_16F || type == CUDA_R_16BF;
  bool is_plain = type == CUDA_R_32F || type == CUDA_R_64F;
  bool is_complex = type == CUDA_C_32F || type == CUDA_C_64F;
  if (!is_narrow && !is_plain && !(is_complex && has_complex))
    return false;
  return (factors == type || (is_complex && factors == real_of(type))) &&
         compute == (is_narrow ? CUDA_R_32F : type);
}

static struct job begin_typed(cublasHandle_t handle, const char *call, int type,
                              int other, int factors, int compute,
                              bool has_complex)
{
  struct job job = job_begin(handle, call);
  if (job.status == CUBLAS_STATUS_SUCCESS &&
      (other != type || !is_served(type, factors, compute, has_complex))) {
    explain(call,
            "types %d and %d with factors of type %d, computed in %d: the "
            "software device takes one type for all, computed in it, or in "
            "float for half and bfloat16",
            type, other, factors, compute);
    job.status = CUBLAS_STATUS_NOT_SUPPORTED;
  }
  return job;
}

#define TYPED(INT, END)                                                        \
  API cublasStatus_t cublasRotEx##END(cublasHandle_t handle, INT n, void *x,   \
                                      int type, INT incx, void *y, int y_type, \
                                      INT incy, const void *c, const void *s,  \
                                      int factors, int compute)                \
  {                                                                            \
    return rot(begin_typed(handle, "cublasRotEx", type, y_type, factors,       \
                           compute, true),                                     \
               n, x, type, incx, y, incy, c, factors, s, factors);             \
  }                                                                            \
  API cublasStatus_t cublasRotmEx##END(                                        \
      cublasHandle_t handle, INT n, void *x, int type, INT incx, void *y,      \
      int y_type, INT incy, const void *param, int factors, int compute)       \
  {                                                                            \
    return rotm(begin_typed(handle, "cublasRotmEx", type, y_type, factors,     \
                            compute, false),                                   \
                n, x, type, incx, y, incy, param, factors);                    \
  }

TYPED(int, )
TYPED(int64_t, _64)

API cublasStatus_t cublasRotgEx(cublasHandle_t handle, void *a, void *b,
                                int type, void *c, void *s, int factors,
                                int compute)
{
  return rotg(
      begin_typed(handle, "cublasRotgEx", type, type, factors, compute, false),
      a, b, type, c, factors, s, factors);
}

API cublasStatus_t cublasRotmgEx(cublasHandle_t handle, void *d1, int type,
                                 void *d2, int d2_type, void *x1, int x1_type,
                                 const void *y1, int y1_type, void *param,
                                 int factors, int compute)
{
  int other = d2_type != type ? d2_type : x1_type != type ? x1_type : y1_type;
  return rotmg(begin_typed(handle, "cublasRotmgEx", type, other, factors,
                           compute, false),
               d1, d2, x1, y1, type, param, factors);
}
