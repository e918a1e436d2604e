/* How far is every vertex from one of them?  Breadth-first search, level by
 * level.
 *
 *   nvcc -rdc=true -I code code/dynamic/bfs.cu -o bfs && ./bfs
 *   ./bfs --graph code/dynamic/queens.mtx */
#include "common/compare.h"
#include "common/options.h"
#include "common/timing.h"
#include "dynamic/on_device.h"

enum { THREADS = 256, WARP = 32, FULL_BLOCKS = 1056 };

typedef struct {
  int n;                      /* vertices of the next frontier */
  unsigned long long edges;   /* that leave them */
} frontier_size;

typedef struct {
  network g;                  /* on the device */
  int root;
  int *level;                 /* -1: not reached yet */
  int *queue[2];
  unsigned *bits[2];          /* the same as sets of bits */
  frontier_size *size;        /* of the frontier that is being made */
  int *more;
  cudaStream_t stream;
  cudaGraphExec_t graph;
} search;

/* Other threads may be writing this word: the compiler must not guess. */
__device__ static int peek(const int *word)
{
  return *(const volatile int *)word;
}

// begin every_vertex
/* One thread per vertex, at every level. */
__global__ void every_vertex(network g, int *level, int now, int *more)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= g.n || peek(&level[v]) != now)
    return;
  for (int e = g.offsets[v]; e < g.offsets[v + 1]; e++)
    if (peek(&level[g.neighbours[e]]) < 0) {
      atomicExch(&level[g.neighbours[e]], now + 1);
      atomicExch(more, 1);
    }
}
// end every_vertex

static int blocks_of(size_t n_threads)
{
  return (int)((n_threads + THREADS - 1) / THREADS);
}

static void run_every_vertex(search *s)
{
  for (int now = 0, more = 1; more; now++) {
    CUDA_CHECK(cudaMemsetAsync(s->more, 0, sizeof(int), s->stream));
    every_vertex<<<blocks_of(s->g.n), THREADS, 0, s->stream>>>(
        s->g, s->level, now, s->more);
    CUDA_CHECK(cudaMemcpyAsync(&more, s->more, sizeof more,
                               cudaMemcpyDeviceToHost, s->stream));
    CUDA_CHECK(cudaStreamSynchronize(s->stream));
  }
}

/* What the next frontier holds by now; then it is empty again. */
static frontier_size take_size(search *s)
{
  frontier_size size;
  CUDA_CHECK(cudaMemcpyAsync(&size, s->size, sizeof size,
                             cudaMemcpyDeviceToHost, s->stream));
  CUDA_CHECK(cudaMemsetAsync(s->size, 0, sizeof size, s->stream));
  CUDA_CHECK(cudaStreamSynchronize(s->stream));
  return size;
}

// begin frontier
/* One thread per vertex of the frontier. The first to find a vertex appends it
 * to the next frontier. */
__global__ void from_frontier(network g, int *level, int now,
                              const int *frontier, int n, int *next,
                              frontier_size *size)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = frontier[i];
  for (int e = g.offsets[v]; e < g.offsets[v + 1]; e++) {
    int w = g.neighbours[e];
    if (peek(&level[w]) < 0 && atomicCAS(&level[w], -1, now + 1) == -1)
      next[atomicAdd(&size->n, 1)] = w;
  }
}
// end frontier

static void run_frontier(search *s)
{
  int n = 1;
  for (int now = 0; n > 0; now++) {
    from_frontier<<<blocks_of(n), THREADS, 0, s->stream>>>(
        s->g, s->level, now, s->queue[now % 2], n, s->queue[(now + 1) % 2],
        s->size);
    n = take_size(s).n;
  }
}

/* The lanes that found a vertex append theirs side by side. */
__device__ static void append_found(network g, int found, int w, int *next,
                                    frontier_size *size)
{
  unsigned finders = __ballot_sync(0xffffffff, found);
  if (finders == 0)
    return;
  int lane = threadIdx.x % WARP;
  unsigned degree = found ? g.offsets[w + 1] - g.offsets[w] : 0;
  unsigned edges = __reduce_add_sync(0xffffffff, degree);
  int at = 0;
  if (lane == 0) {
    at = atomicAdd(&size->n, __popc(finders));
    atomicAdd(&size->edges, (unsigned long long)edges);
  }
  at = __shfl_sync(0xffffffff, at, 0);
  if (found)
    next[at + __popc(finders & ((1u << lane) - 1))] = w;
}

// begin by_warp
/* One warp per vertex of the frontier: its lanes share the neighbours. */
__device__ static void expand(network g, int *level, int now, int v, int *next,
                              frontier_size *size)
{
  int end = g.offsets[v + 1];
  for (int first = g.offsets[v]; first < end; first += WARP) {
    int e = first + threadIdx.x % WARP;
    int w = e < end ? g.neighbours[e] : -1;
    int found = w >= 0 && peek(&level[w]) < 0 &&
                atomicCAS(&level[w], -1, now + 1) == -1;
    append_found(g, found, w, next, size);
  }
}

__global__ void by_warp(network g, int *level, int now, const int *frontier,
                        int n, int *next, frontier_size *size)
{
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
  if (i < n)
    expand(g, level, now, frontier[i], next, size);
}
// end by_warp

static void run_by_warp(search *s)
{
  int n = 1;
  for (int now = 0; n > 0; now++) {
    by_warp<<<blocks_of((size_t)n * WARP), THREADS, 0, s->stream>>>(
        s->g, s->level, now, s->queue[now % 2], n, s->queue[(now + 1) % 2],
        s->size);
    n = take_size(s).n;
  }
}

// begin bottom_up
/* One thread per vertex that is not reached yet: is any of its neighbours in
 * the frontier?  One is enough. */
__global__ void bottom_up(network g, int *level, int now,
                          const unsigned *frontier, unsigned *next,
                          frontier_size *size)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  int found = 0;
  if (v < g.n && level[v] < 0)
    for (int e = g.offsets[v]; e < g.offsets[v + 1] && !found; e++) {
      int w = g.neighbours[e];
      found = frontier[w / 32] >> w % 32 & 1;
    }
  if (found)
    level[v] = now + 1;
  unsigned finders = __ballot_sync(0xffffffff, found);
  if (threadIdx.x % WARP == 0 && v < g.n) {
    next[v / 32] = finders;
    if (finders)
      atomicAdd(&size->n, __popc(finders));
  }
}
// end bottom_up

__global__ void list_to_bits(const int *frontier, int n, unsigned *bits)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicOr(&bits[frontier[i] / 32], 1u << frontier[i] % 32);
}

__global__ void bits_to_list(network g, const unsigned *bits, int *list,
                             frontier_size *size)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  int is_in = v < g.n && (bits[v / 32] >> v % 32 & 1);
  append_found(g, is_in, v, list, size);
}

static size_t bits_bytes(const search *s)
{
  return ((size_t)s->g.n + 31) / 32 * sizeof(unsigned);
}

static int step_down(search *s, int now, int n, frontier_size *size)
{
  by_warp<<<blocks_of((size_t)n * WARP), THREADS, 0, s->stream>>>(
      s->g, s->level, now, s->queue[now % 2], n, s->queue[(now + 1) % 2],
      s->size);
  *size = take_size(s);
  return size->n;
}

static int step_up(search *s, int now, frontier_size *size)
{
  bottom_up<<<blocks_of(s->g.n), THREADS, 0, s->stream>>>(
      s->g, s->level, now, s->bits[now % 2], s->bits[(now + 1) % 2],
      s->size);
  *size = take_size(s);
  return size->n;
}

static void turn_up(search *s, int now, int n)
{
  CUDA_CHECK(cudaMemsetAsync(s->bits[now % 2], 0, bits_bytes(s), s->stream));
  list_to_bits<<<blocks_of(n), THREADS, 0, s->stream>>>(
      s->queue[now % 2], n, s->bits[now % 2]);
}

static frontier_size turn_down(search *s, int now)
{
  bits_to_list<<<blocks_of(s->g.n), THREADS, 0, s->stream>>>(
      s->g, s->bits[now % 2], s->queue[now % 2], s->size);
  return take_size(s);
}

// begin direction
/* Down from the frontier, until its edges are many of those that are left;
 * then up from the rest, until the frontier is small again. */
static void run_direction(search *s)
{
  frontier_size size = {1, 0};
  unsigned long long left = s->g.m;
  int n = 1, is_up = 0;
  for (int now = 0; n > 0; now++) {
    if (!is_up && size.edges > left / 14) {
      is_up = 1;
      turn_up(s, now, n);
    } else if (is_up && n < s->g.n / 24) {
      is_up = 0;
      size = turn_down(s, now);
    }
    left -= size.edges < left ? size.edges : left;
    n = is_up ? step_up(s, now, &size) : step_down(s, now, n, &size);
  }
}
// end direction

// begin while_node
typedef struct {
  int now, n;
} position;

/* As by_warp, with a grid whose size does not depend on the frontier. */
__global__ void any_frontier(network g, int *level, position *at, int *even,
                             int *odd, frontier_size *size)
{
  int now = at->now, n = at->n;
  int n_warps = gridDim.x * blockDim.x / WARP;
  for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / WARP; i < n;
       i += n_warps)
    expand(g, level, now, (now % 2 ? odd : even)[i], now % 2 ? even : odd,
           size);
}

__global__ void next_frontier(position *at, frontier_size *size,
                              cudaGraphConditionalHandle more)
{
  at->now++;
  at->n = size->n;
  size->n = 0;
  size->edges = 0;
  cudaGraphSetConditional(more, at->n > 0);
}
// end while_node

static void prepare_while(search *s)
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
  position *at = (position *)s->more;
  CUDA_CHECK(cudaStreamBeginCaptureToGraph(s->stream, body, NULL, NULL, 0,
                                           cudaStreamCaptureModeGlobal));
  any_frontier<<<FULL_BLOCKS, THREADS, 0, s->stream>>>(
      s->g, s->level, at, s->queue[0], s->queue[1], s->size);
  next_frontier<<<1, 1, 0, s->stream>>>(at, s->size, more);
  CUDA_CHECK(cudaStreamEndCapture(s->stream, &body));
  CUDA_CHECK(cudaGraphInstantiate(&s->graph, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
}

static void run_while(search *s)
{
  CUDA_CHECK(cudaGraphLaunch(s->graph, s->stream));
}

/* ---- the CPU's answer ---- */

/* The first vertex that has a neighbour. */
static int root_of(const network *g)
{
  int v = 0;
  while (v + 1 < g->n && network_degree(g, v) == 0)
    v++;
  return v;
}

static void reference(const network *g, int *level)
{
  int *queue = (int *)network_memory((size_t)g->n * sizeof(int));
  int n_seen = 1;
  for (int v = 0; v < g->n; v++)
    level[v] = v == root_of(g) ? 0 : -1;
  queue[0] = root_of(g);
  for (int i = 0; i < n_seen; i++)
    for (int e = g->offsets[queue[i]]; e < g->offsets[queue[i] + 1]; e++)
      if (level[g->neighbours[e]] < 0) {
        level[g->neighbours[e]] = level[queue[i]] + 1;
        queue[n_seen++] = g->neighbours[e];
      }
  free(queue);
}

/* ---- the versions ---- */

typedef struct {
  const char *name, *idea;
  void (*prepare)(search *);
  void (*run)(search *);
} version;

static const version versions[] = {
  {"every_vertex", "every vertex asks at every level", NULL,
   run_every_vertex},
  {"frontier", "a thread per vertex of the frontier", NULL, run_frontier},
  {"by_warp", "a warp per vertex of the frontier", NULL, run_by_warp},
  {"direction", "up from the rest where that is less", NULL, run_direction},
  {"while_node", "by_warp as the body of a WHILE node", prepare_while,
   run_while},
};

enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static search search_of(const network *g)
{
  search s = {};
  size_t n_bytes = (size_t)g->n * sizeof(int);
  s.g = network_copied(g);
  s.root = root_of(g);
  CUDA_CHECK(cudaMalloc(&s.level, n_bytes + GUARD_BYTES));
  for (int i = 0; i < 2; i++) {
    CUDA_CHECK(cudaMalloc(&s.queue[i], n_bytes));
    CUDA_CHECK(cudaMalloc(&s.bits[i], bits_bytes(&s)));
  }
  CUDA_CHECK(cudaMalloc(&s.size, sizeof(frontier_size)));
  CUDA_CHECK(cudaMalloc(&s.more, sizeof(position)));
  CUDA_CHECK(cudaStreamCreate(&s.stream));
  return s;
}

static void search_free(search *s)
{
  network_release(&s->g);
  CUDA_CHECK(cudaFree(s->level));
  for (int i = 0; i < 2; i++) {
    CUDA_CHECK(cudaFree(s->queue[i]));
    CUDA_CHECK(cudaFree(s->bits[i]));
  }
  CUDA_CHECK(cudaFree(s->size));
  CUDA_CHECK(cudaFree(s->more));
  CUDA_CHECK(cudaStreamDestroy(s->stream));
}

/* The root is reached, and the others are not. */
__global__ void begin_at(int root, int n, int *level, int *queue,
                         frontier_size *size, position *at)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n)
    level[v] = v == root ? 0 : -1;
  if (v == 0) {
    queue[0] = root;
    size->n = at->now = 0;
    size->edges = 0;
    at->n = 1;
  }
}

static void run(const version *v, search *s)
{
  begin_at<<<blocks_of(s->g.n), THREADS, 0, s->stream>>>(
      s->root, s->g.n, s->level, s->queue[0], s->size, (position *)s->more);
  v->run(s);
}

static void prepare(const version *v, search *s)
{
  if (v->prepare)
    v->prepare(s);
}

static void finish(search *s)
{
  CUDA_CHECK(cudaStreamSynchronize(s->stream));
  if (s->graph)
    CUDA_CHECK(cudaGraphExecDestroy(s->graph));
  s->graph = NULL;
}

static int check(const options *o, const char *name, int log_n)
{
  network g = network_by_name(name, log_n, o->seed);
  search s = search_of(&g);
  size_t n_bytes = (size_t)g.n * sizeof(int) + GUARD_BYTES;
  int *expected = (int *)network_memory(n_bytes);
  int *got = (int *)network_memory(n_bytes), good = 1;
  reference(&g, expected);
  for (int i = 0; i < N_VERSIONS; i++) {
    if (!options_wants(o, versions[i].name))
      continue;
    prepare(&versions[i], &s);
    poison_device(s.level, n_bytes);
    run(&versions[i], &s);
    CUDA_CHECK_LAUNCH();
    finish(&s);
    CUDA_CHECK(cudaMemcpy(got, s.level, n_bytes, cudaMemcpyDeviceToHost));
    good &= compare_ints(versions[i].name, expected, got, g.n);
    good &= compare_guard(versions[i].name, got + g.n, GUARD_BYTES);
  }
  free(expected);
  free(got);
  search_free(&s);
  network_free(&g);
  return good;
}

/* ---- measurements ---- */

static void measure(const options *o, const char *name, int log_n)
{
  network g = network_by_name(name, log_n, o->seed);
  search s = search_of(&g);
  int *level = (int *)network_memory((size_t)g.n * sizeof(int)), deepest = 0;
  double edges = 0;
  reference(&g, level);
  for (int v = 0; v < g.n; v++) {
    deepest = level[v] > deepest ? level[v] : deepest;
    edges += level[v] >= 0 ? network_degree(&g, v) / 2.0 : 0;
  }
  for (int i = 0; i < N_VERSIONS; i++) {
    if (!options_wants(o, versions[i].name))
      continue;
    prepare(&versions[i], &s);
    CUDA_CHECK(cudaDeviceSynchronize());
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      run(&versions[i], &s);
    finish(&s);
    printf(o->csv ? "%s,%s,%d,%.0f,%d,%.3f,%.3f,%.4f\n"
                  : "%-8s %-12s %9d %10.0f %6d %12.1f %10.1f %8.3f\n",
           name, versions[i].name, g.n, edges, deepest + 1, t.median_us,
           t.spread_us, edges / t.median_us * 1e-3);
    fflush(stdout);
  }
  free(level);
  search_free(&s);
  network_free(&g);
}

/* Per level: the frontier, the neighbours that a search down from it looks
 * at, and those that a search up from the rest would. */
static void print_levels(const char *name, const network *g)
{
  int *level = (int *)network_memory((size_t)g->n * sizeof(int));
  reference(g, level);
  for (int now = 0, n = 1; n > 0; now++) {
    long down = 0, up = 0;
    n = 0;
    for (int v = 0; v < g->n; v++) {
      if (level[v] == now) {
        n++;
        down += network_degree(g, v);
      }
      if (level[v] < 0 || level[v] > now)
        for (int e = g->offsets[v]; e < g->offsets[v + 1]; e++) {
          up++;
          if (level[g->neighbours[e]] == now)
            break;
        }
    }
    if (n > 0)
      printf("%s,%d,%d,%ld,%ld\n", name, now, n, down, up);
  }
  free(level);
}

int main(int argc, char **argv)
{
  static const char *const names[] = {"random", "grid", "power"};
  const char *chosen = network_option(&argc, argv);
  options o = options_parse(argc, argv,
                            "breadth-first search (--graph NAME or FILE.mtx)",
                            "searches,levels", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int log_n = 0, good = 1;
  while (o.n_sizes > 0 && (size_t)1 << log_n < o.size[0] && log_n < 26)
    log_n++;
  if (o.csv && strcmp(o.csv, "levels") == 0) {
    printf("network,level,n_vertices,n_down,n_up\n");
    for (int i = 0; i < 3; i++) {
      network g = network_by_name(chosen ? chosen : names[i],
                                  log_n ? log_n : 20, o.seed);
      print_levels(chosen ? chosen : names[i], &g);
      network_free(&g);
      if (chosen)
        break;
    }
    return EXIT_SUCCESS;
  }

  for (int i = 0; i < 3 && good; i++)
    good = check(&o, chosen ? chosen : names[i], 10);
  if (!good || !check(&o, network_of_course("queens.mtx"), 0))
    return EXIT_FAILURE;
  fprintf(options_remarks(&o), "all versions agree with the CPU; seed %llu\n",
          (unsigned long long)o.seed);
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv)
    printf("network,version,n_vertices,n_edges,n_levels,time_us,spread_us,"
           "billion_edges_per_s\n");
  for (int i = 0; i < (chosen ? 1 : 3); i++)
    measure(&o, chosen ? chosen : names[i], log_n ? log_n : 22);
  return EXIT_SUCCESS;
}
