/* How fast can a thread multiply its patch of sums if it hardly has to load
 * anything?  The multiply-adds of the last matrix products without the rest
 * of their kernel: patches of several shapes, row by row and as a snake.
 * First the factors stay in registers all the time; then they come from
 * shared memory for every k, as they do in the product.
 *
 *   nvcc -I code code/matmul/operands.cu -o operands && ./operands
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum {
  THREADS = 128, BLOCKS_PER_SM = 2,      /* as in the last products */
  SLICE = 8,                             /* values of k in a step */
  LARGEST = 128                          /* sums of a thread */
};

/* ---- kernels --------------------------------------------------------- */

/* With fmaf: of a product that never changes, the compiler would keep the
 * value and only add. */
template <int rows, int cols, int snake>
__device__ __forceinline__ void multiply(float sum[rows][cols],
                                         const float *a, const float *b)
{
#pragma unroll
  for (int i = 0; i < rows; i++)
#pragma unroll
    for (int step = 0; step < cols; step++) {
      int j = snake && i % 2 ? cols - 1 - step : step;
      sum[i][j] = fmaf(a[i], b[j], sum[i][j]);
    }
}

template <int rows, int cols>
__device__ __forceinline__ float total_of(const float sum[rows][cols])
{
  float total = 0.0f;
#pragma unroll
  for (int i = 0; i < rows; i++)
#pragma unroll
    for (int j = 0; j < cols; j++)
      total += sum[i][j];
  return total;
}

// begin in_registers
/* Two sets of factors take turns, as they do where one is in use and the
 * other on its way. */
template <int rows, int cols, int snake>
__global__ __launch_bounds__(THREADS, BLOCKS_PER_SM) void in_registers(
    float *out, const float *in, int n_steps)
{
  float a[2][rows], b[2][cols], sum[rows][cols] = {};
  const float *mine = &in[threadIdx.x % 32];
#pragma unroll
  for (int set = 0; set < 2; set++) {
#pragma unroll
    for (int i = 0; i < rows; i++)
      a[set][i] = *mine++;
#pragma unroll
    for (int j = 0; j < cols; j++)
      b[set][j] = *mine++;
  }
#pragma unroll 1
  for (int n = 0; n < n_steps; n++)
#pragma unroll
    for (int k = 0; k < SLICE; k++)
      multiply<rows, cols, snake>(sum, a[k % 2], b[k % 2]);
  out[blockIdx.x * THREADS + threadIdx.x] = total_of<rows, cols>(sum);
}
// end in_registers

/* Four warps in two rows; a warp's lanes are 4 down and 8 across, neighbours
 * in squares of 2 × 2, and a lane's groups of four lie between the others'. */
__device__ unsigned down_of(unsigned t)
{
  return (t >> 1 & 1) | (t >> 4 & 1) << 1 | (t >> 6) << 2;
}

__device__ unsigned across_of(unsigned t)
{
  return (t & 1) | (t >> 2 & 3) << 1 | (t >> 5 & 1) << 3;
}

/* A slice that never changes. Operands are read one k ahead; the barrier of
 * each step is the one that a new slice would need. */
template <int rows, int cols, int snake>
__global__ __launch_bounds__(THREADS, BLOCKS_PER_SM) void from_shared(
    float *out, const float *in, int n_steps)
{
  __shared__ __align__(16) float slice_a[SLICE][8 * rows];
  __shared__ __align__(16) float slice_b[SLICE][16 * cols];
  for (int i = threadIdx.x; i < SLICE * 8 * rows; i += THREADS)
    slice_a[i / (8 * rows)][i % (8 * rows)] = in[i];
  for (int i = threadIdx.x; i < SLICE * 16 * cols; i += THREADS)
    slice_b[i / (16 * cols)][i % (16 * cols)] = in[SLICE * 8 * rows + i];
  __syncthreads();
  unsigned down = down_of(threadIdx.x), across = across_of(threadIdx.x);
  __align__(16) float a[2][rows], b[2][cols];
  float sum[rows][cols] = {};
#pragma unroll
  for (int i = 0; i < rows; i += 4)
    *(float4 *)&a[0][i] = *(float4 *)&slice_a[0][8 * i + 4 * down];
#pragma unroll
  for (int j = 0; j < cols; j += 4)
    *(float4 *)&b[0][j] = *(float4 *)&slice_b[0][16 * j + 4 * across];
#pragma unroll 1
  for (int n = 0; n < n_steps; n++)
#pragma unroll
    for (int k = 0; k < SLICE; k++) {
      int next = (k + 1) % SLICE, set = (k + 1) % 2;
      if (next == 0)
        __syncthreads();
#pragma unroll
      for (int i = 0; i < rows; i += 4)
        *(float4 *)&a[set][i] = *(float4 *)&slice_a[next][8 * i + 4 * down];
#pragma unroll
      for (int j = 0; j < cols; j += 4)
        *(float4 *)&b[set][j] =
            *(float4 *)&slice_b[next][16 * j + 4 * across];
      multiply<rows, cols, snake>(sum, a[k % 2], b[k % 2]);
    }
  out[blockIdx.x * THREADS + threadIdx.x] = total_of<rows, cols>(sum);
}

/* ---- versions -------------------------------------------------------- */

typedef void kernel(float *out, const float *in, int n_steps);

typedef struct {
  const char *name;
  const char *idea;
  kernel *run;
  int rows, cols, snake, shared;
} version;

#define VERSION(where, shared, rows, cols)                                 \
  {#where "_" #rows "x" #cols, #rows " x " #cols " sums, row by row",      \
   where<rows, cols, 0>, rows, cols, 0, shared},                           \
  {#where "_" #rows "x" #cols "_snake", #rows " x " #cols " sums, a snake",\
   where<rows, cols, 1>, rows, cols, 1, shared}

static const version versions[] = {
  VERSION(in_registers, 0, 4, 4), VERSION(in_registers, 0, 8, 4),
  VERSION(in_registers, 0, 8, 8), VERSION(in_registers, 0, 16, 8),
  VERSION(from_shared, 1, 4, 4), VERSION(from_shared, 1, 8, 4),
  VERSION(from_shared, 1, 8, 8), VERSION(from_shared, 1, 16, 8),
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- checking -------------------------------------------------------- */

enum { N_INPUTS = SLICE * 16 * 16 };     /* enough for any version */

/* What thread t of a block writes: whole numbers, which are exact. */
static float expected_of(const version *v, const float *in, int t,
                         int n_steps)
{
  double total = 0.0;
  for (int k = 0; k < SLICE; k++) {
    double a = 0.0, b = 0.0;
    for (int i = 0; i < v->rows; i++) {
      int down = (t >> 1 & 1) | (t >> 4 & 1) << 1 | (t >> 6) << 2;
      a += in[v->shared ? k * 8 * v->rows + i / 4 * 32 + 4 * down + i % 4
                        : t % 32 + k % 2 * (v->rows + v->cols) + i];
    }
    for (int j = 0; j < v->cols; j++) {
      int across = (t & 1) | (t >> 2 & 3) << 1 | (t >> 5 & 1) << 3;
      b += in[v->shared ? SLICE * 8 * v->rows + k * 16 * v->cols +
                              j / 4 * 64 + 4 * across + j % 4
                        : t % 32 + k % 2 * (v->rows + v->cols) + v->rows +
                              j];
    }
    total += a * b;
  }
  return (float)(n_steps * total);
}

static int check_version(const version *v, const float *h_in, int n_steps)
{
  float h_expected[THREADS];
  size_t n_bytes = sizeof h_expected;
  char h_out[sizeof h_expected + GUARD_BYTES], what[64];
  float *d_in, *d_out;
  snprintf(what, sizeof what, "%s, %d steps", v->name, n_steps);
  for (int t = 0; t < THREADS; t++)
    h_expected[t] = expected_of(v, h_in, t, n_steps);
  CUDA_CHECK(cudaMalloc(&d_in, N_INPUTS * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, N_INPUTS * sizeof(float),
                        cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  v->run<<<1, THREADS>>>(d_out, d_in, n_steps);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  return compare_floats(what, h_expected, (float *)h_out, THREADS) &&
         compare_guard(what, h_out + n_bytes, GUARD_BYTES);
}

static int check_versions(const options *o)
{
  float h_in[N_INPUTS];
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  for (int i = 0; i < N_INPUTS; i++)
    h_in[i] = (float)random_below(&source, 9) - 4.0f;
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name))
      for (int n_steps = 0; n_steps <= 3; n_steps++)
        n_bad += !check_version(&versions[i], h_in, n_steps);
  if (n_bad == 0)
    fprintf(options_remarks(o),
            "every patch has the right sums (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

/* About as many multiply-adds for each version, some milliseconds of them. */
static void measure(const options *o)
{
  int n_blocks = BLOCKS_PER_SM * device_properties()->multiProcessorCount;
  float h_in[N_INPUTS], *d_in, *d_out;
  random_source source = random_from_seed(o->seed);
  random_fill_floats(&source, h_in, N_INPUTS);
  CUDA_CHECK(cudaMalloc(&d_in, sizeof h_in));
  CUDA_CHECK(cudaMalloc(&d_out, n_blocks * THREADS * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice));
  printf(o->csv ? "version,rows,cols,registers,sm_warps,n_steps,repetitions,"
                  "time_us,time_spread_us,gflop_per_s\n"
                : "version                   registers    median us"
                  "    GFLOP/s\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name))
      continue;
    cudaFuncAttributes attributes;
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, v->run));
    int n_steps = 4096 * LARGEST / (v->rows * v->cols);
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      v->run<<<n_blocks, THREADS>>>(d_out, d_in, n_steps);
      CUDA_CHECK_LAUNCH();
    }
    double gflop_per_s = 2e-3 * v->rows * v->cols * SLICE * (double)n_steps *
                         n_blocks * THREADS / t.median_us;
    if (o->csv)
      printf("%s,%d,%d,%d,%d,%d,%d,%.3f,%.3f,%.1f\n", v->name, v->rows,
             v->cols, attributes.numRegs, BLOCKS_PER_SM * THREADS / 32,
             n_steps, t.repetitions, t.median_us, t.spread_us, gflop_per_s);
    else
      printf("%-25s %9d %12.1f %10.1f\n", v->name, attributes.numRegs,
             t.median_us, gflop_per_s);
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv,
                            "multiply-adds on patches of sums, without the "
                            "rest of a product", "operands", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o);
  return EXIT_SUCCESS;
}
