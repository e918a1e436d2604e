/* Solutions of the exercises on warps: four paths by branches and by a
 * number, packing the positive numbers of a warp, and a sum over each group
 * of eight lanes. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"

enum { WARP = 32, BLOCK_THREADS = 256, GROUP = 8, N_PATHS = 4, N_STEPS = 64 };

__host__ __device__ static int walk(int x, int path)
{
  for (int k = 0; k < N_STEPS; k++)
    x = x * 5 + (x >> 3) + path;
  return x;
}

/* ---- kernels ---- */

// begin nested
__global__ void nested(const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = in[i];
  if (i % 2 == 0) {
    if (i % 4 == 0)
      x = walk(x, 0);
    else
      x = walk(x, 2);
  } else {
    if (i % 4 == 1)
      x = walk(x, 1);
    else
      x = walk(x, 3);
  }
  out[i] = x;
}
// end nested

// begin chosen
__global__ void chosen(const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = walk(in[i], i % N_PATHS);   /* the path is a number, not a branch */
}
// end chosen

// begin pack
__global__ void pack(const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = i % WARP;
  int x = in[i], is_kept = x > 0;
  unsigned kept = __ballot_sync(0xffffffff, is_kept);
  int n_before = __popc(kept & ((1u << lane) - 1));
  int place = is_kept ? n_before : __popc(kept) + lane - n_before;
  out[i - lane + place] = is_kept ? x : 0;
}
// end pack

// begin group_sum
__global__ void group_sum(const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = in[i];
  for (int distance = GROUP / 2; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, distance);
  out[i] = sum;
}
// end group_sum

/* ---- CPU reference: one warp at a time ---- */

static void walk_on_host(const int *in, int *out)
{
  for (int l = 0; l < WARP; l++) {
    unsigned x = (unsigned)in[l];
    for (int k = 0; k < N_STEPS; k++)
      x = x * 5u + (unsigned)((int)x >> 3) + (unsigned)(l % N_PATHS);
    out[l] = (int)x;
  }
}

static void pack_on_host(const int *in, int *out)
{
  int n = 0;
  for (int l = 0; l < WARP; l++)
    if (in[l] > 0)
      out[n++] = in[l];
  while (n < WARP)
    out[n++] = 0;
}

static void group_sum_on_host(const int *in, int *out)
{
  for (int l = 0; l < WARP; l++) {
    out[l] = 0;
    for (int k = 0; k < GROUP; k++)
      out[l] += in[l / GROUP * GROUP + k];
  }
}

typedef struct {
  const char *name;     /* the kernel's */
  const char *idea;
  void (*kernel)(const int *, int *);
  void (*reference)(const int *, int *);
} version;

static const version versions[] = {
  {"nested", "four paths by two branches", nested, walk_on_host},
  {"chosen", "one path with four numbers", chosen, walk_on_host},
  {"pack", "the positive numbers of each warp first", pack, pack_on_host},
  {"group_sum", "sums over eight lanes", group_sum, group_sum_on_host},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void launch(const version *v, const int *d_in, int *d_out, int n)
{
  v->kernel<<<n / BLOCK_THREADS, BLOCK_THREADS>>>(d_in, d_out);
  CUDA_CHECK_LAUNCH();
}

/* ---- check ---- */

enum { N_CHECKED = 8 * BLOCK_THREADS };

static int check_version(const version *v, random_source *random)
{
  static int h_in[N_CHECKED], h_expected[N_CHECKED];
  static int h_got[N_CHECKED + GUARD_BYTES / sizeof(int)];
  int *d_in, *d_out;
  for (int i = 0; i < N_CHECKED; i++)
    h_in[i] = i < WARP ? -1 : (int)random_below(random, 201) - 100;
  for (int i = 0; i < N_CHECKED; i += WARP)
    v->reference(h_in + i, h_expected + i);
  CUDA_CHECK(cudaMalloc(&d_in, sizeof h_in));
  CUDA_CHECK(cudaMalloc(&d_out, sizeof h_got));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, sizeof h_in, cudaMemcpyHostToDevice));
  poison_device(d_out, sizeof h_got);
  launch(v, d_in, d_out, N_CHECKED);
  CUDA_CHECK(cudaMemcpy(h_got, d_out, sizeof h_got, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  return compare_ints(v->name, h_expected, h_got, N_CHECKED) &
         compare_guard(v->name, h_got + N_CHECKED, GUARD_BYTES);
}

static int check(const options *o)
{
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name))
      right &= check_version(&versions[k], &random);
  fprintf(options_remarks(o), "check: %d elements, seed %llu: %s\n",
          N_CHECKED, (unsigned long long)o->seed,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

static void allocate(int n, int **d_in, int **d_out)
{
  CUDA_CHECK(cudaMalloc(d_in, (size_t)n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(d_out, (size_t)n * sizeof(int)));
  CUDA_CHECK(cudaMemset(*d_in, 0, (size_t)n * sizeof(int)));
}

static int count(const options *o)
{
  int n = (int)memory_length(o, 1024, 2 * sizeof(int)), *d_in, *d_out;
  allocate(n, &d_in, &d_out);
  printf("version,n_elems\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name)) {
      launch(&versions[k], d_in, d_out, n);
      printf("%s,%d\n", versions[k].name, n);
    }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  return EXIT_SUCCESS;
}

static void measure(const options *o)
{
  int n = (int)memory_length(o, (size_t)1 << 24, 2 * sizeof(int));
  int *d_in, *d_out;
  allocate(n, &d_in, &d_out);
  if (o->csv)
    printf("version,n_elems,time_us,spread_us\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(o, versions[k].name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(&versions[k], d_in, d_out, n);
    if (o->csv)
      printf("%s,%d,%.3f,%.3f\n", versions[k].name, n, t.median_us,
             t.spread_us);
    else
      timing_print_row(versions[k].name, t, 2.0 * n * sizeof(int));
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "solutions: warps", "solutions",
                            "solutions");
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
