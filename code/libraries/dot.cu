/* The dot product of two vectors: by hand, and by three libraries.
 *
 *   nvcc -I code code/libraries/dot.cu code/libraries/dot_primitives.cu \
 *     -lcublas -o dot && ./dot
 *
 * It reads two floats for one multiplication and one addition: bytes per
 * second are what counts. */
#include <math.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#ifndef BY_HAND_ONLY     /* -DBY_HAND_ONLY: without any library */
#include "common/cublas_check.h"
#include "libraries/dot_primitives.h"
#endif

enum { BLOCK_THREADS = 256, BLOCKS_PER_SM = 8, GROUPS = 4,
       FEW_BLOCKS = 64 };

/* ---- by hand --------------------------------------------------------- */

// begin add_block
/* The sum over a block, in thread 0. */
__device__ float add_block(float sum)
{
  __shared__ float sums[BLOCK_THREADS / 32];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    for (int warp = 1; warp < BLOCK_THREADS / 32; warp++)
      sum += sums[warp];
  return sum;
}
// end add_block

// begin by_hand
/* A sum for each block; a second launch with one block adds those up. */
__global__ void dot_parts(float *parts, const float4 *x, const float4 *y,
                          size_t n)
{
  size_t step = (size_t)gridDim.x * blockDim.x, n_groups = n / 4;
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  if (i < n % 4)
    sum = ((const float *)x)[4 * n_groups + i] *
          ((const float *)y)[4 * n_groups + i];
  for (; i < n_groups; i += GROUPS * step) {
    float4 a[GROUPS], b[GROUPS];
#pragma unroll
    for (int k = 0; k < GROUPS; k++)
      if (i + k * step < n_groups) {
        a[k] = x[i + k * step];
        b[k] = y[i + k * step];
      }
#pragma unroll
    for (int k = 0; k < GROUPS; k++)
      if (i + k * step < n_groups)
        sum += a[k].x * b[k].x + a[k].y * b[k].y + a[k].z * b[k].z +
               a[k].w * b[k].w;
  }
  sum = add_block(sum);
  if (threadIdx.x == 0)
    parts[blockIdx.x] = sum;
}

__global__ void add_parts(float *total, const float *parts, unsigned n)
{
  float sum = 0.0f;
  for (unsigned i = threadIdx.x; i < n; i += BLOCK_THREADS)
    sum += parts[i];
  sum = add_block(sum);
  if (threadIdx.x == 0)
    *total = sum;
}
// end by_hand

/* ---- launchers ------------------------------------------------------- */

typedef struct {
  float *d_total;
  void *d_work;
  size_t n_work_bytes;
} workspace;

/* As many as fill the GPU; or few: for counts that are the same on every
 * machine, and for checks in which each thread goes around its loop. */
static int few_blocks;

static unsigned blocks(void)
{
  return few_blocks ? FEW_BLOCKS
       : (unsigned)device_properties()->multiProcessorCount * BLOCKS_PER_SM;
}

static void launch_by_hand(workspace *w, const float *d_x, const float *d_y,
                           size_t n)
{
  float *d_parts = (float *)w->d_work;
  dot_parts<<<blocks(), BLOCK_THREADS>>>(d_parts, (const float4 *)d_x,
                                         (const float4 *)d_y, n);
  add_parts<<<1, BLOCK_THREADS>>>(w->d_total, d_parts, blocks());
}

#ifndef BY_HAND_ONLY
// begin cublas
static void launch_cublas(workspace *w, const float *d_x, const float *d_y,
                          size_t n)
{
  static cublasHandle_t handle;
  if (!handle) {
    CUBLAS_CHECK(cublasCreate(&handle));
    CUBLAS_CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
  }
  CUBLAS_CHECK(cublasSdot(handle, (int)n, d_x, 1, d_y, 1, w->d_total));
}
// end cublas

static void launch_cub(workspace *w, const float *d_x, const float *d_y,
                       size_t n)
{
  dot_cub(w->d_total, d_x, d_y, n, w->d_work, &w->n_work_bytes);
}

static void launch_thrust(workspace *w, const float *d_x, const float *d_y,
                          size_t n)
{
  float total = dot_thrust(d_x, d_y, n);
  CUDA_CHECK(cudaMemcpy(w->d_total, &total, sizeof total,
                        cudaMemcpyHostToDevice));
}
#endif

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(workspace *w, const float *d_x, const float *d_y, size_t n);
} version;

static const version versions[] = {
  {"by_hand", "16-byte loads, four in flight", launch_by_hand},
#ifndef BY_HAND_ONLY
  {"cublas", "cublasSdot", launch_cublas},
  {"cub", "DeviceReduce of products", launch_cub},
  {"thrust", "inner_product", launch_thrust},
#endif
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static workspace new_workspace(size_t n)
{
  workspace w = {NULL, NULL, 0};
#ifndef BY_HAND_ONLY
  dot_cub(NULL, NULL, NULL, n, NULL, &w.n_work_bytes);
#endif
  if (w.n_work_bytes < blocks() * sizeof(float))
    w.n_work_bytes = blocks() * sizeof(float);
  CUDA_CHECK(cudaMalloc(&w.d_work, w.n_work_bytes));
  CUDA_CHECK(cudaMalloc(&w.d_total, sizeof(float) + GUARD_BYTES));
  poison_device(w.d_total, sizeof(float) + GUARD_BYTES);
  return w;
}

static void free_workspace(workspace w)
{
  CUDA_CHECK(cudaFree(w.d_work));
  CUDA_CHECK(cudaFree(w.d_total));
}

/* ---- checking -------------------------------------------------------- */

/* Whole numbers from -8 to 8: every sum of their products is exact in a
 * float as long as it stays below 2^24, in whatever order it is added. */
static int check(const version *v, size_t n, uint64_t seed)
{
  float *h_x = (float *)malloc(n * sizeof(float)), *d_x, *d_y;
  float *h_y = (float *)malloc(n * sizeof(float)), expected = 0.0f;
  char what[96], h_total[sizeof(float) + GUARD_BYTES];
  random_source source = random_from_seed(seed);
  for (size_t i = 0; i < n; i++) {
    h_x[i] = (float)random_below(&source, 17) - 8.0f;
    h_y[i] = (float)random_below(&source, 17) - 8.0f;
    expected += h_x[i] * h_y[i];
  }
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_y, n * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_y, h_y, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  workspace w = new_workspace(n);
  v->launch(&w, d_x, d_y, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_total, w.d_total, sizeof h_total,
                        cudaMemcpyDeviceToHost));
  snprintf(what, sizeof what, "%s, %zu elements", v->name, n);
  int good = compare_floats(what, &expected, (float *)h_total, 1) &&
             compare_guard(what, h_total + sizeof(float), GUARD_BYTES);
  free_workspace(w);
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  free(h_x);
  free(h_y);
  return !good;
}

static int check_versions(const options *o)
{
  static const size_t sizes[] = {1, 3, 32, 1000, 4099, 65536, 100003, 600011};
  int n_bad = 0;
  for (int v = 0; v < N_VERSIONS; v++)
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
      if (options_wants(o, versions[v].name)) {
        few_blocks = sizes[i] == 600011;
        n_bad += check(&versions[v], sizes[i], o->seed + i);
      }
  few_blocks = 0;
  if (n_bad == 0)
    fprintf(options_remarks(o), "every version is right (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring and counting ------------------------------------------ */

static void run(const options *o, size_t n, int timed)
{
  float *d_x, *d_y;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_y, n * sizeof(float)));
  random_source source = random_from_seed(o->seed);
  fill_device_floats(&source, d_x, n);
  fill_device_floats(&source, d_y, n);
  workspace w = new_workspace(n);
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name))
      continue;
    if (!timed) {
      v->launch(&w, d_x, d_y, n);
      CUDA_CHECK_LAUNCH();
      for (int launch = 0; launch < 2; launch++)
        printf("%s,%zu\n", v->name, n);
      return;               /* the libraries' kernels are their secret */
    }
    double n_bytes = 2.0 * (double)(n * sizeof(float));
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      v->launch(&w, d_x, d_y, n);
      CUDA_CHECK_LAUNCH();
    }
    if (o->csv)
      printf("%s,%zu,%d,%.3f,%.3f,%.2f\n", v->name, n, t.repetitions,
             t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(v->name, t, n_bytes);
    fflush(stdout);
  }
  free_workspace(w);
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "dot product", "dot", "dot");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    few_blocks = 1;
    printf("version,n\n");
    run(&o, memory_length(&o, (size_t)1 << 20, 2 * sizeof(float)), 0);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv)
    printf("version,n,repetitions,time_us,time_spread_us,gb_per_s\n");
  else
    timing_print_head();
  static const size_t sizes[] = {(size_t)1 << 14, (size_t)1 << 20,
                                 (size_t)1 << 28};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    run(&o, memory_length(&o, sizes[i], 2 * sizeof(float)), 1);
  return EXIT_SUCCESS;
}
