/* Graphs and stream capture: types and calls of CUDA 13.0. */
#ifndef DEVICE_RUNTIME_API_GRAPH_H
#define DEVICE_RUNTIME_API_GRAPH_H

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

#define EDGES const cudaGraphNode_t *before, size_t n_before
#define NEW_NODE cudaGraphNode_t *node, cudaGraph_t graph, EDGES

/* graph/graph.c */
API cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags);
API cudaError_t cudaGraphDestroy(cudaGraph_t graph);
API cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
API cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
API cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                         const cudaGraphNode_t *from,
                                         const cudaGraphNode_t *to,
                                         const cudaGraphEdgeData *data,
                                         size_t n);
API cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                            const cudaGraphNode_t *from,
                                            const cudaGraphNode_t *to,
                                            const cudaGraphEdgeData *data,
                                            size_t n);

/* graph/query.c */
API cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                  size_t *n);
API cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes,
                                      size_t *n);
API cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                                  cudaGraphNode_t *to, cudaGraphEdgeData *data,
                                  size_t *n);
API cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                             cudaGraphNode_t *before,
                                             cudaGraphEdgeData *data,
                                             size_t *n);
API cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                               cudaGraphNode_t *after,
                                               cudaGraphEdgeData *data,
                                               size_t *n);
API cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node,
                                     enum cudaGraphNodeType *type);
API cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node,
                                         cudaGraphNode_t original,
                                         cudaGraph_t clone);
API cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path,
                                       unsigned flags);

/* graph/condition.c */
API cudaError_t cudaGraphConditionalHandleCreate(
    cudaGraphConditionalHandle *handle, cudaGraph_t graph,
    unsigned default_value, unsigned flags);

/* graph/node_calls.c */
API cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *before,
                                 const cudaGraphEdgeData *data, size_t n_before,
                                 struct cudaGraphNodeParams *parameters);
API cudaError_t
cudaGraphAddKernelNode(NEW_NODE, const struct cudaKernelNodeParams *kernel);
API cudaError_t cudaGraphAddMemcpyNode(NEW_NODE,
                                       const struct cudaMemcpy3DParms *copy);
API cudaError_t cudaGraphAddMemcpyNode1D(NEW_NODE, void *destination,
                                         const void *source, size_t bytes,
                                         enum cudaMemcpyKind kind);
API cudaError_t cudaGraphAddMemcpyNodeToSymbol(NEW_NODE, const void *symbol,
                                               const void *source, size_t bytes,
                                               size_t offset,
                                               enum cudaMemcpyKind kind);
API cudaError_t cudaGraphAddMemcpyNodeFromSymbol(NEW_NODE, void *destination,
                                                 const void *symbol,
                                                 size_t bytes, size_t offset,
                                                 enum cudaMemcpyKind kind);
API cudaError_t cudaGraphAddMemsetNode(NEW_NODE,
                                       const struct cudaMemsetParams *set);
API cudaError_t cudaGraphAddHostNode(NEW_NODE,
                                     const struct cudaHostNodeParams *host);
API cudaError_t cudaGraphAddChildGraphNode(NEW_NODE, cudaGraph_t child);
API cudaError_t cudaGraphAddEmptyNode(NEW_NODE);
API cudaError_t cudaGraphAddEventRecordNode(NEW_NODE, cudaEvent_t event);
API cudaError_t cudaGraphAddEventWaitNode(NEW_NODE, cudaEvent_t event);
API cudaError_t cudaGraphAddMemAllocNode(NEW_NODE,
                                         struct cudaMemAllocNodeParams *alloc);
API cudaError_t cudaGraphAddMemFreeNode(NEW_NODE, void *address);
API cudaError_t cudaGraphKernelNodeGetParams(
    cudaGraphNode_t node, struct cudaKernelNodeParams *kernel);
API cudaError_t cudaGraphKernelNodeSetParams(
    cudaGraphNode_t node, const struct cudaKernelNodeParams *kernel);
API cudaError_t cudaGraphKernelNodeSetAttribute(
    cudaGraphNode_t node, enum cudaLaunchAttributeID attribute,
    const cudaLaunchAttributeValue *value);
API cudaError_t cudaGraphKernelNodeGetAttribute(
    cudaGraphNode_t node, enum cudaLaunchAttributeID attribute,
    cudaLaunchAttributeValue *value);
API cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to,
                                                  cudaGraphNode_t from);
API cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node,
                                             struct cudaMemcpy3DParms *copy);
API cudaError_t cudaGraphMemcpyNodeSetParams(
    cudaGraphNode_t node, const struct cudaMemcpy3DParms *copy);
API cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node,
                                               void *destination,
                                               const void *source, size_t bytes,
                                               enum cudaMemcpyKind kind);
API cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(
    cudaGraphNode_t node, const void *symbol, const void *source, size_t bytes,
    size_t offset, enum cudaMemcpyKind kind);
API cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(
    cudaGraphNode_t node, void *destination, const void *symbol, size_t bytes,
    size_t offset, enum cudaMemcpyKind kind);
API cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node,
                                             struct cudaMemsetParams *set);
API cudaError_t cudaGraphMemsetNodeSetParams(
    cudaGraphNode_t node, const struct cudaMemsetParams *set);
API cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node,
                                           struct cudaHostNodeParams *host);
API cudaError_t cudaGraphHostNodeSetParams(
    cudaGraphNode_t node, const struct cudaHostNodeParams *host);
API cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node,
                                                cudaGraph_t *child);
API cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node,
                                                 cudaEvent_t *event);
API cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node,
                                                 cudaEvent_t event);
API cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node,
                                               cudaEvent_t *event);
API cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node,
                                               cudaEvent_t event);
API cudaError_t cudaGraphMemAllocNodeGetParams(
    cudaGraphNode_t node, struct cudaMemAllocNodeParams *alloc);
API cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node,
                                              void *address);
API cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node,
                                       struct cudaGraphNodeParams *parameters);

/* pool.c */
API cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool,
                                  const struct cudaMemPoolProps *properties);
API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool,
                                     const struct cudaMemAccessDesc *list,
                                     size_t n);
API cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags,
                                     cudaMemPool_t pool,
                                     struct cudaMemLocation *location);

/* graph/exec.c */
API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
                                     unsigned long long flags);
API cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec,
                                              cudaGraph_t graph,
                                              unsigned long long flags);
API cudaError_t
cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                               cudaGraphInstantiateParams *parameters);
API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
API cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec,
                                      unsigned long long *flags);
API cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
API cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);

/* graph/update.c */
API cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                    cudaGraphExecUpdateResultInfo *info);
API cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                 const struct cudaKernelNodeParams *kernel);
API cudaError_t
cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                 const struct cudaMemcpy3DParms *copy);
API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(
    cudaGraphExec_t exec, cudaGraphNode_t node, void *destination,
    const void *source, size_t bytes, enum cudaMemcpyKind kind);
API cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t exec, cudaGraphNode_t node, const void *symbol,
    const void *source, size_t bytes, size_t offset, enum cudaMemcpyKind kind);
API cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t exec, cudaGraphNode_t node, void *destination,
    const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind);
API cudaError_t
cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                 const struct cudaMemsetParams *set);
API cudaError_t
cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                               const struct cudaHostNodeParams *host);
API cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec,
                                                     cudaGraphNode_t node,
                                                     cudaGraph_t child);
API cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec,
                                                     cudaGraphNode_t node,
                                                     cudaEvent_t event);
API cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec,
                                                   cudaGraphNode_t node,
                                                   cudaEvent_t event);
API cudaError_t
cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                           struct cudaGraphNodeParams *parameters);
API cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec,
                                        cudaGraphNode_t node, unsigned enabled);
API cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec,
                                        cudaGraphNode_t node,
                                        unsigned *enabled);

/* graph/capture.c */
API cudaError_t cudaStreamBeginCapture(cudaStream_t stream,
                                       enum cudaStreamCaptureMode mode);
API cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream,
                                              cudaGraph_t graph,
                                              const cudaGraphNode_t *before,
                                              const cudaGraphEdgeData *data,
                                              size_t n_before,
                                              enum cudaStreamCaptureMode mode);
API cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
API cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t stream, enum cudaStreamCaptureStatus *status,
    unsigned long long *id, cudaGraph_t *graph, const cudaGraphNode_t **before,
    const cudaGraphEdgeData **data, size_t *n_before);
API cudaError_t cudaStreamUpdateCaptureDependencies(
    cudaStream_t stream, cudaGraphNode_t *before, const cudaGraphEdgeData *data,
    size_t n_before, unsigned flags);
API cudaError_t
cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);

/* graph/user_object.c */
typedef struct user_object *cudaUserObject_t;
enum { cudaUserObjectNoDestructorSync = 1, cudaGraphUserObjectMove = 1 };
API cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *data,
                                     cudaHostFn *destroy, unsigned n,
                                     unsigned flags);
API cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned n);
API cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned n);
API cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph,
                                          cudaUserObject_t object, unsigned n,
                                          unsigned flags);
API cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph,
                                           cudaUserObject_t object, unsigned n);

#undef EDGES
#undef NEW_NODE

#endif
