/* Memory of pools: of streams and of graphs. */
#ifndef DEVICE_CORE_POOL_H
#define DEVICE_CORE_POOL_H

#include <stdbool.h>

#include "calls.h"

bool pool_location_is_valid(const struct cudaMemLocation *location);

/* Memory of an allocation node has one address for all launches: it is kept
 * until the last copy of its graph is gone. Between a launch that freed it and
 * the next one it is not reported when used. */
void *pool_reserve_for_graph(size_t bytes, int device);
void pool_retain_for_graph(void *address);
void pool_release_for_graph(void *address);
/* A launch comes to the node: an error when it was not freed since. */
cudaError_t pool_graph_allocates(void *address);

/* cudaFree and cudaFreeAsync: true when the address was a pool's, and
 * everything is done. */
bool pool_free(void *address);

/* cudaDeviceReset. */
void pool_reset(int device);

#endif
