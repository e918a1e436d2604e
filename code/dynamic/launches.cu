/* What does a launch cost?  N tiny kernels, launched by the host, by other
 * kernels, and by graphs.
 *
 *   nvcc -rdc=true -I code code/dynamic/launches.cu -o launches
 *   ./launches */
#include "common/compare.h"
#include "common/options.h"
#include "common/timing.h"

typedef struct {
  int n;              /* kernels to run */
  int *d_count;       /* how many have run */
  int *d_left;        /* how many are yet to be launched */
  cudaStream_t stream;
  cudaGraphExec_t graph;
} job;

__global__ void tiny(int *count)
{
  atomicAdd(count, 1);
}

static void run_host(job *j)
{
  for (int i = 0; i < j->n; i++)
    tiny<<<1, 1, 0, j->stream>>>(j->d_count);
}

__global__ void one_parent(int *count, int n)
{
  for (int i = 0; i < n; i++)
    tiny<<<1, 1>>>(count);
}

static void run_one_parent(job *j)
{
  one_parent<<<1, 1, 0, j->stream>>>(j->d_count, j->n);
}

__global__ void forgetful(int *count, int n)
{
  for (int i = 0; i < n; i++)
    tiny<<<1, 1, 0, cudaStreamFireAndForget>>>(count);
}

static void run_forgetful(job *j)
{
  forgetful<<<1, 1, 0, j->stream>>>(j->d_count, j->n);
}

__global__ void many_parents(int *count)
{
  tiny<<<1, 1, 0, cudaStreamFireAndForget>>>(count);
}

static void run_many_parents(job *j)
{
  many_parents<<<j->n, 1, 0, j->stream>>>(j->d_count);
}

// begin chain
__global__ void chain(int *count, int left)
{
  *count += 1;
  if (left > 1)
    chain<<<1, 1, 0, cudaStreamTailLaunch>>>(count, left - 1);
}
// end chain

static void run_chain(job *j)
{
  chain<<<1, 1, 0, j->stream>>>(j->d_count, j->n);
}

__global__ void set_left(int *left, int n)
{
  *left = n;
}

static void capture(job *j, unsigned long long flags)
{
  cudaGraph_t graph;
  CUDA_CHECK(cudaStreamEndCapture(j->stream, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&j->graph, graph, flags));
  CUDA_CHECK(cudaGraphUpload(j->graph, j->stream));
  CUDA_CHECK(cudaGraphDestroy(graph));
}

static void prepare_nodes(job *j)
{
  CUDA_CHECK(cudaStreamBeginCapture(j->stream, cudaStreamCaptureModeGlobal));
  run_host(j);
  capture(j, 0);
}

static void run_nodes(job *j)
{
  CUDA_CHECK(cudaGraphLaunch(j->graph, j->stream));
}

// begin again
__global__ void again(int *count, int *left)
{
  *count += 1;
  if (--*left > 0)
    cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}
// end again

static void prepare_again(job *j)
{
  CUDA_CHECK(cudaStreamBeginCapture(j->stream, cudaStreamCaptureModeGlobal));
  again<<<1, 1, 0, j->stream>>>(j->d_count, j->d_left);
  capture(j, cudaGraphInstantiateFlagDeviceLaunch);
}

static void run_loop(job *j)
{
  set_left<<<1, 1, 0, j->stream>>>(j->d_left, j->n);
  CUDA_CHECK(cudaGraphLaunch(j->graph, j->stream));
}

__global__ void while_left(int *count, int *left,
                           cudaGraphConditionalHandle more)
{
  *count += 1;
  cudaGraphSetConditional(more, --*left > 0);
}

static void prepare_while(job *j)
{
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphConditionalHandle more;
  cudaGraphNodeParams p = {};
  CUDA_CHECK(cudaGraphCreate(&graph, 0));
  CUDA_CHECK(cudaGraphConditionalHandleCreate(&more, graph, 1,
                                              cudaGraphCondAssignDefault));
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = more;
  p.conditional.type = cudaGraphCondTypeWhile;
  p.conditional.size = 1;
  CUDA_CHECK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
  cudaGraph_t body = p.conditional.phGraph_out[0];
  CUDA_CHECK(cudaStreamBeginCaptureToGraph(j->stream, body, NULL, NULL, 0,
                                           cudaStreamCaptureModeGlobal));
  while_left<<<1, 1, 0, j->stream>>>(j->d_count, j->d_left, more);
  CUDA_CHECK(cudaStreamEndCapture(j->stream, &body));
  CUDA_CHECK(cudaGraphInstantiate(&j->graph, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
}

typedef struct {
  const char *name, *idea;
  void (*prepare)(job *);
  void (*run)(job *);
} version;

static const version versions[] = {
  {"host", "the host launches each, in one stream", NULL, run_host},
  {"nodes", "a graph with a node for each", prepare_nodes, run_nodes},
  {"one_parent", "one thread launches all, in one stream", NULL,
   run_one_parent},
  {"forgetful", "one thread launches all, by fire and forget", NULL,
   run_forgetful},
  {"many_parents", "each of as many blocks launches one", NULL,
   run_many_parents},
  {"chain", "each launches the next, by tail launch", NULL, run_chain},
  {"again", "a graph of one kernel launches itself", prepare_again, run_loop},
  {"while", "a WHILE node around one kernel", prepare_while, run_loop},
};

enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static job job_of(int n)
{
  job j = {};
  j.n = n;
  CUDA_CHECK(cudaStreamCreate(&j.stream));
  CUDA_CHECK(cudaMalloc(&j.d_count, sizeof(int)));
  CUDA_CHECK(cudaMalloc(&j.d_left, sizeof(int)));
  return j;
}

static void finish(job *j)
{
  CUDA_CHECK(cudaStreamSynchronize(j->stream));
  if (j->graph)
    CUDA_CHECK(cudaGraphExecDestroy(j->graph));
  j->graph = NULL;
}

static void job_free(job *j)
{
  CUDA_CHECK(cudaFree(j->d_count));
  CUDA_CHECK(cudaFree(j->d_left));
  CUDA_CHECK(cudaStreamDestroy(j->stream));
}

static int check(const options *o, int n)
{
  job j = job_of(n);
  int good = 1;
  for (int i = 0; i < N_VERSIONS; i++) {
    if (!options_wants(o, versions[i].name))
      continue;
    int count;
    if (versions[i].prepare)
      versions[i].prepare(&j);
    CUDA_CHECK(cudaMemset(j.d_count, 0, sizeof(int)));
    versions[i].run(&j);
    CUDA_CHECK_LAUNCH();
    finish(&j);
    CUDA_CHECK(cudaMemcpy(&count, j.d_count, sizeof(int),
                          cudaMemcpyDeviceToHost));
    good &= compare_ints(versions[i].name, &n, &count, 1);
  }
  job_free(&j);
  return good;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "the cost of a launch", "launches",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int n = o.n_sizes > 0 ? (int)o.size[0] : 1000;
  CUDA_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount,
                                n < 2048 ? 2048 : n));
  if (!check(&o, 100))
    return EXIT_FAILURE;
  fprintf(options_remarks(&o), "every version ran every kernel\n");
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;

  job j = job_of(n);
  if (o.csv)
    printf("version,n_kernels,time_us,spread_us,each_us\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    if (!options_wants(&o, versions[i].name))
      continue;
    if (versions[i].prepare)
      versions[i].prepare(&j);
    CUDA_CHECK(cudaDeviceSynchronize());
    timing t = timing_start(o.repetitions);
    while (timing_next(&t))
      versions[i].run(&j);
    finish(&j);
    printf(o.csv ? "%s,%d,%.3f,%.3f,%.4f\n" : "%-14s %6d %10.1f %8.1f %8.3f\n",
           versions[i].name, n, t.median_us, t.spread_us, t.median_us / n);
    fflush(stdout);
  }
  job_free(&j);
  return EXIT_SUCCESS;
}
