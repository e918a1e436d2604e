/* What orders the operations of streams: the host's waits, events, the legacy
 * stream and the edges of graphs. Only for the check of races (check/
 * operations.h says what is done with it) and for machines whose managed memory
 * is either the host's or the device's (exclusive.h). Without them, nothing. */
#ifndef DEVICE_CORE_ORDERING_H
#define DEVICE_CORE_ORDERING_H

#include "../check/operations.h"
#include "calls.h"

struct check_copy;
struct graph_node;

/* Where a stream keeps what it knows; made at its first use. */
struct ordering_line;

/* A stream was created, or a second device is used: from now on, operations
 * may race. A stream was destroyed: `*line` is its own. */
void ordering_created(void);
void ordering_destroyed(struct ordering_line **line);

/* The call that this thread is in gives work to `stream`. `waits`: the host
 * waits for it before the call returns. */
void ordering_enter(cudaStream_t stream);
void ordering_host_waits(bool waits);

/* The work itself; `kernel` may be NULL. */
void ordering_begin(const char *what, const char *kernel);
void ordering_end(void);

/* A copy that was made, as one operation. */
void ordering_copied(const struct check_copy *copy);

/* What a stream has before it goes into `clock`. */
void ordering_record(struct op_clock *clock, cudaStream_t stream);
void ordering_wait(cudaStream_t stream, const struct op_clock *clock);

/* The host waited, or asked and was told that all is done. */
void ordering_host_after(const struct op_clock *clock);
void ordering_host_after_stream(cudaStream_t stream);
void ordering_host_after_all(void);

/* Something that is not understood orders the stream: it knows all. */
void ordering_stream_after_all(cudaStream_t stream)
    EXPORTED(ordering_stream_after_all);

/* Managed memory was allocated, or attached anew; cudaMemAttach… */
void ordering_attached(uint64_t serial, cudaStream_t stream, unsigned flags);

/* ---- graphs: the nodes of one launch -------- */

/* A graph that this thread runs: launched into the stream of ordering_enter,
 * or the body of another graph's node. */
struct ordering_graph {
  struct ordering_line *line;  /* of the stream, or of the outer node */
  struct op_clock base, after; /* known when it begins, when all is done */
  unsigned first_branch;       /* of the stream's, that is not used yet */
  bool taken;                  /* a first chain of nodes has `line` */
  struct ordering_graph *outer;
  struct ordering_line *outer_line;
  struct op_clock *outer_known;
};
void ordering_graph_begin(struct ordering_graph *graph);
void ordering_graph_end(struct ordering_graph *graph);

/* Work of this node follows; and it is done. */
void ordering_node_begin(struct ordering_graph *graph, struct graph_node *node);
void ordering_node_end(struct ordering_graph *graph, struct graph_node *node);
void ordering_node_forget(struct graph_node *node);

#endif
