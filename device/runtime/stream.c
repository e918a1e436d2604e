#define _POSIX_C_SOURCE 200809L
#include "stream.h"

#include <pthread.h>
#include <stdlib.h>

#include "state.h"

/* cudaDeviceGetStreamPriorityRange of current GPUs. */
#define LEAST_PRIORITY 0
#define GREATEST_PRIORITY (-5)

struct stream {
  unsigned flags;
  int priority, device;
  unsigned long long id;
  struct stream *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct stream *streams;
static unsigned long long n_streams = 2; /* 1 and 2 are the named ones */

static bool is_named(cudaStream_t stream)
{
  return stream == NULL || stream == cudaStreamLegacy ||
         stream == cudaStreamPerThread;
}

static struct stream *find(cudaStream_t stream)
{
  struct stream *s;
  pthread_mutex_lock(&lock);
  for (s = streams; s != NULL && s != stream; s = s->next)
    ;
  pthread_mutex_unlock(&lock);
  return s;
}

bool stream_is_valid(cudaStream_t stream)
{
  return is_named(stream) || find(stream) != NULL;
}

int stream_device(cudaStream_t stream)
{
  return is_named(stream) ? current_device() : stream->device;
}

static cudaError_t create(cudaStream_t *stream, unsigned flags,
                          int priority)
{
  if (stream == NULL || flags > cudaStreamNonBlocking)
    return cudaErrorInvalidValue;
  struct stream *s = calloc(1, sizeof *s);
  if (s == NULL)
    return cudaErrorMemoryAllocation;
  priority = priority > LEAST_PRIORITY ? LEAST_PRIORITY : priority;
  s->priority = priority < GREATEST_PRIORITY ? GREATEST_PRIORITY : priority;
  s->flags = flags;
  s->device = current_device();
  pthread_mutex_lock(&lock);
  s->id = ++n_streams;
  s->next = streams;
  streams = s;
  pthread_mutex_unlock(&lock);
  *stream = s;
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags,
                                         int priority)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = create(stream, flags, priority);
  return state_leave(error);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
  cudaError_t error = state_settle();
  if (error != cudaSuccess)
    return state_leave(error);
  if (is_named(stream))
    return state_leave(cudaErrorInvalidResourceHandle);
  pthread_mutex_lock(&lock);
  struct stream **link = &streams;
  while (*link != NULL && *link != stream)
    link = &(*link)->next;
  if (*link != NULL) {
    *link = stream->next;
    free(stream);
  } else {
    error = cudaErrorInvalidResourceHandle;
  }
  pthread_mutex_unlock(&lock);
  return state_leave(error);
}

/* What every call on a stream begins with. */
static cudaError_t on_stream(cudaStream_t stream, cudaError_t error)
{
  if (error == cudaSuccess && !stream_is_valid(stream))
    error = cudaErrorInvalidResourceHandle;
  return error;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
  return state_leave(on_stream(stream, state_wait()));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
  return state_leave(on_stream(stream, state_settle()));
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
  cudaError_t error = on_stream(stream, state_settle());
  if (error == cudaSuccess && flags == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *flags = is_named(stream) ? cudaStreamDefault : stream->flags;
  return state_leave(error);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
  cudaError_t error = on_stream(stream, state_settle());
  if (error == cudaSuccess && priority == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *priority = is_named(stream) ? 0 : stream->priority;
  return state_leave(error);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id)
{
  cudaError_t error = on_stream(stream, state_settle());
  if (error == cudaSuccess && id == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *id = !is_named(stream)               ? stream->id
          : stream == cudaStreamPerThread ? 2
                                          : 1;
  return state_leave(error);
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device)
{
  cudaError_t error = on_stream(stream, state_settle());
  if (error == cudaSuccess && device == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *device = stream_device(stream);
  return state_leave(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, int *status)
{
  cudaError_t error = on_stream(stream, state_settle());
  if (error == cudaSuccess && status == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *status = 0; /* cudaStreamCaptureStatusNone */
  return state_leave(error);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *address,
                                     size_t bytes, unsigned flags)
{
  (void)address, (void)bytes, (void)flags; /* managed memory is never moved */
  return state_leave(on_stream(stream, state_enter()));
}

/* The work before it is done, so the function may run at once. */
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn *function,
                               void *user_data)
{
  cudaError_t error = on_stream(stream, state_enter());
  if (error == cudaSuccess && function == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && !state_is_dead(current_device()))
    function(user_data);
  return state_leave(error);
}

/* Unlike a host function, a callback is called after an error, and told. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback *callback,
                                  void *user_data, unsigned flags)
{
  cudaError_t error = on_stream(stream, state_enter());
  if (error == cudaSuccess && (callback == NULL || flags != 0))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    callback(stream, state_settle(), user_data);
  return state_leave(error);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && least != NULL)
    *least = LEAST_PRIORITY;
  if (error == cudaSuccess && greatest != NULL)
    *greatest = GREATEST_PRIORITY;
  return state_leave(error);
}

SAME_AS(cudaStreamSynchronize, cudaStreamSynchronize_ptsz);
SAME_AS(cudaStreamQuery, cudaStreamQuery_ptsz);
SAME_AS(cudaStreamGetFlags, cudaStreamGetFlags_ptsz);
SAME_AS(cudaStreamGetPriority, cudaStreamGetPriority_ptsz);
SAME_AS(cudaStreamGetId, cudaStreamGetId_ptsz);
SAME_AS(cudaStreamGetDevice, cudaStreamGetDevice_ptsz);
SAME_AS(cudaStreamIsCapturing, cudaStreamIsCapturing_ptsz);
SAME_AS(cudaStreamAttachMemAsync, cudaStreamAttachMemAsync_ptsz);
SAME_AS(cudaLaunchHostFunc, cudaLaunchHostFunc_ptsz);
SAME_AS(cudaStreamAddCallback, cudaStreamAddCallback_ptsz);
