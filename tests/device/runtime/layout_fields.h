/* What api.h and the toolkit's header must agree on: sizes and offsets of
 * structures, and values of a few constants. Included by two files, each with
 * another header before it; FIELDS names the table. */
#include <stddef.h>

#include "layout.h"

#define SIZE(type)                                                             \
  {                                                                            \
    "sizeof " #type, sizeof(type)                                              \
  }
#define FIELD(type, field)                                                     \
  {                                                                            \
#type "." #field, offsetof(type, field)                                    \
  }
#define VALUE(name)                                                            \
  {                                                                            \
#name, (size_t)name                                                        \
  }

const struct layout_entry FIELDS[] = {
  SIZE(struct cudaDeviceProp),
  FIELD(struct cudaDeviceProp, totalGlobalMem),
  FIELD(struct cudaDeviceProp, warpSize),
  FIELD(struct cudaDeviceProp, maxGridSize),
  FIELD(struct cudaDeviceProp, major),
  FIELD(struct cudaDeviceProp, multiProcessorCount),
  FIELD(struct cudaDeviceProp, maxSurfaceCubemapLayered),
  FIELD(struct cudaDeviceProp, concurrentKernels),
  FIELD(struct cudaDeviceProp, l2CacheSize),
  FIELD(struct cudaDeviceProp, sharedMemPerMultiprocessor),
  FIELD(struct cudaDeviceProp, cooperativeLaunch),
  FIELD(struct cudaDeviceProp, sharedMemPerBlockOptin),
  FIELD(struct cudaDeviceProp, reservedSharedMemPerBlock),
  FIELD(struct cudaDeviceProp, memoryPoolsSupported),
  FIELD(struct cudaDeviceProp, clusterLaunch),
  FIELD(struct cudaDeviceProp, hostNumaMultinodeIpcSupported),
  SIZE(struct cudaFuncAttributes),
  FIELD(struct cudaFuncAttributes, maxThreadsPerBlock),
  FIELD(struct cudaFuncAttributes, preferredShmemCarveout),
  FIELD(struct cudaFuncAttributes, nonPortableClusterSizeAllowed),
  SIZE(struct cudaPointerAttributes),
  FIELD(struct cudaPointerAttributes, devicePointer),
  FIELD(struct cudaPointerAttributes, hostPointer),
  SIZE(cudaLaunchConfig_t),
  FIELD(cudaLaunchConfig_t, dynamicSmemBytes),
  FIELD(cudaLaunchConfig_t, attrs),
  FIELD(cudaLaunchConfig_t, numAttrs),
  SIZE(cudaLaunchAttribute),
  FIELD(cudaLaunchAttribute, val),
  SIZE(struct cudaMemcpy3DParms),
  FIELD(struct cudaMemcpy3DParms, dstArray),
  FIELD(struct cudaMemcpy3DParms, dstPtr),
  FIELD(struct cudaMemcpy3DParms, kind),
  SIZE(struct cudaPitchedPtr),
  SIZE(struct cudaExtent),
  SIZE(struct cudaMemLocation),
  SIZE(struct cudaChannelFormatDesc),
  SIZE(dim3),
  VALUE(cudaErrorInvalidConfiguration),
  VALUE(cudaErrorNotSupported),
  VALUE(cudaErrorIllegalAddress),
  VALUE(cudaMemcpyDefault),
  VALUE(cudaMemoryTypeManaged),
  VALUE(cudaLimitPersistingL2CacheSize),
  VALUE(cudaFuncAttributeMaxDynamicSharedMemorySize),
  VALUE(cudaLaunchAttributeCooperative),
  VALUE(cudaLaunchAttributeClusterDimension),
  VALUE(cudaLaunchAttributePreferredSharedMemoryCarveout),
  VALUE(cudaMemPoolAttrReleaseThreshold),
  VALUE(cudaDevAttrMultiProcessorCount),
  VALUE(cudaDevAttrMaxSharedMemoryPerBlockOptin),
  VALUE(cudaDevAttrHostNumaMultinodeIpcSupported),
  VALUE(cudaHostAllocWriteCombined),
  VALUE(cudaHostRegisterReadOnly),
  VALUE(cudaEventDisableTiming),
  VALUE(cudaStreamNonBlocking),
  VALUE(cudaMemAttachSingle),
  SIZE(struct cudaAccessPolicyWindow),
  FIELD(struct cudaAccessPolicyWindow, missProp),
  SIZE(struct cudaMemcpyAttributes),
  FIELD(struct cudaMemcpyAttributes, flags),
  SIZE(struct cudaMemcpy3DBatchOp),
  FIELD(struct cudaMemcpy3DBatchOp, dst.op.ptr.layerHeight),
  FIELD(struct cudaMemcpy3DBatchOp, src.op.array.offset),
  FIELD(struct cudaMemcpy3DBatchOp, srcAccessOrder),
  SIZE(struct cudaMemcpy3DPeerParms),
  FIELD(struct cudaMemcpy3DPeerParms, dstDevice),
  VALUE(cudaMemRangeAttributeLastPrefetchLocationId),
  VALUE(cudaMemAdviseUnsetAccessedBy),
  VALUE(cudaFuncAttributeNonPortableClusterSizeAllowed),
  VALUE(cudaEnablePerThreadDefaultStream),
  VALUE(cudaDriverEntryPointVersionNotSufficent),
  VALUE(cudaUserObjectNoDestructorSync),
  VALUE(cudaGraphUserObjectMove),
  { NULL, 0 },
};
