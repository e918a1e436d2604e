/* What memory costs before anything is done with it: to get it, to touch it
 * for the first time, and to give it back. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"
#include "transfers/kinds.h"

enum { PAGE_BYTES = 4096, MAX_REPETITIONS = 1000 };

/* ---- pool that keeps its memory ---- */

// begin keep
/* Without this, a pool gives back what is free at each synchronisation. */
static void pool_keeps(uint64_t n_bytes)
{
  cudaMemPool_t pool;
  int device;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
                                     &n_bytes));
  if (n_bytes == 0)
    CUDA_CHECK(cudaMemPoolTrimTo(pool, 0));
}
// end keep

typedef struct {
  const char *name;
  const char *idea;
  const char *kind;
  int on_host;          /* the host may touch it */
  int keeps;            /* the pool keeps what is freed */
} version;

static const version versions[] = {
  {"pageable", "malloc", "pageable", 1, 0},
  {"pinned", "cudaMallocHost", "pinned", 1, 0},
  {"write_combined", "cudaHostAlloc, write-combined", "write_combined", 1,
   0},
  {"registered", "malloc and cudaHostRegister", "registered", 1, 0},
  {"managed", "cudaMallocManaged", "managed", 1, 0},
  {"device", "cudaMalloc", "device", 0, 0},
  {"pool", "cudaMallocAsync, pool as it is", "pool", 0, 0},
  {"pool_kept", "cudaMallocAsync, pool that keeps its memory", "pool", 0, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check ---- */

/* All of it can be written and read, by the host or by copies. */
static int check_case(const version *v, random_source *random,
                      size_t n_bytes)
{
  const memory_kind *kind = kind_named(v->kind);
  void *h_expected = allocate_pageable(n_bytes);
  void *h_got = allocate_pageable(n_bytes);
  void *memory = kind->allocate(n_bytes);
  random_fill_bytes(random, h_expected, n_bytes);
  poison_host(h_got, n_bytes);
  if (v->on_host) {
    memcpy(memory, h_expected, n_bytes);
    memcpy(h_got, memory, n_bytes);
  } else {
    CUDA_CHECK(cudaMemcpy(memory, h_expected, n_bytes,
                          cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(h_got, memory, n_bytes, cudaMemcpyDeviceToHost));
  }
  kind->release(memory);
  CUDA_CHECK(cudaDeviceSynchronize());
  int right = compare_bytes(v->name, h_expected, h_got, n_bytes);
  free(h_expected);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const size_t sizes[] = {1, 511, 4096, 100001, 1 << 22};
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

typedef struct {
  double alloc_us[MAX_REPETITIONS];
  double touch_us[MAX_REPETITIONS];
  double free_us[MAX_REPETITIONS];
} samples;

// begin touch
/* The operating system gives a page only when it is first written to. */
static void touch(void *memory, size_t n_bytes)
{
  volatile char *h_pages = (volatile char *)memory;
  for (size_t at = 0; at < n_bytes; at += PAGE_BYTES)
    h_pages[at] = 1;
}
// end touch

// begin time_cycle
static void time_cycle(const version *v, size_t n_bytes, samples *s, int pass)
{
  const memory_kind *kind = kind_named(v->kind);
  CUDA_CHECK(cudaDeviceSynchronize());
  double start = timing_host_us();
  void *memory = kind->allocate(n_bytes);
  double allocated = timing_host_us();
  if (v->on_host)
    touch(memory, n_bytes);
  double touched = timing_host_us();
  kind->release(memory);
  CUDA_CHECK(cudaDeviceSynchronize());
  double freed = timing_host_us();
  s->alloc_us[pass] = allocated - start;
  s->touch_us[pass] = touched - allocated;
  s->free_us[pass] = freed - touched;
}
// end time_cycle

static void measure(const options *o)
{
  static samples s;
  size_t largest = memory_length(o, (size_t)1 << 30, 1);
  if (o->csv)
    printf("version,n_bytes,repetitions,alloc_us,alloc_spread_us,touch_us,"
           "touch_spread_us,free_us,free_spread_us,total_us\n");
  else
    printf("%-16s %12s %12s %12s %12s\n", "version", "bytes", "alloc us",
           "touch us", "free us");
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(o, versions[k].name))
      continue;
    pool_keeps(versions[k].keeps ? UINT64_MAX : 0);
    for (size_t n = 1 << 12; n <= largest; n *= 4) {
      int repetitions = n > 1 << 24 && o->repetitions > 7 ? 7
                                                          : o->repetitions;
      for (int pass = -2; pass < repetitions; pass++)
        time_cycle(&versions[k], n, &s, pass < 0 ? 0 : pass);
      timing a = {}, t = {}, f = {};
      timing_summarise(&a, s.alloc_us, repetitions);
      timing_summarise(&t, s.touch_us, repetitions);
      timing_summarise(&f, s.free_us, repetitions);
      if (o->csv)
        printf("%s,%zu,%d,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f\n",
               versions[k].name, n, repetitions, a.median_us, a.spread_us,
               t.median_us, t.spread_us, f.median_us, f.spread_us,
               a.median_us + t.median_us + f.median_us);
      else
        printf("%-16s %12zu %12.2f %12.2f %12.2f\n", versions[k].name, n,
               a.median_us, t.median_us, f.median_us);
    }
    pool_keeps(0);
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "what it costs to get memory",
                            "allocation", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && (o.size[0] < 4096 ||
                                           o.size[0] > (size_t)1 << 32)))
    options_fail(&o, "--size must be one number, 2^12 to 2^32");
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
