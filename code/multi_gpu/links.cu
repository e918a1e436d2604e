/* From one GPU's memory to another's, and to the host's: by copy engine and by
 * kernel, one way and both ways at once. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"
#include "multi_gpu/gpus.h"

enum { BLOCK_THREADS = 256, PIECES = 4 };

/* ---- the two ends ---- */

/* One end of a link: a GPU, and memory that it sends from and receives into.
 * The other end is a GPU, or the host; the host's memory is pinned. */
typedef struct {
  int gpu;
  char *from, *to;            /* `from` is here, `to` at the other end */
  cudaStream_t stream;
  cudaEvent_t start, stop;
} direction;

// begin engine
/* Unified addressing: the two pointers say which memories they belong to. */
static void by_engine(void *to, const void *from, size_t n_bytes,
                      cudaStream_t stream)
{
  CUDA_CHECK(cudaMemcpyAsync(to, from, n_bytes, cudaMemcpyDefault, stream));
}
// end engine

// begin move
/* 16 bytes per thread and turn, PIECES of them in flight at a time. Where the
 * pointers lead is none of the kernel's business. */
__global__ void move(uint4 *__restrict__ to, const uint4 *__restrict__ from,
                     size_t n)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (; i + (PIECES - 1) * step < n; i += PIECES * step) {
    uint4 word[PIECES];
#pragma unroll
    for (int k = 0; k < PIECES; k++)
      word[k] = from[i + k * step];
#pragma unroll
    for (int k = 0; k < PIECES; k++)
      to[i + k * step] = word[k];
  }
  for (; i < n; i += step)
    to[i] = from[i];
}
// end move

static void by_kernel(void *to, const void *from, size_t n_bytes,
                      cudaStream_t stream)
{
  size_t n = n_bytes / sizeof(uint4);
  size_t block_words = (size_t)BLOCK_THREADS * PIECES;
  size_t n_blocks = (n + block_words - 1) / block_words;
  if (n == 0)
    return;
  move<<<(unsigned)(n_blocks < 1024 ? n_blocks : 1024), BLOCK_THREADS, 0,
         stream>>>((uint4 *)to, (const uint4 *)from, n);
  CUDA_CHECK_LAUNCH();
}

/* Who carries the bytes from `from` to `to`? */
typedef struct {
  const char *name;
  const char *idea;
  void (*move)(void *to, const void *from, size_t n_bytes,
               cudaStream_t stream);
  int pulls;                  /* runs where the data arrive, not where they
                                 come from */
  int by_host;                /* the other end is the host */
  int connected;              /* with peer access */
} version;

static const version versions[] = {
  {"staged", "cudaMemcpyAsync without peer access: by way of the host",
   by_engine, 0, 0, 0},
  {"copy", "cudaMemcpyAsync with peer access", by_engine, 0, 0, 1},
  {"store", "a kernel here stores to the other GPU", by_kernel, 0, 0, 1},
  {"load", "a kernel here loads from the other GPU", by_kernel, 1, 0, 1},
  {"host_copy", "cudaMemcpyAsync to and from pinned host memory", by_engine,
   0, 1, 1},
  {"host_store", "a kernel stores to pinned host memory", by_kernel, 0, 1, 1},
  {"host_load", "a kernel loads from pinned host memory", by_kernel, 1, 1, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- setting up ---- */

static char *allocate_on(int gpu, size_t n_bytes)
{
  char *memory;
  CUDA_CHECK(cudaSetDevice(gpu));
  CUDA_CHECK(cudaMalloc(&memory, n_bytes));
  return memory;
}

static char *allocate_on_host(size_t n_bytes)
{
  char *memory;
  CUDA_CHECK(cudaHostAlloc(&memory, n_bytes, cudaHostAllocPortable));
  return memory;
}

// begin owner
/* Without peer access only its own GPU may fill a piece of memory. The pointer
 * says which GPU that is. */
static void fill(void *memory, int value, size_t n_bytes)
{
  cudaPointerAttributes about;
  int current;
  CUDA_CHECK(cudaGetDevice(&current));
  CUDA_CHECK(cudaPointerGetAttributes(&about, memory));
  if (about.type == cudaMemoryTypeDevice)
    CUDA_CHECK(cudaSetDevice(about.device));
  CUDA_CHECK(cudaMemset(memory, value, n_bytes));
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaSetDevice(current));
}
// end owner

/* Direction 0 carries data away from GPU 0, direction 1 the other way. Between
 * two GPUs each has an end of its own; towards the host both belong to GPU 0. A
 * direction that pulls runs on the GPU where its data arrive. */
static direction direction_new(const version *v, int way, size_t n_bytes)
{
  direction l;
  int source = v->by_host ? 0 : way, sink = v->by_host ? 0 : 1 - way;
  int to_host = v->by_host && (way == 0) != v->pulls;
  int from_host = v->by_host && !to_host;
  l.from = from_host ? allocate_on_host(n_bytes)
                     : allocate_on(source, n_bytes);
  l.to = to_host ? allocate_on_host(n_bytes) : allocate_on(sink, n_bytes);
  l.gpu = v->pulls ? sink : source;
  CUDA_CHECK(cudaSetDevice(l.gpu));
  CUDA_CHECK(cudaStreamCreateWithFlags(&l.stream, cudaStreamNonBlocking));
  CUDA_CHECK(cudaEventCreate(&l.start));
  CUDA_CHECK(cudaEventCreate(&l.stop));
  fill(l.from, 0x5a, n_bytes);
  fill(l.to, 0xa5, n_bytes);
  return l;
}

static void release(void *memory)
{
  cudaPointerAttributes about;
  CUDA_CHECK(cudaPointerGetAttributes(&about, memory));
  if (about.type == cudaMemoryTypeHost)
    CUDA_CHECK(cudaFreeHost(memory));
  else
    CUDA_CHECK(cudaFree(memory));
}

static void direction_free(direction *l)
{
  CUDA_CHECK(cudaSetDevice(l->gpu));
  CUDA_CHECK(cudaEventDestroy(l->start));
  CUDA_CHECK(cudaEventDestroy(l->stop));
  CUDA_CHECK(cudaStreamDestroy(l->stream));
  release(l->from);
  release(l->to);
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, int way,
                      size_t n_bytes)
{
  size_t all = n_bytes + GUARD_BYTES;
  char what[64];
  direction l = direction_new(v, way, all);
  char *h_expected = (char *)malloc(all), *h_got = (char *)malloc(all);
  if (!h_expected || !h_got)
    exit(EXIT_FAILURE);
  random_fill_bytes(random, h_expected, all);
  CUDA_CHECK(cudaMemcpy(l.from, h_expected, all, cudaMemcpyDefault));
  fill(l.to, POISON_BYTE, all);
  CUDA_CHECK(cudaDeviceSynchronize());
  v->move(l.to, l.from, n_bytes, l.stream);
  CUDA_CHECK(cudaStreamSynchronize(l.stream));
  CUDA_CHECK(cudaMemcpy(h_got, l.to, all, cudaMemcpyDefault));
  direction_free(&l);
  snprintf(what, sizeof what, "%s, way %d, %zu bytes", v->name, way, n_bytes);
  int right = compare_bytes(what, h_expected, h_got, n_bytes) &
              compare_guard(what, h_got + n_bytes, GUARD_BYTES);
  free(h_expected);
  free(h_got);
  return right;
}

static int check(const options *o, int connected)
{
  static const size_t sizes[] = {16, 4096, 70000, 4198416};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int i = 0; i < 2 * N_SIZES; i++)
      if (versions[k].connected == connected &&
          options_wants(o, versions[k].name))
        right &= check_case(&versions[k], &random, i % 2, sizes[i / 2]);
  fprintf(options_remarks(o), "check %s peer access: %d sizes, seed %llu: "
          "%s\n", connected ? "with" : "without", N_SIZES,
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- measurement ---- */

enum { MAX_REPETITIONS = 1000 };

static double between_us(cudaEvent_t from, cudaEvent_t to)
{
  float ms;
  CUDA_CHECK(cudaEventElapsedTime(&ms, from, to));
  return 1000.0 * ms;
}

// begin time_directions
/* Both directions carry n_bytes `turns` times in a row. The slower of the two
 * says how long one turn takes. */
static double time_directions(const version *v, direction *directions,
                              int n_directions, size_t n_bytes, int turns)
{
  double longest_us = 0.0;
  for (int i = 0; i < n_directions; i++) {
    CUDA_CHECK(cudaSetDevice(directions[i].gpu));
    CUDA_CHECK(cudaEventRecord(directions[i].start, directions[i].stream));
  }
  for (int turn = 0; turn < turns; turn++)
    for (int i = 0; i < n_directions; i++) {
      CUDA_CHECK(cudaSetDevice(directions[i].gpu));
      v->move(directions[i].to, directions[i].from, n_bytes,
              directions[i].stream);
    }
  for (int i = 0; i < n_directions; i++) {
    CUDA_CHECK(cudaSetDevice(directions[i].gpu));
    CUDA_CHECK(cudaEventRecord(directions[i].stop, directions[i].stream));
  }
  for (int i = 0; i < n_directions; i++) {
    CUDA_CHECK(cudaEventSynchronize(directions[i].stop));
    double us = between_us(directions[i].start, directions[i].stop);
    longest_us = us > longest_us ? us : longest_us;
  }
  return longest_us / turns;
}
// end time_directions

static const char *const ways[] = {"there", "back", "both"};

static void measure_version(const options *o, const version *v,
                            size_t smallest, size_t largest)
{
  static double us[MAX_REPETITIONS];
  direction directions[2] = {direction_new(v, 0, largest),
                             direction_new(v, 1, largest)};
  int repetitions = o->repetitions < 9 ? o->repetitions : 9;
  /* A kernel that stores to the host has no counterpart over there. */
  int n_ways = v->by_host && v->move == by_kernel ? 1 : 3;
  for (int way = 0; way < n_ways; way++)
    for (size_t n = smallest; n <= largest; n *= 4) {
      int n_directions = way == 2 ? 2 : 1;
      direction *first = way == 2 ? directions : &directions[way];
      int turns = n > (size_t)1 << 26 ? 4 : n > (size_t)1 << 20 ? 20 : 100;
      timing t = {};
      for (int pass = -1; pass < repetitions; pass++) {
        double time_us = time_directions(v, first, n_directions, n, turns);
        if (pass >= 0)
          us[pass] = time_us;
      }
      timing_summarise(&t, us, repetitions);
      printf("%s,%s,%zu,%d,%.3f,%.3f,%.3f\n", v->name, ways[way], n,
             repetitions, t.median_us, t.spread_us,
             timing_gb_per_s((double)n * n_directions, t.median_us));
    }
  direction_free(&directions[0]);
  direction_free(&directions[1]);
}

/* gb_per_s counts every byte that arrived, in both directions together. */
static void measure(const options *o, int connected)
{
  size_t largest = memory_length(o, (size_t)1 << 28, 4);
  if (!connected)
    printf("version,way,n_bytes,repetitions,time_us,spread_us,gb_per_s\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (versions[k].connected == connected &&
        options_wants(o, versions[k].name))
      measure_version(o, &versions[k], largest >> 16, largest);
  fflush(stdout);
}

static void print_times(const options *o, int connected)
{
  size_t n = memory_length(o, (size_t)1 << 28, 4);
  for (int k = 0; k < N_VERSIONS; k++)
    if (versions[k].connected == connected &&
        options_wants(o, versions[k].name))
      measure_version(o, &versions[k], n, n);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "the links between GPUs", "links",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && o.size[0] < 1 << 20))
    options_fail(&o, "--size must be one number, at least 2^20");
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  int n_gpus = gpus_need(2);
  /* What goes by way of the host comes first: there is no way back from peer
   * access for memory that was used with it. */
  for (int connected = 0; connected < 2; connected++) {
    if (connected)
      gpus_connect(n_gpus);
    if (!check(&o, connected))
      return EXIT_FAILURE;
    if (o.csv)
      measure(&o, connected);
    else if (!o.check && timing_is_possible())
      print_times(&o, connected);
  }
  return EXIT_SUCCESS;
}
