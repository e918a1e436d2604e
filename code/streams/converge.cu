/* The heat equation until nothing changes any more. Who asks "converged?":
 * the host, or the graph itself?
 *
 *   nvcc -arch=sm_90 -I code code/streams/converge.cu -o converge */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/heat.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum { TILE_X = 32, TILE_Y = 8, MAX_REPETITIONS = 1000 };

/* ---- kernels ---- */

__global__ void step_heat(float *out, const float *in, int rows, int columns)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= columns - 1 || y >= rows - 1)
    return;
  const float *at = in + (size_t)y * columns + x;
  out[(size_t)y * columns + x] =
      heat_point(at[0], at[-columns], at[columns], at[-1], at[1], HEAT_R);
}

/* The largest |a - b|. It is not negative, so that its bits, taken for an
 * integer, are in the same order as its values. */
__global__ void largest_change(unsigned *d_change, const float *a,
                               const float *b, int n)
{
  unsigned largest = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    largest = max(largest, __float_as_uint(fabsf(a[i] - b[i])));
  largest = __reduce_max_sync(0xffffffff, largest);
  if (threadIdx.x % 32 == 0)
    atomicMax(d_change, largest);
}

// begin decide
/* One thread sets the condition of the WHILE node. */
__global__ void decide(cudaGraphConditionalHandle again,
                       const unsigned *d_change, float tolerance,
                       int *d_n_rounds, int max_rounds)
{
  int n_rounds = ++*d_n_rounds;
  cudaGraphSetConditional(again, __uint_as_float(*d_change) > tolerance &&
                                 n_rounds < max_rounds);
}
// end decide

/* ---- a solver: grids on the device, and a stream ---- */

typedef struct {
  int rows, columns;
  int steps_per_round;          /* even: the newest grid is d_a again */
  int max_rounds;
  float tolerance;
  float *d_a, *d_b;
  unsigned *d_change;
  unsigned *h_change;           /* pinned */
  int *d_n_rounds;
  cudaStream_t stream;
} solver;

// begin round
/* Issues a few steps, and then by how much the last one changed anything. */
static void issue_round(const solver *s)
{
  dim3 block(TILE_X, TILE_Y);
  dim3 grid((s->columns + TILE_X - 1) / TILE_X,
            (s->rows + TILE_Y - 1) / TILE_Y);
  int n = s->rows * s->columns;
  for (int step = 0; step < s->steps_per_round; step += 2) {
    step_heat<<<grid, block, 0, s->stream>>>(s->d_b, s->d_a, s->rows,
                                             s->columns);
    step_heat<<<grid, block, 0, s->stream>>>(s->d_a, s->d_b, s->rows,
                                             s->columns);
  }
  CUDA_CHECK(cudaMemsetAsync(s->d_change, 0, sizeof *s->d_change, s->stream));
  largest_change<<<(n + 1023) / 1024, 256, 0, s->stream>>>(s->d_change, s->d_a,
                                                           s->d_b, n);
  CUDA_CHECK_LAUNCH();
}
// end round

static void copy_change(const solver *s)
{
  CUDA_CHECK(cudaMemcpyAsync(s->h_change, s->d_change, sizeof *s->h_change,
                             cudaMemcpyDeviceToHost, s->stream));
}

static int converged(const solver *s)
{
  float change;
  memcpy(&change, s->h_change, sizeof change);
  return !(change > s->tolerance);
}

// begin host_loop
static int host_loop(const solver *s, cudaGraphExec_t)
{
  int n_rounds = 0;
  do {
    issue_round(s);
    copy_change(s);
    CUDA_CHECK(cudaStreamSynchronize(s->stream));
    n_rounds++;
  } while (!converged(s) && n_rounds < s->max_rounds);
  return n_rounds;
}
// end host_loop

static cudaGraphExec_t no_graph(const solver *)
{
  return NULL;
}

static cudaGraphExec_t round_graph(const solver *s)
{
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CUDA_CHECK(cudaStreamBeginCapture(s->stream,
                                    cudaStreamCaptureModeThreadLocal));
  issue_round(s);
  copy_change(s);
  CUDA_CHECK(cudaStreamEndCapture(s->stream, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  return executable;
}

static int graph_loop(const solver *s, cudaGraphExec_t one_round)
{
  int n_rounds = 0;
  do {
    CUDA_CHECK(cudaGraphLaunch(one_round, s->stream));
    CUDA_CHECK(cudaStreamSynchronize(s->stream));
    n_rounds++;
  } while (!converged(s) && n_rounds < s->max_rounds);
  return n_rounds;
}

// begin while_node
/* A graph of one node, which runs its body as long as the condition holds. */
static cudaGraphExec_t while_graph(const solver *s)
{
  cudaGraph_t graph, body;
  cudaGraphNode_t node;
  cudaGraphExec_t executable;
  cudaGraphNodeParams p = {};
  CUDA_CHECK(cudaGraphCreate(&graph, 0));
  p.type = cudaGraphNodeTypeConditional;
  CUDA_CHECK(cudaGraphConditionalHandleCreate(
      &p.conditional.handle, graph, 1, cudaGraphCondAssignDefault));
  p.conditional.type = cudaGraphCondTypeWhile;
  p.conditional.size = 1;
  CUDA_CHECK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));
  body = p.conditional.phGraph_out[0];
  CUDA_CHECK(cudaStreamBeginCaptureToGraph(s->stream, body, NULL, NULL, 0,
                                           cudaStreamCaptureModeThreadLocal));
  issue_round(s);
  decide<<<1, 1, 0, s->stream>>>(p.conditional.handle, s->d_change,
                                 s->tolerance, s->d_n_rounds, s->max_rounds);
  CUDA_CHECK(cudaStreamEndCapture(s->stream, &body));
  CUDA_CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  return executable;
}
// end while_node

static int while_loop(const solver *s, cudaGraphExec_t all_rounds)
{
  int n_rounds;
  CUDA_CHECK(cudaMemsetAsync(s->d_n_rounds, 0, sizeof(int), s->stream));
  CUDA_CHECK(cudaGraphLaunch(all_rounds, s->stream));
  CUDA_CHECK(cudaMemcpyAsync(&n_rounds, s->d_n_rounds, sizeof n_rounds,
                             cudaMemcpyDeviceToHost, s->stream));
  CUDA_CHECK(cudaStreamSynchronize(s->stream));
  return n_rounds;
}

typedef struct {
  const char *name;
  const char *idea;
  cudaGraphExec_t (*prepare)(const solver *s);
  int (*run)(const solver *s, cudaGraphExec_t graph);   /* how many rounds */
} version;

static const version versions[] = {
  {"host_loop", "launches; the host asks", no_graph, host_loop},
  {"graph_loop", "a graph for each round; the host asks", round_graph,
   graph_loop},
  {"while_node", "one graph; its condition asks", while_graph, while_loop},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static solver solver_new(int rows, int columns, int steps_per_round,
                         float tolerance, int max_rounds)
{
  solver s = {};
  size_t n_bytes = (size_t)rows * columns * sizeof(float);
  s.rows = rows;
  s.columns = columns;
  s.steps_per_round = steps_per_round;
  s.tolerance = tolerance;
  s.max_rounds = max_rounds;
  CUDA_CHECK(cudaMalloc(&s.d_a, n_bytes));
  CUDA_CHECK(cudaMalloc(&s.d_b, n_bytes));
  CUDA_CHECK(cudaMalloc(&s.d_change, sizeof *s.d_change));
  CUDA_CHECK(cudaMalloc(&s.d_n_rounds, sizeof *s.d_n_rounds));
  CUDA_CHECK(cudaMallocHost(&s.h_change, sizeof *s.h_change));
  CUDA_CHECK(cudaStreamCreateWithFlags(&s.stream, cudaStreamNonBlocking));
  return s;
}

static void solver_free(solver *s)
{
  CUDA_CHECK(cudaStreamDestroy(s->stream));
  CUDA_CHECK(cudaFree(s->d_a));
  CUDA_CHECK(cudaFree(s->d_b));
  CUDA_CHECK(cudaFree(s->d_change));
  CUDA_CHECK(cudaFree(s->d_n_rounds));
  CUDA_CHECK(cudaFreeHost(s->h_change));
}

static void solver_start(const solver *s, const float *h_start)
{
  size_t n_bytes = (size_t)s->rows * s->columns * sizeof(float);
  CUDA_CHECK(cudaMemcpy(s->d_a, h_start, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(s->d_b, h_start, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaDeviceSynchronize());
}

/* ---- check ---- */

/* What the host loop does, without a device; h_b gets the last but one. */
static int reference_rounds(const solver *s, float *h_a, float *h_b)
{
  int n_rounds = 0;
  float change;
  do {
    for (int step = 0; step < s->steps_per_round; step += 2) {
      heat_step(h_b, h_a, s->rows, s->columns, HEAT_R);
      heat_step(h_a, h_b, s->rows, s->columns, HEAT_R);
    }
    change = heat_largest_change(h_a, h_b, s->rows, s->columns);
    n_rounds++;
  } while (change > s->tolerance && n_rounds < s->max_rounds);
  return n_rounds;
}

static int check_case(const version *v, int rows, int columns, int steps,
                      float tolerance, int max_rounds, random_source *random)
{
  size_t n_bytes = (size_t)rows * columns * sizeof(float);
  solver s = solver_new(rows, columns, steps, tolerance, max_rounds);
  float *h_a = heat_allocate(rows, columns);
  float *h_b = heat_allocate(rows, columns);
  float *h_got = heat_allocate(rows, columns);
  char what[80];
  if (random)
    heat_random(h_a, rows, columns, random);
  else
    heat_plate(h_a, rows, columns);
  snprintf(what, sizeof what, "%s, %d x %d, %d steps a round", v->name, rows,
           columns, steps);
  cudaGraphExec_t graph = v->prepare(&s);
  solver_start(&s, h_a);
  int got = v->run(&s, graph);
  CUDA_CHECK(cudaMemcpy(h_got, s.d_a, n_bytes, cudaMemcpyDeviceToHost));
  int expected = reference_rounds(&s, h_a, h_b);
  int right = heat_check(what, h_a, h_got, rows, columns);
  if (got != expected) {
    fprintf(stderr, "%s: error: %d rounds instead of %d\n", what, got,
            expected);
    right = 0;
  }
  if (graph)
    CUDA_CHECK(cudaGraphExecDestroy(graph));
  solver_free(&s);
  free(h_a);
  free(h_b);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    if (!options_wants(o, v->name))
      continue;
    right &= check_case(v, 3, 3, 2, 1e-3f, 1000, &random);
    right &= check_case(v, 17, 33, 2, 1e-3f, 1000, NULL);
    right &= check_case(v, 40, 20, 10, 1e-4f, 1000, &random);
    right &= check_case(v, 40, 20, 4, 0.0f, 3, &random);
    right &= check_case(v, 20, 40, 10, 1e9f, 1000, NULL);
  }
  fprintf(options_remarks(o), "check: 5 cases, seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- measurement ---- */

static void measure(const options *o)
{
  enum { SIDE = 256, MAX_STEPS = 1000000 };
  static double us[MAX_REPETITIONS];
  static const int rounds[] = {2, 4, 10, 20, 50, 100};
  int repetitions = o->repetitions < 5 ? o->repetitions : 5;
  float *h_start = heat_allocate(SIDE, SIDE);
  heat_plate(h_start, SIDE, SIDE);
  if (o->csv)
    printf("version,n_rows,n_columns,steps_per_round,n_rounds,n_steps,"
           "repetitions,time_us,spread_us,us_per_step\n");
  else
    printf("%-12s %10s %10s %12s\n", "version", "steps", "rounds",
           "us per step");
  for (int k = 0; k < N_VERSIONS; k++)
    for (size_t r = 0; r < sizeof rounds / sizeof *rounds; r++) {
      const version *v = &versions[k];
      int n_rounds = 0, n_steps;
      timing t = {};
      if (!options_wants(o, v->name))
        continue;
      solver s = solver_new(SIDE, SIDE, rounds[r], 2e-5f,
                            MAX_STEPS / rounds[r]);
      cudaGraphExec_t graph = v->prepare(&s);
      for (int pass = -1; pass < repetitions; pass++) {
        solver_start(&s, h_start);
        double start = timing_host_us();
        n_rounds = v->run(&s, graph);
        if (pass >= 0)
          us[pass] = timing_host_us() - start;
      }
      timing_summarise(&t, us, repetitions);
      n_steps = n_rounds * rounds[r];
      if (o->csv)
        printf("%s,%d,%d,%d,%d,%d,%d,%.2f,%.2f,%.4f\n", v->name, SIDE, SIDE,
               rounds[r], n_rounds, n_steps, repetitions, t.median_us,
               t.spread_us, t.median_us / n_steps);
      else
        printf("%-12s %10d %10d %12.3f\n", v->name, n_steps, n_rounds,
               t.median_us / n_steps);
      if (graph)
        CUDA_CHECK(cudaGraphExecDestroy(graph));
      solver_free(&s);
    }
  free(h_start);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "heat until nothing changes",
                            "converge", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
