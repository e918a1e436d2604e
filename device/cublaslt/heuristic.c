/* Algorithms: there is one. Asking for it says whether a product is served. */
#include "heuristic.h"

#include <string.h>

#include "attribute.h"
#include "handle.h"
#include "plan.h"

/* What is in the bytes of an algorithm that a program keeps. */
struct algorithm {
  uint32_t mark;
  int32_t number, splits;
  uint32_t tile, scheme, swizzling, option, stages;
  uint16_t inner, cluster;
};
_Static_assert(sizeof(struct algorithm) <= LT_ALGORITHM_BYTES, "algorithm");

enum { MARK = 0x11a6, ONLY = 0 };

static const struct attribute settings[] = {
#define SETTING(number, field)                                                 \
  {                                                                            \
    number, offsetof(struct algorithm, field),                                 \
        sizeof(((struct algorithm *)NULL)->field)                              \
  }
  SETTING(0, number), SETTING(1, tile),      SETTING(2, splits),
  SETTING(3, scheme), SETTING(4, swizzling), SETTING(5, option),
  SETTING(6, stages), SETTING(7, inner),     SETTING(8, cluster),
};
static const struct attributes all_settings = {
  settings, sizeof settings / sizeof *settings
};

static void begin(void *algorithm)
{
  struct algorithm new = { .mark = MARK, .number = ONLY, .splits = 1 };
  memset(algorithm, 0, LT_ALGORITHM_BYTES);
  memcpy(algorithm, &new, sizeof new);
}

bool lt_is_algorithm(const void *algorithm)
{
  uint32_t mark = 0;
  if (algorithm != NULL)
    memcpy(&mark, algorithm, sizeof mark);
  return mark == MARK;
}

API cublasStatus_t cublasLtMatmulAlgoGetHeuristic(
    cublasLtHandle_t handle, const struct lt_product *what,
    const struct lt_layout *a, const struct lt_layout *b,
    const struct lt_layout *c, const struct lt_layout *d,
    const void *preference, int wanted, lt_found found[], int *n)
{
  struct plan plan;
  if (!lt_handle_is_valid(handle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n != NULL)
    *n = 0;
  if (preference == NULL || wanted < 1 || found == NULL || n == NULL)
    return CUBLAS_STATUS_INVALID_VALUE;
  cublasStatus_t status =
      plan_make(&plan, "cublasLtMatmulAlgoGetHeuristic", what, a, b, c, d);
  if (status != CUBLAS_STATUS_SUCCESS)
    return status;
  found[0] = (lt_found){ .state = CUBLAS_STATUS_SUCCESS, .waves = 1 };
  begin(found[0].algorithm);
  *n = 1;
  return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle,
                                            int compute, int scale, int a,
                                            int b, int c, int d, int wanted,
                                            int numbers[], int *n)
{
  if (!lt_handle_is_valid(handle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (wanted < 1 || numbers == NULL || n == NULL)
    return CUBLAS_STATUS_INVALID_VALUE;
  *n = 0;
  if (!plan_has_types(compute, scale, a, b, c, d))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  numbers[(*n)++] = ONLY;
  return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, int compute,
                                          int scale, int a, int b, int c, int d,
                                          int number, void *algorithm)
{
  if (!lt_handle_is_valid(handle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (algorithm == NULL || number != ONLY)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!plan_has_types(compute, scale, a, b, c, d))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  begin(algorithm);
  return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t
cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, const struct lt_product *what,
                        const struct lt_layout *a, const struct lt_layout *b,
                        const struct lt_layout *c, const struct lt_layout *d,
                        const void *algorithm, lt_found *found)
{
  struct plan plan;
  if (!lt_handle_is_valid(handle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!lt_is_algorithm(algorithm) || found == NULL)
    return CUBLAS_STATUS_INVALID_VALUE;
  cublasStatus_t status =
      plan_make(&plan, "cublasLtMatmulAlgoCheck", what, a, b, c, d);
  if (status == CUBLAS_STATUS_SUCCESS) {
    *found = (lt_found){ .state = status, .waves = 1 };
    memcpy(found->algorithm, algorithm, LT_ALGORITHM_BYTES);
  }
  return status;
}

/* What the settings of a GPU's kernels may be: none of them has an effect. */
API cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(void *algorithm,
                                                        int number,
                                                        const void *value,
                                                        size_t bytes)
{
  if (!lt_is_algorithm(algorithm) || number == 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  return attribute_set(all_settings, algorithm, number, value, bytes);
}

API cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const void *algorithm,
                                                        int number, void *value,
                                                        size_t bytes,
                                                        size_t *written)
{
  if (!lt_is_algorithm(algorithm))
    return CUBLAS_STATUS_INVALID_VALUE;
  return attribute_get(all_settings, algorithm, number, value, bytes, written);
}
