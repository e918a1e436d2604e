/* Calls that ask a graph. Lists are given as CUDA gives them: with no room
 * the number alone; with more room than needed, NULL in the rest. */
#include <stdio.h>

#include "../state.h"
#include "graph.h"

struct list {
  cudaGraphNode_t *from, *to;
  cudaGraphEdgeData *data;
  size_t room, n;
};

static void put_edge(struct list *list, cudaGraphNode_t from,
                     cudaGraphNode_t to)
{
  if (list->n < list->room) {
    if (list->from != NULL)
      list->from[list->n] = from;
    if (list->to != NULL)
      list->to[list->n] = to;
    if (list->data != NULL)
      list->data[list->n] = (cudaGraphEdgeData){ 0 };
  }
  list->n++;
}

static cudaError_t finish(struct list *list, size_t *n)
{
  for (size_t i = list->n; i < list->room; i++) {
    if (list->from != NULL)
      list->from[i] = NULL;
    if (list->to != NULL)
      list->to[i] = NULL;
  }
  *n = list->room == 0 || list->n < list->room ? list->n : list->room;
  return cudaSuccess;
}

enum which { ALL, ROOTS, EDGES };

static cudaError_t ask(cudaGraph_t graph, enum which which, struct list *list,
                       size_t *n)
{
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  if (n != NULL && graph_is_valid(graph)) {
    list->room = list->from != NULL || list->to != NULL ? *n : 0;
    for (cudaGraphNode_t node = graph->first; node != NULL; node = node->next)
      if (which == EDGES)
        for (size_t i = 0; i < node->n_before; i++)
          put_edge(list, node->before[i], node);
      else if (which == ALL || node->n_before == 0)
        put_edge(list, node, node);
    error = finish(list, n);
  }
  graph_unlock();
  return error;
}

cudaError_t core_graph_get_nodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                 size_t *n)
{
  struct list list = { .from = nodes };
  return ask(graph, ALL, &list, n);
}

cudaError_t core_graph_get_root_nodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                      size_t *n)
{
  struct list list = { .from = nodes };
  return ask(graph, ROOTS, &list, n);
}

cudaError_t core_graph_get_edges(cudaGraph_t graph, cudaGraphNode_t *from,
                                 cudaGraphNode_t *to, cudaGraphEdgeData *data,
                                 size_t *n)
{
  struct list list = { .from = from, .to = to, .data = data };
  return ask(graph, EDGES, &list, n);
}

static cudaError_t neighbours(cudaGraphNode_t node, bool after,
                              struct list *list, size_t *n)
{
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  if (n != NULL && graph_node_is_valid(node)) {
    list->room = list->from != NULL ? *n : 0;
    for (cudaGraphNode_t to = node->graph->first; to != NULL; to = to->next)
      for (size_t i = 0; i < to->n_before; i++)
        if ((after ? to->before[i] : to) == node)
          put_edge(list, after ? to : to->before[i], NULL);
    error = finish(list, n);
  }
  graph_unlock();
  return error;
}

cudaError_t core_graph_node_get_dependencies(cudaGraphNode_t node,
                                             cudaGraphNode_t *before,
                                             cudaGraphEdgeData *data, size_t *n)
{
  struct list list = { .from = before, .data = data };
  return neighbours(node, false, &list, n);
}

cudaError_t core_graph_node_get_dependent_nodes(cudaGraphNode_t node,
                                                cudaGraphNode_t *after,
                                                cudaGraphEdgeData *data,
                                                size_t *n)
{
  struct list list = { .from = after, .data = data };
  return neighbours(node, true, &list, n);
}

struct graph_node *graph_twin(struct graph *copy, const struct graph_node *node)
{
  for (struct graph_node *n = copy->first; n != NULL; n = n->next) {
    struct graph_node *inside = NULL;
    if (n->origin == node)
      return n;
    if (n->work.type == cudaGraphNodeTypeGraph)
      inside = graph_twin(n->work.child, node);
    if (inside != NULL)
      return inside;
  }
  return NULL;
}

cudaError_t core_graph_node_find_in_clone(cudaGraphNode_t *node,
                                          cudaGraphNode_t original,
                                          cudaGraph_t clone)
{
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  if (node != NULL && original != NULL && graph_is_valid(clone)) {
    *node = graph_twin(clone, original);
    error = *node != NULL ? cudaSuccess : cudaErrorInvalidValue;
  }
  graph_unlock();
  return error;
}

static const char *kind_of(const struct graph_node *node)
{
  static const char *const names[] = { "kernel",    "memcpy", "memset",
                                       "host",      "graph",  "empty",
                                       "wait",      "record", "signal",
                                       "semaphore", "alloc",  "free" };
  return names[node->work.type];
}

static void print(FILE *file, const struct graph *graph)
{
  size_t number = 0;
  fputs("digraph graph_1 {\n", file);
  for (const struct graph_node *n = graph->first; n != NULL; n = n->next) {
    fprintf(file, "  node_%p [label=\"%zu %s\"];\n", (const void *)n, number++,
            kind_of(n));
    for (size_t i = 0; i < n->n_before; i++)
      fprintf(file, "  node_%p -> node_%p;\n", (const void *)n->before[i],
              (const void *)n);
  }
  fputs("}\n", file);
}

cudaError_t core_graph_debug_dot_print(cudaGraph_t graph, const char *path,
                                       unsigned flags)
{
  (void)flags;
  cudaError_t error = cudaErrorInvalidValue;
  graph_lock();
  if (path != NULL && graph_is_valid(graph)) {
    FILE *file = fopen(path, "w");
    error = file != NULL ? cudaSuccess : cudaErrorOperatingSystem;
    if (file != NULL) {
      print(file, graph);
      fclose(file);
    }
  }
  graph_unlock();
  return error;
}
