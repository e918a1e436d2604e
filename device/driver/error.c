/* Error codes as text, and the runtime API's codes as the driver's. */
#include "driver.h"

static const struct error_entry {
  CUresult code;
  const char *name, *text;
} errors[] = {
#define ERROR(code, name, text) { name, #name, text },
#include "errors.def"
};

static const struct error_entry *find_error(int code)
{
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if ((int)errors[i].code == code)
      return &errors[i];
  return NULL;
}

API CUresult cuGetErrorName(CUresult error, const char **name)
{
  const struct error_entry *entry = find_error((int)error);
  if (name == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *name = entry != NULL ? entry->name : NULL;
  return entry != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

API CUresult cuGetErrorString(CUresult error, const char **text)
{
  const struct error_entry *entry = find_error((int)error);
  if (text == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *text = entry != NULL ? entry->text : NULL;
  return entry != NULL ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* Most codes are the same number in both APIs. */
CUresult status_of(cudaError_t error)
{
  switch (error) {
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidPitchValue:
  case cudaErrorInvalidChannelDescriptor:
  case cudaErrorInvalidFilterSetting:
  case cudaErrorInvalidNormSetting:
  case cudaErrorInvalidHostPointer:
  case cudaErrorInvalidDevicePointer:
  case cudaErrorInvalidMemcpyDirection:
  case cudaErrorMissingConfiguration: return CUDA_ERROR_INVALID_VALUE;
  case cudaErrorInvalidSymbol: return CUDA_ERROR_NOT_FOUND;
  case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
  default:
    return find_error((int)error) != NULL ? (CUresult)error
                                          : CUDA_ERROR_UNKNOWN;
  }
}
