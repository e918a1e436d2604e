/* One kernel, and the whole way around it: data that begin in the host's
 * memory, and results that the host reads.  What changes from version to
 * version is how they get to the kernel. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"
#include "transfers/kinds.h"

enum { BLOCK_THREADS = 256, MAX_REPETITIONS = 1000 };
static const float factor = 1.5f;

/* ---- CPU reference ---- */

// begin reference
static void scale_on_host(float *y, const float *x, float factor, size_t n)
{
  for (size_t i = 0; i < n; i++)
    y[i] = factor * x[i];
}
// end reference

/* ---- the kernel, the same for all ---- */

// begin scale
__global__ void scale(float *y, const float *x, float factor, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = factor * x[i];
}
// end scale

static void launch(float *y, const float *x, size_t n)
{
  size_t n_blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  if (n > 0)
    scale<<<(unsigned)n_blocks, BLOCK_THREADS>>>(y, x, factor, n);
  CUDA_CHECK_LAUNCH();
}

/* ---- the ways ---- */

/* Two vectors where the host has them, and two on the device. */
typedef struct {
  float *x, *y;
  float *d_x, *d_y;     /* NULL for versions that need none */
  size_t n;
} vectors;

// begin with_copies
static void with_copies(vectors v)
{
  size_t n_bytes = v.n * sizeof(float);
  CUDA_CHECK(cudaMemcpy(v.d_x, v.x, n_bytes, cudaMemcpyHostToDevice));
  launch(v.d_y, v.d_x, v.n);
  CUDA_CHECK(cudaMemcpy(v.y, v.d_y, n_bytes, cudaMemcpyDeviceToHost));
}
// end with_copies

// begin with_malloc
/* As with_copies, and allocates what it needs on the device each time. */
static void with_malloc(vectors v)
{
  size_t n_bytes = v.n * sizeof(float);
  CUDA_CHECK(cudaMalloc(&v.d_x, n_bytes));
  CUDA_CHECK(cudaMalloc(&v.d_y, n_bytes));
  with_copies(v);
  CUDA_CHECK(cudaFree(v.d_x));
  CUDA_CHECK(cudaFree(v.d_y));
}
// end with_malloc

// begin with_pool
/* Everything is queued in one stream, the allocations too. */
static void with_pool(vectors v)
{
  size_t n_bytes = v.n * sizeof(float);
  cudaStream_t stream = 0;
  CUDA_CHECK(cudaMallocAsync(&v.d_x, n_bytes, stream));
  CUDA_CHECK(cudaMallocAsync(&v.d_y, n_bytes, stream));
  CUDA_CHECK(cudaMemcpyAsync(v.d_x, v.x, n_bytes, cudaMemcpyHostToDevice,
                             stream));
  launch(v.d_y, v.d_x, v.n);
  CUDA_CHECK(cudaMemcpyAsync(v.y, v.d_y, n_bytes, cudaMemcpyDeviceToHost,
                             stream));
  CUDA_CHECK(cudaFreeAsync(v.d_x, stream));
  CUDA_CHECK(cudaFreeAsync(v.d_y, stream));
  CUDA_CHECK(cudaStreamSynchronize(stream));
}
// end with_pool

// begin in_place
/* The kernel gets the host's pointers.  Then wait: nothing else does. */
static void in_place(vectors v)
{
  launch(v.y, v.x, v.n);
  CUDA_CHECK(cudaDeviceSynchronize());
}
// end in_place

static cudaMemLocation location(cudaMemLocationType type)
{
  cudaMemLocation where;
  where.type = type;
  where.id = 0;
  if (type == cudaMemLocationTypeDevice)
    CUDA_CHECK(cudaGetDevice(&where.id));
  return where;
}

// begin with_prefetch
/* Both arrays are there before the kernel needs them, and the result is
 * back before the host reads it. */
static void with_prefetch(vectors v)
{
  size_t n_bytes = v.n * sizeof(float);
  cudaMemLocation device = location(cudaMemLocationTypeDevice);
  cudaMemLocation host = location(cudaMemLocationTypeHost);
  CUDA_CHECK(cudaMemPrefetchAsync(v.x, n_bytes, device, 0, 0));
  CUDA_CHECK(cudaMemPrefetchAsync(v.y, n_bytes, device, 0, 0));
  launch(v.y, v.x, v.n);
  CUDA_CHECK(cudaMemPrefetchAsync(v.y, n_bytes, host, 0, 0));
  CUDA_CHECK(cudaDeviceSynchronize());
}
// end with_prefetch

// begin advise
/* Said once: both live on the host, and the device has them mapped. */
static void advise(vectors v)
{
  size_t n_bytes = v.n * sizeof(float);
  cudaMemLocation device = location(cudaMemLocationTypeDevice);
  cudaMemLocation host = location(cudaMemLocationTypeHost);
  float *both[] = {v.x, v.y};
  for (int k = 0; k < 2; k++) {
    CUDA_CHECK(cudaMemAdvise(both[k], n_bytes,
                             cudaMemAdviseSetPreferredLocation, host));
    CUDA_CHECK(cudaMemAdvise(both[k], n_bytes, cudaMemAdviseSetAccessedBy,
                             device));
  }
}
// end advise

typedef struct {
  const char *name;
  const char *idea;
  const char *kind;     /* of the host's vectors */
  void (*run)(vectors);
  int on_device;        /* needs vectors there, too */
  void (*before)(vectors);
} version;

static const version versions[] = {
  {"pageable", "copies from malloc's memory", "pageable", with_copies, 1,
   NULL},
  {"pinned", "copies from pinned memory", "pinned", with_copies, 1, NULL},
  {"pinned_malloc", "the same, with cudaMalloc each time", "pinned",
   with_malloc, 0, NULL},
  {"pinned_pool", "the same, with cudaMallocAsync each time", "pinned",
   with_pool, 0, NULL},
  {"mapped", "no copies: the kernel reads the host's memory", "mapped",
   in_place, 0, NULL},
  {"managed", "no copies: pages move when touched", "managed", in_place, 0,
   NULL},
  {"prefetch", "managed, told ahead", "managed", with_prefetch, 0, NULL},
  {"advised", "managed, told to stay on the host", "managed", in_place, 0,
   advise},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static vectors vectors_new(const version *v, size_t n, size_t guard_bytes)
{
  const memory_kind *kind = kind_named(v->kind);
  size_t n_bytes = n * sizeof(float) + guard_bytes;
  vectors made;
  memset(&made, 0, sizeof made);
  made.n = n;
  made.x = (float *)kind->allocate(n_bytes + 1);
  made.y = (float *)kind->allocate(n_bytes + 1);
  if (v->on_device) {
    made.d_x = (float *)allocate_device(n_bytes + 1);
    made.d_y = (float *)allocate_device(n_bytes + 1);
  }
  if (v->before && n > 0)
    v->before(made);
  return made;
}

static void vectors_free(const version *v, vectors made)
{
  const memory_kind *kind = kind_named(v->kind);
  kind->release(made.x);
  kind->release(made.y);
  if (v->on_device) {
    release_device(made.d_x);
    release_device(made.d_y);
  }
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, size_t n)
{
  size_t n_bytes = n * sizeof(float);
  float *h_expected = (float *)allocate_pageable(n_bytes + 1);
  vectors made = vectors_new(v, n, GUARD_BYTES);
  char what[64];
  random_fill_floats(random, made.x, n);
  scale_on_host(h_expected, made.x, factor, n);
  poison_host(made.y, n_bytes + GUARD_BYTES);
  if (n > 0)
    v->run(made);
  snprintf(what, sizeof what, "%s, n = %zu", v->name, n);
  int right = compare_floats(what, h_expected, made.y, n) &
              compare_guard(what, (char *)made.y + n_bytes, GUARD_BYTES);
  vectors_free(v, made);
  free(h_expected);
  return right;
}

static int check(const options *o)
{
  static const size_t sizes[] = {0, 1, 255, 256, 257, 1000, 70001};
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

/* ---- count ---- */

static int count(const options *o)
{
  size_t n = memory_length(o, 1024, 2 * sizeof(float));
  random_source random = random_from_seed(1);
  printf("version,n_elems\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(o, versions[k].name))
      continue;
    vectors made = vectors_new(&versions[k], n, 0);
    random_fill_floats(&random, made.x, n);
    versions[k].run(made);
    vectors_free(&versions[k], made);
    printf("%s,%zu\n", versions[k].name, n);
  }
  return EXIT_SUCCESS;
}

/* ---- experiment `size` ---- */

// begin time_way
/* The host has just written x; it is done when it has read all of y. */
static double time_way(const version *v, vectors made, unsigned *sum)
{
  const unsigned *y_bits = (const unsigned *)made.y;  /* quick to add up */
  unsigned read = 0;
  for (size_t i = 0; i < made.n; i++)
    made.x[i] = (float)(i & 1023);
  CUDA_CHECK(cudaDeviceSynchronize());
  double start = timing_host_us();
  v->run(made);
  for (size_t i = 0; i < made.n; i++)
    read += y_bits[i];
  *sum += read;
  return timing_host_us() - start;
}
// end time_way

static void keep_pool(void)
{
  cudaMemPool_t pool;
  int device;
  uint64_t all = UINT64_MAX;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, device));
  CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
                                     &all));
}

static timing measure_way(const version *v, size_t n, int repetitions)
{
  static double us[MAX_REPETITIONS];
  vectors made = vectors_new(v, n, 0);
  unsigned sum = 1;
  timing t = {};
  for (int pass = -TIMING_WARM_UP; pass < repetitions; pass++) {
    double time_us = time_way(v, made, &sum);
    if (pass >= 0)
      us[pass] = time_us;
  }
  if (sum == 0)         /* so that the compiler must keep the reading */
    fprintf(stderr, "the sum is 0\n");
  vectors_free(v, made);
  timing_summarise(&t, us, repetitions);
  return t;
}

static void measure_sizes(const options *o)
{
  size_t largest = memory_length(o, (size_t)1 << 25, 2 * sizeof(float));
  printf("version,n_elems,repetitions,time_us,spread_us\n");
  for (int k = 0; k < N_VERSIONS; k++)
    for (size_t n = 1 << 8; n <= largest && options_wants(o, versions[k].name);
         n *= 2) {
      int repetitions = n > 1 << 21 && o->repetitions > 7 ? 7
                                                          : o->repetitions;
      timing t = measure_way(&versions[k], n, repetitions);
      printf("%s,%zu,%d,%.3f,%.3f\n", versions[k].name, n, repetitions,
             t.median_us, t.spread_us);
      fflush(stdout);
    }
}

/* ---- experiment `passes`: how often does the kernel read its input? ---- */

__global__ void add_scaled(float *y, const float *x, float factor, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += factor * x[i];
}

/* `passes` kernels over an input that begins on the host; the sum stays on
 * the device. */
static double time_passes(const version *v, vectors made, float *d_sum,
                          int passes)
{
  size_t n_bytes = made.n * sizeof(float);
  size_t n_blocks = (made.n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  const float *x = v->on_device ? made.d_x : made.x;
  for (size_t i = 0; i < made.n; i++)
    made.x[i] = (float)(i & 1023);
  CUDA_CHECK(cudaDeviceSynchronize());
  double start = timing_host_us();
  if (v->on_device)
    CUDA_CHECK(cudaMemcpy(made.d_x, made.x, n_bytes,
                          cudaMemcpyHostToDevice));
  if (v->run == with_prefetch)
    CUDA_CHECK(cudaMemPrefetchAsync(made.x, n_bytes,
                                    location(cudaMemLocationTypeDevice), 0,
                                    0));
  for (int pass = 0; pass < passes; pass++)
    add_scaled<<<(unsigned)n_blocks, BLOCK_THREADS>>>(d_sum, x, factor,
                                                      made.n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  return timing_host_us() - start;
}

static void measure_passes(const options *o)
{
  static const char *const names[] = {"pageable", "pinned", "mapped",
                                      "managed", "prefetch"};
  static double us[MAX_REPETITIONS];
  size_t n = memory_length(o, (size_t)1 << 24, 3 * sizeof(float));
  int repetitions = o->repetitions < 7 ? o->repetitions : 7;
  float *d_sum = (float *)allocate_device(n * sizeof(float));
  CUDA_CHECK(cudaMemset(d_sum, 0, n * sizeof(float)));
  printf("version,n_elems,n_passes,repetitions,time_us,spread_us\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    int wanted = 0;
    for (int w = 0; w < 5; w++)
      wanted |= strcmp(versions[k].name, names[w]) == 0;
    if (!wanted || !options_wants(o, versions[k].name))
      continue;
    vectors made = vectors_new(&versions[k], n, 0);
    for (int passes = 1; passes <= 64; passes *= 2) {
      timing t = {};
      for (int pass = -1; pass < repetitions; pass++) {
        double time_us = time_passes(&versions[k], made, d_sum, passes);
        if (pass >= 0)
          us[pass] = time_us;
      }
      timing_summarise(&t, us, repetitions);
      printf("%s,%zu,%d,%d,%.3f,%.3f\n", versions[k].name, n, passes,
             repetitions, t.median_us, t.spread_us);
    }
    vectors_free(&versions[k], made);
  }
  release_device(d_sum);
}

static void print_times(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 24, 2 * sizeof(float));
  timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name))
      timing_print_row(versions[k].name,
                       measure_way(&versions[k], n, o->repetitions),
                       2.0 * n * sizeof(float));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "one kernel and its data's way",
                            "size,passes", "count");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && (o.size[0] < 1 ||
                                           o.size[0] > (size_t)1 << 28)))
    options_fail(&o, "--size must be one number, 1 to 2^28");
  if (o.count)
    return count(&o);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  keep_pool();
  if (!o.csv)
    print_times(&o);
  else if (strcmp(o.csv, "size") == 0)
    measure_sizes(&o);
  else
    measure_passes(&o);
  return EXIT_SUCCESS;
}
