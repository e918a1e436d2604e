/* Registers given up for occupancy: two kernels that want many registers,
 * each compiled with fewer and fewer of them allowed. What does not fit is
 * spilled to local memory. One kernel carries values past a loop that does not
 * use them; the other uses all of its values in every round.
 *
 *   nvcc -I code code/occupancy/spill.cu -o spill && ./spill
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "occupancy/here.h"

enum { BLOCK_THREADS = 256, CARRIED = 56, SUMS = 56 };

__constant__ float weights[SUMS];

/* ---- kernels --------------------------------------------------------- */

// begin carry
/* Takes CARRIED values before the loop and needs them after it. The loop
 * itself waits for memory and for nothing else. `volatile` keeps the compiler
 * from loading the values only when they are needed. */
template <int UNROLLED>
__device__ __forceinline__ void carry_past_loop(float *out, const float *in,
                                                unsigned n, int n_rounds)
{
  unsigned i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
  float carried[CARRIED], sum = 0.0f;
#pragma unroll
  for (int k = 0; k < CARRIED; k++)
    carried[k] = ((const volatile float *)in)[i + k];
#pragma unroll UNROLLED
  for (int r = 0; r < n_rounds; r++)
    sum = fmaf(0.5f, sum, in[(size_t)r * n + i]);
#pragma unroll
  for (int k = 0; k < CARRIED; k++)
    sum = fmaf(0.9375f, sum, carried[k]);
  out[i] = sum;
}
// end carry

// begin busy
/* SUMS sums at a time: each round needs all of them. */
template <int UNROLLED>
__device__ __forceinline__ void keep_busy(float *out, const float *in,
                                          unsigned n, int n_rounds)
{
  unsigned i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
  float sums[SUMS] = {}, sum = 0.0f;
#pragma unroll UNROLLED
  for (int r = 0; r < n_rounds; r++) {
    float x = in[(size_t)r * n + i];
#pragma unroll
    for (int k = 0; k < SUMS; k++)
      sums[k] = fmaf(x, weights[k], 0.5f * sums[k]);
  }
#pragma unroll
  for (int k = 0; k < SUMS; k++)
    sum = fmaf(0.9375f, sum, sums[k]);
  out[i] = sum;
}
// end busy

// begin limits_of_registers
/* As many registers as the compiler likes … */
template <int UNROLLED>
__global__ void carry_free(float *out, const float *in, unsigned n,
                           int n_rounds)
{
  carry_past_loop<UNROLLED>(out, in, n, n_rounds);
}

/* … or at most REGISTERS of them per thread. */
template <int UNROLLED, int REGISTERS>
__global__ void __maxnreg__(REGISTERS)
carry(float *out, const float *in, unsigned n, int n_rounds)
{
  carry_past_loop<UNROLLED>(out, in, n, n_rounds);
}
// end limits_of_registers

template <int UNROLLED>
__global__ void busy_free(float *out, const float *in, unsigned n,
                          int n_rounds)
{
  keep_busy<UNROLLED>(out, in, n, n_rounds);
}

template <int UNROLLED, int REGISTERS>
__global__ void __maxnreg__(REGISTERS)
busy(float *out, const float *in, unsigned n, int n_rounds)
{
  keep_busy<UNROLLED>(out, in, n, n_rounds);
}

// begin by_blocks
/* The limit by its purpose: so many blocks should be active. */
template <int BLOCKS>
__global__ void __launch_bounds__(BLOCK_THREADS, BLOCKS)
carry_for_blocks(float *out, const float *in, unsigned n, int n_rounds)
{
  carry_past_loop<1>(out, in, n, n_rounds);
}
// end by_blocks

/* What doesn't fit into registers goes to local memory … */
template <int BLOCKS>
__global__ void __launch_bounds__(BLOCK_THREADS, BLOCKS)
busy_local(float *out, const float *in, unsigned n, int n_rounds)
{
  keep_busy<1>(out, in, n, n_rounds);
}

/* … or to shared memory first, since CUDA 13.0. */
template <int BLOCKS>
__global__ void __launch_bounds__(BLOCK_THREADS, BLOCKS)
busy_shared(float *out, const float *in, unsigned n, int n_rounds)
{
  asm volatile(".pragma \"enable_smem_spilling\";");
  keep_busy<1>(out, in, n, n_rounds);
}

/* ---- versions -------------------------------------------------------- */

typedef void spill_kernel(float *out, const float *in, unsigned n,
                          int n_rounds);
typedef struct {
  const char *name, *idea, *family;
  spill_kernel *kernel;
  int most_registers, unrolled;
  int active_blocks;      /* asked for, in the experiment `shared`; 0: not in it */
} version;

#define ROW(family, unrolled, most)                                       \
  {#family "_" #unrolled "_" #most, "at most so many registers", #family, \
   family<unrolled, most>, most, unrolled}
#define ROWS(family, unrolled)                                            \
  {#family "_" #unrolled "_free", "as many registers as it wants",        \
   #family, family##_free<unrolled>, 255, unrolled},                      \
  ROW(family, unrolled, 72), ROW(family, unrolled, 64),                   \
  ROW(family, unrolled, 56), ROW(family, unrolled, 48),                   \
  ROW(family, unrolled, 40), ROW(family, unrolled, 32),                   \
  ROW(family, unrolled, 24)
static const version versions[] = {
  ROWS(carry, 1), ROWS(carry, 4), ROWS(busy, 1), ROWS(busy, 4),
  {"carry_blocks_4", "four blocks should be active", "carry_blocks",
   carry_for_blocks<4>, 0, 1},
  {"carry_blocks_5", "five blocks should be active", "carry_blocks",
   carry_for_blocks<5>, 0, 1},
#define SHARED_ROWS(blocks)                                               \
  {"busy_local_" #blocks, "spills go to local memory", "busy",            \
   busy_local<blocks>, 0, 1, blocks},                                  \
  {"busy_shared_" #blocks, "spills go to shared memory first", "busy",    \
   busy_shared<blocks>, 0, 1, blocks}
  SHARED_ROWS(4), SHARED_ROWS(5), SHARED_ROWS(6), SHARED_ROWS(8),
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- checking -------------------------------------------------------- */

static void reference(const version *v, float *h_out, const float *h_in,
                      const float *h_weights, unsigned n, int n_rounds)
{
  int is_busy = strcmp(v->family, "busy") == 0;
  for (unsigned i = 0; i < n; i++) {
    float sums[SUMS] = {0}, sum = 0.0f;
    for (int r = 0; r < n_rounds; r++) {
      float x = h_in[(size_t)r * n + i];
      if (!is_busy)
        sum = fmaf(0.5f, sum, x);
      else
        for (int k = 0; k < SUMS; k++)
          sums[k] = fmaf(x, h_weights[k], 0.5f * sums[k]);
    }
    for (int k = 0; k < (is_busy ? SUMS : CARRIED); k++)
      sum = fmaf(0.9375f, sum, is_busy ? sums[k] : h_in[i + k]);
    h_out[i] = sum;
  }
}

static int check_version(const version *v, const float *h_in,
                         const float *h_weights, const float *d_in,
                         float *d_out, unsigned n, int n_rounds)
{
  size_t n_bytes = n * sizeof(float);
  float *h_out = (float *)malloc(n_bytes + GUARD_BYTES);
  float *expected = (float *)malloc(n_bytes);
  reference(v, expected, h_in, h_weights, n, n_rounds);
  poison_device(d_out, n_bytes + GUARD_BYTES);
  v->kernel<<<n / BLOCK_THREADS, BLOCK_THREADS>>>(d_out, d_in, n, n_rounds);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int is_right = compare_floats(v->name, expected, h_out, n) &&
                 compare_guard(v->name, h_out + n, GUARD_BYTES);
  free(h_out);
  free(expected);
  return is_right;
}

static void set_weights(random_source *source, float *h_weights)
{
  random_fill_floats(source, h_weights, SUMS);
  CUDA_CHECK(cudaMemcpyToSymbol(weights, h_weights, SUMS * sizeof(float)));
}

static int check(const options *o)
{
  static const int rounds[] = {0, 1, 7};
  unsigned n = 4 * BLOCK_THREADS;
  size_t n_in = 7 * (size_t)n + CARRIED;
  random_source source = random_from_seed(o->seed);
  float h_weights[SUMS], *h_in = (float *)malloc(n_in * sizeof(float));
  float *d_in, *d_out;
  int n_bad = 0;
  random_fill_floats(&source, h_in, n_in);
  set_weights(&source, h_weights);
  CUDA_CHECK(cudaMalloc(&d_in, n_in * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(float) + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_in * sizeof(float),
                        cudaMemcpyHostToDevice));
  for (int v = 0; v < N_VERSIONS; v++)
    for (int r = 0; r < 3; r++)
      if (options_wants(o, versions[v].name))
        n_bad += !check_version(&versions[v], h_in, h_weights, d_in, d_out,
                                n, rounds[r]);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  if (n_bad == 0)
    fprintf(o->csv || o->count ? stderr : stdout,
            "every version is right (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring and counting ------------------------------------------ */

/* The experiment `shared` has versions of its own. */
static int is_shared(const options *o)
{
  return o->csv && strcmp(o->csv, "shared") == 0;
}

static int is_asked_for(const options *o, const version *v)
{
  return options_wants(o, v->name) &&
         (v->active_blocks > 0) == is_shared(o);
}

static timing time_version(const options *o, const version *v, float *d_out,
                           const float *d_in, unsigned n, int n_rounds)
{
  timing t = timing_start(o->repetitions);
  while (timing_next(&t)) {
    v->kernel<<<n / BLOCK_THREADS, BLOCK_THREADS>>>(d_out, d_in, n, n_rounds);
    CUDA_CHECK_LAUNCH();
  }
  return t;
}

static void print_head(const options *o)
{
  if (o->count)
    printf("version,family,most_registers,unrolled\n");
  else
    printf("version,family,%s,unrolled,thread_registers,local_bytes%s,"
           "active_blocks,occupancy,n_elems,n_rounds,repetitions,time_us,"
           "time_spread_us,speedup\n",
           is_shared(o) ? "wanted_blocks" : "most_registers",
           is_shared(o) ? ",shared_bytes" : "");
}

/* Eight full loads of blocks for every multiprocessor, or, to count, few. */
static void run(const options *o)
{
  unsigned n = o->count ? 64 * BLOCK_THREADS
    : (unsigned)multiprocessors_here() * 8 * 2048;
  int n_rounds = o->count ? 64 : 256;
  double free_us = 0.0, carry_free_us = 0.0;
  size_t n_in = (size_t)n * (size_t)n_rounds + CARRIED;
  random_source source = random_from_seed(o->seed);
  float h_weights[SUMS], *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, n_in * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  set_weights(&source, h_weights);
  fill_device_floats(&source, d_in, n_in);
  print_head(o);
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    cudaFuncAttributes a;
    const void *kernel = (const void *)v->kernel;
    if (!is_asked_for(o, v))
      continue;
    printf("%s,%s,%d,%d", v->name, v->family,
           v->active_blocks > 0 ? v->active_blocks : v->most_registers,
           v->unrolled);
    if (o->count) {
      printf("\n");
      v->kernel<<<n / BLOCK_THREADS, BLOCK_THREADS>>>(d_out, d_in, n,
                                                      n_rounds);
      CUDA_CHECK_LAUNCH();
      continue;
    }
    CUDA_CHECK(cudaFuncGetAttributes(&a, kernel));
    int active = active_blocks_here(kernel, BLOCK_THREADS, 0);
    timing t = time_version(o, v, d_out, d_in, n, n_rounds);
    /* Gains are against the same kernel without a limit, or before any spill;
       carry_blocks is the kernel carry_1 under another kind of limit. */
    if (v->most_registers == 255 || strcmp(v->name, "busy_local_4") == 0)
      free_us = t.median_us;
    if (strcmp(v->name, "carry_1_free") == 0)
      carry_free_us = t.median_us;
    double base_us = strcmp(v->family, "carry_blocks") == 0 ? carry_free_us
                                                            : free_us;
    printf(",%d,%zu", a.numRegs, a.localSizeBytes);
    if (v->active_blocks > 0)
      printf(",%zu", a.sharedSizeBytes);
    printf(",%d,%.4f,%u,%d,%d,%.3f,%.3f,%.3f\n", active,
           (double)active * BLOCK_THREADS / limits_here()->threads, n,
           n_rounds, t.repetitions, t.median_us, t.spread_us,
           base_us / t.median_us);
    fflush(stdout);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "gives up registers for occupancy",
                            "spilling,shared", "spilling");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    run(&o);
    return EXIT_SUCCESS;
  }
  if (check(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  run(&o);
  return EXIT_SUCCESS;
}
