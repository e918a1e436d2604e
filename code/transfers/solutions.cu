/* Solutions to the exercises: both directions at once, and many small
 * arrays. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"
#include "transfers/kinds.h"

enum { MAX_REPETITIONS = 1000, N_ARRAYS = 1024 };

/* Pinned memory on the host and memory on the device, both halved: one half
 * for what goes in, one for what comes out; and a stream for each. */
typedef struct {
  char *h_in, *h_out, *d_in, *d_out;
  cudaStream_t in, out;
  size_t n_bytes;
} ends;

// begin duplex
static void in_alone(ends e)
{
  CUDA_CHECK(cudaMemcpyAsync(e.d_in, e.h_in, e.n_bytes,
                             cudaMemcpyHostToDevice, e.in));
}

static void out_alone(ends e)
{
  CUDA_CHECK(cudaMemcpyAsync(e.h_out, e.d_out, e.n_bytes,
                             cudaMemcpyDeviceToHost, e.out));
}

static void both(ends e)
{
  in_alone(e);
  out_alone(e);
}
// end duplex

static void one_after_the_other(ends e)
{
  e.out = e.in;
  in_alone(e);
  out_alone(e);
}

// begin small
/* N_ARRAYS arrays, a call for each. */
static void call_for_each(ends e)
{
  size_t some = e.n_bytes / N_ARRAYS;
  for (size_t k = 0; k < N_ARRAYS; k++)
    CUDA_CHECK(cudaMemcpyAsync(e.d_in + k * some, e.h_in + k * some, some,
                               cudaMemcpyHostToDevice, e.in));
}

/* Packed first, by the CPU, into one piece of pinned memory. */
static void packed(ends e)
{
  size_t some = e.n_bytes / N_ARRAYS;
  for (size_t k = 0; k < N_ARRAYS; k++)
    memcpy(e.h_out + k * some, e.h_in + k * some, some);
  CUDA_CHECK(cudaMemcpyAsync(e.d_in, e.h_out, e.n_bytes,
                             cudaMemcpyHostToDevice, e.in));
}
// end small

typedef struct {
  const char *name;
  const char *idea;
  void (*run)(ends);
  int moves_in, moves_out;
  int is_small;         /* many small arrays */
} version;

static const version versions[] = {
  {"in", "host to device alone", in_alone, 1, 0, 0},
  {"out", "device to host alone", out_alone, 0, 1, 0},
  {"in_then_out", "both in one stream", one_after_the_other, 1, 1, 0},
  {"both", "both at once, in two streams", both, 1, 1, 0},
  {"call_for_each", "1024 small arrays, a call for each", call_for_each, 1,
   0, 1},
  {"packed", "1024 small arrays, packed and then copied", packed, 1, 0, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static ends ends_new(size_t n_bytes, random_source *random)
{
  ends e;
  e.n_bytes = n_bytes;
  e.h_in = (char *)allocate_pinned(n_bytes);
  e.h_out = (char *)allocate_pinned(n_bytes + GUARD_BYTES);
  e.d_in = (char *)allocate_device(n_bytes + GUARD_BYTES);
  e.d_out = (char *)allocate_device(n_bytes);
  CUDA_CHECK(cudaStreamCreateWithFlags(&e.in, cudaStreamNonBlocking));
  CUDA_CHECK(cudaStreamCreateWithFlags(&e.out, cudaStreamNonBlocking));
  random_fill_bytes(random, e.h_in, n_bytes);
  CUDA_CHECK(cudaMemcpy(e.d_out, e.h_in, n_bytes, cudaMemcpyHostToDevice));
  return e;
}

static void ends_free(ends e)
{
  release_pinned(e.h_in);
  release_pinned(e.h_out);
  release_device(e.d_in);
  release_device(e.d_out);
  CUDA_CHECK(cudaStreamDestroy(e.in));
  CUDA_CHECK(cudaStreamDestroy(e.out));
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random,
                      size_t n_bytes)
{
  size_t room = n_bytes + GUARD_BYTES;
  ends e = ends_new(n_bytes, random);
  char *h_got = (char *)allocate_pageable(room);
  int right = 1;
  poison_host(e.h_out, room);
  poison_device(e.d_in, room);
  CUDA_CHECK(cudaDeviceSynchronize());
  v->run(e);
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(h_got, e.d_in, room, cudaMemcpyDeviceToHost));
  if (v->moves_in)
    right &= compare_bytes(v->name, e.h_in, h_got, n_bytes) &
             compare_guard(v->name, h_got + n_bytes, GUARD_BYTES);
  if (v->moves_out)
    right &= compare_bytes(v->name, e.h_in, e.h_out, n_bytes) &
             compare_guard(v->name, e.h_out + n_bytes, GUARD_BYTES);
  ends_free(e);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const size_t sizes[] = {N_ARRAYS, 3 * N_ARRAYS, 64 * N_ARRAYS};
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

static timing time_version(const version *v, ends e, int repetitions)
{
  static double us[MAX_REPETITIONS];
  timing t = {};
  for (int pass = -TIMING_WARM_UP; pass < repetitions; pass++) {
    CUDA_CHECK(cudaDeviceSynchronize());
    double start = timing_host_us();
    v->run(e);
    CUDA_CHECK(cudaDeviceSynchronize());
    if (pass >= 0)
      us[pass] = timing_host_us() - start;
  }
  timing_summarise(&t, us, repetitions);
  return t;
}

/* duplex: one size.  small: 1024 arrays of 64 bytes to 256 KiB. */
static void measure(const options *o, int is_small)
{
  size_t n_bytes = memory_length(o, (size_t)1 << 28, 2);
  random_source random = random_from_seed(1);
  ends e = ends_new(n_bytes, &random);
  printf("version,n_bytes,time_us,spread_us,gb_per_s\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    if (v->is_small != is_small || !options_wants(o, v->name))
      continue;
    for (e.n_bytes = is_small ? 64 * N_ARRAYS : n_bytes; e.n_bytes <= n_bytes;
         e.n_bytes *= 4) {
      timing t = time_version(v, e, o->repetitions);
      double moved = (double)e.n_bytes * (v->moves_in + v->moves_out);
      printf("%s,%zu,%.3f,%.3f,%.3f\n", v->name, e.n_bytes, t.median_us,
             t.spread_us, timing_gb_per_s(moved, t.median_us));
    }
  }
  ends_free(e);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "exercises about transfers",
                            "duplex,small", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && (o.size[0] < 65536 ||
                                           o.size[0] > (size_t)1 << 30)))
    options_fail(&o, "--size must be one number, 2^16 to 2^30");
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o, o.csv && strcmp(o.csv, "small") == 0);
  return EXIT_SUCCESS;
}
