/* What it costs to pin memory that is there already, beside what it costs to
 * make the pages come at all. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"
#include "transfers/kinds.h"

enum { PAGE_BYTES = 4096, MAX_REPETITIONS = 1000, BLOCK_THREADS = 256 };

/* ---- the parts ---- */

static void touch(void *memory, size_t n_bytes)
{
  volatile char *h_pages = (volatile char *)memory;
  for (size_t at = 0; at < n_bytes; at += PAGE_BYTES)
    h_pages[at] = 1;
}

static void pin(void *memory, size_t n_bytes)
{
  CUDA_CHECK(cudaHostRegister(memory, n_bytes, cudaHostRegisterDefault));
}

static void unpin(void *memory)
{
  CUDA_CHECK(cudaHostUnregister(memory));
}

typedef struct {
  const char *name;
  const char *idea;
  int touch_first;
} version;

static const version versions[] = {
  {"fresh", "memory that nobody has touched yet", 0},
  {"in_use", "memory that is in use", 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check: a kernel reaches the first byte and the last one ---- */

__global__ void add_one(unsigned char *bytes, size_t n_bytes)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n_bytes;
       i += step)
    bytes[i] += 1;
}

static int check_case(const version *v, random_source *random,
                      size_t n_bytes)
{
  unsigned char *h_expected = (unsigned char *)allocate_pageable(n_bytes);
  unsigned char *h_bytes = (unsigned char *)allocate_pageable(n_bytes);
  random_fill_bytes(random, h_expected, n_bytes);
  if (v->touch_first)
    memcpy(h_bytes, h_expected, n_bytes);
  pin(h_bytes, n_bytes);
  memcpy(h_bytes, h_expected, n_bytes);
  add_one<<<4, BLOCK_THREADS>>>(h_bytes, n_bytes);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  unpin(h_bytes);
  for (size_t i = 0; i < n_bytes; i++)
    h_expected[i] += 1;
  int right = compare_bytes(v->name, h_expected, h_bytes, n_bytes);
  free(h_expected);
  free(h_bytes);
  return right;
}

static int check(const options *o)
{
  static const size_t sizes[] = {1, 4095, 4097, 100003};
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

// begin time_pin
static void time_pin(const version *v, size_t n_bytes, double *pin_us,
                     double *unpin_us)
{
  void *memory = allocate_pageable(n_bytes);
  if (v->touch_first)
    touch(memory, n_bytes);
  double start = timing_host_us();
  pin(memory, n_bytes);
  double pinned = timing_host_us();
  unpin(memory);
  *unpin_us = timing_host_us() - pinned;
  *pin_us = pinned - start;
  free(memory);
}
// end time_pin

static void measure(const options *o)
{
  static double pin_us[MAX_REPETITIONS], unpin_us[MAX_REPETITIONS];
  size_t largest = memory_length(o, (size_t)1 << 30, 1);
  if (o->csv)
    printf("version,n_bytes,repetitions,pin_us,pin_spread_us,unpin_us,"
           "unpin_spread_us\n");
  else
    printf("%-16s %12s %12s %12s\n", "version", "bytes", "pin us",
           "unpin us");
  for (int k = 0; k < N_VERSIONS; k++)
    for (size_t n = 1 << 18; n <= largest && options_wants(o, versions[k].name);
         n *= 4) {
      int repetitions = n > 1 << 26 && o->repetitions > 5 ? 5
                                                          : o->repetitions;
      timing p = {}, u = {};
      for (int pass = -1; pass < repetitions; pass++)
        time_pin(&versions[k], n, &pin_us[pass < 0 ? 0 : pass],
                 &unpin_us[pass < 0 ? 0 : pass]);
      timing_summarise(&p, pin_us, repetitions);
      timing_summarise(&u, unpin_us, repetitions);
      if (o->csv)
        printf("%s,%zu,%d,%.3f,%.3f,%.3f,%.3f\n", versions[k].name, n,
               repetitions, p.median_us, p.spread_us, u.median_us,
               u.spread_us);
      else
        printf("%-16s %12zu %12.2f %12.2f\n", versions[k].name, n,
               p.median_us, u.median_us);
    }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "what it costs to pin memory",
                            "pinning", "");
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
