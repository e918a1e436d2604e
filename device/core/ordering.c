/* See ordering.h. One lock for all: a check is not about speed. */
#define _POSIX_C_SOURCE 200809L
#include "ordering.h"

#include <pthread.h>
#include <stdlib.h>

#include "../check/copied.h"
#include "../check/host_access.h"
#include "../memory/memory.h"
#include "../support/host_memory.h"
#include "config.h"
#include "exclusive.h"
#include "graph/graph.h"
#include "host_fault.h"
#include "state.h"
#include "stream.h"

struct ordering_line {
  uint32_t index, number; /* of its last operation */
  struct op_clock known;  /* what its next operation knows, itself included */
  bool blocking;
  int device;
  unsigned long long stream;
  struct ordering_line **branches; /* for graphs that are launched here */
  unsigned n_branches;
  struct ordering_line *root; /* of a branch: the stream's own line */
  struct ordering_line *next; /* all streams' */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ordering_line *lines, *unused;
static uint32_t n_lines;
static struct op_clock host;
static struct ordering_line *legacy[MAX_DEVICES];
static _Thread_local struct ordering_line *own; /* cudaStreamPerThread's */
static _Thread_local cudaStream_t stream_of_call;
static _Thread_local bool host_waits;
static _Thread_local struct ordering_graph *graph_of_thread;
static _Thread_local struct ordering_line *node_line;
static _Thread_local struct op_clock *node_known;

void ordering_created(void) { operations_start(); }

/* Does anything want to know? */
static bool is_followed(void)
{
  return operations_watched() || exclusive_wanted();
}

/* The host knows more than before. */
static void host_has_waited(void)
{
  if (operations_watched())
    host_access_waited(&host);
  if (exclusive_wanted())
    exclusive_update(&host);
}

/* ---- lines -------- */

static struct ordering_line *new_line(void)
{
  struct ordering_line *line = host_new(1, sizeof *line);

  line->index = n_lines++;
  return line;
}

static struct ordering_line *new_stream_line(cudaStream_t stream)
{
  struct ordering_line *line = unused;

  if (line != NULL)
    unused = line->next;
  else
    line = new_line();
  line->blocking = stream_is_blocking(stream);
  line->device = stream_device(stream);
  line->root = line;
  line->next = lines;
  lines = line;
  return line;
}

static bool is_legacy(cudaStream_t stream)
{
  return stream == NULL || stream == cudaStreamLegacy;
}

static struct ordering_line *line_of(cudaStream_t stream)
{
  struct ordering_line **place = is_legacy(stream) ? &legacy[current_device()]
                                 : stream == cudaStreamPerThread
                                     ? &own
                                     : stream_line(stream);

  if (*place == NULL) {
    *place = new_stream_line(stream);
    (*place)->stream = is_legacy(stream)               ? 1
                       : stream == cudaStreamPerThread ? 2
                                                       : stream_number(stream);
  }
  return *place;
}

/* Its operations stay where they are. Another stream may go on in its line:
 * that stream's work is then taken for ordered after it. */
void ordering_destroyed(struct ordering_line **place)
{
  struct ordering_line **link = &lines, *line = *place;

  if (line == NULL)
    return;
  pthread_mutex_lock(&lock);
  op_clock_join(&host, &line->known);
  host_has_waited();
  while (*link != line)
    link = &(*link)->next;
  *link = line->next;
  line->next = unused;
  unused = line;
  *place = NULL;
  pthread_mutex_unlock(&lock);
}

/* What the next operation of the stream knows: all that the host has waited
 * for, its own line, and what the legacy stream orders. */
static void know(struct ordering_line *line)
{
  op_clock_join(&line->known, &host);
  if (line == legacy[line->device]) {
    for (const struct ordering_line *l = lines; l != NULL; l = l->next)
      if (l->blocking && l->device == line->device && l != line)
        op_clock_join(&line->known, &l->known);
  } else if (line->blocking && legacy[line->device] != NULL) {
    op_clock_join(&line->known, &legacy[line->device]->known);
  }
}

/* ---- operations -------- */

void ordering_enter(cudaStream_t stream)
{
  stream_of_call = stream;
  host_waits = false;
}

void ordering_host_waits(bool waits) { host_waits = waits; }

void ordering_begin(const char *what, const char *kernel)
{
  struct op_begin begin = { .what = what, .kernel = kernel };
  struct ordering_line *line = node_line;

  if (!is_followed())
    return;
  pthread_mutex_lock(&lock);
  if (line == NULL) {
    line = line_of(stream_of_call);
    know(line);
  }
  begin.line = line->index;
  begin.number = ++line->number;
  begin.stream = line->root->stream;
  begin.clock = node_line == NULL ? line->known : *node_known;
  if (operations_watched())
    operation_begin(&begin);
  op_clock_raise(node_line == NULL ? &line->known : node_known, line->index,
                 line->number);
  if (kernel != NULL && exclusive_wanted()) {
    exclusive_launched(line->root->index, line->index, line->number, kernel);
    exclusive_update(&host);
  }
  pthread_mutex_unlock(&lock);
}

void ordering_end(void)
{
  if (!is_followed())
    return;
  if (operations_watched())
    operation_end();
  if (host_waits && node_line == NULL)
    ordering_host_after_stream(stream_of_call);
  host_fault_watch();
  if (!operations_watched() || !host_fault_is_watched())
    return;
  pthread_mutex_lock(&lock);
  host_access_ended(&host);
  pthread_mutex_unlock(&lock);
}

static bool is_host_memory(uint64_t address)
{
  struct allocation found;

  return !memory_find(address, &found);
}

/* Between the memories of two devices. */
static bool is_between_devices(const struct check_copy *copy)
{
  struct allocation from, to;

  return memory_find(copy->from, &from) && memory_find(copy->to, &to) &&
         from.kind == MEMORY_DEVICE && to.kind == MEMORY_DEVICE &&
         from.device != to.device;
}

void ordering_copied(const struct check_copy *copy)
{
  bool alone;

  if (!is_followed())
    return;
  /* In the default stream, it waits for all work of both devices, and all
   * later work waits for it. */
  alone = node_line == NULL && is_legacy(stream_of_call) &&
          is_between_devices(copy);
  if (alone)
    ordering_stream_after_all(stream_of_call);
  ordering_begin(copy->call, NULL);
  for (size_t z = 0; operations_watched() && z < copy->depth; z++)
    for (size_t y = 0; y < copy->height; y++) {
      operation_reads(copy->from + z * copy->from_slice + y * copy->from_pitch,
                      copy->width);
      operation_writes(copy->to + z * copy->to_slice + y * copy->to_pitch,
                       copy->width);
    }
  if (is_host_memory(copy->to)) /* pageable: it waits until the bytes arrive */
    host_waits = true;
  ordering_end();
  if (alone)
    ordering_host_after_stream(stream_of_call);
}

/* ---- events and waits -------- */

void ordering_record(struct op_clock *clock, cudaStream_t stream)
{
  if (!is_followed())
    return;
  pthread_mutex_lock(&lock);
  op_clock_free(clock);
  if (node_line != NULL) {
    op_clock_join(clock, node_known);
  } else {
    struct ordering_line *line = line_of(stream);

    know(line);
    op_clock_join(clock, &line->known);
  }
  pthread_mutex_unlock(&lock);
}

void ordering_wait(cudaStream_t stream, const struct op_clock *clock)
{
  if (!is_followed())
    return;
  pthread_mutex_lock(&lock);
  op_clock_join(node_line != NULL ? node_known : &line_of(stream)->known,
                clock);
  pthread_mutex_unlock(&lock);
}

void ordering_host_after(const struct op_clock *clock)
{
  if (!is_followed())
    return;
  pthread_mutex_lock(&lock);
  op_clock_join(&host, clock);
  host_has_waited();
  pthread_mutex_unlock(&lock);
}

void ordering_host_after_stream(cudaStream_t stream)
{
  if (!is_followed())
    return;
  pthread_mutex_lock(&lock);
  if (node_line != NULL) {
    op_clock_join(&host, node_known);
  } else {
    struct ordering_line *line = line_of(stream);

    know(line);
    op_clock_join(&host, &line->known);
  }
  host_has_waited();
  pthread_mutex_unlock(&lock);
}

void ordering_host_after_all(void)
{
  if (!is_followed())
    return;
  pthread_mutex_lock(&lock);
  for (const struct ordering_line *l = lines; l != NULL; l = l->next)
    op_clock_join(&host, &l->known);
  host_has_waited();
  pthread_mutex_unlock(&lock);
}

void ordering_stream_after_all(cudaStream_t stream)
{
  if (!is_followed())
    return;
  pthread_mutex_lock(&lock);
  struct ordering_line *line = line_of(stream);

  for (const struct ordering_line *l = lines; l != NULL; l = l->next)
    op_clock_join(&line->known, &l->known);
  pthread_mutex_unlock(&lock);
}

void ordering_attached(uint64_t serial, cudaStream_t stream, unsigned flags)
{
  if (!exclusive_wanted())
    return;
  pthread_mutex_lock(&lock);
  exclusive_attached(serial,
                     flags == cudaMemAttachHost     ? EXCLUSIVE_TO_HOST
                     : flags == cudaMemAttachSingle ? EXCLUSIVE_TO_STREAM
                                                    : EXCLUSIVE_TO_ALL,
                     line_of(stream)->index);
  pthread_mutex_unlock(&lock);
}

/* ---- graphs -------- */

void ordering_graph_begin(struct ordering_graph *graph)
{
  *graph = (struct ordering_graph){ .outer = graph_of_thread };
  operations_start();
  if (!is_followed())
    return;
  pthread_mutex_lock(&lock);
  if (node_line != NULL) {
    graph->line = node_line;
    op_clock_join(&graph->base, node_known);
    graph->first_branch = graph_of_thread->first_branch;
  } else {
    graph->line = line_of(stream_of_call);
    know(graph->line);
    op_clock_join(&graph->base, &graph->line->known);
  }
  op_clock_join(&graph->after, &graph->base);
  graph_of_thread = graph;
  graph->outer_line = node_line;
  graph->outer_known = node_known;
  pthread_mutex_unlock(&lock);
}

void ordering_graph_end(struct ordering_graph *graph)
{
  if (graph->line == NULL)
    return;
  pthread_mutex_lock(&lock);
  op_clock_join(graph->outer_known != NULL ? graph->outer_known
                                           : &graph->line->known,
                &graph->after);
  graph_of_thread = graph->outer;
  op_clock_free(&graph->base);
  op_clock_free(&graph->after);
  pthread_mutex_unlock(&lock);
}

/* Chains of nodes: a node goes on in the line of the first node before it
 * that nothing else has gone on from. */
static struct ordering_line *chain(struct ordering_graph *graph,
                                   struct graph_node *node)
{
  struct ordering_line *root = graph->line->root;

  for (size_t i = 0; i < node->n_before; i++)
    if (node->before[i]->line != NULL && !node->before[i]->continued) {
      node->before[i]->continued = true;
      return node->before[i]->line;
    }
  if (!graph->taken) {
    graph->taken = true;
    return graph->line;
  }
  if (graph->first_branch == root->n_branches) {
    root->branches =
        host_grow(root->branches, root->n_branches + 1, sizeof *root->branches);
    root->branches[root->n_branches] = new_line();
    root->branches[root->n_branches++]->root = root;
  }
  return root->branches[graph->first_branch++];
}

void ordering_node_begin(struct ordering_graph *graph, struct graph_node *node)
{
  if (graph->line == NULL)
    return;
  pthread_mutex_lock(&lock);
  node->line = chain(graph, node);
  op_clock_join(&node->known, &graph->base);
  for (size_t i = 0; i < node->n_before; i++)
    op_clock_join(&node->known, &node->before[i]->known);
  node_line = node->line;
  node_known = &node->known;
  pthread_mutex_unlock(&lock);
}

void ordering_node_end(struct ordering_graph *graph, struct graph_node *node)
{
  if (graph->line == NULL)
    return;
  pthread_mutex_lock(&lock);
  op_clock_join(&graph->after, &node->known);
  node_line = graph->outer_line;
  node_known = graph->outer_known;
  pthread_mutex_unlock(&lock);
}

void ordering_node_forget(struct graph_node *node)
{
  op_clock_free(&node->known);
  node->line = NULL;
  node->continued = false;
}
