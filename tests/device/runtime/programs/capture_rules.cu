// What stream capture takes and what it refuses: prints the names of the
// errors. The expected output is an H200's.
#include <cstdio>
#include <thread>

__global__ void add(int *at, int value) { atomicAdd(at, value); }

static int *data;
static cudaStream_t one, two, free_one;
static cudaEvent_t event;

static void say(const char *what, cudaError_t error)
{
  printf("  %s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

static void finish()
{
  cudaGraph_t graph = nullptr;
  cudaError_t error = cudaStreamEndCapture(one, &graph);
  size_t n = 0;
  if (graph != nullptr)
    cudaGraphGetNodes(graph, nullptr, &n);
  printf("  end: %s, %zu nodes\n", cudaGetErrorName(error), n);
  if (graph != nullptr)
    cudaGraphDestroy(graph);
  cudaGetLastError();
}

static void begin(const char *what,
                  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal)
{
  printf("%s\n", what);
  cudaError_t error = cudaStreamBeginCapture(one, mode);
  if (error != cudaSuccess)
    say("begin", error);
  add<<<1, 1, 0, one>>>(data, 1);
}

int main()
{
  cudaMalloc(&data, 4);
  cudaMemset(data, 0, 4);
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaStreamCreateWithFlags(&free_one, cudaStreamNonBlocking);
  cudaEventCreate(&event);

  begin("plain");
  cudaStreamCaptureStatus status;
  say("is capturing", cudaStreamIsCapturing(one, &status));
  printf("  status %d\n", (int)status);
  say("other", cudaStreamIsCapturing(two, &status));
  printf("  status %d\n", (int)status);
  finish();

  begin("twice");
  say("begin", cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  finish();

  printf("not begun\n");
  finish();
  cudaGraph_t none;
  printf("legacy stream\n");
  say("begin", cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
  begin("end of another stream");
  say("end two", cudaStreamEndCapture(two, &none));
  finish();

  begin("stream synchronize");
  say("call", cudaStreamSynchronize(one));
  cudaStreamIsCapturing(one, &status);
  printf("  status %d\n", (int)status);
  finish();
  begin("stream query");
  say("call", cudaStreamQuery(one));
  finish();
  begin("synchronize another stream");
  say("call", cudaStreamSynchronize(two));
  finish();
  begin("device synchronize");
  say("call", cudaDeviceSynchronize());
  finish();
  begin("device synchronize, relaxed", cudaStreamCaptureModeRelaxed);
  say("call", cudaDeviceSynchronize());
  finish();

  begin("malloc");
  void *p;
  say("call", cudaMalloc(&p, 4));
  finish();
  begin("malloc, thread local", cudaStreamCaptureModeThreadLocal);
  say("call", cudaMalloc(&p, 4));
  finish();
  begin("malloc, relaxed", cudaStreamCaptureModeRelaxed);
  say("call", cudaMalloc(&p, 4));
  say("free", cudaFree(p));
  finish();
  begin("malloc of another thread");
  std::thread([] {
    void *q;
    say("call", cudaMalloc(&q, 4));
  }).join();
  finish();
  begin("malloc of another thread, thread local",
        cudaStreamCaptureModeThreadLocal);
  std::thread([] {
    void *q;
    say("call", cudaMalloc(&q, 4));
    cudaFree(q);
  }).join();
  finish();
  begin("malloc, mode exchanged");
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  cudaThreadExchangeStreamCaptureMode(&mode);
  say("call", cudaMalloc(&p, 4));
  cudaFree(p);
  cudaThreadExchangeStreamCaptureMode(&mode);
  finish();

  begin("legacy launch");
  add<<<1, 1>>>(data, 1);
  say("call", cudaGetLastError());
  finish();
  begin("legacy launch, relaxed", cudaStreamCaptureModeRelaxed);
  add<<<1, 1>>>(data, 1);
  say("call", cudaGetLastError());
  finish();
  begin("synchronous copy");
  int host = 0;
  say("call", cudaMemcpy(&host, data, 4, cudaMemcpyDeviceToHost));
  finish();
  begin("synchronous copy, relaxed", cudaStreamCaptureModeRelaxed);
  say("call", cudaMemcpy(&host, data, 4, cudaMemcpyDeviceToHost));
  finish();
  begin("launch in other streams");
  add<<<1, 1, 0, two>>>(data, 1);
  say("two", cudaGetLastError());
  add<<<1, 1, 0, free_one>>>(data, 1);
  say("non-blocking", cudaGetLastError());
  finish();

  begin("fork and join");
  cudaEventRecord(event, one);
  say("wait", cudaStreamWaitEvent(two, event, 0));
  add<<<1, 1, 0, two>>>(data, 1);
  cudaStreamIsCapturing(two, &status);
  printf("  status %d\n", (int)status);
  say("record", cudaEventRecord(event, two));
  say("join", cudaStreamWaitEvent(one, event, 0));
  finish();
  cudaStreamIsCapturing(two, &status);
  printf("  status %d\n", (int)status);
  begin("fork without join");
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(two, event, 0);
  add<<<1, 1, 0, two>>>(data, 1);
  finish();
  begin("fork without work");
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(two, event, 0);
  finish();
  begin("end of the fork");
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(two, event, 0);
  say("end two", cudaStreamEndCapture(two, &none));
  finish();

  begin("captured event");
  cudaEventRecord(event, one);
  say("query", cudaEventQuery(event));
  finish();
  begin("captured event waited for");
  cudaEventRecord(event, one);
  say("synchronize", cudaEventSynchronize(event));
  finish();
  cudaEventRecord(event, two);
  begin("event of before");
  say("wait", cudaStreamWaitEvent(one, event, 0));
  finish();
  begin("event query");
  cudaEventRecord(event, two);
  say("call", cudaEventQuery(event));
  finish();
  begin("two captures");
  say("begin", cudaStreamBeginCapture(two, cudaStreamCaptureModeGlobal));
  cudaEventRecord(event, two);
  say("merge", cudaStreamWaitEvent(one, event, 0));
  say("end two", cudaStreamEndCapture(two, &none));
  finish();
  begin("callback");
  say("call", cudaStreamAddCallback(
                  one, [](cudaStream_t, cudaError_t, void *) {}, nullptr, 0));
  finish();
  begin("host function");
  say("call", cudaLaunchHostFunc(
                  one, [](void *) {}, nullptr));
  finish();
  begin("another thread ends");
  std::thread([] {
    cudaGraph_t graph = nullptr;
    say("end", cudaStreamEndCapture(one, &graph));
  }).join();
  finish();
  begin("allocation in the capture");
  say("malloc", cudaMallocAsync(&p, 64, one));
  say("memset", cudaMemsetAsync(p, 0, 64, one));
  say("free", cudaFreeAsync(p, one));
  finish();
  begin("bad launch");
  add<<<1, 2000, 0, one>>>(data, 1);
  say("launch", cudaGetLastError());
  finish();

  say("synchronize", cudaDeviceSynchronize());
  cudaMemcpy(&host, data, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", host);
}
