/* The ceilings of a machine: how many bytes a second its memories move and
 * how many operations a second its units do, each by a kernel that does
 * nothing else. Nothing that a listing does can be faster. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum {
  BLOCK_THREADS = 256,
  LANES = 32,
  CHAINS = 8,           /* independent results of a thread: hide latency */
  TILE = 512,           /* float4 in a block's shared memory */
  READS = 8,            /* of shared memory, in each round */
  MMA_FLOP = 2 * 16 * 8 * 16
};

/* How much of it. */
typedef struct {
  unsigned n_blocks;
  unsigned rounds;
  size_t n;             /* float4 of input */
} amount;

/* What the kernels have: n float4 of small whole numbers, whose sums are
 * exact, and space for n float4 or a float4 for each thread. */
typedef struct {
  amount a;
  const float4 *h_in, *d_in;
  float4 *d_out;
  size_t n_out;         /* float4 */
} workload;

static size_t n_threads(const amount *a)
{
  return (size_t)a->n_blocks * BLOCK_THREADS;
}

/* ---- bytes: CPU references ---- */

static float sum_of(float4 v)
{
  return v.x + v.y + v.z + v.w;
}

static float l2_sum_on_host(const workload *w, size_t thread)
{
  size_t i = thread % w->a.n;
  float sum = 0.0f;
  for (unsigned round = 0; round < w->a.rounds; round++) {
    sum += sum_of(w->h_in[i]);
    i = (i + n_threads(&w->a)) % w->a.n;
  }
  return sum;
}

static float shared_sum_on_host(const workload *w, size_t thread)
{
  unsigned at = thread % BLOCK_THREADS;
  float sum = 0.0f;
  for (unsigned round = 0; round < w->a.rounds; round++) {
    for (int k = 0; k < READS; k++)
      sum += sum_of(w->h_in[at + LANES * k]);
    at = (at + LANES) % BLOCK_THREADS;
  }
  return sum;
}

/* ---- bytes: kernels ---- */

// begin copy
__global__ void memory_copy(float4 *out, const float4 *in, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}
// end copy

// begin l2
/* The grid walks over the array again and again; it fits into L2. __ldcg
 * bypasses L1. No read waits for another, so many are in flight. */
__global__ void l2_read(float *sums, const float4 *in, unsigned n,
                        unsigned rounds)
{
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned step = gridDim.x * blockDim.x % n, i = thread % n;
  float sum = 0.0f;
#pragma unroll 8
  for (unsigned round = 0; round < rounds; round++) {
    float4 v = __ldcg(in + i);
    sum += v.x + v.y + v.z + v.w;
    i += step;
    i -= i < n ? 0 : n;
  }
  sums[thread] = sum;
}
// end l2

// begin shared
/* The lanes of a warp read 512 bytes in a row: no bank conflict. */
__global__ void shared_read(float *sums, const float4 *in, unsigned rounds)
{
  __shared__ float4 tile[TILE];
  for (unsigned i = threadIdx.x; i < TILE; i += blockDim.x)
    tile[i] = in[i];
  __syncthreads();
  unsigned at = threadIdx.x;
  float sum = 0.0f;
  for (unsigned round = 0; round < rounds; round++) {
    for (int k = 0; k < READS; k++) {
      float4 v = tile[at + LANES * k];
      sum += v.x + v.y + v.z + v.w;
    }
    at = (at + LANES) % BLOCK_THREADS;
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// end shared

/* ---- operations: CPU references ---- */

/* With this factor a chain neither dies out nor grows. */
static const float fma_factor = -0.9995f, fma_addend = 0.5f;

static float fp32_on_host(const workload *w, size_t thread)
{
  float sum = 0.0f;
  for (int k = 0; k < CHAINS; k++) {
    float x = (float)(thread % LANES) + k;
    for (unsigned round = 0; round < w->a.rounds; round++)
      x = fmaf(x, fma_factor, fma_addend);
    sum += x;
  }
  return sum;
}

static double fp64_on_host(const workload *w, size_t thread)
{
  double sum = 0.0;
  for (int k = 0; k < CHAINS; k++) {
    double x = (double)(thread % LANES) + k;
    for (unsigned round = 0; round < w->a.rounds; round++)
      x = fma(x, fma_factor, fma_addend);
    sum += x;
  }
  return sum;
}

/* ---- operations: kernels ---- */

// begin fp32
/* One multiplication and one addition for each round and chain. A chain
 * waits for itself; eight of them and many warps keep the units busy. */
__global__ void fp32_fma(float *sums, float factor, float addend,
                         unsigned rounds)
{
  float x[CHAINS], sum = 0.0f;
  for (int k = 0; k < CHAINS; k++)
    x[k] = (float)(threadIdx.x % LANES) + k;
#pragma unroll 16
  for (unsigned round = 0; round < rounds; round++)
    for (int k = 0; k < CHAINS; k++)
      x[k] = fmaf(x[k], factor, addend);
  for (int k = 0; k < CHAINS; k++)
    sum += x[k];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// end fp32

__global__ void fp64_fma(double *sums, double factor, double addend,
                         unsigned rounds)
{
  double x[CHAINS], sum = 0.0;
  for (int k = 0; k < CHAINS; k++)
    x[k] = (double)(threadIdx.x % LANES) + k;
#pragma unroll 16
  for (unsigned round = 0; round < rounds; round++)
    for (int k = 0; k < CHAINS; k++)
      x[k] = fma(x[k], factor, addend);
  for (int k = 0; k < CHAINS; k++)
    sum += x[k];
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// begin tensor
/* A warp multiplies 16 x 16 by 16 x 8 halves and adds to 16 x 8 floats. Lane
 * l holds of A rows l/4 and l/4 + 8, of B column l/4, of C rows l/4 and
 * l/4 + 8 in columns 2 (l%4) and 2 (l%4) + 1. */
__device__ void multiply_add(float c[4], const unsigned a[4],
                             const unsigned b[2])
{
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
// end tensor

/* Small whole numbers: row r of A is r % 5 - 2, column j of B is j % 3 - 1. */
static __host__ __device__ int row_value(int row)
{
  return row % 5 - 2;
}

static __host__ __device__ int column_value(int column)
{
  return column % 3 - 1;
}

/* Both halves of a word: -2 … 2 as FP16 (sign, 5 bits of exponent, 10 of
 * fraction). */
static __device__ unsigned two_halves(int value)
{
  unsigned size = value < 0 ? -value : value;
  unsigned half = size == 0 ? 0u : size == 1 ? 0x3c00u : 0x4000u;
  half |= value < 0 ? 0x8000u : 0u;
  return half << 16 | half;
}

__global__ void fp16_tensor(float4 *out, unsigned rounds)
{
  int lane = threadIdx.x % LANES;
  unsigned upper = two_halves(row_value(lane / 4));
  unsigned lower = two_halves(row_value(lane / 4 + 8));
  unsigned column = two_halves(column_value(lane / 4));
  unsigned a[4] = {upper, lower, upper, lower}, b[2] = {column, column};
  float c[CHAINS][4] = {};
  for (unsigned round = 0; round < rounds; round++)
    for (int k = 0; k < CHAINS; k++)
      multiply_add(c[k], a, b);
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int k = 0; k < CHAINS; k++) {
    sum.x += c[k][0];
    sum.y += c[k][1];
    sum.z += c[k][2];
    sum.w += c[k][3];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static float tensor_on_host(const workload *w, size_t i)
{
  int lane = i / 4 % LANES, element = i % 4;
  int row = lane / 4 + (element < 2 ? 0 : 8);
  int column = 2 * (lane % 4) + element % 2;
  return 16.0f * CHAINS * w->a.rounds * row_value(row) *
         column_value(column);
}

/* ---- launchers ---- */

static void launch_memory_copy(const workload *w)
{
  unsigned n_blocks = (w->a.n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  memory_copy<<<n_blocks, BLOCK_THREADS>>>(w->d_out, w->d_in, w->a.n);
}

static void launch_l2_read(const workload *w)
{
  l2_read<<<w->a.n_blocks, BLOCK_THREADS>>>((float *)w->d_out, w->d_in,
                                            w->a.n, w->a.rounds);
}

static void launch_shared_read(const workload *w)
{
  shared_read<<<w->a.n_blocks, BLOCK_THREADS>>>((float *)w->d_out, w->d_in,
                                                w->a.rounds);
}

static void launch_fp32_fma(const workload *w)
{
  fp32_fma<<<w->a.n_blocks, BLOCK_THREADS>>>((float *)w->d_out, fma_factor,
                                             fma_addend, w->a.rounds);
}

static void launch_fp64_fma(const workload *w)
{
  fp64_fma<<<w->a.n_blocks, BLOCK_THREADS>>>((double *)w->d_out, fma_factor,
                                             fma_addend, w->a.rounds);
}

static void launch_fp16_tensor(const workload *w)
{
  fp16_tensor<<<w->a.n_blocks, BLOCK_THREADS>>>(w->d_out, w->a.rounds);
}

/* ---- versions ---- */

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(const workload *);
  float (*expected)(const workload *, size_t i);       /* float i of d_out */
  double (*expected_fp64)(const workload *, size_t i); /* or double i */
  int results;          /* floats or doubles for each thread */
  amount gpu;           /* n_blocks for each multiprocessor; n: bytes of L2
                           are a quarter of it where this says 0 */
  double (*n_bytes)(const amount *), (*n_flop)(const amount *);
} version;

static float copied(const workload *w, size_t i)
{
  return ((const float *)w->h_in)[i];
}

static double bytes_copied(const amount *a)
{
  return 2.0 * a->n * sizeof(float4);
}

static double bytes_of_l2(const amount *a)
{
  return (double)n_threads(a) * a->rounds * sizeof(float4);
}

static double bytes_of_shared(const amount *a)
{
  return (double)n_threads(a) * a->rounds * READS * sizeof(float4);
}

static double flop_of_fma(const amount *a)
{
  return 2.0 * n_threads(a) * a->rounds * CHAINS;
}

static double flop_of_tensor(const amount *a)
{
  return (double)n_threads(a) / LANES * a->rounds * CHAINS * MMA_FLOP;
}

static const version versions[] = {
  {"memory_copy", "device memory: a copy", launch_memory_copy, copied, NULL,
   0, {8, 1, (size_t)1 << 26}, bytes_copied, NULL},
  {"l2_read", "L2: reading what fits", launch_l2_read, l2_sum_on_host, NULL,
   1, {8, 1024, 0}, bytes_of_l2, NULL},
  {"shared_read", "shared memory: reading without conflicts",
   launch_shared_read, shared_sum_on_host, NULL,
   1, {8, 8192, TILE}, bytes_of_shared, NULL},
  {"fp32_fma", "FP32: fused multiply-add", launch_fp32_fma, fp32_on_host,
   NULL, 1, {8, 16384, TILE}, NULL, flop_of_fma},
  {"fp64_fma", "FP64: fused multiply-add", launch_fp64_fma, NULL,
   fp64_on_host, 1, {8, 8192, TILE}, NULL, flop_of_fma},
  {"fp16_tensor", "tensor cores: FP16 in, FP32 out, warp by warp",
   launch_fp16_tensor, tensor_on_host, NULL,
   4, {8, 8192, TILE}, NULL, flop_of_tensor},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- amounts ---- */

static amount amount_to_time(const version *v)
{
  amount a = v->gpu;
  a.n_blocks *= device_properties()->multiProcessorCount;
  if (!a.n)
    a.n = device_l2_bytes() / 4 / sizeof(float4);
  while (a.n > TILE && 2 * a.n * sizeof(float4) > device_free_bytes() / 2)
    a.n /= 2;
  return a;
}

static amount amount_to_count(void)
{
  amount a = {4, 16, 4096};
  return a;
}

/* ---- check ---- */

static workload workload_new(const amount *a, random_source *random)
{
  workload w;
  size_t n_most = a->n > 2 * n_threads(a) ? a->n : 2 * n_threads(a);
  float *h_in = (float *)malloc(a->n * sizeof(float4));
  float4 *d_in;
  if (!h_in) {
    fprintf(stderr, "error: no host memory for %zu float4\n", a->n);
    exit(EXIT_FAILURE);
  }
  for (size_t i = 0; i < 4 * a->n; i++)
    h_in[i] = (float)random_below(random, 4);
  CUDA_CHECK(cudaMalloc(&d_in, a->n * sizeof(float4)));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, a->n * sizeof(float4),
                        cudaMemcpyHostToDevice));
  w.a = *a;
  w.h_in = (const float4 *)h_in;
  w.d_in = d_in;
  w.n_out = n_most;
  CUDA_CHECK(cudaMalloc(&w.d_out, n_most * sizeof(float4) + GUARD_BYTES));
  poison_device(w.d_out, n_most * sizeof(float4) + GUARD_BYTES);
  return w;
}

static void workload_free(workload *w)
{
  CUDA_CHECK(cudaFree((void *)w->d_in));
  CUDA_CHECK(cudaFree(w->d_out));
  free((void *)w->h_in);
}

/* Are the results that v left in w->d_out right? Many threads have the same
 * operands; each is compared, but not each is computed again. */
static int is_right(const version *v, const workload *w)
{
  size_t n = v->results ? v->results * n_threads(&w->a) : 4 * w->a.n;
  size_t period = v->n_flop ? (size_t)v->results * LANES
                            : v->expected == shared_sum_on_host
                                  ? BLOCK_THREADS : n;
  size_t bytes = v->expected ? sizeof(float) : sizeof(double);
  void *expected = malloc(n * bytes), *got = malloc(n * bytes + GUARD_BYTES);
  if (!expected || !got) {
    fprintf(stderr, "error: no host memory for %zu results\n", n);
    exit(EXIT_FAILURE);
  }
  CUDA_CHECK(cudaMemcpy(got, w->d_out, n * bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++)
    if (i >= period)
      memcpy((char *)expected + i * bytes,
             (char *)expected + (i - period) * bytes, bytes);
    else if (v->expected)
      ((float *)expected)[i] = v->expected(w, i);
    else
      ((double *)expected)[i] = v->expected_fp64(w, i);
  int right = v->expected
      ? compare_floats(v->name, (float *)expected, (float *)got, n)
      : compare_doubles(v->name, (double *)expected, (double *)got, n);
  right &= compare_guard(v->name, (char *)got + n * bytes, GUARD_BYTES);
  free(expected);
  free(got);
  return right;
}

static int check_amount(const version *v, const amount *a,
                        random_source *random)
{
  workload w = workload_new(a, random);
  v->launch(&w);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  int right = is_right(v, &w);
  workload_free(&w);
  return right;
}

static int check(const options *o)
{
  static const amount amounts[] = {
    {1, 0, TILE}, {1, 1, TILE}, {3, 5, TILE}, {2, 33, 1000}, {5, 17, 4097},
  };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; options_wants(o, versions[k].name) && s < 5; s++)
      right &= check_amount(&versions[k], &amounts[s], &random);
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

static double bytes_of(const version *v, const amount *a)
{
  return v->n_bytes ? v->n_bytes(a) : 0.0;
}

static double flop_of(const version *v, const amount *a)
{
  return v->n_flop ? v->n_flop(a) : 0.0;
}

static int count(const options *o)
{
  amount a = amount_to_count();
  random_source random = random_from_seed(1);
  int right = 1;
  printf("version,n_bytes,n_flop\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name)) {
      right &= check_amount(&versions[k], &a, &random);
      printf("%s,%.0f,%.0f\n", versions[k].name, bytes_of(&versions[k], &a),
             flop_of(&versions[k], &a));
    }
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Times a version and then checks what the last repetition left. */
static timing time_version(const version *v, const amount *a,
                           int repetitions)
{
  random_source random = random_from_seed(1);
  workload w = workload_new(a, &random);
  timing t = timing_start(repetitions);
  while (timing_next(&t)) {
    v->launch(&w);
    CUDA_CHECK_LAUNCH();
  }
  if (!is_right(v, &w))
    exit(EXIT_FAILURE);
  workload_free(&w);
  return t;
}

static void print_row(const options *o, const version *v)
{
  amount a = amount_to_time(v);
  timing t = time_version(v, &a, o->repetitions);
  double n_bytes = bytes_of(v, &a), n_flop = flop_of(v, &a);
  double gb = timing_gb_per_s(n_bytes, t.median_us);
  double gflop = timing_gb_per_s(n_flop, t.median_us);
  if (o->csv)
    printf("%s,%.0f,%.0f,%d,%.3f,%.3f,%.1f,%.1f\n", v->name, n_bytes, n_flop,
           o->repetitions, t.median_us, t.spread_us, gb, gflop);
  else
    printf("%-14s %12.2f %12.2f %12.1f %s\n", v->name, t.median_us,
           t.spread_us, n_bytes > 0 ? gb : gflop,
           n_bytes > 0 ? "GB/s" : "GFLOP/s");
  fflush(stdout);
}

static void measure(const options *o)
{
  if (o->csv)
    printf("version,n_bytes,n_flop,repetitions,time_us,spread_us,gb_per_s,"
           "gflop_per_s\n");
  else
    printf("%-14s %12s %12s %12s\n", "version", "median us", "spread us",
           "rate");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name))
      print_row(o, &versions[k]);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "measures the ceilings of the machine",
                            "ceilings", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 0)
    options_fail(&o, "--size: the ceilings have their own sizes");
  if (o.count)
    return count(&o);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
