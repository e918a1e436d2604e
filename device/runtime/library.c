/* cudaLibrary…: device code that is loaded while the program runs. The driver
 * API has the same calls, with the same values for errors; they do it. */
#include "driver_entry.h"
#include "../core/state.h"
#include "error.h"

/* Calls `name` of the driver with parameters of these types. */
#define DRIVER(name, types, arguments)                                         \
  do {                                                                         \
    int(*function) types;                                                      \
    cudaError_t error = state_settle();                                        \
    *(void **)&function = driver_function(name);                               \
    if (error == cudaSuccess)                                                  \
      error = function == NULL ? cudaErrorNotSupported                         \
                               : (cudaError_t)function arguments;              \
    return error_leave(error);                                                 \
  } while (0)

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                int *jit_options, void **jit_values,
                                unsigned n_jit, int *options, void **values,
                                unsigned n)
{
  DRIVER("cuLibraryLoadData",
         (cudaLibrary_t *, const void *, int *, void **, unsigned, int *,
          void **, unsigned),
         (library, code, jit_options, jit_values, n_jit, options, values, n));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path,
                                    int *jit_options, void **jit_values,
                                    unsigned n_jit, int *options, void **values,
                                    unsigned n)
{
  DRIVER("cuLibraryLoadFromFile",
         (cudaLibrary_t *, const char *, int *, void **, unsigned, int *,
          void **, unsigned),
         (library, path, jit_options, jit_values, n_jit, options, values, n));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library)
{
  DRIVER("cuLibraryUnload", (cudaLibrary_t), (library));
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library,
                                 const char *name)
{
  DRIVER("cuLibraryGetKernel", (cudaKernel_t *, cudaLibrary_t, const char *),
         (kernel, library, name));
}

/* A device address is as wide as a pointer. */
cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes,
                                 cudaLibrary_t library, const char *name)
{
  DRIVER("cuLibraryGetGlobal", (void **, size_t *, cudaLibrary_t, const char *),
         (address, bytes, library, name));
}

cudaError_t cudaLibraryGetManaged(void **address, size_t *bytes,
                                  cudaLibrary_t library, const char *name)
{
  DRIVER("cuLibraryGetManaged",
         (void **, size_t *, cudaLibrary_t, const char *),
         (address, bytes, library, name));
}

cudaError_t cudaLibraryGetUnifiedFunction(void **function_of,
                                          cudaLibrary_t library,
                                          const char *name)
{
  DRIVER("cuLibraryGetUnifiedFunction", (void **, cudaLibrary_t, const char *),
         (function_of, library, name));
}

cudaError_t cudaLibraryGetKernelCount(unsigned *n, cudaLibrary_t library)
{
  DRIVER("cuLibraryGetKernelCount", (unsigned *, cudaLibrary_t), (n, library));
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned n,
                                        cudaLibrary_t library)
{
  DRIVER("cuLibraryEnumerateKernels", (cudaKernel_t *, unsigned, cudaLibrary_t),
         (kernels, n, library));
}
