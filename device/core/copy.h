/* Copies between host and device, checked: a copy that leaves an allocation,
 * or whose direction does not fit its pointers, is refused. */
#ifndef DEVICE_CORE_COPY_H
#define DEVICE_CORE_COPY_H

#include <stdbool.h>

#include "calls.h"

enum copy_side { COPY_SOURCE, COPY_DESTINATION };

/* Where this process reaches `bytes` bytes at `address`, which the caller
 * calls by `call`. `device_wanted`: 1 device memory, 0 host memory, -1 as the
 * address says. Sets `*error` and returns NULL when it may not. */
void *copy_view(const char *call, const void *address, size_t bytes,
                int device_wanted, enum copy_side side, cudaError_t *error);

/* What `kind` says about one side, for copy_view. */
int copy_wants_device(enum cudaMemcpyKind kind, enum copy_side side);

/* `depth` slices of `height` rows of `width` bytes. A slice's rows lie
 * `pitch`, the slices `slice` bytes apart. */
struct copy_box {
  const void *source;
  void *destination;
  size_t source_pitch, destination_pitch;
  size_t source_slice, destination_slice;
  size_t width, height, depth;
};
cudaError_t copy_pitch_error(size_t height);
cudaError_t copy_box(const char *call, const struct copy_box *box,
                     enum cudaMemcpyKind kind);

/* A copy given to a stream: an error, or it is recorded (`*done`), or it is
 * still to be made. `copy` describes it for the record. */
cudaError_t copy_to_stream(const struct cudaMemcpy3DParms *copy,
                           cudaStream_t stream, bool *done);
/* The same for one row. */
cudaError_t copy_row_to_stream(void *destination, const void *source,
                               size_t bytes, enum cudaMemcpyKind kind,
                               cudaStream_t stream, bool *done);

/* Does the copy wait for the device? All but those that stay on it. */
cudaError_t copy_begin(enum cudaMemcpyKind kind, bool asynchronous);

#endif
