// A condition is given its default value at each launch of its graph, and no
// other condition's; advice for a page leaves its neighbours alone.
#include <cstdio>
#include <cstring>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = call;                                                  \
    if (error != cudaSuccess) {                                                \
      printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));              \
      return false;                                                            \
    }                                                                          \
  } while (0)

__device__ int n_runs;

// The body's only run in a launch: the value is 0 until the next one.
__global__ void body(cudaGraphConditionalHandle handle)
{
  n_runs++;
  cudaGraphSetConditional(handle, 0);
}

static bool defaults()
{
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node, kernel;
  cudaGraphConditionalHandle handle, other;
  int n = 0;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1,
                                         cudaGraphCondAssignDefault));
  CHECK(cudaGraphConditionalHandleCreate(&other, graph, 0,
                                         cudaGraphCondAssignDefault));
  cudaGraphNodeParams p = { cudaGraphNodeTypeConditional };
  p.conditional.handle = handle;
  p.conditional.type = cudaGraphCondTypeIf;
  p.conditional.size = 1;
  CHECK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
  cudaGraph_t inner = p.conditional.phGraph_out[0];
  void *arguments[] = { &handle };
  cudaGraphNodeParams k = { cudaGraphNodeTypeKernel };
  k.kernel.func = (void *)body;
  k.kernel.gridDim = k.kernel.blockDim = dim3(1);
  k.kernel.kernelParams = arguments;
  CHECK(cudaGraphAddNode(&kernel, inner, NULL, NULL, 0, &k));
  p.conditional.handle = other;  // a GPU refuses handles without a node
  CHECK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
  arguments[0] = &other;
  CHECK(cudaGraphAddNode(&kernel, p.conditional.phGraph_out[0], NULL, NULL, 0,
                         &k));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  for (int launch = 1; launch <= 3; launch++) {
    CHECK(cudaGraphLaunch(exec, 0));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(&n, n_runs, sizeof n));
    if (n != launch) {
      printf("after %d launches the body has run %d times\n", launch, n);
      return false;
    }
  }
  return true;
}

static bool pages()
{
  static const size_t page = 4096;
  cudaMemLocation device = { cudaMemLocationTypeDevice, 0 };
  char *data;
  CHECK(cudaMallocManaged(&data, 4 * page));
  for (int i = 0; i < 4; i += 2)
    CHECK(cudaMemAdvise(data + i * page, page, cudaMemAdviseSetReadMostly,
                        device));
  for (int i = 0; i < 4; i++) {
    int is = -1;
    CHECK(cudaMemRangeGetAttribute(&is, sizeof is,
                                   cudaMemRangeAttributeReadMostly,
                                   data + i * page, page));
    if (is != (i % 2 == 0)) {
      printf("page %d: %d\n", i, is);
      return false;
    }
  }
  return true;
}

int main()
{
  if (!defaults() || !pages())
    return 1;
  printf("all right\n");
}
