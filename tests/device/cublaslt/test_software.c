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
