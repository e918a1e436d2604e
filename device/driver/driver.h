/* What every call of the driver API begins and ends with.
 *
 *   API CUresult cuMemFree_v2(CUdeviceptr address) {
 *     SERVE(core_free(pointer_of(address)));
 *   }
 *
 * The work is done by the core, for the current context's device. Its errors
 * become the driver's (status_of).
 */
#ifndef DEVICE_DRIVER_DRIVER_H
#define DEVICE_DRIVER_DRIVER_H

#include "../core/config.h"
#include "../core/forked.h"
#include "../core/registry.h"
#include "../core/state.h"
#include "../core/stream.h"
#include "../memory/memory.h"
#include "api.h"

/* Fails unless cuInit was called, and for DRIVER_CONTEXT also without a
 * current context. After success driver_end must follow. */
enum driver_need { DRIVER_INIT, DRIVER_CONTEXT };
CUresult driver_begin(const char *name, enum driver_need need,
                      struct call *outer);
CUresult driver_end(CUresult status, struct call outer);

CUresult status_of(cudaError_t error);

#define SERVE_AFTER(need, status)                                              \
  do {                                                                         \
    struct call outer_;                                                        \
    CUresult begun_ = driver_begin(__func__, need, &outer_);                   \
    return begun_ != CUDA_SUCCESS ? begun_ : driver_end(status, outer_);       \
  } while (0)
#define SERVE(error) SERVE_AFTER(DRIVER_CONTEXT, status_of(error))
#define SERVE_STATUS(status) SERVE_AFTER(DRIVER_CONTEXT, status)
#define SERVE_INIT(error) SERVE_AFTER(DRIVER_INIT, status_of(error))

/* A call in its form for a default stream per thread: the same here. */
#define PER_THREAD(call, variant) SAME_AS(call, variant)

static inline void *pointer_of(CUdeviceptr address)
{
  return (void *)(uintptr_t)address;
}

#endif
