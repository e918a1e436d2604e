// Graphs that kernels launch: order, nesting, limits, what is refused. The
// expected output is an H200's.
#include <cstdio>

__device__ int log_of[4000], n_logged;

__device__ void note(int what) { log_of[atomicAdd(&n_logged, 1)] = what; }

__global__ void leaf(int what) { note(what); }

// Launches itself until *left is 0.
__global__ void again(int *left)
{
  note(*left);
  if (--*left > 0)
    note(1000 + (int)cudaGraphLaunch(cudaGetCurrentGraphExec(),
                                     cudaStreamGraphTailLaunch));
}

// Asks for the graphs in the order tail, tail, fire and forget.
__global__ void three(cudaGraphExec_t a, cudaGraphExec_t b, cudaGraphExec_t c)
{
  note(1);
  note(1000 + (int)cudaGraphLaunch(a, cudaStreamGraphTailLaunch));
  note(1000 + (int)cudaGraphLaunch(b, cudaStreamGraphTailLaunch));
  note(1000 + (int)cudaGraphLaunch(c, cudaStreamGraphFireAndForget));
}

__global__ void tails(cudaGraphExec_t a, cudaGraphExec_t b)
{
  note(2);
  cudaGraphLaunch(a, cudaStreamGraphTailLaunch);
  cudaGraphLaunch(b, cudaStreamGraphTailLaunch);
}

__global__ void twice(cudaGraphExec_t a)
{
  for (int i = 0; i < 2; i++)
    note(1000 + (int)cudaGraphLaunch(cudaGetCurrentGraphExec(),
                                     i == 0 ? cudaStreamGraphFireAndForget
                                            : (cudaStream_t)0));
}

__global__ void launch_one(cudaGraphExec_t a)
{
  note(1000 + (int)cudaGraphLaunch(a, cudaStreamGraphTailLaunch));
  note(cudaGetCurrentGraphExec() != 0);
}

static cudaStream_t stream;

static void expect(cudaError_t error, int line)
{
  if (error != cudaSuccess)
    printf("line %d: %s\n", line, cudaGetErrorName(error));
}
#define CHECK(call) expect(call, __LINE__)

template <typename... T>
static cudaGraphExec_t exec_of(bool upload, void (*kernel)(T...), T... args)
{
  cudaGraph_t graph;
  cudaGraphExec_t exec = NULL;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  kernel<<<1, 1, 0, stream>>>(args...);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(
      cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
  if (upload)
    CHECK(cudaGraphUpload(exec, stream));
  CHECK(cudaGraphDestroy(graph));
  return exec;
}

static void print(const char *name)
{
  int n, zero = 0;
  static int logged[4000];
  printf("%s: %s:", name, cudaGetErrorName(cudaStreamSynchronize(stream)));
  CHECK(cudaMemcpyFromSymbol(&n, n_logged, sizeof n));
  CHECK(cudaMemcpyFromSymbol(logged, log_of, sizeof logged));
  CHECK(cudaMemcpyToSymbol(n_logged, &zero, sizeof zero));
  for (int i = 0; i < n && i < 20; i++)
    printf(" %d", logged[i]);
  printf("; %d in all\n", n);
}

static void host_function(void *) {}

int main()
{
  int *left, n = 4;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&left, sizeof *left));

  cudaGraphExec_t loop = exec_of(true, again, left);
  CHECK(cudaMemcpy(left, &n, sizeof n, cudaMemcpyDefault));
  CHECK(cudaGraphLaunch(loop, stream));
  print("a graph launches itself");
  n = 1000;
  CHECK(cudaMemcpy(left, &n, sizeof n, cudaMemcpyDefault));
  CHECK(cudaGraphLaunch(loop, stream));
  print("a thousand times");

  cudaGraphExec_t seven = exec_of(true, leaf, 7),
                  eight = exec_of(true, leaf, 8);
  cudaGraphExec_t nine = exec_of(true, leaf, 9), six = exec_of(true, leaf, 6);
  cudaGraphExec_t order = exec_of(true, three, seven, eight, nine);
  CHECK(cudaGraphLaunch(order, stream));
  print("fired first, then the tails in order");

  cudaGraphExec_t inner = exec_of(true, tails, seven, eight);
  cudaGraphExec_t outer = exec_of(true, three, inner, nine, six);
  CHECK(cudaGraphLaunch(outer, stream));
  print("the tails of a tail come before older ones");

  cudaGraphExec_t itself = exec_of(true, twice, seven);
  CHECK(cudaGraphLaunch(itself, stream));
  print("itself by fire and forget, then by no stream of graphs");

  cudaGraphExec_t not_there = exec_of(false, leaf, 5);
  cudaGraphExec_t early = exec_of(true, launch_one, not_there);
  CHECK(cudaGraphLaunch(early, stream));
  print("not uploaded");

  cudaGraph_t graph;
  cudaGraphExec_t exec = NULL, plain = NULL;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch_one<<<1, 1, 0, stream>>>(seven);
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(cudaGraphInstantiate(&plain, graph, 0));
  CHECK(cudaGraphLaunch(plain, stream));
  print("by a kernel of an ordinary graph");
  CHECK(cudaGraphDestroy(graph));

  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaLaunchHostFunc(stream, host_function, NULL));
  CHECK(cudaStreamEndCapture(stream, &graph));
  printf("with a host function: %s\n",
         cudaGetErrorName(cudaGraphInstantiate(
             &exec, graph, cudaGraphInstantiateFlagDeviceLaunch)));
  printf("last error: %s\n", cudaGetErrorName(cudaGetLastError()));
  return 0;
}
