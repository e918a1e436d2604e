/* Ranges and marks for profilers, by the names of NVTX's documentation.
 * Nothing listens on the software device, so nothing happens, as on a GPU
 * without a profiler. */
#ifndef SOFTDEVICE_NVTX3_NVTOOLSEXT_H
#define SOFTDEVICE_NVTX3_NVTOOLSEXT_H

#include <stdint.h>

typedef uint64_t nvtxRangeId_t;

/* What a call is defined to answer when there is no tool. */
enum { NVTX_NO_PUSH_POP_TRACKING = -2 };

static inline void nvtxMarkA(const char *message) { (void)message; }
static inline int nvtxRangePushA(const char *message)
{
  (void)message;
  return NVTX_NO_PUSH_POP_TRACKING;
}
static inline int nvtxRangePop(void) { return NVTX_NO_PUSH_POP_TRACKING; }
static inline nvtxRangeId_t nvtxRangeStartA(const char *message)
{
  (void)message;
  return 0;
}
static inline void nvtxRangeEnd(nvtxRangeId_t range) { (void)range; }

#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA

#endif
