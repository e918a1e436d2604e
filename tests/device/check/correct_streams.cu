/* Streams, events and graphs that share memory and are right. No case may be
 * reported. */
#include "streams.h"

/* ---- streams and events ---- */

static void one_stream(void)
{
  fill_in(a, x);
  twice_in(a, y, x);
  fill_in(a, x);
}

static void event(void)
{
  fill_in(a, x);
  CHECK(cudaEventRecord(done, a));
  CHECK(cudaStreamWaitEvent(b, done, 0));
  twice_in(b, y, x);
}

/* A stream that waits for what came after a wait knows what came before. */
static void event_chain(void)
{
  fill_in(a, x);
  CHECK(cudaEventRecord(done, a));
  CHECK(cudaStreamWaitEvent(b, done, 0));
  fill_in(b, z);
  CHECK(cudaEventRecord(done, b));
  CHECK(cudaStreamWaitEvent(blocking, done, 0));
  twice_in(blocking, y, x);
}

static void two_readers(void)
{
  fill_in(a, x);
  CHECK(cudaStreamSynchronize(a));
  twice_in(a, y, x);
  twice_in(b, z, x);
}

static void host_waits(void)
{
  fill_in(a, x);
  CHECK(cudaStreamSynchronize(a));
  twice_in(b, y, x);
  CHECK(cudaEventRecord(done, b));
  CHECK(cudaEventSynchronize(done));
  fill_in(a, x);
}

static void host_asks(void)
{
  fill_in(a, x);
  while (cudaStreamQuery(a) == cudaErrorNotReady)
    ;
  twice_in(b, y, x);
  CHECK(cudaEventRecord(done, b));
  while (cudaEventQuery(done) == cudaErrorNotReady)
    ;
  fill_in(a, x);
}

static void default_stream(void)
{
  fill_in(blocking, x);
  twice_in(NULL, y, x);
  fill_in(blocking, x);
  twice_in(cudaStreamPerThread, z, y);
}

/* It waits for the stream's own work; the host waits for it. */
static void copy_to_host(void)
{
  fill_in(blocking, x);
  CHECK(cudaMemcpy(h, x, BYTES, cudaMemcpyDeviceToHost));
  fill_in(a, x);
}

static void async_copy_to_pageable(void)
{
  static int pageable[N];
  fill_in(a, x);
  CHECK(cudaMemcpyAsync(pageable, x, BYTES, cudaMemcpyDeviceToHost, a));
  fill_in(b, x);
}

static void free_waits(void)
{
  void *other;
  CHECK(cudaMalloc(&other, 16));
  fill_in(a, x);
  CHECK(cudaFree(other));
  twice_in(b, y, x);
}

static void halves(void)
{
  CHECK(cudaMemsetAsync(x, 1, BYTES / 2, a));
  CHECK(cudaMemsetAsync((char *)x + BYTES / 2, 2, BYTES - BYTES / 2, b));
}

/* Neighbouring bytes of one word. */
static void bytes_apart(void)
{
  fill_bytes<<<1, 32, 0, a>>>((char *)x, 0, 13);
  fill_bytes<<<1, 32, 0, b>>>((char *)x, 13, 10);
  CHECK(cudaMemsetAsync((char *)x + 23, 2, 1, blocking));
}

/* Both streams count in one word. */
static void atomics(void)
{
  count<<<4, 32, 0, a>>>(x);
  count<<<4, 32, 0, b>>>(x);
}

static void reused_memory(void)
{
  int *more;
  CHECK(cudaMallocAsync(&more, BYTES, a));
  fill_in(a, more);
  CHECK(cudaFreeAsync(more, a));
  CHECK(cudaMallocAsync(&more, BYTES, b));
  fill_in(b, more);
  CHECK(cudaFreeAsync(more, b));
}

static void CUDART_CB nothing(void *) {}

static void host_function(void)
{
  fill_in(a, x);
  CHECK(cudaLaunchHostFunc(a, nothing, NULL));
  twice_in(b, y, x);
}

/* ---- graphs ---- */

static cudaGraphExec_t graph_of(void (*issue)(void))
{
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal));
  issue();
  CHECK(cudaStreamEndCapture(a, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  return exec;
}

/* The work of two streams, which meet again. */
static void fork(void)
{
  cudaEvent_t back;
  CHECK(cudaEventCreate(&back));
  fill_in(a, x);
  CHECK(cudaEventRecord(done, a));
  CHECK(cudaStreamWaitEvent(b, done, 0));
  twice_in(b, y, x);
  CHECK(cudaEventRecord(back, b));
  twice_in(a, z, x);
  CHECK(cudaStreamWaitEvent(a, back, 0));
  twice_in(a, x, y);
  CHECK(cudaEventDestroy(back));
}

static void graph_fork(void)
{
  cudaGraphExec_t exec = graph_of(fork);
  for (int i = 0; i < 3; i++)
    CHECK(cudaGraphLaunch(exec, a));
  twice_in(a, y, x);
  CHECK(cudaGraphExecDestroy(exec));
}

/* A graph doesn't overlap with itself, whatever the streams. */
static void graph_in_two_streams(void)
{
  cudaGraphExec_t exec = graph_of(fork);
  CHECK(cudaGraphLaunch(exec, a));
  CHECK(cudaGraphLaunch(exec, b));
  CHECK(cudaGraphExecDestroy(exec));
}

static void graph_then_event(void)
{
  cudaGraphExec_t exec = graph_of(fork);
  CHECK(cudaGraphLaunch(exec, a));
  CHECK(cudaEventRecord(done, a));
  CHECK(cudaStreamWaitEvent(b, done, 0));
  twice_in(b, y, z);
  CHECK(cudaGraphExecDestroy(exec));
}

__global__ void again(cudaGraphConditionalHandle handle, int *rounds)
{
  cudaGraphSetConditional(handle, ++*rounds < 5);
}

static cudaGraphConditionalHandle handle;
static int *rounds;

static void body(void)
{
  fork();
  again<<<1, 1, 0, a>>>(handle, rounds);
}

static void graph_while(void)
{
  cudaGraph_t graph, inner;
  cudaGraphNode_t node;
  cudaGraphExec_t exec;
  cudaGraphNodeParams p = {};
  CHECK(cudaMalloc(&rounds, sizeof *rounds));
  CHECK(cudaMemset(rounds, 0, sizeof *rounds));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1,
                                         cudaGraphCondAssignDefault));
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = handle;
  p.conditional.type = cudaGraphCondTypeWhile;
  p.conditional.size = 1;
  CHECK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
  CHECK(cudaStreamBeginCaptureToGraph(a, p.conditional.phGraph_out[0], NULL,
                                      NULL, 0,
                                      cudaStreamCaptureModeThreadLocal));
  body();
  CHECK(cudaStreamEndCapture(a, &inner));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, a));
  twice_in(a, y, x);
  CHECK(cudaFree(rounds));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

/* Two streams, and later two others, in one place each. */
static void many_streams(void)
{
  for (int i = 0; i < 50; i++) {
    cudaStream_t s;
    CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    fill_in(s, x);
    CHECK(cudaStreamSynchronize(s));
    CHECK(cudaStreamDestroy(s));
  }
}

/* The host looks at what it has waited for, in every way. */
static int told;

static void see(const int *from, int n)
{
  volatile int sum = 0;
  for (int i = 0; i < n; i++)
    sum += from[i];
}

static void host_reads(void)
{
  CHECK(cudaMemcpyAsync(h, x, BYTES, cudaMemcpyDeviceToHost, a));
  CHECK(cudaStreamSynchronize(a));
  see(h, N);
  CHECK(cudaMemcpyAsync(h, x, BYTES, cudaMemcpyDeviceToHost, a));
  CHECK(cudaEventRecord(done, a));
  CHECK(cudaEventSynchronize(done));
  see(h, N);
  CHECK(cudaMemcpyAsync(h, x, BYTES, cudaMemcpyDeviceToHost, b));
  while (cudaStreamQuery(b) != cudaSuccess)
    ;
  see(h, N);
  CHECK(cudaMemcpyAsync(h, x, BYTES, cudaMemcpyDeviceToHost));
  CHECK(cudaDeviceSynchronize());
  see(h, N);
  h[0] = 0;
}

/* One half has arrived, the other one may be on its way. */
static void host_reads_half(void)
{
  int half = N / 2;
  CHECK(cudaMemcpyAsync(h, x, half * 4, cudaMemcpyDeviceToHost, a));
  CHECK(
      cudaMemcpyAsync(h + half, y, (N - half) * 4, cudaMemcpyDeviceToHost, b));
  CHECK(cudaStreamSynchronize(a));
  see(h, half);
  CHECK(cudaStreamSynchronize(b));
  see(h + half, N - half);
}

/* Other bytes of a page than those of the kernel. */
static void host_reads_neighbours(void)
{
  int *managed;
  CHECK(cudaMallocManaged(&managed, 2 * BYTES));
  fill_in(a, managed + 100);
  managed[99] = managed[100 + N] = 1;
  see(managed, 100);
  see(managed + 100 + N, N - 100);
  CHECK(cudaStreamSynchronize(a));
  CHECK(cudaFree(managed));
}

static void set_waits(void)
{
  int *managed;
  CHECK(cudaMallocManaged(&managed, BYTES));
  CHECK(cudaMemset(managed, 1, BYTES));
  see(managed, N);
  CHECK(cudaMemset(h, 1, BYTES));
  see(h, N);
  CHECK(cudaFree(managed));
}

__global__ void fill_and_tell(int *to, volatile int *flag)
{
  for (int i = threadIdx.x; i < N; i += blockDim.x)
    to[i] = i;
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0)
    *flag = 1;
}

/* The kernel's flag says that the data is there. */
static void host_polls(void)
{
  int *flag;
  CHECK(cudaMallocHost(&flag, sizeof *flag));
  fill_and_tell<<<1, THREADS, 0, a>>>(h, flag);
  while (*(volatile int *)flag == 0)
    ;
  see(h, N);
  CHECK(cudaStreamSynchronize(a));
  CHECK(cudaFreeHost(flag));
}

static void tell(void *user)
{
  __atomic_store_n((int *)user, 1, __ATOMIC_RELEASE);
}

/* A host function of the stream tells the program. */
static void host_function_tells(void)
{
  CHECK(cudaMemcpyAsync(h, x, BYTES, cudaMemcpyDeviceToHost, a));
  CHECK(cudaLaunchHostFunc(a, tell, &told));
  while (__atomic_load_n(&told, __ATOMIC_ACQUIRE) == 0)
    ;
  see(h, N);
}

/* What an operation reads the host may read, too; and write, once it has
 * waited, or where the operation does not read. */
static void host_refills(void)
{
  int *managed;
  CHECK(cudaMallocManaged(&managed, 2 * BYTES));
  memset(managed, 0, 2 * BYTES);
  CHECK(cudaMemcpyAsync(x, h, BYTES, cudaMemcpyHostToDevice, a));
  see(h, N);
  CHECK(cudaEventRecord(done, a));
  CHECK(cudaEventSynchronize(done));
  memset(h, 1, BYTES);
  twice_in(a, y, managed + 100);
  see(managed, 2 * N);
  managed[99] = managed[100 + N] = 1;
  CHECK(cudaDeviceSynchronize());
  memset(managed, 1, 2 * BYTES);
  CHECK(cudaMemcpy(x, h, BYTES, cudaMemcpyHostToDevice));
  memset(h, 2, BYTES);
  CHECK(cudaFree(managed));
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
  { "one_stream", one_stream },
  { "event", event },
  { "event_chain", event_chain },
  { "two_readers", two_readers },
  { "host_waits", host_waits },
  { "host_asks", host_asks },
  { "default_stream", default_stream },
  { "copy_to_host", copy_to_host },
  { "async_copy_to_pageable", async_copy_to_pageable },
  { "free_waits", free_waits },
  { "halves", halves },
  { "bytes_apart", bytes_apart },
  { "atomics", atomics },
  { "reused_memory", reused_memory },
  { "host_function", host_function },
  { "graph_fork", graph_fork },
  { "graph_in_two_streams", graph_in_two_streams },
  { "graph_then_event", graph_then_event },
  { "graph_while", graph_while },
  { "many_streams", many_streams },
  { "host_reads", host_reads },
  { "host_reads_half", host_reads_half },
  { "host_reads_neighbours", host_reads_neighbours },
  { "set_waits", set_waits },
  { "host_polls", host_polls },
  { "host_function_tells", host_function_tells },
  { "host_refills", host_refills },
};

int main(int argc, char **argv)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc < 2) {
      puts(cases[i].name);
    } else if (strcmp(argv[1], cases[i].name) == 0) {
      make();
      cases[i].run();
      unmake();
    }
  return 0;
}
