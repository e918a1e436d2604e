/* Graphs, made by hand and captured. */
#include "driver_program.h"

static void add_one(void *count) { ++*(int *)count; }

static int word_at(CUdeviceptr address)
{
  int value;
  CHECK_EQUAL(cuMemcpyDtoH(&value, address, 4), CUDA_SUCCESS);
  return value;
}

static void run_once(CUgraph graph)
{
  CUgraphExec exec;
  CHECK_EQUAL(cuGraphInstantiate(&exec, graph, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphLaunch(exec, NULL), CUDA_SUCCESS);
  CHECK_EQUAL(cuCtxSynchronize(), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphExecDestroy(exec), CUDA_SUCCESS);
}

/* fill(address, 9, 4) after `before`. */
static CUgraphNode add_fill(CUgraph graph, const CUgraphNode *before,
                            CUdeviceptr address)
{
  CUgraphNode node;
  unsigned value = 9, n = 4;
  void *arguments[] = { &address, &value, &n };
  CUDA_KERNEL_NODE_PARAMS kernel = { .func = get_kernel(load_kernels(), "fill"),
                                     .gridDimX = 1,
                                     .gridDimY = 1,
                                     .gridDimZ = 1,
                                     .blockDimX = 32,
                                     .blockDimY = 1,
                                     .blockDimZ = 1,
                                     .kernelParams = arguments };
  CHECK_EQUAL(
      cuGraphAddKernelNode(&node, graph, before, before != NULL, &kernel),
      CUDA_SUCCESS);
  return node;
}

BEHAVIOUR(nodes_run_in_order)
{
  int count = 0, back[8] = { 0 };
  CUgraph graph;
  CUgraphNode set, copy, host;
  CUdeviceptr a;
  CUcontext context;
  begin();
  CHECK_EQUAL(cuCtxGetCurrent(&context), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemAlloc(&a, 32), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  CUDA_MEMSET_NODE_PARAMS sevens = {
    .dst = a, .elementSize = 4, .width = 8, .height = 1, .value = 7
  };
  CHECK_EQUAL(cuGraphAddMemsetNode(&set, graph, NULL, 0, &sevens, context),
              CUDA_SUCCESS);
  CUgraphNode fill = add_fill(graph, &set, a);
  CUDA_MEMCPY3D there = { .srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = a,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = back,
                          .WidthInBytes = 32,
                          .Height = 1,
                          .Depth = 1 };
  CHECK_EQUAL(cuGraphAddMemcpyNode(&copy, graph, &fill, 1, &there, context),
              CUDA_SUCCESS);
  CUDA_HOST_NODE_PARAMS function = { .fn = add_one, .userData = &count };
  CHECK_EQUAL(cuGraphAddHostNode(&host, graph, &copy, 1, &function),
              CUDA_SUCCESS);
  run_once(graph);
  CHECK_EQUAL(back[3], 9);
  CHECK_EQUAL(back[4], 7);
  CHECK_EQUAL(count, 1);
}

BEHAVIOUR(graph_is_looked_at)
{
  CUgraph graph, clone;
  CUgraphNode empty, nodes[4], found;
  CUgraphNodeType type;
  CUdeviceptr a;
  size_t n = 0;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, 32), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphAddEmptyNode(&empty, graph, NULL, 0), CUDA_SUCCESS);
  CUgraphNode fill = add_fill(graph, &empty, a);
  CHECK_EQUAL(cuGraphGetNodes(graph, NULL, &n), CUDA_SUCCESS);
  CHECK_EQUAL(n, 2);
  n = 4;
  CHECK_EQUAL(cuGraphGetRootNodes(graph, nodes, &n), CUDA_SUCCESS);
  CHECK_EQUAL(n, 1);
  CHECK(nodes[0] == empty);
  CHECK_EQUAL(cuGraphNodeGetType(fill, &type), CUDA_SUCCESS);
  CHECK_EQUAL(type, CU_GRAPH_NODE_TYPE_KERNEL);
  CHECK_EQUAL(cuGraphClone(&clone, graph), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphNodeFindInClone(&found, fill, clone), CUDA_SUCCESS);
  CHECK(found != fill);
  CHECK_EQUAL(cuGraphDestroy(graph), CUDA_SUCCESS);
  run_once(clone);
  CHECK_EQUAL(word_at(a), 9);
}

BEHAVIOUR(kernel_of_a_graph_gets_other_arguments)
{
  CUgraph graph;
  CUgraphExec exec;
  CUdeviceptr a;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, 32), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  CUgraphNode fill = add_fill(graph, NULL, a);
  CHECK_EQUAL(cuGraphInstantiate(&exec, graph, 0), CUDA_SUCCESS);
  CUDA_KERNEL_NODE_PARAMS kernel;
  CHECK_EQUAL(cuGraphKernelNodeGetParams(fill, &kernel), CUDA_SUCCESS);
  CHECK_EQUAL(kernel.blockDimX, 32);
  unsigned value = 11, n = 4;
  void *arguments[] = { &a, &value, &n };
  kernel.kernelParams = arguments;
  CHECK_EQUAL(cuGraphExecKernelNodeSetParams(exec, fill, &kernel),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphLaunch(exec, NULL), CUDA_SUCCESS);
  CHECK_EQUAL(word_at(a), 11);
}

BEHAVIOUR(stream_is_captured)
{
  CUgraph graph;
  CUstream stream;
  CUdeviceptr a;
  CUstreamCaptureStatus status;
  unsigned value = 13, n = 4;
  begin();
  CUfunction fill = get_kernel(load_kernels(), "fill");
  CHECK_EQUAL(cuMemAlloc(&a, 32), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemsetD32(a, 0, 8), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL),
              CUDA_SUCCESS);
  void *arguments[] = { &a, &value, &n };
  CHECK_EQUAL(
      cuLaunchKernel(fill, 1, 1, 1, 32, 1, 1, 0, stream, arguments, NULL),
      CUDA_SUCCESS);
  CHECK_EQUAL(
      cuStreamGetCaptureInfo(stream, &status, NULL, NULL, NULL, NULL, NULL),
      CUDA_SUCCESS);
  CHECK_EQUAL(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  CHECK_EQUAL(cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  CHECK_EQUAL(word_at(a), 0);
  run_once(graph);
  CHECK_EQUAL(word_at(a), 13);
}

BEHAVIOUR(kernel_of_no_module_is_no_node)
{
  CUgraph graph;
  CUgraphNode node;
  CUDA_KERNEL_NODE_PARAMS kernel = { .gridDimX = 1,
                                     .gridDimY = 1,
                                     .gridDimZ = 1,
                                     .blockDimX = 1,
                                     .blockDimY = 1,
                                     .blockDimZ = 1 };
  begin();
  CHECK_EQUAL(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  CHECK(cuGraphAddKernelNode(&node, graph, NULL, 0, &kernel) != CUDA_SUCCESS);
}

static CUgraphNode add_set(CUgraph graph, const CUgraphNode *before,
                           CUdeviceptr address, unsigned value, size_t width,
                           size_t height)
{
  CUgraphNode node;
  CUcontext context;
  CUDA_MEMSET_NODE_PARAMS set = { .dst = address,
                                  .pitch = 64,
                                  .elementSize = 4,
                                  .width = width,
                                  .height = height,
                                  .value = value };
  CHECK_EQUAL(cuCtxGetCurrent(&context), CUDA_SUCCESS);
  CHECK_EQUAL(
      cuGraphAddMemsetNode(&node, graph, before, before != NULL, &set, context),
      CUDA_SUCCESS);
  return node;
}

/* The last row ends where the allocation does, and is shorter than the pitch. */
BEHAVIOUR(rows_are_set_and_no_others)
{
  CUgraph graph;
  CUdeviceptr a;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, 64 + 64 + 32), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  CUgraphNode two = add_set(graph, NULL, a + 64, 7, 8, 2);
  add_set(graph, &two, a, 5, 8, 1);
  run_once(graph);
  CHECK_EQUAL(word_at(a), 5);
  CHECK_EQUAL(word_at(a + 28), 5);
  CHECK_EQUAL(word_at(a + 64), 7);
  CHECK_EQUAL(word_at(a + 64 + 64 + 28), 7);
}

BEHAVIOUR(nothing_is_set)
{
  CUgraph graph;
  CUstream stream;
  CUdeviceptr a;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, 64), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemsetD32(a, 3, 16), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuMemsetD2D32Async(a, 64, 9, 8, 0, stream), CUDA_SUCCESS);
  CHECK_EQUAL(cuMemsetD2D32Async(a, 64, 9, 0, 1, stream), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  run_once(graph);
  CHECK_EQUAL(word_at(a), 3);
}

BEHAVIOUR(only_work_can_be_disabled)
{
  CUgraph graph;
  CUgraphExec exec;
  CUgraphNode empty;
  CUdeviceptr a;
  unsigned enabled = 77;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, 64), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphCreate(&graph, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphAddEmptyNode(&empty, graph, NULL, 0), CUDA_SUCCESS);
  CUgraphNode set = add_set(graph, &empty, a, 5, 8, 1);
  CHECK_EQUAL(cuGraphInstantiate(&exec, graph, 0), CUDA_SUCCESS);
  CHECK(cuGraphNodeGetEnabled(exec, empty, &enabled) != CUDA_SUCCESS);
  CHECK_EQUAL(enabled, 77);
  CHECK_EQUAL(cuGraphNodeGetEnabled(exec, set, &enabled), CUDA_SUCCESS);
  CHECK_EQUAL(enabled, 1);
  CHECK_EQUAL(cuGraphNodeSetEnabled(exec, set, 0), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphNodeGetEnabled(exec, set, &enabled), CUDA_SUCCESS);
  CHECK_EQUAL(enabled, 0);
}

static CUresult set_in_default_stream(CUdeviceptr a)
{
  return cuMemsetD32Async(a, 1, 1, NULL);
}

/* The default stream waits for blocking streams, which a capture does not
 * allow; also if the capture began in another stream and spread to this one. */
BEHAVIOUR(capture_of_a_blocking_stream_forbids_the_default_one)
{
  CUgraph graph;
  CUstream origin, blocking;
  CUevent forked;
  CUdeviceptr a;
  begin();
  CHECK_EQUAL(cuMemAlloc(&a, 64), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamCreate(&origin, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamCreate(&blocking, CU_STREAM_DEFAULT), CUDA_SUCCESS);
  CHECK_EQUAL(cuEventCreate(&forked, CU_EVENT_DISABLE_TIMING), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamBeginCapture(origin, CU_STREAM_CAPTURE_MODE_RELAXED),
              CUDA_SUCCESS);
  CHECK_EQUAL(set_in_default_stream(a), CUDA_SUCCESS);
  CHECK_EQUAL(cuEventRecord(forked, origin), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamWaitEvent(blocking, forked, 0), CUDA_SUCCESS);
  CHECK_EQUAL(set_in_default_stream(a), CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  CHECK_EQUAL(cuStreamEndCapture(origin, &graph),
              CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
}

/* A wait for an event outside the capture becomes a node, which waits at each
 * launch for what the event stands for by then. */
BEHAVIOUR(external_wait_is_a_node)
{
  CUgraph graph;
  CUgraphNode node;
  CUgraphNodeType type;
  CUstream stream;
  CUevent event;
  size_t n = 1;
  begin();
  CHECK_EQUAL(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  CHECK_EQUAL(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), CUDA_SUCCESS);
  CHECK_EQUAL(cuEventRecord(event, NULL), CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamWaitEvent(stream, event, CU_EVENT_WAIT_EXTERNAL),
              CUDA_SUCCESS);
  CHECK_EQUAL(cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  CHECK_EQUAL(cuGraphGetNodes(graph, &node, &n), CUDA_SUCCESS);
  CHECK_EQUAL(n, 1);
  CHECK_EQUAL(cuGraphNodeGetType(node, &type), CUDA_SUCCESS);
  CHECK_EQUAL(type, CU_GRAPH_NODE_TYPE_WAIT_EVENT);
}
