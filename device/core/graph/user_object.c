/* User objects: a program's own data, destroyed by its function when the last
 * reference goes. Graphs hold references, and so do their copies. */
#include "user_object.h"

#include <stdlib.h>

#include "../../support/host_memory.h"
#include "../state.h"

struct user_object {
  void *data;
  cudaHostFn *destroy;
  unsigned long long references;
  struct user_object *next; /* of all, or of those to be destroyed */
};

static struct user_object *objects, *dead; /* under graph_lock */

static struct user_object **find_user_object(const struct user_object *object)
{
  struct user_object **link = &objects;
  while (*link != NULL && *link != object)
    link = &(*link)->next;
  return link;
}

static void release_references(struct user_object *object, unsigned long long n)
{
  struct user_object **link = find_user_object(object);
  object->references -= n < object->references ? n : object->references;
  if (object->references > 0)
    return;
  *link = object->next;
  object->next = dead;
  dead = object;
}

/* The program's functions are called without the lock. */
void user_objects_bury(struct user_object *list)
{
  while (list != NULL) {
    struct user_object *next = list->next;
    state_enter_host_function();
    list->destroy(list->data);
    state_leave_host_function();
    free(list);
    list = next;
  }
}

struct user_object *user_objects_dead(void)
{
  struct user_object *list = dead;
  dead = NULL;
  return list;
}

/* ---- what graphs hold ---------------------------------------------------- */

static struct user_reference *reference_of(struct graph *graph,
                                           const struct user_object *object)
{
  struct user_reference *r = graph->user_references;
  while (r != NULL && r->object != object)
    r = r->next;
  return r;
}

static void hold(struct graph *graph, struct user_object *object,
                 unsigned long long n)
{
  struct user_reference *r = reference_of(graph, object);
  if (r == NULL) {
    r = host_new(1, sizeof *r);
    r->object = object;
    r->next = graph->user_references;
    graph->user_references = r;
  }
  r->n += n;
}

static void let_go(struct graph *graph, struct user_reference *held,
                   unsigned long long n)
{
  struct user_reference **link = &graph->user_references;
  held->n -= n;
  release_references(held->object, n);
  if (held->n > 0)
    return;
  while (*link != held)
    link = &(*link)->next;
  *link = held->next;
  free(held);
}

/* One reference is enough for a copy: no call can take it away. */
void user_references_copy(struct graph *to, const struct graph *from)
{
  const struct user_reference *r = from->user_references;
  for (; r != NULL; r = r->next) {
    r->object->references++;
    hold(to, r->object, 1);
  }
}

void user_references_free(struct graph *graph)
{
  while (graph->user_references != NULL)
    let_go(graph, graph->user_references, graph->user_references->n);
}

/* ---- calls --------------------------------------------------------------- */

cudaError_t core_user_object_create(cudaUserObject_t *object, void *data,
                                    cudaHostFn *destroy, unsigned n,
                                    unsigned flags)
{
  cudaError_t error = state_settle();
  /* The only flag there is says that no call waits for the destructor. */
  if (error == cudaSuccess && (object == NULL || destroy == NULL || n == 0 ||
                               flags != cudaUserObjectNoDestructorSync))
    error = cudaErrorInvalidValue;
  if (error != cudaSuccess)
    return error;
  struct user_object *made = host_try_new(1, sizeof *made);
  if (made == NULL)
    return cudaErrorMemoryAllocation;
  made->data = data;
  made->destroy = destroy;
  made->references = n;
  graph_lock();
  made->next = objects;
  objects = made;
  graph_unlock();
  *object = made;
  return cudaSuccess;
}

static cudaError_t begin(cudaUserObject_t object, unsigned n)
{
  cudaError_t error = state_settle();
  graph_lock();
  if (error == cudaSuccess &&
      (n == 0 || object == NULL || *find_user_object(object) == NULL))
    error = cudaErrorInvalidValue;
  return error;
}

static cudaError_t end(cudaError_t error)
{
  graph_unlock();
  return error;
}

cudaError_t core_user_object_retain(cudaUserObject_t object, unsigned n)
{
  cudaError_t error = begin(object, n);
  if (error == cudaSuccess)
    object->references += n;
  return end(error);
}

cudaError_t core_user_object_release(cudaUserObject_t object, unsigned n)
{
  cudaError_t error = begin(object, n);
  if (error == cudaSuccess)
    release_references(object, n);
  return end(error);
}

cudaError_t core_graph_retain_user_object(cudaGraph_t graph,
                                          cudaUserObject_t object, unsigned n,
                                          unsigned flags)
{
  cudaError_t error = begin(object, n);
  if (error == cudaSuccess &&
      (!graph_is_valid(graph) || flags > cudaGraphUserObjectMove))
    error = cudaErrorInvalidValue;
  if (error == cudaSuccess) {
    if (flags != cudaGraphUserObjectMove)
      object->references += n;
    hold(graph, object, n);
  }
  return end(error);
}

cudaError_t core_graph_release_user_object(cudaGraph_t graph,
                                           cudaUserObject_t object, unsigned n)
{
  cudaError_t error = begin(object, n);
  struct user_reference *held = error == cudaSuccess && graph_is_valid(graph)
                                    ? reference_of(graph, object)
                                    : NULL;
  if (error == cudaSuccess && !graph_is_valid(graph))
    error = cudaErrorInvalidValue;
  /* What the graph does not hold is let go of without a complaint. */
  if (error == cudaSuccess && held != NULL)
    let_go(graph, held, n < held->n ? n : held->n);
  return end(error);
}
