/* One request of a warp, in many patterns: which lane reads or writes which
 * word, and how many 32-byte sectors does that touch?  Each kernel copies
 * one word per thread; the loads of some and the stores of others follow the
 * pattern, the other side is aligned, consecutive and in order. */
#include <stdio.h>
#include <stdlib.h>

#include "coalescing/sectors.h"
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"    /* and options.h */
#include "common/timing.h"

/* ---- CPU reference: where thread i reads or writes ---- */

static size_t at_own(size_t i) { return i; }
static size_t at_shifted(size_t i) { return i + 1; }
static size_t at_shifted_sector(size_t i) { return i + 8; }
static size_t at_gap(size_t i) { return i + i / 16 * 16; }
static size_t at_permuted(size_t i) { return i / 32 * 32 + i * 5 % 32; }
static size_t at_every_fourth(size_t i) { return 4 * i; }
static size_t at_own_line(size_t i) { return 32 * i; }
static size_t at_hundred(size_t i) { return 100 * i; }
static size_t at_first(size_t i) { return 0 * i; }

/* ---- kernels: loads ---- */

// begin aligned
__global__ void aligned(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
// end aligned

// begin misaligned
__global__ void misaligned(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];
}

__global__ void misaligned_sector(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 8];
}
// end misaligned

// begin not_consecutive
__global__ void not_consecutive(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + i / 16 * 16];
}
// end not_consecutive

// begin not_sequential
__global__ void not_sequential(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i / 32 * 32 + i * 5 % 32];
}
// end not_sequential

// begin every_fourth
__global__ void every_fourth(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[4 * i];
}
// end every_fourth

// begin fp64
__global__ void fp64(const double *in, double *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
// end fp64

// begin worst
__global__ void worst(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[32 * i];
}
// end worst

// begin hundred
__global__ void hundred(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[100 * i];
}
// end hundred

// begin broadcast
__global__ void broadcast(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[0];
}
// end broadcast

// begin narrow_and_wide
__global__ void bytes(const unsigned char *in, unsigned char *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

__global__ void four_floats(const float4 *in, float4 *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
// end narrow_and_wide

/* ---- kernels: stores ---- */

__global__ void store_misaligned(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i + 1] = in[i];
}

__global__ void store_not_sequential(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i / 32 * 32 + i * 5 % 32] = in[i];
}

// begin store_every_fourth
__global__ void store_every_fourth(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[4 * i] = in[i];
}
// end store_every_fourth

__global__ void store_worst(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[32 * i] = in[i];
}

typedef struct {
  const char *name;     /* the kernel's */
  const char *idea;
  const void *kernel;
  size_t word_bytes;
  size_t (*load_at)(size_t);
  size_t (*store_at)(size_t);
} version;

static const version versions[] = {
  {"aligned", "32 floats of one line, in order",
   (const void *)aligned, 4, at_own, at_own},
  {"misaligned", "the same, one float further on",
   (const void *)misaligned, 4, at_shifted, at_own},
  {"misaligned_sector", "the same, one sector further on",
   (const void *)misaligned_sector, 4, at_shifted_sector, at_own},
  {"not_consecutive", "two runs of 16 floats with a gap between",
   (const void *)not_consecutive, 4, at_gap, at_own},
  {"not_sequential", "32 floats of one line, out of order",
   (const void *)not_sequential, 4, at_permuted, at_own},
  {"every_fourth", "one float out of four",
   (const void *)every_fourth, 4, at_every_fourth, at_own},
  {"fp64", "32 doubles of two lines, in order",
   (const void *)fp64, 8, at_own, at_own},
  {"worst", "a line of its own for each lane",
   (const void *)worst, 4, at_own_line, at_own},
  {"hundred", "x[100 * i]",
   (const void *)hundred, 4, at_hundred, at_own},
  {"broadcast", "the same float for all",
   (const void *)broadcast, 4, at_first, at_own},
  {"bytes", "32 bytes, in order",
   (const void *)bytes, 1, at_own, at_own},
  {"four_floats", "four floats for each lane, in order",
   (const void *)four_floats, 16, at_own, at_own},
  {"store_misaligned", "stores, one float further on",
   (const void *)store_misaligned, 4, at_own, at_shifted},
  {"store_not_sequential", "stores, out of order",
   (const void *)store_not_sequential, 4, at_own, at_permuted},
  {"store_every_fourth", "stores, one float out of four",
   (const void *)store_every_fourth, 4, at_own, at_every_fourth},
  {"store_worst", "stores, a line of its own for each lane",
   (const void *)store_worst, 4, at_own, at_own_line},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- launcher: whole warps, because the kernels have no guard ---- */

static void launch(const version *v, const void *d_in, void *d_out,
                   int n_warps)
{
  int warps_a_block = n_warps % 8 == 0 ? 8 : 1;
  dim3 grid(n_warps / warps_a_block), block(warps_a_block * WARP_LANES);
  void *arguments[] = {&d_in, &d_out};
  CUDA_CHECK(cudaLaunchKernel(v->kernel, grid, block, arguments, 0, NULL));
}

/* The bytes that n threads reach. */
static size_t reach_bytes(const version *v, size_t (*at)(size_t), size_t n)
{
  size_t furthest = 0;
  for (size_t i = 0; i < n; i++)
    if (at(i) > furthest)
      furthest = at(i);
  return (furthest + 1) * v->word_bytes;
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, int n_warps)
{
  size_t n = (size_t)n_warps * WARP_LANES, word = v->word_bytes;
  size_t in_bytes = reach_bytes(v, v->load_at, n);
  size_t out_bytes = reach_bytes(v, v->store_at, n);
  unsigned char *h_in = (unsigned char *)malloc(in_bytes);
  unsigned char *h_expected = (unsigned char *)malloc(out_bytes);
  unsigned char *h_got = (unsigned char *)malloc(out_bytes + GUARD_BYTES);
  void *d_in, *d_out;
  char what[64];
  if (!h_in || !h_expected || !h_got) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  random_fill_bytes(random, h_in, in_bytes);
  poison_host(h_expected, out_bytes);
  for (size_t i = 0; i < n; i++)
    memcpy(h_expected + v->store_at(i) * word, h_in + v->load_at(i) * word,
           word);
  CUDA_CHECK(cudaMalloc(&d_in, in_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, out_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, in_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, out_bytes + GUARD_BYTES);
  launch(v, d_in, d_out, n_warps);
  CUDA_CHECK(cudaMemcpy(h_got, d_out, out_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  snprintf(what, sizeof what, "%s, %d warps", v->name, n_warps);
  int right = compare_bytes(what, h_expected, h_got, out_bytes) &
              compare_guard(what, h_got + out_bytes, GUARD_BYTES);
  free(h_in);
  free(h_expected);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const int n_warps[] = {1, 2, 7, 8, 64};
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < 5 && options_wants(o, versions[k].name); s++)
      right &= check_case(&versions[k], &random, n_warps[s]);
  fprintf(options_remarks(o), "check: %d patterns, 1 to 64 warps, seed %llu: "
          "%s\n", o->version ? 1 : (int)N_VERSIONS,
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count: one warp, one request each way ---- */

static size_t units_of_warp(const version *v, size_t (*at)(size_t),
                            size_t unit_bytes)
{
  size_t byte_at[WARP_LANES];
  for (size_t lane = 0; lane < WARP_LANES; lane++)
    byte_at[lane] = at(lane) * v->word_bytes;
  return sectors_counted(byte_at, WARP_LANES, unit_bytes);
}

/* `hundred` spans the most: 400 bytes for each thread. */
static int warps_that_fit(const options *o, size_t wanted)
{
  return (int)memory_length(o, wanted, WARP_LANES * 400.0);
}

static int count(const options *o)
{
  int n_warps = warps_that_fit(o, 1);
  size_t n = (size_t)n_warps * WARP_LANES;
  printf("version,word_bytes,n_warps,ld_lines,st_lines\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    size_t in_bytes = reach_bytes(v, v->load_at, n);
    void *d_in, *d_out;
    if (!options_wants(o, v->name))
      continue;
    CUDA_CHECK(cudaMalloc(&d_in, in_bytes));
    CUDA_CHECK(cudaMalloc(&d_out, reach_bytes(v, v->store_at, n)));
    CUDA_CHECK(cudaMemset(d_in, 0, in_bytes));
    launch(v, d_in, d_out, n_warps);
    CUDA_CHECK(cudaDeviceSynchronize());
    printf("%s,%zu,%d,%zu,%zu\n", v->name, v->word_bytes, n_warps,
           units_of_warp(v, v->load_at, LINE_BYTES),
           units_of_warp(v, v->store_at, LINE_BYTES));
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
  }
  return EXIT_SUCCESS;
}

/* ---- experiment `pattern`: what each costs when many warps do it ---- */

static void measure(const options *o)
{
  int n_warps = warps_that_fit(o, 1 << 19);
  if (o->csv)
    printf("version,word_bytes,n_elems,time_us,spread_us,gb_per_s\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    size_t n = (size_t)n_warps * WARP_LANES;
    size_t in_bytes = reach_bytes(v, v->load_at, n);
    void *d_in, *d_out;
    if (!options_wants(o, v->name))
      continue;
    CUDA_CHECK(cudaMalloc(&d_in, in_bytes));
    CUDA_CHECK(cudaMalloc(&d_out, reach_bytes(v, v->store_at, n)));
    CUDA_CHECK(cudaMemset(d_in, 0, in_bytes));
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(v, d_in, d_out, n_warps);
    double n_bytes = 2.0 * n * v->word_bytes;
    if (o->csv)
      printf("%s,%zu,%zu,%.3f,%.3f,%.2f\n", v->name, v->word_bytes, n,
             t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(v->name, t, n_bytes);
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv,
                            "the ways a warp can reach global memory",
                            "pattern", "pattern");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && (o.size[0] < 1 ||
                                           o.size[0] > 1 << 19)))
    options_fail(&o, "--size is a number of warps, 1 to 2^19");
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
