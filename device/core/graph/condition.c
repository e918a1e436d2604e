/* Nodes whose graphs run as often as a value says, which kernels set. */
#include <stdlib.h>

#include "../../memory/memory.h"
#include "../../support/host_memory.h"
#include "../state.h"
#include "graph.h"

/* Kept to the end: what was instantiated may outlive the graph. */
struct condition {
  struct condition *next;
  uint64_t handle;
  unsigned default_value, flags;
};

static struct condition *conditions; /* under graph_lock */

static struct condition *find_condition(uint64_t handle)
{
  struct condition *c = conditions;
  while (c != NULL && c->handle != handle)
    c = c->next;
  return c;
}

static uint32_t *condition_value(uint64_t handle)
{
  return memory_view(handle, sizeof(uint32_t));
}

static cudaError_t create_condition(uint64_t *handle, const struct graph *graph,
                                    unsigned default_value, unsigned flags)
{
  if (handle == NULL || !graph_is_valid(graph) ||
      flags > cudaGraphCondAssignDefault)
    return cudaErrorInvalidValue;
  struct condition *c = host_try_new(1, sizeof *c);
  if (c == NULL)
    return cudaErrorMemoryAllocation;
  *c = (struct condition){ .next = conditions,
                           .default_value = default_value,
                           .flags = flags,
                           .handle = memory_allocate(
                               sizeof(uint32_t), 256, MEMORY_VARIABLE,
                               current_device(), "condition of a graph") };
  if (c->handle == 0) {
    free(c);
    return cudaErrorMemoryAllocation;
  }
  *condition_value(c->handle) = default_value;
  conditions = c;
  *handle = c->handle;
  return cudaSuccess;
}

cudaError_t
core_graph_conditional_handle_create(cudaGraphConditionalHandle *handle,
                                     cudaGraph_t graph, unsigned default_value,
                                     unsigned flags)
{
  uint64_t made = 0;
  cudaError_t error = state_settle();
  graph_lock();
  if (error == cudaSuccess)
    error = create_condition(handle == NULL ? NULL : &made, graph,
                             default_value, flags);
  graph_unlock();
  if (error == cudaSuccess)
    *handle = made;
  return error;
}

static bool has_size(const struct cudaConditionalNodeParams *condition)
{
  switch (condition->type) {
  case cudaGraphCondTypeIf: return condition->size == 1 || condition->size == 2;
  case cudaGraphCondTypeWhile: return condition->size == 1;
  case cudaGraphCondTypeSwitch: return condition->size > 0;
  }
  return false;
}

cudaError_t work_condition(struct cudaConditionalNodeParams *condition,
                           struct work *work)
{
  if (find_condition(condition->handle) == NULL || !has_size(condition))
    return cudaErrorInvalidValue;
  *work = (struct work){ .type = cudaGraphNodeTypeConditional,
                         .device = current_device() };
  work->condition.handle = condition->handle;
  work->condition.type = condition->type;
  work->condition.n_bodies = condition->size;
  work->condition.bodies =
      host_try_new(condition->size, sizeof *work->condition.bodies);
  if (work->condition.bodies == NULL)
    return cudaErrorMemoryAllocation;
  for (unsigned i = 0; i < condition->size; i++) {
    struct graph *body = graph_new();
    if (body == NULL)
      host_out_of_memory();
    body->is_part = true;
    work->condition.bodies[i] = body;
  }
  condition->phGraph_out = work->condition.bodies;
  return cudaSuccess;
}

void condition_clone(const struct work *from, struct work *to)
{
  unsigned n = from->condition.n_bodies;
  to->condition.bodies = host_new(n, sizeof *to->condition.bodies);
  for (unsigned i = 0; i < n; i++) {
    to->condition.bodies[i] = graph_copy(from->condition.bodies[i]);
    to->condition.bodies[i]->is_part = true;
  }
}

void condition_release(struct work *work)
{
  for (unsigned i = 0; i < work->condition.n_bodies; i++)
    graph_free(work->condition.bodies[i]);
  free(work->condition.bodies);
}

static void begin_condition(const struct work *work)
{
  graph_lock();
  const struct condition *c = find_condition(work->condition.handle);
  if (c != NULL && (c->flags & cudaGraphCondAssignDefault) != 0)
    *condition_value(c->handle) = c->default_value;
  graph_unlock();
  for (unsigned i = 0; i < work->condition.n_bodies; i++)
    condition_begin(work->condition.bodies[i]);
}

void condition_begin(const struct graph *graph)
{
  for (const struct graph_node *n = graph->first; n != NULL; n = n->next) {
    if (n->work.type == cudaGraphNodeTypeConditional)
      begin_condition(&n->work);
    if (n->work.type == cudaGraphNodeTypeGraph)
      condition_begin(n->work.child);
  }
}

struct graph *condition_next(const struct work *work, unsigned n_runs)
{
  const uint32_t *place = condition_value(work->condition.handle);
  uint32_t value = place != NULL ? *place : 0;
  unsigned which = 0;
  if (place == NULL ||
      (n_runs > 0 && work->condition.type != cudaGraphCondTypeWhile))
    return NULL;
  switch (work->condition.type) {
  case cudaGraphCondTypeIf: which = value != 0 ? 0 : 1; break;
  case cudaGraphCondTypeWhile: which = value != 0 ? 0 : 1; break;
  case cudaGraphCondTypeSwitch: which = value; break;
  }
  return which < work->condition.n_bodies ? work->condition.bodies[which]
                                          : NULL;
}
