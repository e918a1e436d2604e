/* Copy in, compute, copy out: an array in pieces, each piece in a stream.
 * While one piece is computed, the next one arrives and the last one leaves.
 *
 *   nvcc -I code code/streams/overlap.cu -o overlap && ./overlap */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "streams/timeline.h"

enum {
  BLOCK_THREADS = 256,
  N_ELEMS = 1 << 27,
  MAX_PIECES = 512,
  MAX_STREAMS = 64,
  MAX_REPETITIONS = 1000,
  PIPELINE_STREAMS = 8
};

/* ---- reference ---- */

/* The orbit of x under x -> x² - 3/4: as long as you like, and bounded. */
__host__ __device__ static inline float orbit(float x, int n_rounds)
{
  for (int round = 0; round < n_rounds; round++)
    x = fmaf(x, x, -0.75f);
  return x;
}

/* ---- kernel ---- */

__global__ void follow(float *d_x, size_t n, int n_rounds, stamp *d_when)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  timeline_enter(d_when);
  if (i < n)
    d_x[i] = orbit(d_x[i], n_rounds);
  timeline_leave(d_when);
}

/* ---- the work, cut into pieces ---- */

typedef struct {
  const float *h_in;       /* pinned, like h_out */
  float *h_out, *d_x;
  int n_rounds;            /* for each element */
  int n_pieces;
  size_t at[MAX_PIECES + 1];    /* piece p is at[p] … at[p + 1] */
  int n_streams;
  cudaStream_t streams[MAX_STREAMS];
  cudaEvent_t arrived[MAX_PIECES], computed[MAX_PIECES];
  timeline *log;           /* or NULL */
} job;

// begin operations
static void copy_in(const job *j, int p, int s)
{
  size_t from = j->at[p], n = j->at[p + 1] - from;
  cudaStream_t stream = j->streams[s];
  int k = timeline_begin(j->log, "in", s, p, stream);
  CUDA_CHECK(cudaMemcpyAsync(j->d_x + from, j->h_in + from, n * sizeof(float),
                             cudaMemcpyHostToDevice, stream));
  timeline_end(j->log, k, stream);
}

static void compute(const job *j, int p, int s)
{
  size_t from = j->at[p], n = j->at[p + 1] - from;
  unsigned n_blocks = (unsigned)((n + BLOCK_THREADS - 1) / BLOCK_THREADS);
  cudaStream_t stream = j->streams[s];
  int k = timeline_begin(j->log, "kernel", s, p, stream);
  if (n_blocks > 0)
    follow<<<n_blocks, BLOCK_THREADS, 0, stream>>>(
        j->d_x + from, n, j->n_rounds, timeline_device(j->log, k));
  CUDA_CHECK_LAUNCH();
  timeline_end(j->log, k, stream);
}

static void copy_out(const job *j, int p, int s)
{
  size_t from = j->at[p], n = j->at[p + 1] - from;
  cudaStream_t stream = j->streams[s];
  int k = timeline_begin(j->log, "out", s, p, stream);
  CUDA_CHECK(cudaMemcpyAsync(j->h_out + from, j->d_x + from,
                             n * sizeof(float), cudaMemcpyDeviceToHost,
                             stream));
  timeline_end(j->log, k, stream);
}
// end operations

// begin depth_first
static void depth_first(const job *j)
{
  for (int p = 0; p < j->n_pieces; p++) {
    int s = p % j->n_streams;
    copy_in(j, p, s);
    compute(j, p, s);
    copy_out(j, p, s);
  }
}
// end depth_first

// begin breadth_first
static void breadth_first(const job *j)
{
  for (int p = 0; p < j->n_pieces; p++)
    copy_in(j, p, p % j->n_streams);
  for (int p = 0; p < j->n_pieces; p++)
    compute(j, p, p % j->n_streams);
  for (int p = 0; p < j->n_pieces; p++)
    copy_out(j, p, p % j->n_streams);
}
// end breadth_first

// begin stages
/* A stream for each stage. Events hand the pieces from one to the next. */
static void by_stage(const job *j)
{
  enum { IN, KERNEL, OUT };
  for (int p = 0; p < j->n_pieces; p++) {
    copy_in(j, p, IN);
    CUDA_CHECK(cudaEventRecord(j->arrived[p], j->streams[IN]));
    CUDA_CHECK(cudaStreamWaitEvent(j->streams[KERNEL], j->arrived[p], 0));
    compute(j, p, KERNEL);
    CUDA_CHECK(cudaEventRecord(j->computed[p], j->streams[KERNEL]));
    CUDA_CHECK(cudaStreamWaitEvent(j->streams[OUT], j->computed[p], 0));
    copy_out(j, p, OUT);
  }
}
// end stages

/* ---- cuts ---- */

static void equal_pieces(job *j, size_t n, int n_pieces)
{
  j->n_pieces = n_pieces;
  for (int p = 0; p <= n_pieces; p++)
    j->at[p] = n / n_pieces * p + n % n_pieces * p / n_pieces;
}

// begin small_ends
/* The first and the last piece are halved, and their outer halves again. */
static void small_ends(job *j, size_t n, int n_pieces)
{
  enum { N_HALVINGS = 5 };
  size_t piece = n / n_pieces, small = piece >> N_HALVINGS;
  equal_pieces(j, n, n_pieces);
  if (n_pieces < 2 || small == 0)
    return;
  int count = 0;
  size_t at[MAX_PIECES + 1];
  at[count++] = 0;
  for (size_t to = small; to < piece; to *= 2)
    at[count++] = to;
  for (int p = 1; p < n_pieces; p++)
    at[count++] = j->at[p];
  for (size_t rest = piece >> 1; rest >= small; rest /= 2)
    at[count++] = n - rest;
  at[count] = n;
  j->n_pieces = count;
  memcpy(j->at, at, (count + 1) * sizeof *at);
}
// end small_ends

typedef struct {
  const char *name;
  const char *idea;
  void (*issue)(const job *j);
  void (*cut)(job *j, size_t n, int n_pieces);
  int one_stream;
} version;

static const version versions[] = {
  {"one_stream", "each piece after the other", depth_first, equal_pieces, 1},
  {"depth_first", "all of a piece, then the next", depth_first,
   equal_pieces, 0},
  {"breadth_first", "all copies in, all kernels, all copies out",
   breadth_first, equal_pieces, 0},
  {"small_ends", "depth first; small pieces at both ends", depth_first,
   small_ends, 0},
  {"stages", "a stream for each stage, and events", by_stage, equal_pieces,
   0},
  {"stages_small_ends", "the same; small pieces at both ends", by_stage,
   small_ends, 0},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static const version *version_named(const char *name)
{
  for (int k = 0; k < N_VERSIONS; k++)
    if (strcmp(versions[k].name, name) == 0)
      return &versions[k];
  return NULL;
}

static job job_new(size_t n, int n_streams)
{
  job j = {};
  size_t n_bytes = n * sizeof(float) + GUARD_BYTES;
  CUDA_CHECK(cudaMallocHost((void **)&j.h_in, n_bytes));
  CUDA_CHECK(cudaMallocHost((void **)&j.h_out, n_bytes));
  CUDA_CHECK(cudaMalloc(&j.d_x, n_bytes));
  j.n_streams = n_streams;
  for (int s = 0; s < MAX_STREAMS; s++)
    CUDA_CHECK(cudaStreamCreateWithFlags(&j.streams[s],
                                         cudaStreamNonBlocking));
  for (int p = 0; p < MAX_PIECES; p++) {
    CUDA_CHECK(cudaEventCreateWithFlags(&j.arrived[p],
                                        cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&j.computed[p],
                                        cudaEventDisableTiming));
  }
  return j;
}

static void job_free(job *j)
{
  for (int s = 0; s < MAX_STREAMS; s++)
    CUDA_CHECK(cudaStreamDestroy(j->streams[s]));
  for (int p = 0; p < MAX_PIECES; p++) {
    CUDA_CHECK(cudaEventDestroy(j->arrived[p]));
    CUDA_CHECK(cudaEventDestroy(j->computed[p]));
  }
  CUDA_CHECK(cudaFreeHost((void *)j->h_in));
  CUDA_CHECK(cudaFreeHost(j->h_out));
  CUDA_CHECK(cudaFree(j->d_x));
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, size_t n,
                      int n_pieces, int n_streams)
{
  size_t n_bytes = n * sizeof(float);
  job j = job_new(n, v->one_stream ? 1 : n_streams);
  float *h_expected = (float *)malloc(n_bytes + 1);
  char what[80];
  random_fill_floats(random, (float *)j.h_in, n);
  for (size_t i = 0; i < n; i++)
    h_expected[i] = orbit(j.h_in[i], 10);
  poison_host(j.h_out, n_bytes + GUARD_BYTES);
  poison_device(j.d_x, n_bytes + GUARD_BYTES);
  CUDA_CHECK(cudaDeviceSynchronize());
  j.n_rounds = 10;
  v->cut(&j, n, n_pieces);
  v->issue(&j);
  CUDA_CHECK(cudaDeviceSynchronize());
  snprintf(what, sizeof what, "%s, %zu elements in %d pieces, %d streams",
           v->name, n, n_pieces, n_streams);
  int right = compare_floats(what, h_expected, j.h_out, n) &
              compare_guard(what, j.h_out + n, GUARD_BYTES);
  job_free(&j);
  free(h_expected);
  return right;
}

static int check(const options *o)
{
  static const int cases[][3] = {
    {0, 1, 1}, {1, 1, 1}, {1000, 1, 1}, {1000, 7, 3}, {1024, 4, 4},
    {5000, 16, 2}, {3, 5, 2}
  };
  enum { N_CASES = sizeof cases / sizeof cases[0] };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int c = 0; c < N_CASES && options_wants(o, versions[k].name); c++)
      right &= check_case(&versions[k], &random, cases[c][0], cases[c][1],
                          cases[c][2]);
  fprintf(options_remarks(o), "check: %d cases, seed %llu: %s\n", N_CASES,
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- measurement ---- */

static job measured_job(const options *o, size_t wanted, size_t *n)
{
  *n = memory_length(o, wanted, sizeof(float));
  job j = job_new(*n, 1);
  random_source random = random_from_seed(o->seed);
  random_fill_floats(&random, (float *)j.h_in, *n);
  memset(j.h_out, 0, *n * sizeof(float));
  return j;
}

/* Median of the host's time around `issue` until the device is done. */
static timing time_job(const job *j, void (*issue)(const job *),
                       int repetitions)
{
  static double us[MAX_REPETITIONS];
  timing t = {};
  for (int pass = -1; pass < repetitions; pass++) {
    CUDA_CHECK(cudaDeviceSynchronize());
    double start = timing_host_us();
    issue(j);
    CUDA_CHECK(cudaDeviceSynchronize());
    if (pass >= 0)
      us[pass] = timing_host_us() - start;
  }
  t.repetitions = repetitions;
  timing_summarise(&t, us, repetitions);
  return t;
}

static void only_in(const job *j) { copy_in(j, 0, 0); }
static void only_compute(const job *j) { compute(j, 0, 0); }
static void only_out(const job *j) { copy_out(j, 0, 0); }

/* Both directions at once: they share the link's and the memory's limits. */
static void both_ways(const job *j)
{
  copy_in(j, 0, 0);
  copy_out(j, 0, 1);
}

/* How many rounds make the kernel take so long? It is a straight line. */
static int rounds_for(job *j, double wanted_us)
{
  double few_us, many_us;
  j->n_rounds = 500;
  few_us = time_job(j, only_compute, 5).median_us;
  j->n_rounds = 1500;
  many_us = time_job(j, only_compute, 5).median_us;
  double per_round = (many_us - few_us) / 1000;
  int rounds = (int)(500 + (wanted_us - few_us) / per_round);
  return rounds < 1 ? 1 : rounds;
}

/* experiment `streams`, and `one_queue`, which is the same with one queue
 * between host and GPU: as many pieces as streams. */
static void measure_streams(const options *o, int repetitions)
{
  size_t n;
  job j = measured_job(o, N_ELEMS, &n);
  equal_pieces(&j, n, 1);
  double in_us = time_job(&j, only_in, 5).median_us;
  j.n_rounds = rounds_for(&j, in_us);
  double one_us = time_job(&j, depth_first, repetitions).median_us;
  printf("version,n_streams,n_elems,n_rounds,in_us,repetitions,time_us,"
         "spread_us,speed_up\n");
  for (int k = 1; k < 3; k++)
    for (int s = 1; s <= 64; s = s < 4 ? s + 1 : s * 2) {
      j.n_streams = s;
      versions[k].cut(&j, n, s);
      timing t = time_job(&j, versions[k].issue, repetitions);
      printf("%s,%d,%zu,%d,%.2f,%d,%.2f,%.2f,%.3f\n", versions[k].name, s, n,
             j.n_rounds, in_us, repetitions, t.median_us, t.spread_us,
             one_us / t.median_us);
    }
  job_free(&j);
}

/* experiment `pipeline`: how near to the slowest stage do we come? */
static void measure_pipeline(const options *o, int repetitions)
{
  static const double weights[] = {0.5, 1.0, 1.25, 2.0};
  static const char *const names[] = {"one_stream", "depth_first",
                                      "small_ends", "stages",
                                      "stages_small_ends"};
  size_t n;
  job j = measured_job(o, N_ELEMS, &n);
  equal_pieces(&j, n, 1);
  double in_us = time_job(&j, only_in, 5).median_us;
  double out_us = time_job(&j, only_out, 5).median_us;
  double link_us = time_job(&j, both_ways, 5).median_us;
  printf("version,weight,n_pieces,n_elems,n_rounds,in_us,out_us,link_us,"
         "kernel_us,repetitions,time_us,spread_us,share\n");
  for (size_t w = 0; w < sizeof weights / sizeof *weights; w++) {
    j.n_streams = 1;
    equal_pieces(&j, n, 1);
    j.n_rounds = rounds_for(&j, weights[w] * in_us);
    double kernel_us = time_job(&j, only_compute, 5).median_us;
    double slowest_us = kernel_us > link_us ? kernel_us : link_us;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
      const version *v = version_named(names[k]);
      for (int pieces = 8; pieces <= 256; pieces *= 2) {
        if (v->one_stream && pieces > 8)
          break;
        j.n_streams = v->one_stream ? 1 : PIPELINE_STREAMS;
        v->cut(&j, n, v->one_stream ? 1 : pieces);
        timing t = time_job(&j, v->issue, repetitions);
        printf("%s,%.2f,%d,%zu,%d,%.2f,%.2f,%.2f,%.2f,%d,%.2f,%.2f,%.4f\n",
               v->name, weights[w], v->one_stream ? 1 : pieces, n, j.n_rounds,
               in_us, out_us, link_us, kernel_us, repetitions, t.median_us,
               t.spread_us, slowest_us / t.median_us);
      }
    }
  }
  job_free(&j);
}

/* The copies of the pipeline alone: the link is always busy, but for what
 * passes between two copies. */
static void only_copies(const job *j)
{
  for (int p = 0; p < j->n_pieces; p++) {
    copy_in(j, p, 0);
    copy_out(j, p, 1);
  }
}

// begin best_pieces
/* n pieces cost n gaps. And the first piece's copy in and kernel leave the
 * way out idle: that is 1/n of what both take for the whole array. The sum
 * n * gap + start / n is least where the two are equal. */
static int best_pieces(double start_us, double gap_us)
{
  return (int)lround(sqrt(start_us / gap_us));
}
// end best_pieces

typedef struct {
  double in_us, kernel_us, link_us, gap_us;
} costs;

/* The least of several passes: what else the host's memory does can only add.
 * A very long copy is a little slower than the same bytes in some copies, so
 * the link's time is the shorter one of both. */
static costs measure_costs(job *j, size_t n)
{
  enum { LARGE = 1 << 25, N_COPIES = 128, N_PASSES = 15 };
  costs c;
  equal_pieces(j, n, 1);
  c.in_us = time_job(j, only_in, N_PASSES).min_us;
  j->n_rounds = rounds_for(j, 0.5 * c.in_us);
  c.kernel_us = time_job(j, only_compute, 5).min_us;
  c.link_us = time_job(j, only_copies, N_PASSES).min_us;
  equal_pieces(j, n, (int)((n + LARGE - 1) / LARGE));
  c.link_us = fmin(c.link_us, time_job(j, only_copies, N_PASSES).min_us);
  equal_pieces(j, n, N_COPIES);
  c.gap_us = (time_job(j, only_copies, N_PASSES).min_us - c.link_us) /
             N_COPIES;
  return c;
}

/* experiment `pieces`: fewer and more than are best, for several sizes. */
static void measure_pieces(const options *o, int repetitions)
{
  enum { N_SIZES = 6 };
  static const double factors[] = {0.25, 0.5, 1, 2, 4};
  size_t most;
  job j = measured_job(o, 4 * (size_t)N_ELEMS, &most);
  printf("part,n_elems,n_rounds,in_us,kernel_us,link_us,gap_us,factor,n_pieces,"
         "predicted_us,repetitions,time_us,spread_us,over_predicted,share\n");
  for (int part = 1 << (N_SIZES - 1); part >= 1; part /= 2) {
    size_t n = most / part;
    costs c = measure_costs(&j, n);
    double start_us = c.in_us + c.kernel_us;
    int best = best_pieces(start_us, c.gap_us);
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
      int pieces = (int)lround(factors[f] * best);
      pieces = pieces < 1 ? 1 : pieces < MAX_PIECES ? pieces : MAX_PIECES;
      equal_pieces(&j, n, pieces);
      timing t = time_job(&j, by_stage, repetitions);
      double predicted_us = c.link_us + pieces * c.gap_us + start_us / pieces;
      printf("%d,%zu,%d,%.2f,%.2f,%.2f,%.3f,%g,%d,%.2f,%d,%.2f,%.2f,%.4f,"
             "%.4f\n", part, n, j.n_rounds, c.in_us, c.kernel_us, c.link_us,
             c.gap_us, factors[f], pieces, predicted_us, repetitions,
             t.median_us, t.spread_us, t.median_us / predicted_us,
             c.link_us / t.median_us);
    }
  }
  job_free(&j);
}

/* experiment `timeline`, and `timeline_one_queue`: four pieces. */
static void measure_timeline(const options *o)
{
  enum { N_PIECES = 4 };
  size_t n;
  job j = measured_job(o, N_ELEMS, &n);
  equal_pieces(&j, n, 1);
  j.n_rounds = rounds_for(&j, time_job(&j, only_in, 5).median_us);
  timeline *log = timeline_new();
  timeline_print_head();
  for (int k = 0; k < 3; k++) {
    j.n_streams = versions[k].one_stream ? 1 : N_PIECES;
    versions[k].cut(&j, n, N_PIECES);
    for (int pass = 0; pass < 3; pass++) {      /* the last one counts */
      j.log = pass == 2 ? log : NULL;
      timeline_start(log);
      versions[k].issue(&j);
      CUDA_CHECK(cudaDeviceSynchronize());
    }
    timeline_print(log, versions[k].name);
  }
  timeline_free(log);
  job_free(&j);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "copies and kernels that overlap",
                            "streams,one_queue,pipeline,pieces,timeline,"
                            "timeline_one_queue", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int one_queue = o.csv && strstr(o.csv, "one_queue") != NULL;
  int repetitions = o.repetitions < 10 ? o.repetitions : 10;
  if (one_queue)           /* before the first call that CUDA gets */
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "1", 1);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv && strstr(o.csv, "timeline"))
    measure_timeline(&o);
  else if (o.csv && strcmp(o.csv, "pipeline") == 0)
    measure_pipeline(&o, repetitions);
  else if (o.csv && strcmp(o.csv, "pieces") == 0)
    measure_pieces(&o, repetitions);
  else
    measure_streams(&o, repetitions);
  return EXIT_SUCCESS;
}
