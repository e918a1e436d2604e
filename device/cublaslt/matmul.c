/* cublasLtMatmul: D = epilogue(alpha op(A) op(B) + beta C).
 *
 * Sums are exact and rounded to double (../cublas/product.h), what follows is
 * computed in double, and the result is rounded once to D's type; into types
 * of less than 32 bits by way of float. */
#include <math.h>
#include <stdlib.h>

#include "../cublas/job.h"
#include "../support/host_memory.h"
#include "handle.h"
#include "heuristic.h"
#include "plan.h"

/* Columns of D that are computed at a time. */
enum { COLUMNS = 256 };

/* A number, or one for each row. */
struct factor {
  double number[2];
  const void *vector; /* of device memory; NULL: none */
};

/* One product of a batch: everything where it can be read and written. */
struct work {
  const struct plan *plan;
  const void *a, *b, *c;
  void *d;
  struct factor alpha, beta;
  double ab_scale, d_scale, most;
  void *bias, *aux;
  double *sums, *c_column, *x; /* m x COLUMNS, then m each */
  double *gradient;            /* of the bias: m */
  bool keeps;                  /* C is read */
};

static int64_t row_step(const struct lt_layout *l)
{
  return l->order == CUBLASLT_ORDER_ROW ? l->leading : 1;
}

static int64_t column_step(const struct lt_layout *l)
{
  return l->order == CUBLASLT_ORDER_ROW ? 1 : l->leading;
}

static const char *place(const void *at, const struct lt_layout *l, int64_t i,
                         int64_t j)
{
  return (const char *)at + (i * row_step(l) + j * column_step(l)) *
                                (int64_t)number_bytes(l->type);
}

static struct operand operand_of(const void *at, const struct lt_layout *l,
                                 int operation)
{
  struct operand o = product_operand(at, l->type, operation, l->leading);
  o.row = operation == CUBLAS_OP_N ? row_step(l) : column_step(l);
  o.column = operation == CUBLAS_OP_N ? column_step(l) : row_step(l);
  return o;
}

/* ---- what follows a product ---------------------------------------------- */

/* GELU in its usual form, by a hyperbolic tangent. */
#define GELU_SCALE 0.79788456080286535588 /* the root of 2 / pi */
#define GELU_CUBE 0.044715

static double gelu(double x)
{
  return 0.5 * x * (1 + tanh(GELU_SCALE * (x + GELU_CUBE * x * x * x)));
}

static double gelu_slope(double x)
{
  double t = tanh(GELU_SCALE * (x + GELU_CUBE * x * x * x));
  return 0.5 * (1 + t) +
         0.5 * x * (1 - t * t) * GELU_SCALE * (1 + 3 * GELU_CUBE * x * x);
}

static double factor_at(const struct factor *f, int type, int64_t row)
{
  double value[2] = { f->number[0], 0 };
  if (f->vector != NULL)
    numbers_widen(value, type,
                  (const char *)f->vector + row * (int64_t)number_bytes(type),
                  1, 1);
  return value[0];
}

static double one_number(const void *at, int type, int64_t i)
{
  double value[2];
  numbers_widen(value, type, (const char *)at + i * (int64_t)number_bytes(type),
                1, 1);
  return value[0];
}

/* Bit `i` of a matrix of bits. */
static bool take_bit(const void *bits, int64_t i)
{
  return ((const uint8_t *)bits)[i / 8] >> i % 8 & 1;
}

static void put_bit(void *bits, int64_t i, bool value)
{
  uint8_t *byte = (uint8_t *)bits + i / 8;
  *byte = (uint8_t)((*byte & ~(1u << i % 8)) | (unsigned)value << i % 8);
}

/* One number of column `j`. */
static double follow(struct work *w, int64_t i, int64_t j, double x)
{
  const struct plan *p = w->plan;
  int64_t at = j * p->what->aux_leading + i;
  if (p->has & LT_BIAS)
    x += one_number(w->bias, p->bias_type, i);
  if (p->has & LT_RELU && p->has & LT_AUXILIARY)
    put_bit(w->aux, at, !(x < 0)); /* also for 0 and NaN, as an H100 */
  if (p->has & LT_GELU && p->has & LT_AUXILIARY)
    numbers_narrow((char *)w->aux + at * (int64_t)number_bytes(p->aux_type),
                   p->aux_type, 1, &x, 1);
  if (p->has & LT_RELU)
    x = x > 0 || isnan(x) ? x : 0; /* a NaN passes, as on an H100 */
  if (p->has & LT_GELU)
    x = gelu(x);
  if (p->has & LT_DRELU)
    x = take_bit(w->aux, at) ? x : 0;
  if (p->has & LT_DGELU)
    x *= gelu_slope(one_number(w->aux, p->aux_type, at));
  return x;
}

static void finish_reals(struct work *w, int64_t j, const double *sums)
{
  const struct plan *p = w->plan;
  int scale = p->what->scale;
  for (int64_t i = 0; i < p->m; i++) {
    double x = factor_at(&w->alpha, scale, i) * w->ab_scale * sums[i];
    double beta = factor_at(&w->beta, scale, i);
    if (beta != 0)
      x += beta * w->c_column[i];
    x = follow(w, i, j, x);
    if (p->has & LT_BIAS_GRADIENT)
      w->gradient[i] += x;
    w->most = fabs(x) > w->most ? fabs(x) : w->most;
    w->x[i] = x * w->d_scale;
  }
}

/* Sums of int wrap. */
static void finish_wholes(struct work *w, const double *sums)
{
  for (int64_t i = 0; i < w->plan->m; i++) {
    uint64_t alpha = (uint64_t)(int64_t)factor_at(&w->alpha, CUDA_R_32I, i);
    uint64_t beta = (uint64_t)(int64_t)factor_at(&w->beta, CUDA_R_32I, i);
    uint64_t x = alpha * (uint64_t)(int64_t)sums[i];
    if (beta != 0)
      x += beta * (uint64_t)(int64_t)w->c_column[i];
    w->x[i] = (int32_t)(uint32_t)x;
  }
}

static void finish_complexes(struct work *w, const double *sums)
{
  const double *alpha = w->alpha.number, *beta = w->beta.number;
  for (int64_t i = 0; i < w->plan->m; i++) {
    const double *s = sums + 2 * i, *c = w->c_column + 2 * i;
    double *x = w->x + 2 * i;
    x[0] = alpha[0] * s[0] - alpha[1] * s[1];
    x[1] = alpha[0] * s[1] + alpha[1] * s[0];
    if (!w->keeps)
      continue;
    x[0] += beta[0] * c[0] - beta[1] * c[1];
    x[1] += beta[0] * c[1] + beta[1] * c[0];
  }
}

static void finish_column(struct work *w, int64_t j, const double *sums)
{
  const struct plan *p = w->plan;
  if (w->keeps)
    numbers_widen(w->c_column, p->c->type, place(w->c, p->c, 0, j),
                  row_step(p->c), p->m);
  if (number_parts(p->d->type) == 2)
    finish_complexes(w, sums);
  else if (p->d->type == CUDA_R_32I)
    finish_wholes(w, sums);
  else
    finish_reals(w, j, sums);
  numbers_narrow((char *)(uintptr_t)place(w->d, p->d, 0, j), p->d->type,
                 row_step(p->d), w->x, p->m);
}

/* The bias's gradient of an operand: the sums along k, of A's rows or of B's
 * columns. */
static void sum_operand(struct work *w, bool of_a)
{
  const struct plan *p = w->plan;
  int64_t n = of_a ? p->m : p->n;
  struct operand o = of_a ? operand_of(w->a, p->a, p->what->trans_a)
                          : operand_of(w->b, p->b, p->what->trans_b);
  int64_t along = of_a ? o.column : o.row, across = of_a ? o.row : o.column;
  for (int64_t i = 0; i < n; i++) {
    struct vector line = { (const char *)o.at +
                               i * across * (int64_t)number_bytes(o.type),
                           o.type, along };
    double sum = 0, lost = 0;
    for (int64_t l = 0; l < p->k; l++)
      sums_add(&sum, &lost, one_number(line.at, line.type, l * line.step));
    sum = sums_total(sum, lost);
    numbers_narrow((char *)w->bias + i * (int64_t)number_bytes(p->bias_type),
                   p->bias_type, 1, &sum, 1);
  }
}

static bool multiply(struct work *w)
{
  const struct plan *p = w->plan;
  unsigned parts = number_parts(p->d->type);
  bool is_zero = w->alpha.vector == NULL && w->alpha.number[0] == 0 &&
                 w->alpha.number[1] == 0;
  for (int64_t j = 0; j < p->n; j += COLUMNS) {
    int64_t n = p->n - j < COLUMNS ? p->n - j : COLUMNS;
    struct operand b = operand_of(w->b, p->b, p->what->trans_b);
    b.at = (const char *)b.at + j * b.column * (int64_t)number_bytes(b.type);
    struct product product = {
      .m = p->m,
      .n = n,
      .k = is_zero ? 0 : p->k,
      .a = operand_of(w->a, p->a, p->what->trans_a),
      .b = b,
      .c = w->sums,
      .c_type = parts == 2 ? CUDA_C_64F : CUDA_R_64F,
      .c_row = 1,
      .c_column = p->m,
      .alpha = { 1, 0 },
    };
    if (!product_run(&product))
      return false;
    for (int64_t i = 0; i < n; i++)
      finish_column(w, j + i, w->sums + i * p->m * parts);
  }
  for (int64_t i = 0; i < p->m && p->has & LT_BIAS_GRADIENT; i++)
    numbers_narrow((char *)w->bias + i * (int64_t)number_bytes(p->bias_type),
                   p->bias_type, 1, &w->gradient[i], 1);
  if (p->has & (LT_BIAS_GRADIENT_A | LT_BIAS_GRADIENT_B))
    sum_operand(w, p->has & LT_BIAS_GRADIENT_A);
  return true;
}

/* ---- looking up ------------------------------------------------------------ */

static void *find_matrix(struct job *job, const char *name, const void *at,
                         const struct lt_layout *l, int64_t number)
{
  bool by_row = l->order == CUBLASLT_ORDER_ROW;
  size_t bytes = number_bytes(l->type);
  if (at == NULL)
    return job_bytes(job, name, NULL, 1);
  return job_matrix(
      job, name, (const char *)at + number * l->stride * (int64_t)bytes,
      (int64_t)(by_row ? l->columns : l->rows),
      (int64_t)(by_row ? l->rows : l->columns), l->leading, bytes);
}

static void find_factor(struct job *job, const char *name, const void *at,
                        int type, bool on_device, struct factor *f)
{
  job->scalars_on_device = on_device;
  job_typed(job, name, at, type, f->number);
}

static void find_factors(struct job *job, const struct plan *p,
                         const void *alpha, const void *beta, int64_t number,
                         struct work *w)
{
  int mode = p->what->pointer_mode, type = p->what->scale;
  int64_t bytes = (int64_t)number_bytes(type);
  bool vectors = mode >= CUBLASLT_POINTER_MODE_DEVICE_VECTOR;
  if (vectors)
    w->alpha.vector =
        job_bytes(job, "alpha",
                  alpha == NULL ? NULL
                                : (const char *)alpha +
                                      number * p->what->alpha_stride * bytes,
                  (size_t)(p->m * bytes));
  else
    find_factor(job, "alpha", alpha, type, mode == CUBLASLT_POINTER_MODE_DEVICE,
                &w->alpha);
  if (mode == CUBLASLT_POINTER_MODE_DEVICE_VECTOR)
    w->beta.vector = job_bytes(job, "beta", beta, (size_t)(p->m * bytes));
  else if (mode != CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO)
    find_factor(job, "beta", beta, type, mode == CUBLASLT_POINTER_MODE_DEVICE,
                &w->beta);
  w->keeps = w->beta.vector != NULL || w->beta.number[0] != 0 ||
             w->beta.number[1] != 0;
}

/* A float in device memory; 1 without one. */
static double find_scale(struct job *job, const char *name, const void *at)
{
  double number[2] = { 1, 0 };
  job->scalars_on_device = true;
  if (at != NULL)
    job_typed(job, name, at, CUDA_R_32F, number);
  return number[0];
}

static void check_auxiliary(struct job *job, const struct plan *p)
{
  const struct lt_product *w = p->what;
  int64_t unit = p->has & (LT_RELU | LT_DRELU) ? 128 : 8;
  if (!job_runs(job) || !(p->has & LT_AUXILIARY) ||
      (w->aux_leading % unit == 0 && w->aux_leading >= p->m))
    return;
  explain(job->call,
          "the auxiliary matrix has a leading dimension of %lld: it wants a "
          "multiple of %lld that is not less than %lld",
          (long long)w->aux_leading, (long long)unit, (long long)p->m);
  job->status = CUBLAS_STATUS_INVALID_VALUE;
}

static void find_others(struct job *job, const struct plan *p, int64_t number,
                        struct work *w)
{
  const struct lt_product *what = p->what;
  int64_t bytes = (int64_t)number_bytes(p->bias_type);
  int64_t n = p->has & LT_BIAS_GRADIENT_B ? p->n : p->m;
  bool bits = p->has & (LT_RELU | LT_DRELU);
  if (p->has &
      (LT_BIAS | LT_BIAS_GRADIENT | LT_BIAS_GRADIENT_A | LT_BIAS_GRADIENT_B))
    w->bias =
        job_bytes(job, "bias",
                  what->bias == NULL
                      ? NULL
                      : (char *)what->bias + number * what->bias_stride * bytes,
                  (size_t)(n * bytes));
  check_auxiliary(job, p);
  if (p->has & LT_AUXILIARY) {
    int64_t elements = what->aux_leading * (p->n - 1) + p->m;
    int64_t apart = number * what->aux_stride;
    bytes = (int64_t)number_bytes(p->aux_type);
    w->aux =
        job_bytes(job, "the auxiliary matrix",
                  what->aux == NULL
                      ? NULL
                      : (char *)what->aux + (bits ? apart / 8 : apart * bytes),
                  (size_t)(bits ? (elements + 7) / 8 : elements * bytes));
  }
  w->ab_scale = find_scale(job, "A's scale", what->a_scale) *
                find_scale(job, "B's scale", what->b_scale);
  w->d_scale = find_scale(job, "D's scale", what->d_scale);
}

static void run_one(struct job *job, const struct plan *p, const void *alpha,
                    const void *beta, const void *const at[4], int64_t number,
                    double *most)
{
  struct work w = { .plan = p };
  unsigned parts = number_parts(p->d->type);
  find_factors(job, p, alpha, beta, number, &w);
  w.a = find_matrix(job, "A", at[0], p->a, number);
  w.b = find_matrix(job, "B", at[1], p->b, number);
  w.c = w.keeps ? find_matrix(job, "C", at[2], p->c, number) : NULL;
  w.d = find_matrix(job, "D", at[3], p->d, number);
  find_others(job, p, number, &w);
  if (!job_runs(job) || p->m == 0 || p->n == 0)
    return;
  w.sums = host_try_new((size_t)(p->m * (COLUMNS + 3)) * parts, sizeof *w.sums);
  if (w.sums == NULL) {
    job->status = CUBLAS_STATUS_ALLOC_FAILED;
    return;
  }
  w.c_column = w.sums + p->m * COLUMNS * parts;
  w.x = w.c_column + p->m * parts;
  w.gradient = w.x + p->m * parts;
  if (!multiply(&w))
    job->status = CUBLAS_STATUS_ALLOC_FAILED;
  free(w.sums);
  *most = w.most > *most ? w.most : *most;
}

API cublasStatus_t cublasLtMatmul(
    cublasLtHandle_t handle, const struct lt_product *what, const void *alpha,
    const void *a, const struct lt_layout *a_layout, const void *b,
    const struct lt_layout *b_layout, const void *beta, const void *c,
    const struct lt_layout *c_layout, void *d, const struct lt_layout *d_layout,
    const void *algorithm, void *workspace, size_t workspace_bytes,
    cudaStream_t stream)
{
  const void *const at[4] = { a, b, c, d };
  double most = 0;
  struct plan plan;
  (void)workspace, (void)workspace_bytes;
  if (!lt_handle_is_valid(handle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  struct job job = job_begin_on("cublasLtMatmul", stream, false);
  if (job.status == CUBLAS_STATUS_SUCCESS)
    job.status = plan_make(&plan, job.call, what, a_layout, b_layout, c_layout,
                           d_layout);
  if (job_runs(&job) && algorithm != NULL && !lt_is_algorithm(algorithm)) {
    explain(job.call, "the algorithm is none: ask "
                      "cublasLtMatmulAlgoGetHeuristic for one, or pass NULL");
    job.status = CUBLAS_STATUS_NOT_SUPPORTED; /* as an H100 says it */
  }
  if (!job_runs(&job))
    return job.status;
  for (int64_t i = 0; i < plan.count && job_runs(&job); i++)
    run_one(&job, &plan, alpha, beta, at, i, &most);
  if (what->d_most != NULL) {
    float value = (float)most;
    job.scalars_on_device = true;
    job_result(&job, "the largest of D", what->d_most, &value, sizeof value);
  }
  return job.status;
}
