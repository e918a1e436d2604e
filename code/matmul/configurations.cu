/* Which block, and how many elements per thread? The kernel with several
 * elements per thread, with tiles of any shape:
 *
 *   a block makes tile_rows × tile_cols elements of c, in slices of
 *   tile_cols; each of its threads makes `each` of them, one below the other.
 *
 *   nvcc -I code code/matmul/configurations.cu -o configurations
 *   ./configurations
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

/* ---- kernels --------------------------------------------------------- */

/* Inlined with constants, the loops unroll and `sum` is in registers. */
// begin configured
__device__ __forceinline__ void matmul_configured(
    float *c, const float *a, const float *b, size_t n, const int tile,
    const int each)
{
  extern __shared__ float tiles[];
  const int down = blockDim.y, tall = down * each;
  float *tile_a = tiles, *tile_b = tiles + tall * tile;
  int x = threadIdx.x, y = threadIdx.y;
  size_t col = (size_t)blockIdx.x * tile + x;
  size_t row = (size_t)blockIdx.y * tall + y;
  float sum[32] = {};
  for (size_t first = 0; first < n; first += tile) {
    for (int i = 0; i < each; i++)
      tile_a[(y + i * down) * tile + x] =
          row + i * down < n && first + x < n
              ? a[(row + i * down) * n + first + x] : 0.0f;
    for (int k = y; k < tile; k += down)
      tile_b[k * tile + x] =
          first + k < n && col < n ? b[(first + k) * n + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < tile; k++) {
      float b_k = tile_b[k * tile + x];
      for (int i = 0; i < each; i++)
        sum[i] += tile_a[(y + i * down) * tile + k] * b_k;
    }
    __syncthreads();
  }
  for (int i = 0; i < each; i++)
    if (row + i * down < n && col < n)
      c[(row + i * down) * n + col] = sum[i];
}

#define CONFIGURED(tile, each)                                           \
  __global__ void matmul_##tile##_##each(float *c, const float *a,       \
                                         const float *b, size_t n)       \
  {                                                                      \
    matmul_configured(c, a, b, n, tile, each);                           \
  }
// end configured

CONFIGURED(8, 1) CONFIGURED(8, 2) CONFIGURED(8, 4) CONFIGURED(8, 8)
CONFIGURED(16, 1) CONFIGURED(16, 2) CONFIGURED(16, 4) CONFIGURED(16, 8)
CONFIGURED(16, 16)
CONFIGURED(32, 1) CONFIGURED(32, 2) CONFIGURED(32, 4) CONFIGURED(32, 8)
CONFIGURED(32, 16) CONFIGURED(32, 32)

typedef void kernel(float *c, const float *a, const float *b, size_t n);

/* ---- versions -------------------------------------------------------- */

typedef struct {
  const char *name;
  const char *idea;
  kernel *run;
  unsigned tile, each;
} version;

#define VERSION(tile, each) \
  {#tile "_" #each, "tiles " #tile " wide, " #each " elements a thread", \
   matmul_##tile##_##each, tile, each}

static const version versions[] = {
  VERSION(8, 1), VERSION(8, 2), VERSION(8, 4), VERSION(8, 8),
  VERSION(16, 1), VERSION(16, 2), VERSION(16, 4), VERSION(16, 8),
  VERSION(16, 16),
  VERSION(32, 1), VERSION(32, 2), VERSION(32, 4), VERSION(32, 8),
  VERSION(32, 16), VERSION(32, 32),
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* Rows of threads: all that make whole blocks of at most 1024 threads. */
static const unsigned heights[] = {1, 2, 4, 8, 16, 32};
enum { N_HEIGHTS = sizeof heights / sizeof heights[0] };

static size_t shared_bytes(const version *v, unsigned height)
{
  return ((size_t)height * v->each + v->tile) * v->tile * sizeof(float);
}

/* A warp at least, no more shared memory than a block has without asking, and
 * no more threads than the registers suffice for. */
static int is_possible(const version *v, unsigned height)
{
  cudaFuncAttributes kernel;
  CUDA_CHECK(cudaFuncGetAttributes(&kernel, v->run));
  return v->tile * height >= 32 &&
         v->tile * height <= (unsigned)kernel.maxThreadsPerBlock &&
         height <= v->tile && shared_bytes(v, height) <= 48 * 1024;
}

static void launch(const version *v, unsigned height, float *d_c,
                   const float *d_a, const float *d_b, size_t n)
{
  size_t tall = (size_t)height * v->each;
  dim3 grid((unsigned)((n + v->tile - 1) / v->tile),
            (unsigned)((n + tall - 1) / tall));
  v->run<<<grid, dim3(v->tile, height), shared_bytes(v, height)>>>(d_c, d_a,
                                                                   d_b, n);
}

/* ---- checking -------------------------------------------------------- */

static int check_size(const options *o, random_source *source, size_t n)
{
  size_t n_bytes = n * n * sizeof(float);
  int n_bad = 0;
  float *h_a = (float *)malloc(n_bytes), *h_b = (float *)malloc(n_bytes);
  float *h_expected = (float *)malloc(n_bytes);
  char *h_c = (char *)malloc(n_bytes + GUARD_BYTES);
  for (size_t i = 0; i < n * n; i++) {
    h_a[i] = (float)random_below(source, 17) - 8.0f;
    h_b[i] = (float)random_below(source, 17) - 8.0f;
  }
  for (size_t i = 0; i < n * n; i++) {
    h_expected[i] = 0.0f;
    for (size_t k = 0; k < n; k++)
      h_expected[i] += h_a[i / n * n + k] * h_b[k * n + i % n];
  }
  float *d_a, *d_b, *d_c;
  CUDA_CHECK(cudaMalloc(&d_a, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_b, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_c, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_a, h_a, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, h_b, n_bytes, cudaMemcpyHostToDevice));
  for (int i = 0; i < N_VERSIONS; i++)
    for (int j = 0; j < N_HEIGHTS; j++) {
      const version *v = &versions[i];
      if (!options_wants(o, v->name) || !is_possible(v, heights[j]))
        continue;
      char what[64];
      snprintf(what, sizeof what, "%s, %u rows of threads, %zu", v->name,
               heights[j], n);
      poison_device(d_c, n_bytes + GUARD_BYTES);
      launch(v, heights[j], d_c, d_a, d_b, n);
      CUDA_CHECK_LAUNCH();
      CUDA_CHECK(cudaMemcpy(h_c, d_c, n_bytes + GUARD_BYTES,
                            cudaMemcpyDeviceToHost));
      n_bad += !(compare_floats(what, h_expected, (float *)h_c, n * n) &&
                 compare_guard(what, h_c + n_bytes, GUARD_BYTES));
    }
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  free(h_a);
  free(h_b);
  free(h_expected);
  free(h_c);
  return n_bad;
}

static int check_versions(const options *o)
{
  static const size_t sizes[] = {1, 31, 33, 64};
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    n_bad += check_size(o, &source, sizes[i]);
  if (!device_is_software())
    n_bad += check_size(o, &source, 300);
  if (n_bad == 0)
    fprintf(options_remarks(o),
            "every configuration agrees with the reference (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

/* All configurations, with how many warps a multiprocessor can keep. */
static void measure(const options *o)
{
  size_t n = memory_side(o, 2048, 3 * sizeof(float));
  size_t n_bytes = n * n * sizeof(float);
  random_source source = random_from_seed(o->seed);
  float *d_a, *d_b, *d_c;
  CUDA_CHECK(cudaMalloc(&d_a, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_b, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_c, n_bytes));
  fill_device_floats(&source, d_a, n * n);
  fill_device_floats(&source, d_b, n * n);
  printf(o->csv ? "version,tile,each,block_threads,resident_warps,"
                  "shared_bytes,registers,n,repetitions,time_us,"
                  "time_spread_us,gflop_per_s\n"
                : "version    threads  warps/SM    median us    GFLOP/s\n");
  for (int i = 0; i < N_VERSIONS; i++)
    for (int j = 0; j < N_HEIGHTS; j++) {
      const version *v = &versions[i];
      unsigned height = heights[j], n_threads = v->tile * height;
      if (!options_wants(o, v->name) || !is_possible(v, height))
        continue;
      int n_blocks;
      cudaFuncAttributes attributes;
      CUDA_CHECK(cudaFuncGetAttributes(&attributes, v->run));
      CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &n_blocks, v->run, (int)n_threads, shared_bytes(v, height)));
      timing t = timing_start(o->repetitions);
      while (timing_next(&t)) {
        launch(v, height, d_c, d_a, d_b, n);
        CUDA_CHECK_LAUNCH();
      }
      double gflop_per_s = 2e-3 * (double)n * (double)n * (double)n /
                           t.median_us;
      if (o->csv)
        printf("%s,%u,%u,%u,%u,%zu,%d,%zu,%d,%.3f,%.3f,%.1f\n", v->name,
               v->tile, v->each, n_threads, n_blocks * n_threads / 32,
               shared_bytes(v, height), attributes.numRegs, n,
               t.repetitions, t.median_us, t.spread_us, gflop_per_s);
      else
        printf("%-10s %7u %9u %12.1f %10.1f\n", v->name, n_threads,
               n_blocks * n_threads / 32, t.median_us, gflop_per_s);
      fflush(stdout);
    }
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv,
                            "matrix products in blocks of many shapes",
                            "configurations", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o);
  return EXIT_SUCCESS;
}
