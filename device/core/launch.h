/* From a launch call to the executor. */
#ifndef DEVICE_CORE_LAUNCH_H
#define DEVICE_CORE_LAUNCH_H

#include "partition.h"
#include "registry.h"

struct launch_request {
  struct function *function; /* NULL: no such kernel */
  dim3 grid, block;
  void **arguments;
  size_t dynamic_bytes;
  cudaStream_t stream;
  bool cooperative;
  dim3 cluster; /* x 0: the launch does not say */
  /* A graph's node knows the part of the device that its kernel was meant for;
   * any other launch runs in the stream's. */
  bool in_graph;
  const struct partition *partition;
  const void *host; /* what the program named the kernel by, if it did */
};

/* The cluster of a launch, and whether kernel or launch asks for one. What
 * both say must agree. */
cudaError_t launch_cluster(const struct launch_request *request,
                           const struct kernel_info *info, dim3 *cluster,
                           bool *is_explicit);

/* Whether the device can run this at all; says why not in CUDA's codes. */
cudaError_t launch_check(const struct launch_request *request, int device,
                         const struct kernel_info *info);

/* Checks and runs it. Errors of the launch itself are returned; a fault of the
 * kernel is left pending. */
cudaError_t launch_request_run(const struct launch_request *request);

#endif
