/* A kernel of many blocks fills the GPU. How long does a small one, issued
 * meanwhile, wait for its turn? With streams of equal priority, with a high
 * one, and with green contexts, which keep kernels on some of the SMs.
 *
 *   nvcc -I code code/streams/priorities.cu -lcuda -o priorities &&
 *   ./priorities */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "streams/timeline.h"

enum { BLOCK_THREADS = 256, MAX_REPETITIONS = 1000, MASK_WORDS = 8 };

#define DRIVER_CHECK(call) driver_check((call), #call, __LINE__)

static void driver_check(CUresult error, const char *call, int line)
{
  const char *text = "unknown error";
  if (error == CUDA_SUCCESS)
    return;
  cuGetErrorString(error, &text);
  fprintf(stderr, "%s:%d: error: %s: %s\n", __FILE__, line, call, text);
  exit(EXIT_FAILURE);
}

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

/* Which SMs do the blocks of a stream run on? A bit for each. */
__global__ void note_sm(unsigned *d_mask)
{
  unsigned sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  if (threadIdx.x == 0 && sm < 32 * MASK_WORDS)
    atomicOr(&d_mask[sm / 32], 1u << sm % 32);
}

typedef struct {
  cudaStream_t background, foreground;
  CUgreenCtx around_background, around_foreground;    /* or NULL */
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

// begin split
/* As few SMs as a group may have, and all the others. */
static void split_sms(CUdevResource *few, CUdevResource *others)
{
  CUdevResource all;
  unsigned n_groups = 1;
  DRIVER_CHECK(cuDeviceGetDevResource(0, &all, CU_DEV_RESOURCE_TYPE_SM));
  DRIVER_CHECK(cuDevSmResourceSplitByCount(
      few, &n_groups, &all, others, 0, all.sm.minSmPartitionSize));
}
// end split

// begin confined
/* A stream whose kernels stay on these SMs. */
static cudaStream_t confined_stream(CUgreenCtx *context, CUdevResource *sms)
{
  CUdevResourceDesc description;
  CUstream stream;
  DRIVER_CHECK(cuDevResourceGenerateDesc(&description, sms, 1));
  DRIVER_CHECK(cuGreenCtxCreate(context, description, 0,
                                CU_GREEN_CTX_DEFAULT_STREAM));
  DRIVER_CHECK(cuGreenCtxStreamCreate(&stream, *context,
                                      CU_STREAM_NON_BLOCKING, 0));
  return stream;
}
// end confined

typedef struct {
  const char *name;
  const char *idea;
  int with_priority;
  int with_background;
  int background_confined, foreground_confined;
} version;

static const version versions[] = {
  {"alone", "nothing else runs", 0, 0, 0, 0},
  {"equal", "both streams have the least priority", 0, 1, 0, 0},
  {"high", "the small kernel's stream has the greatest", 1, 1, 0, 0},
  {"confine_small", "the small kernel stays on a few SMs", 0, 1, 0, 1},
  {"confine_large", "the large kernel keeps off these SMs", 0, 1, 1, 0},
  {"confine_both", "each has SMs of its own", 0, 1, 1, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* Other streams in place of those that create_streams made. */
static void confine(scene *s, const version *v)
{
  CUdevResource few, others;
  split_sms(&few, &others);
  if (v->background_confined) {
    CUDA_CHECK(cudaStreamDestroy(s->background));
    s->background = confined_stream(&s->around_background, &others);
  }
  if (v->foreground_confined) {
    CUDA_CHECK(cudaStreamDestroy(s->foreground));
    s->foreground = confined_stream(&s->around_foreground, &few);
  }
}

static scene scene_new(const version *v, int n)
{
  scene s = {};
  s.n = n;
  create_streams(&s, v->with_priority);
  if (v->background_confined || v->foreground_confined)
    confine(&s, v);
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
  if (s->around_background)
    DRIVER_CHECK(cuGreenCtxDestroy(s->around_background));
  if (s->around_foreground)
    DRIVER_CHECK(cuGreenCtxDestroy(s->around_foreground));
  CUDA_CHECK(cudaFree(s->d_n_blocks));
  CUDA_CHECK(cudaFree(s->d_x));
  CUDA_CHECK(cudaFree(s->d_y));
}

/* ---- check ---- */

/* The SMs of a stream's blocks. In a green context these must not be more than
 * it has. */
static int check_sms(const char *name, cudaStream_t stream, CUgreenCtx green,
                     unsigned *h_mask)
{
  enum { N_BLOCKS = 2000 };
  CUdevResource sms;
  unsigned *d_mask, n = 0;
  size_t n_bytes = MASK_WORDS * sizeof *h_mask;
  CUDA_CHECK(cudaMalloc(&d_mask, n_bytes));
  CUDA_CHECK(cudaMemsetAsync(d_mask, 0, n_bytes, stream));
  note_sm<<<N_BLOCKS, BLOCK_THREADS, 0, stream>>>(d_mask);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaStreamSynchronize(stream));
  CUDA_CHECK(cudaMemcpy(h_mask, d_mask, n_bytes, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_mask));
  for (int i = 0; i < 32 * MASK_WORDS; i++)
    n += h_mask[i / 32] >> i % 32 & 1;
  if (green == NULL)
    return 1;
  DRIVER_CHECK(cuGreenCtxGetDevResource(green, &sms, CU_DEV_RESOURCE_TYPE_SM));
  if (n > 0 && n <= sms.sm.smCount)
    return 1;
  fprintf(stderr, "%s: error: blocks ran on %u SMs instead of %u\n", name, n,
          sms.sm.smCount);
  return 0;
}

static int check_confined(const version *v, const scene *s)
{
  unsigned large[MASK_WORDS], small[MASK_WORDS];
  int right = check_sms(v->name, s->background, s->around_background, large) &
              check_sms(v->name, s->foreground, s->around_foreground, small);
  for (int i = 0; v->background_confined && v->foreground_confined &&
                  i < MASK_WORDS; i++)
    if (large[i] & small[i]) {
      fprintf(stderr, "%s: error: the kernels share an SM\n", v->name);
      return 0;
    }
  return right;
}

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
  right &= check_confined(v, &s);
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
                          double phase, double *large_us)
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
  *large_us = v->with_background ? timing_host_us() - begin : 0.0;
  return us;
}

static void measure(const options *o)
{
  static double us[MAX_REPETITIONS], large_us[MAX_REPETITIONS];
  if (o->csv)
    printf("version,block_us,repetitions,wait_us,spread_us,longest_us,"
           "large_us\n");
  else
    printf("%-14s %10s %12s %12s %12s\n", "version", "block us", "wait us",
           "longest us", "large us");
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(o, versions[k].name))
      continue;
    scene s = scene_new(&versions[k], BLOCK_THREADS);
    for (int block_us = 10; block_us <= 10000; block_us *= 10) {
      timing t = {}, large = {};
      for (int pass = -1; pass < o->repetitions; pass++) {
        double whole, wait = time_urgent(&s, &versions[k], block_us,
                                         (pass + 0.5) / o->repetitions,
                                         &whole);
        if (pass >= 0) {
          us[pass] = wait;
          large_us[pass] = whole;
        }
      }
      timing_summarise(&t, us, o->repetitions);    /* sorts them, too */
      timing_summarise(&large, large_us, o->repetitions);
      if (o->csv)
        printf("%s,%d,%d,%.2f,%.2f,%.2f,%.2f\n", versions[k].name, block_us,
               o->repetitions, t.median_us, t.spread_us,
               us[o->repetitions - 1], large.median_us);
      else
        printf("%-14s %10d %12.1f %12.1f %12.1f\n", versions[k].name,
               block_us, t.median_us, us[o->repetitions - 1],
               large.median_us);
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
  DRIVER_CHECK(cuInit(0));
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
