/* What only the software device does: it explains. */
#include "products.h"

BEHAVIOUR(unsupported_call_is_named_once)
{
  cublasLtHandle_t h = begin();
  cublasLtMatrixTransformDesc_t transform = NULL;
  capture_begin(2);
  for (int i = 0; i < 2; i++)
    CHECK_EQUAL(cublasLtMatrixTransform(h, transform, NULL, NULL, NULL, NULL,
                                        NULL, NULL, NULL, NULL, 0),
                CUBLAS_STATUS_NOT_SUPPORTED);
  CHECK_TEXT(capture_end(),
             "softdevice: cublasLtMatrixTransform: not supported "
             "by the software device\n");
}

BEHAVIOUR(destroyed_handle_is_refused)
{
  CHECK_EQUAL(cublasLtDestroy(NULL), CUBLAS_STATUS_NOT_INITIALIZED);
}

/* A product of floats with one attribute of it set; what the library says of
 * it. */
static const char *refusal_of(int attribute, uint64_t value, size_t bytes,
                              cublasStatus_t expected)
{
  cublasLtHandle_t h = begin();
  cublasLtMatmulHeuristicResult_t found;
  cublasLtMatmulPreference_t preference;
  cublasLtMatrixLayout_t layout;
  cublasLtMatmulDesc_t what;
  int n;
  CHECK_EQUAL(cublasLtMatmulPreferenceCreate(&preference), OK);
  CHECK_EQUAL(cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, 16, 16, 16), OK);
  CHECK_EQUAL(cublasLtMatmulDescCreate(&what, CUBLAS_COMPUTE_32F, CUDA_R_32F),
              OK);
  CHECK_EQUAL(
      cublasLtMatmulDescSetAttribute(
          what, (cublasLtMatmulDescAttributes_t)attribute, &value, bytes),
      OK);
  capture_begin(2);
  CHECK_EQUAL(cublasLtMatmulAlgoGetHeuristic(h, what, layout, layout, layout,
                                             layout, preference, 1, &found, &n),
              expected);
  cublasLtMatmulDescDestroy(what);
  cublasLtMatrixLayoutDestroy(layout);
  cublasLtMatmulPreferenceDestroy(preference);
  return capture_end();
}

/* Newer attributes than those that are served, each on its own. */
BEHAVIOUR(scales_of_blocks_are_named)
{
  static const struct {
    int attribute;
    size_t bytes;
  } each[] = { { CUBLASLT_MATMUL_DESC_A_SCALE_MODE, 4 },
               { CUBLASLT_MATMUL_DESC_B_SCALE_MODE, 4 },
               { CUBLASLT_MATMUL_DESC_C_SCALE_MODE, 4 },
               { CUBLASLT_MATMUL_DESC_D_SCALE_MODE, 4 },
               { CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE, 4 },
               { CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, 8 } };
  for (size_t i = 0; i < sizeof each / sizeof *each; i++)
    CHECK_TEXT(refusal_of(each[i].attribute, 1, each[i].bytes,
                          CUBLAS_STATUS_NOT_SUPPORTED),
               "softdevice: cublasLtMatmulAlgoGetHeuristic: scales of blocks "
               "and emulated numbers\n");
}

BEHAVIOUR(unknown_epilogue_is_named)
{
  CHECK_TEXT(refusal_of(CUBLASLT_MATMUL_DESC_EPILOGUE, 3, 4,
                        CUBLAS_STATUS_INVALID_VALUE),
             "softdevice: cublasLtMatmulAlgoGetHeuristic: epilogue 3 is none "
             "of CUDA 13.0's\n");
}
