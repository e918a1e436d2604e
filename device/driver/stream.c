/* Streams are the same as the runtime API's. */
#include <stdlib.h>

#include "driver.h"
#include "../support/host_memory.h"

API CUresult cuStreamCreate(CUstream *stream, unsigned flags)
{
  SERVE(core_stream_create_with_flags(stream, flags));
}

API CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags,
                                        int priority)
{
  SERVE(core_stream_create_with_priority(stream, flags, priority));
}

API CUresult cuStreamDestroy_v2(CUstream stream)
{
  SERVE(core_stream_destroy(stream));
}

API CUresult cuStreamSynchronize(CUstream stream)
{
  SERVE(core_stream_synchronize(stream));
}

API CUresult cuStreamQuery(CUstream stream)
{
  SERVE(core_stream_query(stream));
}

API CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags)
{
  SERVE(core_stream_wait_event(stream, event, flags));
}

API CUresult cuStreamGetFlags(CUstream stream, unsigned *flags)
{
  SERVE(core_stream_get_flags(stream, flags));
}

API CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
  SERVE(core_stream_get_priority(stream, priority));
}

API CUresult cuStreamGetId(CUstream stream, unsigned long long *id)
{
  SERVE(core_stream_get_id(stream, id));
}

API CUresult cuStreamGetDevice(CUstream stream, CUdevice *device)
{
  SERVE(core_stream_get_device(stream, device));
}

API CUresult cuStreamIsCapturing(CUstream stream, int *status)
{
  SERVE(core_stream_is_capturing(stream, status));
}

API CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address,
                                    size_t bytes, unsigned flags)
{
  SERVE(
      core_stream_attach_mem_async(stream, pointer_of(address), bytes, flags));
}

/* What a callback of the driver API is told in place of the core's error. */
struct callback {
  CUstreamCallback *function;
  void *user_data;
};

static void call_back(CUstream stream, cudaError_t error, void *data)
{
  struct callback callback = *(struct callback *)data;
  free(data);
  callback.function(stream, status_of(error), callback.user_data);
}

static CUresult launch_host(CUstream stream, CUhostFn *function,
                            void *user_data)
{
  if (function == NULL)
    return CUDA_ERROR_INVALID_VALUE;
  if (!stream_is_valid(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  return status_of(core_launch_host_func(stream, function, user_data));
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
  if (!stream_is_valid(stream))
    return CUDA_ERROR_INVALID_HANDLE;
  struct callback *call = host_try_new(1, sizeof *call);
  if (call == NULL)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *call = (struct callback){ callback, user_data };
  return status_of(core_stream_add_callback(stream, call_back, call, 0));
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
  SERVE(core_stream_set_attribute(stream, attribute, value));
}

API CUresult cuStreamGetAttribute(CUstream stream,
                                  enum cudaLaunchAttributeID attribute,
                                  cudaLaunchAttributeValue *value)
{
  SERVE(core_stream_get_attribute(stream, attribute, value));
}

API CUresult cuStreamCopyAttributes(CUstream to, CUstream from)
{
  SERVE(core_stream_copy_attributes(to, from));
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
PER_THREAD(cuLaunchHostFunc, cuLaunchHostFunc_ptsz);
PER_THREAD(cuStreamAddCallback, cuStreamAddCallback_ptsz);
