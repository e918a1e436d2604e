/* Streams and graphs that share memory, and lack what would order them. */
#include "streams.h"

static void no_event(void)
{
  fill_in(a, x);
  twice_in(b, y, x);
}

/* It is recorded too early. */
static void event_too_early(void)
{
  CHECK(cudaEventRecord(done, a));
  fill_in(a, x);
  CHECK(cudaStreamWaitEvent(b, done, 0));
  twice_in(b, y, x);
}

/* The graph would wait; the stream that it was captured from does not. */
static void wait_was_captured(void)
{
  cudaGraph_t graph;

  fill_in(a, x);
  CHECK(cudaEventRecord(done, a));
  CHECK(cudaStreamBeginCapture(b, cudaStreamCaptureModeGlobal));
  CHECK(cudaStreamWaitEvent(b, done, cudaEventWaitExternal));
  CHECK(cudaStreamEndCapture(b, &graph));
  twice_in(b, y, x);
}

static void wrong_way_round(void)
{
  fill_in(a, x);
  CHECK(cudaEventRecord(done, b));
  CHECK(cudaStreamWaitEvent(a, done, 0));
  twice_in(b, y, x);
}

/* The next step overwrites what the other stream still reads. */
static void overwritten(void)
{
  fill_in(a, x);
  CHECK(cudaEventRecord(done, a));
  CHECK(cudaStreamWaitEvent(b, done, 0));
  twice_in(b, y, x);
  fill_in(a, x);
}

/* One of two readers has ended, the other one has not. */
static void one_of_two_readers(void)
{
  twice_in(a, y, x);
  twice_in(b, z, x);
  CHECK(cudaStreamSynchronize(b));
  fill_in(b, x);
}

static void other_stream_waited_for(void)
{
  fill_in(a, x);
  CHECK(cudaStreamSynchronize(b));
  twice_in(b, y, x);
}

/* The default stream and a stream that doesn't block. */
static void set_and_kernel(void)
{
  CHECK(cudaMemset(x, 1, BYTES));
  twice_in(a, y, x);
}

static void copy_and_kernel(void)
{
  memset(h, 0, BYTES);
  CHECK(cudaMemcpyAsync(x, h, BYTES, cudaMemcpyHostToDevice, a));
  twice_in(b, y, x);
}

static void kernel_and_copy(void)
{
  fill_in(a, x);
  CHECK(cudaMemcpyAsync(h, x, BYTES, cudaMemcpyDeviceToHost, b));
}

/* Both copies use one pinned buffer. */
static void pinned_buffer(void)
{
  CHECK(cudaMemcpyAsync(h, x, BYTES, cudaMemcpyDeviceToHost, a));
  CHECK(cudaMemcpyAsync(y, h, BYTES, cudaMemcpyHostToDevice, b));
}

static void rows(void)
{
  CHECK(cudaMemcpy2DAsync(x, 400, y, 400, 40, 5, cudaMemcpyDeviceToDevice, a));
  CHECK(cudaMemset2DAsync((char *)x + 36, 400, 1, 8, 5, b));
}

/* A kernel writes the first row that a copy reads, another one the last. */
static void first_row(void)
{
  CHECK(cudaMemcpy2DAsync(y, 400, x, 400, 40, 5, cudaMemcpyDeviceToDevice, a));
  fill_bytes<<<1, 32, 0, b>>>((char *)x, 0, 4);
}

static void last_row(void)
{
  CHECK(cudaMemcpy2DAsync(y, 400, x, 400, 40, 5, cudaMemcpyDeviceToDevice, a));
  fill_bytes<<<1, 32, 0, b>>>((char *)x, 1600, 4);
}

/* Only between two devices does a copy in the default stream wait for all. */
static void copy_in_default_stream(void)
{
  fill_in(a, x);
  CHECK(cudaMemcpyAsync(y, x, BYTES, cudaMemcpyDeviceToDevice, 0));
}

static void one_byte(void)
{
  fill_bytes<<<1, 32, 0, a>>>((char *)x, 0, 13);
  fill_bytes<<<1, 32, 0, b>>>((char *)x, 12, 10);
}

/* An atomic beside a plain load. */
static void atomic_and_load(void)
{
  count<<<4, 32, 0, a>>>(x);
  twice_in(b, y, x);
}

static void two_writers(void)
{
  fill_in(a, x);
  fill<<<BLOCKS, THREADS, 0, b>>>(x, 2);
}

/* Its streams never meet, so the next launch doesn't wait for the second. */
static void nodes(void)
{
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node;
  cudaKernelNodeParams p = {};
  int value = 3;
  void *of_fill[] = { &x, &value }, *of_twice[] = { &y, &x };
  CHECK(cudaGraphCreate(&graph, 0));
  p.func = (void *)fill;
  p.gridDim = BLOCKS;
  p.blockDim = THREADS;
  p.kernelParams = of_fill;
  CHECK(cudaGraphAddKernelNode(&node, graph, NULL, 0, &p));
  p.func = (void *)twice;
  p.kernelParams = of_twice;
  CHECK(cudaGraphAddKernelNode(&node, graph, NULL, 0, &p));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, a));
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

static void graph_and_stream(void)
{
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK(cudaStreamBeginCapture(a, cudaStreamCaptureModeThreadLocal));
  fill_in(a, x);
  CHECK(cudaStreamEndCapture(a, &graph));
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphLaunch(exec, a));
  twice_in(b, y, x);
  CHECK(cudaGraphExecDestroy(exec));
  CHECK(cudaGraphDestroy(graph));
}

/* The host does not wait for what it looks at. */
static volatile int seen;

static void host_reads_copy(void)
{
  fill_in(a, x);
  CHECK(cudaMemcpyAsync(h, x, BYTES, cudaMemcpyDeviceToHost, a));
  seen = h[N / 2];  // HERE host_reads_copy
}

static void host_waits_for_other(void)
{
  CHECK(cudaMemcpyAsync(h, x, BYTES, cudaMemcpyDeviceToHost, a));
  CHECK(cudaStreamSynchronize(b));
  seen = h[0];  // HERE host_waits_for_other
}

static void host_reads_managed(void)
{
  int *managed;
  CHECK(cudaMallocManaged(&managed, BYTES));
  fill<<<BLOCKS, THREADS>>>(managed, 1);
  seen = managed[N - 1];  // HERE host_reads_managed
  CHECK(cudaFree(managed));
}

/* By a function of the C library. */
static void host_copies(void)
{
  static int mine[N];
  CHECK(cudaMemcpyAsync(h, x, BYTES, cudaMemcpyDeviceToHost, a));
  memcpy(mine, h, BYTES);  // HERE host_copies
  seen = mine[0];
}

static void host_overwrites(void)
{
  CHECK(cudaMemcpyAsync(h, x, BYTES, cudaMemcpyDeviceToHost, a));
  h[0] = 0;  // HERE host_overwrites
}

/* The next contents of the buffer, before the copy has read these. */
static void host_refills(void)
{
  CHECK(cudaMemcpyAsync(x, h, BYTES, cudaMemcpyHostToDevice, a));
  h[N / 2] = 1;  // HERE host_refills
}

static void host_writes_managed(void)
{
  int *managed;
  CHECK(cudaMallocManaged(&managed, BYTES));
  twice<<<BLOCKS, THREADS>>>(y, managed);
  managed[0] = 1;  // HERE host_writes_managed
  CHECK(cudaFree(managed));
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
  { "no_event", no_event },
  { "event_too_early", event_too_early },
  { "wait_was_captured", wait_was_captured },
  { "wrong_way_round", wrong_way_round },
  { "overwritten", overwritten },
  { "one_of_two_readers", one_of_two_readers },
  { "other_stream_waited_for", other_stream_waited_for },
  { "set_and_kernel", set_and_kernel },
  { "copy_and_kernel", copy_and_kernel },
  { "kernel_and_copy", kernel_and_copy },
  { "pinned_buffer", pinned_buffer },
  { "rows", rows },
  { "first_row", first_row },
  { "last_row", last_row },
  { "copy_in_default_stream", copy_in_default_stream },
  { "one_byte", one_byte },
  { "atomic_and_load", atomic_and_load },
  { "two_writers", two_writers },
  { "nodes", nodes },
  { "graph_and_stream", graph_and_stream },
  { "host_reads_copy", host_reads_copy },
  { "host_waits_for_other", host_waits_for_other },
  { "host_reads_managed", host_reads_managed },
  { "host_copies", host_copies },
  { "host_overwrites", host_overwrites },
  { "host_refills", host_refills },
  { "host_writes_managed", host_writes_managed },
};

int main(int argc, char **argv)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc < 2) {
      printf("%s,race,race between %s\n", cases[i].name,
             strncmp(cases[i].name, "host_", 5) == 0
                 ? "the host and an operation"
                 : "operations of different streams");
    } else if (strcmp(argv[1], cases[i].name) == 0) {
      make();
      cases[i].run();
      unmake();
    }
  return 0;
}
