/* A copy from pageable memory, made by hand: the CPU fills pinned buffers,
 * and the copy engine empties them.  One buffer, two, and several threads
 * that fill. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"
#include "transfers/kinds.h"

enum {
  MAX_THREADS = 16,
  MOST_THREADS = 8,       /* of any version */
  MAX_REPETITIONS = 1000,
  MAX_SIZES = 8,
  MAX_MARKS = 64
};

/* ---- a stage: buffers of one thread, and the stream that empties them ---- */

typedef struct {
  char *h_buffer[2];
  cudaEvent_t empty[2];   /* recorded after the copy out of a buffer */
  cudaStream_t stream;
  int n_buffers;
  size_t piece_bytes;
} stage;

static stage stage_new(int n_buffers, size_t piece_bytes)
{
  stage s;
  s.n_buffers = n_buffers;
  s.piece_bytes = piece_bytes;
  CUDA_CHECK(cudaStreamCreateWithFlags(&s.stream, cudaStreamNonBlocking));
  for (int b = 0; b < 2; b++) {
    s.h_buffer[b] = (char *)allocate_pinned(piece_bytes);
    CUDA_CHECK(cudaEventCreateWithFlags(&s.empty[b],
                                        cudaEventDisableTiming));
  }
  return s;
}

static void stage_free(stage *s)
{
  for (int b = 0; b < 2; b++) {
    release_pinned(s->h_buffer[b]);
    CUDA_CHECK(cudaEventDestroy(s->empty[b]));
  }
  CUDA_CHECK(cudaStreamDestroy(s->stream));
}

// begin staged_copy
/* While the copy engine empties one buffer, the CPU fills the other. */
static void staged_copy(stage *s, char *d_to, const char *h_from,
                        size_t n_bytes)
{
  int b = 0;
  for (size_t at = 0; at < n_bytes; at += s->piece_bytes) {
    size_t rest = n_bytes - at;
    size_t some = rest < s->piece_bytes ? rest : s->piece_bytes;
    CUDA_CHECK(cudaEventSynchronize(s->empty[b]));
    memcpy(s->h_buffer[b], h_from + at, some);
    CUDA_CHECK(cudaMemcpyAsync(d_to + at, s->h_buffer[b], some,
                               cudaMemcpyHostToDevice, s->stream));
    CUDA_CHECK(cudaEventRecord(s->empty[b], s->stream));
    b = (b + 1) % s->n_buffers;
  }
  CUDA_CHECK(cudaStreamSynchronize(s->stream));
}
// end staged_copy

/* ---- several threads, each with a stage and a part of the array ---- */

typedef struct {
  stage *s;
  char *d_to;
  const char *h_from;
  size_t n_bytes;
} part;

static void *copy_part(void *argument)
{
  part *p = (part *)argument;
  staged_copy(p->s, p->d_to, p->h_from, p->n_bytes);
  return NULL;
}

// begin threads_copy
static void threads_copy(stage *stages, int n_threads, char *d_to,
                         const char *h_from, size_t n_bytes)
{
  pthread_t threads[MAX_THREADS];
  part parts[MAX_THREADS];
  size_t share = n_bytes / n_threads;
  for (int t = 0; t < n_threads; t++) {
    size_t at = t * share;
    size_t some = t == n_threads - 1 ? n_bytes - at : share;
    parts[t] = {&stages[t], d_to + at, h_from + at, some};
    if (pthread_create(&threads[t], NULL, copy_part, &parts[t])) {
      fprintf(stderr, "error: no thread could be started\n");
      exit(EXIT_FAILURE);
    }
  }
  for (int t = 0; t < n_threads; t++)
    pthread_join(threads[t], NULL);
}
// end threads_copy

typedef struct {
  const char *name;
  const char *idea;
  int n_buffers;
  int n_threads;
} version;

static const version versions[] = {
  {"one_buffer", "fill, copy, fill, copy", 1, 1},
  {"two_buffers", "fill one while the other is copied", 2, 1},
  {"threads_2", "two threads with two buffers each", 2, 2},
  {"threads_4", "four threads", 2, 4},
  {"threads_8", "eight threads", 2, 8},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void copy(const version *v, stage *stages, char *d_to,
                 const char *h_from, size_t n_bytes)
{
  if (v->n_threads == 1)
    staged_copy(&stages[0], d_to, h_from, n_bytes);
  else
    threads_copy(stages, v->n_threads, d_to, h_from, n_bytes);
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random,
                      size_t n_bytes, size_t piece_bytes)
{
  size_t room = n_bytes + GUARD_BYTES;
  stage stages[MAX_THREADS];
  char *h_from = (char *)allocate_pageable(room);
  char *h_got = (char *)allocate_pageable(room);
  char *d_to = (char *)allocate_device(room);
  char what[64];
  random_fill_bytes(random, h_from, n_bytes);
  poison_device(d_to, room);
  for (int t = 0; t < v->n_threads; t++)
    stages[t] = stage_new(v->n_buffers, piece_bytes);
  CUDA_CHECK(cudaDeviceSynchronize());
  copy(v, stages, d_to, h_from, n_bytes);
  CUDA_CHECK(cudaMemcpy(h_got, d_to, room, cudaMemcpyDeviceToHost));
  for (int t = 0; t < v->n_threads; t++)
    stage_free(&stages[t]);
  snprintf(what, sizeof what, "%s, %zu bytes by %zu", v->name, n_bytes,
           piece_bytes);
  int right = compare_bytes(what, h_from, h_got, n_bytes) &
              compare_guard(what, h_got + n_bytes, GUARD_BYTES);
  release_device(d_to);
  free(h_from);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 100003};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < N_SIZES && options_wants(o, versions[k].name); s++)
      right &= check_case(&versions[k], &random, sizes[s], 4096);
  fprintf(options_remarks(o), "check: %d sizes, seed %llu: %s\n", N_SIZES,
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- measurement ---- */

/* Source and destination, filled; memory that was never touched would be
 * page faults and nothing else. */
static void sides_new(size_t n_bytes, char **h_from, char **d_to)
{
  *h_from = (char *)allocate_pageable(n_bytes);
  *d_to = (char *)allocate_device(n_bytes);
  for (size_t i = 0; i < n_bytes; i++)
    (*h_from)[i] = (char)(i * 2654435761u >> 13);
}

/* Two ways to have it done: cudaMemcpy out of the same array, and out of a
 * pinned one. */
enum { BY_DRIVER, FROM_PINNED, N_WAYS = 2 + N_VERSIONS };
static const char *const calls[] = {"driver", "pinned"};

static int wants_way(const options *o, int way)
{
  return way < 2 || options_wants(o, versions[way - 2].name);
}

static double time_once(int way, stage *stages, char *d_to,
                        const char *h_from, const char *h_pinned,
                        size_t n_bytes)
{
  if (way >= 2)
    for (int t = 0; t < versions[way - 2].n_threads; t++)
      stages[t].n_buffers = versions[way - 2].n_buffers;
  CUDA_CHECK(cudaDeviceSynchronize());
  double start = timing_host_us();
  if (way >= 2)
    copy(&versions[way - 2], stages, d_to, h_from, n_bytes);
  else
    CUDA_CHECK(cudaMemcpy(d_to, way == BY_DRIVER ? h_from : h_pinned,
                          n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaDeviceSynchronize());
  return timing_host_us() - start;
}

static void print_row(const options *o, int way, size_t piece_bytes,
                      size_t n_bytes, timing t)
{
  const char *name = way < 2 ? calls[way] : versions[way - 2].name;
  if (o->csv)
    printf("%s,%d,%zu,%zu,%d,%.3f,%.3f,%.3f\n", name,
           way < 2 ? 1 : versions[way - 2].n_threads, piece_bytes, n_bytes,
           t.repetitions, t.median_us, t.spread_us,
           timing_gb_per_s((double)n_bytes, t.median_us));
  else
    timing_print_row(name, t, (double)n_bytes);
}

/* All ways take turns: what a CPU core gets done differs from one minute to
 * the next. The two calls have no buffers to choose, and one row for all. */
static void measure(const options *o)
{
  static double us[N_WAYS][MAX_SIZES * MAX_REPETITIONS];
  size_t n_bytes = memory_length(o, (size_t)1 << 28, 1);
  int repetitions = o->repetitions < 7 ? o->repetitions : 7;
  size_t first = o->csv ? 1 << 14 : 1 << 20;
  size_t last = o->csv ? 1 << 26 : 1 << 20;
  timing times[N_WAYS][MAX_SIZES] = {}, t = {};
  stage stages[MOST_THREADS];
  int n_sizes = 0;
  char *h_from, *d_to, *h_pinned = (char *)allocate_pinned(n_bytes);
  sides_new(n_bytes, &h_from, &d_to);
  memcpy(h_pinned, h_from, n_bytes);
  for (size_t piece = first; piece <= last; piece *= 4, n_sizes++) {
    for (int k = 0; k < MOST_THREADS; k++)
      stages[k] = stage_new(2, piece);
    for (int pass = -1; pass < repetitions; pass++)
      for (int way = 0; way < N_WAYS; way++)
        if (wants_way(o, way)) {
          double time_us = time_once(way, stages, d_to, h_from, h_pinned,
                                     n_bytes);
          if (pass >= 0)
            us[way][n_sizes * repetitions + pass] = time_us;
        }
    for (int k = 0; k < MOST_THREADS; k++)
      stage_free(&stages[k]);
    for (int way = 2; way < N_WAYS; way++) {
      times[way][n_sizes].repetitions = repetitions;
      timing_summarise(&times[way][n_sizes],
                       us[way] + n_sizes * repetitions, repetitions);
    }
  }
  if (o->csv)
    printf("version,n_threads,piece_bytes,n_bytes,repetitions,time_us,"
           "spread_us,gb_per_s\n");
  else
    timing_print_head();
  for (int way = 0; way < 2; way++) {
    t.repetitions = n_sizes * repetitions;
    timing_summarise(&t, us[way], t.repetitions);
    print_row(o, way, 0, n_bytes, t);
  }
  for (int way = 2; way < N_WAYS; way++)
    for (int i = 0; i < n_sizes && wants_way(o, way); i++)
      print_row(o, way, first << 2 * i, n_bytes, times[way][i]);
  release_pinned(h_pinned);
  release_device(d_to);
  free(h_from);
}

/* ---- experiment `timeline`: what works when --- */

typedef struct {
  double fill_from, fill_to;              /* the host's clock */
  cudaEvent_t copy_from, copy_to;         /* the device's */
} mark;

// begin record
/* As staged_copy, and notes when each piece is filled and copied. */
static int record(stage *s, char *d_to, const char *h_from, size_t n_bytes,
                  mark *marks)
{
  int n_marks = 0;
  for (size_t at = 0; at < n_bytes; at += s->piece_bytes, n_marks++) {
    int b = n_marks % s->n_buffers;
    mark *m = &marks[n_marks];
    CUDA_CHECK(cudaEventSynchronize(s->empty[b]));
    m->fill_from = timing_host_us();
    memcpy(s->h_buffer[b], h_from + at, s->piece_bytes);
    m->fill_to = timing_host_us();
    CUDA_CHECK(cudaEventRecord(m->copy_from, s->stream));
    CUDA_CHECK(cudaMemcpyAsync(d_to + at, s->h_buffer[b], s->piece_bytes,
                               cudaMemcpyHostToDevice, s->stream));
    CUDA_CHECK(cudaEventRecord(m->copy_to, s->stream));
    CUDA_CHECK(cudaEventRecord(s->empty[b], s->stream));
  }
  CUDA_CHECK(cudaStreamSynchronize(s->stream));
  return n_marks;
}
// end record

/* Microseconds from one event to another. */
static double between_us(cudaEvent_t from, cudaEvent_t to)
{
  float ms;
  CUDA_CHECK(cudaEventElapsedTime(&ms, from, to));
  return 1000.0 * ms;
}

static void print_marks(const char *name, const mark *marks, int n_marks,
                        double start_us, cudaEvent_t start)
{
  for (int i = 0; i < n_marks; i++) {
    printf("%s,%d,fill,%.3f,%.3f\n", name, i, marks[i].fill_from - start_us,
           marks[i].fill_to - start_us);
    printf("%s,%d,copy,%.3f,%.3f\n", name, i,
           between_us(start, marks[i].copy_from),
           between_us(start, marks[i].copy_to));
  }
}

/* An event that has just happened ties the two clocks together. */
static void measure_timeline(const options *o)
{
  enum { N_PIECES = 6 };
  size_t piece = (size_t)4 << 20;
  mark marks[MAX_MARKS];
  cudaEvent_t start;
  char *h_from, *d_to;
  sides_new(N_PIECES * piece, &h_from, &d_to);
  CUDA_CHECK(cudaEventCreate(&start));
  for (int i = 0; i < MAX_MARKS; i++) {
    CUDA_CHECK(cudaEventCreate(&marks[i].copy_from));
    CUDA_CHECK(cudaEventCreate(&marks[i].copy_to));
  }
  printf("version,piece,what,begin_us,end_us\n");
  for (int k = 0; k < 2; k++) {
    stage s = stage_new(versions[k].n_buffers, piece);
    double start_us = 0.0;
    int n_marks = 0;
    if (!options_wants(o, versions[k].name))
      continue;
    for (int pass = 0; pass < 3; pass++) {    /* the last one counts */
      CUDA_CHECK(cudaDeviceSynchronize());
      CUDA_CHECK(cudaEventRecord(start, s.stream));
      CUDA_CHECK(cudaEventSynchronize(start));
      start_us = timing_host_us();
      n_marks = record(&s, d_to, h_from, N_PIECES * piece, marks);
    }
    print_marks(versions[k].name, marks, n_marks, start_us, start);
    stage_free(&s);
  }
  release_device(d_to);
  free(h_from);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a copy by way of pinned buffers",
                            "staged,timeline", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && (o.size[0] < 1 ||
                                           o.size[0] > (size_t)1 << 32)))
    options_fail(&o, "--size must be one number, 1 to 2^32");
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv && strcmp(o.csv, "timeline") == 0)
    measure_timeline(&o);
  else
    measure(&o);
  return EXIT_SUCCESS;
}
