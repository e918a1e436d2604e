/* How much does a warp pay for paths?  The threads are dealt out to 1 to 32
 * paths of equal length: by their lane, so that every warp has them all, or
 * by their warp, so that every warp has one. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"

enum { WARP = 32, BLOCK_THREADS = 1024, MOST_PATHS = 32, N_STEPS = 256 };

// begin walk
__host__ __device__ static float walk(float x, int path, int n_steps)
{
  float step = 0.01f * (float)(path + 1);
  for (int k = 0; k < n_steps; k++)
    x = fmaf(x, 0.5f, step);
  return x;
}
// end walk

/* ---- kernels ---- */

// begin paths_by_lane
__global__ void paths_by_lane(const float *in, float *out, int n_paths,
                              int n_steps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int path = threadIdx.x % n_paths;
  float x = in[i];
  for (int p = 0; p < n_paths; p++)
    if (path == p)
      x = walk(x, p, n_steps);
  out[i] = x;
}
// end paths_by_lane

// begin paths_by_warp
__global__ void paths_by_warp(const float *in, float *out, int n_paths,
                              int n_steps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int path = threadIdx.x / WARP % n_paths;
  float x = in[i];
  for (int p = 0; p < n_paths; p++)
    if (path == p)
      x = walk(x, p, n_steps);
  out[i] = x;
}
// end paths_by_warp

typedef struct {
  const char *name;     /* the kernel's */
  const char *idea;
  void (*kernel)(const float *, float *, int, int);
  int threads_together; /* neighbours that take the same path */
} version;

static const version versions[] = {
  {"paths_by_lane", "neighbouring lanes take different paths",
   paths_by_lane, 1},
  {"paths_by_warp", "neighbouring warps take different paths",
   paths_by_warp, WARP},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void launch(const version *v, const float *d_in, float *d_out, int n,
                   int n_paths, int n_steps)
{
  v->kernel<<<n / BLOCK_THREADS, BLOCK_THREADS>>>(d_in, d_out, n_paths,
                                                  n_steps);
  CUDA_CHECK_LAUNCH();
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, int n_paths)
{
  enum { N = 2 * BLOCK_THREADS, N_CHECKED_STEPS = 5 };
  static float h_in[N], h_expected[N], h_got[N + GUARD_BYTES / 4];
  float *d_in, *d_out;
  char what[80];
  random_fill_floats(random, h_in, N);
  for (int i = 0; i < N; i++)
    h_expected[i] = walk(h_in[i], i % BLOCK_THREADS / v->threads_together %
                                      n_paths, N_CHECKED_STEPS);
  CUDA_CHECK(cudaMalloc(&d_in, sizeof h_in));
  CUDA_CHECK(cudaMalloc(&d_out, sizeof h_got));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice));
  poison_device(d_out, sizeof h_got);
  launch(v, d_in, d_out, N, n_paths, N_CHECKED_STEPS);
  CUDA_CHECK(cudaMemcpy(h_got, d_out, sizeof h_got, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  snprintf(what, sizeof what, "%s, %d paths", v->name, n_paths);
  return compare_floats(what, h_expected, h_got, N) &
         compare_guard(what, h_got + N, GUARD_BYTES);
}

static int check(const options *o)
{
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int p = 1; p <= MOST_PATHS && options_wants(o, versions[k].name);
         p++)
      right &= check_case(&versions[k], &random, p);
  fprintf(options_remarks(o), "check: 1 to %d paths, seed %llu: %s\n",
          MOST_PATHS, (unsigned long long)o->seed,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

static void allocate(int n, float **d_in, float **d_out)
{
  CUDA_CHECK(cudaMalloc(d_in, (size_t)n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(d_out, (size_t)n * sizeof(float)));
  CUDA_CHECK(cudaMemset(*d_in, 0, (size_t)n * sizeof(float)));
}

static int count(const options *o)
{
  int n = (int)memory_length(o, BLOCK_THREADS, 2 * sizeof(float));
  float *d_in, *d_out;
  allocate(n, &d_in, &d_out);
  printf("version,n_elems,n_paths,n_steps\n");
  for (int k = 0; k < N_VERSIONS; k++)
    for (int p = 1; p <= MOST_PATHS && options_wants(o, versions[k].name);
         p++) {
      launch(&versions[k], d_in, d_out, n, p, N_STEPS);
      printf("%s,%d,%d,%d\n", versions[k].name, n, p, N_STEPS);
    }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  return EXIT_SUCCESS;
}

static void measure(const options *o)
{
  int n = (int)memory_length(o, (size_t)1 << 22, 2 * sizeof(float));
  float *d_in, *d_out;
  allocate(n, &d_in, &d_out);
  if (o->csv)
    printf("version,n_elems,n_paths,n_steps,time_us,spread_us\n");
  else
    printf("%-16s %8s %12s %12s\n", "version", "paths", "median us",
           "spread us");
  for (int k = 0; k < N_VERSIONS; k++)
    for (int p = 1; p <= MOST_PATHS && options_wants(o, versions[k].name);
         p++) {
      timing t = timing_start(o->repetitions);
      while (timing_next(&t))
        launch(&versions[k], d_in, d_out, n, p, N_STEPS);
      if (o->csv)
        printf("%s,%d,%d,%d,%.3f,%.3f\n", versions[k].name, n, p, N_STEPS,
               t.median_us, t.spread_us);
      else
        printf("%-16s %8d %12.2f %12.2f\n", versions[k].name, p, t.median_us,
               t.spread_us);
    }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "time against the number of paths",
                            "paths", "paths");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && (o.size[0] < BLOCK_THREADS ||
      o.size[0] % BLOCK_THREADS != 0 || o.size[0] > 1 << 28)))
    options_fail(&o, "--size must be a multiple of %d, up to 2^28",
                 BLOCK_THREADS);
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
