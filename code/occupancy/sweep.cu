/* Time against occupancy, and against the number of active blocks. Unused
 * dynamic shared memory decides how many blocks are active; nothing else
 * changes.
 *
 *   nvcc -I code code/occupancy/sweep.cu -o sweep && ./sweep
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "occupancy/here.h"

enum { BLOCK_THREADS = 256, TILE = 16, DEGREE = 64, ROUNDS = 16, MANY = 8 };

/* ---- kernels --------------------------------------------------------- */

// begin copy_one
__global__ void copy_one(float *out, const float *in, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}
// end copy_one

// begin copy_many
/* Eight loads of 16 bytes: 128 bytes in flight per thread. */
__global__ void copy_many(float4 *out, const float4 *in, size_t n)
{
  size_t first = (size_t)blockIdx.x * blockDim.x * MANY + threadIdx.x;
  float4 held[MANY] = {};
#pragma unroll
  for (int k = 0; k < MANY; k++)
    if (first + k * blockDim.x < n / 4)
      held[k] = in[first + k * blockDim.x];
#pragma unroll
  for (int k = 0; k < MANY; k++)
    if (first + k * blockDim.x < n / 4)
      out[first + k * blockDim.x] = held[k];
}
// end copy_many

// begin polynomial
/* A polynomial by Horner's rule: each step needs the one before it. */
__device__ __forceinline__ float polynomial(float x)
{
  float result = 1.0f;
#pragma unroll
  for (int k = 1; k <= DEGREE; k++)
    result = fmaf(result, x, 1.0f + 0.5f * k);
  return result;
}

__global__ void polynomial_one(float *out, const float *in, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = polynomial(in[i]);
}

/* Four polynomials side by side in each thread. */
__global__ void polynomial_four(float4 *out, const float4 *in, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    float4 x = in[i];
    out[i] = make_float4(polynomial(x.x), polynomial(x.y), polynomial(x.z),
                         polynomial(x.w));
  }
}
// end polynomial

// begin matmul
/* One element of a matrix product per thread, tiles of 16 x 16 in shared
 * memory, two barriers for each pair of tiles. */
__global__ void matmul_tile(float *c, const float *a, const float *b,
                            unsigned n)
{
  __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
  unsigned x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  unsigned row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
  float sum = 0.0f;
  for (unsigned k = 0; k < n; k += TILE) {
    tile_a[y][x] = a[(size_t)row * n + k + x];
    tile_b[y][x] = b[(size_t)(k + y) * n + col];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i++)
      sum = fmaf(tile_a[y][i], tile_b[i][x], sum);
    __syncthreads();
  }
  c[(size_t)row * n + col] = sum;
}
// end matmul

// begin rounds
/* Load, share with the block, take what another lane has: two barriers per
 * round. The result does not depend on the size of the block. */
__global__ void rounds(float *out, const float *in, size_t n)
{
  __shared__ float shared[1024];
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
#pragma unroll 1
  for (int r = 0; r < ROUNDS; r++) {
    shared[threadIdx.x] = in[(size_t)r * n + i];
    __syncthreads();
    sum = fmaf(0.5f, sum, shared[threadIdx.x ^ (r + 1)]);
    __syncthreads();
  }
  out[i] = sum;
}
// end rounds

/* ---- versions -------------------------------------------------------- */

typedef struct {
  const char *name, *idea;
  const void *kernel;
  int elems_of_thread;    /* 0: a matrix product */
} version;

static const version versions[] = {
  {"copy_one", "copies one float a thread", (const void *)copy_one, 1},
  {"copy_many", "copies 32 floats a thread", (const void *)copy_many,
   4 * MANY},
  {"polynomial_one", "one polynomial a thread",
   (const void *)polynomial_one, 1},
  {"polynomial_four", "four polynomials a thread",
   (const void *)polynomial_four, 4},
  {"matmul_tile", "tiled matrix product", (const void *)matmul_tile, 0},
  {"rounds", "loads and barriers in turn", (const void *)rounds, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0], ROUNDS_ROW = 5 };

/* n: elements; for the matrix product, rows. d_in has space for ROUNDS × n or
 * for two matrices. */
static void launch(const version *v, unsigned threads, int bytes,
                   float *d_out, float *d_in, size_t n)
{
  float *d_b = d_in + n * n;
  unsigned rows = (unsigned)n;
  void *elements[] = {&d_out, &d_in, &n};
  void *matrices[] = {&d_out, &d_in, &d_b, &rows};
  size_t of_block = (size_t)threads * v->elems_of_thread;
  dim3 grid = v->elems_of_thread
    ? dim3((unsigned)((n + of_block - 1) / of_block))
    : dim3(rows / TILE, rows / TILE);
  CUDA_CHECK(cudaLaunchKernel(v->kernel, grid, dim3(threads),
                              v->elems_of_thread ? elements : matrices,
                              (size_t)bytes, 0));
}

/* The dynamic shared memory with which `blocks` blocks are active, -1 if that
 * is not possible. */
static int bytes_for(const version *v, unsigned threads, int blocks)
{
  int bytes = shared_for_here(v->kernel, blocks);
  if (bytes < 0 ||
      active_blocks_here(v->kernel, (int)threads, bytes) != blocks)
    return -1;
  return bytes;
}

/* ---- checking -------------------------------------------------------- */

static float host_polynomial(float x)
{
  float result = 1.0f;
  for (int k = 1; k <= DEGREE; k++)
    result = fmaf(result, x, 1.0f + 0.5f * (float)k);
  return result;
}

static void reference(const version *v, float *h_out, const float *h_in,
                      size_t n)
{
  if (!v->elems_of_thread) {
    for (size_t row = 0; row < n; row++)
      for (size_t col = 0; col < n; col++) {
        float sum = 0.0f;
        for (size_t k = 0; k < n; k++)
          sum = fmaf(h_in[row * n + k], h_in[n * n + k * n + col], sum);
        h_out[row * n + col] = sum;
      }
    return;
  }
  for (size_t i = 0; i < n; i++) {
    if (strncmp(v->name, "copy", 4) == 0) {
      h_out[i] = h_in[i];
    } else if (strncmp(v->name, "poly", 4) == 0) {
      h_out[i] = host_polynomial(h_in[i]);
    } else {
      h_out[i] = 0.0f;
      for (size_t r = 0; r < ROUNDS; r++)
        h_out[i] = fmaf(0.5f, h_out[i], h_in[r * n + (i ^ (r + 1))]);
    }
  }
}

static int check_version(const version *v, unsigned threads, int blocks,
                         const float *h_in, float *d_in, float *d_out)
{
  char what[64];
  size_t n = v->elems_of_thread ? 8192 + (v->elems_of_thread > 1 ? 4 : 0)
                                : 64;
  size_t n_out = v->elems_of_thread ? n : n * n;
  size_t n_bytes = n_out * sizeof(float);
  float *h_out = (float *)malloc(n_bytes + GUARD_BYTES);
  float *expected = (float *)malloc(n_bytes);
  int bytes = bytes_for(v, threads, blocks);
  snprintf(what, sizeof what, "%s, %d blocks of %u", v->name, blocks,
           threads);
  poison_device(d_out, n_bytes + GUARD_BYTES);
  reference(v, expected, h_in, n);
  if (bytes < 0) {
    fprintf(stderr, "%s: error: cannot be made active\n", what);
    return 0;
  }
  launch(v, threads, bytes, d_out, d_in, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int is_right = compare_floats(what, expected, h_out, n_out) &&
                 compare_guard(what, h_out + n_out, GUARD_BYTES);
  free(h_out);
  free(expected);
  return is_right;
}

static int check(const options *o)
{
  size_t n = (size_t)ROUNDS * 8192;
  random_source source = random_from_seed(o->seed);
  float *h_in = (float *)malloc(n * sizeof(float)), *d_in, *d_out;
  int n_bad = 0;
  random_fill_floats(&source, h_in, n);
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name))
      continue;
    n_bad += !check_version(&versions[v], BLOCK_THREADS, 1, h_in, d_in,
                            d_out);
    n_bad += !check_version(&versions[v], BLOCK_THREADS, 3, h_in, d_in,
                            d_out);
    if (v == ROUNDS_ROW)
      for (unsigned threads = 32; threads <= 1024; threads *= 2)
        n_bad += !check_version(&versions[v], threads, 1, h_in, d_in, d_out);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  if (n_bad == 0)
    fprintf(o->csv ? stderr : stdout, "every version is right (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

static timing measure_one(const options *o, const version *v,
                          unsigned threads, int bytes, float *d_out,
                          float *d_in, size_t n)
{
  timing t = timing_start(o->repetitions);
  while (timing_next(&t)) {
    launch(v, threads, bytes, d_out, d_in, n);
    CUDA_CHECK_LAUNCH();
  }
  return t;
}

static void measure_blocks(const options *o, const version *v,
                           unsigned threads, int step, float *d_out,
                           float *d_in, size_t n)
{
  const occupancy_limits *l = limits_here();
  int most = active_blocks_here(v->kernel, (int)threads, 0);
  double slowest = 0.0;
  for (int blocks = 1; blocks <= most; blocks = step ? blocks + step
                                                     : blocks * 2) {
    int bytes = blocks == most ? 0 : bytes_for(v, threads, blocks);
    if (bytes < 0)
      continue;
    timing t = measure_one(o, v, threads, bytes, d_out, d_in, n);
    int warps = blocks * (int)threads / WARP_THREADS;
    if (blocks == 1)
      slowest = t.median_us;
    printf("%s,%u,%d,%d,%.4f,%d,%zu,%d,%.3f,%.3f,%.3f\n", v->name, threads,
           blocks, warps, (double)warps * WARP_THREADS / l->threads, bytes,
           n, t.repetitions, t.median_us, t.spread_us,
           slowest / t.median_us);
    fflush(stdout);
  }
}

static void measure(const options *o, const char *experiment)
{
  size_t n = o->n_sizes > 0 ? o->size[0] : (size_t)1 << 26;
  size_t n_matrix = 2048;
  float *d_in, *d_out;
  if (n < 2 * n_matrix * n_matrix || n % 1024 != 0)
    options_fail(o, "--size must be a multiple of 1024, at least %zu",
                 2 * n_matrix * n_matrix);
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  random_source source = random_from_seed(o->seed);
  fill_device_floats(&source, d_in, n);
  printf("version,block_threads,active_blocks,active_warps,occupancy,"
         "dynamic_shared_bytes,n_elems,repetitions,time_us,time_spread_us,"
         "speedup\n");
  if (strcmp(experiment, "occupancy") == 0) {
    for (int v = 0; v < N_VERSIONS; v++)
      if (options_wants(o, versions[v].name) && v != ROUNDS_ROW)
        measure_blocks(o, &versions[v], BLOCK_THREADS, 1, d_out, d_in,
                       versions[v].elems_of_thread ? n : n_matrix);
  } else {
    for (unsigned threads = 32; threads <= 1024; threads *= 2)
      measure_blocks(o, &versions[ROUNDS_ROW], threads, 0, d_out, d_in,
                     n / ROUNDS);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "time against occupancy and active "
                            "blocks", "occupancy,active_blocks", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    options_fail(&o, "--count: this program only measures");
  if (check(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o, o.csv ? o.csv : "occupancy");
  return EXIT_SUCCESS;
}
