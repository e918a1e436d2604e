/* Graphs, their edges, and copies of them. */
#include "graph.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/host_memory.h"
#include "../state.h"
#include "user_object.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct graph *graphs;

void graph_lock(void) { pthread_mutex_lock(&lock); }

void graph_unlock(void)
{
  struct user_object *dead = user_objects_dead();
  pthread_mutex_unlock(&lock);
  user_objects_bury(dead);
}

struct graph *graph_new(void)
{
  struct graph *graph = host_try_new(1, sizeof *graph);
  if (graph == NULL)
    return NULL;
  graph->last = &graph->first;
  graph->next = graphs;
  graphs = graph;
  return graph;
}

static void free_node(struct graph_node *node)
{
  work_release(&node->work);
  free(node->before);
  free(node);
}

void graph_free(struct graph *graph)
{
  struct graph **link = &graphs;
  while (*link != NULL && *link != graph)
    link = &(*link)->next;
  if (*link != NULL)
    *link = graph->next;
  for (struct graph_node *n = graph->first, *next; n != NULL; n = next) {
    next = n->next;
    free_node(n);
  }
  user_references_free(graph);
  free(graph);
}

bool graph_is_valid(const struct graph *graph)
{
  const struct graph *g = graphs;
  while (g != NULL && g != graph)
    g = g->next;
  return g != NULL;
}

bool graph_has(const struct graph *graph, const struct graph_node *node)
{
  const struct graph_node *n = graph->first;
  while (n != NULL && n != node)
    n = n->next;
  return n != NULL;
}

bool graph_node_is_valid(const struct graph_node *node)
{
  for (const struct graph *g = graphs; g != NULL; g = g->next)
    if (graph_has(g, node))
      return true;
  return false;
}

static bool depends(const struct graph_node *to, const struct graph_node *from)
{
  for (size_t i = 0; i < to->n_before; i++)
    if (to->before[i] == from)
      return true;
  return false;
}

void graph_connect(struct graph_node *from, struct graph_node *to)
{
  if (depends(to, from))
    return;
  struct graph_node **grown =
      host_grow(to->before, to->n_before + 1, sizeof *grown);
  to->before = grown;
  to->before[to->n_before++] = from;
}

static struct graph_node *append(struct graph *graph)
{
  struct graph_node *node = host_new(1, sizeof *node);
  node->graph = graph;
  *graph->last = node;
  graph->last = &node->next;
  graph->n_nodes++;
  return node;
}

cudaError_t graph_add(struct graph *graph, struct graph_node *const *before,
                      size_t n_before, const struct work *work,
                      struct graph_node **node)
{
  if (!graph_is_valid(graph) || (n_before > 0 && before == NULL))
    return cudaErrorInvalidValue;
  for (size_t i = 0; i < n_before; i++)
    if (!graph_has(graph, before[i]))
      return cudaErrorInvalidValue;
  *node = append(graph);
  (*node)->work = *work;
  for (size_t i = 0; i < n_before; i++)
    graph_connect(before[i], *node);
  return cudaSuccess;
}

struct graph *graph_copy(struct graph *graph)
{
  struct graph *copy = graph_new();
  if (copy == NULL)
    host_out_of_memory();
  copy->origin = graph;
  for (struct graph_node *n = graph->first; n != NULL; n = n->next) {
    struct graph_node *twin = append(copy);
    twin->origin = n;
    twin->disabled = n->disabled;
    work_clone(&n->work, &twin->work);
    n->copied = twin;
  }
  for (struct graph_node *n = graph->first; n != NULL; n = n->next)
    for (size_t i = 0; i < n->n_before; i++)
      graph_connect(n->before[i]->copied, n->copied);
  user_references_copy(copy, graph);
  return copy;
}

cudaError_t core_graph_create(cudaGraph_t *graph, unsigned flags)
{
  if (graph == NULL || flags != 0)
    return cudaErrorInvalidValue;
  cudaError_t error = state_settle();
  if (error != cudaSuccess)
    return error;
  graph_lock();
  *graph = graph_new();
  graph_unlock();
  return *graph != NULL ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t core_graph_destroy(cudaGraph_t graph)
{
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  if (graph_is_valid(graph) && !graph->is_part) {
    graph_free(graph);
    error = cudaSuccess;
  }
  graph_unlock();
  return error;
}

cudaError_t core_graph_clone(cudaGraph_t *clone, cudaGraph_t graph)
{
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  if (clone != NULL && graph_is_valid(graph)) {
    *clone = graph_copy(graph);
    error = cudaSuccess;
  }
  graph_unlock();
  return error;
}

static void disconnect(struct graph_node *from, struct graph_node *to)
{
  size_t kept = 0;
  for (size_t i = 0; i < to->n_before; i++)
    if (to->before[i] != from)
      to->before[kept++] = to->before[i];
  to->n_before = kept;
}

static void remove_node(struct graph_node *node)
{
  struct graph *graph = node->graph;
  for (struct graph_node *n = graph->first; n != NULL; n = n->next)
    disconnect(node, n);
  struct graph_node **link = &graph->first;
  while (*link != node)
    link = &(*link)->next;
  *link = node->next;
  if (graph->last == &node->next)
    graph->last = link;
  graph->n_nodes--;
  free_node(node);
}

cudaError_t core_graph_destroy_node(cudaGraphNode_t node)
{
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  if (graph_node_is_valid(node)) {
    error = cudaErrorNotSupported; /* as CUDA says of memory nodes */
    if (node->work.type != cudaGraphNodeTypeMemAlloc &&
        node->work.type != cudaGraphNodeTypeMemFree) {
      remove_node(node);
      error = cudaSuccess;
    }
  }
  graph_unlock();
  return error;
}

static cudaError_t check_edges(const struct graph *graph,
                               const cudaGraphNode_t *from,
                               const cudaGraphNode_t *to, size_t n, bool wanted)
{
  if (!graph_is_valid(graph) || (n > 0 && (from == NULL || to == NULL)))
    return cudaErrorInvalidValue;
  for (size_t i = 0; i < n; i++)
    if (!graph_has(graph, from[i]) || !graph_has(graph, to[i]) ||
        from[i] == to[i] || depends(to[i], from[i]) != wanted)
      return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t core_graph_add_dependencies(cudaGraph_t graph,
                                        const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *data, size_t n)
{
  (void)data; /* every edge here is a full one, which is always right */
  graph_lock();
  cudaError_t error = check_edges(graph, from, to, n, false);
  for (size_t i = 0; error == cudaSuccess && i < n; i++)
    graph_connect(from[i], to[i]);
  graph_unlock();
  return error;
}

cudaError_t core_graph_remove_dependencies(cudaGraph_t graph,
                                           const cudaGraphNode_t *from,
                                           const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *data,
                                           size_t n)
{
  (void)data;
  graph_lock();
  cudaError_t error = check_edges(graph, from, to, n, true);
  for (size_t i = 0; error == cudaSuccess && i < n; i++)
    disconnect(from[i], to[i]);
  graph_unlock();
  return error;
}
