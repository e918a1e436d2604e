// Compiled with --default-stream per-thread: stream 0 is the thread's own, and
// may be captured. The expected output is an H200's.
#include <cstdio>
#include <thread>

__global__ void add(int *at, int value) { atomicAdd(at, value); }

static void say(const char *what, cudaError_t error)
{
  printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

int main()
{
  int *sum;
  unsigned flags = 99;
  unsigned long long id, legacy, own;
  cudaMallocManaged(&sum, 4);
  *sum = 0;
  say("flags", cudaStreamGetFlags(0, &flags));
  printf("%u\n", flags);
  cudaStreamGetId(0, &id);
  cudaStreamGetId(cudaStreamLegacy, &legacy);
  cudaStreamGetId(cudaStreamPerThread, &own);
  printf("%d %d\n", id == own, id == legacy);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  say("begin", cudaStreamBeginCapture(0, cudaStreamCaptureModeThreadLocal));
  add<<<1, 1>>>(sum, 1);
  say("launch", cudaGetLastError());
  say("set", cudaMemsetAsync(sum + 0, 0, 4, 0));
  add<<<1, 1>>>(sum, 40);
  std::thread([&] {
    int *other;
    cudaMalloc(&other, 4);
    add<<<1, 1>>>(other, 1);
    say("other thread", cudaStreamSynchronize(0));
  }).join();
  say("end", cudaStreamEndCapture(0, &graph));
  say("instantiate", cudaGraphInstantiate(&exec, graph, 0));
  say("launch", cudaGraphLaunch(exec, 0));
  say("wait", cudaStreamSynchronize(0));
  printf("%d\n", *sum);
}
