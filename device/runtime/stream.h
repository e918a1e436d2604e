/* Streams. Work runs when it is issued, in the order of the host's calls. That
 * is one of the orders that CUDA's rules allow, so streams need no queues. */
#ifndef DEVICE_RUNTIME_STREAM_H
#define DEVICE_RUNTIME_STREAM_H

#include <stdbool.h>

#include "api.h"

/* The NULL stream, the two named ones, or one that was created and not
 * destroyed. */
bool stream_is_valid(cudaStream_t stream);

/* The device that the stream belongs to. */
int stream_device(cudaStream_t stream);

#endif
