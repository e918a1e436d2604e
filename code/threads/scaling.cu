/* The same grid on few and on many multiprocessors. A green context gives a
 * stream to a part of the GPU's multiprocessors; what is launched into it has
 * a smaller GPU before it and does not know.
 *
 *   nvcc -I code code/threads/scaling.cu -o scaling && ./scaling */
#include <cuda.h>

#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/timing.h"

enum {
  BLOCK_THREADS = 1024,
  N_BLOCKS = 2112,     /* 16 for each of 132 multiprocessors */
  FEW_BLOCKS = 600,    /* for the timeline */
  N_LAUNCHES = 5,      /* to see where blocks go */
  ROUNDS = 2000,
  MOST_SIZES = 64
};

// begin work
/* Where and when a block ran. */
typedef struct {
  unsigned multiprocessor;
  unsigned long long start_ns, end_ns;
} trace;

__device__ unsigned multiprocessor_here(void)
{
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

__device__ unsigned long long now_ns(void)
{
  unsigned long long ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
}

/* A random number generator of Marsaglia's: from any number but 0 to the
 * next, in three steps that no compiler can shorten. */
__host__ __device__ unsigned next(unsigned x)
{
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ x << 5;
}

/* Each thread walks its own way; out[i] says where to. */
__global__ void work(unsigned *out, trace *traces, int rounds)
{
  unsigned long long start = now_ns();
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  for (int round = 0; round < rounds; round++)
    x = next(x);
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
  __syncthreads();
  if (threadIdx.x == 0)
    traces[blockIdx.x] = {multiprocessor_here(), start, now_ns()};
}
// end work

static unsigned expected(unsigned x, int rounds)
{
  for (int round = 0; round < rounds; round++)
    x = next(x);
  return x;
}

/* ---- a part of the GPU ---- */

/* A function of the driver, asked for by name: on a driver without green
 * contexts the program still starts. NULL: there is none. */
static void *driver_function(const char *name)
{
  void *function = NULL;
  cudaDriverEntryPointQueryResult found;
  if (device_is_software())
    return NULL;
  if (cudaGetDriverEntryPointByVersion(name, &function, 12050,
          cudaEnableDefault, &found) != cudaSuccess ||
      found != cudaDriverEntryPointSuccess) {
    cudaGetLastError();
    return NULL;
  }
  return function;
}

#define DRIVER(name) ((decltype(&name))driver_function(#name))

typedef struct {
  CUgreenCtx context;
  cudaStream_t stream;
  unsigned multiprocessors;    /* as many as were given */
} part;

/* A stream with at least `wanted` multiprocessors for itself.  Returns 0 if
 * this device or its driver cannot divide itself. */
static int part_of(unsigned wanted, part *p)
{
  auto get = DRIVER(cuDeviceGetDevResource);
  auto split = DRIVER(cuDevSmResourceSplitByCount);
  auto describe = DRIVER(cuDevResourceGenerateDesc);
  auto create = DRIVER(cuGreenCtxCreate);
  auto open = DRIVER(cuGreenCtxStreamCreate);
  CUdevResource all, given;
  CUdevResourceDesc description;
  unsigned n_groups = 1;
  if (!get || !split || !describe || !create || !open)
    return 0;
  if (get(0, &all, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS ||
      split(&given, &n_groups, &all, NULL, 0, wanted) != CUDA_SUCCESS ||
      describe(&description, &given, 1) != CUDA_SUCCESS ||
      create(&p->context, description, 0,
             CU_GREEN_CTX_DEFAULT_STREAM) != CUDA_SUCCESS ||
      open((CUstream *)&p->stream, p->context, CU_STREAM_NON_BLOCKING,
           0) != CUDA_SUCCESS)
    return 0;
  p->multiprocessors = given.sm.smCount;
  return 1;
}

static void give_back(part *p)
{
  CUDA_CHECK(cudaStreamDestroy(p->stream));
  DRIVER(cuGreenCtxDestroy)(p->context);
}

/* ---- running ---- */

typedef struct {
  int n_blocks, rounds;
  unsigned *d_out;
  trace *d_traces, *h_traces;
} job;

static job job_of(int n_blocks, int rounds)
{
  job j = {n_blocks, rounds, NULL, NULL, NULL};
  CUDA_CHECK(cudaMalloc(&j.d_out, (size_t)n_blocks * BLOCK_THREADS *
                                  sizeof *j.d_out));
  CUDA_CHECK(cudaMalloc(&j.d_traces, n_blocks * sizeof *j.d_traces));
  j.h_traces = (trace *)malloc(n_blocks * sizeof *j.h_traces);
  return j;
}

static void job_free(job *j)
{
  CUDA_CHECK(cudaFree(j->d_out));
  CUDA_CHECK(cudaFree(j->d_traces));
  free(j->h_traces);
}

static void run(job *j, cudaStream_t stream)
{
  work<<<j->n_blocks, BLOCK_THREADS, 0, stream>>>(j->d_out, j->d_traces,
                                                  j->rounds);
  CUDA_CHECK_LAUNCH();
}

/* Returns 1 if every thread arrived where it should; reads the traces. */
static int is_right(job *j)
{
  size_t n = (size_t)j->n_blocks * BLOCK_THREADS;
  unsigned *h_out = (unsigned *)malloc(n * sizeof *h_out);
  size_t n_wrong = 0;
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(h_out, j->d_out, n * sizeof *h_out,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(j->h_traces, j->d_traces,
                        j->n_blocks * sizeof *j->h_traces,
                        cudaMemcpyDeviceToHost));
  /* All threads of a short walk, some of a long one. */
  for (size_t i = 0; i < n; i += j->rounds < 50 ? 1 : 997)
    n_wrong += h_out[i] != expected((unsigned)i + 1, j->rounds);
  free(h_out);
  if (n_wrong)
    fprintf(stderr, "work: error: %zu threads are wrong\n", n_wrong);
  return n_wrong == 0;
}

/* How many different multiprocessors had a block, in several launches
 * together? A part that leaks shows in one of them. */
static int multiprocessors_used(job *j, cudaStream_t stream, int n_launches,
                                int *good)
{
  unsigned char seen[4096] = {0};
  int n = 0;
  for (int launch = 0; launch < n_launches; launch++) {
    run(j, stream);
    *good &= is_right(j);
    for (int i = 0; i < j->n_blocks; i++) {
      unsigned id = j->h_traces[i].multiprocessor % 4096;
      n += !seen[id];
      seen[id] = 1;
    }
  }
  return n;
}

/* The driver does not say which multiprocessors it gave, but how many. */
static int is_within(int used, unsigned given)
{
  if ((unsigned)used <= given)
    return 1;
  fprintf(stderr, "part: error: %d multiprocessors had blocks, %u were "
          "given\n", used, given);
  return 0;
}

static double time_once_us(job *j, cudaStream_t stream, cudaEvent_t start,
                           cudaEvent_t stop)
{
  float ms;
  CUDA_CHECK(cudaEventRecord(start, stream));
  run(j, stream);
  CUDA_CHECK(cudaEventRecord(stop, stream));
  CUDA_CHECK(cudaEventSynchronize(stop));
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  return 1000.0 * ms;
}

static timing time_on(job *j, cudaStream_t stream, int repetitions)
{
  static double samples_us[1000];
  cudaEvent_t start, stop;
  timing t = {};
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  for (int pass = -TIMING_WARM_UP; pass < repetitions; pass++) {
    double us = time_once_us(j, stream, start, stop);
    if (pass >= 0)
      samples_us[pass] = us;
  }
  timing_summarise(&t, samples_us, repetitions);
  CUDA_CHECK(cudaEventDestroy(start));
  CUDA_CHECK(cudaEventDestroy(stop));
  return t;
}

/* The same grid on ever more multiprocessors. */
static int measure_parts(const options *o)
{
  unsigned all = device_properties()->multiProcessorCount, last = 0;
  job j = job_of(N_BLOCKS, ROUNDS);
  int good = 1;
  printf("multiprocessors,multiprocessors_used,n_blocks,time_us,"
         "time_spread_us\n");
  for (unsigned wanted = 8; wanted < all; wanted += wanted < 32 ? 8 : 16) {
    part p;
    if (!part_of(wanted, &p)) {
      printf("needs a GPU and a driver with green contexts\n");
      return EXIT_SKIPPED;
    }
    if (p.multiprocessors != last && p.multiprocessors < all) {
      timing t = time_on(&j, p.stream, o->repetitions);
      int used = multiprocessors_used(&j, p.stream, N_LAUNCHES, &good);
      good &= is_within(used, p.multiprocessors);
      printf("%u,%d,%d,%.3f,%.3f\n", p.multiprocessors, used, N_BLOCKS,
             t.median_us, t.spread_us);
      fflush(stdout);
    }
    last = p.multiprocessors;
    give_back(&p);
  }
  timing t = time_on(&j, 0, o->repetitions);
  int used = multiprocessors_used(&j, 0, N_LAUNCHES, &good);
  printf("%u,%d,%d,%.3f,%.3f\n", all, used, N_BLOCKS, t.median_us,
         t.spread_us);
  job_free(&j);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Where and when each block of one launch ran. */
static int measure_blocks(void)
{
  job j = job_of(FEW_BLOCKS, ROUNDS);
  int good = 1;
  unsigned long long first = ~0ull;
  for (int pass = 0; pass < 3; pass++) {     /* the last one counts */
    run(&j, 0);
    good &= is_right(&j);
  }
  for (int i = 0; i < j.n_blocks; i++)
    if (j.h_traces[i].start_ns < first)
      first = j.h_traces[i].start_ns;
  printf("block,multiprocessor,start_us,end_us\n");
  for (int i = 0; i < j.n_blocks; i++)
    printf("%d,%u,%.3f,%.3f\n", i, j.h_traces[i].multiprocessor,
           1e-3 * (double)(j.h_traces[i].start_ns - first),
           1e-3 * (double)(j.h_traces[i].end_ns - first));
  job_free(&j);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int check(void)
{
  job j = job_of(67, 20);
  int good = 1, used = multiprocessors_used(&j, 0, 1, &good);
  part p;
  if (part_of(8, &p)) {
    CUDA_CHECK(cudaMemset(j.d_out, 0, 67 * BLOCK_THREADS * sizeof(int)));
    CUDA_CHECK(cudaDeviceSynchronize());
    int inside = multiprocessors_used(&j, p.stream, N_LAUNCHES, &good);
    good &= is_within(inside, p.multiprocessors);
    give_back(&p);
  }
  fprintf(stderr, "%d multiprocessors had blocks\n", used);
  printf("67 blocks: %s\n", good ? "all right" : "WRONG");
  job_free(&j);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "one grid on few and on many "
                            "multiprocessors", "parts,blocks", "");
  if (!o.csv)
    return check();
  if (!timing_is_possible())
    return EXIT_SKIPPED;
  return strcmp(o.csv, "parts") == 0 ? measure_parts(&o) : measure_blocks();
}
