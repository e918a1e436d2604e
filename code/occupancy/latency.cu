/* How long does one load take? A single thread walks through memory from
 * element to element, in random order: each load must wait for the one before
 * it. The same for arithmetic, where each operation needs the last result.
 *
 *   nvcc -I code code/occupancy/latency.cu -o latency && ./latency
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum {
  LINE_BYTES = 128,
  LINE_WORDS = LINE_BYTES / 4,
  MOST_STEPS = 8192,
  SHARED_WORDS = 1024,
  FMA_ROUNDS = 1024
};

/* ---- kernels --------------------------------------------------------- */

__device__ __forceinline__ unsigned long long nanoseconds(void)
{
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

typedef struct {
  unsigned end;                 /* where the walk arrived */
  long long cycles;
  unsigned long long ns;
} walk;

// begin chase
/* next[i] is where to go from i. The first n_warm steps are not timed: they
 * bring what fits into the caches. */
__global__ void chase(walk *result, const unsigned *next, unsigned start,
                      size_t n_warm, size_t n_steps)
{
  unsigned at = start;
  for (size_t i = 0; i < n_warm; i++)
    at = next[at];
  unsigned long long began_ns = nanoseconds();
  long long began = clock64();
  for (size_t i = 0; i < n_steps; i++)
    at = next[at];
  result->end = at;             /* after the last load has arrived */
  result->cycles = clock64() - began;
  result->ns = nanoseconds() - began_ns;
}
// end chase

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
/* One circle through all n places in random order (Sattolo's shuffle), each
 * place being `spacing` words from the next. */
static void one_circle(unsigned *next, size_t n, size_t spacing,
                       random_source *source)
{
  unsigned *order = (unsigned *)malloc(n * sizeof *order);
  if (!order) {
    fprintf(stderr, "error: no memory for %zu places\n", n);
    exit(EXIT_FAILURE);
  }
  for (size_t i = 0; i < n; i++)
    order[i] = (unsigned)i;
  for (size_t i = n - 1; i > 0; i--) {
    size_t j = (size_t)random_below(source, i);
    unsigned swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
  for (size_t i = 0; i < n; i++)
    next[i * spacing] = order[i] * (unsigned)spacing;
  free(order);
}
// end one_circle

static unsigned walk_on_host(const unsigned *next, unsigned at, size_t steps)
{
  for (size_t i = 0; i < steps; i++)
    at = next[at];
  return at;
}

static int arrived(const char *what, unsigned expected, walk w)
{
  if (w.end == expected)
    return 1;
  fprintf(stderr, "%s: error: arrived at %u, expected %u: wrong\n", what,
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

/* Walks through n_bytes; returns whether each walk arrived. */
static int measure_chase(row *r, size_t n_bytes, int repetitions,
                         random_source *source)
{
  size_t n = n_bytes / LINE_BYTES;
  int warm = n_bytes <= device_l2_bytes(), is_right = 1;
  unsigned *h_next = (unsigned *)calloc(1, n_bytes), *d_next;
  double cycles[MOST_REPETITIONS], ns[MOST_REPETITIONS];
  walk *d_walk, w;
  unsigned start = 0;
  if (!h_next) {
    fprintf(stderr, "error: no memory for %zu bytes\n", n_bytes);
    exit(EXIT_FAILURE);
  }
  one_circle(h_next, n, LINE_WORDS, source);
  CUDA_CHECK(cudaMalloc(&d_next, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_walk, sizeof *d_walk));
  CUDA_CHECK(cudaMemcpy(d_next, h_next, n_bytes, cudaMemcpyHostToDevice));
  *r = (row){"global", n_bytes, n < MOST_STEPS ? n : MOST_STEPS, 0, 0};
  size_t n_warm = warm ? n : 0;
  timing t = timing_start(repetitions);     /* for its flush of L2 */
  for (int i = 0; timing_next(&t); ) {
    chase<<<1, 1>>>(d_walk, d_next, start, n_warm, r->n_steps);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&w, d_walk, sizeof w, cudaMemcpyDeviceToHost));
    is_right = is_right && arrived("chase", walk_on_host(h_next, start,
                                   n_warm + r->n_steps), w);
    start = w.end;
    if (t.pass >= TIMING_WARM_UP) {
      cycles[i] = (double)w.cycles;
      ns[i++] = (double)w.ns;
    }
  }
  finish_row(r, cycles, ns, repetitions);
  CUDA_CHECK(cudaFree(d_next));
  CUDA_CHECK(cudaFree(d_walk));
  free(h_next);
  return is_right;
}

static int measure_shared(row *r, int repetitions, random_source *source)
{
  unsigned h_next[SHARED_WORDS], *d_next;
  double cycles[MOST_REPETITIONS], ns[MOST_REPETITIONS];
  int is_right = 1;
  walk *d_walk, w;
  one_circle(h_next, SHARED_WORDS, 1, source);
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

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "measures latencies", "latency", "");
  random_source source = random_from_seed(o.seed);
  int is_software = device_is_software(), is_right = 1;
  size_t last = is_software || o.check ? (size_t)1 << 16 : (size_t)1 << 30;
  row r;
  if (o.repetitions > MOST_REPETITIONS)
    options_fail(&o, "--repetitions: at most %d", MOST_REPETITIONS);
  if (is_software || o.check)
    o.repetitions = 1;
  int prints = !is_software && !o.check;
  if (prints && o.csv)
    printf("what,n_bytes,n_steps,repetitions,latency_cycles,latency_ns\n");
  is_right &= measure_fma(&r, o.repetitions, &source);
  if (prints)
    print_row(&o, r);
  is_right &= measure_shared(&r, o.repetitions, &source);
  if (prints)
    print_row(&o, r);
  for (size_t bytes = (size_t)1 << 13; bytes <= last; bytes *= 2) {
    is_right &= measure_chase(&r, bytes, o.repetitions, &source);
    if (prints)
      print_row(&o, r);
  }
  if (!is_right)
    return EXIT_FAILURE;
  if (o.check || is_software) {
    printf("every walk arrived where it should (--seed %llu)\n",
           (unsigned long long)o.seed);
    timing_is_possible();
  }
  return EXIT_SUCCESS;
}
