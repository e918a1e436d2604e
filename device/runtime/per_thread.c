/* What a program compiled with --default-stream per-thread calls: variants of
 * which stream 0 means cudaStreamPerThread. */
#include "api.h"

static cudaStream_t own(cudaStream_t stream)
{
  return stream == NULL ? cudaStreamPerThread : stream;
}

/* name_ptsz with these parameters calls name with these arguments. */
#define PER_THREAD(name, parameters, arguments)                                \
  API cudaError_t name##_ptsz parameters;                                      \
  cudaError_t name##_ptsz parameters { return name arguments; }

PER_THREAD(cudaMallocAsync, (void **address, size_t bytes, cudaStream_t stream),
           (address, bytes, own(stream)))

PER_THREAD(cudaFreeAsync, (void *address, cudaStream_t stream),
           (address, own(stream)))

PER_THREAD(cudaMallocFromPoolAsync,
           (void **address, size_t bytes, cudaMemPool_t pool,
            cudaStream_t stream),
           (address, bytes, pool, own(stream)))

PER_THREAD(cudaMemcpyToSymbolAsync,
           (const void *symbol, const void *source, size_t bytes, size_t offset,
            enum cudaMemcpyKind kind, cudaStream_t stream),
           (symbol, source, bytes, offset, kind, own(stream)))

PER_THREAD(cudaMemcpyFromSymbolAsync,
           (void *destination, const void *symbol, size_t bytes, size_t offset,
            enum cudaMemcpyKind kind, cudaStream_t stream),
           (destination, symbol, bytes, offset, kind, own(stream)))

PER_THREAD(cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream),
           (exec, own(stream)))

PER_THREAD(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream),
           (exec, own(stream)))

PER_THREAD(cudaGraphInstantiateWithParams,
           (cudaGraphExec_t * exec, cudaGraph_t graph,
            cudaGraphInstantiateParams *parameters),
           (exec, graph, parameters))

PER_THREAD(cudaStreamIsCapturing, (cudaStream_t stream, int *status),
           (own(stream), status))

PER_THREAD(cudaStreamBeginCapture,
           (cudaStream_t stream, enum cudaStreamCaptureMode mode),
           (own(stream), mode))

PER_THREAD(cudaStreamBeginCaptureToGraph,
           (cudaStream_t stream, cudaGraph_t graph,
            const cudaGraphNode_t *before, const cudaGraphEdgeData *data,
            size_t n_before, enum cudaStreamCaptureMode mode),
           (own(stream), graph, before, data, n_before, mode))

PER_THREAD(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph),
           (own(stream), graph))

PER_THREAD(cudaStreamGetCaptureInfo,
           (cudaStream_t stream, enum cudaStreamCaptureStatus *status,
            unsigned long long *id, cudaGraph_t *graph,
            const cudaGraphNode_t **before, const cudaGraphEdgeData **data,
            size_t *n_before),
           (own(stream), status, id, graph, before, data, n_before))

PER_THREAD(cudaMemsetAsync,
           (void *address, int value, size_t bytes, cudaStream_t stream),
           (address, value, bytes, own(stream)))

PER_THREAD(cudaMemset2DAsync,
           (void *address, size_t pitch, int value, size_t width, size_t height,
            cudaStream_t stream),
           (address, pitch, value, width, height, own(stream)))

PER_THREAD(cudaMemset3DAsync,
           (struct cudaPitchedPtr pitched, int value, struct cudaExtent extent,
            cudaStream_t stream),
           (pitched, value, extent, own(stream)))

PER_THREAD(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream),
           (event, own(stream)))

PER_THREAD(cudaEventRecordWithFlags,
           (cudaEvent_t event, cudaStream_t stream, unsigned flags),
           (event, own(stream), flags))

PER_THREAD(cudaStreamWaitEvent,
           (cudaStream_t stream, cudaEvent_t event, unsigned flags),
           (own(stream), event, flags))

PER_THREAD(cudaStreamSynchronize, (cudaStream_t stream), (own(stream)))

PER_THREAD(cudaStreamQuery, (cudaStream_t stream), (own(stream)))

PER_THREAD(cudaStreamGetFlags, (cudaStream_t stream, unsigned *flags),
           (own(stream), flags))

PER_THREAD(cudaStreamGetPriority, (cudaStream_t stream, int *priority),
           (own(stream), priority))

PER_THREAD(cudaStreamGetId, (cudaStream_t stream, unsigned long long *id),
           (own(stream), id))

PER_THREAD(cudaStreamGetDevice, (cudaStream_t stream, int *device),
           (own(stream), device))

PER_THREAD(cudaStreamAttachMemAsync,
           (cudaStream_t stream, void *address, size_t bytes, unsigned flags),
           (own(stream), address, bytes, flags))

PER_THREAD(cudaLaunchHostFunc,
           (cudaStream_t stream, cudaHostFn *function, void *user_data),
           (own(stream), function, user_data))

PER_THREAD(cudaStreamAddCallback,
           (cudaStream_t stream, cudaStreamCallback *callback, void *user_data,
            unsigned flags),
           (own(stream), callback, user_data, flags))

PER_THREAD(cudaMemcpy2DToArrayAsync,
           (cudaArray_t destination, size_t x, size_t y, const void *source,
            size_t pitch, size_t width, size_t height, enum cudaMemcpyKind kind,
            cudaStream_t stream),
           (destination, x, y, source, pitch, width, height, kind, own(stream)))

PER_THREAD(cudaMemcpy2DFromArrayAsync,
           (void *destination, size_t pitch, cudaArray_t source, size_t x,
            size_t y, size_t width, size_t height, enum cudaMemcpyKind kind,
            cudaStream_t stream),
           (destination, pitch, source, x, y, width, height, kind, own(stream)))

PER_THREAD(cudaMemcpyToArrayAsync,
           (cudaArray_t destination, size_t x, size_t y, const void *source,
            size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
           (destination, x, y, source, bytes, kind, own(stream)))

PER_THREAD(cudaMemcpyFromArrayAsync,
           (void *destination, cudaArray_t source, size_t x, size_t y,
            size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
           (destination, source, x, y, bytes, kind, own(stream)))

PER_THREAD(cudaMemcpyAsync,
           (void *destination, const void *source, size_t bytes,
            enum cudaMemcpyKind kind, cudaStream_t stream),
           (destination, source, bytes, kind, own(stream)))

PER_THREAD(cudaMemcpy2DAsync,
           (void *destination, size_t destination_pitch, const void *source,
            size_t source_pitch, size_t width, size_t height,
            enum cudaMemcpyKind kind, cudaStream_t stream),
           (destination, destination_pitch, source, source_pitch, width, height,
            kind, own(stream)))

PER_THREAD(cudaMemcpy3DAsync,
           (const struct cudaMemcpy3DParms *copy, cudaStream_t stream),
           (copy, own(stream)))

PER_THREAD(__cudaLaunchKernel,
           (cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments,
            size_t shared_bytes, cudaStream_t stream),
           (kernel, grid, block, arguments, shared_bytes, own(stream)))

PER_THREAD(cudaLaunchKernel,
           (const void *host, dim3 grid, dim3 block, void **arguments,
            size_t shared_bytes, cudaStream_t stream),
           (host, grid, block, arguments, shared_bytes, own(stream)))

PER_THREAD(cudaLaunchCooperativeKernel,
           (const void *host, dim3 grid, dim3 block, void **arguments,
            size_t shared_bytes, cudaStream_t stream),
           (host, grid, block, arguments, shared_bytes, own(stream)))

PER_THREAD(cudaMemPrefetchAsync,
           (const void *address, size_t bytes, struct cudaMemLocation location,
            unsigned flags, cudaStream_t stream),
           (address, bytes, location, flags, own(stream)))

PER_THREAD(cudaMemcpyBatchAsync,
           (void *const *destinations, const void *const *sources,
            const size_t *sizes, size_t n,
            struct cudaMemcpyAttributes *attributes, size_t *starts,
            size_t n_attributes, cudaStream_t stream),
           (destinations, sources, sizes, n, attributes, starts, n_attributes,
            own(stream)))

PER_THREAD(cudaMemcpy3DBatchAsync,
           (size_t n, struct cudaMemcpy3DBatchOp *copies,
            unsigned long long flags, cudaStream_t stream),
           (n, copies, flags, own(stream)))

PER_THREAD(cudaMemPrefetchBatchAsync,
           (void **addresses, size_t *sizes, size_t n,
            struct cudaMemLocation *locations, size_t *starts,
            size_t n_locations, unsigned long long flags, cudaStream_t stream),
           (addresses, sizes, n, locations, starts, n_locations, flags,
            own(stream)))

PER_THREAD(cudaMemDiscardBatchAsync,
           (void **addresses, size_t *sizes, size_t n, unsigned long long flags,
            cudaStream_t stream),
           (addresses, sizes, n, flags, own(stream)))

PER_THREAD(cudaMemDiscardAndPrefetchBatchAsync,
           (void **addresses, size_t *sizes, size_t n,
            struct cudaMemLocation *locations, size_t *starts,
            size_t n_locations, unsigned long long flags, cudaStream_t stream),
           (addresses, sizes, n, locations, starts, n_locations, flags,
            own(stream)))

PER_THREAD(cudaMemcpy3DPeerAsync,
           (const struct cudaMemcpy3DPeerParms *copy, cudaStream_t stream),
           (copy, own(stream)))

PER_THREAD(cudaStreamSetAttribute,
           (cudaStream_t stream, enum cudaLaunchAttributeID attribute,
            const cudaLaunchAttributeValue *value),
           (own(stream), attribute, value))

PER_THREAD(cudaStreamGetAttribute,
           (cudaStream_t stream, enum cudaLaunchAttributeID attribute,
            cudaLaunchAttributeValue *value),
           (own(stream), attribute, value))

PER_THREAD(cudaStreamCopyAttributes, (cudaStream_t to, cudaStream_t from),
           (own(to), own(from)))

API cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config,
                                         const void *host, void **arguments);
cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config,
                                     const void *host, void **arguments)
{
  cudaLaunchConfig_t same;
  if (config == NULL)
    return cudaLaunchKernelExC(NULL, host, arguments);
  same = *config;
  same.stream = own(config->stream);
  return cudaLaunchKernelExC(&same, host, arguments);
}
