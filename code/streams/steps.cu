/* A thousand small steps, each of which needs the whole result of the one
 * before. What does it cost to get from one step to the next?
 *
 *   nvcc -arch=sm_90 -I code code/streams/steps.cu -o steps && ./steps */
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

namespace cg = cooperative_groups;

enum {
  BLOCK_THREADS = 256,
  N_ELEMS = 8192,        /* 32 KB in, 32 KB out */
  GRAPH_STEPS = 1000,    /* in one graph */
  MAX_REPETITIONS = 1000
};

/* ---- reference ---- */

/* The mean of an element and its right neighbour, around the corner at the
 * end: each step mixes what other blocks have just written. */
__host__ __device__ static inline float mean_at(const float *in, int n, int i)
{
  return 0.5f * (in[i] + in[i + 1 < n ? i + 1 : 0]);
}

/* The steps run to and fro between two arrays; returns the one that holds
 * the result. */
static float *steps_reference(float *a, float *b, int n, int n_steps)
{
  for (int step = 0; step < n_steps; step++) {
    for (int i = 0; i < n; i++)
      b[i] = mean_at(a, n, i);
    float *swap = a;
    a = b;
    b = swap;
  }
  return a;
}

/* ---- kernels ---- */

// begin step
__global__ void step_once(float *out, const float *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = mean_at(in, n, i);
}
// end step

// begin step_early
__global__ void step_early(float *out, const float *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  if (i < n)
    out[i] = mean_at(in, n, i);
}
// end step_early

// begin grid_barrier
__global__ void steps_grid_barrier(float *a, float *b, int n, int n_steps)
{
  cg::grid_group grid = cg::this_grid();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 0; step < n_steps; step++) {
    if (i < n)
      b[i] = mean_at(a, n, i);
    grid.sync();
    float *swap = a;
    a = b;
    b = swap;
  }
}
// end grid_barrier

__device__ unsigned n_arrived;

// begin own_barrier
/* Returns when the blocks of the grid have arrived `goal` times in total. */
__device__ static void wait_for_blocks(unsigned goal)
{
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived(n_arrived);
  __syncthreads();
  if (threadIdx.x == 0) {
    arrived.fetch_add(1, cuda::memory_order_release);
    while (arrived.load(cuda::memory_order_acquire) < goal)
      ;
  }
  __syncthreads();
}
// end own_barrier

__global__ void steps_own_barrier(float *a, float *b, int n, int n_steps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 0; step < n_steps; step++) {
    if (i < n)
      b[i] = mean_at(a, n, i);
    wait_for_blocks((step + 1) * gridDim.x);
    float *swap = a;
    a = b;
    b = swap;
  }
}

// begin one_block
__global__ void steps_one_block(float *a, float *b, int n, int n_steps)
{
  for (int step = 0; step < n_steps; step++) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      b[i] = mean_at(a, n, i);
    __syncthreads();
    float *swap = a;
    a = b;
    b = swap;
  }
}
// end one_block

/* ---- what the versions need ---- */

typedef struct {
  float *d_a, *d_b;
  int n;
  cudaStream_t stream, other;
  cudaEvent_t done[2];
} work;

static int blocks_for(int n)
{
  return (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
}

static void launch_step(const work *w, int step, cudaStream_t stream)
{
  float *in = step % 2 ? w->d_b : w->d_a;
  float *out = step % 2 ? w->d_a : w->d_b;
  step_once<<<blocks_for(w->n), BLOCK_THREADS, 0, stream>>>(out, in, w->n);
  CUDA_CHECK_LAUNCH();
}

// begin launch_early
/* The attribute lets this grid start while the previous one still runs. */
static void launch_early(const work *w, int step)
{
  cudaLaunchAttribute early = {};
  cudaLaunchConfig_t config = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  config.gridDim = blocks_for(w->n);
  config.blockDim = BLOCK_THREADS;
  config.stream = w->stream;
  config.attrs = &early;
  config.numAttrs = 1;
  CUDA_CHECK(cudaLaunchKernelEx(&config, step_early,
                                step % 2 ? w->d_a : w->d_b,
                                (const float *)(step % 2 ? w->d_b : w->d_a),
                                w->n));
}
// end launch_early

/* ---- versions: n_steps steps each, from d_a to d_b and back ---- */

static void by_stream(work *w, int n_steps)
{
  for (int step = 0; step < n_steps; step++)
    launch_step(w, step, w->stream);
}

static void by_stream_early(work *w, int n_steps)
{
  for (int step = 0; step < n_steps; step++)
    launch_early(w, step);
}

/* Every other step in another stream: each waits for the other's event. */
static void by_two_streams(work *w, int n_steps)
{
  cudaStream_t streams[2] = {w->stream, w->other};
  for (int step = 0; step < n_steps; step++) {
    cudaStream_t stream = streams[step % 2];
    if (step > 0)
      CUDA_CHECK(cudaStreamWaitEvent(stream, w->done[(step + 1) % 2], 0));
    launch_step(w, step, stream);
    CUDA_CHECK(cudaEventRecord(w->done[step % 2], stream));
  }
  if (n_steps > 1)
    CUDA_CHECK(cudaStreamWaitEvent(w->stream, w->done[1], 0));
}

static void CUDART_CB count_call(void *counter)
{
  ++*(int *)counter;
}

static int n_calls;

static void by_host_function(work *w, int n_steps)
{
  for (int step = 0; step < n_steps; step++) {
    launch_step(w, step, w->stream);
    CUDA_CHECK(cudaLaunchHostFunc(w->stream, count_call, &n_calls));
  }
}

static void by_synchronising(work *w, int n_steps)
{
  for (int step = 0; step < n_steps; step++) {
    launch_step(w, step, w->stream);
    CUDA_CHECK(cudaStreamSynchronize(w->stream));
  }
}

// begin capture
/* What `record` issues to the stream becomes a graph instead of running. */
static cudaGraphExec_t capture(work *w, void (*record)(work *, int),
                               int n_steps)
{
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_CHECK(cudaStreamBeginCapture(w->stream,
                                    cudaStreamCaptureModeThreadLocal));
  record(w, n_steps);
  CUDA_CHECK(cudaStreamEndCapture(w->stream, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  CUDA_CHECK(cudaGraphUpload(executable, w->stream));
  return executable;
}
// end capture

static void launch_cooperative(const work *w, void *kernel, int n_steps)
{
  int n = w->n;
  float *a = w->d_a, *b = w->d_b;
  void *arguments[] = {&a, &b, &n, &n_steps};
  CUDA_CHECK(cudaLaunchCooperativeKernel(kernel, blocks_for(n), BLOCK_THREADS,
                                         arguments, 0, w->stream));
}

static void by_grid_barrier(work *w, int n_steps)
{
  launch_cooperative(w, (void *)steps_grid_barrier, n_steps);
}

static void by_own_barrier(work *w, int n_steps)
{
  unsigned zero = 0;
  CUDA_CHECK(cudaMemcpyToSymbolAsync(n_arrived, &zero, sizeof zero, 0,
                                     cudaMemcpyHostToDevice, w->stream));
  launch_cooperative(w, (void *)steps_own_barrier, n_steps);
}

static void by_one_block(work *w, int n_steps)
{
  steps_one_block<<<1, 1024, 0, w->stream>>>(w->d_a, w->d_b, w->n, n_steps);
  CUDA_CHECK_LAUNCH();
}

typedef struct {
  const char *name;
  const char *idea;
  void (*run)(work *w, int n_steps);
  int in_graph;      /* `run` is captured once, the graph launched often */
} version;

static const version versions[] = {
  {"synchronise", "the host waits after each launch", by_synchronising, 0},
  {"host_function", "a host function after each", by_host_function, 0},
  {"two_streams", "two streams that wait for each other", by_two_streams, 0},
  {"stream", "one launch after the other", by_stream, 0},
  {"stream_early", "each may start before the last ends", by_stream_early, 0},
  {"graph", "launches captured in a graph", by_stream, 1},
  {"graph_two_streams", "two streams, captured", by_two_streams, 1},
  {"graph_early", "early starts, captured", by_stream_early, 1},
  {"grid_barrier", "one launch, grid.sync()", by_grid_barrier, 0},
  {"own_barrier", "one launch, a barrier of our own", by_own_barrier, 0},
  {"one_block", "one launch of one block", by_one_block, 0},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static work work_new(int n)
{
  work w = {};
  w.n = n;
  CUDA_CHECK(cudaMalloc(&w.d_a, n * sizeof(float) + GUARD_BYTES));
  CUDA_CHECK(cudaMalloc(&w.d_b, n * sizeof(float) + GUARD_BYTES));
  CUDA_CHECK(cudaStreamCreateWithFlags(&w.stream, cudaStreamNonBlocking));
  CUDA_CHECK(cudaStreamCreateWithFlags(&w.other, cudaStreamNonBlocking));
  for (int e = 0; e < 2; e++)
    CUDA_CHECK(cudaEventCreateWithFlags(&w.done[e],
                                        cudaEventDisableTiming));
  return w;
}

static void work_free(work *w)
{
  for (int e = 0; e < 2; e++)
    CUDA_CHECK(cudaEventDestroy(w->done[e]));
  CUDA_CHECK(cudaStreamDestroy(w->stream));
  CUDA_CHECK(cudaStreamDestroy(w->other));
  CUDA_CHECK(cudaFree(w->d_a));
  CUDA_CHECK(cudaFree(w->d_b));
}

static void run_version(const version *v, work *w, int n_steps)
{
  if (!v->in_graph) {
    v->run(w, n_steps);
    return;
  }
  cudaGraphExec_t graph = capture(w, v->run, n_steps);
  CUDA_CHECK(cudaGraphLaunch(graph, w->stream));
  CUDA_CHECK(cudaStreamSynchronize(w->stream));
  CUDA_CHECK(cudaGraphExecDestroy(graph));
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, int n,
                      int n_steps)
{
  size_t n_bytes = n * sizeof(float);
  work w = work_new(n);
  float *h_a = (float *)malloc(n_bytes), *h_b = (float *)malloc(n_bytes);
  char *h_got = (char *)malloc(n_bytes + GUARD_BYTES);
  char what[64];
  random_fill_floats(random, h_a, n);
  poison_device(w.d_a, n_bytes + GUARD_BYTES);
  poison_device(w.d_b, n_bytes + GUARD_BYTES);
  CUDA_CHECK(cudaMemcpy(w.d_a, h_a, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaDeviceSynchronize());
  n_calls = 0;
  run_version(v, &w, n_steps);
  CUDA_CHECK(cudaStreamSynchronize(w.stream));
  float *d_result = n_steps % 2 ? w.d_b : w.d_a;
  CUDA_CHECK(cudaMemcpy(h_got, d_result, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  float *h_expected = steps_reference(h_a, h_b, n, n_steps);
  snprintf(what, sizeof what, "%s, %d steps of %d", v->name, n_steps, n);
  int right = compare_floats(what, h_expected, (float *)h_got, n) &
              compare_guard(what, h_got + n_bytes, GUARD_BYTES);
  if (v->run == by_host_function && n_calls != n_steps) {
    fprintf(stderr, "%s: error: the host function ran %d times\n", what,
            n_calls);
    right = 0;
  }
  work_free(&w);
  free(h_a);
  free(h_b);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const int sizes[][2] = {{1, 1}, {255, 2}, {256, 3}, {1025, 20},
                                 {8191, 9}};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < N_SIZES && options_wants(o, versions[k].name); s++)
      right &= check_case(&versions[k], &random, sizes[s][0], sizes[s][1]);
  fprintf(options_remarks(o), "check: %d sizes, seed %llu: %s\n", N_SIZES,
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- measurement ---- */

/* The host's clock around all steps, until the device is done; per step. */
static double time_steps(const version *v, work *w, cudaGraphExec_t graph,
                         int n_graphs)
{
  CUDA_CHECK(cudaDeviceSynchronize());
  double start = timing_host_us();
  for (int g = 0; g < n_graphs; g++)
    if (graph)
      CUDA_CHECK(cudaGraphLaunch(graph, w->stream));
    else
      v->run(w, GRAPH_STEPS);
  CUDA_CHECK(cudaDeviceSynchronize());
  return (timing_host_us() - start) / (n_graphs * GRAPH_STEPS);
}

/* How long the host is busy with a step: it issues them and does not wait.
 * Few enough of them, so that the queue never fills up. */
static double time_issue(const version *v, work *w, cudaGraphExec_t graph)
{
  int n_steps = graph ? GRAPH_STEPS : 200;
  CUDA_CHECK(cudaDeviceSynchronize());
  double start = timing_host_us();
  if (graph)
    CUDA_CHECK(cudaGraphLaunch(graph, w->stream));
  else
    v->run(w, n_steps);
  double us = timing_host_us() - start;
  CUDA_CHECK(cudaDeviceSynchronize());
  return us / n_steps;
}

static void measure(const options *o)
{
  static double us[MAX_REPETITIONS], issue_us[MAX_REPETITIONS];
  work w = work_new(N_ELEMS);
  CUDA_CHECK(cudaMemset(w.d_a, 0, N_ELEMS * sizeof(float)));
  if (o->csv)
    printf("version,n_elems,n_steps,repetitions,time_us,spread_us,issue_us\n");
  else
    printf("%-20s %14s %14s\n", "version", "us per step", "host, us");
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    cudaGraphExec_t graph = NULL;
    timing t = {}, issue = {};
    if (!options_wants(o, v->name))
      continue;
    if (v->in_graph)
      graph = capture(&w, v->run, GRAPH_STEPS);
    for (int pass = -2; pass < o->repetitions; pass++) {
      double all = time_steps(v, &w, graph, 5);
      double host = time_issue(v, &w, graph);
      if (pass >= 0) {
        us[pass] = all;
        issue_us[pass] = host;
      }
    }
    timing_summarise(&t, us, o->repetitions);
    timing_summarise(&issue, issue_us, o->repetitions);
    if (o->csv)
      printf("%s,%d,%d,%d,%.4f,%.4f,%.4f\n", v->name, N_ELEMS, GRAPH_STEPS,
             o->repetitions, t.median_us, t.spread_us, issue.median_us);
    else
      printf("%-20s %14.3f %14.3f\n", v->name, t.median_us, issue.median_us);
    if (graph)
      CUDA_CHECK(cudaGraphExecDestroy(graph));
  }
  work_free(&w);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "many small dependent steps", "steps",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
