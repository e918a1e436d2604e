/* Streams that record their work as a graph instead of running it. */
#ifndef DEVICE_CORE_GRAPH_CAPTURE_H
#define DEVICE_CORE_GRAPH_CAPTURE_H

#include "graph.h"

struct capture;

/* Where a stream, or an event recorded in one, is in a capture: after
 * these nodes. */
struct capture_point {
  struct capture *capture; /* NULL: in none */
  struct graph_node **nodes;
  size_t n;
  bool is_event;
  struct capture_point *next; /* of the same capture */
};

/* Before a point's memory goes away. */
void capture_forget(struct capture_point *point);

/* Work given to a capturing stream becomes a node. Takes `work` over. With an
 * `error` of making the work, the capture is spoilt, and so it returns. */
cudaError_t capture_add(cudaStream_t stream, cudaError_t error,
                        struct work *work);

/* A call that would wait for, or allocate, while streams capture: refused as
 * their modes say. */
cudaError_t capture_unsafe(void);
/* The same for one that also uses the legacy stream, as cudaMemcpy. */
cudaError_t capture_unsafe_legacy(void);
/* One that no capture allows on this stream: waiting for it. */
cudaError_t capture_refuse(cudaStream_t stream);
/* cudaDeviceSynchronize: none allows it. */
cudaError_t capture_refuse_all(void);

/* Work of this thread runs, whatever is being captured. */
void capture_pause(void);
void capture_resume(void);

/* What cudaEventRecord and cudaStreamWaitEvent do when it concerns a capture.
 * `*done`: there is nothing left to do. */
cudaError_t capture_record(cudaStream_t stream, struct capture_point *event,
                           bool *done);
cudaError_t capture_wait(cudaStream_t stream, struct capture_point *event,
                         bool *done);
/* An event that stands for captured work cannot be asked. */
cudaError_t capture_check_event(struct capture_point *event);

int capture_status(cudaStream_t stream);

#endif
