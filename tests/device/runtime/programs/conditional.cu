// Graphs with conditional nodes: if, if and else, while, switch; bodies that
// are built and captured; the value at the beginning. The expected output
// is an H200's.
#include <cstdio>
#include <cstring>

__device__ int log_of[100], n_logged;

__global__ void note(int what) { log_of[n_logged++] = what; }

__global__ void set(cudaGraphConditionalHandle handle, const int *value)
{
  cudaGraphSetConditional(handle, *value);
}

__global__ void count_down(cudaGraphConditionalHandle handle, int *value)
{
  log_of[n_logged++] = *value;
  cudaGraphSetConditional(handle, --*value > 0);
}

static int *d_value;

static void expect(cudaError_t error, int line)
{
  if (error != cudaSuccess)
    printf("line %d: %s\n", line, cudaGetErrorName(error));
}
#define CHECK(call) expect(call, __LINE__)

static cudaGraphNode_t add_kernel(cudaGraph_t graph, void *kernel,
                                  void **arguments,
                                  const cudaGraphNode_t *before)
{
  cudaGraphNodeParams p = { cudaGraphNodeTypeKernel };
  cudaGraphNode_t node;
  p.kernel.func = kernel;
  p.kernel.gridDim = p.kernel.blockDim = dim3(1);
  p.kernel.kernelParams = arguments;
  CHECK(cudaGraphAddNode(&node, graph, before, NULL, before != NULL, &p));
  return node;
}

static cudaGraphNode_t add_note(cudaGraph_t graph, int what,
                                const cudaGraphNode_t *before)
{
  void *arguments[] = { &what };
  return add_kernel(graph, (void *)note, arguments, before);
}

static cudaGraphNode_t add_condition(cudaGraph_t graph,
                                     cudaGraphConditionalHandle handle,
                                     cudaGraphConditionalNodeType type,
                                     unsigned size, cudaGraph_t *bodies,
                                     const cudaGraphNode_t *before)
{
  cudaGraphNodeParams p = { cudaGraphNodeTypeConditional };
  cudaGraphNode_t node;
  p.conditional.handle = handle;
  p.conditional.type = type;
  p.conditional.size = size;
  CHECK(cudaGraphAddNode(&node, graph, before, NULL, before != NULL, &p));
  memcpy(bodies, p.conditional.phGraph_out, size * sizeof *bodies);
  return node;
}

static void run(cudaGraph_t graph, const char *name, int value)
{
  cudaGraphExec_t exec;
  int zero = 0, n, logged[100];
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int time = 0; time < 2; time++) {
    CHECK(cudaMemcpy(d_value, &value, sizeof value, cudaMemcpyDefault));
    CHECK(cudaMemcpyToSymbol(n_logged, &zero, sizeof zero));
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(&n, n_logged, sizeof n));
    CHECK(cudaMemcpyFromSymbol(logged, log_of, sizeof logged));
    printf("%s, value %d:", name, value);
    for (int i = 0; i < n; i++)
      printf(" %d", logged[i]);
    printf("\n");
  }
  CHECK(cudaGraphExecDestroy(exec));
}

static void choices()
{
  static const cudaGraphConditionalNodeType types[] = {
    cudaGraphCondTypeIf, cudaGraphCondTypeIf, cudaGraphCondTypeSwitch
  };
  static const unsigned sizes[] = { 1, 2, 3 };
  static const char *const names[] = { "if", "if and else", "switch" };
  for (int i = 0; i < 3; i++) {
    cudaGraph_t graph, bodies[3];
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
    void *arguments[] = { &handle, &d_value };
    cudaGraphNode_t before = add_kernel(graph, (void *)set, arguments, NULL);
    cudaGraphNode_t node =
        add_condition(graph, handle, types[i], sizes[i], bodies, &before);
    for (unsigned b = 0; b < sizes[i]; b++) {
      cudaGraphNode_t first = add_note(bodies[b], 10 * b + 1, NULL);
      add_note(bodies[b], 10 * b + 2, &first);
    }
    add_note(graph, 99, &node);
    for (int value = 0; value < 4; value++)
      run(graph, names[i], value);
    CHECK(cudaGraphDestroy(graph));
  }
}

static void loop(unsigned first, unsigned flags, const char *name)
{
  cudaGraph_t graph, body;
  cudaGraphConditionalHandle handle;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, first, flags));
  cudaGraphNode_t node =
      add_condition(graph, handle, cudaGraphCondTypeWhile, 1, &body, NULL);
  CHECK(cudaStreamBeginCaptureToGraph(stream, body, NULL, NULL, 0,
                                      cudaStreamCaptureModeGlobal));
  note<<<1, 1, 0, stream>>>(50);
  count_down<<<1, 1, 0, stream>>>(handle, d_value);
  CHECK(cudaStreamEndCapture(stream, NULL));
  add_note(graph, 99, &node);
  run(graph, name, 3);
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

static void captured()
{
  cudaStream_t stream;
  cudaGraph_t graph, body, same;
  cudaGraphConditionalHandle handle;
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t *last;
  size_t n_last;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaStreamGetCaptureInfo(stream, &status, NULL, &graph, NULL, NULL,
                                 NULL));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph));
  set<<<1, 1, 0, stream>>>(handle, d_value);
  CHECK(cudaStreamGetCaptureInfo(stream, &status, NULL, &graph, &last, NULL,
                                 &n_last));
  cudaGraphNode_t before = last[0];
  cudaGraphNode_t node =
      add_condition(graph, handle, cudaGraphCondTypeWhile, 1, &body, &before);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &node, NULL, 1,
                                            cudaStreamSetCaptureDependencies));
  note<<<1, 1, 0, stream>>>(99);
  CHECK(cudaStreamEndCapture(stream, &same));
  void *arguments[] = { &handle, &d_value };
  add_kernel(body, (void *)count_down, arguments, NULL);
  printf("%d node before, %s graph\n", (int)n_last,
         same == graph ? "the same" : "another");
  run(graph, "captured while", 0);
  run(graph, "captured while", 2);
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

int main()
{
  CHECK(cudaMalloc(&d_value, sizeof *d_value));
  choices();
  loop(1, cudaGraphCondAssignDefault, "while");
  loop(0, cudaGraphCondAssignDefault, "while, not once");
  captured();
  CHECK(cudaFree(d_value));
}
