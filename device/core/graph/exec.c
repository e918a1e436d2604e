/* Instantiated graphs: a copy of a graph, run node by node. */
#include <stdlib.h>

#include "../../support/host_memory.h"
#include "../config.h"
#include "../state.h"
#include "../stream.h"
#include "capture.h"
#include "graph.h"

static struct graph_exec *execs;

bool graph_exec_is_valid(const struct graph_exec *exec)
{
  const struct graph_exec *e = execs;
  while (e != NULL && e != exec)
    e = e->next;
  return e != NULL;
}

static void count_waits(struct graph *graph)
{
  for (struct graph_node *n = graph->first; n != NULL; n = n->next) {
    n->waits = n->n_before;
    n->marked = false;
  }
}

static bool comes_before(const struct graph_node *a, const struct graph_node *b)
{
  for (size_t i = 0; i < b->n_before; i++)
    if (b->before[i] == a)
      return true;
  return false;
}

/* The first ready node from `skip` on, else the first of all. */
static struct graph_node *ready(struct graph *graph, size_t skip)
{
  struct graph_node *found = NULL;
  size_t i = 0;
  for (struct graph_node *n = graph->first; n != NULL; n = n->next, i++)
    if (!n->marked && n->waits == 0) {
      if (found == NULL)
        found = n;
      if (i >= skip)
        return n;
    }
  return found;
}

/* Any order that keeps the edges is right. A seed, from --shuffle, takes one
 * that is not the program's. */
bool graph_order(struct graph *graph, struct graph_node **order, uint64_t seed)
{
  count_waits(graph);
  for (size_t i = 0; i < graph->n_nodes; i++) {
    seed = seed * UINT64_C(6364136223846793005) + (seed != 0);
    struct graph_node *node =
        ready(graph, (size_t)((seed >> 33) % graph->n_nodes));
    if (node == NULL)
      return false;
    node->marked = true;
    order[i] = node;
    for (struct graph_node *n = graph->first; n != NULL; n = n->next)
      if (!n->marked && comes_before(node, n))
        n->waits--;
  }
  return true;
}

static bool has_order(struct graph *graph)
{
  struct graph_node **order = host_try_new(graph->n_nodes + 1, sizeof *order);
  bool has = order != NULL && graph_order(graph, order, 0);
  free(order);
  return has;
}

static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                               unsigned long long flags)
{
  if (exec == NULL || !graph_is_valid(graph) || flags > 15 || !has_order(graph))
    return cudaErrorInvalidValue;
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0 &&
      !graph_may_be_launched(graph))
    return cudaErrorInvalidValue;
  *exec = host_try_new(1, sizeof **exec);
  if (*exec == NULL)
    return cudaErrorMemoryAllocation;
  (*exec)->graph = graph_copy(graph);
  (*exec)->graph->is_part = true;
  (*exec)->flags = flags;
  (*exec)->uploaded = (flags & cudaGraphInstantiateFlagUpload) != 0;
  (*exec)->next = execs;
  execs = *exec;
  return cudaSuccess;
}

cudaError_t core_graph_instantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                   unsigned long long flags)
{
  cudaError_t error = state_settle();
  graph_lock();
  if (error == cudaSuccess)
    error = instantiate(exec, graph, flags);
  graph_unlock();
  return error;
}

cudaError_t core_graph_instantiate_with_flags(cudaGraphExec_t *exec,
                                              cudaGraph_t graph,
                                              unsigned long long flags)
{
  return core_graph_instantiate(exec, graph, flags);
}

cudaError_t
core_graph_instantiate_with_params(cudaGraphExec_t *exec, cudaGraph_t graph,
                                   cudaGraphInstantiateParams *parameters)
{
  if (parameters == NULL)
    return cudaErrorInvalidValue;
  cudaError_t error = core_graph_instantiate(exec, graph, parameters->flags);
  parameters->errNode_out = NULL;
  parameters->result_out = error == cudaSuccess ? cudaGraphInstantiateSuccess
                                                : cudaGraphInstantiateError;
  return error;
}

cudaError_t core_graph_exec_destroy(cudaGraphExec_t exec)
{
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  struct graph_exec **link = &execs;
  while (*link != NULL && *link != exec)
    link = &(*link)->next;
  if (*link != NULL) {
    *link = exec->next;
    graph_free(exec->graph);
    op_clock_free(&exec->launched);
    free(exec);
    error = cudaSuccess;
  }
  graph_unlock();
  return error;
}

cudaError_t core_graph_exec_get_flags(cudaGraphExec_t exec,
                                      unsigned long long *flags)
{
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  if (flags != NULL && graph_exec_is_valid(exec)) {
    *flags = exec->flags;
    error = cudaSuccess;
  }
  graph_unlock();
  return error;
}

static cudaError_t run_graph(struct graph *graph);

static cudaError_t launch_one(struct graph_exec *exec);

/* And what its kernel launched by fire and forget. */
static cudaError_t run_work(const struct work *work)
{
  struct graph_run *run = graph_run_current();
  struct graph_exec *fired;
  cudaError_t error = work_run(work);
  while (error == cudaSuccess && run != NULL &&
         (fired = graph_run_next(run, false)) != NULL)
    error = launch_one(fired);
  return error;
}

static cudaError_t run_node(const struct work *work)
{
  cudaError_t error = cudaSuccess;
  struct graph *body;
  if (work->type == cudaGraphNodeTypeGraph)
    return run_graph(work->child);
  if (work->type != cudaGraphNodeTypeConditional)
    return run_work(work);
  for (unsigned n = 0; error == cudaSuccess && !state_is_dead(work->device) &&
                       (body = condition_next(work, n)) != NULL;
       n += n == 0)
    error = run_graph(body);
  return error;
}

/* The graph runs as a copy of its own, outside the lock: host functions may
 * build graphs. */
static cudaError_t run_graph(struct graph *graph)
{
  struct graph_node **order = host_try_new(graph->n_nodes + 1, sizeof *order);
  cudaError_t error = order != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
  if (order != NULL)
    graph_order(graph, order, config()->order_seed);
  struct ordering_graph ordering;
  ordering_graph_begin(&ordering);
  for (size_t i = 0; i < graph->n_nodes && error == cudaSuccess; i++) {
    ordering_node_begin(&ordering, order[i]);
    if (!order[i]->disabled)
      error = run_node(&order[i]->work);
    ordering_node_end(&ordering, order[i]);
  }
  ordering_graph_end(&ordering);
  for (struct graph_node *n = graph->first; n != NULL; n = n->next)
    ordering_node_forget(n);
  free(order);
  return error;
}

static struct graph *copy_to_run(cudaGraphExec_t exec)
{
  struct graph *copy = NULL;
  graph_lock();
  if (graph_exec_is_valid(exec)) {
    exec->uploaded = true;
    copy = graph_copy(exec->graph);
    copy->is_part = true;
  }
  graph_unlock();
  return copy;
}

/* A graph, what its kernels launch, and then its tail launches: those of a
 * tail launch come before the ones that waited already. A graph may launch
 * itself a million times, so there is no recursion for them. */
static cudaError_t launch_one(struct graph_exec *exec)
{
  struct graph_run *waiting = NULL; /* the newest first */
  cudaError_t error = cudaSuccess;
  while (exec != NULL) {
    struct graph_run *run = host_new(1, sizeof *run);
    struct graph *copy = copy_to_run(exec);
    graph_run_begin(run, exec);
    if (copy == NULL)
      error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
      condition_begin(copy);
      error = run_graph(copy);
      graph_lock();
      graph_free(copy);
      graph_unlock();
    }
    while (graph_run_next(run, false) != NULL)
      ; /* only after an error */
    graph_run_end(run);
    run->outer = waiting;
    waiting = run;
    exec = NULL;
    while (waiting != NULL && exec == NULL) {
      exec = graph_run_next(waiting, true);
      if (waiting->tail == NULL) {
        struct graph_run *done = waiting;
        waiting = done->outer;
        free(done);
      }
    }
  }
  return error;
}

/* A graph does not overlap with itself: a launch waits for the last one. */
static cudaError_t launch(cudaGraphExec_t exec, cudaStream_t stream)
{
  graph_lock();
  bool is_valid = graph_exec_is_valid(exec);
  graph_unlock();
  if (!is_valid)
    return cudaErrorInvalidValue;
  capture_pause();
  ordering_wait(stream, &exec->launched);
  cudaError_t error = launch_one(exec);
  capture_resume();
  graph_lock();
  if (graph_exec_is_valid(exec))
    ordering_record(&exec->launched, stream);
  graph_unlock();
  return error;
}

static cudaError_t record(cudaGraphExec_t exec, cudaStream_t stream)
{
  struct work work;
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  if (graph_exec_is_valid(exec))
    error = work_child(exec->graph, &work);
  graph_unlock();
  return capture_add(stream, error, &work);
}

cudaError_t core_graph_launch(cudaGraphExec_t exec, cudaStream_t stream)
{
  bool captures;
  cudaError_t error = state_enter();
  if (error == cudaSuccess)
    error = stream_enter(stream, &captures);
  if (error == cudaSuccess)
    error = captures ? record(exec, stream) : launch(exec, stream);
  return error;
}

cudaError_t core_graph_upload(cudaGraphExec_t exec, cudaStream_t stream)
{
  cudaError_t error = state_enter();
  if (error == cudaSuccess && !stream_is_valid(stream))
    error = cudaErrorInvalidResourceHandle;
  graph_lock();
  if (error == cudaSuccess && !graph_exec_is_valid(exec))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess)
    exec->uploaded = true;
  graph_unlock();
  return error;
}
