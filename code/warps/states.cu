/* What do warps do all day?  Three kernels whose warps wait for different
 * things, each with few and with many warps a multiprocessor, to be looked
 * at by Nsight Compute: eligible, stalled, selected. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/random.h"

enum { WARP = 32, N_STEPS = 1024, SLOTS = 1 << 20 };

// begin arithmetic
__global__ void arithmetic(const int *next, int *out, int n_steps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = next[i % SLOTS];
  for (int k = 0; k < n_steps; k++)
    x = x * 5 + k;                 /* each step needs the one before */
  out[i] = x;
}
// end arithmetic

// begin chase
__global__ void chase(const int *next, int *out, int n_steps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % SLOTS;
  for (int k = 0; k < n_steps; k++)
    x = next[x];                   /* each address is the value before */
  out[i] = x;
}
// end chase

// begin in_step
__global__ void in_step(const int *next, int *out, int n_steps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = next[i % SLOTS];
  for (int k = 0; k < n_steps; k++) {
    x = x * 5 + k;
    __syncthreads();               /* none is ever a step ahead */
  }
  out[i] = x;
}
// end in_step

/* ---- CPU reference ---- */

static int arithmetic_on_host(const int *next, int i, int n_steps)
{
  unsigned x = (unsigned)next[i % SLOTS];
  for (int k = 0; k < n_steps; k++)
    x = x * 5u + (unsigned)k;
  return (int)x;
}

static int chase_on_host(const int *next, int i, int n_steps)
{
  int x = i % SLOTS;
  for (int k = 0; k < n_steps; k++)
    x = next[x];
  return x;
}

typedef struct {
  const char *name;     /* the kernel's */
  const char *idea;
  void (*kernel)(const int *, int *, int);
  int (*reference)(const int *, int, int);
} version;

static const version versions[] = {
  {"arithmetic", "waits for the result of the step before", arithmetic,
   arithmetic_on_host},
  {"chase", "waits for memory", chase, chase_on_host},
  {"in_step", "waits for the other warps", in_step, arithmetic_on_host},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* Warps a multiprocessor: 4 of them are one for each scheduler. */
static const int warps_each[] = {4, 8, 16, 32, 64};
enum { N_WARPS = sizeof warps_each / sizeof warps_each[0] };

static int *slots_or_exit(void)
{
  int *h_next = (int *)malloc(SLOTS * sizeof(int));
  if (!h_next) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  return h_next;
}

/* One ring through all slots, in random order (Sattolo's algorithm). */
static int *ring(uint64_t seed)
{
  random_source random = random_from_seed(seed);
  int *next = slots_or_exit();
  for (int i = 0; i < SLOTS; i++)
    next[i] = i;
  for (int i = SLOTS - 1; i > 0; i--) {
    int k = (int)random_below(&random, (uint64_t)i), other = next[k];
    next[k] = next[i];
    next[i] = other;
  }
  return next;
}

/* Blocks of up to 1024 threads, so that a multiprocessor gets `warps`. */
static int launch(const version *v, const int *d_next, int *d_out,
                  int n_multiprocessors, int warps, int n_steps)
{
  int blocks_each = warps > 32 ? 2 : 1;
  int n_threads = warps / blocks_each * WARP;
  int n_blocks = blocks_each * n_multiprocessors;
  v->kernel<<<n_blocks, n_threads>>>(d_next, d_out, n_steps);
  CUDA_CHECK_LAUNCH();
  return n_blocks * n_threads;
}

/* ---- check ---- */

static int check_case(const version *v, const int *h_next, const int *d_next,
                      int warps)
{
  enum { N_MULTIPROCESSORS = 3, N_CHECKED_STEPS = 7, N = 3 * 64 * WARP };
  static int h_expected[N], h_got[N + GUARD_BYTES / sizeof(int)];
  int *d_out;
  char what[80];
  CUDA_CHECK(cudaMalloc(&d_out, sizeof h_got));
  poison_device(d_out, sizeof h_got);
  int n = launch(v, d_next, d_out, N_MULTIPROCESSORS, warps,
                 N_CHECKED_STEPS);
  CUDA_CHECK(cudaMemcpy(h_got, d_out, sizeof h_got, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_out));
  for (int i = 0; i < n; i++)
    h_expected[i] = v->reference(h_next, i, N_CHECKED_STEPS);
  snprintf(what, sizeof what, "%s, %d warps", v->name, warps);
  return compare_ints(what, h_expected, h_got, n) &
         compare_guard(what, h_got + n, GUARD_BYTES);
}

static int *upload(const int *h_next)
{
  int *d_next;
  CUDA_CHECK(cudaMalloc(&d_next, SLOTS * sizeof(int)));
  CUDA_CHECK(cudaMemcpy(d_next, h_next, SLOTS * sizeof(int),
                        cudaMemcpyHostToDevice));
  return d_next;
}

static int check(const options *o)
{
  int *h_next = ring(o->seed), *d_next = upload(h_next), right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int w = 0; w < N_WARPS && options_wants(o, versions[k].name); w++)
      right &= check_case(&versions[k], h_next, d_next, warps_each[w]);
  CUDA_CHECK(cudaFree(d_next));
  free(h_next);
  fprintf(options_remarks(o), "check: %d numbers of warps, seed %llu: %s\n",
          N_WARPS, (unsigned long long)o->seed,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- count ---- */

static int count(const options *o)
{
  int n_multiprocessors = device_properties()->multiProcessorCount;
  int n_steps = device_is_software() ? 4 : N_STEPS;
  int *h_next = ring(1), *d_next = upload(h_next), *d_out;
  CUDA_CHECK(cudaMalloc(&d_out, (size_t)n_multiprocessors * 64 * WARP *
                                    sizeof(int)));
  printf("version,warps,n_steps\n");
  for (int k = 0; k < N_VERSIONS; k++)
    for (int w = 0; w < N_WARPS && options_wants(o, versions[k].name); w++) {
      launch(&versions[k], d_next, d_out, n_multiprocessors, warps_each[w],
             n_steps);
      printf("%s,%d,%d\n", versions[k].name, warps_each[w], n_steps);
    }
  CUDA_CHECK(cudaFree(d_next));
  CUDA_CHECK(cudaFree(d_out));
  free(h_next);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "what warps wait for", "", "states");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    return count(&o);
  return check(&o) ? EXIT_SUCCESS : EXIT_FAILURE;
}
