/* Graphs and stream capture: types and calls of CUDA 13.0. */
#ifndef DEVICE_CORE_TYPES_GRAPH_H
#define DEVICE_CORE_TYPES_GRAPH_H

typedef struct graph *cudaGraph_t;
typedef struct graph_node *cudaGraphNode_t;
typedef struct graph_exec *cudaGraphExec_t;

enum cudaGraphNodeType {
  cudaGraphNodeTypeKernel = 0,
  cudaGraphNodeTypeMemcpy = 1,
  cudaGraphNodeTypeMemset = 2,
  cudaGraphNodeTypeHost = 3,
  cudaGraphNodeTypeGraph = 4,
  cudaGraphNodeTypeEmpty = 5,
  cudaGraphNodeTypeWaitEvent = 6,
  cudaGraphNodeTypeEventRecord = 7,
  cudaGraphNodeTypeMemAlloc = 10,
  cudaGraphNodeTypeMemFree = 11,
  cudaGraphNodeTypeConditional = 13
};

typedef unsigned long long cudaGraphConditionalHandle;
enum { cudaGraphCondAssignDefault = 1 };
enum cudaGraphConditionalNodeType {
  cudaGraphCondTypeIf,
  cudaGraphCondTypeWhile,
  cudaGraphCondTypeSwitch
};

struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  enum cudaGraphConditionalNodeType type;
  unsigned size;
  cudaGraph_t *phGraph_out;
};

enum cudaGraphExecUpdateResult {
  cudaGraphExecUpdateSuccess,
  cudaGraphExecUpdateError,
  cudaGraphExecUpdateErrorTopologyChanged,
  cudaGraphExecUpdateErrorNodeTypeChanged,
  cudaGraphExecUpdateErrorFunctionChanged,
  cudaGraphExecUpdateErrorParametersChanged,
  cudaGraphExecUpdateErrorNotSupported
};

enum {
  cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
  cudaGraphInstantiateFlagUpload = 2,
  cudaGraphInstantiateFlagDeviceLaunch = 4,
  cudaGraphInstantiateFlagUseNodePriority = 8
};
enum { cudaGraphInstantiateSuccess, cudaGraphInstantiateError };

enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal,
  cudaStreamCaptureModeThreadLocal,
  cudaStreamCaptureModeRelaxed
};
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone,
  cudaStreamCaptureStatusActive,
  cudaStreamCaptureStatusInvalidated
};

struct cudaKernelNodeParams {
  void *func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void **kernelParams, **extra;
};

struct cudaMemsetParams {
  void *dst;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};

struct cudaHostNodeParams {
  cudaHostFn *fn;
  void *userData;
};

enum cudaMemAccessFlags {
  cudaMemAccessFlagsProtNone = 0,
  cudaMemAccessFlagsProtRead = 1,
  cudaMemAccessFlagsProtReadWrite = 3
};

struct cudaMemAccessDesc {
  struct cudaMemLocation location;
  enum cudaMemAccessFlags flags;
};

struct cudaMemPoolProps {
  int allocType, handleTypes;
  struct cudaMemLocation location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};

struct cudaMemAllocNodeParams {
  struct cudaMemPoolProps poolProps;
  const struct cudaMemAccessDesc *accessDescs;
  size_t accessDescCount, bytesize;
  void *dptr;
};

struct cudaMemcpyNodeParams {
  int flags, reserved[3];
  struct cudaMemcpy3DParms copyParams;
};

typedef struct cudaGraphEdgeData {
  unsigned char from_port, to_port, type, reserved[5];
} cudaGraphEdgeData;

struct cudaGraphNodeParams {
  enum cudaGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    struct cudaKernelNodeParams kernel;
    struct cudaMemcpyNodeParams memcpy;
    struct cudaMemsetParams memset;
    struct cudaHostNodeParams host;
    struct {
      cudaGraph_t graph;
      int ownership;
    } graph;
    struct {
      cudaEvent_t event;
    } eventWait, eventRecord;
    struct cudaMemAllocNodeParams alloc;
    struct {
      void *dptr;
    } free;
    struct cudaConditionalNodeParams conditional;
  };
  long long reserved2;
};

typedef struct cudaGraphExecUpdateResultInfo {
  enum cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;

typedef struct cudaGraphInstantiateParams {
  unsigned long long flags;
  cudaStream_t uploadStream;
  cudaGraphNode_t errNode_out;
  int result_out;
} cudaGraphInstantiateParams;

typedef struct user_object *cudaUserObject_t;
enum { cudaUserObjectNoDestructorSync = 1, cudaGraphUserObjectMove = 1 };

#endif
