/* The calls of the CUDA runtime API that the software device serves. Every
 * other name of exports.def answers cudaErrorNotSupported.
 * tests/device/runtime/layout compares them with the toolkit's header. */
#ifndef DEVICE_RUNTIME_API_H
#define DEVICE_RUNTIME_API_H

#include "../core/types.h"
#include "../support/exported.h"

/* calls.c */
#define CALL(name, parameters, function, arguments)                            \
  API cudaError_t name parameters;
#include "../core/calls.def"

/* error.c */
API cudaError_t cudaGetLastError(void);
API cudaError_t cudaPeekAtLastError(void);
API const char *cudaGetErrorName(cudaError_t error);
API const char *cudaGetErrorString(cudaError_t error);

/* registration.c: what nvcc's generated code calls before main */
API void **__cudaRegisterFatBinary(void *wrapper);
API void __cudaRegisterFatBinaryEnd(void **handle);
API void __cudaUnregisterFatBinary(void **handle);
API void __cudaRegisterFunction(void **handle, const char *host_function,
                                char *device_function, const char *name,
                                int thread_limit, void *tid, void *bid,
                                dim3 *block, dim3 *grid, int *warp_size);
API void __cudaRegisterVar(void **handle, char *host_variable,
                           char *device_address, const char *name, int ext,
                           size_t bytes, int constant, int global);
API void __cudaRegisterManagedVar(void **handle, void **host_variable,
                                  char *device_address, const char *name,
                                  int ext, size_t bytes, int constant,
                                  int global);
API char __cudaInitModule(void **handle);

/* configuration.c: what a launch with <<<…>>> compiles to */
API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                         size_t shared_bytes,
                                         cudaStream_t stream);
API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block,
                                           size_t *shared_bytes, void *stream);
API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                                   void **arguments, size_t shared_bytes,
                                   cudaStream_t stream);

/* channel.c */
API struct cudaChannelFormatDesc
cudaCreateChannelDesc(int x, int y, int z, int w,
                      enum cudaChannelFormatKind kind);

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

/* driver_entry.c */
API cudaError_t cudaGetDriverEntryPoint(
    const char *name, void **function, unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *status);
API cudaError_t cudaGetDriverEntryPointByVersion(
    const char *name, void **function, unsigned version,
    unsigned long long flags, enum cudaDriverEntryPointQueryResult *status);

#endif
