/* Descriptors come, go, and are changed by attribute. Sizes and first values are
 * an H100's. */
#include "descriptor.h"

#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "attribute.h"

_Static_assert(sizeof(struct lt_layout) <= LT_LAYOUT_BYTES, "layout");
_Static_assert(sizeof(struct lt_product) <= LT_PRODUCT_BYTES, "product");
_Static_assert(sizeof(struct lt_preference) <= LT_PREFERENCE_BYTES,
               "preference");

#define ATTRIBUTE(number, type, field)                                         \
  {                                                                            \
    number, offsetof(type, field), sizeof(((type *)NULL)->field)               \
  }
#define LAYOUT(number, field) ATTRIBUTE(number, struct lt_layout, field)
#define PRODUCT(number, field) ATTRIBUTE(number, struct lt_product, field)
#define PREFERENCE(number, field) ATTRIBUTE(number, struct lt_preference, field)
#define ALL(table) ((struct attributes){ table, sizeof table / sizeof *table })

static const struct attribute layout_attributes[] = {
  LAYOUT(0, type),    LAYOUT(1, order),   LAYOUT(2, rows),
  LAYOUT(3, columns), LAYOUT(4, leading), LAYOUT(5, count),
  LAYOUT(6, stride),  LAYOUT(7, plane),   LAYOUT(8, batch_mode),
};

static const struct attribute product_attributes[] = {
  PRODUCT(0, compute),
  PRODUCT(1, scale),
  PRODUCT(2, pointer_mode),
  PRODUCT(3, trans_a),
  PRODUCT(4, trans_b),
  PRODUCT(5, trans_c),
  PRODUCT(6, fill),
  PRODUCT(7, epilogue),
  PRODUCT(8, bias),
  PRODUCT(10, bias_stride),
  PRODUCT(11, aux),
  PRODUCT(12, aux_leading),
  PRODUCT(13, aux_stride),
  PRODUCT(14, alpha_stride),
  PRODUCT(15, multiprocessors),
  PRODUCT(16, reserved), /* the header leaves it out */
  PRODUCT(17, a_scale),
  PRODUCT(18, b_scale),
  PRODUCT(19, c_scale),
  PRODUCT(20, d_scale),
  PRODUCT(21, d_most),
  PRODUCT(22, aux_type),
  PRODUCT(23, aux_scale),
  PRODUCT(24, aux_most),
  PRODUCT(25, fast_sums),
  PRODUCT(26, bias_type),
  PRODUCT(31, a_mode),
  PRODUCT(32, b_mode),
  PRODUCT(33, c_mode),
  PRODUCT(34, d_mode),
  PRODUCT(35, aux_mode),
  PRODUCT(36, d_out_scale),
  PRODUCT(37, d_out_mode),
  PRODUCT(38, emulation),
};

static const struct attribute preference_attributes[] = {
  PREFERENCE(0, search),           PREFERENCE(1, workspace_bytes),
  PREFERENCE(3, schemes),          PREFERENCE(5, align_a),
  PREFERENCE(6, align_b),          PREFERENCE(7, align_c),
  PREFERENCE(8, align_d),          PREFERENCE(9, waves),
  PREFERENCE(12, implementations),
};

/* In room of `bytes` bytes, of which a descriptor fills all. */
static cublasStatus_t begin(void *to, size_t bytes, size_t needed,
                            const void *values, size_t n)
{
  if (to == NULL)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes < needed)
    return CUBLAS_STATUS_ALLOC_FAILED;
  memset(to, 0, needed);
  memcpy(to, values, n);
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t create(void **to, size_t bytes, const void *values,
                             size_t n)
{
  if (to == NULL)
    return CUBLAS_STATUS_INVALID_VALUE;
  void *new = host_try_new(1, bytes);
  if (new == NULL)
    return CUBLAS_STATUS_ALLOC_FAILED;
  *to = new;
  return begin(new, bytes, bytes, values, n);
}

static cublasStatus_t destroy(void *descriptor)
{
  free(descriptor);
  return CUBLAS_STATUS_SUCCESS;
}

static struct lt_layout new_layout(int type, uint64_t rows, uint64_t columns,
                                   int64_t leading)
{
  return (struct lt_layout){ .type = type,
                             .rows = rows,
                             .columns = columns,
                             .leading = leading,
                             .count = 1 };
}

static struct lt_product new_product(int compute, int scale)
{
  return (struct lt_product){ .compute = compute,
                              .scale = scale,
                              .fill = CUBLAS_FILL_MODE_FULL,
                              .epilogue = LT_DEFAULT,
                              .aux_type = -1,
                              .bias_type = -1 };
}

static struct lt_preference new_preference(void)
{
  return (struct lt_preference){ .schemes = 7,
                                 .align_a = 256,
                                 .align_b = 256,
                                 .align_c = 256,
                                 .align_d = 256,
                                 .implementations = UINT64_MAX };
}

API cublasStatus_t cublasLtMatrixLayoutInit_internal(void *layout, size_t bytes,
                                                     int type, uint64_t rows,
                                                     uint64_t columns,
                                                     int64_t leading)
{
  struct lt_layout new = new_layout(type, rows, columns, leading);
  return begin(layout, bytes, LT_LAYOUT_BYTES, &new, sizeof new);
}

API cublasStatus_t cublasLtMatrixLayoutCreate(void **layout, int type,
                                              uint64_t rows, uint64_t columns,
                                              int64_t leading)
{
  struct lt_layout new = new_layout(type, rows, columns, leading);
  return create(layout, LT_LAYOUT_BYTES, &new, sizeof new);
}

API cublasStatus_t cublasLtMatrixLayoutDestroy(void *layout)
{
  return destroy(layout);
}

API cublasStatus_t cublasLtMatmulDescInit_internal(void *product, size_t bytes,
                                                   int compute, int scale)
{
  struct lt_product new = new_product(compute, scale);
  return begin(product, bytes, LT_PRODUCT_BYTES, &new, sizeof new);
}

API cublasStatus_t cublasLtMatmulDescCreate(void **product, int compute,
                                            int scale)
{
  struct lt_product new = new_product(compute, scale);
  return create(product, LT_PRODUCT_BYTES, &new, sizeof new);
}

API cublasStatus_t cublasLtMatmulDescDestroy(void *product)
{
  return destroy(product);
}

API cublasStatus_t cublasLtMatmulPreferenceInit_internal(void *preference,
                                                         size_t bytes)
{
  struct lt_preference new = new_preference();
  return begin(preference, bytes, LT_PREFERENCE_BYTES, &new, sizeof new);
}

API cublasStatus_t cublasLtMatmulPreferenceCreate(void **preference)
{
  struct lt_preference new = new_preference();
  return create(preference, LT_PREFERENCE_BYTES, &new, sizeof new);
}

API cublasStatus_t cublasLtMatmulPreferenceDestroy(void *preference)
{
  return destroy(preference);
}

#define ATTRIBUTE_CALLS(name, table)                                           \
  API cublasStatus_t name##SetAttribute(void *object, int number,              \
                                        const void *value, size_t bytes)       \
  {                                                                            \
    return attribute_set(ALL(table), object, number, value, bytes);            \
  }                                                                            \
  API cublasStatus_t name##GetAttribute(const void *object, int number,        \
                                        void *value, size_t bytes,             \
                                        size_t *written)                       \
  {                                                                            \
    return attribute_get(ALL(table), object, number, value, bytes, written);   \
  }

ATTRIBUTE_CALLS(cublasLtMatrixLayout, layout_attributes)
ATTRIBUTE_CALLS(cublasLtMatmulDesc, product_attributes)
ATTRIBUTE_CALLS(cublasLtMatmulPreference, preference_attributes)
