/* All-reduce: every GPU has an array, and afterwards every GPU has the sum of
 * all. Three ways with nothing but copies, loads and stores, and NCCL's. */
#include <cuda/atomic>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#if __has_include(<nccl.h>)
#include <nccl.h>
#define HAVE_NCCL
#endif

#include "common/compare.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"
#include "multi_gpu/gpus.h"

enum { BLOCK_THREADS = 512, MOST_BLOCKS = 528, PIECES = 4 };

// begin team
/* What the GPUs need to work together. Every array is in the memory of the GPU
 * whose number it has, and all GPUs can reach it. */
typedef struct {
  float *x[MAX_GPUS];
} arrays;

typedef struct {
  int n_gpus;
  size_t n;                   /* elements of each array */
  arrays x;                   /* in: what to add; out: the sum */
  float *d_scratch[MAX_GPUS]; /* for the version gather */
  unsigned long long *d_mail[MAX_GPUS];  /* for the version words */
  unsigned *d_epochs[MAX_GPUS];          /* of each block: how many calls */
  cudaStream_t stream[MAX_GPUS];
  cudaEvent_t ready[MAX_GPUS], pushed[MAX_GPUS], done[MAX_GPUS];
#ifdef HAVE_NCCL
  ncclComm_t nccl[MAX_GPUS];
#endif
  cudaEvent_t fork, join[MAX_GPUS];      /* for graphs, when timing */
} team;

/* The longest array for the version words, and how many blocks that takes. */
enum { MOST_WORDS = 1 << 15, WORD_BLOCKS = MOST_WORDS / BLOCK_THREADS };
// end team

/* ---- CPU reference ---- */

/* In the order of the GPUs, so that all versions of ours agree with it in the
 * last bit. */
static void add_all(float *h_sum, float *const *h_x, int n_gpus, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    float sum = h_x[0][i];
    for (int gpu = 1; gpu < n_gpus; gpu++)
      sum += h_x[gpu][i];
    h_sum[i] = sum;
  }
}

/* ---- who waits for whom ---- */

// begin meet
/* From here on, the stream of every GPU has waited for the streams of all. */
static void meet(team *t, cudaEvent_t *events)
{
  for (int gpu = 0; gpu < t->n_gpus; gpu++) {
    CUDA_CHECK(cudaSetDevice(gpu));
    CUDA_CHECK(cudaEventRecord(events[gpu], t->stream[gpu]));
  }
  for (int gpu = 0; gpu < t->n_gpus; gpu++) {
    CUDA_CHECK(cudaSetDevice(gpu));
    for (int peer = 0; peer < t->n_gpus; peer++)
      if (peer != gpu)
        CUDA_CHECK(cudaStreamWaitEvent(t->stream[gpu], events[peer], 0));
  }
}
// end meet

/* ---- everything to everyone ---- */

// begin gather
/* Adds up n_gpus arrays that follow one another in this GPU's memory. */
__global__ void add_gathered(float *sum, const float *gathered, int n_gpus,
                             size_t n)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step) {
    float all = gathered[i];
    for (int gpu = 1; gpu < n_gpus; gpu++)
      all += gathered[gpu * n + i];
    sum[i] = all;
  }
}

static void reduce_gather(team *t)
{
  meet(t, t->ready);
  for (int gpu = 0; gpu < t->n_gpus; gpu++) {
    CUDA_CHECK(cudaSetDevice(gpu));
    for (int peer = 0; peer < t->n_gpus; peer++)
      CUDA_CHECK(cudaMemcpyAsync(t->d_scratch[gpu] + peer * t->n,
                                 t->x.x[peer], t->n * sizeof(float),
                                 cudaMemcpyDefault, t->stream[gpu]));
  }
  meet(t, t->done);
  for (int gpu = 0; gpu < t->n_gpus; gpu++) {
    CUDA_CHECK(cudaSetDevice(gpu));
    add_gathered<<<MOST_BLOCKS, BLOCK_THREADS, 0, t->stream[gpu]>>>(
        t->x.x[gpu], t->d_scratch[gpu], t->n_gpus, t->n);
    CUDA_CHECK_LAUNCH();
  }
}
// end gather

/* ---- a slice each ---- */

// begin slices
__device__ static float4 plus(float4 a, float4 b)
{
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

/* This GPU's slice of the sum: loads it from every GPU, adds, and stores the
 * sum to every GPU. No other GPU touches this slice, so none has to wait. */
__global__ void add_slice(arrays x, int n_gpus, size_t first, size_t end)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  size_t i = first + (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  for (; i < end; i += PIECES * step) {
    float4 sum[PIECES];
#pragma unroll
    for (int k = 0; k < PIECES; k++)
      if (i + k * step < end)
        sum[k] = ((const float4 *)x.x[0])[i + k * step];
    for (int gpu = 1; gpu < n_gpus; gpu++)
#pragma unroll
      for (int k = 0; k < PIECES; k++)
        if (i + k * step < end)
          sum[k] = plus(sum[k], ((const float4 *)x.x[gpu])[i + k * step]);
    for (int gpu = 0; gpu < n_gpus; gpu++)
#pragma unroll
      for (int k = 0; k < PIECES; k++)
        if (i + k * step < end)
          ((float4 *)x.x[gpu])[i + k * step] = sum[k];
  }
}

static void reduce_slices(team *t)
{
  size_t n = t->n / 4;
  meet(t, t->ready);
  for (int gpu = 0; gpu < t->n_gpus; gpu++) {
    CUDA_CHECK(cudaSetDevice(gpu));
    add_slice<<<MOST_BLOCKS, BLOCK_THREADS, 0, t->stream[gpu]>>>(
        t->x, t->n_gpus, n * gpu / t->n_gpus, n * (gpu + 1) / t->n_gpus);
    CUDA_CHECK_LAUNCH();
  }
  meet(t, t->done);
}
// end slices

/* ---- stores only ---- */

// begin push
/* This GPU's part of another GPU's slice, into that GPU's scratch memory. */
__global__ void push_slice(float4 *__restrict__ to,
                           const float4 *__restrict__ x, size_t n)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step)
    to[i] = x[i];
}

/* This GPU's slice: everything that must be added is here by now. `pushed`
 * has space for as many floats from each GPU as a slice has at most. */
__global__ void add_pushed(arrays x, const float4 *pushed, size_t room,
                           int gpu, int n_gpus, size_t first, size_t end)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = first + (size_t)blockIdx.x * blockDim.x + threadIdx.x;
       i < end; i += step) {
    float4 own = ((const float4 *)x.x[gpu])[i], sum = own;
    for (int peer = 0; peer < n_gpus; peer++) {
      float4 term = peer == gpu ? own : pushed[peer * room + i - first];
      sum = peer == 0 ? term : plus(sum, term);
    }
    for (int peer = 0; peer < n_gpus; peer++)
      ((float4 *)x.x[peer])[i] = sum;
  }
}

static void reduce_push(team *t)
{
  size_t n = t->n / 4, room = n / t->n_gpus + 1;
  meet(t, t->ready);
  for (int gpu = 0; gpu < t->n_gpus; gpu++)
    for (int peer = 0; peer < t->n_gpus; peer++) {
      size_t first = n * peer / t->n_gpus, end = n * (peer + 1) / t->n_gpus;
      if (peer == gpu || first == end)
        continue;
      CUDA_CHECK(cudaSetDevice(gpu));
      push_slice<<<MOST_BLOCKS, BLOCK_THREADS, 0, t->stream[gpu]>>>(
          (float4 *)t->d_scratch[peer] + gpu * room,
          (const float4 *)t->x.x[gpu] + first, end - first);
      CUDA_CHECK_LAUNCH();
    }
  meet(t, t->pushed);
  for (int gpu = 0; gpu < t->n_gpus; gpu++) {
    CUDA_CHECK(cudaSetDevice(gpu));
    add_pushed<<<MOST_BLOCKS, BLOCK_THREADS, 0, t->stream[gpu]>>>(
        t->x, (const float4 *)t->d_scratch[gpu], room, gpu, t->n_gpus,
        n * gpu / t->n_gpus, n * (gpu + 1) / t->n_gpus);
    CUDA_CHECK_LAUNCH();
  }
  meet(t, t->done);
}
// end push

/* ---- letters that say when they have arrived ---- */

// begin words
using letter = cuda::atomic_ref<unsigned long long,
                                cuda::thread_scope_system>;

typedef struct {
  unsigned long long *at[MAX_GPUS];
} mailboxes;

/* Where GPU `from` leaves element i for another, in a call with this date.
 * Two sets of letters take turns. */
__device__ static size_t slot(int from, int n_gpus, size_t i, unsigned date)
{
  return ((size_t)(date % 2) * n_gpus + from) * MOST_WORDS + i;
}

/* Four bytes of data and a date of four bytes in one store: a reader that sees
 * the date sees the data, and needs no barrier and no event. */
__global__ void send_words(mailboxes to, int gpu, int n_gpus, const float *x,
                           size_t n, const unsigned *epochs)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned date = epochs[blockIdx.x] + 1;
  if (i >= n)
    return;
  unsigned long long word =
      (unsigned long long)date << 32 | __float_as_uint(x[i]);
  for (int peer = 0; peer < n_gpus; peer++)
    if (peer != gpu)
      letter(to.at[peer][slot(gpu, n_gpus, i, date)])
          .store(word, cuda::memory_order_relaxed);
}

__device__ static float receive(unsigned long long *slot, unsigned date)
{
  unsigned long long word;
  do
    word = letter(*slot).load(cuda::memory_order_relaxed);
  while (word >> 32 != date);
  return __uint_as_float((unsigned)word);
}

__global__ void add_words(unsigned long long *mail, int gpu, int n_gpus,
                          float *x, size_t n, unsigned *epochs)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned date = epochs[blockIdx.x] + 1;
  if (i < n) {
    float sum = 0.0f, own = x[i];
    for (int peer = 0; peer < n_gpus; peer++) {
      float term = peer == gpu
                       ? own
                       : receive(&mail[slot(peer, n_gpus, i, date)], date);
      sum = peer == 0 ? term : sum + term;
    }
    x[i] = sum;
  }
  __syncthreads();
  if (threadIdx.x == 0)
    epochs[blockIdx.x] = date;
}

/* No GPU overwrites a letter that is still to be read: it sends the one after
 * next only when it has read the next one of all others, and they sent that
 * after reading this one. */
static void reduce_words(team *t)
{
  unsigned n_blocks = (unsigned)((t->n + BLOCK_THREADS - 1) / BLOCK_THREADS);
  mailboxes to;
  for (int gpu = 0; gpu < t->n_gpus; gpu++)
    to.at[gpu] = t->d_mail[gpu];
  for (int gpu = 0; gpu < t->n_gpus; gpu++) {
    CUDA_CHECK(cudaSetDevice(gpu));
    send_words<<<n_blocks, BLOCK_THREADS, 0, t->stream[gpu]>>>(
        to, gpu, t->n_gpus, t->x.x[gpu], t->n, t->d_epochs[gpu]);
    CUDA_CHECK_LAUNCH();
  }
  for (int gpu = 0; gpu < t->n_gpus; gpu++) {
    CUDA_CHECK(cudaSetDevice(gpu));
    add_words<<<n_blocks, BLOCK_THREADS, 0, t->stream[gpu]>>>(
        to.at[gpu], gpu, t->n_gpus, t->x.x[gpu], t->n, t->d_epochs[gpu]);
    CUDA_CHECK_LAUNCH();
  }
}
// end words

/* ---- NCCL ---- */

#ifdef HAVE_NCCL
// begin nccl
#define NCCL_CHECK(call) nccl_check((call), #call, __FILE__, __LINE__)

static void nccl_check(ncclResult_t result, const char *call,
                       const char *file, int line)
{
  if (result == ncclSuccess)
    return;
  fprintf(stderr, "%s:%d: error: %s: %s\n%s:%d: try: NCCL_DEBUG=INFO, which "
          "says what NCCL was doing\n", file, line, call,
          ncclGetErrorString(result), file, line);
  exit(EXIT_FAILURE);
}

/* One thread calls for all GPUs, so the calls belong into a group: without it
 * the first would wait for ever for the others. */
static void reduce_nccl(team *t)
{
  NCCL_CHECK(ncclGroupStart());
  for (int gpu = 0; gpu < t->n_gpus; gpu++)
    NCCL_CHECK(ncclAllReduce(t->x.x[gpu], t->x.x[gpu], t->n, ncclFloat,
                             ncclSum, t->nccl[gpu], t->stream[gpu]));
  NCCL_CHECK(ncclGroupEnd());
}
// end nccl

static void nccl_start(team *t)
{
  if (!device_is_software())
    NCCL_CHECK(ncclCommInitAll(t->nccl, t->n_gpus, NULL));
}

static void nccl_end(team *t)
{
  for (int gpu = 0; gpu < t->n_gpus && !device_is_software(); gpu++)
    NCCL_CHECK(ncclCommDestroy(t->nccl[gpu]));
}
#else
static void nccl_start(team *t) { (void)t; }
static void nccl_end(team *t) { (void)t; }
#endif

typedef struct {
  const char *name;
  const char *idea;
  void (*reduce)(team *t);
  size_t multiple;            /* the number of elements must be one of it */
} version;

static const version versions[] = {
  {"gather", "copy everything to everyone, then add", reduce_gather, 1},
  {"slices", "each GPU adds a slice, with loads and stores", reduce_slices,
   4},
  {"push", "the same with stores alone: push, meet, add", reduce_push, 4},
  {"words", "each word carries a date; for small arrays", reduce_words, 1},
#ifdef HAVE_NCCL
  {"nccl", "ncclAllReduce", reduce_nccl, 1},
#endif
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* Can this version take so many elements? NCCL runs on GPUs alone. */
static int can_take(const version *v, size_t n)
{
  if (strcmp(v->name, "nccl") == 0 && device_is_software())
    return 0;
  if (v->reduce == reduce_words && n > MOST_WORDS)
    return 0;
  return n % v->multiple == 0;
}

/* ---- setting up ---- */

static team team_new(int n_gpus, size_t n)
{
  team t;
  memset(&t, 0, sizeof t);
  t.n_gpus = n_gpus;
  t.n = n;
  size_t mail_bytes = 2 * n_gpus * MOST_WORDS * sizeof *t.d_mail[0];
  for (int gpu = 0; gpu < n_gpus; gpu++) {
    CUDA_CHECK(cudaSetDevice(gpu));
    CUDA_CHECK(cudaMalloc(&t.x.x[gpu], n * sizeof(float) + GUARD_BYTES));
    CUDA_CHECK(cudaMalloc(&t.d_scratch[gpu],
                          n_gpus * (n + 4) * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&t.d_mail[gpu], mail_bytes));
    CUDA_CHECK(cudaMalloc(&t.d_epochs[gpu], WORD_BLOCKS * sizeof(unsigned)));
    CUDA_CHECK(cudaMemset(t.d_mail[gpu], 0, mail_bytes));
    CUDA_CHECK(cudaMemset(t.d_epochs[gpu], 0,
                          WORD_BLOCKS * sizeof(unsigned)));
    CUDA_CHECK(cudaStreamCreateWithFlags(&t.stream[gpu],
                                         cudaStreamNonBlocking));
    CUDA_CHECK(cudaEventCreateWithFlags(&t.ready[gpu],
                                        cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&t.pushed[gpu],
                                        cudaEventDisableTiming));
    CUDA_CHECK(cudaEventCreateWithFlags(&t.done[gpu],
                                        cudaEventDisableTiming));
  }
  nccl_start(&t);
  gpus_synchronize(n_gpus);
  return t;
}

static void team_free(team *t)
{
  gpus_synchronize(t->n_gpus);
  nccl_end(t);
  for (int gpu = 0; gpu < t->n_gpus; gpu++) {
    CUDA_CHECK(cudaSetDevice(gpu));
    CUDA_CHECK(cudaFree(t->x.x[gpu]));
    CUDA_CHECK(cudaFree(t->d_scratch[gpu]));
    CUDA_CHECK(cudaFree(t->d_mail[gpu]));
    CUDA_CHECK(cudaFree(t->d_epochs[gpu]));
    CUDA_CHECK(cudaStreamDestroy(t->stream[gpu]));
    CUDA_CHECK(cudaEventDestroy(t->ready[gpu]));
    CUDA_CHECK(cudaEventDestroy(t->pushed[gpu]));
    CUDA_CHECK(cudaEventDestroy(t->done[gpu]));
  }
}

/* ---- check ---- */

static float *host_floats(size_t n)
{
  float *memory = (float *)malloc(n * sizeof(float) + GUARD_BYTES);
  if (!memory)
    exit(EXIT_FAILURE);
  return memory;
}

static int compare_gpu(const version *v, const team *t, int gpu, int call,
                       const float *h_sum, float *h_got)
{
  char what[96];
  size_t n_bytes = t->n * sizeof(float);
  /* The order in which NCCL adds is its own affair. */
  double tolerance = strcmp(v->name, "nccl") == 0 && t->n_gpus > 2 ? 1e-6 : 0;
  CUDA_CHECK(cudaMemcpy(h_got, t->x.x[gpu], n_bytes + GUARD_BYTES,
                        cudaMemcpyDefault));
  snprintf(what, sizeof what, "%s, %zu elements, GPU %d of %d, call %d",
           v->name, t->n, gpu, t->n_gpus, call);
  return compare_floats_within(what, h_sum, h_got, t->n, tolerance,
                               t->n_gpus) &
         compare_guard(what, h_got + t->n, GUARD_BYTES);
}

/* Three calls in a row without a pause, each on the result of the one before:
 * a GPU that runs ahead of another must not spoil its data. */
static int check_case(const version *v, random_source *source, int n_gpus,
                      size_t n)
{
  enum { CALLS = 3 };
  team t = team_new(n_gpus, n);
  float *h_x[MAX_GPUS], *h_sum = host_floats(n), *h_got = host_floats(n);
  int right = 1;
  for (int gpu = 0; gpu < n_gpus; gpu++) {
    h_x[gpu] = host_floats(n);
    random_fill_floats(source, h_x[gpu], n);
    memset(h_x[gpu] + n, POISON_BYTE, GUARD_BYTES);
    CUDA_CHECK(cudaMemcpy(t.x.x[gpu], h_x[gpu],
                          n * sizeof(float) + GUARD_BYTES,
                          cudaMemcpyDefault));
  }
  gpus_synchronize(n_gpus);
  for (int call = 0; call < CALLS; call++) {
    v->reduce(&t);
    add_all(h_sum, h_x, n_gpus, n);
    for (int gpu = 0; gpu < n_gpus; gpu++)
      memcpy(h_x[gpu], h_sum, n * sizeof(float));
  }
  gpus_synchronize(n_gpus);
  for (int gpu = 0; gpu < n_gpus; gpu++)
    right &= compare_gpu(v, &t, gpu, CALLS, h_sum, h_got);
  for (int gpu = 0; gpu < n_gpus; gpu++)
    free(h_x[gpu]);
  free(h_sum);
  free(h_got);
  team_free(&t);
  return right;
}

static int check(const options *o)
{
  /* Less than one element per GPU; slices and blocks of unequal lengths; an
   * array too long for the version words. */
  static const size_t sizes[] = {1, 4, 4100, 70004};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  random_source source = random_from_seed(o->seed);
  int n_gpus = gpus_count(), right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int n = 2; n <= n_gpus; n = gpus_next(n, n_gpus))
      for (int s = 0; s < N_SIZES && options_wants(o, versions[k].name); s++)
        if (can_take(&versions[k], sizes[s]))
          right &= check_case(&versions[k], &source, n, sizes[s]);
  fprintf(options_remarks(o), "check: %d sizes on up to %d GPUs, seed %llu: "
          "%s\n", N_SIZES, n_gpus, (unsigned long long)o->seed,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- measurement ---- */

enum { MAX_REPETITIONS = 1000, GRAPH_CALLS = 10 };

static void make_graph_events(team *t)
{
  CUDA_CHECK(cudaSetDevice(0));
  CUDA_CHECK(cudaEventCreateWithFlags(&t->fork, cudaEventDisableTiming));
  for (int gpu = 0; gpu < t->n_gpus; gpu++) {
    CUDA_CHECK(cudaSetDevice(gpu));
    CUDA_CHECK(cudaEventCreateWithFlags(&t->join[gpu],
                                        cudaEventDisableTiming));
  }
}

/* So small that 200 sums, each twice the one before, are still finite. */
static void fill_for_timing(team *t)
{
  size_t n_block = t->n < (size_t)1 << 20 ? t->n : (size_t)1 << 20;
  random_source source = random_from_seed(1);
  float *h_block = host_floats(n_block);
  for (size_t i = 0; i < n_block; i++)
    h_block[i] = random_float(&source) * 0x1p-100f;
  for (int gpu = 0; gpu < t->n_gpus; gpu++)
    for (size_t at = 0; at < t->n; at += n_block)
      CUDA_CHECK(cudaMemcpy(t->x.x[gpu] + at, at ? t->x.x[gpu] : h_block,
                            (t->n - at < n_block ? t->n - at : n_block) *
                                sizeof(float),
                            cudaMemcpyDefault));
  free(h_block);
}

// begin graph
/* GRAPH_CALLS calls as one graph, on all GPUs: the stream of GPU 0 forks into
 * the others and joins them again. */
static cudaGraphExec_t record_calls(const version *v, team *t)
{
  cudaGraph_t graph;
  cudaGraphExec_t calls;
  CUDA_CHECK(cudaSetDevice(0));
  CUDA_CHECK(cudaStreamBeginCapture(t->stream[0],
                                    cudaStreamCaptureModeThreadLocal));
  CUDA_CHECK(cudaEventRecord(t->fork, t->stream[0]));
  for (int gpu = 1; gpu < t->n_gpus; gpu++)
    CUDA_CHECK(cudaStreamWaitEvent(t->stream[gpu], t->fork, 0));
  for (int i = 0; i < GRAPH_CALLS; i++)
    v->reduce(t);
  for (int gpu = 1; gpu < t->n_gpus; gpu++) {
    CUDA_CHECK(cudaSetDevice(gpu));
    CUDA_CHECK(cudaEventRecord(t->join[gpu], t->stream[gpu]));
    CUDA_CHECK(cudaStreamWaitEvent(t->stream[0], t->join[gpu], 0));
  }
  CUDA_CHECK(cudaSetDevice(0));
  CUDA_CHECK(cudaStreamEndCapture(t->stream[0], &graph));
  CUDA_CHECK(cudaGraphInstantiate(&calls, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  return calls;
}
// end graph

/* Microseconds per call, by the host's clock over many calls in a row: each
 * launched by itself, or GRAPH_CALLS of them as a graph. */
static timing time_calls(const version *v, team *t, int repetitions,
                         int as_graph)
{
  static double us[MAX_REPETITIONS];
  timing result = {};
  int calls = t->n > (size_t)1 << 24 ? 10 : t->n > (size_t)1 << 20 ? 50 : 200;
  cudaGraphExec_t graph = as_graph ? record_calls(v, t) : NULL;
  for (int pass = -2; pass < repetitions; pass++) {
    fill_for_timing(t);
    gpus_synchronize(t->n_gpus);
    double start = timing_host_us();
    for (int i = 0; i < calls; i += as_graph ? GRAPH_CALLS : 1)
      if (as_graph)
        CUDA_CHECK(cudaGraphLaunch(graph, t->stream[0]));
      else
        v->reduce(t);
    gpus_synchronize(t->n_gpus);
    if (pass >= 0)
      us[pass] = (timing_host_us() - start) / calls;
  }
  if (as_graph)
    CUDA_CHECK(cudaGraphExecDestroy(graph));
  result.repetitions = repetitions;
  timing_summarise(&result, us, repetitions);
  return result;
}

/* gb_per_s counts the bytes of one array; bus_gb_per_s the bytes that each
 * GPU must send, and receive, in any case: the share (n - 1) / n of the array
 * twice. */
static void print_row(const version *v, const team *t, timing result)
{
  double n_bytes = (double)t->n * sizeof(float);
  printf("%s,%d,%.0f,%d,%.3f,%.3f,%.3f,%.3f\n", v->name, t->n_gpus, n_bytes,
         result.repetitions, result.median_us, result.spread_us,
         timing_gb_per_s(n_bytes, result.median_us),
         timing_gb_per_s(n_bytes * 2 * (t->n_gpus - 1) / t->n_gpus,
                         result.median_us));
  fflush(stdout);
}

/* From graphs only the short messages: the long ones hide their launches. */
static void measure(const options *o, int as_graph)
{
  int n_gpus = gpus_need(2);
  int repetitions = o->repetitions < 9 ? o->repetitions : 9;
  size_t largest = memory_length(o, as_graph ? MOST_WORDS : (size_t)1 << 28,
                                 4 * (n_gpus + 2));
  printf("version,n_gpus,n_bytes,repetitions,time_us,spread_us,gb_per_s,"
         "bus_gb_per_s\n");
  team t = team_new(n_gpus, largest);
  make_graph_events(&t);
  for (int k = 0; k < N_VERSIONS; k++)
    for (t.n = 64; t.n <= largest; t.n *= 2)
      if (options_wants(o, versions[k].name) && can_take(&versions[k], t.n))
        print_row(&versions[k], &t,
                  time_calls(&versions[k], &t, repetitions, as_graph));
  t.n = largest;
  team_free(&t);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "the sum of all GPUs' arrays, on all "
                            "GPUs", "allreduce,graph", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && o.size[0] < 64))
    options_fail(&o, "--size must be one number, at least 64");
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  gpus_connect(gpus_need(2));
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o, o.csv && strcmp(o.csv, "graph") == 0);
  return EXIT_SUCCESS;
}
