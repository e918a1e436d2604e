// Streams: host functions, callbacks, events, what may not be asked within.
// The expected output is an H200's.
#include <cstdio>

__global__ void add(int *at, int value) { atomicAdd(at, value); }

static cudaError_t inner, inner_callback;
static int *data;

static void say(const char *what, cudaError_t error)
{
  printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}

int main()
{
  cudaMallocManaged(&data, 4);
  *data = 0;
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  say("host", cudaLaunchHostFunc(
                  one,
                  [](void *) {
                    void *p;
                    inner = cudaMalloc(&p, 4);
                  },
                  nullptr));
  say("callback", cudaStreamAddCallback(
                      one,
                      [](cudaStream_t, cudaError_t, void *) {
                        inner_callback = cudaStreamQuery(0);
                      },
                      nullptr, 0));
  cudaStreamSynchronize(one);
  say("in host function", inner);
  say("in callback", inner_callback);

  cudaEvent_t start, stop, untimed;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  say("never recorded", cudaEventQuery(start));
  say("wait for never recorded", cudaStreamWaitEvent(two, start, 0));
  float ms = -1;
  say("no time", cudaEventElapsedTime(&ms, start, stop));
  cudaEventRecord(start, one);
  add<<<1, 32, 0, one>>>(data, 1);
  cudaEventRecord(stop, one);
  cudaStreamWaitEvent(two, stop, 0);
  add<<<1, 1, 0, two>>>(data, 1);
  cudaEventRecord(untimed, two);
  cudaEventSynchronize(untimed);
  say("query", cudaEventQuery(stop));
  say("time", cudaEventElapsedTime(&ms, start, stop));
  printf("%s\n", ms >= 0 ? "time" : "no time");
  say("untimed", cudaEventElapsedTime(&ms, start, untimed));
  printf("%d\n", *data);
  int least, greatest, priority;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  printf("priorities %d %d\n", least, greatest);
  cudaStream_t urgent;
  say("urgent", cudaStreamCreateWithPriority(&urgent, 0, -100));
  cudaStreamGetPriority(urgent, &priority);
  printf("priority %d\n", priority);
  unsigned flags;
  cudaStreamGetFlags(cudaStreamPerThread, &flags);
  printf("flags %u\n", flags);
  say("attach", cudaStreamAttachMemAsync(one, data, 0, cudaMemAttachSingle));
  int host;
  say("attach host",
      cudaStreamAttachMemAsync(one, &host, 0, cudaMemAttachGlobal));
  say("attach to NULL",
      cudaStreamAttachMemAsync(0, data, 0, cudaMemAttachSingle));
  cudaStreamDestroy(urgent);
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
  say("end", cudaDeviceSynchronize());
}
