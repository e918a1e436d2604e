/* The number pi by throwing points at a square: with random numbers of our
 * own generator and of cuRAND's, made in the kernel or stored first.
 *
 *   nvcc -I code code/libraries/random.cu -lcurand -o random && ./random
 *
 * cuRAND's host side needs a GPU; its device side runs anywhere. */
#include <curand_kernel.h>
#include <math.h>
#include <stdint.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "libraries/library_check.h"

enum { BLOCK_THREADS = 256, BLOCKS_PER_SM = 8, ROUNDS = 10,
       FEW_BLOCKS = 8 };

/* ---- the generator --------------------------------------------------- */

// begin philox
/* Philox4x32-10: no state, only a function. It stirs a counter of 128 bits,
 * with a key of 64, until no one can see that neighbours were neighbours. */
__host__ __device__ inline uint4 philox(uint4 counter, uint2 key)
{
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t a = (uint64_t)0xd2511f53 * counter.x;
    uint64_t b = (uint64_t)0xcd9e8d57 * counter.z;
    counter = make_uint4((uint32_t)(b >> 32) ^ counter.y ^ key.x, (uint32_t)b,
                         (uint32_t)(a >> 32) ^ counter.w ^ key.y, (uint32_t)a);
    key = make_uint2(key.x + 0x9e3779b9, key.y + 0xbb67ae85);
  }
  return counter;
}
// end philox

// begin points
/* Two points from four numbers: how many are inside the quarter of a
 * circle? 24 bits of a number are what a float can hold. */
__host__ __device__ inline unsigned points_inside(uint4 bits)
{
  const float scale = 1.0f / 16777216.0f;
  float x = (float)(bits.x >> 8) * scale, y = (float)(bits.y >> 8) * scale;
  float u = (float)(bits.z >> 8) * scale, v = (float)(bits.w >> 8) * scale;
  return (x * x + y * y < 1.0f) + (u * u + v * v < 1.0f);
}
// end points

// begin add_up
/* All of a warp's counts in one atomic addition. */
__device__ void add_up(unsigned long long *total, unsigned inside)
{
  inside = __reduce_add_sync(0xffffffffu, inside);
  if (threadIdx.x % 32 == 0)
    atomicAdd(total, (unsigned long long)inside);
}
// end add_up

/* ---- kernels --------------------------------------------------------- */

// begin by_hand
__global__ void pi_by_hand(unsigned long long *total, size_t n_pairs,
                           uint64_t seed)
{
  uint2 key = make_uint2((uint32_t)seed, (uint32_t)(seed >> 32));
  size_t step = (size_t)gridDim.x * blockDim.x;
  unsigned inside = 0;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n_pairs;
       i += step)
    inside += points_inside(philox(make_uint4((uint32_t)i,
                                              (uint32_t)(i >> 32), 0, 0),
                                   key));
  add_up(total, inside);
}
// end by_hand

// begin curand_device
__global__ void pi_curand_device(unsigned long long *total, size_t n_pairs,
                                 uint64_t seed)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned inside = 0;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, 0, 4 * first, &state);
  for (size_t i = first; i < n_pairs; i += step) {
    inside += points_inside(curand4(&state));
    skipahead(4 * (step - 1), &state);
  }
  add_up(total, inside);
}
// end curand_device

// begin sequences
/* As the manual does it: each thread has a sequence of its own. */
__global__ void pi_curand_sequences(unsigned long long *total,
                                    size_t n_pairs, uint64_t seed)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned inside = 0;
  curandStatePhilox4_32_10_t state;
  curand_init(seed, first, 0, &state);
  for (size_t i = first; i < n_pairs; i += step)
    inside += points_inside(curand4(&state));
  add_up(total, inside);
}
// end sequences

// begin fill
/* As many numbers as cuRAND's host side would store. */
__global__ void fill_by_hand(uint4 *numbers, size_t n_pairs, uint64_t seed)
{
  uint2 key = make_uint2((uint32_t)seed, (uint32_t)(seed >> 32));
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n_pairs;
       i += step)
    numbers[i] = philox(make_uint4((uint32_t)i, (uint32_t)(i >> 32), 0, 0),
                        key);
}

__global__ void pi_of_stored(unsigned long long *total, const uint4 *numbers,
                             size_t n_pairs)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  unsigned inside = 0;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n_pairs;
       i += step)
    inside += points_inside(numbers[i]);
  add_up(total, inside);
}
// end fill

/* ---- launchers ------------------------------------------------------- */

typedef struct {
  unsigned long long *d_total;
  uint4 *d_numbers;       /* for those who store them first */
} workspace;

/* As many as fill the GPU; or few: for counts that are the same on every
 * machine, and for checks in which each thread goes around its loop. */
static int few_blocks;

static unsigned blocks(void)
{
  return few_blocks ? FEW_BLOCKS
       : (unsigned)device_properties()->multiProcessorCount * BLOCKS_PER_SM;
}

static void launch_by_hand(workspace w, size_t n_pairs, uint64_t seed)
{
  pi_by_hand<<<blocks(), BLOCK_THREADS>>>(w.d_total, n_pairs, seed);
}

static void launch_curand_device(workspace w, size_t n_pairs, uint64_t seed)
{
  pi_curand_device<<<blocks(), BLOCK_THREADS>>>(w.d_total, n_pairs, seed);
}

static void launch_sequences(workspace w, size_t n_pairs, uint64_t seed)
{
  pi_curand_sequences<<<blocks(), BLOCK_THREADS>>>(w.d_total, n_pairs, seed);
}

static void launch_stored(workspace w, size_t n_pairs, uint64_t seed)
{
  fill_by_hand<<<blocks(), BLOCK_THREADS>>>(w.d_numbers, n_pairs, seed);
  pi_of_stored<<<blocks(), BLOCK_THREADS>>>(w.d_total, w.d_numbers, n_pairs);
}

// begin curand_host
#if __has_include(<curand.h>)
#include <curand.h>

static void launch_curand_host(workspace w, size_t n_pairs, uint64_t seed)
{
  static curandGenerator_t generator;
  if (!generator)
    LIBRARY_CHECK(curandCreateGenerator(&generator,
                                        CURAND_RNG_PSEUDO_PHILOX4_32_10));
  LIBRARY_CHECK(curandSetPseudoRandomGeneratorSeed(generator, seed));
  LIBRARY_CHECK(curandSetGeneratorOffset(generator, 0));
  LIBRARY_CHECK(curandGenerate(generator, (unsigned *)w.d_numbers,
                               4 * n_pairs));
  pi_of_stored<<<blocks(), BLOCK_THREADS>>>(w.d_total, w.d_numbers, n_pairs);
}
#else
#define launch_curand_host NULL
#endif
// end curand_host

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(workspace w, size_t n_pairs, uint64_t seed);
  int other_numbers;      /* than philox(0), philox(1), … with the seed */
  int stores;
  int is_library;         /* which needs a GPU */
} version;

static const version versions[] = {
  {"by_hand", "our generator, in the kernel", launch_by_hand, 0, 0, 0},
  {"curand_device", "cuRAND's in the kernel, the same numbers",
   launch_curand_device, 0, 0, 0},
  {"curand_sequences", "cuRAND's in the kernel, a sequence a thread",
   launch_sequences, 1, 0, 0},
  {"stored", "our numbers are stored first", launch_stored, 0, 1, 0},
  {"curand_host", "cuRAND stores its numbers first", launch_curand_host, 1,
   1, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- checking -------------------------------------------------------- */

static int check_words(const char *what, uint4 got, const uint32_t *expected)
{
  uint32_t words[] = {got.x, got.y, got.z, got.w};
  return compare_bytes(what, expected, words, sizeof words);
}

// begin known_answers
/* Counter, key, and what must come out: the vectors of the inventors. */
static const struct {
  uint4 counter;
  uint2 key;
  uint32_t answer[4];
} known_answers[] = {
  {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
  {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
   {0xffffffff, 0xffffffff},
   {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
  {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
   {0xa4093822, 0x299f31d0},
   {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};
// end known_answers

static int check_known_answers(void)
{
  int n_bad = 0;
  for (size_t i = 0; i < sizeof known_answers / sizeof known_answers[0]; i++)
    n_bad += !check_words("philox, known answer",
                          philox(known_answers[i].counter,
                                 known_answers[i].key),
                          known_answers[i].answer);
  return n_bad;
}

/* Our numbers on the device against our numbers on the host. */
static int check_fill(uint64_t seed)
{
  enum { N = 1000 };
  uint4 *d_numbers, h_expected[N];
  static char h_numbers[sizeof h_expected + GUARD_BYTES];
  uint2 key = make_uint2((uint32_t)seed, (uint32_t)(seed >> 32));
  for (unsigned i = 0; i < N; i++)
    h_expected[i] = philox(make_uint4(i, 0, 0, 0), key);
  CUDA_CHECK(cudaMalloc(&d_numbers, sizeof h_numbers));
  poison_device(d_numbers, sizeof h_numbers);
  fill_by_hand<<<2, BLOCK_THREADS>>>(d_numbers, N, seed);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_numbers, d_numbers, sizeof h_numbers,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_numbers));
  return !compare_bytes("fill", h_expected, h_numbers, sizeof h_expected) +
         !compare_guard("fill", h_numbers + sizeof h_expected, GUARD_BYTES);
}

static unsigned long long count_inside(const version *v, size_t n_pairs,
                                       uint64_t seed)
{
  workspace w;
  unsigned long long total;
  CUDA_CHECK(cudaMalloc(&w.d_total, sizeof total));
  CUDA_CHECK(cudaMalloc(&w.d_numbers, n_pairs * sizeof(uint4)));
  CUDA_CHECK(cudaMemset(w.d_total, 0, sizeof total));
  v->launch(w, n_pairs, seed);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&total, w.d_total, sizeof total,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(w.d_total));
  CUDA_CHECK(cudaFree(w.d_numbers));
  return total;
}

/* The same numbers must hit as often as on the host. Others must come within
 * five standard deviations of a quarter of pi. */
static int check(const version *v, size_t n_pairs, uint64_t seed)
{
  uint2 key = make_uint2((uint32_t)seed, (uint32_t)(seed >> 32));
  unsigned long long expected = 0, got = count_inside(v, n_pairs, seed);
  for (size_t i = 0; i < n_pairs; i++)
    expected += points_inside(philox(make_uint4((uint32_t)i, 0, 0, 0), key));
  double n = 2.0 * (double)n_pairs, quarter = acos(-1.0) / 4.0;
  double allowed = 5.0 * sqrt(n * quarter * (1.0 - quarter)) + 2.0;
  if (v->other_numbers ? fabs((double)got - n * quarter) <= allowed
                       : got == expected)
    return 0;
  fprintf(stderr, "%s, %zu pairs: error: %llu points inside; expected %s"
          "%.0f\n", v->name, n_pairs, got, v->other_numbers ? "about " : "",
          v->other_numbers ? n * quarter : (double)expected);
  return 1;
}

static const char *missing(const version *v)
{
  return !v->is_library ? NULL
       : !v->launch ? "cuRAND's library, which this toolkit does not have"
       : device_is_software() ? "a GPU: cuRAND's host side brings machine "
                                "code, no PTX"
       : NULL;
}

static int check_versions(const options *o)
{
  static const size_t sizes[] = {1, 31, 5000, 70001};
  int n_bad = check_known_answers() + check_fill(o->seed);
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name))
      continue;
    if (missing(&versions[v])) {
      fprintf(options_remarks(o), "%s needs %s\n", versions[v].name,
              missing(&versions[v]));
      if (o->version)
        exit(EXIT_SKIPPED);
      continue;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      few_blocks = sizes[i] == 70001;
      n_bad += check(&versions[v], sizes[i], o->seed + i);
    }
    few_blocks = 0;
  }
  if (n_bad == 0)
    fprintf(options_remarks(o), "every version is right (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring and counting ------------------------------------------ */

static void run(const options *o, size_t n_pairs, int timed)
{
  workspace w;
  CUDA_CHECK(cudaMalloc(&w.d_total, sizeof *w.d_total));
  CUDA_CHECK(cudaMalloc(&w.d_numbers, n_pairs * sizeof(uint4)));
  printf(!timed ? "version,n_numbers\n" : o->csv ?
         "version,n_numbers,repetitions,time_us,time_spread_us,"
         "numbers_per_ns,stored_bytes,pi_error\n" :
         "version                   median us   numbers per ns\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name) || missing(v))
      continue;
    if (!timed) {
      if (v->is_library || v->stores)
        continue;
      v->launch(w, n_pairs, o->seed);
      CUDA_CHECK_LAUNCH();
      printf("%s,%zu\n", v->name, 4 * n_pairs);
      continue;
    }
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      v->launch(w, n_pairs, o->seed);
      CUDA_CHECK_LAUNCH();
    }
    double per_ns = 4e-3 * (double)n_pairs / t.median_us;
    double pi = 2.0 * (double)count_inside(v, n_pairs, o->seed) /
                (double)n_pairs;
    if (o->csv)
      printf("%s,%zu,%d,%.3f,%.3f,%.2f,%zu,%.2e\n", v->name, 4 * n_pairs,
             t.repetitions, t.median_us, t.spread_us, per_ns,
             v->stores ? n_pairs * sizeof(uint4) : 0,
             fabs(pi - acos(-1.0)));
    else
      printf("%-22s %12.2f %16.2f\n", v->name, t.median_us, per_ns);
    fflush(stdout);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(w.d_total));
  CUDA_CHECK(cudaFree(w.d_numbers));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "pi by random numbers", "random",
                            "random");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    few_blocks = 1;
    run(&o, memory_length(&o, (size_t)1 << 16, sizeof(uint4)), 0);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  run(&o, memory_length(&o, (size_t)1 << 27, sizeof(uint4)), 1);
  return EXIT_SUCCESS;
}
