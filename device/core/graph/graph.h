/* Graphs: nodes of work and the edges between them. A graph is built or
 * captured, copied by cudaGraphInstantiate, and the copy is run.
 *
 *   graph.c       graphs, edges, copies
 *   work.c        what a node does: copied, freed, run
 *   condition.c   values that kernels set, and nodes that heed them
 *   node_calls.c  calls that make, ask and change nodes
 *   query.c       calls that ask a graph
 *   exec.c        instantiated graphs: order and launch
 *   device_launch.c  graphs that kernels launch
 *   update.c      changes of instantiated graphs
 *   capture.c     streams that record instead of run
 */
#ifndef DEVICE_CORE_GRAPH_GRAPH_H
#define DEVICE_CORE_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "../calls.h"
#include "../ordering.h"

struct function;

/* How a kernel is launched, beyond its parameters. */
struct partition;
struct work_launch {
  bool cooperative;
  dim3 cluster;                      /* x 0: the launch does not say */
  const struct partition *partition; /* NULL: the whole device */
};

struct work {
  enum cudaGraphNodeType type;
  int device; /* current when the node was made */
  union {
    struct {
      struct cudaKernelNodeParams params; /* kernelParams are our own copy */
      struct function *function;
      struct work_launch how;
      unsigned n_arguments;
      size_t argument_bytes;
    } kernel;
    struct cudaMemcpy3DParms copy;
    struct cudaMemsetParams set;
    struct cudaHostNodeParams host;
    struct graph *child; /* our own copy */
    cudaEvent_t event;
    struct cudaMemAllocNodeParams alloc;
    void *freed;
    struct {
      uint64_t handle;
      enum cudaGraphConditionalNodeType type;
      unsigned n_bodies;
      struct graph **bodies; /* our own */
    } condition;
  };
};

struct graph_node {
  struct graph *graph;
  struct graph_node *next;   /* in order of making */
  struct graph_node *origin; /* in a copy: what it was copied from */
  struct graph_node *copied; /* only while copying */
  struct graph_node **before;
  size_t n_before;
  size_t waits; /* only while ordering */
  bool disabled, marked;
  struct work work;
  struct ordering_line *line; /* only while running, as the following */
  struct op_clock known;
  bool continued; /* another node goes on in its line */
};

struct graph {
  struct graph_node *first, **last;
  size_t n_nodes;
  struct graph *next;   /* of all that live */
  struct graph *origin; /* in a copy */
  struct user_reference *user_references;
  bool is_part; /* of a child node or of an exec: not the caller's */
};

/* One lock for all graphs and captures. */
void graph_lock(void);
void graph_unlock(void);

/* The following with the lock held. */
struct graph *graph_new(void);
void graph_free(struct graph *graph);
struct graph *graph_copy(struct graph *graph);
bool graph_is_valid(const struct graph *graph);
bool graph_has(const struct graph *graph, const struct graph_node *node);
bool graph_node_is_valid(const struct graph_node *node);

/* Takes `work` over. Fails, and leaves it, when `before` are not all nodes of
 * the graph. */
cudaError_t graph_add(struct graph *graph, struct graph_node *const *before,
                      size_t n_before, const struct work *work,
                      struct graph_node **node);
void graph_connect(struct graph_node *from, struct graph_node *to);

/* What nodes do. The makers check, and copy what they are given. */
/* `how` may be NULL: as <<<…>>> launches. */
cudaError_t work_kernel(const struct cudaKernelNodeParams *params,
                        const struct work_launch *how, struct work *work);
cudaError_t work_copy(const struct cudaMemcpy3DParms *copy, struct work *work);
cudaError_t work_copy_bytes(void *destination, const void *source, size_t bytes,
                            enum cudaMemcpyKind kind, struct work *work);
cudaError_t work_set(const struct cudaMemsetParams *set, struct work *work);
cudaError_t work_host(const struct cudaHostNodeParams *host, struct work *work);
cudaError_t work_event(enum cudaGraphNodeType type, cudaEvent_t event,
                       struct work *work);
cudaError_t work_child(struct graph *child, struct work *work);
cudaError_t work_alloc(struct cudaMemAllocNodeParams *alloc, struct work *work);
cudaError_t work_free(void *address, struct work *work);
cudaError_t work_condition(struct cudaConditionalNodeParams *condition,
                           struct work *work);
cudaError_t work_of(struct cudaGraphNodeParams *params, struct work *work);
void work_clone(const struct work *from, struct work *to);
void work_release(struct work *work);
cudaError_t work_run(const struct work *work); /* not child graphs */

/* Nodes that run graphs of their own as often as a value says. The value is a
 * word of device memory, and its address is the handle: kernels store there. */
void condition_clone(const struct work *from, struct work *to);
void condition_release(struct work *work);

/* The values of all conditions in a graph that is launched. */
void condition_begin(const struct graph *graph);

/* The graph to run now, or NULL: the node is done. `n_runs` were run. */
struct graph *condition_next(const struct work *work, unsigned n_runs);

/* The order in which a graph's nodes may run, in room for n_nodes; false when
 * there is a cycle. */
bool graph_order(struct graph *graph, struct graph_node **order, uint64_t seed);

struct graph_exec {
  struct graph *graph;
  unsigned long long flags;
  struct op_clock launched; /* its last launch, which the next one waits for */
  bool uploaded, pending;   /* kernels may launch it; one has */
  struct graph_exec *next;
};

/* Graphs that kernels launch: device_launch.c. A graph that runs keeps a list
 * of what its kernels ask for. */
struct graph_asked {
  struct graph_asked *next;
  struct graph_exec *exec;
};
struct graph_run {
  struct graph_run *outer; /* the graph that launched this one */
  struct graph_exec *exec;
  struct graph_asked *fired, **last_fired, *tail, **last_tail;
  unsigned n_fired, n_tail; /* launched in all; waiting */
};
bool graph_may_be_launched(const struct graph *graph);
void graph_run_begin(struct graph_run *run, struct graph_exec *exec);
void graph_run_end(struct graph_run *run);
struct graph_exec *graph_run_next(struct graph_run *run, bool tail);

/* The graph that runs on this thread, for its kernels; NULL: none. */
void *graph_run_current(void);
uint64_t graph_run_handle(void);
int graph_run_asks(void *run, uint64_t exec, uint64_t stream);

/* The node of an exec that was copied from `node`; or NULL. */
bool graph_exec_is_valid(const struct graph_exec *exec);
struct graph_node *graph_twin(struct graph *copy,
                              const struct graph_node *node);

#endif
