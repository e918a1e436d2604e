/* Even and odd threads do different things.  When both kinds sit in one warp,
 * the warp does both; when each warp is of one kind, it does one.  The work
 * of a path is a loop of dependent steps, so that a path is too long for the
 * compiler to turn into predicates.  The tiny kernels show that it does so
 * with short ones. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"

enum { WARP = 32, BLOCK_THREADS = 256, N_STEPS = 256 };

/* ---- the two paths, the same on host and device ---- */

// begin paths
__host__ __device__ static float even_path(float x, int n_steps)
{
  for (int k = 0; k < n_steps; k++)
    x = fmaf(x, 0.5f, 1.0f);
  return x;
}

__host__ __device__ static float odd_path(float x, int n_steps)
{
  for (int k = 0; k < n_steps; k++)
    x = fmaf(x, -0.25f, 3.0f);
  return x;
}
// end paths

/* ---- CPU reference: which path does element i take? ---- */

static int is_odd(int i) { return i % 2 != 0; }
static int is_of_odd_warp(int i) { return i / WARP % 2 != 0; }

/* ---- kernels: a path of one instruction ---- */

// begin even_odd
__global__ void even_odd(int *c)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a = 0, b = 0;
  if (i % 2 == 0)
    a = 2;
  else
    b = 1;
  c[i] = a + b;
}
// end even_odd

// begin even_odd_warps
__global__ void even_odd_warps(int *c)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a = 0, b = 0;
  if (i / WARP % 2 == 0)
    a = 2;
  else
    b = 1;
  c[i] = a + b;
}
// end even_odd_warps

/* ---- kernels: long paths ---- */

// begin by_lane
__global__ void by_lane(const float *in, float *out, int n, int n_steps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i % 2 == 0)
    out[i] = even_path(in[i], n_steps);
  else
    out[i] = odd_path(in[i], n_steps);
}
// end by_lane

// begin by_warp
__global__ void by_warp(const float *in, float *out, int n, int n_steps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (i / WARP % 2 == 0)
    out[i] = even_path(in[i], n_steps);
  else
    out[i] = odd_path(in[i], n_steps);
}
// end by_warp

// begin regrouped
__global__ void regrouped(const float *in, float *out, int n, int n_steps)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = t % WARP, warp = t / WARP;
  /* Two warps share 64 elements: the first takes the even ones. */
  int i = warp / 2 * 2 * WARP + 2 * lane + warp % 2;
  if (i >= n)
    return;
  if (warp % 2 == 0)
    out[i] = even_path(in[i], n_steps);
  else
    out[i] = odd_path(in[i], n_steps);
}
// end regrouped

typedef struct {
  const char *name;     /* the kernel's */
  const char *idea;
  void (*longer)(const float *, float *, int, int);
  void (*tiny)(int *);
  int (*takes_odd)(int);
} version;

static const version versions[] = {
  {"even_odd", "one instruction each: even and odd lanes",
   NULL, even_odd, is_odd},
  {"even_odd_warps", "one instruction each: even and odd warps",
   NULL, even_odd_warps, is_of_odd_warp},
  {"by_lane", "a loop each: even and odd lanes", by_lane, NULL, is_odd},
  {"by_warp", "a loop each: even and odd warps", by_warp, NULL,
   is_of_odd_warp},
  {"regrouped", "even and odd elements, each warp of one kind",
   regrouped, NULL, is_odd},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- launcher ---- */

/* Blocks of full pairs of warps: `regrouped` needs both of a pair. */
static void launch(const version *v, const void *d_in, void *d_out, int n,
                   int n_steps)
{
  int n_blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  if (v->tiny)
    v->tiny<<<n_blocks, BLOCK_THREADS>>>((int *)d_out);
  else
    v->longer<<<n_blocks, BLOCK_THREADS>>>((const float *)d_in,
                                           (float *)d_out, n, n_steps);
  CUDA_CHECK_LAUNCH();
}

/* ---- check ---- */

static int compare(const version *v, const char *what, const float *h_in,
                   const void *h_got, int n, int n_steps)
{
  int right;
  int *ints = (int *)malloc(n * sizeof(int));
  float *floats = (float *)malloc(n * sizeof(float));
  if (!ints || !floats) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  for (int i = 0; i < n; i++) {
    ints[i] = v->takes_odd(i) ? 1 : 2;
    floats[i] = v->takes_odd(i) ? odd_path(h_in[i], n_steps)
                                : even_path(h_in[i], n_steps);
  }
  right = v->tiny ? compare_ints(what, ints, (const int *)h_got, n)
                  : compare_floats(what, floats, (const float *)h_got, n);
  free(ints);
  free(floats);
  return right;
}

static int check_case(const version *v, random_source *random, int n,
                      int n_steps)
{
  size_t n_bytes = (size_t)n * 4;
  float *h_in = (float *)malloc(n_bytes);
  char *h_got = (char *)malloc(n_bytes + GUARD_BYTES);
  void *d_in, *d_out;
  char what[80];
  if (!h_in || !h_got) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  random_fill_floats(random, h_in, n);
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  launch(v, d_in, d_out, n, n_steps);
  CUDA_CHECK(cudaMemcpy(h_got, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  snprintf(what, sizeof what, "%s, n = %d, %d steps", v->name, n, n_steps);
  int right = compare(v, what, h_in, h_got, n, n_steps) &
              compare_guard(what, h_got + n_bytes, GUARD_BYTES);
  free(h_in);
  free(h_got);
  return right;
}

/* The tiny kernels have no guard: whole blocks only. */
static int check(const options *o)
{
  static const int sizes[] = {BLOCK_THREADS, 4 * BLOCK_THREADS, 1, 31, 33,
                              64, 65, 1000};
  enum { N_SIZES = 8, N_WHOLE = 2 };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < N_SIZES && options_wants(o, versions[k].name); s++)
      if (s < N_WHOLE || !versions[k].tiny)
        right &= check_case(&versions[k], &random, sizes[s], s);
  fprintf(options_remarks(o), "check: %d sizes, seed %llu: %s\n", N_SIZES,
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

static void allocate(int n, void **d_in, void **d_out)
{
  size_t n_bytes = (size_t)n * sizeof(float);
  CUDA_CHECK(cudaMalloc(d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(d_out, n_bytes));
  CUDA_CHECK(cudaMemset(*d_in, 0, n_bytes));
}

static int count(const options *o)
{
  int n = (int)memory_length(o, 1024, 2 * sizeof(float)), n_steps = 16;
  void *d_in, *d_out;
  allocate(n, &d_in, &d_out);
  printf("version,n_elems,n_steps\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name)) {
      launch(&versions[k], d_in, d_out, n, n_steps);
      printf("%s,%d,%d\n", versions[k].name, n, n_steps);
    }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  return EXIT_SUCCESS;
}

static void measure(const options *o)
{
  int n = (int)memory_length(o, (size_t)1 << 24, 2 * sizeof(float));
  void *d_in, *d_out;
  allocate(n, &d_in, &d_out);
  if (o->csv)
    printf("version,n_elems,n_steps,time_us,spread_us\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    if (!options_wants(o, v->name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(v, d_in, d_out, n, N_STEPS);
    if (o->csv)
      printf("%s,%d,%d,%.3f,%.3f\n", v->name, n, v->tiny ? 0 : N_STEPS,
             t.median_us, t.spread_us);
    else
      timing_print_row(v->name, t, (v->tiny ? 1.0 : 2.0) * n * 4);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "even and odd threads do different "
                            "things", "parity", "parity");
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
