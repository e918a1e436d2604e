// Graphs built node by node: made, asked, launched, changed. The expected
// output is an H200's.
#include <cstdio>

__global__ void scale(float *to, const float *from, float by, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = by * from[i];
}

__global__ void offset(float *to, float by, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] += by;
}

static void say(const char *what, cudaError_t error)
{
  if (error != cudaSuccess)
    printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

static void told(void *data) { printf("host node %d\n", *(int *)data); }

int main()
{
  const int n = 1000;
  static float in[n], out[n];
  for (int i = 0; i < n; i++)
    in[i] = (float)i;
  float *a, *b;
  cudaMalloc(&a, sizeof in);
  cudaMalloc(&b, sizeof in);

  cudaGraph_t graph;
  say("create", cudaGraphCreate(&graph, 0));
  cudaGraphNode_t upload, clear, twice, more, download, host, nothing;
  say("upload", cudaGraphAddMemcpyNode1D(&upload, graph, nullptr, 0, a, in,
                                         sizeof in, cudaMemcpyHostToDevice));
  cudaMemsetParams set = {};
  set.dst = b;
  set.value = 0x3f800000;  // 1.0f
  set.elementSize = 4;
  set.width = n;
  set.height = 1;
  say("memset", cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &set));

  float by = 2;
  int count = n;
  void *arguments[] = { &b, &a, &by, &count };
  cudaKernelNodeParams kernel = {};
  kernel.func = (void *)scale;
  kernel.gridDim = dim3(4);
  kernel.blockDim = dim3(256);
  kernel.kernelParams = arguments;
  cudaGraphNode_t before[] = { upload, clear };
  say("kernel", cudaGraphAddKernelNode(&twice, graph, before, 2, &kernel));
  by = 100;  // copied when the node was added
  float plus = 3;
  void *arguments_more[] = { &b, &plus, &count };
  kernel.func = (void *)offset;
  kernel.kernelParams = arguments_more;
  say("more", cudaGraphAddKernelNode(&more, graph, nullptr, 0, &kernel));
  say("empty", cudaGraphAddEmptyNode(&nothing, graph, &twice, 1));
  say("edge", cudaGraphAddDependencies(graph, &nothing, &more, nullptr, 1));
  say("edge twice",
      cudaGraphAddDependencies(graph, &nothing, &more, nullptr, 1));
  say("edge to itself",
      cudaGraphAddDependencies(graph, &more, &more, nullptr, 1));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(b, sizeof out, n, 1);
  copy.dstPtr = make_cudaPitchedPtr(out, sizeof out, n, 1);
  copy.extent = make_cudaExtent(sizeof out, 1, 1);
  copy.kind = cudaMemcpyDeviceToHost;
  say("download", cudaGraphAddMemcpyNode(&download, graph, &more, 1, &copy));
  static int which = 1;
  cudaHostNodeParams call = { told, &which };
  say("host", cudaGraphAddHostNode(&host, graph, &download, 1, &call));

  size_t nodes = 0, roots = 0, edges = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetRootNodes(graph, nullptr, &roots);
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
  printf("%zu nodes, %zu roots, %zu edges\n", nodes, roots, edges);
  cudaGraphNodeType type;
  cudaGraphNodeGetType(clear, &type);
  size_t n_before = 0, n_after = 0;
  cudaGraphNodeGetDependencies(twice, nullptr, nullptr, &n_before);
  cudaGraphNodeGetDependentNodes(twice, nullptr, nullptr, &n_after);
  printf("type %d, %zu before, %zu after\n", (int)type, n_before, n_after);

  cudaGraphExec_t exec;
  say("instantiate", cudaGraphInstantiate(&exec, graph, 0));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  say("upload", cudaGraphUpload(exec, stream));
  for (int i = 0; i < 3; i++)
    say("launch", cudaGraphLaunch(exec, stream));
  cudaStreamSynchronize(stream);
  printf("%g %g\n", out[0], out[999]);

  plus = 10;
  say("set", cudaGraphExecKernelNodeSetParams(exec, more, &kernel));
  say("disable", cudaGraphNodeSetEnabled(exec, host, 0) == cudaSuccess
                     ? cudaSuccess
                     : cudaErrorUnknown);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  printf("%g %g\n", out[0], out[999]);

  plus = 20;  // into the graph, then into what was instantiated from it
  say("node", cudaGraphKernelNodeSetParams(more, &kernel));
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  printf("%g %g\n", out[0], out[999]);
  cudaGraphExecUpdateResultInfo result;
  say("update", cudaGraphExecUpdate(exec, graph, &result));
  printf("result %d\n", (int)result.result);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  printf("%g %g\n", out[0], out[999]);

  cudaGraph_t clone;
  say("clone", cudaGraphClone(&clone, graph));
  cudaGraphNode_t twin;
  say("find", cudaGraphNodeFindInClone(&twin, more, clone));
  cudaKernelNodeParams got = {};
  say("get", cudaGraphKernelNodeGetParams(twin, &got));
  printf("grid %u, block %u, plus %g\n", got.gridDim.x, got.blockDim.x,
         *(float *)got.kernelParams[1]);

  cudaGraph_t outer;
  cudaGraphNode_t first, second;
  cudaGraphCreate(&outer, 0);
  say("child", cudaGraphAddChildGraphNode(&first, outer, nullptr, 0, graph));
  say("child", cudaGraphAddChildGraphNode(&second, outer, &first, 1, clone));
  cudaGraphDestroy(clone);
  cudaGraphExec_t whole;
  say("instantiate", cudaGraphInstantiateWithFlags(&whole, outer, 0));
  which = 2;
  cudaGraphLaunch(whole, stream);
  cudaStreamSynchronize(stream);

  say("destroy node", cudaGraphDestroyNode(host));
  cudaGraphGetNodes(graph, nullptr, &nodes);
  printf("%zu nodes\n", nodes);
  say("update", cudaGraphExecUpdate(exec, graph, &result));
  printf("result %d\n", (int)result.result);

  cudaGraph_t memory;
  cudaGraphCreate(&memory, 0);
  cudaMemAllocNodeParams allocation = {};
  allocation.bytesize = 400;
  allocation.poolProps.allocType = cudaMemAllocationTypePinned;
  allocation.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphNode_t make, use, take, drop;
  say("alloc",
      cudaGraphAddMemAllocNode(&make, memory, nullptr, 0, &allocation));
  set.dst = allocation.dptr;
  set.width = 100;
  say("use", cudaGraphAddMemsetNode(&use, memory, &make, 1, &set));
  say("take",
      cudaGraphAddMemcpyNode1D(&take, memory, &use, 1, out, allocation.dptr,
                               400, cudaMemcpyDeviceToHost));
  say("drop",
      cudaGraphAddMemFreeNode(&drop, memory, &take, 1, allocation.dptr));
  cudaGraphExec_t with_memory;
  say("instantiate", cudaGraphInstantiate(&with_memory, memory, 0));
  say("launch", cudaGraphLaunch(with_memory, stream));
  say("launch", cudaGraphLaunch(with_memory, stream));
  cudaStreamSynchronize(stream);
  printf("%g %g\n", out[0], out[99]);

  kernel.gridDim = dim3(0);
  say("no blocks", cudaGraphAddKernelNode(&more, graph, nullptr, 0, &kernel));
  kernel.gridDim = dim3(4);
  kernel.func = nullptr;
  say("no function", cudaGraphAddKernelNode(&more, graph, nullptr, 0, &kernel));
  cudaGraphExecDestroy(with_memory);
  cudaGraphExecDestroy(whole);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(memory);
  cudaGraphDestroy(outer);
  cudaGraphDestroy(graph);
  say("end", cudaDeviceSynchronize());
}
