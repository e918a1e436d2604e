/* Advice about managed memory, and batches of copies. */
#ifndef DEVICE_RUNTIME_API_MEMORY_H
#define DEVICE_RUNTIME_API_MEMORY_H

#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)

enum cudaMemLocationType {
  cudaMemLocationTypeInvalid = 0,
  cudaMemLocationTypeDevice = 1,
  cudaMemLocationTypeHost = 2,
  cudaMemLocationTypeHostNuma = 3,
  cudaMemLocationTypeHostNumaCurrent = 4
};

enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6
};

enum cudaMemRangeAttribute {
  cudaMemRangeAttributeReadMostly = 1,
  cudaMemRangeAttributePreferredLocation = 2,
  cudaMemRangeAttributeAccessedBy = 3,
  cudaMemRangeAttributeLastPrefetchLocation = 4,
  cudaMemRangeAttributePreferredLocationType = 5,
  cudaMemRangeAttributePreferredLocationId = 6,
  cudaMemRangeAttributeLastPrefetchLocationType = 7,
  cudaMemRangeAttributeLastPrefetchLocationId = 8
};

struct cudaMemcpyAttributes {
  int srcAccessOrder;
  struct cudaMemLocation srcLocHint, dstLocHint;
  unsigned flags;
};

enum cudaMemcpy3DOperandType {
  cudaMemcpyOperandTypePointer = 1,
  cudaMemcpyOperandTypeArray = 2
};

struct cudaMemcpy3DOperand {
  enum cudaMemcpy3DOperandType type;
  union {
    struct {
      void *ptr;
      size_t rowLength, layerHeight; /* elements; 0: as the extent */
      struct cudaMemLocation locHint;
    } ptr;
    struct {
      cudaArray_t array;
      struct cudaPos offset; /* elements */
    } array;
  } op;
};

struct cudaMemcpy3DBatchOp {
  struct cudaMemcpy3DOperand src, dst;
  struct cudaExtent extent;
  int srcAccessOrder;
  unsigned flags;
};

struct cudaMemcpy3DPeerParms {
  cudaArray_t srcArray;
  struct cudaPos srcPos;
  struct cudaPitchedPtr srcPtr;
  int srcDevice;
  cudaArray_t dstArray;
  struct cudaPos dstPos;
  struct cudaPitchedPtr dstPtr;
  int dstDevice;
  struct cudaExtent extent;
};

/* managed.c */
API cudaError_t cudaMemAdvise(const void *address, size_t bytes, int advice,
                              struct cudaMemLocation location);
API cudaError_t cudaMemPrefetchAsync(const void *address, size_t bytes,
                                     struct cudaMemLocation location,
                                     unsigned flags, cudaStream_t stream);
API cudaError_t cudaMemRangeGetAttribute(void *data, size_t data_bytes,
                                         enum cudaMemRangeAttribute attribute,
                                         const void *address, size_t bytes);
API cudaError_t cudaMemRangeGetAttributes(
    void **data, size_t *data_bytes, enum cudaMemRangeAttribute *attributes,
    size_t n, const void *address, size_t bytes);

/* batch.c */
API cudaError_t cudaMemcpyBatchAsync(void *const *destinations,
                                     const void *const *sources,
                                     const size_t *sizes, size_t n,
                                     struct cudaMemcpyAttributes *attributes,
                                     size_t *starts, size_t n_attributes,
                                     cudaStream_t stream);
API cudaError_t cudaMemcpy3DBatchAsync(size_t n,
                                       struct cudaMemcpy3DBatchOp *copies,
                                       unsigned long long flags,
                                       cudaStream_t stream);
API cudaError_t cudaMemPrefetchBatchAsync(void **addresses, size_t *sizes,
                                          size_t n,
                                          struct cudaMemLocation *locations,
                                          size_t *starts, size_t n_locations,
                                          unsigned long long flags,
                                          cudaStream_t stream);
API cudaError_t cudaMemDiscardBatchAsync(void **addresses, size_t *sizes,
                                         size_t n, unsigned long long flags,
                                         cudaStream_t stream);
API cudaError_t cudaMemDiscardAndPrefetchBatchAsync(
    void **addresses, size_t *sizes, size_t n,
    struct cudaMemLocation *locations, size_t *starts, size_t n_locations,
    unsigned long long flags, cudaStream_t stream);
API cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *copy);
API cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *copy,
                                      cudaStream_t stream);

#endif
