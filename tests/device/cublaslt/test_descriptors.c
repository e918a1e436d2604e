/* Descriptors: their attributes, sizes and first values. */
#include "products.h"

BEHAVIOUR(layout_begins_as_it_is_created)
{
  cublasLtMatrixLayout_t layout;
  uint64_t rows = 0;
  int64_t leading = 0, stride = -1;
  int32_t type = -1, order = -1, count = -1;
  size_t written = 0;
  CHECK_EQUAL(cublasLtMatrixLayoutCreate(&layout, CUDA_R_16F, 4, 3, 5), OK);
#define GET(attribute, to)                                                     \
  CHECK_EQUAL(cublasLtMatrixLayoutGetAttribute(                                \
                  layout, CUBLASLT_MATRIX_LAYOUT_##attribute, &to, sizeof to,  \
                  &written),                                                   \
              OK);                                                             \
  CHECK_EQUAL(written, sizeof to)
  GET(TYPE, type);
  GET(ORDER, order);
  GET(ROWS, rows);
  GET(LD, leading);
  GET(BATCH_COUNT, count);
  GET(STRIDED_BATCH_OFFSET, stride);
  CHECK_EQUAL(type, CUDA_R_16F);
  CHECK_EQUAL(order, CUBLASLT_ORDER_COL);
  CHECK_EQUAL(rows, 4);
  CHECK_EQUAL(leading, 5);
  CHECK_EQUAL(count, 1);
  CHECK_EQUAL(stride, 0);
  CHECK_EQUAL(cublasLtMatrixLayoutDestroy(layout), OK);
}

BEHAVIOUR(product_begins_plain)
{
  cublasLtMatmulDescOpaque_t there;
  int32_t fill = -1, bias_type = 0;
  uint32_t epilogue = 0;
  size_t bytes = 0;
  CHECK_EQUAL(cublasLtMatmulDescInit(&there, CUBLAS_COMPUTE_32F, CUDA_R_32F),
              OK);
  CHECK_EQUAL(cublasLtMatmulDescGetAttribute(&there,
                                             CUBLASLT_MATMUL_DESC_FILL_MODE,
                                             &fill, sizeof fill, NULL),
              OK);
  CHECK_EQUAL(fill, CUBLAS_FILL_MODE_FULL);
  CHECK_EQUAL(cublasLtMatmulDescGetAttribute(&there,
                                             CUBLASLT_MATMUL_DESC_EPILOGUE,
                                             &epilogue, sizeof epilogue, NULL),
              OK);
  CHECK_EQUAL(epilogue, CUBLASLT_EPILOGUE_DEFAULT);
  CHECK_EQUAL(cublasLtMatmulDescGetAttribute(
                  &there, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, &bias_type,
                  sizeof bias_type, NULL),
              OK);
  CHECK_EQUAL(bias_type, -1);
  CHECK_EQUAL(cublasLtMatmulDescGetAttribute(
                  &there, CUBLASLT_MATMUL_DESC_FAST_ACCUM, NULL, 0, &bytes),
              OK);
  CHECK_EQUAL(bytes, 1);
}

BEHAVIOUR(preference_begins_without_workspace)
{
  cublasLtMatmulPreference_t preference;
  uint64_t workspace = 1, implementations = 0;
  uint32_t alignment = 0;
  CHECK_EQUAL(cublasLtMatmulPreferenceCreate(&preference), OK);
  CHECK_EQUAL(cublasLtMatmulPreferenceGetAttribute(
                  preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                  &workspace, sizeof workspace, NULL),
              OK);
  CHECK_EQUAL(workspace, 0);
  CHECK_EQUAL(cublasLtMatmulPreferenceGetAttribute(
                  preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
                  &alignment, sizeof alignment, NULL),
              OK);
  CHECK_EQUAL(alignment, 256);
  CHECK_EQUAL(cublasLtMatmulPreferenceGetAttribute(
                  preference, CUBLASLT_MATMUL_PREF_IMPL_MASK, &implementations,
                  sizeof implementations, NULL),
              OK);
  CHECK(implementations == UINT64_MAX);
  CHECK_EQUAL(cublasLtMatmulPreferenceDestroy(preference), OK);
}

BEHAVIOUR(attributes_have_their_size)
{
  const cublasLtMatmulDescAttributes_t trans = CUBLASLT_MATMUL_DESC_TRANSA;
  cublasLtMatmulDesc_t product;
  int64_t value = CUBLAS_OP_T;
  size_t written;
  CHECK_EQUAL(
      cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F), OK);
  CHECK_EQUAL(cublasLtMatmulDescSetAttribute(product, trans, &value, 8),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasLtMatmulDescSetAttribute(product, trans, NULL, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasLtMatmulDescSetAttribute(NULL, trans, &value, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasLtMatmulDescSetAttribute(
                  product, (cublasLtMatmulDescAttributes_t)9, &value, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasLtMatmulDescSetAttribute(product, trans, &value, 4), OK);
  CHECK_EQUAL(
      cublasLtMatmulDescGetAttribute(product, trans, &value, 8, &written),
      CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasLtMatmulDescGetAttribute(product, trans, NULL, 0, NULL),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasLtMatmulDescGetAttribute(product, trans, NULL, 4, &written),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasLtMatmulDescDestroy(product), OK);
  CHECK_EQUAL(cublasLtMatmulDescDestroy(NULL), OK);
}

/* The attributes of a product by their numbers and sizes, and each one's value
 * is its own. */
BEHAVIOUR(attributes_are_kept_apart)
{
  static const struct {
    int first, last;
    size_t bytes;
  } runs[] = {
    { 2, 7, 4 },   { 8, 8, 8 },   { 10, 14, 8 }, { 15, 15, 4 },
    { 17, 21, 8 }, { 22, 22, 4 }, { 23, 24, 8 }, { 26, 26, 4 },
    { 31, 35, 4 }, { 36, 36, 8 }, { 37, 37, 4 }, { 38, 38, 8 },
  };
  const size_t n = sizeof runs / sizeof *runs;
  cublasLtMatmulDesc_t product;
  CHECK_EQUAL(
      cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F), OK);
  for (size_t i = 0; i < n; i++)
    for (int at = runs[i].first; at <= runs[i].last; at++) {
      uint64_t value = (uint64_t)at + 100;
      CHECK_EQUAL(cublasLtMatmulDescSetAttribute(
                      product, (cublasLtMatmulDescAttributes_t)at, &value,
                      runs[i].bytes),
                  OK);
    }
  for (size_t i = 0; i < n; i++)
    for (int at = runs[i].first; at <= runs[i].last; at++) {
      uint64_t value = 0;
      size_t written = 0;
      CHECK_EQUAL(cublasLtMatmulDescGetAttribute(
                      product, (cublasLtMatmulDescAttributes_t)at, &value,
                      runs[i].bytes, &written),
                  OK);
      CHECK_EQUAL(written, runs[i].bytes);
      CHECK_EQUAL(value, at + 100);
    }
  CHECK_EQUAL(cublasLtMatmulDescDestroy(product), OK);
}

BEHAVIOUR(nothing_is_created_nowhere)
{
  CHECK_EQUAL(cublasLtMatmulDescCreate(NULL, CUBLAS_COMPUTE_32F, CUDA_R_32F),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasLtMatrixLayoutCreate(NULL, CUDA_R_32F, 4, 4, 4),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasLtMatmulPreferenceCreate(NULL),
              CUBLAS_STATUS_INVALID_VALUE);
  CHECK_EQUAL(cublasLtCreate(NULL), CUBLAS_STATUS_INVALID_VALUE);
}
