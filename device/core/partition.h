/* A part of a device's SMs: what a green context of the driver API keeps its
 * kernels on. */
#ifndef DEVICE_CORE_PARTITION_H
#define DEVICE_CORE_PARTITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "types.h"
#include "../support/exported.h"

#define MOST_SMS 160

struct partition {
  int device;
  bool is_destroyed; /* with its green context */
  bool in_pairs;     /* for its green context: what it can be split into */
  unsigned n_sms;
  uint16_t sms[MOST_SMS];
};

/* Was the green context destroyed that this one belongs to? NULL: no. */
static inline bool partition_is_gone(const struct partition *partition)
{
  return partition != NULL && partition->is_destroyed;
}

/* The one that the stream's kernels run in, or NULL: the whole device. That of
 * a named stream is the current context's. */
const struct partition *stream_partition(cudaStream_t stream)
    EXPORTED(stream_partition);

/* A stream that belongs to a partition, whichever context is current. */
cudaError_t stream_create_in(cudaStream_t *stream, unsigned flags, int priority,
                             const struct partition *partition)
    EXPORTED(stream_create_in);

#endif
