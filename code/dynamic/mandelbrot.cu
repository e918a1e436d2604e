/* One picture, and several ways to hand out its work.
 *
 *   nvcc -rdc=true -I code code/dynamic/mandelbrot.cu -o mandelbrot
 *   ./mandelbrot */
#include "common/compare.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"
#include "dynamic/mandelbrot.h"
#include "dynamic/queue.h"

/* What a version works with. */
typedef struct {
  canvas c;
  queue q;
  cudaStream_t stream;
  cudaGraphExec_t graph;
  int n_blocks;      /* as many as the device holds at a time */
} work;

static unsigned first_count(const work *w)
{
  return squares_across(w->c) * squares_across(w->c);
}

__global__ void every_pixel(canvas c)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col < c.side && row < c.side)
    c.dwells[row * c.side + col] = dwell(c, col, row);
}

static void run_pixels(work *w)
{
  dim3 threads(32, 4);
  dim3 blocks((w->c.side + 31) / 32, (w->c.side + 3) / 4);
  every_pixel<<<blocks, threads, 0, w->stream>>>(w->c);
}

static void start(work *w)
{
  queue_start<<<(w->q.capacity + 255) / 256, 256, 0, w->stream>>>(w->c, w->q);
}

// begin host_loop
__global__ void one_level(canvas c, queue q, unsigned begin)
{
  square s = unpacked(q.squares[begin + blockIdx.x]);
  if (visit(c, s) && threadIdx.x == 0)
    append(q, s);
}

static void run_host_loop(work *w)
{
  unsigned begin = 0, end = first_count(w), tail;
  start(w);
  while (begin < end) {
    one_level<<<end - begin, SQUARE_THREADS, 0, w->stream>>>(w->c, w->q,
                                                             begin);
    CUDA_CHECK(cudaMemcpyAsync(&tail, &w->q.state->tail, sizeof tail,
                               cudaMemcpyDeviceToHost, w->stream));
    CUDA_CHECK(cudaStreamSynchronize(w->stream));
    begin = end;
    end = tail;
  }
}
// end host_loop

// begin children
__global__ void four_quarters(canvas c, square parent)
{
  square s = quarter(parent, blockIdx.x);
  if (visit(c, s) && threadIdx.x == 0)
    four_quarters<<<4, SQUARE_THREADS>>>(c, s);
}

__global__ void first_squares(canvas c)
{
  square s = first_square(c, blockIdx.x);
  if (visit(c, s) && threadIdx.x == 0)
    four_quarters<<<4, SQUARE_THREADS>>>(c, s);
}
// end children

static void run_children(work *w)
{
  first_squares<<<first_count(w), SQUARE_THREADS, 0, w->stream>>>(w->c);
}

__global__ void four_forgotten(canvas c, square parent)
{
  square s = quarter(parent, blockIdx.x);
  if (visit(c, s) && threadIdx.x == 0)
    four_forgotten<<<4, SQUARE_THREADS, 0, cudaStreamFireAndForget>>>(c, s);
}

__global__ void first_forgotten(canvas c)
{
  square s = first_square(c, blockIdx.x);
  if (visit(c, s) && threadIdx.x == 0)
    four_forgotten<<<4, SQUARE_THREADS, 0, cudaStreamFireAndForget>>>(c, s);
}

static void run_forget(work *w)
{
  first_forgotten<<<first_count(w), SQUARE_THREADS, 0, w->stream>>>(w->c);
}

// begin tail
__global__ void plan_by_tail(canvas c, queue q)
{
  if (next_level(q)) {
    unsigned begin = q.state->begin, n = q.state->end - begin;
    one_level<<<n, SQUARE_THREADS, 0, cudaStreamFireAndForget>>>(c, q, begin);
    plan_by_tail<<<1, 1, 0, cudaStreamTailLaunch>>>(c, q);
  }
}
// end tail

static void run_tail(work *w)
{
  start(w);
  one_level<<<first_count(w), SQUARE_THREADS, 0, w->stream>>>(w->c, w->q, 0);
  plan_by_tail<<<1, 1, 0, w->stream>>>(w->c, w->q);
}

// begin sweep
/* The same with a grid whose size never changes: blocks take big steps. */
__global__ void sweep(canvas c, queue q)
{
  unsigned end = q.state->end;
  for (unsigned i = q.state->begin + blockIdx.x; i < end; i += gridDim.x) {
    square s = unpacked(q.squares[i]);
    if (visit(c, s) && threadIdx.x == 0)
      append(q, s);
  }
}
// end sweep

// begin graph
__global__ void plan_by_graph(queue q)
{
  if (next_level(q))
    cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

static void prepare_graph(work *w)
{
  cudaGraph_t graph;
  CUDA_CHECK(cudaStreamBeginCapture(w->stream,
                                    cudaStreamCaptureModeGlobal));
  sweep<<<w->n_blocks, SQUARE_THREADS, 0, w->stream>>>(w->c, w->q);
  plan_by_graph<<<1, 1, 0, w->stream>>>(w->q);
  CUDA_CHECK(cudaStreamEndCapture(w->stream, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&w->graph, graph,
                                  cudaGraphInstantiateFlagDeviceLaunch));
  CUDA_CHECK(cudaGraphUpload(w->graph, w->stream));
  CUDA_CHECK(cudaGraphDestroy(graph));
}
// end graph

// begin while
__global__ void plan_by_condition(queue q, cudaGraphConditionalHandle more)
{
  cudaGraphSetConditional(more, next_level(q));
}

static void prepare_while(work *w)
{
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaGraphConditionalHandle more;
  CUDA_CHECK(cudaGraphCreate(&graph, 0));
  CUDA_CHECK(cudaGraphConditionalHandleCreate(&more, graph, 1,
                                              cudaGraphCondAssignDefault));
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = more;
  p.conditional.type = cudaGraphCondTypeWhile;
  p.conditional.size = 1;
  CUDA_CHECK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &p));

  cudaGraph_t body = p.conditional.phGraph_out[0];
  CUDA_CHECK(cudaStreamBeginCaptureToGraph(w->stream, body, NULL, NULL, 0,
                                           cudaStreamCaptureModeGlobal));
  sweep<<<w->n_blocks, SQUARE_THREADS, 0, w->stream>>>(w->c, w->q);
  plan_by_condition<<<1, 1, 0, w->stream>>>(w->q, more);
  CUDA_CHECK(cudaStreamEndCapture(w->stream, &body));
  CUDA_CHECK(cudaGraphInstantiate(&w->graph, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
}
// end while

static void run_graph(work *w)
{
  start(w);
  CUDA_CHECK(cudaGraphLaunch(w->graph, w->stream));
}

// begin persistent
/* The next square of the queue, or 0 once every square is finished. */
__device__ static unsigned take(queue q)
{
  unsigned mine = atomicAdd(&q.state->taken, 1), word = 0;
  while (mine < q.capacity &&
         (word = atomicAdd(&q.squares[mine], 0)) == 0 &&
         atomicAdd(&q.state->unfinished, 0) > 0)
    __nanosleep(100);
  return word;
}

__global__ void persistent(canvas c, queue q)
{
  __shared__ unsigned taken;
  for (;;) {
    if (threadIdx.x == 0)
      taken = take(q);
    __syncthreads();
    unsigned word = taken;
    if (word == 0)
      return;
    square s = unpacked(word);
    int must_split = visit(c, s);
    __syncthreads();
    if (threadIdx.x == 0 && must_split) {
      atomicAdd(&q.state->unfinished, 4);
      unsigned at = atomicAdd(&q.state->tail, 4);
      for (int i = 0; i < 4; i++)
        atomicExch(&q.squares[at + i], packed(quarter(s, i)));
    }
    if (threadIdx.x == 0)
      atomicSub(&q.state->unfinished, 1);
  }
}
// end persistent

static void run_persistent(work *w)
{
  start(w);
  persistent<<<w->n_blocks, SQUARE_THREADS, 0, w->stream>>>(w->c, w->q);
}

// begin keep
/* A block that splits a square goes on with the first quarter and queues the
 * other three. */
__global__ void keep_one(canvas c, queue q)
{
  __shared__ unsigned taken;
  int must_split = 0;
  square s = {};
  for (;;) {
    if (!must_split) {
      if (threadIdx.x == 0)
        taken = take(q);
      __syncthreads();
      unsigned word = taken;
      if (word == 0)
        return;
      s = unpacked(word);
    }
    must_split = visit(c, s);
    __syncthreads();
    if (threadIdx.x == 0 && must_split) {
      atomicAdd(&q.state->unfinished, 3);
      unsigned at = atomicAdd(&q.state->tail, 3);
      for (int i = 1; i < 4; i++)
        atomicExch(&q.squares[at + i - 1], packed(quarter(s, i)));
    }
    if (threadIdx.x == 0 && !must_split)
      atomicSub(&q.state->unfinished, 1);
    if (must_split)
      s = quarter(s, 0);
  }
}
// end keep

static void run_keep(work *w)
{
  start(w);
  keep_one<<<w->n_blocks, SQUARE_THREADS, 0, w->stream>>>(w->c, w->q);
}

/* ---- the versions ---- */

typedef struct {
  const char *name, *idea;
  void (*prepare)(work *);    /* what can be done before; may be NULL */
  void (*run)(work *);
} version;

static const version versions[] = {
  {"pixels", "every pixel, no squares", NULL, run_pixels},
  {"host_loop", "the host launches each level", NULL, run_host_loop},
  {"children", "blocks launch their quarters", NULL, run_children},
  {"forget", "the same, by fire and forget", NULL, run_forget},
  {"tail", "a thread of the device launches each level", NULL, run_tail},
  {"graph", "a graph that launches itself", prepare_graph, run_graph},
  {"while", "a WHILE node of a graph", prepare_while, run_graph},
  {"persistent", "blocks help themselves from a queue", NULL,
   run_persistent},
  {"keep", "the same, and each keeps one quarter", NULL, run_keep},
};

enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static work work_of(int side, int first, int limit)
{
  work w = {};
  int per_sm;
  w.c = canvas_of(side, first, limit);
  w.q.capacity = queue_capacity(w.c);
  CUDA_CHECK(cudaMalloc(&w.c.dwells, (size_t)side * side * sizeof(int) +
                                         GUARD_BYTES));
  CUDA_CHECK(cudaMalloc(&w.q.squares, w.q.capacity * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&w.q.state, sizeof(queue_state)));
  CUDA_CHECK(cudaStreamCreate(&w.stream));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &per_sm, persistent, SQUARE_THREADS, 0));
  w.n_blocks = per_sm * device_properties()->multiProcessorCount;
  return w;
}

static void work_free(work *w)
{
  CUDA_CHECK(cudaFree(w->c.dwells));
  CUDA_CHECK(cudaFree(w->q.squares));
  CUDA_CHECK(cudaFree(w->q.state));
  CUDA_CHECK(cudaStreamDestroy(w->stream));
}

static void prepare(const version *v, work *w)
{
  if (v->prepare)
    v->prepare(w);
}

static void finish(work *w)
{
  CUDA_CHECK(cudaStreamSynchronize(w->stream));
  if (w->graph)
    CUDA_CHECK(cudaGraphExecDestroy(w->graph));
  w->graph = NULL;
}

// begin pending
/* Every block of a level may launch: more kernels can wait to run than the
 * runtime has space for unless it is asked for. */
static void reserve_launches(canvas c)
{
  CUDA_CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount,
                                queue_capacity(c)));
}
// end pending

/* Bytes of the picture and its guard, fetched from the device. */
static int *fetch(const work *w, size_t n_bytes)
{
  int *dwells = (int *)malloc(n_bytes);
  if (!dwells) {
    fprintf(stderr, "error: no memory for %zu bytes\n", n_bytes);
    exit(EXIT_FAILURE);
  }
  CUDA_CHECK(cudaMemcpy(dwells, w->c.dwells, n_bytes,
                        cudaMemcpyDeviceToHost));
  return dwells;
}

static int check(const options *o, int side, int first, int limit)
{
  work w = work_of(side, first, limit);
  size_t n = (size_t)side * side;
  size_t n_bytes = n * sizeof(int) + GUARD_BYTES;
  int good = 1;
  canvas squares = w.c, pixels = w.c;
  square_counts counts[32] = {};
  squares.dwells = (int *)malloc(2 * n * sizeof(int));
  pixels.dwells = squares.dwells + n;
  for (int i = 0; i < (int)first_count(&w); i++)
    reference_square(squares, first_square(w.c, i), counts);
  for (int i = 0; i < (int)n; i++)
    pixels.dwells[i] = dwell(w.c, i % side, i / side);

  for (int i = 0; i < N_VERSIONS; i++) {
    if (!options_wants(o, versions[i].name))
      continue;
    prepare(&versions[i], &w);
    poison_device(w.c.dwells, n_bytes);
    versions[i].run(&w);
    CUDA_CHECK_LAUNCH();
    finish(&w);
    int *got = fetch(&w, n_bytes);
    good &= compare_ints(versions[i].name,
                         i == 0 ? pixels.dwells : squares.dwells, got, n);
    good &= compare_guard(versions[i].name, got + n, GUARD_BYTES);
    free(got);
  }
  free(squares.dwells);
  work_free(&w);
  return good;
}

/* ---- measurements ---- */

static void measure(const options *o, int side, int first, int limit)
{
  work w = work_of(side, first, limit);
  for (int i = 0; i < N_VERSIONS; i++) {
    if (!options_wants(o, versions[i].name))
      continue;
    prepare(&versions[i], &w);
    CUDA_CHECK(cudaDeviceSynchronize());
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      versions[i].run(&w);
    finish(&w);
    if (o->csv)
      printf("%s,%d,%d,%.3f,%.3f\n", versions[i].name, side, limit,
             t.median_us, t.spread_us);
    else
      printf("%-12s %6d %8d %12.1f us\n", versions[i].name, side, limit,
             t.median_us);
    fflush(stdout);
  }
  work_free(&w);
}

/* What becomes of the squares, level by level, and last what every pixel by
 * itself takes. The CPU says. */
static void print_levels(int side, int first, int limit)
{
  canvas c = canvas_of(side, first, limit);
  square_counts counts[32] = {};
  c.dwells = (int *)malloc((size_t)side * side * sizeof(int));
  for (int i = 0; i < squares_across(c) * squares_across(c); i++)
    reference_square(c, first_square(c, i), counts);
  for (int level = 0; level < square_levels(c); level++) {
    const square_counts *n = &counts[level];
    printf("%d,%d,%ld,%ld,%ld,%ld,%ld,%lld\n", limit, first >> level,
           n->squares, n->filled, n->split, n->computed, n->pixels, n->steps);
  }
  long long steps = 0;
  for (int i = 0; i < side * side; i++)
    steps += dwell(c, i % side, i / side);
  printf("%d,1,%d,0,0,%d,%d,%lld\n", limit, side * side, side * side,
         side * side, steps);
  free(c.dwells);
}

static int side_of(const options *o, int otherwise)
{
  size_t side = o->n_sizes > 0 ? o->size[0] : (size_t)otherwise;
  if (side < 256 || side > 32768 || (side & (side - 1)))
    options_fail(o, "--size must be a power of two, 256 … 32768");
  return (int)side;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv,
                            "the Mandelbrot set, by squares of unequal work",
                            "ways,limits,levels", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.csv && strcmp(o.csv, "levels") == 0) {
    int side = side_of(&o, 1024);
    printf("limit,square_side,n_squares,n_filled,n_split,n_computed,"
           "n_pixels,n_steps\n");
    print_levels(side, side / FIRST_ACROSS, 256);
    return EXIT_SUCCESS;
  }

  int side = side_of(&o, 512);
  if (device_is_software() || o.check)
    side = 512;
  canvas largest = canvas_of(side_of(&o, 4096),
                             side_of(&o, 4096) / FIRST_ACROSS, 1);
  reserve_launches(largest);
  if (!check(&o, 512, 128, 100))
    return EXIT_FAILURE;
  fprintf(options_remarks(&o), "all versions agree with the CPU\n");
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;

  side = side_of(&o, 4096);
  if (o.csv)
    printf("version,side,limit,time_us,spread_us\n");
  if (!o.csv || strcmp(o.csv, "ways") == 0)
    measure(&o, side, side / FIRST_ACROSS, 4096);
  else
    for (int limit = 64; limit <= 65536; limit *= 4)
      measure(&o, side, side / FIRST_ACROSS, limit);
  return EXIT_SUCCESS;
}
