/* Elements per thread, and unrolling: a filter of 32 taps, as blocks of 256
 * threads with their piece of the input in shared memory. A thread computes 1
 * to 16 results, which lie far apart (strided) or side by side (consecutive);
 * the loop over the taps is unrolled 1 to 32 times.
 *
 *   nvcc -I code code/occupancy/filter.cu -o filter && ./filter
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "occupancy/here.h"

enum { BLOCK_THREADS = 256, TAPS = 32, MOST_ELEMS = 16 };

__constant__ float taps[TAPS];

/* out[i] = sum of in[i + k] * taps[k]; `in` has TAPS - 1 elements more. */
static void filter_on_host(float *out, const float *in, const float *h_taps,
                           size_t n)
{
  for (size_t i = 0; i < n; i++) {
    float sum = 0.0f;
    for (size_t k = 0; k < TAPS; k++)
      sum = fmaf(in[i + k], h_taps[k], sum);
    out[i] = sum;
  }
}

/* ---- kernels --------------------------------------------------------- */

/* The block's piece of the input, coalesced. `gap` inserts an unused word
 * after every 32. */
__device__ __forceinline__ unsigned place(unsigned i, int gap)
{
  return gap ? i + i / 32 : i;
}

__device__ __forceinline__ void load_tile(float *tile, const float *in,
                                          size_t first, unsigned n_tile,
                                          size_t n, int gap)
{
  for (unsigned i = threadIdx.x; i < n_tile; i += BLOCK_THREADS)
    if (first + i < n + TAPS - 1)
      tile[place(i, gap)] = in[first + i];
}

// begin strided
/* A thread's results lie a block apart, so that lanes stay neighbours in
 * every access. */
template <int ELEMS, int UNROLLED>
__global__ void strided(float *out, const float *in, size_t n)
{
  __shared__ float tile[ELEMS * BLOCK_THREADS + TAPS];
  size_t first = (size_t)blockIdx.x * (ELEMS * BLOCK_THREADS);
  load_tile(tile, in, first, ELEMS * BLOCK_THREADS + TAPS - 1, n, 0);
  __syncthreads();
#pragma unroll
  for (unsigned e = 0; e < ELEMS; e++) {
    unsigned i = e * BLOCK_THREADS + threadIdx.x;
    float sum = 0.0f;
#pragma unroll UNROLLED
    for (unsigned k = 0; k < TAPS; k++)
      sum = fmaf(tile[i + k], taps[k], sum);
    if (first + i < n)
      out[first + i] = sum;
  }
}
// end strided

// begin consecutive
/* A thread's results are neighbours: their inputs overlap, and the compiler
 * may keep them in registers. */
template <int ELEMS>
__global__ void consecutive(float *out, const float *in, size_t n)
{
  __shared__ float tile[ELEMS * BLOCK_THREADS + TAPS];
  size_t first = (size_t)blockIdx.x * (ELEMS * BLOCK_THREADS);
  float sum[ELEMS];
  load_tile(tile, in, first, ELEMS * BLOCK_THREADS + TAPS - 1, n, 0);
  __syncthreads();
#pragma unroll
  for (unsigned e = 0; e < ELEMS; e++) {
    unsigned i = threadIdx.x * ELEMS + e;
    sum[e] = 0.0f;
#pragma unroll
    for (unsigned k = 0; k < TAPS; k++)
      sum[e] = fmaf(tile[i + k], taps[k], sum[e]);
  }
#pragma unroll
  for (unsigned e = 0; e < ELEMS; e++)
    if (first + threadIdx.x * ELEMS + e < n)
      out[first + threadIdx.x * ELEMS + e] = sum[e];
}
// end consecutive

// begin padded
/* The same with gaps in the tile, and the results sent through it, so that
 * neighbouring lanes store neighbouring elements. */
template <int ELEMS>
__global__ void padded(float *out, const float *in, size_t n)
{
  __shared__ float tile[(ELEMS * BLOCK_THREADS + TAPS) / 32 * 33 + 33];
  size_t first = (size_t)blockIdx.x * (ELEMS * BLOCK_THREADS);
  float sum[ELEMS];
  load_tile(tile, in, first, ELEMS * BLOCK_THREADS + TAPS - 1, n, 1);
  __syncthreads();
#pragma unroll
  for (unsigned e = 0; e < ELEMS; e++) {
    unsigned i = threadIdx.x * ELEMS + e;
    sum[e] = 0.0f;
#pragma unroll
    for (unsigned k = 0; k < TAPS; k++)
      sum[e] = fmaf(tile[place(i + k, 1)], taps[k], sum[e]);
  }
  __syncthreads();
#pragma unroll
  for (unsigned e = 0; e < ELEMS; e++)
    tile[place(threadIdx.x * ELEMS + e, 1)] = sum[e];
  __syncthreads();
#pragma unroll
  for (unsigned e = 0; e < ELEMS; e++) {
    unsigned i = e * BLOCK_THREADS + threadIdx.x;
    if (first + i < n)
      out[first + i] = tile[place(i, 1)];
  }
}
// end padded

/* ---- versions -------------------------------------------------------- */

typedef void filter_kernel(float *out, const float *in, size_t n);
typedef struct {
  const char *name, *idea, *layout;
  filter_kernel *kernel;
  unsigned elems, unrolled;
} version;

#define ROW_STRIDED(elems, unrolled)                                      \
  {"strided_" #elems "_" #unrolled, "results a block apart", "strided",   \
   strided<elems, unrolled>, elems, unrolled}
#define ROW(layout, idea, elems)                                          \
  {#layout "_" #elems, idea, #layout, layout<elems>, elems, 32}
static const version versions[] = {
  ROW_STRIDED(1, 1), ROW_STRIDED(1, 2), ROW_STRIDED(1, 4),
  ROW_STRIDED(1, 8), ROW_STRIDED(1, 16), ROW_STRIDED(1, 32),
  ROW_STRIDED(2, 32), ROW_STRIDED(4, 32), ROW_STRIDED(8, 32),
  ROW_STRIDED(16, 32),
  ROW(consecutive, "neighbouring results", 1),
  ROW(consecutive, "neighbouring results", 2),
  ROW(consecutive, "neighbouring results", 4),
  ROW(consecutive, "neighbouring results", 8),
  ROW(consecutive, "neighbouring results", 16),
  ROW(padded, "neighbouring results, through a tile with gaps", 1),
  ROW(padded, "neighbouring results, through a tile with gaps", 2),
  ROW(padded, "neighbouring results, through a tile with gaps", 4),
  ROW(padded, "neighbouring results, through a tile with gaps", 8),
  ROW(padded, "neighbouring results, through a tile with gaps", 16),
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void launch(const version *v, float *d_out, const float *d_in,
                   size_t n)
{
  size_t of_block = (size_t)BLOCK_THREADS * v->elems;
  size_t n_blocks = (n + of_block - 1) / of_block;
  if (n_blocks > 0)
    v->kernel<<<(unsigned)n_blocks, BLOCK_THREADS>>>(d_out, d_in, n);
}

/* Which of the two experiments a version belongs to; some to both. */
static int belongs(const version *v, const char *experiment)
{
  int is_unrolling = v->elems == 1 && strcmp(v->layout, "strided") == 0;
  return strncmp(experiment, "unroll", 6) == 0 ? is_unrolling
                                               : v->unrolled == 32;
}

/* ---- checking -------------------------------------------------------- */

static int check_version(const version *v, const float *h_in,
                         const float *h_taps, const float *d_in,
                         float *d_out, size_t n)
{
  char what[64];
  float *h_out = (float *)malloc(n * sizeof(float) + GUARD_BYTES);
  float *expected = (float *)malloc(n * sizeof(float) + 1);
  snprintf(what, sizeof what, "%s, %zu elements", v->name, n);
  filter_on_host(expected, h_in, h_taps, n);
  poison_device(d_out, n * sizeof(float) + GUARD_BYTES);
  launch(v, d_out, d_in, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n * sizeof(float) + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int is_right = compare_floats(what, expected, h_out, n) &&
                 compare_guard(what, h_out + n, GUARD_BYTES);
  free(h_out);
  free(expected);
  return is_right;
}

static void set_taps(random_source *source, float *h_taps)
{
  random_fill_floats(source, h_taps, TAPS);
  CUDA_CHECK(cudaMemcpyToSymbol(taps, h_taps, TAPS * sizeof(float)));
}

static int check(const options *o)
{
  static const size_t sizes[] = {0, 1, 255, 256, 4097, 20000};
  size_t most = 20000 + TAPS - 1;
  random_source source = random_from_seed(o->seed);
  float h_taps[TAPS], *h_in = (float *)malloc(most * sizeof(float));
  float *d_in, *d_out;
  int n_bad = 0;
  random_fill_floats(&source, h_in, most);
  set_taps(&source, h_taps);
  CUDA_CHECK(cudaMalloc(&d_out, most * sizeof(float) + GUARD_BYTES));
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    /* Exactly as large as the filter needs: reading beyond is noticed. */
    size_t n_bytes = (sizes[s] + TAPS - 1) * sizeof(float);
    CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
    CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
    for (int v = 0; v < N_VERSIONS; v++)
      if (options_wants(o, versions[v].name))
        n_bad += !check_version(&versions[v], h_in, h_taps, d_in, d_out,
                                sizes[s]);
    CUDA_CHECK(cudaFree(d_in));
  }
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  if (n_bad == 0)
    fprintf(o->csv || o->count ? stderr : stdout,
            "every version is right (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring and counting ------------------------------------------ */

static void measure_one(const options *o, const version *v, float *d_out,
                        const float *d_in, size_t n)
{
  int active = active_blocks_here((const void *)v->kernel, BLOCK_THREADS, 0);
  timing t = timing_start(o->repetitions);
  while (timing_next(&t)) {
    launch(v, d_out, d_in, n);
    CUDA_CHECK_LAUNCH();
  }
  printf("%s,%s,%u,%u,%d,%d,%.4f,%zu,%d,%.3f,%.3f,%.3f\n", v->name,
         v->layout, v->elems, v->unrolled,
         registers_here((const void *)v->kernel), active,
         (double)active * BLOCK_THREADS / limits_here()->threads, n,
         t.repetitions, t.median_us, t.spread_us,
         (double)n / t.median_us * 1e-3);
  fflush(stdout);
}

static void run(const options *o, const char *experiment)
{
  size_t n = o->n_sizes > 0 ? o->size[0]
                            : (size_t)1 << (o->count ? 17 : 26);
  random_source source = random_from_seed(o->seed);
  float h_taps[TAPS], *d_in, *d_out;
  CUDA_CHECK(cudaMalloc(&d_in, (n + TAPS - 1) * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(float) + 1));
  set_taps(&source, h_taps);
  fill_device_floats(&source, d_in, n + TAPS - 1);
  if (o->count)
    printf("version,layout,elems_per_thread,unrolled,n_elems\n");
  else
    printf("version,layout,elems_per_thread,unrolled,thread_registers,"
           "active_blocks,occupancy,n_elems,repetitions,time_us,"
           "time_spread_us,gelem_per_s\n");
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name) ||
        !belongs(&versions[v], experiment))
      continue;
    if (o->count) {
      printf("%s,%s,%u,%u,%zu\n", versions[v].name, versions[v].layout,
             versions[v].elems, versions[v].unrolled, n);
      launch(&versions[v], d_out, d_in, n);
      CUDA_CHECK_LAUNCH();
    } else {
      measure_one(o, &versions[v], d_out, d_in, n);
    }
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a filter with several elements a "
                            "thread, unrolled", "elements,unrolling",
                            "elements,unrolling");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    run(&o, o.count);
    return EXIT_SUCCESS;
  }
  if (check(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  run(&o, o.csv ? o.csv : "elements");
  return EXIT_SUCCESS;
}
