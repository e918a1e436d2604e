/* Changes of what was instantiated, without doing it again. */
#include <string.h>

#include "../state.h"
#include "../symbol.h"
#include "graph.h"

static struct graph_node *find_twin(cudaGraphExec_t exec, cudaGraphNode_t node)
{
  if (node == NULL || !graph_exec_is_valid(exec))
    return NULL;
  return graph_twin(exec->graph, node);
}

static cudaError_t change(cudaGraphExec_t exec, cudaGraphNode_t node,
                          cudaError_t error, struct work *work)
{
  struct graph_node *twin = find_twin(exec, node);
  if (error != cudaSuccess)
    return error;
  if (twin == NULL || twin->work.type != work->type) {
    work_release(work);
    return cudaErrorInvalidValue;
  }
  if (work->type == cudaGraphNodeTypeKernel)
    work->kernel.how = twin->work.kernel.how;
  work_release(&twin->work);
  twin->work = *work;
  return cudaSuccess;
}

#define CHANGE(make)                                                           \
  struct work work;                                                            \
  cudaError_t error = state_settle();                                          \
  graph_lock();                                                                \
  if (error == cudaSuccess)                                                    \
    error = make;                                                              \
  error = change(exec, node, error, &work);                                    \
  graph_unlock();                                                              \
  return error

cudaError_t core_graph_exec_kernel_node_set_params(
    cudaGraphExec_t exec, cudaGraphNode_t node,
    const struct cudaKernelNodeParams *kernel)
{
  if (kernel == NULL)
    return cudaErrorInvalidValue;
  CHANGE(work_kernel(kernel, NULL, &work));
}

cudaError_t
core_graph_exec_memcpy_node_set_params(cudaGraphExec_t exec,
                                       cudaGraphNode_t node,
                                       const struct cudaMemcpy3DParms *copy)
{
  CHANGE(work_copy(copy, &work));
}

cudaError_t core_graph_exec_memcpy_node_set_params_1d(
    cudaGraphExec_t exec, cudaGraphNode_t node, void *destination,
    const void *source, size_t bytes, enum cudaMemcpyKind kind)
{
  CHANGE(work_copy_bytes(destination, source, bytes, kind, &work));
}

static cudaError_t at_symbol(const void *symbol, size_t bytes, size_t offset,
                             enum cudaMemcpyKind kind, void *destination,
                             const void *source, struct work *work)
{
  char *address;
  cudaError_t error =
      symbol_locate("cudaGraphExecMemcpyNodeSetParams", symbol, bytes, offset,
                    destination == NULL, kind, &address);
  if (error != cudaSuccess)
    return error;
  return destination == NULL
             ? work_copy_bytes(address, source, bytes, kind, work)
             : work_copy_bytes(destination, address, bytes, kind, work);
}

cudaError_t core_graph_exec_memcpy_node_set_params_to_symbol(
    cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol,
    const void *source, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
  CHANGE(at_symbol(symbol, bytes, offset, kind, NULL, source, &work));
}

cudaError_t core_graph_exec_memcpy_node_set_params_from_symbol(
    cudaGraphExec_t exec, cudaGraphNode_t node, void *destination,
    const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
  if (destination == NULL)
    return cudaErrorInvalidValue;
  CHANGE(at_symbol(symbol, bytes, offset, kind, destination, NULL, &work));
}

cudaError_t
core_graph_exec_memset_node_set_params(cudaGraphExec_t exec,
                                       cudaGraphNode_t node,
                                       const struct cudaMemsetParams *set)
{
  CHANGE(work_set(set, &work));
}

cudaError_t
core_graph_exec_host_node_set_params(cudaGraphExec_t exec, cudaGraphNode_t node,
                                     const struct cudaHostNodeParams *host)
{
  CHANGE(work_host(host, &work));
}

cudaError_t core_graph_exec_child_graph_node_set_params(cudaGraphExec_t exec,
                                                        cudaGraphNode_t node,
                                                        cudaGraph_t child)
{
  CHANGE(work_child(child, &work));
}

cudaError_t core_graph_exec_event_record_node_set_event(cudaGraphExec_t exec,
                                                        cudaGraphNode_t node,
                                                        cudaEvent_t event)
{
  CHANGE(work_event(cudaGraphNodeTypeEventRecord, event, &work));
}

cudaError_t core_graph_exec_event_wait_node_set_event(cudaGraphExec_t exec,
                                                      cudaGraphNode_t node,
                                                      cudaEvent_t event)
{
  CHANGE(work_event(cudaGraphNodeTypeWaitEvent, event, &work));
}

cudaError_t
core_graph_exec_node_set_params(cudaGraphExec_t exec, cudaGraphNode_t node,
                                struct cudaGraphNodeParams *parameters)
{
  CHANGE(work_of(parameters, &work));
}

/* Only nodes of these types can be left out. */
static bool can_be_disabled(const struct graph_node *node)
{
  return node->work.type == cudaGraphNodeTypeKernel ||
         node->work.type == cudaGraphNodeTypeMemcpy ||
         node->work.type == cudaGraphNodeTypeMemset;
}

cudaError_t core_graph_node_set_enabled(cudaGraphExec_t exec,
                                        cudaGraphNode_t node, unsigned enabled)
{
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  struct graph_node *twin = find_twin(exec, node);
  if (twin != NULL && can_be_disabled(twin)) {
    twin->disabled = enabled == 0;
    error = cudaSuccess;
  }
  graph_unlock();
  return error;
}

cudaError_t core_graph_node_get_enabled(cudaGraphExec_t exec,
                                        cudaGraphNode_t node, unsigned *enabled)
{
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  struct graph_node *twin = find_twin(exec, node);
  if (twin != NULL && can_be_disabled(twin) && enabled != NULL) {
    *enabled = !twin->disabled;
    error = cudaSuccess;
  }
  graph_unlock();
  return error;
}

/* ---- a whole graph ------------------------------------------------------ */

static size_t node_number(const struct graph *graph,
                          const struct graph_node *node)
{
  size_t number = 0;
  for (const struct graph_node *n = graph->first; n != node; n = n->next)
    number++;
  return number;
}

static bool same_edges(const struct graph_node *a, const struct graph_node *b)
{
  if (a->n_before != b->n_before)
    return false;
  for (size_t i = 0; i < a->n_before; i++)
    if (node_number(a->graph, a->before[i]) !=
        node_number(b->graph, b->before[i]))
      return false;
  return true;
}

static enum cudaGraphExecUpdateResult compare(const struct graph *a,
                                              const struct graph *b,
                                              cudaGraphExecUpdateResultInfo *i)
{
  const struct graph_node *n = a->first;
  struct graph_node *m = b->first;
  if (a->n_nodes != b->n_nodes)
    return cudaGraphExecUpdateErrorTopologyChanged;
  for (; n != NULL; n = n->next, m = m->next) {
    enum cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
    i->errorNode = m;
    if (n->work.type != m->work.type)
      return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (!same_edges(n, m))
      return cudaGraphExecUpdateErrorTopologyChanged;
    if (n->work.type == cudaGraphNodeTypeGraph)
      result = compare(n->work.child, m->work.child, i);
    if (result != cudaGraphExecUpdateSuccess)
      return result;
  }
  i->errorNode = NULL;
  return cudaGraphExecUpdateSuccess;
}

static void take_over(struct graph *to, const struct graph *from)
{
  struct graph_node *n = to->first;
  for (const struct graph_node *m = from->first; m != NULL; m = m->next) {
    struct work work;
    work_clone(&m->work, &work);
    work_release(&n->work);
    n->work = work;
    n = n->next;
  }
}

cudaError_t core_graph_exec_update(cudaGraphExec_t exec, cudaGraph_t graph,
                                   cudaGraphExecUpdateResultInfo *info)
{
  cudaGraphExecUpdateResultInfo found = { 0 };
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  if (graph_exec_is_valid(exec) && graph_is_valid(graph)) {
    found.result = compare(exec->graph, graph, &found);
    error = cudaErrorGraphExecUpdateFailure;
    if (found.result == cudaGraphExecUpdateSuccess) {
      take_over(exec->graph, graph);
      error = cudaSuccess;
    }
    if (info != NULL)
      *info = found;
  }
  graph_unlock();
  return error;
}
