/* Streams. Work runs when it is issued, in the order of the host's calls. That
 * is one of the orders that CUDA's rules allow, so streams need no queues: all
 * that an operation may have to wait for, be it in its stream, in the legacy
 * stream or after an event, was issued before it. */
#ifndef DEVICE_CORE_STREAM_H
#define DEVICE_CORE_STREAM_H

#include <stdbool.h>

#include "calls.h"

/* The NULL stream, the two named ones, or one that was created and not
 * destroyed. */
bool stream_is_valid(cudaStream_t stream) EXPORTED(stream_is_valid);

/* Success, or the error of every call about the stream: there is none, or its
 * green context was destroyed. */
cudaError_t stream_check(cudaStream_t stream);

/* The device that the stream belongs to. */
int stream_device(cudaStream_t stream) EXPORTED(stream_device);

/* What a call that gives work to the stream begins with: an error, or
 * whether the stream records its work instead (graph/capture.c). */
cudaError_t stream_enter(cudaStream_t stream, bool *captures);

/* The stream's place in a capture. NULL: the legacy stream, never in one. */
struct capture_point *stream_point(cudaStream_t stream);

/* Where ordering.c keeps what the stream knows; not of a named one. */
struct ordering_line **stream_line(cudaStream_t stream);
unsigned long long stream_number(cudaStream_t stream);

/* What cudaStreamSetAttribute set; never NULL for a valid stream. */
struct stream_attributes {
  cudaLaunchAttributeValue access_window, synchronization, domain_map, domain;
};
struct stream_attributes *stream_attributes(cudaStream_t stream);

/* Does nothing to a stream that is always there, as CUDA does not. */
cudaError_t stream_set_priority(cudaStream_t stream, int priority);

/* Does it wait for the legacy stream, and that for it? */
bool stream_is_blocking(cudaStream_t stream);

#endif
