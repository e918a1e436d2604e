/* Two pieces of work that do not need each other: alone, and at once. The
 * five pairs are the five kinds of concurrency that a GPU offers.
 *
 *   nvcc -I code code/streams/five_kinds.cu -o five_kinds && ./five_kinds */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum {
  BLOCK_THREADS = 256,
  FULL_WAVES = 8,             /* rounds of blocks that a full kernel has */
  MAX_REPETITIONS = 1000
};

/* ---- reference ---- */

__host__ __device__ static inline float orbit(float x, int n_rounds)
{
  for (int round = 0; round < n_rounds; round++)
    x = fmaf(x, x, -0.75f);
  return x;
}

/* ---- kernel: a grid of any size, each thread several elements ---- */

__global__ void follow(float *d_x, size_t n, int n_rounds)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step)
    d_x[i] = orbit(d_x[i], n_rounds);
}

/* ---- pieces of work ---- */

typedef struct {
  size_t n;                 /* elements of a copy */
  size_t n_kernel;          /* elements of a kernel */
  int n_rounds;             /* of a kernel, each element */
  int cpu_rounds;           /* of the host's loop */
  float *h_in, *h_out;      /* pinned */
  float *d_in, *d_out;
  float *d_x[2];            /* one for each kernel */
  float cpu_result;
} data;

static void kernel_of(data *d, int which, int blocks, cudaStream_t stream)
{
  follow<<<blocks, BLOCK_THREADS, 0, stream>>>(d->d_x[which], d->n_kernel,
                                               d->n_rounds);
  CUDA_CHECK_LAUNCH();
}

static int n_multiprocessors(void)
{
  return device_properties()->multiProcessorCount;
}

/* A quarter of the GPU's multiprocessors, one block each. */
static void small_kernel(data *d, int which, cudaStream_t stream)
{
  int blocks = n_multiprocessors() / 4;
  kernel_of(d, which, blocks > 0 ? blocks : 1, stream);
}

/* More blocks than fit at once. */
static void full_kernel(data *d, int which, cudaStream_t stream)
{
  kernel_of(d, which, FULL_WAVES * 8 * n_multiprocessors(), stream);
}

static void copy_in(data *d, int, cudaStream_t stream)
{
  CUDA_CHECK(cudaMemcpyAsync(d->d_in, d->h_in, d->n * sizeof(float),
                             cudaMemcpyHostToDevice, stream));
}

static void copy_out(data *d, int, cudaStream_t stream)
{
  CUDA_CHECK(cudaMemcpyAsync(d->h_out, d->d_out, d->n * sizeof(float),
                             cudaMemcpyDeviceToHost, stream));
}

static void cpu_loop(data *d, int, cudaStream_t)
{
  d->cpu_result = orbit(0.5f, d->cpu_rounds);
}

typedef struct {
  const char *name;
  const char *idea;
  void (*first)(data *d, int which, cudaStream_t stream);
  void (*second)(data *d, int which, cudaStream_t stream);
} version;

static const version versions[] = {
  {"cpu_kernel", "the CPU and a kernel", small_kernel, cpu_loop},
  {"cpu_copy", "the CPU and a copy", copy_in, cpu_loop},
  {"copy_kernel", "a copy and a kernel", copy_in, small_kernel},
  {"in_out", "a copy in and a copy out", copy_in, copy_out},
  {"two_kernels", "two kernels, a quarter of the GPU each", small_kernel,
   small_kernel},
  {"two_full", "two kernels, more blocks than fit", full_kernel, full_kernel},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

// begin at_once
/* Both are issued before anything is waited for. Calls that concern the GPU
 * return at once; what the CPU does itself comes last. */
static void at_once(const version *v, data *d, const cudaStream_t streams[2])
{
  v->first(d, 0, streams[0]);
  v->second(d, 1, streams[1]);
  CUDA_CHECK(cudaDeviceSynchronize());
}
// end at_once

static data data_new(size_t n, size_t n_kernel)
{
  data d = {};
  d.n = n;
  d.n_kernel = n_kernel;
  CUDA_CHECK(cudaMallocHost(&d.h_in, n * sizeof(float)));
  CUDA_CHECK(cudaMallocHost(&d.h_out, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d.d_in, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d.d_out, n * sizeof(float)));
  for (int k = 0; k < 2; k++)
    CUDA_CHECK(cudaMalloc(&d.d_x[k], n_kernel * sizeof(float)));
  return d;
}

static void data_free(data *d)
{
  CUDA_CHECK(cudaFreeHost(d->h_in));
  CUDA_CHECK(cudaFreeHost(d->h_out));
  CUDA_CHECK(cudaFree(d->d_in));
  CUDA_CHECK(cudaFree(d->d_out));
  for (int k = 0; k < 2; k++)
    CUDA_CHECK(cudaFree(d->d_x[k]));
}

/* ---- check: both results are right when both are done at once ---- */

/* Was `work` part of this version, and did it leave `h_expected`? */
static int check_part(const version *v, const char *part, const float *d_got,
                      const float *h_expected, size_t n)
{
  float *h_got = (float *)malloc(n * sizeof(float));
  char what[64];
  CUDA_CHECK(cudaMemcpy(h_got, d_got, n * sizeof(float), cudaMemcpyDefault));
  snprintf(what, sizeof what, "%s: %s", v->name, part);
  int right = compare_floats(what, h_expected, h_got, n);
  free(h_got);
  return right;
}

static int has(const version *v, void (*part)(data *, int, cudaStream_t))
{
  return v->first == part || v->second == part;
}

static int check_version(const version *v, random_source *random)
{
  enum { N = 5000, ROUNDS = 7 };
  static float h_x[N], h_orbits[N], h_other[N];
  data d = data_new(N, N);
  cudaStream_t streams[2];
  int right = 1;
  random_fill_floats(random, h_x, N);
  for (int i = 0; i < N; i++) {
    h_orbits[i] = orbit(h_x[i], ROUNDS);
    h_other[i] = -h_x[i];
  }
  memcpy(d.h_in, h_x, sizeof h_x);
  poison_host(d.h_out, sizeof h_x);
  poison_device(d.d_in, sizeof h_x);
  CUDA_CHECK(cudaMemcpy(d.d_out, h_other, sizeof h_x,
                        cudaMemcpyHostToDevice));
  for (int k = 0; k < 2; k++) {
    CUDA_CHECK(cudaMemcpy(d.d_x[k], h_x, sizeof h_x, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking));
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  d.n_rounds = d.cpu_rounds = ROUNDS;
  at_once(v, &d, streams);
  if (has(v, copy_in))
    right &= check_part(v, "copy in", d.d_in, h_x, N);
  if (has(v, copy_out))
    right &= check_part(v, "copy out", d.h_out, h_other, N);
  if (v->first == small_kernel || v->first == full_kernel)
    right &= check_part(v, "first kernel", d.d_x[0], h_orbits, N);
  if (v->second == small_kernel || v->second == full_kernel)
    right &= check_part(v, "second kernel", d.d_x[1], h_orbits, N);
  for (int k = 0; k < 2; k++)
    CUDA_CHECK(cudaStreamDestroy(streams[k]));
  data_free(&d);
  return right;
}

static int check(const options *o)
{
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name))
      right &= check_version(&versions[k], &random);
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- measurement ---- */

static double time_one(void (*work)(data *, int, cudaStream_t), data *d,
                       int which, cudaStream_t stream)
{
  CUDA_CHECK(cudaDeviceSynchronize());
  double start = timing_host_us();
  work(d, which, stream);
  CUDA_CHECK(cudaDeviceSynchronize());
  return timing_host_us() - start;
}

static double time_both(const version *v, data *d,
                        const cudaStream_t streams[2])
{
  CUDA_CHECK(cudaDeviceSynchronize());
  double start = timing_host_us();
  at_once(v, d, streams);
  return timing_host_us() - start;
}

/* Rounds after which the work takes about so long. */
static int rounds_for(void (*work)(data *, int, cudaStream_t), data *d,
                      int *rounds, cudaStream_t stream, double wanted_us)
{
  for (*rounds = 64; *rounds < 1 << 28; *rounds *= 2) {
    double us = time_one(work, d, 0, stream);
    if (us > 0.25 * wanted_us)
      return *rounds = (int)(*rounds * (wanted_us / us)) + 1;
  }
  return *rounds;
}

static void measure(const options *o)
{
  static double us[3][MAX_REPETITIONS];
  size_t n = memory_length(o, (size_t)1 << 25, 6 * sizeof(float));
  data d = data_new(n, n);
  cudaStream_t streams[2];
  for (int k = 0; k < 2; k++) {
    CUDA_CHECK(cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking));
    CUDA_CHECK(cudaMemset(d.d_x[k], 0, n * sizeof(float)));
  }
  memset(d.h_in, 0, n * sizeof(float));
  memset(d.h_out, 0, n * sizeof(float));
  time_one(copy_in, &d, 0, streams[0]);
  double wanted_us = time_one(copy_in, &d, 0, streams[0]);
  rounds_for(cpu_loop, &d, &d.cpu_rounds, streams[0], wanted_us);
  if (o->csv)
    printf("version,n_elems,repetitions,first_us,second_us,both_us,"
           "spread_us,overlap\n");
  else
    printf("%-14s %10s %10s %10s\n", "version", "first us", "second us",
           "both us");
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    timing t[3] = {};
    if (!options_wants(o, v->name))
      continue;
    d.n_kernel = v->first == full_kernel ? n : n / 64;
    if (has(v, small_kernel) || has(v, full_kernel))
      rounds_for(has(v, full_kernel) ? full_kernel : small_kernel, &d,
                 &d.n_rounds, streams[0], wanted_us);
    for (int pass = -1; pass < o->repetitions; pass++) {
      double first = time_one(v->first, &d, 0, streams[0]);
      double second = time_one(v->second, &d, 1, streams[1]);
      double both = time_both(v, &d, streams);
      if (pass >= 0) {
        us[0][pass] = first;
        us[1][pass] = second;
        us[2][pass] = both;
      }
    }
    for (int i = 0; i < 3; i++)
      timing_summarise(&t[i], us[i], o->repetitions);
    /* 1: the shorter one is hidden altogether; 0: one after the other. */
    double shorter = fmin(t[0].median_us, t[1].median_us);
    double overlap = (t[0].median_us + t[1].median_us - t[2].median_us) /
                     shorter;
    if (o->csv)
      printf("%s,%zu,%d,%.2f,%.2f,%.2f,%.2f,%.4f\n", v->name, n,
             o->repetitions, t[0].median_us, t[1].median_us, t[2].median_us,
             t[2].spread_us, overlap);
    else
      printf("%-14s %10.1f %10.1f %10.1f\n", v->name, t[0].median_us,
             t[1].median_us, t[2].median_us);
  }
  for (int k = 0; k < 2; k++)
    CUDA_CHECK(cudaStreamDestroy(streams[k]));
  data_free(&d);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "two things at once", "five_kinds",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
