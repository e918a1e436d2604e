/* Handles, versions, statuses as text. */
#include "products.h"

BEHAVIOUR(handles_come_and_go)
{
  cublasLtHandle_t one = NULL, other = NULL;
  CHECK_EQUAL(cublasLtCreate(&one), OK);
  CHECK_EQUAL(cublasLtCreate(&other), OK);
  CHECK(one != NULL && other != NULL && one != other);
  CHECK_EQUAL(cublasLtDestroy(one), OK);
  CHECK_EQUAL(cublasLtDestroy(other), OK);
}

BEHAVIOUR(versions_are_of_the_header)
{
  int part = -1;
  CHECK_EQUAL(cublasLtGetVersion(), CUBLAS_VERSION);
  CHECK_EQUAL(cublasLtGetCudartVersion(), CUDART_VERSION);
  CHECK_EQUAL(cublasLtGetProperty(MAJOR_VERSION, &part), OK);
  CHECK_EQUAL(part, CUBLAS_VER_MAJOR);
  CHECK_EQUAL(cublasLtGetProperty(PATCH_LEVEL, &part), OK);
  CHECK_EQUAL(part, CUBLAS_VER_PATCH);
  CHECK_EQUAL(cublasLtGetProperty((libraryPropertyType)3, &part),
              CUBLAS_STATUS_INVALID_VALUE);
}

BEHAVIOUR(statuses_have_names_and_texts)
{
  CHECK_TEXT(cublasLtGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED),
             "CUBLAS_STATUS_NOT_SUPPORTED");
  CHECK_TEXT(cublasLtGetStatusString(CUBLAS_STATUS_SUCCESS), "success");
}
