/* From the host's memory to the device's and back: each way to go, its
 * bandwidth against the size, and what each kind of memory costs the host
 * itself. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"
#include "transfers/kinds.h"

enum { BLOCK_THREADS = 256, PAGE_BYTES = 4096, PLAIN_COPIES = 10 };
static const size_t piece_bytes = (size_t)4 << 20;

/* ---- CPU reference ---- */

/* What arrives is what was sent: the check compares with the source. */
static void fill_source(random_source *random, void *data, size_t n_bytes)
{
  random_fill_bytes(random, data, n_bytes);
}

/* ---- the ways ---- */

// begin copy
static void copy_in(void *d_to, void *h_from, size_t n_bytes)
{
  CUDA_CHECK(cudaMemcpy(d_to, h_from, n_bytes, cudaMemcpyHostToDevice));
}

static void copy_out(void *h_to, void *d_from, size_t n_bytes)
{
  CUDA_CHECK(cudaMemcpy(h_to, d_from, n_bytes, cudaMemcpyDeviceToHost));
}
// end copy

// begin pieces
/* All pieces are queued before the first of them has arrived. */
static void pieces_in(void *d_to, void *h_from, size_t n_bytes)
{
  for (size_t at = 0; at < n_bytes; at += piece_bytes) {
    size_t some = n_bytes - at < piece_bytes ? n_bytes - at : piece_bytes;
    CUDA_CHECK(cudaMemcpyAsync((char *)d_to + at, (char *)h_from + at, some,
                               cudaMemcpyHostToDevice));
  }
}
// end pieces

static void pieces_out(void *h_to, void *d_from, size_t n_bytes)
{
  for (size_t at = 0; at < n_bytes; at += piece_bytes) {
    size_t some = n_bytes - at < piece_bytes ? n_bytes - at : piece_bytes;
    CUDA_CHECK(cudaMemcpyAsync((char *)h_to + at, (char *)d_from + at, some,
                               cudaMemcpyDeviceToHost));
  }
}

// begin move
/* Copies 16 bytes per thread; either side may be the host's memory. */
__global__ void move_words(uint4 *to, const uint4 *from, size_t n)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step)
    to[i] = from[i];
}
// end move

__global__ void move_bytes(char *to, const char *from, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = from[i];
}

// begin by_kernel
/* The launch gets the host's pointer as it is. */
static void by_kernel(void *to, void *from, size_t n_bytes)
{
  size_t n_words = n_bytes / sizeof(uint4);
  size_t done = n_words * sizeof(uint4);
  size_t n_blocks = (n_words + BLOCK_THREADS - 1) / BLOCK_THREADS;
  if (n_words > 0)
    move_words<<<(int)(n_blocks < 4096 ? n_blocks : 4096), BLOCK_THREADS>>>(
        (uint4 *)to, (const uint4 *)from, n_words);
  if (n_bytes > done)
    move_bytes<<<1, BLOCK_THREADS>>>((char *)to + done, (char *)from + done,
                                     n_bytes - done);
  CUDA_CHECK_LAUNCH();
}
// end by_kernel

/* ---- managed memory: the pages move, `d_to` takes part only at the end */

static cudaMemLocation on_device(void)
{
  cudaMemLocation where;
  where.type = cudaMemLocationTypeDevice;
  CUDA_CHECK(cudaGetDevice(&where.id));
  return where;
}

static cudaMemLocation on_host(void)
{
  cudaMemLocation where;
  where.type = cudaMemLocationTypeHost;
  where.id = 0;
  return where;
}

// begin prefetch
static void prefetch_in(void *d_to, void *managed, size_t n_bytes)
{
  (void)d_to;
  CUDA_CHECK(cudaMemPrefetchAsync(managed, n_bytes, on_device(), 0, 0));
}

static void prefetch_out(void *managed, void *d_from, size_t n_bytes)
{
  (void)d_from;
  CUDA_CHECK(cudaMemPrefetchAsync(managed, n_bytes, on_host(), 0, 0));
}
// end prefetch

// begin faults
/* One byte of each page: the first touch brings the page. The compiler must
 * keep the load, although nothing uses its value: that is volatile's work. */
__global__ void touch_pages(const volatile char *managed, size_t n_bytes)
{
  size_t at = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * PAGE_BYTES;
  if (at < n_bytes)
    (void)managed[at];
}

static void faults_in(void *d_to, void *managed, size_t n_bytes)
{
  size_t n_pages = (n_bytes + PAGE_BYTES - 1) / PAGE_BYTES;
  (void)d_to;
  if (n_pages > 0)
    touch_pages<<<(int)((n_pages + BLOCK_THREADS - 1) / BLOCK_THREADS),
                  BLOCK_THREADS>>>((const char *)managed, n_bytes);
  CUDA_CHECK_LAUNCH();
}

static void faults_out(void *managed, void *d_from, size_t n_bytes)
{
  volatile const char *h_pages = (volatile const char *)managed;
  (void)d_from;
  for (size_t at = 0; at < n_bytes; at += PAGE_BYTES)
    (void)h_pages[at];
}
// end faults

typedef struct {
  const char *name;
  const char *idea;
  const char *kind;     /* of the host's memory */
  void (*in)(void *d_to, void *h_from, size_t n_bytes);
  void (*out)(void *h_to, void *d_from, size_t n_bytes);
  int moves;            /* managed memory: the pages themselves move */
} version;

static const version versions[] = {
  {"pageable", "cudaMemcpy, memory from malloc", "pageable", copy_in,
   copy_out, 0},
  {"pinned", "cudaMemcpy, pinned memory", "pinned", copy_in, copy_out, 0},
  {"write_combined", "cudaMemcpy, write-combined memory", "write_combined",
   copy_in, copy_out, 0},
  {"registered", "cudaMemcpy, memory from malloc, pinned later",
   "registered", copy_in, copy_out, 0},
  {"pieces", "pinned, cudaMemcpyAsync in pieces of 4 MiB", "pinned",
   pieces_in, pieces_out, 0},
  {"mapped", "a kernel reads or writes the host's memory", "mapped",
   by_kernel, by_kernel, 0},
  {"managed", "managed memory, page faults", "managed", faults_in,
   faults_out, 1},
  {"prefetch", "managed memory, cudaMemPrefetchAsync", "managed",
   prefetch_in, prefetch_out, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check ---- */

/* There and back: the source goes to the device by `in`, and what is there
 * comes back by `out` into memory that was poisoned. */
static int check_case(const version *v, random_source *random,
                      size_t n_bytes)
{
  const memory_kind *kind = kind_named(v->kind);
  size_t room = n_bytes + GUARD_BYTES;
  void *h_expected = allocate_pageable(room);
  void *h_seen = allocate_pageable(room);
  char *h_from = (char *)kind->allocate(room);
  char *h_to = (char *)kind->allocate(room);
  char *d_data = (char *)allocate_device(room);
  char what[64];
  fill_source(random, h_expected, n_bytes);
  memcpy(h_from, h_expected, n_bytes);
  poison_host(h_to, room);
  poison_device(d_data, room);
  v->in(d_data, h_from, n_bytes);
  if (v->moves)
    by_kernel(d_data, h_from, n_bytes);
  CUDA_CHECK(cudaMemcpy(h_seen, d_data, room, cudaMemcpyDeviceToHost));
  snprintf(what, sizeof what, "%s, in, %zu bytes", v->name, n_bytes);
  int right = compare_bytes(what, h_expected, h_seen, n_bytes) &
              compare_guard(what, (char *)h_seen + n_bytes, GUARD_BYTES);
  /* What follows must not be what the guard is made of. */
  CUDA_CHECK(cudaMemset(d_data + n_bytes, 0, GUARD_BYTES));
  if (v->moves) {
    by_kernel(h_to, d_data, n_bytes);
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  v->out(h_to, d_data, n_bytes);
  CUDA_CHECK(cudaDeviceSynchronize());
  snprintf(what, sizeof what, "%s, out, %zu bytes", v->name, n_bytes);
  right &= compare_bytes(what, h_expected, h_to, n_bytes) &
           compare_guard(what, h_to + n_bytes, GUARD_BYTES);
  kind->release(h_from);
  kind->release(h_to);
  release_device(d_data);
  free(h_expected);
  free(h_seen);
  return right;
}

static int check(const options *o)
{
  static const size_t sizes[] = {1, 15, 16, 17, 4095, 4096, 70001, 4194304,
                                 4194321};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < N_SIZES && options_wants(o, versions[k].name); s++)
      right &= check_case(&versions[k], &random, sizes[s]);
  fprintf(options_remarks(o), "check: %d sizes, seed %llu: %s\n", N_SIZES,
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- measurement ---- */

enum { MAX_REPETITIONS = 1000, N_DIRECTIONS = 2 };
static const char *const directions[] = {"in", "out"};

/* One version's memory on both sides. */
typedef struct {
  char *h_data;
  char *d_data;
} sides;

static sides sides_new(const version *v, size_t n_bytes)
{
  sides s;
  random_source random = random_from_seed(1);
  s.h_data = (char *)kind_named(v->kind)->allocate(n_bytes);
  s.d_data = (char *)allocate_device(n_bytes);
  /* Never zeros; 1 MiB of random bytes over and over. */
  size_t block = n_bytes < 1 << 20 ? n_bytes : 1 << 20;
  fill_source(&random, s.h_data, block);
  for (size_t at = block; at < n_bytes; at += block)
    memcpy(s.h_data + at, s.h_data,
           n_bytes - at < block ? n_bytes - at : block);
  CUDA_CHECK(cudaMemset(s.d_data, 1, n_bytes));
  return s;
}

static void sides_free(const version *v, sides s)
{
  kind_named(v->kind)->release(s.h_data);
  release_device(s.d_data);
}

/* Managed pages go back to where they start from. */
static void prepare(const version *v, sides s, int out, size_t n_bytes)
{
  if (v->moves && out)
    prefetch_in(NULL, s.h_data, n_bytes);
  else if (v->moves)
    prefetch_out(s.h_data, NULL, n_bytes);
}

// begin time_once
/* From the call until the data have arrived, by the host's clock. */
static double time_once(const version *v, sides s, int out, size_t n_bytes)
{
  prepare(v, s, out, n_bytes);
  CUDA_CHECK(cudaDeviceSynchronize());
  double start = timing_host_us();
  if (out)
    v->out(s.h_data, s.d_data, n_bytes);
  else
    v->in(s.d_data, s.h_data, n_bytes);
  CUDA_CHECK(cudaDeviceSynchronize());
  return timing_host_us() - start;
}
// end time_once

static timing time_copies(const version *v, sides s, int out, size_t n_bytes,
                          int repetitions)
{
  static double us[MAX_REPETITIONS];
  timing t = {};
  for (int pass = -TIMING_WARM_UP; pass < repetitions; pass++) {
    double time_us = time_once(v, s, out, n_bytes);
    if (pass >= 0)
      us[pass] = time_us;
  }
  timing_summarise(&t, us, repetitions);
  return t;
}

enum { MAX_SIZES = 32 };

/* All ways take turns at each size, so that one can be held against another:
 * what a CPU core gets done differs from one minute to the next. */
static void measure_sizes(const options *o)
{
  static double us[N_VERSIONS][MAX_REPETITIONS];
  static timing times[N_VERSIONS][N_DIRECTIONS][MAX_SIZES];
  size_t largest = memory_length(o, (size_t)1 << 28, 2 * N_VERSIONS);
  sides s[N_VERSIONS];
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name))
      s[k] = sides_new(&versions[k], largest);
  for (int out = 0; out < N_DIRECTIONS; out++)
    for (size_t n = 1 << 10, i = 0; n <= largest; n *= 2, i++) {
      int repetitions = n > 1 << 22 && o->repetitions > 7 ? 7
                                                          : o->repetitions;
      for (int pass = -TIMING_WARM_UP; pass < repetitions; pass++)
        for (int k = 0; k < N_VERSIONS; k++)
          if (options_wants(o, versions[k].name)) {
            double time_us = time_once(&versions[k], s[k], out, n);
            if (pass >= 0)
              us[k][pass] = time_us;
          }
      for (int k = 0; k < N_VERSIONS; k++) {
        times[k][out][i].repetitions = repetitions;
        timing_summarise(&times[k][out][i], us[k], repetitions);
      }
    }
  printf("version,direction,n_bytes,repetitions,time_us,spread_us,"
         "gb_per_s\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(o, versions[k].name))
      continue;
    sides_free(&versions[k], s[k]);
    for (int out = 0; out < N_DIRECTIONS; out++)
      for (size_t n = 1 << 10, i = 0; n <= largest; n *= 2, i++) {
        timing t = times[k][out][i];
        printf("%s,%s,%zu,%d,%.3f,%.3f,%.3f\n", versions[k].name,
               directions[out], n, t.repetitions, t.median_us, t.spread_us,
               timing_gb_per_s((double)n, t.median_us));
      }
  }
}

/* ---- experiment `ways`: every way against a plain loop of copies ---- */

// begin plain_loop
/* What others measure: copies from pinned memory, one after the other. */
static double plain_loop(sides pinned, int out, size_t n_bytes)
{
  CUDA_CHECK(cudaDeviceSynchronize());
  double start = timing_host_us();
  for (int i = 0; i < PLAIN_COPIES; i++)
    if (out)
      CUDA_CHECK(cudaMemcpy(pinned.h_data, pinned.d_data, n_bytes,
                            cudaMemcpyDeviceToHost));
    else
      CUDA_CHECK(cudaMemcpy(pinned.d_data, pinned.h_data, n_bytes,
                            cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaDeviceSynchronize());
  return (timing_host_us() - start) / PLAIN_COPIES;
}
// end plain_loop

/* The loop and all ways take turns, so that they share good times and bad. */
static void measure_ways(const options *o)
{
  static double us[N_DIRECTIONS][N_VERSIONS + 1][MAX_REPETITIONS];
  size_t n = memory_length(o, (size_t)1 << 28, 2 * N_VERSIONS);
  sides s[N_VERSIONS];
  int pinned = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    s[k] = sides_new(&versions[k], n);
  for (int pass = -1; pass < o->repetitions; pass++)
    for (int out = 0; out < N_DIRECTIONS; out++)
      for (int k = 0; k <= N_VERSIONS; k++) {
        double time_us = k < N_VERSIONS
                             ? time_once(&versions[k], s[k], out, n)
                             : plain_loop(s[pinned], out, n);
        if (pass >= 0)
          us[out][k][pass] = time_us;
      }
  for (int k = 0; k < N_VERSIONS; k++)
    sides_free(&versions[k], s[k]);
  printf("version,direction,n_bytes,time_us,spread_us,gb_per_s,"
         "share_of_loop\n");
  for (int out = 0; out < N_DIRECTIONS; out++) {
    timing loop = {};
    timing_summarise(&loop, us[out][N_VERSIONS], o->repetitions);
    for (int k = 0; k <= N_VERSIONS; k++) {
      timing t = {};
      timing_summarise(&t, us[out][k], o->repetitions);
      printf("%s,%s,%zu,%.3f,%.3f,%.3f,%.4f\n",
             k < N_VERSIONS ? versions[k].name : "plain_loop",
             directions[out], n, t.median_us, t.spread_us,
             timing_gb_per_s((double)n, t.median_us),
             loop.median_us / t.median_us);
    }
  }
}

/* ---- experiment `host_side`: the CPU at work in each kind ---- */

// begin host_side
static uint64_t read_words(const uint64_t *h_words, size_t n)
{
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += h_words[i];
  return sum;
}

static void write_words(uint64_t *h_words, size_t n, uint64_t value)
{
  for (size_t i = 0; i < n; i++)
    h_words[i] = value + i;
}
// end host_side

static void measure_host_side(const options *o)
{
  static const char *const kinds[] = {"pageable", "pinned", "write_combined",
                                      "mapped", "managed"};
  static double us[2][MAX_REPETITIONS];
  size_t n_bytes = (size_t)1 << 25, n = n_bytes / sizeof(uint64_t);
  int repetitions = o->repetitions < 7 ? o->repetitions : 7;
  volatile uint64_t seen;
  printf("version,operation,n_bytes,repetitions,time_us,spread_us,"
         "gb_per_s\n");
  for (int k = 0; k < 5; k++) {
    const memory_kind *kind = kind_named(kinds[k]);
    uint64_t *h_words = (uint64_t *)kind->allocate(n_bytes);
    memset(h_words, 1, n_bytes);
    for (int pass = 0; pass < repetitions; pass++) {
      double start = timing_host_us();
      write_words(h_words, n, (uint64_t)pass);
      double written = timing_host_us();
      seen = read_words(h_words, n);
      us[0][pass] = timing_host_us() - written;
      us[1][pass] = written - start;
    }
    (void)seen;
    for (int operation = 0; operation < 2; operation++) {
      timing t = {};
      timing_summarise(&t, us[operation], repetitions);
      printf("%s,%s,%zu,%d,%.3f,%.3f,%.3f\n", kinds[k],
             operation ? "write" : "read", n_bytes, repetitions, t.median_us,
             t.spread_us, timing_gb_per_s((double)n_bytes, t.median_us));
    }
    kind->release(h_words);
  }
}

static void print_times(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 28, 4);
  timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    if (!options_wants(o, v->name))
      continue;
    sides s = sides_new(v, n);
    for (int out = 0; out < N_DIRECTIONS; out++) {
      char name[64];
      snprintf(name, sizeof name, "%s, %s", v->name, directions[out]);
      timing_print_row(name, time_copies(v, s, out, n, o->repetitions),
                       (double)n);
    }
    sides_free(v, s);
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "copies between host and device",
                            "size,ways,host_side", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && (o.size[0] < 1024 ||
                                           o.size[0] > (size_t)1 << 30)))
    options_fail(&o, "--size must be one number, 2^10 to 2^30");
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (!o.csv)
    print_times(&o);
  else if (strcmp(o.csv, "size") == 0)
    measure_sizes(&o);
  else if (strcmp(o.csv, "ways") == 0)
    measure_ways(&o);
  else
    measure_host_side(&o);
  return EXIT_SUCCESS;
}
