/* The last error of a thread, and error codes as text. */
#include "error.h"

#include "../core/api_check.h"

static _Thread_local cudaError_t last;

cudaError_t error_leave_from(cudaError_t error, const char *call)
{
  if (error != cudaSuccess) {
    last = error;
    api_check_error(error, call);
  }
  return error;
}

/* If you ask for a name or a text, you have looked at the error. */
const char *cudaGetErrorName(cudaError_t error)
{
  if (error != cudaSuccess)
    api_check_seen();
  return error_name(error);
}

const char *cudaGetErrorString(cudaError_t error)
{
  if (error != cudaSuccess)
    api_check_seen();
  return error_text(error);
}

cudaError_t cudaPeekAtLastError(void)
{
  api_check_seen();
  return last;
}

/* A sticky error, too, is forgotten here: the next call brings it back. */
cudaError_t cudaGetLastError(void)
{
  cudaError_t error = last;
  api_check_seen();
  last = cudaSuccess;
  return error;
}
