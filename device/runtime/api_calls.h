/* The calls that the software device serves, by area. Every other name of
 * exports.txt answers cudaErrorNotSupported. */
#ifndef DEVICE_RUNTIME_API_CALLS_H
#define DEVICE_RUNTIME_API_CALLS_H

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
API cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host);
API cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *host);
API cudaError_t cudaGetFuncBySymbol(cudaKernel_t *function, const void *host);

/* launch.c */
API unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block,
                                         size_t shared_bytes,
                                         cudaStream_t stream);
API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block,
                                           size_t *shared_bytes, void *stream);
API cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block,
                                   void **arguments, size_t shared_bytes,
                                   cudaStream_t stream);
API cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block,
                                 void **arguments, size_t shared_bytes,
                                 cudaStream_t stream);
API cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
                                    const void *host, void **arguments);
API cudaError_t cudaLaunchCooperativeKernel(const void *host, dim3 grid,
                                            dim3 block, void **arguments,
                                            size_t shared_bytes,
                                            cudaStream_t stream);

/* function.c */
API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                      const void *host);
API cudaError_t cudaFuncSetAttribute(const void *host,
                                     enum cudaFuncAttribute attribute,
                                     int value);
API cudaError_t cudaFuncSetCacheConfig(const void *host, int config);
API cudaError_t cudaFuncGetName(const char **name, const void *host);
API cudaError_t cudaFuncGetParamInfo(const void *host, size_t index,
                                     size_t *offset, size_t *bytes);

/* occupancy.c */
API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *n_blocks, const void *host, int block_threads, size_t dynamic_bytes);
API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *n_blocks, const void *host, int block_threads, size_t dynamic_bytes,
    unsigned flags);
API cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamic_bytes,
                                                          const void *host,
                                                          int n_blocks,
                                                          int block_threads);
API cudaError_t cudaOccupancyMaxActiveClusters(
    int *n_clusters, const void *host, const cudaLaunchConfig_t *config);
API cudaError_t cudaOccupancyMaxPotentialClusterSize(
    int *size, const void *host, const cudaLaunchConfig_t *config);

/* device.c, attribute.c, limit.c, peer.c */
API cudaError_t cudaGetDeviceCount(int *count);
API cudaError_t cudaSetDevice(int device);
API cudaError_t cudaGetDevice(int *device);
API cudaError_t cudaInitDevice(int device, unsigned device_flags,
                               unsigned flags);
API cudaError_t cudaSetValidDevices(int *devices, int n);
API cudaError_t cudaSetDeviceFlags(unsigned flags);
API cudaError_t cudaGetDeviceFlags(unsigned *flags);
API cudaError_t cudaDeviceSynchronize(void);
API cudaError_t cudaDeviceReset(void);
API cudaError_t cudaDriverGetVersion(int *version);
API cudaError_t cudaRuntimeGetVersion(int *version);
API cudaError_t cudaProfilerStart(void);
API cudaError_t cudaProfilerStop(void);
API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties,
                                        int device);
API cudaError_t cudaChooseDevice(int *device,
                                 const struct cudaDeviceProp *wanted);
API cudaError_t cudaDeviceGetAttribute(int *value,
                                       enum cudaDeviceAttr attribute,
                                       int device);
API cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int device);
API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text);
API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
API cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
API cudaError_t cudaDeviceSetCacheConfig(int config);
API cudaError_t cudaDeviceGetCacheConfig(int *config);
API cudaError_t cudaDeviceSetSharedMemConfig(int config);
API cudaError_t cudaDeviceGetSharedMemConfig(int *config);
API cudaError_t cudaFuncSetSharedMemConfig(const void *host, int config);
API cudaError_t cudaCtxResetPersistingL2Cache(void);
API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
API cudaError_t cudaDeviceDisablePeerAccess(int peer);
API cudaError_t cudaDeviceGetP2PAttribute(int *value, int attribute, int source,
                                          int destination);

/* allocate.c, host.c, pool.c */
API cudaError_t cudaMalloc(void **address, size_t bytes);
API cudaError_t cudaFree(void *address);
API cudaError_t cudaMallocManaged(void **address, size_t bytes, unsigned flags);
API cudaError_t cudaMallocPitch(void **address, size_t *pitch, size_t width,
                                size_t height);
API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pitched,
                             struct cudaExtent extent);
API cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
API cudaError_t cudaMallocHost(void **address, size_t bytes);
API cudaError_t cudaHostAlloc(void **address, size_t bytes, unsigned flags);
API cudaError_t cudaFreeHost(void *address);
API cudaError_t cudaHostRegister(void *address, size_t bytes, unsigned flags);
API cudaError_t cudaHostUnregister(void *address);
API cudaError_t cudaHostGetDevicePointer(void **device, void *host,
                                         unsigned flags);
API cudaError_t cudaHostGetFlags(unsigned *flags, void *address);
API cudaError_t cudaPointerGetAttributes(
    struct cudaPointerAttributes *attributes, const void *address);
API cudaError_t cudaMallocAsync(void **address, size_t bytes,
                                cudaStream_t stream);
API cudaError_t cudaMallocFromPoolAsync(void **address, size_t bytes,
                                        cudaMemPool_t pool,
                                        cudaStream_t stream);
API cudaError_t cudaFreeAsync(void *address, cudaStream_t stream);
API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
API cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *pool,
                                         struct cudaMemLocation *location,
                                         int type);
API cudaError_t cudaMemGetMemPool(cudaMemPool_t *pool,
                                  struct cudaMemLocation *location, int type);
API cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, int type,
                                  cudaMemPool_t pool);
API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool);
API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
                                        enum cudaMemPoolAttr attribute,
                                        void *value);
API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
                                        enum cudaMemPoolAttr attribute,
                                        void *value);
API cudaError_t cudaDeviceGetGraphMemAttribute(int device, int attribute,
                                               void *value);
API cudaError_t cudaDeviceSetGraphMemAttribute(int device, int attribute,
                                               void *value);
API cudaError_t cudaDeviceGraphMemTrim(int device);

/* copy.c, copy_pitched.c, set.c, symbol.c */
API cudaError_t cudaMemcpy(void *destination, const void *source, size_t bytes,
                           enum cudaMemcpyKind kind);
API cudaError_t cudaMemcpyAsync(void *destination, const void *source,
                                size_t bytes, enum cudaMemcpyKind kind,
                                cudaStream_t stream);
API cudaError_t cudaMemcpyPeer(void *destination, int destination_device,
                               const void *source, int source_device,
                               size_t bytes);
API cudaError_t cudaMemcpyPeerAsync(void *destination, int destination_device,
                                    const void *source, int source_device,
                                    size_t bytes, cudaStream_t stream);
API cudaError_t cudaMemcpy2D(void *destination, size_t destination_pitch,
                             const void *source, size_t source_pitch,
                             size_t width, size_t height,
                             enum cudaMemcpyKind kind);
API cudaError_t cudaMemcpy2DAsync(void *destination, size_t destination_pitch,
                                  const void *source, size_t source_pitch,
                                  size_t width, size_t height,
                                  enum cudaMemcpyKind kind,
                                  cudaStream_t stream);
API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy);
API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy,
                                  cudaStream_t stream);
API cudaError_t cudaMemset(void *address, int value, size_t bytes);
API cudaError_t cudaMemsetAsync(void *address, int value, size_t bytes,
                                cudaStream_t stream);
API cudaError_t cudaMemset2D(void *address, size_t pitch, int value,
                             size_t width, size_t height);
API cudaError_t cudaMemset2DAsync(void *address, size_t pitch, int value,
                                  size_t width, size_t height,
                                  cudaStream_t stream);
API cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value,
                             struct cudaExtent extent);
API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value,
                                  struct cudaExtent extent,
                                  cudaStream_t stream);
API cudaError_t cudaGetSymbolAddress(void **address, const void *symbol);
API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol);
API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *source,
                                   size_t bytes, size_t offset,
                                   enum cudaMemcpyKind kind);
API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *source,
                                        size_t bytes, size_t offset,
                                        enum cudaMemcpyKind kind,
                                        cudaStream_t stream);
API cudaError_t cudaMemcpyFromSymbol(void *destination, const void *symbol,
                                     size_t bytes, size_t offset,
                                     enum cudaMemcpyKind kind);
API cudaError_t cudaMemcpyFromSymbolAsync(void *destination, const void *symbol,
                                          size_t bytes, size_t offset,
                                          enum cudaMemcpyKind kind,
                                          cudaStream_t stream);

/* stream.c, event.c */
API cudaError_t cudaStreamCreate(cudaStream_t *stream);
API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream,
                                             unsigned flags, int priority);
API cudaError_t cudaStreamDestroy(cudaStream_t stream);
API cudaError_t cudaStreamSynchronize(cudaStream_t stream);
API cudaError_t cudaStreamQuery(cudaStream_t stream);
API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                    unsigned flags);
API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags);
API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
API cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
API cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device);
API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, int *status);
API cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                      cudaStreamCallback *callback,
                                      void *user_data, unsigned flags);
API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *address,
                                         size_t bytes, unsigned flags);
API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn *function,
                                   void *user_data);
API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);

/* stream_attribute.c */
API cudaError_t cudaStreamSetAttribute(cudaStream_t stream,
                                       enum cudaLaunchAttributeID attribute,
                                       const cudaLaunchAttributeValue *value);
API cudaError_t cudaStreamGetAttribute(cudaStream_t stream,
                                       enum cudaLaunchAttributeID attribute,
                                       cudaLaunchAttributeValue *value);
API cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);

API cudaError_t cudaEventCreate(cudaEvent_t *event);
API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
API cudaError_t cudaEventDestroy(cudaEvent_t event);
API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                         unsigned flags);
API cudaError_t cudaEventQuery(cudaEvent_t event);
API cudaError_t cudaEventSynchronize(cudaEvent_t event);
API cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start,
                                     cudaEvent_t end);

/* channel.c */
API struct cudaChannelFormatDesc
cudaCreateChannelDesc(int x, int y, int z, int w,
                      enum cudaChannelFormatKind kind);

/* A program compiled with --default-stream per-thread calls variants with a
 * suffix. They do the same here: every operation is done when the call
 * returns, whatever its stream. Use after the definition. */
#define SAME_AS(function, variant)                                             \
  API __typeof__(function) variant __attribute__((alias(#function)))

#endif
