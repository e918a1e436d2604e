/* Do the equations give what CUDA says? Kernels with from few to very many
 * registers, with and without shared memory of their own, in blocks of every
 * kind of size, with more and more dynamic shared memory, for each setting of
 * the carve-out: each time the equations and the runtime must agree.
 *
 *   nvcc -I code code/occupancy/ask_runtime.cu -o ask_runtime && ./ask_runtime
 */
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "occupancy/occupancy.h"

/* ---- kernels that need many registers -------------------------------- */

/* Loads N values and stores them in the opposite order: each must wait in a
 * register of its own, because the compiler may not move a volatile access
 * past another. */
template <int N>
__device__ __forceinline__ void hold(volatile float *x)
{
  float held[N];
#pragma unroll
  for (int i = 0; i < N; i++)
    held[i] = x[i * 1024 + threadIdx.x];
#pragma unroll
  for (int i = N - 1; i >= 0; i--)
    x[(N - 1 - i) * 1024 + threadIdx.x] = held[i];
}

template <int N>
__global__ void holds(volatile float *x)
{
  hold<N>(x);
}

#define EACH_PLAIN(M) \
  M(1) M(4) M(8) M(11) M(14) M(17) M(20) M(23) M(26) M(29) M(32) M(36) \
  M(40) M(44) M(48) M(52) M(56) M(60) M(64) M(70) M(76) M(82) M(88) M(94) \
  M(100) M(108) M(116) M(124) M(132) M(140) M(150) M(160) M(170) M(180) \
  M(190) M(200) M(210) M(220) M(230) M(240)

/* The same with an upper limit: blocks of at most THREADS threads, of which
 * BLOCKS should fit on an SM … */
template <int N, int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS) bounds(volatile float *x)
{
  hold<N>(x);
}

/* … or at most REGISTERS registers per thread. */
template <int N, int REGISTERS>
__global__ void __maxnreg__(REGISTERS) most(volatile float *x)
{
  hold<N>(x);
}

/* Shared memory of its own. */
template <int BYTES>
__global__ void keeps(float *x)
{
  __shared__ char kept[BYTES];
  for (int i = threadIdx.x; i < BYTES; i += blockDim.x)
    kept[i] = (char)(int)x[i];
  __syncthreads();
  x[threadIdx.x] = kept[BYTES - 1 - threadIdx.x % BYTES];
}

typedef struct {
  const char *name;
  const void *kernel;
} asked;

static const asked kernels[] = {
#define ROW(n) {"holds_" #n, (const void *)holds<n>},
  EACH_PLAIN(ROW)
  {"bounds_256_4", (const void *)bounds<100, 256, 4>},
  {"bounds_512_2", (const void *)bounds<100, 512, 2>},
  {"bounds_1024_1", (const void *)bounds<100, 1024, 1>},
  {"bounds_96_7", (const void *)bounds<100, 96, 7>},
  {"most_32", (const void *)most<200, 32>},
  {"most_50", (const void *)most<200, 50>},
  {"most_168", (const void *)most<200, 168>},
  {"keeps_1", (const void *)keeps<1>},
  {"keeps_1000", (const void *)keeps<1000>},
  {"keeps_9472", (const void *)keeps<9472>},
  {"keeps_30000", (const void *)keeps<30000>},
  {"keeps_49152", (const void *)keeps<49152>},
};
enum { N_KERNELS = sizeof kernels / sizeof kernels[0] };

/* In percent, -1: no preference. The software device answers more slowly and
 * is asked about the first three only. */
static const int carve_outs[] = {-1, 5, 50, 0, 3, 10, 25, 33, 75, 90, 100};
enum {
  N_CARVE_OUTS = sizeof carve_outs / sizeof carve_outs[0],
  N_SOFTWARE_CARVE_OUTS = 3
};

/* ---- the comparison -------------------------------------------------- */

typedef struct {
  long tried, equal;
  long by_warps, by_registers, by_shared, none;   /* what limited */
} tally;

/* Adds to t. Says what differs and returns 1 if something does. */
static int compare_one(const asked *a, const cudaFuncAttributes *attributes,
                       const occupancy_limits *l, int block_threads,
                       int dynamic_shared, int carve_out, tally *t)
{
  occupancy_use use = {block_threads, attributes->numRegs,
                       (int)attributes->sharedSizeBytes + dynamic_shared,
                       occupancy_pool(l, carve_out, dynamic_shared +
                                      (int)attributes->sharedSizeBytes)};
  occupancy o = occupancy_of(l, use);
  int blocks;
  if (dynamic_shared > attributes->maxDynamicSharedSizeBytes)
    o.blocks = 0;                     /* more than was allowed */
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocks, a->kernel, block_threads, (size_t)dynamic_shared));
  t->tried++;
  t->equal += blocks == o.blocks;
  t->none += o.blocks == 0;
  t->by_warps += o.blocks > 0 && o.blocks == o.by_warps;
  t->by_registers += o.blocks > 0 && o.blocks == o.by_registers;
  t->by_shared += o.blocks > 0 && o.blocks == o.by_shared;
  if (blocks == o.blocks)
    return 0;
  fprintf(stderr, "ask_runtime: error: %s, %d registers, %d threads, %zu + "
          "%d bytes, carve-out %d: CUDA says %d blocks, the equations %d\n",
          a->name, attributes->numRegs, block_threads,
          attributes->sharedSizeBytes, dynamic_shared, carve_out, blocks,
          o.blocks);
  return 1;
}

/* Every size of a block up to 128, then around each multiple of 32. */
static int next_size(int threads)
{
  if (threads < 128)
    return threads + 1;
  return threads + (threads % 32 == 31 || threads % 32 == 0 ? 1 : 30);
}

static int compare_kernel(const asked *a, const occupancy_limits *l,
                          int opt_in, int carve_out, tally *t)
{
  cudaFuncAttributes attributes;
  int n_bad = 0, step = 0, wider = device_is_software() ? 3 : 1;
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, a->kernel));
  int most = l->block_shared - (int)attributes.sharedSizeBytes;
  if (opt_in)
    CUDA_CHECK(cudaFuncSetAttribute(
        a->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
  CUDA_CHECK(cudaFuncSetAttribute(
      a->kernel, cudaFuncAttributePreferredSharedMemoryCarveout, carve_out));
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, a->kernel));
  for (int threads = 1; threads <= 1024; threads = next_size(threads))
    n_bad += compare_one(a, &attributes, l, threads, 0, carve_out, t);
  for (int bytes = 1; bytes <= l->block_shared + 2048;
       bytes += wider * (61 + 16 * step++))
    for (int threads = 32; threads <= 512; threads *= 4)
      n_bad += compare_one(a, &attributes, l, threads, bytes, carve_out, t);
  return n_bad;
}

static int compare_all(const options *o, const occupancy_limits *l,
                       tally *all)
{
  int n_bad = 0;
  int n_carve_outs = device_is_software() ? N_SOFTWARE_CARVE_OUTS
                                          : N_CARVE_OUTS;
  if (o->csv)
    printf("kernel,thread_registers,shared_bytes,configurations,equal,"
           "limited_by_warps,limited_by_registers,limited_by_shared,"
           "cannot_run\n");
  for (int k = 0; k < N_KERNELS && n_bad < 30; k++) {
    cudaFuncAttributes attributes;
    tally t = {0};
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernels[k].kernel));
    for (int opt_in = 0; opt_in < 2; opt_in++)
      for (int c = 0; c < n_carve_outs && n_bad < 30; c++)
        n_bad += compare_kernel(&kernels[k], l, opt_in, carve_outs[c], &t);
    if (o->csv)
      printf("%s,%d,%zu,%ld,%ld,%ld,%ld,%ld,%ld\n", kernels[k].name,
             attributes.numRegs, attributes.sharedSizeBytes, t.tried,
             t.equal, t.by_warps, t.by_registers, t.by_shared, t.none);
    all->tried += t.tried;
    all->equal += t.equal;
  }
  return n_bad;
}

/* ---- limits.def against what the device says of itself ----------------- */

static int check_limit(const char *what, long said, long table)
{
  if (said == table)
    return 0;
  fprintf(stderr, "ask_runtime: error: %s: the device says %ld, limits.def "
          "%ld\n", what, said, table);
  return 1;
}

static int check_limits(const occupancy_limits *l)
{
  const cudaDeviceProp *p = device_properties();
  return check_limit("threads", p->maxThreadsPerMultiProcessor, l->threads) +
         check_limit("blocks", p->maxBlocksPerMultiProcessor, l->blocks) +
         check_limit("registers", p->regsPerMultiprocessor, l->registers) +
         check_limit("registers of a block", p->regsPerBlock,
                     l->block_registers) +
         check_limit("threads of a block", p->maxThreadsPerBlock,
                     l->block_threads) +
         check_limit("shared memory", (long)p->sharedMemPerMultiprocessor,
                     l->shared) +
         check_limit("shared memory of a block",
                     (long)p->sharedMemPerBlockOptin, l->block_shared) +
         check_limit("reserved shared memory",
                     (long)p->reservedSharedMemPerBlock, l->reserved);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "compares the occupancy equations "
                            "with the runtime's answers", "runtime", "");
  const cudaDeviceProp *p = device_properties();
  const occupancy_limits *l =
      occupancy_limits_of(10 * p->major + p->minor);
  tally all = {0};
  if (!l) {
    printf("skipped: limits.def has no row for compute capability %d.%d\n",
           p->major, p->minor);
    return EXIT_SKIPPED;
  }
  if (check_limits(l) + compare_all(&o, l, &all) > 0)
    return EXIT_FAILURE;
  fprintf(o.csv ? stderr : stdout, "%ld of %ld configurations: the equations "
          "and the runtime agree (compute capability %d.%d)\n", all.equal,
          all.tried, p->major, p->minor);
  return EXIT_SUCCESS;
}
