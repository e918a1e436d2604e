/* How long does one load take? A single thread walks through memory from
 * place to place, in random order: each load brings the address of the next
 * one. The same for arithmetic, where each operation needs the last result.
 *
 *   nvcc -I code code/occupancy/latency.cu -o latency && ./latency
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "hardware/clocks.h"

enum {
  LINE_BYTES = 128,
  MOST_STEPS = 8192,
  MOST_PLACES = 1 << 20,        /* 128 MiB of lines: more than L2 holds */
  ANY_SM = 0x7fffffff,
  SHARED_WORDS = 1024,
  FMA_ROUNDS = 1024
};

/* ---- kernels --------------------------------------------------------- */

typedef struct {
  size_t end;                   /* where the walk arrived */
  long long cycles;
  unsigned long long ns;
} walk;

// begin chase
/* A cache line, which holds the address of the next one on the way. */
typedef struct place {
  const struct place *next;
  char unused[LINE_BYTES - sizeof(const struct place *)];
} place;

/* The first n_warm steps are not timed: they bring what fits into the
 * caches. */
__global__ void chase(walk *result, const place *at, size_t n_warm,
                      size_t n_steps)
{
  for (size_t i = 0; i < n_warm; i++)
    at = at->next;
  unsigned long long began_ns = nanoseconds();
  long long began = clock64();
  for (size_t i = 0; i < n_steps; i++)
    at = at->next;
  result->end = (size_t)at;     /* after the last load has arrived */
  result->cycles = clock64() - began;
  result->ns = nanoseconds() - began_ns;
}
// end chase

/* The same, by one block on multiprocessor `sm`, and from L2 on: __ldcg leaves
 * L1 out. Blocks on all multiprocessors must come by; `taken` is 0. */
__global__ void chase_from(walk *result, const place *at, size_t n_steps,
                           unsigned sm, unsigned *taken)
{
  if (sm != ANY_SM && this_multiprocessor() != sm)
    return;
  if (atomicExch(taken, 1u) != 0)
    return;
  unsigned long long began_ns = nanoseconds();
  long long began = clock64();
  for (size_t i = 0; i < n_steps; i++)
    at = (const place *)__ldcg((const unsigned long long *)&at->next);
  result->end = (size_t)at;
  result->cycles = clock64() - began;
  result->ns = nanoseconds() - began_ns;
}

/* The i-th place of the way is at line[i], and its successor is the
 * order[i]-th. */
__global__ void link_places(place *places, const size_t *line,
                            const unsigned *order, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    places[line[i]].next = &places[line[order[i]]];
}

__global__ void chase_shared(walk *result, const unsigned *next,
                             unsigned start, size_t n_steps)
{
  __shared__ unsigned table[SHARED_WORDS];
  for (int i = 0; i < SHARED_WORDS; i++)
    table[i] = next[i];
  unsigned at = start;
  unsigned long long began_ns = nanoseconds();
  long long began = clock64();
  for (size_t i = 0; i < n_steps; i++)
    at = table[at];
  result->end = at;
  result->cycles = clock64() - began;
  result->ns = nanoseconds() - began_ns;
}

// begin fma_chain
__global__ void fma_chain(walk *result, float *out, float x, float m)
{
  unsigned long long began_ns = nanoseconds();
  long long began = clock64();
#pragma unroll 64
  for (int i = 0; i < FMA_ROUNDS; i++)
    x = fmaf(x, m, 1.0f);       /* needs the x of the round before */
  *out = x;
  result->cycles = clock64() - began;
  result->ns = nanoseconds() - began_ns;
}
// end fma_chain

/* ---- the walk -------------------------------------------------------- */

// begin one_circle
/* One circle through all n places in random order (Sattolo's shuffle). */
static void one_circle(unsigned *order, size_t n, random_source *source)
{
  for (size_t i = 0; i < n; i++)
    order[i] = (unsigned)i;
  for (size_t i = n - 1; i > 0; i--) {
    size_t j = (size_t)random_below(source, i);
    unsigned swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
}
// end one_circle

static void *host_array(size_t n, size_t elem_bytes)
{
  void *array = calloc(n, elem_bytes);
  if (!array) {
    fprintf(stderr, "error: no memory for %zu places\n", n);
    exit(EXIT_FAILURE);
  }
  return array;
}

/* A way through n_bytes: over every line or, if there are more of them than
 * `most`, one line out of each of as many equal parts. */
typedef struct {
  size_t n, *line;              /* places, and the line of each */
  unsigned *order;              /* from the i-th to the order[i]-th */
  place *d_places;
} way;

static way make_way(size_t n_bytes, size_t most, random_source *source)
{
  size_t n_lines = n_bytes / LINE_BYTES, *d_line;
  unsigned *d_order;
  way w = {n_lines < most ? n_lines : most, NULL, NULL, NULL};
  w.line = (size_t *)host_array(w.n, sizeof *w.line);
  w.order = (unsigned *)host_array(w.n, sizeof *w.order);
  for (size_t i = 0; i < w.n; i++) {
    size_t first = n_lines / w.n * i + n_lines % w.n * i / w.n;
    w.line[i] = first + (size_t)random_below(source, n_lines / w.n);
  }
  one_circle(w.order, w.n, source);
  CUDA_CHECK(cudaMalloc(&w.d_places, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_line, w.n * sizeof *d_line));
  CUDA_CHECK(cudaMalloc(&d_order, w.n * sizeof *d_order));
  CUDA_CHECK(cudaMemcpy(d_line, w.line, w.n * sizeof *d_line,
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_order, w.order, w.n * sizeof *d_order,
                        cudaMemcpyHostToDevice));
  link_places<<<(unsigned)((w.n + 255) / 256), 256>>>(w.d_places, d_line,
                                                      d_order, w.n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_line));
  CUDA_CHECK(cudaFree(d_order));
  return w;
}

static void free_way(way *w)
{
  CUDA_CHECK(cudaFree(w->d_places));
  free(w->line);
  free(w->order);
}

static unsigned walk_on_host(const unsigned *next, unsigned at, size_t steps)
{
  for (size_t i = 0; i < steps; i++)
    at = next[at];
  return at;
}

static int arrived(const char *what, size_t expected, walk w)
{
  if (w.end == expected)
    return 1;
  fprintf(stderr, "%s: error: arrived at %zu, expected %zu: wrong\n", what,
          w.end, expected);
  return 0;
}

typedef struct {
  const char *what;
  size_t n_bytes, n_steps;
  double cycles, ns;            /* of one step, median */
} row;

static void finish_row(row *r, double *cycles, double *ns, int n)
{
  timing t;
  timing_summarise(&t, cycles, n);
  r->cycles = t.median_us / (double)r->n_steps;
  timing_summarise(&t, ns, n);
  r->ns = t.median_us / (double)r->n_steps;
}

enum { MOST_REPETITIONS = 100 };

/* The loop of a measurement, with its flush of L2. The software device has no
 * caches and is not timed: there the flush would take longer than all walks. */
static timing timing_of_walks(int repetitions)
{
  timing t = timing_start(repetitions);
  if (device_is_software())
    t.n_flush = 0;
  return t;
}

/* Walks through n_bytes; returns whether each walk arrived. */
static int measure_chase(row *r, size_t n_bytes, size_t most_places,
                         int repetitions, random_source *source)
{
  double cycles[MOST_REPETITIONS], ns[MOST_REPETITIONS];
  way p = make_way(n_bytes, most_places, source);
  int warm = n_bytes <= device_l2_bytes(), is_right = 1;
  size_t n_warm = warm ? p.n : 0;
  unsigned at = 0;
  walk *d_walk, w;
  CUDA_CHECK(cudaMalloc(&d_walk, sizeof *d_walk));
  *r = (row){"global", n_bytes, p.n < MOST_STEPS ? p.n : MOST_STEPS, 0, 0};
  timing t = timing_of_walks(repetitions);
  for (int i = 0; timing_next(&t); ) {
    chase<<<1, 1>>>(d_walk, p.d_places + p.line[at], n_warm, r->n_steps);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&w, d_walk, sizeof w, cudaMemcpyDeviceToHost));
    at = walk_on_host(p.order, at, n_warm + r->n_steps);
    is_right = is_right &&
      arrived("chase", (size_t)(p.d_places + p.line[at]), w);
    if (t.pass >= TIMING_WARM_UP) {
      cycles[i] = (double)w.cycles;
      ns[i++] = (double)w.ns;
    }
  }
  finish_row(r, cycles, ns, repetitions);
  CUDA_CHECK(cudaFree(d_walk));
  free_way(&p);
  return is_right;
}

/* ---- the halves of L2 ------------------------------------------------ */

/* Cycles of a step from multiprocessor `sm`, beginning at the first place. */
static double walk_from(const way *p, unsigned sm, size_t n_steps,
                        int *is_right)
{
  unsigned n_blocks = 4 * (unsigned)device_properties()->multiProcessorCount;
  unsigned *d_taken, end = walk_on_host(p->order, 0, n_steps);
  walk *d_walk, w;
  CUDA_CHECK(cudaMalloc(&d_walk, sizeof *d_walk));
  CUDA_CHECK(cudaMalloc(&d_taken, sizeof *d_taken));
  CUDA_CHECK(cudaMemset(d_walk, 0, sizeof *d_walk));
  CUDA_CHECK(cudaMemset(d_taken, 0, sizeof *d_taken));
  chase_from<<<n_blocks, 1>>>(d_walk, p->d_places + p->line[0], n_steps, sm,
                              d_taken);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&w, d_walk, sizeof w, cudaMemcpyDeviceToHost));
  *is_right &= arrived("chase_from", (size_t)(p->d_places + p->line[end]), w);
  CUDA_CHECK(cudaFree(d_walk));
  CUDA_CHECK(cudaFree(d_taken));
  return (double)w.cycles / (double)n_steps;
}

/* Multiprocessor 0 brings 2 MiB into L2. Another one walks through a part of
 * them, for the first time and then once more. */
static int measure_halves(const options *o, int prints, random_source *source)
{
  double first[MOST_REPETITIONS], again[MOST_REPETITIONS];
  size_t n_bytes = prints ? 2 << 20 : 1 << 14, n_steps = prints ? 4096 : 100;
  int n_sms = prints ? device_properties()->multiProcessorCount : 1;
  int is_right = 1;
  way p = make_way(n_bytes, MOST_PLACES, source);
  if (prints && o->csv)
    printf("sm,n_bytes,n_steps,repetitions,first_cycles,again_cycles,side\n");
  for (int sm = 0; sm < n_sms && is_right; sm++) {
    timing t = timing_of_walks(o->repetitions), f, a;
    for (int i = 0; timing_next(&t); ) {
      unsigned on = prints ? (unsigned)sm : ANY_SM;
      walk_from(&p, prints ? 0 : ANY_SM, p.n, &is_right);
      double f_cycles = walk_from(&p, on, n_steps, &is_right);
      double a_cycles = walk_from(&p, on, n_steps, &is_right);
      if (t.pass >= TIMING_WARM_UP) {
        first[i] = f_cycles;
        again[i++] = a_cycles;
      }
    }
    timing_summarise(&f, first, o->repetitions);
    timing_summarise(&a, again, o->repetitions);
    if (prints)
      printf(o->csv ? "%d,%zu,%zu,%d,%.3f,%.3f,%s\n"
                    : "SM %4d: %zu bytes, %zu steps, %d times: %10.1f %10.1f "
                      "%s\n", sm, n_bytes, n_steps, o->repetitions,
             f.median_us, a.median_us,
             f.median_us > 1.15 * a.median_us ? "other" : "same");
    fflush(stdout);
  }
  free_way(&p);
  return is_right;
}

/* ---- other latencies ------------------------------------------------- */

static int measure_shared(row *r, int repetitions, random_source *source)
{
  unsigned h_next[SHARED_WORDS], *d_next;
  double cycles[MOST_REPETITIONS], ns[MOST_REPETITIONS];
  int is_right = 1;
  walk *d_walk, w;
  one_circle(h_next, SHARED_WORDS, source);
  CUDA_CHECK(cudaMalloc(&d_next, sizeof h_next));
  CUDA_CHECK(cudaMalloc(&d_walk, sizeof *d_walk));
  CUDA_CHECK(cudaMemcpy(d_next, h_next, sizeof h_next,
                        cudaMemcpyHostToDevice));
  *r = (row){"shared", sizeof h_next, 1000, 0, 0};
  for (int i = -1; i < repetitions; i++) {
    chase_shared<<<1, 1>>>(d_walk, d_next, 0, r->n_steps);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&w, d_walk, sizeof w, cudaMemcpyDeviceToHost));
    is_right = is_right && arrived("chase_shared",
                                   walk_on_host(h_next, 0, r->n_steps), w);
    if (i >= 0) {
      cycles[i] = (double)w.cycles;
      ns[i] = (double)w.ns;
    }
  }
  finish_row(r, cycles, ns, repetitions);
  CUDA_CHECK(cudaFree(d_next));
  CUDA_CHECK(cudaFree(d_walk));
  return is_right;
}

static int measure_fma(row *r, int repetitions, random_source *source)
{
  double cycles[MOST_REPETITIONS], ns[MOST_REPETITIONS];
  float *d_out, got, x = random_float(source), m = 0.5f, expected = x;
  int is_right = 1;
  walk *d_walk, w;
  for (int i = 0; i < FMA_ROUNDS; i++)
    expected = fmaf(expected, m, 1.0f);
  CUDA_CHECK(cudaMalloc(&d_out, sizeof *d_out));
  CUDA_CHECK(cudaMalloc(&d_walk, sizeof *d_walk));
  *r = (row){"fma", 0, FMA_ROUNDS, 0, 0};
  for (int i = -1; i < repetitions; i++) {
    fma_chain<<<1, 1>>>(d_walk, d_out, x, m);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&w, d_walk, sizeof w, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaMemcpy(&got, d_out, sizeof got, cudaMemcpyDeviceToHost));
    is_right = is_right && compare_floats("fma_chain", &expected, &got, 1);
    if (i >= 0) {
      cycles[i] = (double)w.cycles;
      ns[i] = (double)w.ns;
    }
  }
  finish_row(r, cycles, ns, repetitions);
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_walk));
  return is_right;
}

static void print_row(const options *o, row r)
{
  if (o->csv)
    printf("%s,%zu,%zu,%d,%.3f,%.3f\n", r.what, r.n_bytes, r.n_steps,
           o->repetitions, r.cycles, r.ns);
  else
    printf("%-8s %12zu %10.1f cycles %10.1f ns\n", r.what, r.n_bytes,
           r.cycles, r.ns);
  fflush(stdout);
}

/* From arithmetic to more and more memory. */
static int measure_latencies(const options *o, int prints,
                             random_source *source)
{
  size_t first = (size_t)1 << (prints ? 13 : 15);
  size_t last = prints ? memory_length(o, (size_t)1 << 36, 1) : first;
  int is_right = 1;
  row r;
  if (prints && o->csv)
    printf("what,n_bytes,n_steps,repetitions,latency_cycles,latency_ns\n");
  is_right &= measure_fma(&r, o->repetitions, source);
  if (prints)
    print_row(o, r);
  is_right &= measure_shared(&r, o->repetitions, source);
  if (prints)
    print_row(o, r);
  for (size_t octave = first; octave <= last; octave *= 2)
    for (size_t bytes = octave; bytes < 2 * octave && bytes <= last;
         bytes += octave / 2) {
      is_right &= measure_chase(&r, bytes, MOST_PLACES, o->repetitions,
                                source);
      if (prints)
        print_row(o, r);
      else                      /* and not over every line */
        is_right &= measure_chase(&r, bytes, 100, o->repetitions, source);
    }
  return is_right;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "measures latencies",
                            "latency,halves", "");
  random_source source = random_from_seed(o.seed);
  int is_software = device_is_software(), is_right = 1;
  int prints = !is_software && !o.check;
  if (o.repetitions > MOST_REPETITIONS)
    options_fail(&o, "--repetitions: at most %d", MOST_REPETITIONS);
  if (!prints)
    o.repetitions = 1;
  if (!prints || !o.csv || strcmp(o.csv, "latency") == 0)
    is_right &= measure_latencies(&o, prints, &source);
  if (!prints || !o.csv || strcmp(o.csv, "halves") == 0)
    is_right &= measure_halves(&o, prints, &source);
  if (!is_right)
    return EXIT_FAILURE;
  if (!prints) {
    printf("every walk arrived where it should (--seed %llu)\n",
           (unsigned long long)o.seed);
    timing_is_possible();
  }
  return EXIT_SUCCESS;
}
