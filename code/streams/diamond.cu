/* Four kernels in the shape of a diamond: one makes what two others read,
 * and the last one needs both of theirs. Streams and events say so, or a
 * graph does.
 *
 *   nvcc -I code code/streams/diamond.cu -o diamond && ./diamond */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/random.h"

enum { BLOCK_THREADS = 256 };

/* ---- reference ---- */

static void diamond_reference(float *h_y, const float *h_x, float factor,
                              size_t n)
{
  for (size_t i = 0; i < n; i++) {
    float top = factor * h_x[i];
    float left = top + 1.0f, right = top - 1.0f;
    h_y[i] = left * right;
  }
}

/* ---- kernels ---- */

__global__ void scale(float *out, const float *in, float factor, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = factor * in[i];
}

__global__ void add(float *out, const float *in, float amount, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] + amount;
}

__global__ void multiply(float *out, const float *a, const float *b, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] * b[i];
}

typedef struct {
  size_t n;
  float factor;
  float *h_x, *h_y;                        /* pinned */
  float *d_x, *d_top, *d_left, *d_right;
  cudaStream_t stream, side;
  cudaEvent_t top_done, right_done, all_done;
  int n_finished;                          /* counted by a host function */
  long n_polls;                            /* of version `query` */
} diamond;

static unsigned blocks_of(const diamond *d)
{
  return (unsigned)((d->n + BLOCK_THREADS - 1) / BLOCK_THREADS);
}

// begin finished
/* Runs on a thread of the CUDA runtime, and must not call CUDA itself. */
static void CUDART_CB finished(void *data)
{
  ((diamond *)data)->n_finished++;
}
// end finished

/* ---- streams and events ---- */

// begin two_streams
static void issue(diamond *d)
{
  unsigned blocks = blocks_of(d);
  size_t n = d->n, n_bytes = n * sizeof(float);
  CUDA_CHECK(cudaMemcpyAsync(d->d_x, d->h_x, n_bytes, cudaMemcpyHostToDevice,
                             d->stream));
  scale<<<blocks, BLOCK_THREADS, 0, d->stream>>>(d->d_top, d->d_x, d->factor,
                                                 n);
  CUDA_CHECK(cudaEventRecord(d->top_done, d->stream));
  CUDA_CHECK(cudaStreamWaitEvent(d->side, d->top_done, 0));
  add<<<blocks, BLOCK_THREADS, 0, d->side>>>(d->d_right, d->d_top, -1.0f, n);
  CUDA_CHECK(cudaEventRecord(d->right_done, d->side));
  add<<<blocks, BLOCK_THREADS, 0, d->stream>>>(d->d_left, d->d_top, 1.0f, n);
  CUDA_CHECK(cudaStreamWaitEvent(d->stream, d->right_done, 0));
  multiply<<<blocks, BLOCK_THREADS, 0, d->stream>>>(d->d_x, d->d_left,
                                                    d->d_right, n);
  CUDA_CHECK(cudaMemcpyAsync(d->h_y, d->d_x, n_bytes, cudaMemcpyDeviceToHost,
                             d->stream));
  CUDA_CHECK(cudaLaunchHostFunc(d->stream, finished, d));
}
// end two_streams

static void by_two_streams(diamond *d)
{
  issue(d);
  CUDA_CHECK(cudaStreamSynchronize(d->stream));
}

// begin query
/* The host does something else, and looks up now and then. */
static void by_query(diamond *d)
{
  cudaError_t state;
  issue(d);
  CUDA_CHECK(cudaEventRecord(d->all_done, d->stream));
  while ((state = cudaEventQuery(d->all_done)) == cudaErrorNotReady)
    d->n_polls++;
  CUDA_CHECK(state);
}
// end query

/* ---- graphs ---- */

static const char *type_name(cudaGraphNodeType type)
{
  switch (type) {
  case cudaGraphNodeTypeKernel: return "kernel";
  case cudaGraphNodeTypeMemcpy: return "copy";
  case cudaGraphNodeTypeHost: return "host";
  case cudaGraphNodeTypeMemAlloc: return "allocate";
  case cudaGraphNodeTypeMemFree: return "free";
  default: return "other";
  }
}

/* experiment `nodes`: how many nodes of each graph depend on how many others.
 * The order in which the runtime lists them says nothing. */
static const char *printed;        /* the version to print, or NULL */

static void print_nodes(cudaGraph_t graph)
{
  enum { MAX_NODES = 32 };
  cudaGraphNode_t nodes[MAX_NODES];
  size_t n_nodes = MAX_NODES;
  CUDA_CHECK(cudaGraphGetNodes(graph, nodes, &n_nodes));
  for (size_t k = 0; k < n_nodes; k++) {
    cudaGraphNodeType type;
    size_t n_before, n_after;
    CUDA_CHECK(cudaGraphNodeGetType(nodes[k], &type));
    CUDA_CHECK(cudaGraphNodeGetDependencies(nodes[k], NULL, NULL, &n_before));
    CUDA_CHECK(cudaGraphNodeGetDependentNodes(nodes[k], NULL, NULL,
                                              &n_after));
    printf("%s,%s,%zu,%zu\n", printed, type_name(type), n_before, n_after);
  }
}

static cudaGraphExec_t instantiate_and_destroy(cudaGraph_t graph)
{
  cudaGraphExec_t executable;
  if (printed)
    print_nodes(graph);
  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  return executable;
}

static void launch_and_destroy(diamond *d, cudaGraphExec_t executable)
{
  CUDA_CHECK(cudaGraphLaunch(executable, d->stream));
  CUDA_CHECK(cudaStreamSynchronize(d->stream));
  CUDA_CHECK(cudaGraphExecDestroy(executable));
}

// begin captured
static void by_capture(diamond *d)
{
  cudaGraph_t graph;
  CUDA_CHECK(cudaStreamBeginCapture(d->stream,
                                    cudaStreamCaptureModeThreadLocal));
  issue(d);
  CUDA_CHECK(cudaStreamEndCapture(d->stream, &graph));
  launch_and_destroy(d, instantiate_and_destroy(graph));
}
// end captured

// begin kernel_node
static cudaGraphNode_t kernel_node(const diamond *d, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, int n_after,
                                   void *kernel, void **arguments)
{
  cudaGraphNode_t node;
  cudaKernelNodeParams p = {};
  p.func = kernel;
  p.gridDim = blocks_of(d);
  p.blockDim = BLOCK_THREADS;
  p.kernelParams = arguments;              /* copied by the call below */
  CUDA_CHECK(cudaGraphAddKernelNode(&node, graph, after, n_after, &p));
  return node;
}
// end kernel_node

// begin by_hand
/* The diamond between what comes before it and its result: the nodes name
 * what they depend on. Returns the last one; *top is the first. */
static cudaGraphNode_t add_diamond(diamond *d, cudaGraph_t graph,
                                   const cudaGraphNode_t *after, int n_after,
                                   cudaGraphNode_t *top)
{
  float plus = 1.0f, minus = -1.0f;
  cudaGraphNode_t sides[2];
  void *of_top[] = {&d->d_top, &d->d_x, &d->factor, &d->n};
  void *of_left[] = {&d->d_left, &d->d_top, &plus, &d->n};
  void *of_right[] = {&d->d_right, &d->d_top, &minus, &d->n};
  void *of_bottom[] = {&d->d_x, &d->d_left, &d->d_right, &d->n};
  *top = kernel_node(d, graph, after, n_after, (void *)scale, of_top);
  sides[0] = kernel_node(d, graph, top, 1, (void *)add, of_left);
  sides[1] = kernel_node(d, graph, top, 1, (void *)add, of_right);
  return kernel_node(d, graph, sides, 2, (void *)multiply, of_bottom);
}
// end by_hand

static cudaGraphNode_t copy_in_node(diamond *d, cudaGraph_t graph)
{
  cudaGraphNode_t node;
  CUDA_CHECK(cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, d->d_x, d->h_x,
                                      d->n * sizeof(float),
                                      cudaMemcpyHostToDevice));
  return node;
}

static cudaGraphNode_t finish_nodes(diamond *d, cudaGraph_t graph,
                                    cudaGraphNode_t after)
{
  cudaGraphNode_t copy, call;
  cudaHostNodeParams host = {finished, d};
  CUDA_CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &after, 1, d->h_y, d->d_x,
                                      d->n * sizeof(float),
                                      cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaGraphAddHostNode(&call, graph, &copy, 1, &host));
  return call;
}

static void by_hand(diamond *d)
{
  cudaGraph_t graph;
  cudaGraphNode_t top;
  CUDA_CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t in = copy_in_node(d, graph);
  finish_nodes(d, graph, add_diamond(d, graph, &in, 1, &top));
  launch_and_destroy(d, instantiate_and_destroy(graph));
}

// begin memory_nodes
static cudaGraphNode_t allocate_node(cudaGraph_t graph,
                                     const cudaGraphNode_t *after,
                                     size_t n_bytes, float **d_memory)
{
  cudaGraphNode_t node;
  cudaMemAllocNodeParams p = {};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = n_bytes;
  CUDA_CHECK(cudaGraphAddMemAllocNode(&node, graph, after, after ? 1 : 0,
                                      &p));
  *d_memory = (float *)p.dptr;     /* the address is known from here on */
  return node;
}
// end memory_nodes

/* The arrays between the kernels exist only while the graph runs. */
static void by_memory_nodes(diamond *d)
{
  size_t n_bytes = d->n * sizeof(float);
  diamond own = *d;
  cudaGraph_t graph;
  cudaGraphNode_t before[4], top, freed;
  CUDA_CHECK(cudaGraphCreate(&graph, 0));
  before[0] = copy_in_node(d, graph);
  before[1] = allocate_node(graph, NULL, n_bytes, &own.d_top);
  before[2] = allocate_node(graph, NULL, n_bytes, &own.d_left);
  before[3] = allocate_node(graph, NULL, n_bytes, &own.d_right);
  cudaGraphNode_t bottom = add_diamond(&own, graph, before, 4, &top);
  CUDA_CHECK(cudaGraphAddMemFreeNode(&freed, graph, &bottom, 1, own.d_top));
  CUDA_CHECK(cudaGraphAddMemFreeNode(&freed, graph, &bottom, 1, own.d_left));
  CUDA_CHECK(cudaGraphAddMemFreeNode(&freed, graph, &bottom, 1,
                                     own.d_right));
  finish_nodes(d, graph, bottom);
  launch_and_destroy(d, instantiate_and_destroy(graph));
}

// begin updated
/* Instantiated once with a wrong factor; the right one is put into the
 * executable graph, which costs much less than a new one. */
static void by_update(diamond *d)
{
  diamond wrong = *d;
  cudaGraph_t graph;
  cudaGraphNode_t top;
  cudaGraphExec_t executable;
  cudaKernelNodeParams p = {};
  void *of_top[] = {&d->d_top, &d->d_x, &d->factor, &d->n};
  wrong.factor = 0.0f;
  CUDA_CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t in = copy_in_node(d, graph);
  finish_nodes(d, graph, add_diamond(&wrong, graph, &in, 1, &top));
  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  p.func = (void *)scale;
  p.gridDim = blocks_of(d);
  p.blockDim = BLOCK_THREADS;
  p.kernelParams = of_top;
  CUDA_CHECK(cudaGraphExecKernelNodeSetParams(executable, top, &p));
  CUDA_CHECK(cudaGraphDestroy(graph));
  launch_and_destroy(d, executable);
}
// end updated

typedef struct {
  const char *name;
  const char *idea;
  void (*run)(diamond *d);
} version;

static const version versions[] = {
  {"two_streams", "two streams, two events", by_two_streams},
  {"query", "the host polls an event", by_query},
  {"captured", "what two streams do, captured in a graph", by_capture},
  {"by_hand", "a graph made node by node", by_hand},
  {"memory_nodes", "a graph that allocates what it needs", by_memory_nodes},
  {"updated", "a graph whose kernel gets another argument", by_update},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static diamond diamond_new(size_t n)
{
  diamond d = {};
  size_t n_bytes = n * sizeof(float) + GUARD_BYTES;
  d.n = n;
  CUDA_CHECK(cudaMallocHost(&d.h_x, n_bytes));
  CUDA_CHECK(cudaMallocHost(&d.h_y, n_bytes));
  CUDA_CHECK(cudaMalloc(&d.d_x, n_bytes));
  CUDA_CHECK(cudaMalloc(&d.d_top, n_bytes));
  CUDA_CHECK(cudaMalloc(&d.d_left, n_bytes));
  CUDA_CHECK(cudaMalloc(&d.d_right, n_bytes));
  CUDA_CHECK(cudaStreamCreateWithFlags(&d.stream, cudaStreamNonBlocking));
  CUDA_CHECK(cudaStreamCreateWithFlags(&d.side, cudaStreamNonBlocking));
  CUDA_CHECK(cudaEventCreateWithFlags(&d.top_done, cudaEventDisableTiming));
  CUDA_CHECK(cudaEventCreateWithFlags(&d.right_done, cudaEventDisableTiming));
  CUDA_CHECK(cudaEventCreateWithFlags(&d.all_done, cudaEventDisableTiming));
  return d;
}

static void diamond_free(diamond *d)
{
  CUDA_CHECK(cudaEventDestroy(d->top_done));
  CUDA_CHECK(cudaEventDestroy(d->right_done));
  CUDA_CHECK(cudaEventDestroy(d->all_done));
  CUDA_CHECK(cudaStreamDestroy(d->stream));
  CUDA_CHECK(cudaStreamDestroy(d->side));
  CUDA_CHECK(cudaFree(d->d_x));
  CUDA_CHECK(cudaFree(d->d_top));
  CUDA_CHECK(cudaFree(d->d_left));
  CUDA_CHECK(cudaFree(d->d_right));
  CUDA_CHECK(cudaFreeHost(d->h_x));
  CUDA_CHECK(cudaFreeHost(d->h_y));
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, size_t n)
{
  size_t n_bytes = n * sizeof(float);
  diamond d = diamond_new(n);
  float *h_expected = (float *)malloc(n_bytes);
  char what[64];
  d.factor = 1.0f + random_float(random);
  random_fill_floats(random, d.h_x, n);
  poison_host(d.h_y, n_bytes + GUARD_BYTES);
  poison_device(d.d_top, n_bytes);
  poison_device(d.d_left, n_bytes);
  poison_device(d.d_right, n_bytes);
  CUDA_CHECK(cudaDeviceSynchronize());
  v->run(&d);
  diamond_reference(h_expected, d.h_x, d.factor, n);
  snprintf(what, sizeof what, "%s, %zu elements", v->name, n);
  int right = compare_floats(what, h_expected, d.h_y, n) &
              compare_guard(what, d.h_y + n, GUARD_BYTES);
  if (d.n_finished != 1) {
    fprintf(stderr, "%s: error: the host function ran %d times\n", what,
            d.n_finished);
    right = 0;
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  diamond_free(&d);
  free(h_expected);
  return right;
}

static void print_graphs(const options *o)
{
  printf("version,type,n_before,n_after\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    if (!options_wants(o, v->name))
      continue;
    diamond d = diamond_new(1000);
    memset(d.h_x, 0, d.n * sizeof(float));
    printed = v->name;
    v->run(&d);
    CUDA_CHECK(cudaDeviceSynchronize());
    diamond_free(&d);
  }
  printed = NULL;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a diamond of four kernels", "nodes",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  static const size_t sizes[] = {1, 255, 4096, 10001};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  random_source random = random_from_seed(o.seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < N_SIZES && options_wants(&o, versions[k].name); s++)
      right &= check_case(&versions[k], &random, sizes[s]);
  fprintf(options_remarks(&o), "check: %d sizes, seed %llu: %s\n", N_SIZES,
          (unsigned long long)o.seed, right ? "all right" : "WRONG");
  if (right && o.csv)
    print_graphs(&o);
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
