/* The list of streams and the calls about them. */
#define _POSIX_C_SOURCE 200809L
#include "stream.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "../memory/memory.h"
#include "../support/host_memory.h"
#include "graph/capture.h"
#include "ordering.h"
#include "partition.h"
#include "state.h"

/* cudaDeviceGetStreamPriorityRange of current GPUs. */
#define LEAST_PRIORITY 0
#define GREATEST_PRIORITY (-5)

struct stream {
  unsigned flags;
  int priority, device;
  unsigned long long id;
  struct capture_point point;
  struct stream_attributes attributes;
  const struct partition *partition; /* NULL: the whole device */
  struct ordering_line *line;
  struct stream *next;
};

/* What an H200's driver gives a new stream. */
static const struct stream_attributes usual = {
  .synchronization.syncPolicy = -1, /* the device's flags decide */
  .domain_map.memSyncDomainMap = { 0, 1 },
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct stream *streams;
static unsigned long long n_streams = 2; /* 1 and 2 are the named ones */

static bool is_named(cudaStream_t stream)
{
  return stream == NULL || stream == cudaStreamLegacy ||
         stream == cudaStreamPerThread;
}

static struct stream *find_stream(cudaStream_t stream)
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
  return is_named(stream) || find_stream(stream) != NULL;
}

cudaError_t stream_check(cudaStream_t stream)
{
  if (!stream_is_valid(stream))
    return cudaErrorInvalidResourceHandle;
  if (partition_is_gone(stream_partition(stream)))
    return cudaErrorContextIsDestroyed;
  return cudaSuccess;
}

/* cudaStreamPerThread's. It outlives its thread: another may still wait for
 * what was captured there. */
static struct capture_point *point_of_thread(void)
{
  static _Thread_local struct capture_point *point;
  if (point == NULL)
    point = host_new(1, sizeof *point);
  return point;
}

struct capture_point *stream_point(cudaStream_t stream)
{
  if (stream == cudaStreamPerThread)
    return point_of_thread();
  return is_named(stream) ? NULL : &stream->point;
}

struct stream_attributes *stream_attributes(cudaStream_t stream)
{
  static struct stream_attributes legacy;
  static _Thread_local struct stream_attributes own;
  struct stream_attributes *named =
      stream == cudaStreamPerThread ? &own : &legacy;
  if (!is_named(stream))
    return &stream->attributes;
  if (named->synchronization.syncPolicy == 0)
    *named = usual;
  return named;
}

struct ordering_line **stream_line(cudaStream_t stream)
{
  return &stream->line;
}

unsigned long long stream_number(cudaStream_t stream) { return stream->id; }

static int clamp_priority(int priority)
{
  priority = priority > LEAST_PRIORITY ? LEAST_PRIORITY : priority;
  return priority < GREATEST_PRIORITY ? GREATEST_PRIORITY : priority;
}

cudaError_t stream_set_priority(cudaStream_t stream, int priority)
{
  if (!is_named(stream))
    stream->priority = clamp_priority(priority);
  return cudaSuccess;
}

bool stream_is_blocking(cudaStream_t stream)
{
  return is_named(stream) || (stream->flags & cudaStreamNonBlocking) == 0;
}

const struct partition *stream_partition(cudaStream_t stream)
{
  return is_named(stream) ? state_context().partition : stream->partition;
}

int stream_device(cudaStream_t stream)
{
  return is_named(stream) ? current_device() : stream->device;
}

static cudaError_t create_stream(cudaStream_t *stream, unsigned flags,
                                 int priority,
                                 const struct partition *partition)
{
  if (stream == NULL || flags > cudaStreamNonBlocking)
    return cudaErrorInvalidValue;
  struct stream *s = host_try_new(1, sizeof *s);
  if (s == NULL)
    return cudaErrorMemoryAllocation;
  s->priority = clamp_priority(priority);
  s->attributes = usual;
  s->flags = flags;
  s->device = partition != NULL ? partition->device : current_device();
  s->partition = partition;
  pthread_mutex_lock(&lock);
  s->id = ++n_streams;
  s->next = streams;
  streams = s;
  pthread_mutex_unlock(&lock);
  ordering_created();
  *stream = s;
  return cudaSuccess;
}

cudaError_t core_stream_create_with_priority(cudaStream_t *stream,
                                             unsigned flags, int priority)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = create_stream(stream, flags, priority, state_context().partition);
  return error;
}

cudaError_t stream_create_in(cudaStream_t *stream, unsigned flags, int priority,
                             const struct partition *partition)
{
  return create_stream(stream, flags, priority, partition);
}

cudaError_t core_stream_create_with_flags(cudaStream_t *stream, unsigned flags)
{
  return core_stream_create_with_priority(stream, flags, 0);
}

cudaError_t core_stream_create(cudaStream_t *stream)
{
  return core_stream_create_with_priority(stream, cudaStreamDefault, 0);
}

cudaError_t core_stream_destroy(cudaStream_t stream)
{
  cudaError_t error = state_settle();
  if (error != cudaSuccess)
    return error;
  error =
      is_named(stream) ? cudaErrorInvalidResourceHandle : stream_check(stream);
  if (error != cudaSuccess)
    return error;
  pthread_mutex_lock(&lock);
  struct stream **link = &streams;
  while (*link != NULL && *link != stream)
    link = &(*link)->next;
  bool found = *link != NULL;
  if (found)
    *link = stream->next;
  pthread_mutex_unlock(&lock);
  if (!found)
    return cudaErrorInvalidResourceHandle;
  capture_forget(&stream->point);
  ordering_destroyed(&stream->line);
  free(stream);
  return cudaSuccess;
}

/* What every call on a stream begins with. */
static cudaError_t on_stream(cudaStream_t stream, cudaError_t error)
{
  return error == cudaSuccess ? stream_check(stream) : error;
}

/* Asking whether a stream is done, or waiting for it, is forbidden while it
 * captures, and potentially unsafe while others do. */
static cudaError_t may_ask(cudaStream_t stream, cudaError_t error)
{
  bool captures;
  error = on_stream(stream, error);
  if (error == cudaSuccess)
    error = capture_refuse(stream);
  if (error == cudaSuccess)
    error = stream_enter(stream, &captures);
  return error == cudaSuccess ? capture_unsafe() : error;
}

/* The answer is always that the stream is done. */
static cudaError_t ask(cudaStream_t stream, cudaError_t error)
{
  error = may_ask(stream, error);
  if (error == cudaSuccess)
    ordering_host_after_stream(stream);
  return error;
}

cudaError_t core_stream_synchronize(cudaStream_t stream)
{
  return ask(stream, state_wait());
}

cudaError_t core_stream_query(cudaStream_t stream)
{
  return ask(stream, state_settle());
}

cudaError_t core_stream_get_flags(cudaStream_t stream, unsigned *flags)
{
  cudaError_t error = on_stream(stream, state_settle());
  if (error == cudaSuccess && flags == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *flags = is_named(stream) ? cudaStreamDefault : stream->flags;
  return error;
}

cudaError_t core_stream_get_priority(cudaStream_t stream, int *priority)
{
  cudaError_t error = on_stream(stream, state_settle());
  if (error == cudaSuccess && priority == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *priority = is_named(stream) ? 0 : stream->priority;
  return error;
}

cudaError_t core_stream_get_id(cudaStream_t stream, unsigned long long *id)
{
  cudaError_t error = on_stream(stream, state_settle());
  if (error == cudaSuccess && id == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *id = !is_named(stream)               ? stream->id
          : stream == cudaStreamPerThread ? 2
                                          : 1;
  return error;
}

cudaError_t core_stream_get_device(cudaStream_t stream, int *device)
{
  cudaError_t error = on_stream(stream, state_settle());
  if (error == cudaSuccess && device == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    *device = stream_device(stream);
  return error;
}

/* Managed memory is never moved. */
static cudaError_t attach(cudaStream_t stream, const void *address,
                          size_t bytes, unsigned flags)
{
  struct allocation found;
  uint64_t place = (uint64_t)(uintptr_t)address;
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
      flags != cudaMemAttachSingle)
    return cudaErrorInvalidValue;
  if (flags == cudaMemAttachSingle && is_named(stream))
    return cudaErrorInvalidValue;
  if (!memory_find(place, &found) || found.kind != MEMORY_MANAGED)
    return cudaErrorInvalidValue;
  if (bytes != 0 && (place != found.address || bytes != found.bytes))
    return cudaErrorInvalidValue; /* all of it or nothing */
  ordering_attached(found.serial, stream, flags);
  return cudaSuccess;
}

cudaError_t core_stream_attach_mem_async(cudaStream_t stream, void *address,
                                         size_t bytes, unsigned flags)
{
  bool captures;
  cudaError_t error = state_enter();
  if (error == cudaSuccess)
    error = stream_enter(stream, &captures);
  if (error == cudaSuccess && captures)
    error = capture_add(stream, cudaErrorStreamCaptureUnsupported, NULL);
  if (error == cudaSuccess)
    error = attach(stream, address, bytes, flags);
  return error;
}

/* The work before it is done, so the function may run at once. */
cudaError_t core_launch_host_func(cudaStream_t stream, cudaHostFn *function,
                                  void *user_data)
{
  bool captures;
  struct work work;
  cudaError_t error = state_enter();
  if (error == cudaSuccess)
    error = stream_enter(stream, &captures);
  if (error == cudaSuccess && function == NULL)
    error = cudaErrorInvalidValue;
  if (error != cudaSuccess)
    return error;
  if (captures) {
    struct cudaHostNodeParams host = { function, user_data };
    return capture_add(stream, work_host(&host, &work), &work);
  }
  if (state_is_dead(current_device()))
    return cudaSuccess;
  ordering_host_after_stream(stream);
  state_enter_host_function();
  function(user_data);
  state_leave_host_function();
  return cudaSuccess;
}

/* Unlike a host function, a callback is called after an error as well, and gets it. */
cudaError_t core_stream_add_callback(cudaStream_t stream,
                                     cudaStreamCallback *callback,
                                     void *user_data, unsigned flags)
{
  bool captures;
  cudaError_t error = state_enter();
  if (error == cudaSuccess)
    error = stream_enter(stream, &captures);
  if (error == cudaSuccess && captures)
    error = capture_add(stream, cudaErrorStreamCaptureUnsupported, NULL);
  if (error == cudaSuccess && (callback == NULL || flags != 0))
    error = cudaErrorInvalidValue;
  if (error != cudaSuccess)
    return error;
  error = state_settle();
  ordering_host_after_stream(stream);
  state_enter_host_function();
  callback(stream, error, user_data);
  state_leave_host_function();
  return error;
}

cudaError_t core_device_get_stream_priority_range(int *least, int *greatest)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess && least != NULL)
    *least = LEAST_PRIORITY;
  if (error == cudaSuccess && greatest != NULL)
    *greatest = GREATEST_PRIORITY;
  return error;
}
