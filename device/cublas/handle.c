/* Handles and what they keep, status codes as text, versions. */
#include "handle.h"

#include <stdlib.h>
#include <string.h>

#include "../support/host_memory.h"
#include "job.h"
#include "status.h"

#define MAGIC 0x5b1a5u

#define FIELD(name) offsetof(struct cublas_handle, name)

bool handle_is_valid(cublasHandle_t handle)
{
  return handle != NULL && handle->magic == MAGIC;
}

struct job job_begin(cublasHandle_t handle, const char *call)
{
  if (!handle_is_valid(handle))
    return (struct job){ .call = call,
                         .status = CUBLAS_STATUS_NOT_INITIALIZED };
  return job_begin_on(call, handle->stream,
                      handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE);
}

API cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
  if (handle == NULL)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (state_settle() != cudaSuccess)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  struct cublas_handle *h = host_try_new(1, sizeof *h);
  if (h == NULL)
    return CUBLAS_STATUS_ALLOC_FAILED;
  h->magic = MAGIC;
  h->device = current_device();
  *handle = h;
  return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
  if (!handle_is_valid(handle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->magic = 0;
  free(handle);
  return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasSetStream_v2(cublasHandle_t handle,
                                      cudaStream_t stream)
{
  if (!handle_is_valid(handle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasGetStream_v2(cublasHandle_t handle,
                                      cudaStream_t *stream)
{
  if (!handle_is_valid(handle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (stream == NULL)
    return CUBLAS_STATUS_INVALID_VALUE;
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}

/* Work runs in the order of the calls: no workspace is needed. */
API cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace,
                                         size_t bytes)
{
  (void)workspace, (void)bytes;
  return handle_is_valid(handle) ? CUBLAS_STATUS_SUCCESS
                                 : CUBLAS_STATUS_NOT_INITIALIZED;
}

/* `offset` is a field's, an int or an enumeration. */
static cublasStatus_t set(cublasHandle_t handle, size_t offset, int value,
                          bool is_known)
{
  if (!handle_is_valid(handle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!is_known)
    return CUBLAS_STATUS_INVALID_VALUE;
  memcpy((char *)handle + offset, &value, sizeof value);
  return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t get(cublasHandle_t handle, size_t offset, int *value)
{
  if (!handle_is_valid(handle))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  if (value == NULL)
    return CUBLAS_STATUS_INVALID_VALUE;
  memcpy(value, (char *)handle + offset, sizeof *value);
  return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, int mode)
{
  return set(handle, FIELD(pointer_mode), mode,
             mode == CUBLAS_POINTER_MODE_HOST ||
                 mode == CUBLAS_POINTER_MODE_DEVICE);
}

API cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, int *mode)
{
  return get(handle, FIELD(pointer_mode), mode);
}

/* CUBLAS_DEFAULT_MATH, …PEDANTIC…, …TF32… and the flag against reductions of
 * lower precision: all of them give the same here. */
API cublasStatus_t cublasSetMathMode(cublasHandle_t handle, int mode)
{
  return set(handle, FIELD(math_mode), mode, (mode & ~0x1f) == 0);
}

API cublasStatus_t cublasGetMathMode(cublasHandle_t handle, int *mode)
{
  return get(handle, FIELD(math_mode), mode);
}

API cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, int mode)
{
  return set(handle, FIELD(atomics_mode), mode, mode == 0 || mode == 1);
}

API cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, int *mode)
{
  return get(handle, FIELD(atomics_mode), mode);
}

API cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int n)
{
  return set(handle, FIELD(multiprocessors), n, n >= 0);
}

API cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int *n)
{
  return get(handle, FIELD(multiprocessors), n);
}

API cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
  (void)handle;
  if (version == NULL)
    return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

API cublasStatus_t cublasGetProperty(int property, int *value)
{
  return status_version_part(property, value) ? CUBLAS_STATUS_SUCCESS
                                              : CUBLAS_STATUS_INVALID_VALUE;
}

API size_t cublasGetCudartVersion(void) { return CUBLAS_CUDART_VERSION; }

API const char *cublasGetStatusName(cublasStatus_t status)
{
  return status_name((int)status);
}

API const char *cublasGetStatusString(cublasStatus_t status)
{
  return status_text((int)status);
}
