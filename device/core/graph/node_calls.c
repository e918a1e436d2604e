/* Calls that make, ask and change nodes. */
#include <stdlib.h>

#include "../state.h"
#include "../symbol.h"
#include "graph.h"

/* Puts a node that was made, or not, into the graph. */
static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph,
                       const cudaGraphNode_t *before, size_t n_before,
                       cudaError_t error, struct work *work)
{
  if (error != cudaSuccess)
    return error;
  error = cudaErrorInvalidValue;
  if (node != NULL)
    error = graph_add(graph, before, n_before, work, node);
  if (error != cudaSuccess)
    work_release(work);
  return error;
}

/* The calls hold the lock from making the work to adding it. */
#define ADD(make)                                                              \
  struct work work;                                                            \
  cudaError_t error = state_settle();                                          \
  graph_lock();                                                                \
  if (error == cudaSuccess)                                                    \
    error = make;                                                              \
  error = add(node, graph, before, n_before, error, &work);                    \
  graph_unlock();                                                              \
  return error

cudaError_t core_graph_add_node(cudaGraphNode_t *node, cudaGraph_t graph,
                                const cudaGraphNode_t *before,
                                const cudaGraphEdgeData *data, size_t n_before,
                                struct cudaGraphNodeParams *parameters)
{
  (void)data;
  ADD(work_of(parameters, &work));
}

cudaError_t
core_graph_add_kernel_node(cudaGraphNode_t *node, cudaGraph_t graph,
                           const cudaGraphNode_t *before, size_t n_before,
                           const struct cudaKernelNodeParams *kernel)
{
  if (kernel == NULL)
    return cudaErrorInvalidValue;
  ADD(work_kernel(kernel, NULL, &work));
}

cudaError_t core_graph_add_memcpy_node(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *before,
                                       size_t n_before,
                                       const struct cudaMemcpy3DParms *copy)
{
  ADD(work_copy(copy, &work));
}

cudaError_t core_graph_add_memcpy_node_1d(cudaGraphNode_t *node,
                                          cudaGraph_t graph,
                                          const cudaGraphNode_t *before,
                                          size_t n_before, void *destination,
                                          const void *source, size_t bytes,
                                          enum cudaMemcpyKind kind)
{
  ADD(work_copy_bytes(destination, source, bytes, kind, &work));
}

/* A symbol's address does not change while its device is not reset. */
static cudaError_t to_symbol(const void *symbol, const void *source,
                             size_t bytes, size_t offset,
                             enum cudaMemcpyKind kind, struct work *work)
{
  char *address;
  cudaError_t error = symbol_locate("copy to a symbol in a graph", symbol,
                                    bytes, offset, true, kind, &address);
  return error != cudaSuccess
             ? error
             : work_copy_bytes(address, source, bytes, kind, work);
}

static cudaError_t from_symbol(void *destination, const void *symbol,
                               size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind, struct work *work)
{
  char *address;
  cudaError_t error = symbol_locate("copy from a symbol in a graph", symbol,
                                    bytes, offset, false, kind, &address);
  return error != cudaSuccess
             ? error
             : work_copy_bytes(destination, address, bytes, kind, work);
}

cudaError_t core_graph_add_memcpy_node_to_symbol(
    cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
    size_t n_before, const void *symbol, const void *source, size_t bytes,
    size_t offset, enum cudaMemcpyKind kind)
{
  ADD(to_symbol(symbol, source, bytes, offset, kind, &work));
}

cudaError_t core_graph_add_memcpy_node_from_symbol(
    cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
    size_t n_before, void *destination, const void *symbol, size_t bytes,
    size_t offset, enum cudaMemcpyKind kind)
{
  ADD(from_symbol(destination, symbol, bytes, offset, kind, &work));
}

cudaError_t core_graph_add_memset_node(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *before,
                                       size_t n_before,
                                       const struct cudaMemsetParams *set)
{
  ADD(work_set(set, &work));
}

cudaError_t core_graph_add_host_node(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *before,
                                     size_t n_before,
                                     const struct cudaHostNodeParams *host)
{
  ADD(work_host(host, &work));
}

cudaError_t core_graph_add_child_graph_node(cudaGraphNode_t *node,
                                            cudaGraph_t graph,
                                            const cudaGraphNode_t *before,
                                            size_t n_before, cudaGraph_t child)
{
  ADD(work_child(child, &work));
}

cudaError_t core_graph_add_empty_node(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *before,
                                      size_t n_before)
{
  struct cudaGraphNodeParams empty = { .type = cudaGraphNodeTypeEmpty };
  ADD(work_of(&empty, &work));
}

cudaError_t core_graph_add_event_record_node(cudaGraphNode_t *node,
                                             cudaGraph_t graph,
                                             const cudaGraphNode_t *before,
                                             size_t n_before, cudaEvent_t event)
{
  ADD(work_event(cudaGraphNodeTypeEventRecord, event, &work));
}

cudaError_t core_graph_add_event_wait_node(cudaGraphNode_t *node,
                                           cudaGraph_t graph,
                                           const cudaGraphNode_t *before,
                                           size_t n_before, cudaEvent_t event)
{
  ADD(work_event(cudaGraphNodeTypeWaitEvent, event, &work));
}

cudaError_t core_graph_add_mem_alloc_node(cudaGraphNode_t *node,
                                          cudaGraph_t graph,
                                          const cudaGraphNode_t *before,
                                          size_t n_before,
                                          struct cudaMemAllocNodeParams *alloc)
{
  ADD(work_alloc(alloc, &work));
}

cudaError_t core_graph_add_mem_free_node(cudaGraphNode_t *node,
                                         cudaGraph_t graph,
                                         const cudaGraphNode_t *before,
                                         size_t n_before, void *address)
{
  ADD(work_free(address, &work));
}

/* ---- asking ------------------------------------------------------------- */

static bool is(cudaGraphNode_t node, enum cudaGraphNodeType type)
{
  return graph_node_is_valid(node) && node->work.type == type;
}

#define GET(result, wanted, value)                                             \
  cudaError_t error = cudaErrorInvalidValue;                                   \
  graph_lock();                                                                \
  if ((result) != NULL && is(node, wanted)) {                                  \
    *(result) = value;                                                         \
    error = cudaSuccess;                                                       \
  }                                                                            \
  graph_unlock();                                                              \
  return error

cudaError_t
core_graph_kernel_node_get_params(cudaGraphNode_t node,
                                  struct cudaKernelNodeParams *kernel)
{
  GET(kernel, cudaGraphNodeTypeKernel, node->work.kernel.params);
}

cudaError_t core_graph_memcpy_node_get_params(cudaGraphNode_t node,
                                              struct cudaMemcpy3DParms *copy)
{
  GET(copy, cudaGraphNodeTypeMemcpy, node->work.copy);
}

cudaError_t core_graph_memset_node_get_params(cudaGraphNode_t node,
                                              struct cudaMemsetParams *set)
{
  GET(set, cudaGraphNodeTypeMemset, node->work.set);
}

cudaError_t core_graph_host_node_get_params(cudaGraphNode_t node,
                                            struct cudaHostNodeParams *host)
{
  GET(host, cudaGraphNodeTypeHost, node->work.host);
}

cudaError_t core_graph_child_graph_node_get_graph(cudaGraphNode_t node,
                                                  cudaGraph_t *child)
{
  GET(child, cudaGraphNodeTypeGraph, node->work.child);
}

cudaError_t core_graph_event_record_node_get_event(cudaGraphNode_t node,
                                                   cudaEvent_t *event)
{
  GET(event, cudaGraphNodeTypeEventRecord, node->work.event);
}

cudaError_t core_graph_event_wait_node_get_event(cudaGraphNode_t node,
                                                 cudaEvent_t *event)
{
  GET(event, cudaGraphNodeTypeWaitEvent, node->work.event);
}

cudaError_t
core_graph_mem_alloc_node_get_params(cudaGraphNode_t node,
                                     struct cudaMemAllocNodeParams *alloc)
{
  GET(alloc, cudaGraphNodeTypeMemAlloc, node->work.alloc);
}

cudaError_t core_graph_mem_free_node_get_params(cudaGraphNode_t node,
                                                void *address)
{
  void **result = address;
  GET(result, cudaGraphNodeTypeMemFree, node->work.freed);
}

cudaError_t core_graph_node_get_type(cudaGraphNode_t node,
                                     enum cudaGraphNodeType *type)
{
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  if (type != NULL && graph_node_is_valid(node)) {
    *type = node->work.type;
    error = cudaSuccess;
  }
  graph_unlock();
  return error;
}

/* ---- changing ----------------------------------------------------------- */

static cudaError_t change(cudaGraphNode_t node, cudaError_t error,
                          struct work *work)
{
  if (error != cudaSuccess)
    return error;
  if (!is(node, work->type)) {
    work_release(work);
    return cudaErrorInvalidValue;
  }
  work_release(&node->work);
  node->work = *work;
  return cudaSuccess;
}

#define CHANGE(make)                                                           \
  struct work work;                                                            \
  cudaError_t error = state_settle();                                          \
  graph_lock();                                                                \
  if (error == cudaSuccess)                                                    \
    error = make;                                                              \
  error = change(node, error, &work);                                          \
  graph_unlock();                                                              \
  return error

cudaError_t
core_graph_kernel_node_set_params(cudaGraphNode_t node,
                                  const struct cudaKernelNodeParams *kernel)
{
  if (kernel == NULL)
    return cudaErrorInvalidValue;
  CHANGE(work_kernel(kernel, NULL, &work));
}

cudaError_t
core_graph_memcpy_node_set_params(cudaGraphNode_t node,
                                  const struct cudaMemcpy3DParms *copy)
{
  CHANGE(work_copy(copy, &work));
}

cudaError_t core_graph_memcpy_node_set_params_1d(cudaGraphNode_t node,
                                                 void *destination,
                                                 const void *source,
                                                 size_t bytes,
                                                 enum cudaMemcpyKind kind)
{
  CHANGE(work_copy_bytes(destination, source, bytes, kind, &work));
}

cudaError_t core_graph_memcpy_node_set_params_to_symbol(
    cudaGraphNode_t node, const void *symbol, const void *source, size_t bytes,
    size_t offset, enum cudaMemcpyKind kind)
{
  CHANGE(to_symbol(symbol, source, bytes, offset, kind, &work));
}

cudaError_t core_graph_memcpy_node_set_params_from_symbol(
    cudaGraphNode_t node, void *destination, const void *symbol, size_t bytes,
    size_t offset, enum cudaMemcpyKind kind)
{
  CHANGE(from_symbol(destination, symbol, bytes, offset, kind, &work));
}

cudaError_t
core_graph_memset_node_set_params(cudaGraphNode_t node,
                                  const struct cudaMemsetParams *set)
{
  CHANGE(work_set(set, &work));
}

cudaError_t
core_graph_host_node_set_params(cudaGraphNode_t node,
                                const struct cudaHostNodeParams *host)
{
  CHANGE(work_host(host, &work));
}

cudaError_t core_graph_event_record_node_set_event(cudaGraphNode_t node,
                                                   cudaEvent_t event)
{
  CHANGE(work_event(cudaGraphNodeTypeEventRecord, event, &work));
}

cudaError_t core_graph_event_wait_node_set_event(cudaGraphNode_t node,
                                                 cudaEvent_t event)
{
  CHANGE(work_event(cudaGraphNodeTypeWaitEvent, event, &work));
}

cudaError_t core_graph_node_set_params(cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *parameters)
{
  CHANGE(work_of(parameters, &work));
}

/* Only what changes the work is kept; the rest asks for speed. */
cudaError_t
core_graph_kernel_node_set_attribute(cudaGraphNode_t node,
                                     enum cudaLaunchAttributeID attribute,
                                     const cudaLaunchAttributeValue *value)
{
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  if (value != NULL && is(node, cudaGraphNodeTypeKernel)) {
    if (attribute == cudaLaunchAttributeCooperative)
      node->work.kernel.how.cooperative = value->cooperative != 0;
    if (attribute == cudaLaunchAttributeClusterDimension)
      node->work.kernel.how.cluster =
          (dim3){ value->clusterDim.x, value->clusterDim.y,
                  value->clusterDim.z };
    error = cudaSuccess;
  }
  graph_unlock();
  return error;
}

cudaError_t
core_graph_kernel_node_get_attribute(cudaGraphNode_t node,
                                     enum cudaLaunchAttributeID attribute,
                                     cudaLaunchAttributeValue *value)
{
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  if (value != NULL && is(node, cudaGraphNodeTypeKernel)) {
    *value = (cudaLaunchAttributeValue){ { 0 } };
    if (attribute == cudaLaunchAttributeCooperative)
      value->cooperative = node->work.kernel.how.cooperative;
    if (attribute == cudaLaunchAttributeClusterDimension) {
      value->clusterDim.x = node->work.kernel.how.cluster.x;
      value->clusterDim.y = node->work.kernel.how.cluster.y;
      value->clusterDim.z = node->work.kernel.how.cluster.z;
    }
    error = cudaSuccess;
  }
  graph_unlock();
  return error;
}

cudaError_t core_graph_kernel_node_copy_attributes(cudaGraphNode_t to,
                                                   cudaGraphNode_t from)
{
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  if (is(to, cudaGraphNodeTypeKernel) && is(from, cudaGraphNodeTypeKernel)) {
    to->work.kernel.how = from->work.kernel.how;
    error = cudaSuccess;
  }
  graph_unlock();
  return error;
}
