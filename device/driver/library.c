/* cuLibrary… and cuKernel…: device code for all contexts. A kernel is the
 * same thing as its function. */
#include "jit.h"
#include "module.h"

static CUresult load(CUlibrary *library, const void *bytes, const char *path,
                     unsigned n, const int *options, void **values)
{
  struct jit jit;
  CUresult status = jit_read(&jit, n, options, values);
  if (library == NULL || (bytes == NULL && path == NULL))
    return CUDA_ERROR_INVALID_VALUE;
  if (status != CUDA_SUCCESS)
    return status;
  return module_open(library, NULL, bytes, path, jit.max_registers);
}

/* A library's own options are about code that is not made here. */
API CUresult cuLibraryLoadData(CUlibrary *library, const void *code,
                               const int *jit_options, void **jit_values,
                               unsigned n_jit, const int *options,
                               void **values, unsigned n)
{
  (void)options, (void)values, (void)n;
  SERVE_AFTER(DRIVER_INIT,
              load(library, code, NULL, n_jit, jit_options, jit_values));
}

API CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path,
                                   const int *jit_options, void **jit_values,
                                   unsigned n_jit, const int *options,
                                   void **values, unsigned n)
{
  (void)options, (void)values, (void)n;
  SERVE_AFTER(DRIVER_INIT,
              load(library, NULL, path, n_jit, jit_options, jit_values));
}

API CUresult cuLibraryUnload(CUlibrary library)
{
  SERVE_AFTER(DRIVER_INIT, module_close(library));
}

static CUresult get_kernel(CUkernel *kernel, CUlibrary library,
                           const char *name)
{
  if (kernel == NULL || name == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (!module_is_known(library))
    return CUDA_ERROR_INVALID_HANDLE;
  return module_function(library, name, kernel);
}

API CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library,
                                const char *name)
{
  SERVE_AFTER(DRIVER_INIT, get_kernel(kernel, library, name));
}

static CUresult get_global(CUdeviceptr *address, size_t *bytes,
                           CUlibrary library, const char *name)
{
  if (name == NULL || (address == NULL && bytes == NULL))
    return CUDA_ERROR_INVALID_VALUE;
  if (!module_is_known(library))
    return CUDA_ERROR_INVALID_HANDLE;
  return module_variable(library, name, address, bytes);
}

API CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes,
                                CUlibrary library, const char *name)
{
  SERVE_STATUS(get_global(address, bytes, library, name));
}

API CUresult cuLibraryGetManaged(CUdeviceptr *address, size_t *bytes,
                                 CUlibrary library, const char *name)
{
  SERVE_STATUS(get_global(address, bytes, library, name));
}

static CUresult get_module(CUmodule *module, CUlibrary library)
{
  if (module == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (!module_is_known(library))
    return CUDA_ERROR_INVALID_HANDLE;
  *module = library;
  return CUDA_SUCCESS;
}

API CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
  SERVE_STATUS(get_module(module, library));
}

static CUresult get_function(CUfunction *function, CUkernel kernel)
{
  if (function == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (registry_function(kernel) == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  *function = kernel;
  return CUDA_SUCCESS;
}

API CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
  SERVE_STATUS(get_function(function, kernel));
}

static CUresult get_library(CUlibrary *library, CUkernel kernel)
{
  struct driver_module *found = module_of(kernel);
  if (library == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (found == NULL)
    return CUDA_ERROR_INVALID_HANDLE;
  *library = found;
  return CUDA_SUCCESS;
}

API CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel)
{
  SERVE_AFTER(DRIVER_INIT, get_library(library, kernel));
}
