/* Chains of additions, each of which needs the sum before: one chain, or
 * many that do not need each other, on one core, on all, and on the GPU. */
#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "common/cuda_check.h"
#include "common/options.h"
#include "common/timing.h"

enum { BLOCK_THREADS = 128, N_LINKS = 1024, MAX_CHAINS = 1 << 20 };

// begin chain
/* n_links additions, one after the other. */
__host__ __device__ static inline float chain(float x, float step,
                                              int n_links)
{
  for (int link = 0; link < n_links; link++)
    x += step;
  return x;
}
// end chain

static void one_core(float *x, int n_chains, float step, int n_links)
{
  for (int c = 0; c < n_chains; c++)
    x[c] = chain(x[c], step, n_links);
}

// begin all_cores
/* Chains in groups of 32: the compiler keeps a group in wide registers and
 * adds several of them at once. OpenMP gives the groups to the cores. */
enum { GROUP = 32 };

static void all_cores(float *x, int n_chains, float step, int n_links)
{
  #pragma omp parallel for if (n_chains > 64)
  for (int first = 0; first < n_chains; first += GROUP) {
    float group[GROUP] = {0};
    int n = n_chains - first < GROUP ? n_chains - first : GROUP;
    for (int c = 0; c < n; c++)
      group[c] = x[first + c];
    for (int link = 0; link < n_links; link++)
      for (int c = 0; c < GROUP; c++)
        group[c] += step;
    for (int c = 0; c < n; c++)
      x[first + c] = group[c];
  }
}
// end all_cores

// begin one_thread_each
__global__ void one_thread_each(float *x, int n_chains, float step,
                                int n_links)
{
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < n_chains)
    x[c] = chain(x[c], step, n_links);
}
// end one_thread_each

static void launch(float *d_x, int n_chains, float step, int n_links)
{
  int n_blocks = (n_chains + BLOCK_THREADS - 1) / BLOCK_THREADS;
  one_thread_each<<<n_blocks, BLOCK_THREADS>>>(d_x, n_chains, step, n_links);
}

typedef struct {
  const char *name, *idea;
  void (*run)(float *, int, float, int);
  int on_gpu;
} version;

static const version versions[] = {
  {"one_core", "chain after chain on one core of the CPU", one_core, 0},
  {"all_cores", "groups of chains on all cores", all_cores, 0},
  {"gpu", "one thread for each chain", launch, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static float *host_floats(const options *o, int n)
{
  float *h = (float *)malloc(n * sizeof(float));
  if (!h) {
    fprintf(stderr, "%s: error: no memory for %d floats\n", o->program, n);
    exit(EXIT_FAILURE);
  }
  return h;
}

/* Multiples of one half: every sum is exact. */
static float start_of(int c)
{
  return (float)(c % 1000) * 0.5f;
}

static int check_size(const options *o, int n, int n_links)
{
  float *x = host_floats(o, n), *d_x;
  int n_bad = 0;
  CUDA_CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name))
      continue;
    for (int c = 0; c < n; c++)
      x[c] = start_of(c);
    if (versions[v].on_gpu)
      CUDA_CHECK(cudaMemcpy(d_x, x, n * sizeof(float),
                            cudaMemcpyHostToDevice));
    versions[v].run(versions[v].on_gpu ? d_x : x, n, 0.5f, n_links);
    if (versions[v].on_gpu) {
      CUDA_CHECK_LAUNCH();
      CUDA_CHECK(cudaMemcpy(x, d_x, n * sizeof(float),
                            cudaMemcpyDeviceToHost));
    }
    for (int c = 0; c < n; c++)
      if (x[c] != start_of(c) + 0.5f * n_links) {
        fprintf(stderr, "chains %s, %d chains: error: chain %d ends at %g, "
                "expected %g\n", versions[v].name, n, c, x[c],
                start_of(c) + 0.5f * n_links);
        n_bad++;
        break;
      }
  }
  CUDA_CHECK(cudaFree(d_x));
  free(x);
  return n_bad;
}

static int check(const options *o)
{
  static const int sizes[] = {1, 31, 33, 128, 129, 3001};
  int n_bad = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    n_bad += check_size(o, sizes[i], 1 + (int)i * 7);
  fprintf(options_remarks(o), "check: %s\n", n_bad ? "WRONG" : "all right");
  return n_bad;
}

static timing time_on_host(const version *v, float *x, int n, int passes)
{
  timing t = {};
  double samples[1000];
  for (int i = -1; i < passes; i++) {         /* -1 warms up */
    double start = timing_host_us();
    v->run(x, n, 0.5f, N_LINKS);
    if (i >= 0)
      samples[i] = timing_host_us() - start;
  }
  timing_summarise(&t, samples, passes);
  return t;
}

static timing time_on_gpu(const version *v, float *d_x, int n, int passes)
{
  timing t = timing_start(passes);
  while (timing_next(&t)) {
    v->run(d_x, n, 0.5f, N_LINKS);
    CUDA_CHECK_LAUNCH();
  }
  return t;
}

static void measure(const options *o)
{
  float *x = host_floats(o, MAX_CHAINS), *d_x;
  CUDA_CHECK(cudaMalloc(&d_x, MAX_CHAINS * sizeof(float)));
  CUDA_CHECK(cudaMemset(d_x, 0, MAX_CHAINS * sizeof(float)));
  memset(x, 0, MAX_CHAINS * sizeof(float));
  printf("version,n_chains,n_links,time_us,time_spread_us,ns_per_add,"
         "adds_per_ns\n");
  for (int v = 0; v < N_VERSIONS; v++)
    for (int n = 1; n <= MAX_CHAINS; n *= 4) {
      int passes = versions[v].on_gpu || n < 1 << 18 ? o->repetitions : 3;
      if (!options_wants(o, versions[v].name))
        continue;
      timing t = versions[v].on_gpu
                     ? time_on_gpu(&versions[v], d_x, n, passes)
                     : time_on_host(&versions[v], x, n, passes);
      double adds = (double)n * N_LINKS;
      printf("%s,%d,%d,%.3f,%.3f,%.6f,%.4f\n", versions[v].name, n, N_LINKS,
             t.median_us, t.spread_us, t.median_us * 1e3 / adds,
             adds / (t.median_us * 1e3));
      fflush(stdout);
    }
  CUDA_CHECK(cudaFree(d_x));
  free(x);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "one chain of additions, or many",
                            "chains", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (check(&o) > 0)
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
