/* cuModule…: device code in the current context. */
#include <stdio.h>
#include <stdlib.h>

#include "module.h"

static CUresult load(CUmodule *module, const void *bytes, const char *path)
{
  if (module == NULL || (bytes == NULL && path == NULL))
    return CUDA_ERROR_INVALID_VALUE;
  return module_open(module, context_current(), bytes, path);
}

API CUresult cuModuleLoad(CUmodule *module, const char *path)
{
  SERVE_STATUS(load(module, NULL, path));
}

API CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
  SERVE_STATUS(load(module, image, NULL));
}

API CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
  SERVE_STATUS(load(module, image, NULL));
}

/* The options about the compiler's messages; all others are about code that
 * is not made here. */
struct logs {
  char *text[2]; /* information, errors */
  size_t bytes[2];
  void **bytes_slot[2]; /* where the program reads how much there was */
};

static void read_options(struct logs *logs, unsigned n, const int *options,
                         void **values)
{
  for (unsigned i = 0; i < n; i++)
    switch (options[i]) {
    case CU_JIT_INFO_LOG_BUFFER:
    case CU_JIT_ERROR_LOG_BUFFER:
      logs->text[options[i] == CU_JIT_ERROR_LOG_BUFFER] = values[i];
      break;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: {
      int error = options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES;
      logs->bytes[error] = (unsigned)(uintptr_t)values[i];
      logs->bytes_slot[error] = &values[i];
      break;
    }
    }
}

static void write_logs(const struct logs *logs, const char *message)
{
  const char *said[2] = { "", message };
  for (int i = 0; i < 2; i++) {
    int n = 0;
    if (logs->text[i] != NULL && logs->bytes[i] > 0)
      n = snprintf(logs->text[i], logs->bytes[i], "%s", said[i]);
    if ((size_t)n >= logs->bytes[i] && n > 0)
      n = (int)logs->bytes[i] - 1;
    if (logs->bytes_slot[i] != NULL)
      *logs->bytes_slot[i] = (void *)(uintptr_t)(n > 0 ? n + 1 : 0);
  }
}

static CUresult load_with(CUmodule *module, const void *image, unsigned n,
                          const int *options, void **values)
{
  struct logs logs = { { NULL, NULL }, { 0, 0 }, { NULL, NULL } };
  if (n > 0 && (options == NULL || values == NULL))
    return CUDA_ERROR_INVALID_VALUE;
  read_options(&logs, n, options, values);
  CUresult status = load(module, image, NULL);
  write_logs(&logs, status != CUDA_SUCCESS ? state_message() : "");
  return status;
}

API CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n,
                                const int *options, void **values)
{
  SERVE_STATUS(load_with(module, image, n, options, values));
}

static CUresult unload(CUmodule module)
{
  cudaError_t error = state_settle();
  return error != cudaSuccess ? status_of(error) : module_close(module);
}

API CUresult cuModuleUnload(CUmodule module) { SERVE_STATUS(unload(module)); }

static CUresult get_function(CUfunction *function, CUmodule module,
                             const char *name)
{
  if (function == NULL || name == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (!module_is_known(module))
    return CUDA_ERROR_INVALID_HANDLE;
  return module_function(module, name, function);
}

API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                                 const char *name)
{
  SERVE_STATUS(get_function(function, module, name));
}

static CUresult get_global(CUdeviceptr *address, size_t *bytes, CUmodule module,
                           const char *name)
{
  if (name == NULL || (address == NULL && bytes == NULL))
    return CUDA_ERROR_INVALID_VALUE;
  if (!module_is_known(module))
    return CUDA_ERROR_INVALID_HANDLE;
  return module_variable(module, name, address, bytes);
}

API CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *bytes,
                                  CUmodule module, const char *name)
{
  SERVE_STATUS(get_global(address, bytes, module, name));
}

API CUresult cuModuleGetLoadingMode(int *mode)
{
  const int lazy = 2;
  if (mode == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  *mode = lazy;
  return CUDA_SUCCESS;
}
