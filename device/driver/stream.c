/* Streams are the runtime API's. */
#include <stdlib.h>

#include "context.h"
#include "../support/host_memory.h"

API CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
  SERVE(cudaStreamCreateWithFlags(stream, flags));
}

API CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags,
                                        int priority)
{
  SERVE(cudaStreamCreateWithPriority(stream, flags, priority));
}

API CUresult cuStreamDestroy_v2(CUstream stream)
{
  SERVE(cudaStreamDestroy(stream));
}

API CUresult cuStreamSynchronize(CUstream stream)
{
  SERVE(cudaStreamSynchronize(stream));
}

API CUresult cuStreamQuery(CUstream stream) { SERVE(cudaStreamQuery(stream)); }

API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
  SERVE(cudaStreamWaitEvent(stream, event, flags));
}

API CUresult cuStreamGetFlags(CUstream stream, unsigned *flags)
{
  SERVE(cudaStreamGetFlags(stream, flags));
}

API CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
  SERVE(cudaStreamGetPriority(stream, priority));
}

API CUresult cuStreamGetId(CUstream stream, unsigned long long *id)
{
  SERVE(cudaStreamGetId(stream, id));
}

API CUresult cuStreamGetDevice(CUstream stream, CUdevice *device)
{
  SERVE(cudaStreamGetDevice(stream, device));
}

API CUresult cuStreamIsCapturing(CUstream stream, int *status)
{
  SERVE(cudaStreamIsCapturing(stream, status));
}

API CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address,
                                    size_t bytes, unsigned flags)
{
  SERVE(cudaStreamAttachMemAsync(stream, pointer_of(address), bytes, flags));
}

/* The context that a stream was made in is known by its device only. */
static CUresult get_context(CUstream stream, CUcontext *context)
{
  struct context *current = context_current();
  if (context == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (!core.stream_is_valid(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  int device = core.stream_device(stream);
  *context = current->device == device ? current : context_primary(device);
  return CUDA_SUCCESS;
}

API CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
  SERVE_STATUS(get_context(stream, context));
}

/* A host function is the program's own code: while it runs, calls of the
 * runtime API are its calls again. */
struct host_call {
  CUhostFn *function;
  CUstreamCallback *callback;
  void *user_data;
};

static void call_host(void *data)
{
  struct host_call call = *(struct host_call *)data;
  free(data);
  core.take_back();
  call.function(call.user_data);
  core.lend("cuLaunchHostFunc");
}

static void call_back(CUstream stream, cudaError_t error, void *data)
{
  struct host_call call = *(struct host_call *)data;
  free(data);
  core.take_back();
  call.callback(stream, status_of(error), call.user_data);
  core.lend("cuStreamAddCallback");
}

static struct host_call *new_call(CUhostFn *function,
                                  CUstreamCallback *callback, void *user_data)
{
  struct host_call *call = host_try_new(1, sizeof *call);
  if (call != NULL)
    *call = (struct host_call){ function, callback, user_data };
  return call;
}

static CUresult launch_host(CUstream stream, CUhostFn *function,
                            void *user_data)
{
  if (function == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (!core.stream_is_valid(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  struct host_call *call = new_call(function, NULL, user_data);
  if (call == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  return status_of(cudaLaunchHostFunc(stream, call_host, call));
}

API CUresult cuLaunchHostFunc(CUstream stream, CUhostFn *function,
                              void *user_data)
{
  SERVE_STATUS(launch_host(stream, function, user_data));
}

static CUresult add_callback(CUstream stream, CUstreamCallback *callback,
                             void *user_data, unsigned flags)
{
  if (callback == NULL || flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (!core.stream_is_valid(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  struct host_call *call = new_call(NULL, callback, user_data);
  if (call == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  return status_of(cudaStreamAddCallback(stream, call_back, call, 0));
}

API CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback *callback,
                                 void *user_data, unsigned flags)
{
  SERVE_STATUS(add_callback(stream, callback, user_data, flags));
}

/* Attributes have the runtime API's numbers. */
API CUresult cuStreamSetAttribute(CUstream stream,
                                  enum cudaLaunchAttributeID attribute,
                                  const cudaLaunchAttributeValue *value)
{
  SERVE(cudaStreamSetAttribute(stream, attribute, value));
}

API CUresult cuStreamGetAttribute(CUstream stream,
                                  enum cudaLaunchAttributeID attribute,
                                  cudaLaunchAttributeValue *value)
{
  SERVE(cudaStreamGetAttribute(stream, attribute, value));
}

API CUresult cuStreamCopyAttributes(CUstream to, CUstream from)
{
  SERVE(cudaStreamCopyAttributes(to, from));
}

PER_THREAD(cuStreamSetAttribute, cuStreamSetAttribute_ptsz);
PER_THREAD(cuStreamGetAttribute, cuStreamGetAttribute_ptsz);
PER_THREAD(cuStreamCopyAttributes, cuStreamCopyAttributes_ptsz);
PER_THREAD(cuStreamSynchronize, cuStreamSynchronize_ptsz);
PER_THREAD(cuStreamQuery, cuStreamQuery_ptsz);
PER_THREAD(cuStreamWaitEvent, cuStreamWaitEvent_ptsz);
PER_THREAD(cuStreamGetFlags, cuStreamGetFlags_ptsz);
PER_THREAD(cuStreamGetPriority, cuStreamGetPriority_ptsz);
PER_THREAD(cuStreamGetId, cuStreamGetId_ptsz);
PER_THREAD(cuStreamGetDevice, cuStreamGetDevice_ptsz);
PER_THREAD(cuStreamIsCapturing, cuStreamIsCapturing_ptsz);
PER_THREAD(cuStreamAttachMemAsync, cuStreamAttachMemAsync_ptsz);
PER_THREAD(cuStreamGetCtx, cuStreamGetCtx_ptsz);
PER_THREAD(cuLaunchHostFunc, cuLaunchHostFunc_ptsz);
PER_THREAD(cuStreamAddCallback, cuStreamAddCallback_ptsz);
