/* Handles of cuBLASLt, which keep nothing but their kind; status codes as text,
 * versions. */
#include "handle.h"

#include <stdlib.h>

#include "../core/state.h"
#include "../cublas/status.h"
#include "../support/host_memory.h"

#define MAGIC 0x11a5u

struct lt_handle {
  unsigned magic;
};

bool lt_handle_is_valid(cublasLtHandle_t handle)
{
  return handle != NULL && handle->magic == MAGIC;
}

API cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
  if (handle == NULL)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (state_settle() != cudaSuccess)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  struct lt_handle *h = host_try_new(1, sizeof *h);
  if (h == NULL)
    return CUBLAS_STATUS_ALLOC_FAILED;
  h->magic = MAGIC;
  *handle = h;
  return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
  if (!lt_handle_is_valid(handle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->magic = 0;
  free(handle);
  return CUBLAS_STATUS_SUCCESS;
}

API size_t cublasLtGetVersion(void) { return CUBLAS_VERSION; }

API size_t cublasLtGetCudartVersion(void) { return CUBLAS_CUDART_VERSION; }

API cublasStatus_t cublasLtGetProperty(int property, int *value)
{
  return status_version_part(property, value) ? CUBLAS_STATUS_SUCCESS
                                              : CUBLAS_STATUS_INVALID_VALUE;
}

API const char *cublasLtGetStatusName(cublasStatus_t status)
{
  return status_name((int)status);
}

API const char *cublasLtGetStatusString(cublasStatus_t status)
{
  return status_text((int)status);
}
