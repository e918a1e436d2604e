/* What the lanes of a warp can tell each other without memory: shuffles,
 * votes, matches and reductions; and with memory, between two __syncwarp.
 * Each kernel is one warp's worth of work for every 32 elements. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"

enum { WARP = 32, BLOCK_THREADS = 256 };

/* ---- kernels ---- */

// begin broadcast
__global__ void broadcast(const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl_sync(0xffffffff, in[i], 5);    /* what lane 5 has */
}
// end broadcast

// begin difference
__global__ void difference(const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = in[i];
  int before = __shfl_up_sync(0xffffffff, x, 1); /* of the lane before me */
  out[i] = i % WARP == 0 ? x : x - before;
}
// end difference

// begin sum_by_shuffle
__global__ void sum_by_shuffle(const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = in[i];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, distance);
  out[i] = sum;                                  /* every lane has it */
}
// end sum_by_shuffle

// begin sum_by_instruction
__global__ void sum_by_instruction(const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __reduce_add_sync(0xffffffff, in[i]);
}
// end sum_by_instruction

// begin sum_by_memory
__global__ void sum_by_memory(const int *in, int *out)
{
  __shared__ int slots[BLOCK_THREADS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % WARP;
  int *slot = slots + threadIdx.x - lane;        /* of this warp */
  int sum = in[i];
  for (int distance = 16; distance > 0; distance /= 2) {
    slot[lane] = sum;
    __syncwarp();                                /* all have written */
    sum += slot[lane ^ distance];
    __syncwarp();                                /* all have read */
  }
  out[i] = sum;
}
// end sum_by_memory

// begin vote
__global__ void vote(const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int is_negative = in[i] < 0;
  unsigned mask = __ballot_sync(0xffffffff, is_negative);
  unsigned before = (1u << i % WARP) - 1;        /* lanes before me */
  if (__all_sync(0xffffffff, is_negative))
    out[i] = -1;
  else if (!__any_sync(0xffffffff, is_negative))
    out[i] = -2;
  else
    out[i] = __popc(mask & before);              /* negatives before me */
}
// end vote

// begin match
__global__ void match(const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned same = __match_any_sync(0xffffffff, in[i]);
  out[i] = __popc(same);                         /* lanes with my number */
}
// end match

/* ---- CPU reference: one warp at a time ---- */

static void broadcast_on_host(const int *in, int *out)
{
  for (int l = 0; l < WARP; l++)
    out[l] = in[5];
}

static void difference_on_host(const int *in, int *out)
{
  for (int l = 0; l < WARP; l++)
    out[l] = l == 0 ? in[0] : in[l] - in[l - 1];
}

static void sum_on_host(const int *in, int *out)
{
  int sum = 0;
  for (int l = 0; l < WARP; l++)
    sum += in[l];
  for (int l = 0; l < WARP; l++)
    out[l] = sum;
}

static void vote_on_host(const int *in, int *out)
{
  int n_negative = 0;
  for (int l = 0; l < WARP; l++) {
    out[l] = n_negative;
    n_negative += in[l] < 0;
  }
  for (int l = 0; l < WARP && n_negative % WARP == 0; l++)
    out[l] = n_negative == WARP ? -1 : -2;
}

static void match_on_host(const int *in, int *out)
{
  for (int l = 0; l < WARP; l++) {
    out[l] = 0;
    for (int k = 0; k < WARP; k++)
      out[l] += in[k] == in[l];
  }
}

typedef struct {
  const char *name;     /* the kernel's */
  const char *idea;
  void (*kernel)(const int *, int *);
  void (*reference)(const int *, int *);
} version;

static const version versions[] = {
  {"broadcast", "one lane's number for all", broadcast, broadcast_on_host},
  {"difference", "from the lane before", difference, difference_on_host},
  {"sum_by_shuffle", "five exchanges", sum_by_shuffle, sum_on_host},
  {"sum_by_instruction", "one instruction", sum_by_instruction, sum_on_host},
  {"sum_by_memory", "five exchanges through shared memory", sum_by_memory,
   sum_on_host},
  {"vote", "all, any, and which", vote, vote_on_host},
  {"match", "who has the same number", match, match_on_host},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void launch(const version *v, const int *d_in, int *d_out, int n)
{
  v->kernel<<<n / BLOCK_THREADS, BLOCK_THREADS>>>(d_in, d_out);
  CUDA_CHECK_LAUNCH();
}

/* ---- check ---- */

enum { N_CHECKED = 8 * BLOCK_THREADS };

/* Few different numbers; warps 0 and 1 of each block all negative, and not. */
static void fill(random_source *random, int *in, int n)
{
  for (int i = 0; i < n; i++) {
    int warp = i / WARP % (BLOCK_THREADS / WARP);
    in[i] = (int)random_below(random, 9) - 4;
    if (warp < 2)
      in[i] = warp == 0 ? -1 - abs(in[i]) : abs(in[i]);
  }
}

static int check_version(const version *v, random_source *random)
{
  static int h_in[N_CHECKED], h_expected[N_CHECKED];
  static int h_got[N_CHECKED + GUARD_BYTES / sizeof(int)];
  int *d_in, *d_out;
  fill(random, h_in, N_CHECKED);
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
  int n = (int)memory_length(o, (size_t)1 << 26, 2 * sizeof(int));
  int *d_in, *d_out;
  allocate(n, &d_in, &d_out);
  if (o->csv)
    printf("version,n_elems,time_us,spread_us,gb_per_s\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    double n_bytes = 2.0 * n * sizeof(int);
    if (!options_wants(o, versions[k].name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(&versions[k], d_in, d_out, n);
    if (o->csv)
      printf("%s,%d,%.3f,%.3f,%.2f\n", versions[k].name, n, t.median_us,
             t.spread_us, timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(versions[k].name, t, n_bytes);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "what lanes tell each other",
                            "functions", "functions");
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
