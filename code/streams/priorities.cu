/* A kernel of many blocks fills the GPU. How long does a small one, issued
 * meanwhile, wait for its turn?
 *
 *   nvcc -I code code/streams/priorities.cu -o priorities && ./priorities */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "streams/timeline.h"

enum { BLOCK_THREADS = 256, MAX_REPETITIONS = 1000 };

/* ---- kernels ---- */

/* Each block keeps its place on a multiprocessor for so long. */
__global__ void occupy(int *d_n_blocks, int block_ns)
{
  unsigned long long start = timeline_now();
  if (threadIdx.x == 0)
    atomicAdd(d_n_blocks, 1);
  while (timeline_now() - start < block_ns)
    ;
}

__global__ void urgent(int *d_y, const int *d_x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d_y[i] = d_x[i] + 1;
}

typedef struct {
  cudaStream_t background, foreground;
  int *d_n_blocks, *d_x, *d_y;
  int n;
} scene;

// begin streams
static void create_streams(scene *s, int with_priority)
{
  int least, greatest;
  CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CUDA_CHECK(cudaStreamCreateWithPriority(
      &s->background, cudaStreamNonBlocking, least));
  CUDA_CHECK(cudaStreamCreateWithPriority(
      &s->foreground, cudaStreamNonBlocking,
      with_priority ? greatest : least));
}
// end streams

typedef struct {
  const char *name;
  const char *idea;
  int with_priority;
  int with_background;
} version;

static const version versions[] = {
  {"alone", "nothing else runs", 0, 0},
  {"equal", "both streams have the least priority", 0, 1},
  {"high", "the small kernel's stream has the greatest", 1, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static scene scene_new(const version *v, int n)
{
  scene s = {};
  s.n = n;
  create_streams(&s, v->with_priority);
  CUDA_CHECK(cudaMalloc(&s.d_n_blocks, sizeof(int)));
  CUDA_CHECK(cudaMalloc(&s.d_x, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&s.d_y, n * sizeof(int)));
  CUDA_CHECK(cudaMemset(s.d_n_blocks, 0, sizeof(int)));
  CUDA_CHECK(cudaMemset(s.d_x, 0, n * sizeof(int)));
  return s;
}

static void scene_free(scene *s)
{
  CUDA_CHECK(cudaStreamDestroy(s->background));
  CUDA_CHECK(cudaStreamDestroy(s->foreground));
  CUDA_CHECK(cudaFree(s->d_n_blocks));
  CUDA_CHECK(cudaFree(s->d_x));
  CUDA_CHECK(cudaFree(s->d_y));
}

/* ---- check ---- */

static int check_version(const version *v, random_source *random)
{
  enum { N = 1000, N_BLOCKS = 40 };
  static int h_x[N], h_expected[N], h_got[N];
  scene s = scene_new(v, N);
  int least, greatest, got, n_blocks;
  for (int i = 0; i < N; i++) {
    h_x[i] = (int)(random_bits(random) >> 40);
    h_expected[i] = h_x[i] + 1;
  }
  CUDA_CHECK(cudaMemcpy(s.d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice));
  poison_device(s.d_y, sizeof h_x);
  CUDA_CHECK(cudaDeviceSynchronize());
  occupy<<<N_BLOCKS, BLOCK_THREADS, 0, s.background>>>(s.d_n_blocks, 1000);
  urgent<<<(N + BLOCK_THREADS - 1) / BLOCK_THREADS, BLOCK_THREADS, 0,
           s.foreground>>>(s.d_y, s.d_x, N);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(h_got, s.d_y, sizeof h_got, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(&n_blocks, s.d_n_blocks, sizeof n_blocks,
                        cudaMemcpyDeviceToHost));
  int right = compare_ints(v->name, h_expected, h_got, N);
  if (n_blocks != N_BLOCKS) {
    fprintf(stderr, "%s: error: %d blocks ran instead of %d\n", v->name,
            n_blocks, N_BLOCKS);
    right = 0;
  }
  CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CUDA_CHECK(cudaStreamGetPriority(s.foreground, &got));
  if (got != (v->with_priority ? greatest : least)) {
    fprintf(stderr, "%s: error: the priority is %d\n", v->name, got);
    right = 0;
  }
  scene_free(&s);
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

/* The whole background takes about 20 ms, whatever its blocks take. The small
 * kernel is issued while they run: `phase` says how far through a block, from
 * 0 to 1. */
static double time_urgent(const scene *s, const version *v, int block_us,
                          double phase)
{
  const cudaDeviceProp *p = device_properties();
  int at_once = p->multiProcessorCount *
                (p->maxThreadsPerMultiProcessor / BLOCK_THREADS);
  int waves = 20000 / block_us > 4 ? 20000 / block_us : 4;
  double begin, start, us;
  CUDA_CHECK(cudaDeviceSynchronize());
  begin = timing_host_us();
  if (v->with_background)
    occupy<<<at_once * waves, BLOCK_THREADS, 0, s->background>>>(
        s->d_n_blocks, 1000 * block_us);
  while (timing_host_us() - begin < 1000.0 + phase * block_us)
    ;
  start = timing_host_us();
  urgent<<<1, BLOCK_THREADS, 0, s->foreground>>>(s->d_y, s->d_x, s->n);
  CUDA_CHECK(cudaStreamSynchronize(s->foreground));
  us = timing_host_us() - start;
  CUDA_CHECK(cudaDeviceSynchronize());
  return us;
}

static void measure(const options *o)
{
  static double us[MAX_REPETITIONS];
  if (o->csv)
    printf("version,block_us,repetitions,wait_us,spread_us,longest_us\n");
  else
    printf("%-10s %10s %12s %12s\n", "version", "block us", "wait us",
           "longest us");
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(o, versions[k].name))
      continue;
    scene s = scene_new(&versions[k], BLOCK_THREADS);
    for (int block_us = 10; block_us <= 10000; block_us *= 10) {
      timing t = {};
      for (int pass = -1; pass < o->repetitions; pass++) {
        double wait = time_urgent(&s, &versions[k], block_us,
                                  (pass + 0.5) / o->repetitions);
        if (pass >= 0)
          us[pass] = wait;
      }
      timing_summarise(&t, us, o->repetitions);    /* sorts them, too */
      if (o->csv)
        printf("%s,%d,%d,%.2f,%.2f,%.2f\n", versions[k].name, block_us,
               o->repetitions, t.median_us, t.spread_us,
               us[o->repetitions - 1]);
      else
        printf("%-10s %10d %12.1f %12.1f\n", versions[k].name, block_us,
               t.median_us, us[o->repetitions - 1]);
    }
    scene_free(&s);
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "streams with a priority",
                            "priorities", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
