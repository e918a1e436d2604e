/* What does it cost to be watched? Three kernels: one that lives on global
 * memory, one that lives on shared memory, one that only computes. Each
 * launch is timed by the host's clock, from the launch until the host has
 * waited for it: a tool does part of its work after the kernel's end, where
 * an event would not see it. */
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/timing.h"

enum { N = 1 << 20, BLOCK_THREADS = 256, N_ROUNDS = 32 };

__global__ void copy_global(float *y, const float *x)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < N_ROUNDS; round++)
    y[(i + round * BLOCK_THREADS) % N] = x[(i + round * BLOCK_THREADS) % N];
}

__global__ void turn_shared(float *y, const float *x)
{
  __shared__ float part[BLOCK_THREADS];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float value = x[i];
  for (int round = 0; round < N_ROUNDS; round++) {
    part[t] = value;
    __syncthreads();
    value = part[(t + 1) % BLOCK_THREADS];
    __syncthreads();
  }
  y[i] = value;
}

__global__ void compute_only(float *y, const float *x)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = x[i];
  for (int round = 0; round < N_ROUNDS * N_ROUNDS; round++)
    value = 0.5f * value + 1.0f;
  y[i] = value;
}

typedef struct {
  const char *name;
  const char *idea;
  void (*kernel)(float *, const float *);
} version;

static const version versions[] = {
  {"global", "loads and stores of global memory", copy_global},
  {"shared", "loads and stores of shared memory, barriers", turn_shared},
  {"arithmetic", "two accesses and much arithmetic", compute_only},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static float h_x[N], h_y[N];

static void launch(const version *v, float *d_y, const float *d_x)
{
  v->kernel<<<N / BLOCK_THREADS, BLOCK_THREADS>>>(d_y, d_x);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
}

static float expected(int k, int i)
{
  if (k == 0)
    return h_x[i];
  if (k == 1)
    return h_x[i - i % BLOCK_THREADS +
               (i % BLOCK_THREADS + N_ROUNDS) % BLOCK_THREADS];
  float value = h_x[i];
  for (int round = 0; round < N_ROUNDS * N_ROUNDS; round++)
    value = 0.5f * value + 1.0f;
  return value;
}

/* Every 37th element: the arithmetic is slow on the host. */
static void check(int k, float *d_y, const float *d_x)
{
  CUDA_CHECK(cudaMemset(d_y, 0xff, sizeof h_y));
  launch(&versions[k], d_y, d_x);
  CUDA_CHECK(cudaMemcpy(h_y, d_y, sizeof h_y, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i += 37)
    if (!(h_y[i] == expected(k, i))) {
      fprintf(stderr, "%s: wrong at %d: %g, expected %g\n",
              versions[k].name, i, h_y[i], expected(k, i));
      exit(EXIT_FAILURE);
    }
}

static void measure(const version *v, const options *o, float *d_y,
                    const float *d_x)
{
  double *samples_us =
      (double *)malloc((size_t)o->repetitions * sizeof *samples_us);
  timing t;
  if (!samples_us)
    exit(EXIT_FAILURE);
  launch(v, d_y, d_x);              /* the first one also loads the code */
  for (int k = 0; k < o->repetitions; k++) {
    double began = timing_host_us();
    launch(v, d_y, d_x);
    samples_us[k] = timing_host_us() - began;
  }
  timing_summarise(&t, samples_us, o->repetitions);
  printf(o->csv ? "%s,%d,%d,%.2f,%.2f\n" : "%-12s %d threads of %d: "
         "%10.2f us, spread %.2f us\n",
         v->name, N, BLOCK_THREADS, t.median_us, t.spread_us);
  free(samples_us);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "what a tool costs", "cost", "");
  float *d_x, *d_y;
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  for (int i = 0; i < N; i++)
    h_x[i] = (float)(i % 1021);
  CUDA_CHECK(cudaMalloc(&d_x, sizeof h_x));
  CUDA_CHECK(cudaMalloc(&d_y, sizeof h_y));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice));
  if (!o.csv)
    for (int k = 0; k < N_VERSIONS; k++)
      if (options_wants(&o, versions[k].name))
        check(k, d_y, d_x);
  if (o.csv)
    printf("version,n_threads,block_threads,time_us,spread_us\n");
  if (o.csv || (!o.check && timing_is_possible()))
    for (int k = 0; k < N_VERSIONS; k++)
      if (options_wants(&o, versions[k].name))
        measure(&versions[k], &o, d_y, d_x);
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  return EXIT_SUCCESS;
}
