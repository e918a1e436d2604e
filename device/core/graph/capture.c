/* Stream capture. Which call is refused, and by which error, follows the
 * documentation and an H200 with CUDA 13.0
 * (tests/device/runtime/programs/capture_rules.cu). */
#include "capture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/host_memory.h"
#include "../ordering.h"
#include "../state.h"
#include "../stream.h"

struct capture {
  struct graph *graph;
  struct capture_point *origin, *points;
  enum cudaStreamCaptureMode mode;
  pthread_t thread;
  unsigned long long id;
  struct capture_point left; /* the last nodes of streams that are gone */
  bool spoilt, has_blocking_stream, owns_graph;
  struct capture *next;
};

static struct capture *captures; /* under graph_lock */
static atomic_int n_captures;
static _Thread_local int paused;
static _Thread_local enum cudaStreamCaptureMode mode_of_thread;

void capture_pause(void) { paused++; }

void capture_resume(void) { paused--; }

static bool is_idle(void)
{
  return atomic_load_explicit(&n_captures, memory_order_acquire) == 0 ||
         paused > 0;
}

/* ---- points ------------------------------------------------------------- */

static void leave(struct capture_point *point)
{
  if (point->capture != NULL) {
    struct capture_point **link = &point->capture->points;
    while (*link != point)
      link = &(*link)->next;
    *link = point->next;
  }
  free(point->nodes);
  *point = (struct capture_point){ .is_event = point->is_event };
}

static void join(struct capture_point *point, struct capture *capture)
{
  leave(point);
  point->capture = capture;
  point->next = capture->points;
  capture->points = point;
}

static void add_node(struct capture_point *point, struct graph_node *node)
{
  for (size_t i = 0; i < point->n; i++)
    if (point->nodes[i] == node)
      return;
  struct graph_node **grown =
      host_grow(point->nodes, point->n + 1, sizeof *grown);
  point->nodes = grown;
  point->nodes[point->n++] = node;
}

static void add_nodes(struct capture_point *to,
                      const struct capture_point *from)
{
  for (size_t i = 0; i < from->n; i++)
    add_node(to, from->nodes[i]);
}

static void end(struct capture *capture)
{
  while (capture->points != NULL)
    leave(capture->points);
  struct capture **link = &captures;
  while (*link != capture)
    link = &(*link)->next;
  *link = capture->next;
  free(capture->left.nodes);
  free(capture);
  atomic_fetch_sub(&n_captures, 1);
}

static void throw_away(struct capture *capture)
{
  if (capture->owns_graph)
    graph_free(capture->graph);
  end(capture);
}

static void mark_before(struct graph_node *node)
{
  if (node->marked)
    return;
  node->marked = true;
  for (size_t i = 0; i < node->n_before; i++)
    mark_before(node->before[i]);
}

static bool is_marked(const struct capture_point *point)
{
  for (size_t i = 0; i < point->n; i++)
    if (!point->nodes[i]->marked)
      return false;
  return true;
}

/* Does all that was recorded come before the end of the first stream? */
static bool is_joined(const struct capture *capture)
{
  for (struct graph_node *n = capture->graph->first; n != NULL; n = n->next)
    n->marked = false;
  for (size_t i = 0; i < capture->origin->n; i++)
    mark_before(capture->origin->nodes[i]);
  for (const struct capture_point *p = capture->points; p != NULL; p = p->next)
    if (!p->is_event && !is_marked(p))
      return false;
  return is_marked(&capture->left);
}

/* A stream may go before the first one has waited for what it did. */
void capture_forget(struct capture_point *point)
{
  graph_lock();
  if (point->capture != NULL && point->capture->origin == point) {
    throw_away(point->capture);
  } else if (point->capture != NULL && !point->is_event) {
    add_nodes(&point->capture->left, point);
  }
  leave(point);
  graph_unlock();
}

/* ---- what may be called ------------------------------------------------- */

cudaError_t stream_enter(cudaStream_t stream, bool *captures_it)
{
  cudaError_t error = stream_check(stream);
  *captures_it = false;
  if (error != cudaSuccess)
    return error;
  ordering_enter(stream);
  if (is_idle())
    return cudaSuccess;
  graph_lock();
  const struct capture_point *point = stream_point(stream);
  if (point != NULL && point->capture != NULL) {
    *captures_it = true;
    if (point->capture->spoilt)
      error = cudaErrorStreamCaptureInvalidated;
  }
  for (struct capture *c = captures; point == NULL && c != NULL; c = c->next)
    if (c->has_blocking_stream && !c->spoilt) {
      c->spoilt = true;
      error = cudaErrorStreamCaptureImplicit;
    }
  graph_unlock();
  return error;
}

static bool forbids(const struct capture *capture)
{
  bool own = pthread_equal(capture->thread, pthread_self());
  if (mode_of_thread == cudaStreamCaptureModeRelaxed)
    return false;
  if (own)
    return capture->mode != cudaStreamCaptureModeRelaxed;
  return mode_of_thread == cudaStreamCaptureModeGlobal &&
         capture->mode == cudaStreamCaptureModeGlobal;
}

cudaError_t capture_unsafe(void)
{
  cudaError_t error = cudaSuccess;
  if (is_idle())
    return cudaSuccess;
  graph_lock();
  for (struct capture *c = captures; c != NULL; c = c->next)
    if (forbids(c)) {
      c->spoilt = true;
      error = cudaErrorStreamCaptureUnsupported;
    }
  graph_unlock();
  return error;
}

cudaError_t capture_unsafe_legacy(void)
{
  bool captures_it;
  cudaError_t error = stream_enter(NULL, &captures_it);
  return error != cudaSuccess ? error : capture_unsafe();
}

cudaError_t capture_refuse(cudaStream_t stream)
{
  cudaError_t error = cudaSuccess;
  if (is_idle())
    return cudaSuccess;
  graph_lock();
  struct capture_point *point = stream_point(stream);
  if (point != NULL && point->capture != NULL) {
    error = cudaErrorStreamCaptureUnsupported;
    point->capture->spoilt = true;
  }
  graph_unlock();
  return error;
}

cudaError_t capture_refuse_all(void)
{
  cudaError_t error = cudaSuccess;
  if (is_idle())
    return cudaSuccess;
  graph_lock();
  for (struct capture *c = captures; c != NULL; c = c->next) {
    c->spoilt = true;
    error = cudaErrorStreamCaptureUnsupported;
  }
  graph_unlock();
  return error;
}

/* ---- recording ---------------------------------------------------------- */

cudaError_t capture_add(cudaStream_t stream, cudaError_t error,
                        struct work *work)
{
  struct graph_node *node;
  graph_lock();
  struct capture_point *point = stream_point(stream);
  struct capture *capture = point == NULL ? NULL : point->capture;
  if (error == cudaSuccess && (capture == NULL || capture->spoilt)) {
    work_release(work);
    error = cudaErrorStreamCaptureInvalidated;
  }
  if (error == cudaSuccess)
    error = graph_add(capture->graph, point->nodes, point->n, work, &node);
  if (error == cudaSuccess) {
    point->n = 0;
    add_node(point, node);
  } else if (capture != NULL) {
    capture->spoilt = true;
  }
  graph_unlock();
  return error;
}

cudaError_t capture_record(cudaStream_t stream, struct capture_point *event,
                           bool *done)
{
  *done = false;
  if (is_idle() && event->capture == NULL)
    return cudaSuccess;
  graph_lock();
  const struct capture_point *point = stream_point(stream);
  leave(event);
  if (point != NULL && point->capture != NULL) {
    join(event, point->capture);
    add_nodes(event, point);
    *done = true;
  }
  graph_unlock();
  return cudaSuccess;
}

static cudaError_t wait_in_capture(struct capture_point *point,
                                   struct capture_point *event)
{
  if (event->capture == point->capture) {
    add_nodes(point, event);
    return cudaSuccess;
  }
  point->capture->spoilt = true;
  if (event->capture == NULL)
    return cudaErrorStreamCaptureIsolation;
  event->capture->spoilt = true;
  return cudaErrorStreamCaptureMerge;
}

cudaError_t capture_wait(cudaStream_t stream, struct capture_point *event,
                         bool *done)
{
  cudaError_t error = cudaSuccess;
  *done = false;
  if (is_idle())
    return cudaSuccess;
  graph_lock();
  struct capture_point *point = stream_point(stream);
  if (point != NULL && point->capture != NULL) {
    *done = true;
    error = wait_in_capture(point, event);
  } else if (event->capture != NULL) {
    *done = true;
    if (point == NULL) {
      event->capture->spoilt = true;
      error = cudaErrorStreamCaptureImplicit;
    } else { /* the capture spreads to this stream */
      join(point, event->capture);
      add_nodes(point, event);
      event->capture->has_blocking_stream |= stream_is_blocking(stream);
    }
  }
  graph_unlock();
  return error;
}

cudaError_t capture_check_event(struct capture_point *event)
{
  cudaError_t error = cudaSuccess;
  if (is_idle())
    return cudaSuccess;
  graph_lock();
  if (event->capture != NULL) {
    event->capture->spoilt = true;
    error = cudaErrorCapturedEvent;
  }
  graph_unlock();
  return error;
}

/* ---- calls -------------------------------------------------------------- */

static cudaError_t begin(cudaStream_t stream, struct graph *graph,
                         enum cudaStreamCaptureMode mode, struct capture **made)
{
  static unsigned long long n;
  struct capture_point *point = stream_point(stream);
  if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  if (point == NULL)
    return cudaErrorStreamCaptureUnsupported;
  if (point->capture != NULL)
    return cudaErrorIllegalState;
  struct capture *capture = host_new(1, sizeof *capture);
  capture->graph = graph != NULL ? graph : graph_new();
  capture->owns_graph = graph == NULL;
  capture->mode = mode;
  capture->thread = pthread_self();
  capture->id = ++n;
  capture->has_blocking_stream = stream_is_blocking(stream);
  capture->next = captures;
  captures = capture;
  join(point, capture);
  capture->origin = point;
  atomic_fetch_add(&n_captures, 1);
  *made = capture;
  return cudaSuccess;
}

static cudaError_t enter(cudaStream_t stream)
{
  cudaError_t error = state_settle();
  return error == cudaSuccess && !stream_is_valid(stream)
             ? cudaErrorInvalidResourceHandle
             : error;
}

cudaError_t core_stream_begin_capture(cudaStream_t stream,
                                      enum cudaStreamCaptureMode mode)
{
  struct capture *capture;
  cudaError_t error = enter(stream);
  graph_lock();
  if (error == cudaSuccess)
    error = begin(stream, NULL, mode, &capture);
  graph_unlock();
  return error;
}

cudaError_t core_stream_begin_capture_to_graph(cudaStream_t stream,
                                               cudaGraph_t graph,
                                               const cudaGraphNode_t *before,
                                               const cudaGraphEdgeData *data,
                                               size_t n_before,
                                               enum cudaStreamCaptureMode mode)
{
  (void)data;
  struct capture *capture;
  cudaError_t error = enter(stream);
  graph_lock();
  if (error == cudaSuccess && !graph_is_valid(graph))
    error = cudaErrorInvalidValue;
  for (size_t i = 0; error == cudaSuccess && i < n_before; i++)
    if (!graph_has(graph, before[i]))
      error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    error = begin(stream, graph, mode, &capture);
  for (size_t i = 0; error == cudaSuccess && i < n_before; i++)
    add_node(capture->origin, before[i]);
  graph_unlock();
  return error;
}

static cudaError_t finish(cudaStream_t stream, cudaGraph_t *graph)
{
  struct capture_point *point = stream_point(stream);
  struct capture *capture = point == NULL ? NULL : point->capture;
  cudaError_t error = cudaSuccess;
  if (capture == NULL)
    return cudaErrorIllegalState;
  if (capture->origin != point) {
    capture->spoilt = true;
    return cudaErrorStreamCaptureUnmatched;
  }
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      !pthread_equal(capture->thread, pthread_self()))
    error = cudaErrorStreamCaptureWrongThread;
  else if (capture->spoilt)
    error = cudaErrorStreamCaptureInvalidated;
  else if (!is_joined(capture))
    error = cudaErrorStreamCaptureUnjoined;
  if (error != cudaSuccess) {
    throw_away(capture);
    return error;
  }
  *graph = capture->graph;
  end(capture);
  return cudaSuccess;
}

static bool captures_into_graph(cudaStream_t stream)
{
  const struct capture_point *point = stream_point(stream);
  return point != NULL && point->capture != NULL && !point->capture->owns_graph;
}

cudaError_t core_stream_end_capture(cudaStream_t stream, cudaGraph_t *graph)
{
  cudaError_t error = enter(stream);
  struct graph *captured = NULL;
  if (error != cudaSuccess)
    return error;
  graph_lock();
  /* Of a capture into a graph that the program has, it need not ask. */
  if (graph == NULL && !captures_into_graph(stream))
    error = cudaErrorInvalidValue;
  else
    error = finish(stream, &captured);
  graph_unlock();
  if (graph != NULL)
    *graph = captured;
  return error;
}

int capture_status(cudaStream_t stream)
{
  int status = cudaStreamCaptureStatusNone;
  graph_lock();
  const struct capture_point *point = stream_point(stream);
  if (point != NULL && point->capture != NULL)
    status = point->capture->spoilt ? cudaStreamCaptureStatusInvalidated
                                    : cudaStreamCaptureStatusActive;
  graph_unlock();
  return status;
}

cudaError_t core_stream_is_capturing(cudaStream_t stream, int *status)
{
  bool captures_it;
  cudaError_t error = enter(stream);
  if (error == cudaSuccess && status == NULL)
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess && stream_point(stream) == NULL)
    error = stream_enter(stream, &captures_it);
  if (error == cudaSuccess)
    *status = capture_status(stream);
  return error;
}

cudaError_t core_stream_get_capture_info(
    cudaStream_t stream, enum cudaStreamCaptureStatus *status,
    unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **before,
    const cudaGraphEdgeData **data, size_t *n_before)
{
  static const cudaGraphEdgeData full[256];
  int is;
  cudaError_t error = status == NULL ? cudaErrorInvalidValue
                                     : core_stream_is_capturing(stream, &is);
  if (error != cudaSuccess)
    return error;
  *status = (enum cudaStreamCaptureStatus)is;
  if (is != cudaStreamCaptureStatusActive)
    return cudaSuccess;
  graph_lock();
  const struct capture_point *point = stream_point(stream);
  if (id != NULL)
    *id = point->capture->id;
  if (graph != NULL)
    *graph = point->capture->graph;
  if (before != NULL)
    *before = point->nodes;
  if (data != NULL)
    *data = point->n <= 256 ? full : NULL;
  if (n_before != NULL)
    *n_before = point->n;
  graph_unlock();
  return cudaSuccess;
}

static cudaError_t set_nodes(struct capture_point *point,
                             cudaGraphNode_t *nodes, size_t n, bool replace)
{
  if (point == NULL || point->capture == NULL)
    return cudaErrorIllegalState;
  if (point->capture->spoilt)
    return cudaErrorStreamCaptureInvalidated;
  for (size_t i = 0; i < n; i++)
    if (!graph_has(point->capture->graph, nodes[i]))
      return cudaErrorInvalidValue;
  if (replace)
    point->n = 0;
  for (size_t i = 0; i < n; i++)
    add_node(point, nodes[i]);
  return cudaSuccess;
}

cudaError_t core_stream_update_capture_dependencies(
    cudaStream_t stream, cudaGraphNode_t *before, const cudaGraphEdgeData *data,
    size_t n_before, unsigned flags)
{
  (void)data;
  cudaError_t error = enter(stream);
  if (error == cudaSuccess && (flags > 1 || (before == NULL && n_before > 0)))
    error = cudaErrorInvalidValue;
  graph_lock();
  if (error == cudaSuccess)
    error = set_nodes(stream_point(stream), before, n_before, flags == 1);
  graph_unlock();
  return error;
}

cudaError_t
core_thread_exchange_stream_capture_mode(enum cudaStreamCaptureMode *mode)
{
  if (mode == NULL || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
    return cudaErrorInvalidValue;
  enum cudaStreamCaptureMode before = mode_of_thread;
  mode_of_thread = *mode;
  *mode = before;
  return cudaSuccess;
}
