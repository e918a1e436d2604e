/* How many bytes must be in flight? Sums of floats by loads of 4 and 16
 * bytes, 1 to 8 of them at a time, by 1 to 8 blocks in each multiprocessor.
 *
 *   nvcc -I code code/reduction/loads.cu -o loads && ./loads
 */
#include "common/compare.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/timing.h"

enum { BLOCK_THREADS = 256 };

__device__ float sum_of(float x) { return x; }
__device__ float sum_of(float4 x) { return (x.x + x.y) + (x.z + x.w); }

/* The threads' sums; how they become one is not the question here. */
// begin loads
#define LOADS_KERNEL(name, type, n_loads)                               \
  __global__ void name(float *out, const type *x, size_t n)             \
  {                                                                     \
    const size_t tile = (size_t)BLOCK_THREADS * n_loads;                \
    float sum = 0.0f;                                                   \
    for (size_t at = blockIdx.x * tile; at < n; at += gridDim.x * tile) { \
      type loaded[n_loads];                                             \
      for (int k = 0; k < n_loads; k++)                                 \
        loaded[k] = x[at + k * BLOCK_THREADS + threadIdx.x];            \
      for (int k = 0; k < n_loads; k++)                                 \
        sum += sum_of(loaded[k]);                                       \
    }                                                                   \
    out[blockIdx.x * BLOCK_THREADS + threadIdx.x] = sum;                \
  }
// end loads

LOADS_KERNEL(loads_4_1, float, 1)
LOADS_KERNEL(loads_4_2, float, 2)
LOADS_KERNEL(loads_4_4, float, 4)
LOADS_KERNEL(loads_4_8, float, 8)
LOADS_KERNEL(loads_16_1, float4, 1)
LOADS_KERNEL(loads_16_2, float4, 2)
LOADS_KERNEL(loads_16_4, float4, 4)
LOADS_KERNEL(loads_16_8, float4, 8)

typedef struct {
  const char *name;
  const char *idea;
  size_t load_bytes;
  int n_loads;
  void (*of_floats)(float *out, const float *x, size_t n);
  void (*of_groups)(float *out, const float4 *x, size_t n);
} version;

static const version versions[] = {
  {"loads_4_1", "one load of 4 bytes", 4, 1, loads_4_1, NULL},
  {"loads_4_2", "two loads of 4 bytes", 4, 2, loads_4_2, NULL},
  {"loads_4_4", "four loads of 4 bytes", 4, 4, loads_4_4, NULL},
  {"loads_4_8", "eight loads of 4 bytes", 4, 8, loads_4_8, NULL},
  {"loads_16_1", "one load of 16 bytes", 16, 1, NULL, loads_16_1},
  {"loads_16_2", "two loads of 16 bytes", 16, 2, NULL, loads_16_2},
  {"loads_16_4", "four loads of 16 bytes", 16, 4, NULL, loads_16_4},
  {"loads_16_8", "eight loads of 16 bytes", 16, 8, NULL, loads_16_8},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* n: floats, whole tiles. */
static void launch(const version *v, float *d_out, const float *d_x,
                   size_t n, unsigned n_blocks)
{
  if (v->of_floats)
    v->of_floats<<<n_blocks, BLOCK_THREADS>>>(d_out, d_x, n);
  else
    v->of_groups<<<n_blocks, BLOCK_THREADS>>>(d_out, (const float4 *)d_x,
                                              n / 4);
  CUDA_CHECK_LAUNCH();
}

static int check_version(const version *v, unsigned n_blocks)
{
  size_t n = (size_t)BLOCK_THREADS * 8 * 4 * 5;    /* five of the largest */
  size_t n_out = n_blocks * BLOCK_THREADS;
  char what[64];
  float *h_x = (float *)malloc(n * sizeof(float));
  float *h_out = (float *)malloc(n_out * sizeof(float)), *d_x, *d_out;
  double expected = 0.0, got = 0.0;
  for (size_t i = 0; i < n; i++)
    expected += h_x[i] = (float)(i * i % 13 + 1);
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, n_out * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  poison_device(d_out, n_out * sizeof(float));
  launch(v, d_out, d_x, n, n_blocks);
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_out * sizeof(float),
                        cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n_out; i++)
    got += h_out[i];
  snprintf(what, sizeof what, "%s, %u blocks", v->name, n_blocks);
  int good = compare_doubles(what, &expected, &got, 1);
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_out));
  free(h_x);
  free(h_out);
  return good;
}

static int check_versions(const options *o)
{
  static const unsigned blocks[] = {1, 3, 50};
  int n_bad = 0;
  for (int i = 0; i < N_VERSIONS; i++)
    for (int b = 0; b < 3; b++)
      if (options_wants(o, versions[i].name))
        n_bad += !check_version(&versions[i], blocks[b]);
  if (n_bad == 0)
    fprintf(options_remarks(o), "every version is right\n");
  return n_bad;
}

static void measure(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 28, sizeof(float));
  unsigned n_sms = (unsigned)device_properties()->multiProcessorCount;
  random_source source = random_from_seed(o->seed);
  float *d_x, *d_out;
  n = n / 8192 * 8192;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, 8 * n_sms * BLOCK_THREADS * sizeof(float)));
  fill_device_floats(&source, d_x, n);
  printf("version,load_bytes,n_loads,blocks_per_sm,in_flight_bytes,n_elems,"
         "repetitions,time_us,time_spread_us,gb_per_s\n");
  for (int i = 0; i < N_VERSIONS; i++)
    for (unsigned per_sm = 1; per_sm <= 8; per_sm *= 2) {
      const version *v = &versions[i];
      if (!options_wants(o, v->name))
        continue;
      timing t = timing_start(o->repetitions);
      while (timing_next(&t))
        launch(v, d_out, d_x, n, per_sm * n_sms);
      printf("%s,%zu,%d,%u,%zu,%zu,%d,%.3f,%.3f,%.2f\n", v->name,
             v->load_bytes, v->n_loads, per_sm,
             per_sm * BLOCK_THREADS * v->n_loads * v->load_bytes, n,
             t.repetitions, t.median_us, t.spread_us,
             timing_gb_per_s((double)n * sizeof(float), t.median_us));
    }
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "adds up by loads of many shapes",
                            "loads", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
