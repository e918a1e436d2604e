/* The calls of the runtime API in their forms for C++: with typed pointers,
 * kernels and symbols instead of void *. Each hands its arguments on. */
#ifndef SOFTDEVICE_HOST_CALLS_H
#define SOFTDEVICE_HOST_CALLS_H

/* --- execution ----------------------------------------------------------- */

template <typename T>
inline cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block,
                                    void **arguments, size_t shared_bytes = 0,
                                    cudaStream_t stream = 0)
{
  return cudaLaunchKernel((const void *)kernel, grid, block, arguments,
                          shared_bytes, stream);
}
template <typename T>
inline cudaError_t
cudaLaunchCooperativeKernel(T *kernel, dim3 grid, dim3 block, void **arguments,
                            size_t shared_bytes = 0, cudaStream_t stream = 0)
{
  return cudaLaunchCooperativeKernel((const void *)kernel, grid, block,
                                     arguments, shared_bytes, stream);
}
template <typename... EXPECTED, typename... GIVEN>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                      void (*kernel)(EXPECTED...),
                                      GIVEN &&...arguments)
{
  /* Converted to what the kernel takes, then passed by their addresses. */
  return [&](EXPECTED... converted) {
    void *addresses[] = { (void *)&converted..., nullptr };
    return cudaLaunchKernelExC(config, (const void *)kernel, addresses);
  }(static_cast<GIVEN &&>(arguments)...);
}
template <typename T>
inline cudaError_t cudaFuncSetCacheConfig(T *kernel, enum cudaFuncCache config)
{
  return cudaFuncSetCacheConfig((const void *)kernel, (int)config);
}
template <typename T>
inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes,
                                         T *kernel)
{
  return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <typename T>
inline cudaError_t
cudaFuncSetAttribute(T *kernel, enum cudaFuncAttribute attribute, int value)
{
  return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <typename T>
inline cudaError_t cudaFuncGetName(const char **name, T *kernel)
{
  return cudaFuncGetName(name, (const void *)kernel);
}
template <typename T>
inline cudaError_t cudaGetKernel(cudaKernel_t *handle, T *kernel)
{
  return cudaGetKernel(handle, (const void *)kernel);
}
template <typename T>
inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t *handle, T *kernel)
{
  return cudaGetFuncBySymbol(handle, (const void *)kernel);
}

/* --- occupancy ----------------------------------------------------------- */

template <typename T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *n_blocks, T kernel, int block_threads, size_t shared_bytes)
{
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      n_blocks, (const void *)kernel, block_threads, shared_bytes);
}
template <typename T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *n_blocks, T kernel, int block_threads, size_t shared_bytes,
    unsigned int flags)
{
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      n_blocks, (const void *)kernel, block_threads, shared_bytes, flags);
}
template <typename T>
inline cudaError_t
cudaOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes, T *kernel,
                                          int n_blocks, int block_threads)
{
  return cudaOccupancyAvailableDynamicSMemPerBlock(
      shared_bytes, (const void *)kernel, n_blocks, block_threads);
}
template <typename T>
inline cudaError_t
cudaOccupancyMaxActiveClusters(int *n_clusters, T *kernel,
                               const cudaLaunchConfig_t *config)
{
  return cudaOccupancyMaxActiveClusters(n_clusters, (const void *)kernel,
                                        config);
}
template <typename T>
inline cudaError_t
cudaOccupancyMaxPotentialClusterSize(int *size, T *kernel,
                                     const cudaLaunchConfig_t *config)
{
  return cudaOccupancyMaxPotentialClusterSize(size, (const void *)kernel,
                                              config);
}

/* The block size that fills a multiprocessor best: the largest of those with
 * which the most threads are resident, in steps of a warp. */
template <typename SHARED, typename T>
inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *min_grid, int *best_block,
                                               T kernel, SHARED shared_bytes_of,
                                               int limit = 0)
{
  int device, n_multiprocessors, most, best = 0;
  cudaFuncAttributes attributes;
  cudaError_t error;

  if ((error = cudaGetDevice(&device)) != cudaSuccess ||
      (error = cudaDeviceGetAttribute(&n_multiprocessors,
                                      cudaDevAttrMultiProcessorCount,
                                      device)) != cudaSuccess ||
      (error = cudaFuncGetAttributes(&attributes, kernel)) != cudaSuccess)
    return error;
  most = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < most)
    most = limit;
  for (int aligned = (most + 31) / 32 * 32; aligned > 0; aligned -= 32) {
    int threads = aligned < most ? aligned : most, blocks;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel, threads, shared_bytes_of(threads));
    if (error != cudaSuccess)
      return error;
    if (blocks * threads > best) {
      best = blocks * threads;
      *best_block = threads;
      *min_grid = blocks * n_multiprocessors;
    }
  }
  return cudaSuccess;
}
template <typename T>
inline cudaError_t
cudaOccupancyMaxPotentialBlockSize(int *min_grid, int *best_block, T kernel,
                                   size_t shared_bytes = 0, int limit = 0)
{
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      min_grid, best_block, kernel, [=](int) { return shared_bytes; }, limit);
}

/* --- memory -------------------------------------------------------------- */

template <typename T> inline cudaError_t cudaMalloc(T **address, size_t bytes)
{
  return cudaMalloc((void **)(void *)address, bytes);
}
template <typename T>
inline cudaError_t cudaMallocHost(T **address, size_t bytes,
                                  unsigned int flags = 0)
{
  return cudaHostAlloc((void **)(void *)address, bytes, flags);
}
template <typename T>
inline cudaError_t cudaHostAlloc(T **address, size_t bytes, unsigned int flags)
{
  return cudaHostAlloc((void **)(void *)address, bytes, flags);
}
template <typename T>
inline cudaError_t cudaHostGetDevicePointer(T **device, void *host,
                                            unsigned int flags)
{
  return cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <typename T>
inline cudaError_t cudaMallocManaged(T **address, size_t bytes,
                                     unsigned int flags = cudaMemAttachGlobal)
{
  return cudaMallocManaged((void **)(void *)address, bytes, flags);
}
template <typename T>
inline cudaError_t cudaMallocPitch(T **address, size_t *pitch, size_t width,
                                   size_t height)
{
  return cudaMallocPitch((void **)(void *)address, pitch, width, height);
}
template <typename T>
inline cudaError_t cudaMallocAsync(T **address, size_t bytes,
                                   cudaStream_t stream)
{
  return cudaMallocAsync((void **)(void *)address, bytes, stream);
}
template <typename T>
inline cudaError_t cudaMallocAsync(T **address, size_t bytes,
                                   cudaMemPool_t pool, cudaStream_t stream)
{
  return cudaMallocFromPoolAsync((void **)(void *)address, bytes, pool, stream);
}
template <typename T>
inline cudaError_t cudaMallocFromPoolAsync(T **address, size_t bytes,
                                           cudaMemPool_t pool,
                                           cudaStream_t stream)
{
  return cudaMallocFromPoolAsync((void **)(void *)address, bytes, pool, stream);
}
template <typename T>
inline cudaError_t
cudaStreamAttachMemAsync(cudaStream_t stream, T *address, size_t bytes = 0,
                         unsigned int flags = cudaMemAttachSingle)
{
  return cudaStreamAttachMemAsync(stream, (void *)address, bytes, flags);
}

/* --- symbols ------------------------------------------------------------- */

template <typename T>
inline cudaError_t cudaGetSymbolAddress(void **address, const T &symbol)
{
  return cudaGetSymbolAddress(address, (const void *)&symbol);
}
template <typename T>
inline cudaError_t cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
  return cudaGetSymbolSize(bytes, (const void *)&symbol);
}
template <typename T>
inline cudaError_t
cudaMemcpyToSymbol(const T &symbol, const void *source, size_t bytes,
                   size_t offset = 0,
                   enum cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
  return cudaMemcpyToSymbol((const void *)&symbol, source, bytes, offset, kind);
}
template <typename T>
inline cudaError_t cudaMemcpyToSymbolAsync(
    const T &symbol, const void *source, size_t bytes, size_t offset = 0,
    enum cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
  return cudaMemcpyToSymbolAsync((const void *)&symbol, source, bytes, offset,
                                 kind, stream);
}
template <typename T>
inline cudaError_t
cudaMemcpyFromSymbol(void *destination, const T &symbol, size_t bytes,
                     size_t offset = 0,
                     enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
  return cudaMemcpyFromSymbol(destination, (const void *)&symbol, bytes, offset,
                              kind);
}
template <typename T>
inline cudaError_t cudaMemcpyFromSymbolAsync(
    void *destination, const T &symbol, size_t bytes, size_t offset = 0,
    enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0)
{
  return cudaMemcpyFromSymbolAsync(destination, (const void *)&symbol, bytes,
                                   offset, kind, stream);
}

/* --- events and graphs --------------------------------------------------- */

inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
  return cudaEventCreateWithFlags(event, flags);
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec,
                                        cudaGraph_t graph,
                                        cudaGraphNode_t *error_node, char *log,
                                        size_t log_bytes)
{
  (void)error_node, (void)log, (void)log_bytes;
  return cudaGraphInstantiate(exec, graph, 0);
}

#endif
