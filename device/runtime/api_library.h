/* Libraries of device code, and the driver's functions. */
#ifndef DEVICE_RUNTIME_API_LIBRARY_H
#define DEVICE_RUNTIME_API_LIBRARY_H

typedef struct driver_module *cudaLibrary_t;

enum cudaDriverEntryPointQueryResult {
  cudaDriverEntryPointSuccess,
  cudaDriverEntryPointSymbolNotFound,
  cudaDriverEntryPointVersionNotSufficent
};
enum {
  cudaEnableDefault,
  cudaEnableLegacyStream,
  cudaEnablePerThreadDefaultStream
};

/* library.c */
API cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code,
                                    int *jit_options, void **jit_values,
                                    unsigned n_jit, int *options, void **values,
                                    unsigned n);
API cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library,
                                        const char *path, int *jit_options,
                                        void **jit_values, unsigned n_jit,
                                        int *options, void **values,
                                        unsigned n);
API cudaError_t cudaLibraryUnload(cudaLibrary_t library);
API cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel,
                                     cudaLibrary_t library, const char *name);
API cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes,
                                     cudaLibrary_t library, const char *name);
API cudaError_t cudaLibraryGetManaged(void **address, size_t *bytes,
                                      cudaLibrary_t library, const char *name);
API cudaError_t cudaLibraryGetUnifiedFunction(void **function,
                                              cudaLibrary_t library,
                                              const char *name);
API cudaError_t cudaLibraryGetKernelCount(unsigned *n, cudaLibrary_t library);
API cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned n,
                                            cudaLibrary_t library);

/* function.c */
API cudaError_t cudaKernelSetAttributeForDevice(
    cudaKernel_t kernel, enum cudaFuncAttribute attribute, int value,
    int device);

/* driver_entry.c */
API cudaError_t cudaGetDriverEntryPoint(
    const char *name, void **function, unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *status);
API cudaError_t cudaGetDriverEntryPointByVersion(
    const char *name, void **function, unsigned version,
    unsigned long long flags, enum cudaDriverEntryPointQueryResult *status);

#endif
