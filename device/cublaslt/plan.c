/* Checks descriptors. What cuBLAS rules out is refused, and what is not served
 * here, by its name. */
#include "plan.h"

#include "../core/state.h"
#include "../cublas/numbers.h"

struct types {
  int compute, scale, a, c, d;
};

/* cublasLtMatmul's table, for A and B of one type. */
static const struct types types[] = {
  { CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F },
  { CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_8I, CUDA_R_32I, CUDA_R_32I },
  { CUBLAS_COMPUTE_32I, CUDA_R_32F, CUDA_R_8I, CUDA_R_8I, CUDA_R_8I },
  { CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8I, CUDA_R_32F, CUDA_R_32F },
  { CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF },
  { CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF, CUDA_R_32F, CUDA_R_32F },
  { CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_16F, CUDA_R_16F },
  { CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F, CUDA_R_32F, CUDA_R_32F },
  { CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F },
  { CUBLAS_COMPUTE_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F },
  { CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUDA_R_64F },
  { CUBLAS_COMPUTE_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F },
};

static bool is_eight(int type)
{
  return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2;
}

/* Two of e5m2 have no product, and no e5m2 comes of two of e4m3. */
static bool has_eights(int a, int b, int c, int d)
{
  if (!is_eight(a) || !is_eight(b) ||
      (a == CUDA_R_8F_E5M2 && b == CUDA_R_8F_E5M2))
    return false;
  if (c != CUDA_R_16BF && c != CUDA_R_16F)
    return c == CUDA_R_32F && d == CUDA_R_32F;
  return d == c || d == CUDA_R_8F_E4M3 || (d == CUDA_R_8F_E5M2 && a != b);
}

/* Compute types that differ in how a GPU gets there. */
static int plain(int compute)
{
  switch (compute) {
  case CUBLAS_COMPUTE_16F_PEDANTIC: return CUBLAS_COMPUTE_16F;
  case CUBLAS_COMPUTE_32I_PEDANTIC: return CUBLAS_COMPUTE_32I;
  case CUBLAS_COMPUTE_64F_PEDANTIC: return CUBLAS_COMPUTE_64F;
  case CUBLAS_COMPUTE_32F_PEDANTIC:
  case CUBLAS_COMPUTE_32F_FAST_16F:
  case CUBLAS_COMPUTE_32F_FAST_16BF:
  case CUBLAS_COMPUTE_32F_FAST_TF32: return CUBLAS_COMPUTE_32F;
  default: return compute;
  }
}

bool plan_has_types(int compute, int scale, int a, int b, int c, int d)
{
  compute = plain(compute);
  if (compute == CUBLAS_COMPUTE_32F && scale == CUDA_R_32F &&
      has_eights(a, b, c, d))
    return true;
  for (size_t i = 0; i < sizeof types / sizeof *types && a == b; i++)
    if (types[i].compute == compute && types[i].scale == scale &&
        types[i].a == a && types[i].c == c && types[i].d == d)
      return true;
  return false;
}

/* The one who refuses, and why. */
#define REFUSE(status, ...) return explain(call, __VA_ARGS__), status
#define INVALID(...) REFUSE(CUBLAS_STATUS_INVALID_VALUE, __VA_ARGS__)
#define UNSUPPORTED(...) REFUSE(CUBLAS_STATUS_NOT_SUPPORTED, __VA_ARGS__)

static cublasStatus_t check_layout(const char *call, const char *name,
                                   const struct lt_layout *l)
{
  int64_t along =
      (int64_t)(l->order == CUBLASLT_ORDER_ROW ? l->columns : l->rows);
  if (l->order != CUBLASLT_ORDER_COL && l->order != CUBLASLT_ORDER_ROW)
    UNSUPPORTED("%s has order %d: the software device has columns (0) and rows "
                "(1)",
                name, l->order);
  if (l->batch_mode != 0 || l->plane != 0)
    UNSUPPORTED("%s has batch mode %d and a plane at %lld: the software device "
                "has neither addresses of matrices nor planes",
                name, l->batch_mode, (long long)l->plane);
  if (l->leading < along)
    INVALID("%s has a leading dimension of %lld: less than its %s", name,
            (long long)l->leading,
            l->order == CUBLASLT_ORDER_ROW ? "columns" : "rows");
  if (l->count < 1)
    INVALID("%s has a batch of %d", name, l->count);
  return CUBLAS_STATUS_SUCCESS;
}

static int64_t rows_of(const struct lt_layout *l, int operation)
{
  return (int64_t)(operation == CUBLAS_OP_N ? l->rows : l->columns);
}

static int64_t columns_of(const struct lt_layout *l, int operation)
{
  return (int64_t)(operation == CUBLAS_OP_N ? l->columns : l->rows);
}

static cublasStatus_t check_shapes(struct plan *p, const char *call)
{
  const struct lt_product *w = p->what;
  p->m = (int64_t)p->d->rows;
  p->n = (int64_t)p->d->columns;
  p->k = columns_of(p->a, w->trans_a);
  p->count = p->d->count;
  if (p->m == 0 || p->n == 0)
    INVALID("D is %lld x %lld: nothing", (long long)p->m, (long long)p->n);
  if (p->c->order != p->d->order)
    INVALID("C has order %d and D %d", p->c->order, p->d->order);
  if (rows_of(p->a, w->trans_a) != p->m ||
      columns_of(p->b, w->trans_b) != p->n ||
      rows_of(p->b, w->trans_b) != p->k || p->c->rows != p->d->rows ||
      p->c->columns != p->d->columns)
    INVALID(
        "op(A) is %lld x %lld, op(B) %lld x %lld, C %llu x %llu and D %llu x "
        "%llu: they do not fit",
        (long long)rows_of(p->a, w->trans_a), (long long)p->k,
        (long long)rows_of(p->b, w->trans_b),
        (long long)columns_of(p->b, w->trans_b), (unsigned long long)p->c->rows,
        (unsigned long long)p->c->columns, (unsigned long long)p->d->rows,
        (unsigned long long)p->d->columns);
  if (p->a->count != p->count || p->b->count != p->count ||
      p->c->count != p->count)
    INVALID("A, B, C and D have batches of %d, %d, %d and %d", p->a->count,
            p->b->count, p->c->count, p->d->count);
  return CUBLAS_STATUS_SUCCESS;
}

/* Numbers of 8 bits want their lines along k, and sizes that fill registers. */
static cublasStatus_t check_narrow(const struct plan *p, const char *call)
{
  const struct lt_product *w = p->what;
  bool is_whole = p->a->type == CUDA_R_8I;
  int64_t unit = is_whole ? 4 : 16;
  bool tn = w->trans_a != CUBLAS_OP_N && w->trans_b == CUBLAS_OP_N;
  if (number_bytes(p->a->type) != 1 ||
      (is_whole && p->d->type == CUDA_R_32F)) /* of any size on an H100 */
    return CUBLAS_STATUS_SUCCESS;
  if (!is_whole && !tn)
    UNSUPPORTED("products of 8-bit floats want A transposed and B not");
  if (p->m % unit != 0 || p->k % unit != 0 || (!is_whole && p->n % unit != 0))
    UNSUPPORTED(
        "products of numbers of 8 bits want sizes that are multiples of "
        "%lld: m, n, k are %lld, %lld, %lld",
        (long long)unit, (long long)p->m, (long long)p->n, (long long)p->k);
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check_epilogue(struct plan *p, const char *call)
{
  static const uint32_t known[] = {
    LT_DEFAULT,
    LT_RELU,
    LT_BIAS,
    LT_RELU | LT_BIAS,
    LT_RELU | LT_AUXILIARY,
    LT_RELU | LT_AUXILIARY | LT_BIAS,
    LT_GELU,
    LT_GELU | LT_BIAS,
    LT_GELU | LT_AUXILIARY,
    LT_GELU | LT_AUXILIARY | LT_BIAS,
    LT_DRELU | LT_AUXILIARY,
    LT_DRELU | LT_AUXILIARY | LT_BIAS_GRADIENT,
    LT_DGELU | LT_AUXILIARY,
    LT_DGELU | LT_AUXILIARY | LT_BIAS_GRADIENT,
    LT_BIAS_GRADIENT_A,
    LT_BIAS_GRADIENT_B,
  };
  const struct lt_product *w = p->what;
  bool is_known = false;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    is_known |= known[i] == w->epilogue;
  if (!is_known)
    INVALID("epilogue %u is none of CUDA 13.0's", w->epilogue);
  p->has = (int)w->epilogue;
  if (p->has != LT_DEFAULT &&
      (number_parts(p->d->type) == 2 || p->d->type == CUDA_R_32I ||
       p->d->type == CUDA_R_64F || is_eight(p->d->type)))
    UNSUPPORTED("epilogue %u for a D of type %d", w->epilogue, p->d->type);
  if ((p->has & LT_BIAS) != 0 && p->d->order == CUBLASLT_ORDER_ROW)
    UNSUPPORTED("a bias for a D that lies by rows");
  if (p->has == LT_BIAS_GRADIENT_B && w->trans_b == CUBLAS_OP_N)
    UNSUPPORTED("a gradient of B's columns where B is not transposed");
  p->bias_type = w->bias_type >= 0          ? w->bias_type
                 : p->d->type == CUDA_R_8I  ? w->scale
                 : !is_eight(p->a->type)    ? p->d->type
                 : p->c->type == CUDA_R_32F ? CUDA_R_16BF
                                            : p->c->type;
  p->aux_type = w->aux_type >= 0 ? w->aux_type : p->d->type;
  if ((w->bias_type >= 0 && number_bytes(w->bias_type) < 2) ||
      (w->aux_type >= 0 && w->aux_type != p->d->type) || w->aux_scale != NULL ||
      w->aux_most != NULL || w->aux_mode != 0)
    UNSUPPORTED("a bias of type %d or an auxiliary matrix of type %d, or one "
                "with a scale",
                w->bias_type, w->aux_type);
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check_scales(const struct plan *p, const char *call)
{
  const struct lt_product *w = p->what;
  bool eight = is_eight(p->a->type);
  if (w->a_mode != 0 || w->b_mode != 0 || w->c_mode != 0 || w->d_mode != 0 ||
      w->d_out_mode != 0 || w->d_out_scale != NULL || w->emulation != NULL)
    UNSUPPORTED("scales of blocks and emulated numbers");
  if (((w->a_scale != NULL || w->b_scale != NULL) && !eight) ||
      ((w->d_scale != NULL || w->d_most != NULL) && !is_eight(p->d->type)) ||
      w->c_scale != NULL)
    INVALID("a scale or a maximum of a matrix that is not of 8-bit floats");
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t check_product(const struct lt_product *w,
                                    const char *call)
{
  if (w->trans_a < 0 || w->trans_a > CUBLAS_OP_C || w->trans_b < 0 ||
      w->trans_b > CUBLAS_OP_C)
    INVALID("operations %d and %d on A and B", w->trans_a, w->trans_b);
  if (w->trans_c != CUBLAS_OP_N || w->fill != CUBLAS_FILL_MODE_FULL)
    UNSUPPORTED("operation %d on C and fill mode %d", w->trans_c, w->fill);
  if (w->pointer_mode < 0 ||
      w->pointer_mode > CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST)
    INVALID("pointer mode %d", w->pointer_mode);
  return CUBLAS_STATUS_SUCCESS;
}

#define TRY(call)                                                              \
  do {                                                                         \
    cublasStatus_t status = call;                                              \
    if (status != CUBLAS_STATUS_SUCCESS)                                       \
      return status;                                                           \
  } while (0)

cublasStatus_t plan_make(struct plan *p, const char *call,
                         const struct lt_product *what,
                         const struct lt_layout *a, const struct lt_layout *b,
                         const struct lt_layout *c, const struct lt_layout *d)
{
  if (what == NULL || a == NULL || b == NULL || c == NULL || d == NULL)
    INVALID("a descriptor is NULL");
  *p = (struct plan){ .what = what, .a = a, .b = b, .c = c, .d = d };
  TRY(check_product(what, call));
  if (a->type != b->type && !(is_eight(a->type) && is_eight(b->type)))
    INVALID("types %d and %d of A and B", a->type, b->type);
  if (!plan_has_types(what->compute, what->scale, a->type, b->type, c->type,
                      d->type))
    UNSUPPORTED("types %d, %d, %d and %d of A, B, C and D, computed in %d with "
                "factors of type %d",
                a->type, b->type, c->type, d->type, what->compute, what->scale);
  TRY(check_layout(call, "A", a));
  TRY(check_layout(call, "B", b));
  TRY(check_layout(call, "C", c));
  TRY(check_layout(call, "D", d));
  TRY(check_shapes(p, call));
  TRY(check_narrow(p, call));
  TRY(check_epilogue(p, call));
  return check_scales(p, call);
}
