/* Events. Times are of the host's clock around work done on the CPU: never a
 * GPU's. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "state.h"
#include "stream.h"

struct event {
  unsigned flags;
  bool recorded;
  struct timespec time;
  struct event *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct event *events;

static bool is_valid(cudaEvent_t event)
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
  if (error == cudaSuccess && !is_valid(event))
    error = cudaErrorInvalidResourceHandle;
  return error;
}

static cudaError_t create(cudaEvent_t *event, unsigned flags)
{
  unsigned known = cudaEventBlockingSync | cudaEventDisableTiming |
                   cudaEventInterprocess;
  if (event == NULL || (flags & ~known) != 0)
    return cudaErrorInvalidValue;
  struct event *e = calloc(1, sizeof *e);
  if (e == NULL)
    return cudaErrorMemoryAllocation;
  e->flags = flags;
  pthread_mutex_lock(&lock);
  e->next = events;
  events = e;
  pthread_mutex_unlock(&lock);
  *event = e;
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
  cudaError_t error = state_settle();
  if (error == cudaSuccess)
    error = create(event, flags);
  return state_leave(error);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
  cudaError_t error = state_settle();
  if (error != cudaSuccess)
    return state_leave(error);
  pthread_mutex_lock(&lock);
  struct event **link = &events;
  while (*link != NULL && *link != event)
    link = &(*link)->next;
  if (*link != NULL) {
    *link = event->next;
    free(event);
  } else {
    error = cudaErrorInvalidResourceHandle;
  }
  pthread_mutex_unlock(&lock);
  return state_leave(error);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream,
                                     unsigned flags)
{
  cudaError_t error = on_event(event, state_enter());
  if (error == cudaSuccess && !stream_is_valid(stream))
    error = cudaErrorInvalidResourceHandle;
  if (error == cudaSuccess && flags > 1)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess) {
    event->recorded = true;
    clock_gettime(CLOCK_MONOTONIC, &event->time);
  }
  return state_leave(error);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
  return cudaEventRecordWithFlags(event, stream, 0);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
  return state_leave(on_event(event, state_settle()));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
  return state_leave(on_event(event, state_wait()));
}

static float elapsed_ms(const struct event *start, const struct event *end)
{
  double seconds = (double)(end->time.tv_sec - start->time.tv_sec);
  double nanoseconds = (double)(end->time.tv_nsec - start->time.tv_nsec);
  return (float)(1e3 * seconds + 1e-6 * nanoseconds);
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start,
                                 cudaEvent_t end)
{
  cudaError_t error = on_event(end, on_event(start, state_settle()));
  if (error == cudaSuccess && milliseconds == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess &&
      (((start->flags | end->flags) & cudaEventDisableTiming) != 0 ||
       !start->recorded || !end->recorded))
    error = cudaErrorInvalidResourceHandle;
  if (error == cudaSuccess)
    *milliseconds = elapsed_ms(start, end);
  return state_leave(error);
}

/* Whatever the event stands for is done already. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned flags)
{
  cudaError_t error = on_event(event, state_enter());
  if (error == cudaSuccess && !stream_is_valid(stream))
    error = cudaErrorInvalidResourceHandle;
  if (error == cudaSuccess && flags > 1)
    error = cudaErrorInvalidValue;
  return state_leave(error);
}

SAME_AS(cudaEventRecord, cudaEventRecord_ptsz);
SAME_AS(cudaEventRecordWithFlags, cudaEventRecordWithFlags_ptsz);
SAME_AS(cudaStreamWaitEvent, cudaStreamWaitEvent_ptsz);
