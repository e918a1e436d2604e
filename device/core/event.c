/* Events. Times are of the host's clock around work done on the CPU: never a
 * GPU's. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "event.h"
#include "graph/capture.h"
#include "ordering.h"
#include "state.h"
#include "stream.h"
#include "../support/host_memory.h"

struct event {
  unsigned flags;
  int device; /* the current one when it was created */
  bool recorded;
  struct timespec time;
  struct capture_point point;
  struct op_clock known; /* for ordering.c */
  struct event *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct event *events;

bool event_is_valid(cudaEvent_t event)
{
  struct event *e;
  pthread_mutex_lock(&lock);
  for (e = events; e != NULL && e != event; e = e->next)
    ;
  pthread_mutex_unlock(&lock);
  return e != NULL;
}

static cudaError_t on_event(cudaEvent_t event, cudaError_t error)
{
  if (error == cudaSuccess && !event_is_valid(event))
    error = cudaErrorInvalidResourceHandle;
  return error;
}

static cudaError_t create_event(cudaEvent_t *event, unsigned flags)
{
  unsigned known =
      cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  bool untimed = (flags & cudaEventDisableTiming) != 0;
  if (event == NULL || (flags & ~known) != 0 ||
      ((flags & cudaEventInterprocess) != 0 && !untimed))
    return cudaErrorInvalidValue;
  struct event *e = host_try_new(1, sizeof *e);
  if (e == NULL)
    return cudaErrorMemoryAllocation;
  e->flags = flags;
  e->device = current_device();
  e->point.is_event = true;
  pthread_mutex_lock(&lock);
  e->next = events;
  events = e;
  pthread_mutex_unlock(&lock);
  *event = e;
  return cudaSuccess;
}

cudaError_t core_event_create_with_flags(cudaEvent_t *event, unsigned flags)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = create_event(event, flags);
  return error;
}

cudaError_t core_event_create(cudaEvent_t *event)
{
  return core_event_create_with_flags(event, cudaEventDefault);
}

cudaError_t core_event_destroy(cudaEvent_t event)
{
  cudaError_t error = state_settle();
  if (error != cudaSuccess)
    return error;
  pthread_mutex_lock(&lock);
  struct event **link = &events;
  while (*link != NULL && *link != event)
    link = &(*link)->next;
  bool found = *link != NULL;
  if (found)
    *link = event->next;
  pthread_mutex_unlock(&lock);
  if (!found)
    return cudaErrorInvalidResourceHandle;
  capture_forget(&event->point);
  op_clock_free(&event->known);
  free(event);
  return cudaSuccess;
}

enum { EXTERNAL = 1 }; /* cudaEventRecordExternal, cudaEventWaitExternal */

/* In a stream that captures, an external event is a node. */
static cudaError_t add_node(enum cudaGraphNodeType type, cudaEvent_t event,
                            cudaStream_t stream, unsigned flags, bool *done)
{
  bool captures;
  struct work work;
  cudaError_t error = stream_enter(stream, &captures);
  *done = error == cudaSuccess && captures && flags == EXTERNAL;
  return *done ? capture_add(stream, work_event(type, event, &work), &work)
               : error;
}

/* An event recorded while its stream captures is a place in the capture; an
 * external one is a node that records it at each launch. */
static cudaError_t record(cudaEvent_t event, cudaStream_t stream,
                          unsigned flags)
{
  bool done;
  cudaError_t error =
      add_node(cudaGraphNodeTypeEventRecord, event, stream, flags, &done);
  if (error == cudaSuccess && !done)
    error = capture_record(stream, &event->point, &done);
  if (error != cudaSuccess || done)
    return error;
  pthread_mutex_lock(&lock);
  event->recorded = true;
  clock_gettime(CLOCK_MONOTONIC, &event->time);
  pthread_mutex_unlock(&lock);
  ordering_record(&event->known, stream);
  return cudaSuccess;
}

/* Recording an event and waiting for it begin alike. */
static cudaError_t enter(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
  cudaError_t error = on_event(event, state_enter());
  if (error == cudaSuccess && !stream_is_valid(stream))
    error = cudaErrorInvalidResourceHandle;
  if (error == cudaSuccess && flags > EXTERNAL)
    error = cudaErrorInvalidValue;
  return error;
}

cudaError_t core_event_record_with_flags(cudaEvent_t event, cudaStream_t stream,
                                         unsigned flags)
{
  cudaError_t error = enter(event, stream, flags);
  if (error == cudaSuccess && event->device != stream_device(stream))
    error = cudaErrorInvalidResourceHandle;
  return error == cudaSuccess ? record(event, stream, flags) : error;
}

cudaError_t core_event_record(cudaEvent_t event, cudaStream_t stream)
{
  return core_event_record_with_flags(event, stream, 0);
}

static cudaError_t may_ask(cudaEvent_t event, cudaError_t error)
{
  error = on_event(event, error);
  if (error == cudaSuccess)
    error = capture_check_event(&event->point);
  return error == cudaSuccess ? capture_unsafe() : error;
}

/* The answer is always that it has happened. */
static cudaError_t ask(cudaEvent_t event, cudaError_t error)
{
  error = may_ask(event, error);
  if (error == cudaSuccess)
    ordering_host_after(&event->known);
  return error;
}

cudaError_t core_event_query(cudaEvent_t event)
{
  return ask(event, state_settle());
}

cudaError_t core_event_synchronize(cudaEvent_t event)
{
  return ask(event, state_wait());
}

static float elapsed_ms(const struct event *start, const struct event *end)
{
  double seconds = (double)(end->time.tv_sec - start->time.tv_sec);
  double nanoseconds = (double)(end->time.tv_nsec - start->time.tv_nsec);
  return (float)(1e3 * seconds + 1e-6 * nanoseconds);
}

cudaError_t core_event_elapsed_time(float *milliseconds, cudaEvent_t start,
                                    cudaEvent_t end)
{
  cudaError_t error = on_event(end, on_event(start, state_settle()));
  if (error == cudaSuccess && milliseconds == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess &&
      (((start->flags | end->flags) & cudaEventDisableTiming) != 0 ||
       !start->recorded || !end->recorded || start->device != end->device))
    error = cudaErrorInvalidResourceHandle;
  if (error == cudaSuccess)
    error = capture_check_event(&start->point);
  if (error == cudaSuccess)
    error = capture_check_event(&end->point);
  if (error != cudaSuccess)
    return error;
  ordering_host_after(&start->known);
  ordering_host_after(&end->known);
  pthread_mutex_lock(&lock);
  *milliseconds = elapsed_ms(start, end);
  pthread_mutex_unlock(&lock);
  return cudaSuccess;
}

const struct op_clock *event_known(cudaEvent_t event) { return &event->known; }

/* Whatever the event stands for is done already, unless it is captured. */
static cudaError_t wait_for(cudaEvent_t event, cudaStream_t stream,
                            unsigned flags)
{
  bool done;
  cudaError_t error =
      add_node(cudaGraphNodeTypeWaitEvent, event, stream, flags, &done);
  if (error == cudaSuccess && !done)
    error = capture_wait(stream, &event->point, &done);
  if (error == cudaSuccess && !done)
    ordering_wait(stream, &event->known);
  return error;
}

cudaError_t core_stream_wait_event(cudaStream_t stream, cudaEvent_t event,
                                   unsigned flags)
{
  cudaError_t error = enter(event, stream, flags);
  return error == cudaSuccess ? wait_for(event, stream, flags) : error;
}
