/* Give every vertex a colour that none of its neighbours has, and use few.
 *
 *   nvcc -I code code/dynamic/colouring.cu -o colouring && ./colouring
 *   ./colouring --graph code/dynamic/queens.mtx */
#include "common/compare.h"
#include "common/options.h"
#include "common/timing.h"
#include "dynamic/on_device.h"

enum { THREADS = 256, MOST_ROUNDS = 100000 };

typedef unsigned long long rank_of_vertex;

typedef struct {
  network g;                /* on the device */
  rank_of_vertex *rank;     /* no two are equal */
  int *colour;              /* -1: none yet */
  int *guess;
  int *list[2], *ready;     /* vertices without a colour; those that may go */
  int *n_next, *n_ready;
  int n_rounds;
  cudaStream_t stream;
} painting;

/* A number that looks random, and another one for every vertex. */
__host__ __device__ static inline unsigned mixed(unsigned x)
{
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

__global__ void rank_vertices(network g, rank_of_vertex *rank, int by_degree)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long degree = 0;
  if (v < g.n && by_degree)
    degree = g.offsets[v + 1] - g.offsets[v];
  if (v < g.n)
    rank[v] = degree << 32 | mixed(v);
}

// begin smallest_free
/* The smallest colour that no neighbour has, 64 of them at a time. */
__host__ __device__ static inline int smallest_free(network g, int v,
                                                    const int *colour)
{
  for (int base = 0;; base += 64) {
    unsigned long long used = 0;
    for (int e = g.offsets[v]; e < g.offsets[v + 1]; e++) {
      int c = colour[g.neighbours[e]] - base;
      if (c >= 0 && c < 64)
        used |= 1ull << c;
    }
    for (int c = 0; c < 64; c++)
      if ((used >> c & 1) == 0)
        return base + c;
  }
}
// end smallest_free

// begin greedy
/* One vertex after the other: in order of rank, the highest first. */
static void greedy(network g, const int *order, int *colour)
{
  for (int v = 0; v < g.n; v++)
    colour[v] = -1;
  for (int i = 0; i < g.n; i++)
    colour[order[i]] = smallest_free(g, order[i], colour);
}
// end greedy

static int blocks_of(int n_threads)
{
  return (n_threads + THREADS - 1) / THREADS;
}

// begin choose
/* A vertex may go as soon as no neighbour of higher rank is without a
 * colour. No two neighbours may go in the same round. */
__device__ static int may_go(network g, int v, const int *colour,
                             const rank_of_vertex *rank)
{
  for (int e = g.offsets[v]; e < g.offsets[v + 1]; e++) {
    int w = g.neighbours[e];
    if (colour[w] < 0 && rank[w] > rank[v])
      return 0;
  }
  return 1;
}

__global__ void choose(network g, const int *list, int n, const int *colour,
                       const rank_of_vertex *rank, int *ready, int *n_ready,
                       int *next, int *n_next)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (may_go(g, list[i], colour, rank))
    ready[atomicAdd(n_ready, 1)] = list[i];
  else
    next[atomicAdd(n_next, 1)] = list[i];
}
// end choose

// begin paint
__global__ void paint(network g, const int *ready, const int *n_ready,
                      int *colour)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < *n_ready)
    colour[ready[i]] = smallest_free(g, ready[i], colour);
}
// end paint

__global__ void list_all(int n, int *list, int *colour, int *guess)
{
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n) {
    list[v] = v;
    colour[v] = guess[v] = -1;
  }
}

static void start(painting *p, int by_degree)
{
  int n = p->g.n;
  rank_vertices<<<blocks_of(n), THREADS, 0, p->stream>>>(p->g, p->rank,
                                                         by_degree);
  list_all<<<blocks_of(n), THREADS, 0, p->stream>>>(n, p->list[0], p->colour,
                                                    p->guess);
}

static int left_over(painting *p)
{
  int n;
  CUDA_CHECK(cudaMemcpyAsync(&n, p->n_next, sizeof n, cudaMemcpyDeviceToHost,
                             p->stream));
  CUDA_CHECK(cudaStreamSynchronize(p->stream));
  return n;
}

static void by_rank(painting *p)
{
  int n = p->g.n;
  for (p->n_rounds = 0; n > 0 && p->n_rounds < MOST_ROUNDS; p->n_rounds++) {
    int from = p->n_rounds % 2;
    CUDA_CHECK(cudaMemsetAsync(p->n_next, 0, sizeof(int), p->stream));
    CUDA_CHECK(cudaMemsetAsync(p->n_ready, 0, sizeof(int), p->stream));
    choose<<<blocks_of(n), THREADS, 0, p->stream>>>(
        p->g, p->list[from], n, p->colour, p->rank, p->ready, p->n_ready,
        p->list[1 - from], p->n_next);
    paint<<<blocks_of(n), THREADS, 0, p->stream>>>(p->g, p->ready,
                                                   p->n_ready, p->colour);
    n = left_over(p);
  }
}

static void run_by_rank(painting *p)
{
  start(p, 0);
  by_rank(p);
}

static void run_by_degree(painting *p)
{
  start(p, 1);
  by_rank(p);
}

// begin guess
/* Everybody guesses at once … */
__global__ void guess_all(network g, const int *list, int n,
                          const int *colour, int *guess)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    guess[list[i]] = smallest_free(g, list[i], colour);
}

/* … and of two neighbours with the same guess, the higher rank keeps it. */
__global__ void keep_or_retry(network g, const int *list, int n, int *colour,
                              const int *guess, const rank_of_vertex *rank,
                              int *next, int *n_next)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int v = list[i];
  for (int e = g.offsets[v]; e < g.offsets[v + 1]; e++) {
    int w = g.neighbours[e];
    if (guess[w] == guess[v] && rank[w] > rank[v]) {
      next[atomicAdd(n_next, 1)] = v;
      return;
    }
  }
  colour[v] = guess[v];
}
// end guess

static void run_guess(painting *p)
{
  int n = p->g.n;
  start(p, 0);
  for (p->n_rounds = 0; n > 0 && p->n_rounds < MOST_ROUNDS; p->n_rounds++) {
    int from = p->n_rounds % 2;
    CUDA_CHECK(cudaMemsetAsync(p->n_next, 0, sizeof(int), p->stream));
    guess_all<<<blocks_of(n), THREADS, 0, p->stream>>>(
        p->g, p->list[from], n, p->colour, p->guess);
    keep_or_retry<<<blocks_of(n), THREADS, 0, p->stream>>>(
        p->g, p->list[from], n, p->colour, p->guess, p->rank,
        p->list[1 - from], p->n_next);
    n = left_over(p);
  }
}

// begin guess_warp
/* The lanes of a warp share the neighbours; 32 colours at a time. */
__device__ static int smallest_free_of_warp(network g, int v,
                                            const int *colour)
{
  for (int base = 0;; base += 32) {
    unsigned used = 0;
    for (int e = g.offsets[v] + threadIdx.x % 32; e < g.offsets[v + 1];
         e += 32) {
      int c = colour[g.neighbours[e]] - base;
      if (c >= 0 && c < 32)
        used |= 1u << c;
    }
    used = __reduce_or_sync(0xffffffff, used);
    if (used != 0xffffffff)
      return base + __ffs(~used) - 1;
  }
}

__global__ void guess_by_warp(network g, const int *list, int n,
                              const int *colour, int *guess)
{
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i >= n)
    return;
  int c = smallest_free_of_warp(g, list[i], colour);
  if (threadIdx.x % 32 == 0)
    guess[list[i]] = c;
}
// end guess_warp

__global__ void keep_by_warp(network g, const int *list, int n, int *colour,
                             const int *guess, const rank_of_vertex *rank,
                             int *next, int *n_next)
{
  int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (i >= n)
    return;
  int v = list[i], conflict = 0;
  for (int e = g.offsets[v] + threadIdx.x % 32; e < g.offsets[v + 1];
       e += 32) {
    int w = g.neighbours[e];
    conflict |= guess[w] == guess[v] && rank[w] > rank[v];
  }
  conflict = __any_sync(0xffffffff, conflict);
  if (threadIdx.x % 32 == 0) {
    if (conflict)
      next[atomicAdd(n_next, 1)] = v;
    else
      colour[v] = guess[v];
  }
}

static void guess_with_warps(painting *p, int by_degree)
{
  int n = p->g.n;
  start(p, by_degree);
  for (p->n_rounds = 0; n > 0 && p->n_rounds < MOST_ROUNDS; p->n_rounds++) {
    int from = p->n_rounds % 2;
    CUDA_CHECK(cudaMemsetAsync(p->n_next, 0, sizeof(int), p->stream));
    guess_by_warp<<<blocks_of(n) * 32, THREADS, 0, p->stream>>>(
        p->g, p->list[from], n, p->colour, p->guess);
    keep_by_warp<<<blocks_of(n) * 32, THREADS, 0, p->stream>>>(
        p->g, p->list[from], n, p->colour, p->guess, p->rank,
        p->list[1 - from], p->n_next);
    n = left_over(p);
  }
}

static void run_guess_warp(painting *p)
{
  guess_with_warps(p, 0);
}

static void run_guess_degree(painting *p)
{
  guess_with_warps(p, 1);
}

/* ---- the versions ---- */

typedef struct {
  const char *name, *idea;
  void (*run)(painting *);
  int is_greedy, by_degree;   /* the same as the CPU's in this order */
} version;

static const version versions[] = {
  {"by_rank", "in order of a random rank", run_by_rank, 1, 0},
  {"by_degree", "those with most neighbours first", run_by_degree, 1, 1},
  {"guess", "guess, and try again after a conflict", run_guess, 0, 0},
  {"guess_warp", "the same, a warp per vertex", run_guess_warp, 0, 0},
  {"guess_degree", "of two, the one with more neighbours keeps it",
   run_guess_degree, 0, 1},
};

enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static painting painting_of(const network *g)
{
  painting p = {};
  size_t n_bytes = (size_t)g->n * sizeof(int);
  p.g = network_copied(g);
  CUDA_CHECK(cudaMalloc(&p.rank, (size_t)g->n * sizeof *p.rank));
  CUDA_CHECK(cudaMalloc(&p.colour, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMalloc(&p.guess, n_bytes));
  CUDA_CHECK(cudaMalloc(&p.list[0], n_bytes));
  CUDA_CHECK(cudaMalloc(&p.list[1], n_bytes));
  CUDA_CHECK(cudaMalloc(&p.ready, n_bytes));
  CUDA_CHECK(cudaMalloc(&p.n_next, sizeof(int)));
  CUDA_CHECK(cudaMalloc(&p.n_ready, sizeof(int)));
  CUDA_CHECK(cudaStreamCreate(&p.stream));
  return p;
}

static void painting_free(painting *p)
{
  network_release(&p->g);
  CUDA_CHECK(cudaFree(p->rank));
  CUDA_CHECK(cudaFree(p->colour));
  CUDA_CHECK(cudaFree(p->guess));
  CUDA_CHECK(cudaFree(p->list[0]));
  CUDA_CHECK(cudaFree(p->list[1]));
  CUDA_CHECK(cudaFree(p->ready));
  CUDA_CHECK(cudaFree(p->n_next));
  CUDA_CHECK(cudaFree(p->n_ready));
  CUDA_CHECK(cudaStreamDestroy(p->stream));
}

/* ---- the CPU's answer ---- */

static const network *sorted_for;
static int sorted_by_degree;

static rank_of_vertex rank_on_host(int v)
{
  rank_of_vertex degree =
      sorted_by_degree ? network_degree(sorted_for, v) : 0;
  return degree << 32 | mixed((unsigned)v);
}

static int by_falling_rank(const void *a, const void *b)
{
  rank_of_vertex x = rank_on_host(*(const int *)a);
  rank_of_vertex y = rank_on_host(*(const int *)b);
  return (x < y) - (x > y);
}

enum order { AS_NUMBERED, RANDOM, LARGEST_FIRST };

static void greedy_in_order(const network *g, enum order which, int *colour)
{
  int *order = (int *)network_memory((size_t)g->n * sizeof(int));
  for (int v = 0; v < g->n; v++)
    order[v] = v;
  sorted_for = g;
  sorted_by_degree = which == LARGEST_FIRST;
  if (which != AS_NUMBERED)
    qsort(order, g->n, sizeof *order, by_falling_rank);
  greedy(*g, order, colour);
  free(order);
}

static int count_colours(const network *g, const int *colour)
{
  int most = -1;
  for (int v = 0; v < g->n; v++)
    most = colour[v] > most ? colour[v] : most;
  return most + 1;
}

// begin valid
/* Every vertex has a colour, and no edge joins two of the same. */
static int is_valid(const char *what, const network *g, const int *colour)
{
  for (int v = 0; v < g->n; v++) {
    if (colour[v] < 0) {
      fprintf(stderr, "%s: error: vertex %d has no colour\n", what, v);
      return 0;
    }
    for (int e = g->offsets[v]; e < g->offsets[v + 1]; e++)
      if (colour[g->neighbours[e]] == colour[v]) {
        fprintf(stderr, "%s: error: vertices %d and %d are joined, and both "
                "have colour %d\n", what, v, g->neighbours[e], colour[v]);
        return 0;
      }
  }
  return 1;
}
// end valid

static int *fetch(const painting *p, size_t n_bytes)
{
  int *colour = (int *)network_memory(n_bytes);
  CUDA_CHECK(cudaStreamSynchronize(p->stream));
  CUDA_CHECK(cudaMemcpy(colour, p->colour, n_bytes, cudaMemcpyDeviceToHost));
  return colour;
}

static int check_version(const version *v, painting *p, const network *g)
{
  size_t n_bytes = (size_t)g->n * sizeof(int) + GUARD_BYTES;
  poison_device(p->colour, n_bytes);
  v->run(p);
  CUDA_CHECK_LAUNCH();
  int *got = fetch(p, n_bytes);
  int good = is_valid(v->name, g, got) &&
             compare_guard(v->name, got + g->n, GUARD_BYTES);
  if (good && v->is_greedy) {
    int *expected = (int *)network_memory(n_bytes);
    greedy_in_order(g, v->by_degree ? LARGEST_FIRST : RANDOM, expected);
    good = compare_ints(v->name, expected, got, g->n);
    free(expected);
  }
  if (good && count_colours(g, got) > network_largest_degree(g) + 1) {
    fprintf(stderr, "%s: error: %d colours, and no vertex has more than %d "
            "neighbours\n", v->name, count_colours(g, got),
            network_largest_degree(g));
    good = 0;
  }
  free(got);
  return good;
}

static int check(const options *o, const char *name, int log_n)
{
  network g = network_by_name(name, log_n, o->seed);
  painting p = painting_of(&g);
  int good = 1;
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name))
      good &= check_version(&versions[i], &p, &g);
  painting_free(&p);
  network_free(&g);
  return good;
}

/* ---- what comes out ---- */

static void print_row(const char *name, const network *g, const char *how,
                      int n_colours, int n_rounds)
{
  printf("%s,%s,%d,%d,%d,%d,%d\n", name, how, g->n, g->m / 2,
         network_largest_degree(g), n_colours, n_rounds);
}

static void print_colours(const options *o, const char *name,
                          const char *path, int log_n)
{
  static const char *const orders[] = {"cpu_as_numbered", "cpu_random",
                                       "cpu_largest_first"};
  network g = network_by_name(path, log_n, o->seed);
  painting p = painting_of(&g);
  size_t n_bytes = (size_t)g.n * sizeof(int);
  int *colour = (int *)network_memory(n_bytes);
  for (int i = 0; i < 3; i++) {
    greedy_in_order(&g, (enum order)i, colour);
    print_row(name, &g, orders[i], count_colours(&g, colour), g.n);
  }
  free(colour);
  for (int i = 0; i < N_VERSIONS; i++) {
    versions[i].run(&p);
    colour = fetch(&p, n_bytes);
    print_row(name, &g, versions[i].name, count_colours(&g, colour),
              p.n_rounds);
    free(colour);
  }
  painting_free(&p);
  network_free(&g);
}

static void measure(const options *o, const char *name, int log_n)
{
  network g = network_by_name(name, log_n, o->seed);
  painting p = painting_of(&g);
  size_t n_bytes = (size_t)g.n * sizeof(int);
  int *colour = (int *)network_memory(n_bytes);
  double start_us = timing_host_us();
  greedy_in_order(&g, AS_NUMBERED, colour);
  double cpu_us = timing_host_us() - start_us;
  printf(o->csv ? "%s,%s,%d,%d,%d,%d,%.3f,%.3f\n"
                : "%-8s %-12s %9d %10d %6d %6d %12.1f %10.1f\n",
         name, "cpu", g.n, g.m / 2, count_colours(&g, colour), g.n, cpu_us,
         0.0);
  free(colour);
  for (int i = 0; i < N_VERSIONS; i++) {
    if (!options_wants(o, versions[i].name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      versions[i].run(&p);
    colour = fetch(&p, n_bytes);
    printf(o->csv ? "%s,%s,%d,%d,%d,%d,%.3f,%.3f\n"
                  : "%-8s %-12s %9d %10d %6d %6d %12.1f %10.1f\n",
           name, versions[i].name, g.n, g.m / 2, count_colours(&g, colour),
           p.n_rounds, t.median_us, t.spread_us);
    fflush(stdout);
    free(colour);
  }
  painting_free(&p);
  network_free(&g);
}

int main(int argc, char **argv)
{
  static const char *const names[] = {"random", "grid", "power"};
  const char *chosen = network_option(&argc, argv);
  const char *queens = network_of_course("queens.mtx");
  options o = options_parse(argc, argv,
                            "colours of a network (--graph NAME or FILE.mtx)",
                            "times,colours", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int log_n = 0, good = 1;
  while (o.n_sizes > 0 && (size_t)1 << log_n < o.size[0] && log_n < 26)
    log_n++;
  if (o.csv && strcmp(o.csv, "colours") == 0) {
    printf("network,version,n_vertices,n_edges,largest_degree,n_colours,"
           "n_rounds\n");
    for (int i = 0; i < (chosen ? 1 : 3); i++)
      print_colours(&o, chosen ? chosen : names[i],
                    chosen ? chosen : names[i], log_n ? log_n : 12);
    if (!chosen)
      print_colours(&o, "queens", queens, 0);
    return EXIT_SUCCESS;
  }

  for (int i = 0; i < 3 && good; i++)
    good = check(&o, chosen ? chosen : names[i], 10);
  if (!good || !check(&o, queens, 0))
    return EXIT_FAILURE;
  fprintf(options_remarks(&o), "all colourings are valid; seed %llu\n",
          (unsigned long long)o.seed);
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv)
    printf("network,version,n_vertices,n_edges,n_colours,n_rounds,time_us,"
           "spread_us\n");
  for (int i = 0; i < (chosen ? 1 : 3); i++)
    measure(&o, chosen ? chosen : names[i], log_n ? log_n : 20);
  return EXIT_SUCCESS;
}
