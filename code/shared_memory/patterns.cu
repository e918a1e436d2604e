/* One request of a warp to shared memory, in many patterns and for words of
 * 4, 8 and 16 bytes: how many wavefronts does it take, and how many cycles?
 * banks.h predicts, --count lets a device count, --csv measures.
 *
 *   nvcc -I code code/shared_memory/patterns.cu -o patterns && ./patterns
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/timing.h"
#include "shared_memory/banks.h"

enum {
  TILE_BYTES = 48 * 1024,       /* all that a static array may have */
  TILE_WORDS = TILE_BYTES / 4,
  MOST_STRIDE = 33,
  WALK_ROWS = 64,               /* rows of 128 bytes that a request moves */
  ROUND_LOADS = 8,
  ROUNDS = 512,
  MOST_WARPS = 32
};

/* ---- CPU reference: which word of its width lane l takes ---- */

static size_t random_at[WARP_LANES], permuted_at[WARP_LANES];

// begin patterns
static size_t at_own(size_t l) { return l; }
static size_t at_permuted(size_t l) { return permuted_at[l]; }
static size_t at_broadcast(size_t l) { return 0 * l; }
static size_t at_multicast(size_t l) { return l / 8 * 3; }
static size_t at_shifted(size_t l) { return l + 1; }
static size_t at_stride_2(size_t l) { return 2 * l; }
static size_t at_stride_3(size_t l) { return 3 * l; }
static size_t at_stride_8(size_t l) { return 8 * l; }
static size_t at_stride_32(size_t l) { return 32 * l; }
static size_t at_stride_33(size_t l) { return 33 * l; }
static size_t at_random(size_t l) { return random_at[l]; }
static size_t at_pairs(size_t l) { return l / 2; }
// end patterns

typedef struct {
  const char *name, *idea;
  size_t (*at)(size_t lane);
} version;

static const version versions[] = {
  {"own", "neighbouring words, in order", at_own},
  {"shifted", "the same, one word further on", at_shifted},
  {"permuted", "the same words, out of order", at_permuted},
  {"broadcast", "one word for all lanes", at_broadcast},
  {"multicast", "four words, each for eight lanes", at_multicast},
  {"pairs", "each word for two neighbours", at_pairs},
  {"stride_2", "every second word", at_stride_2},
  {"stride_3", "every third word", at_stride_3},
  {"stride_8", "every eighth word", at_stride_8},
  {"stride_32", "every 32nd word", at_stride_32},
  {"stride_33", "every 33rd word", at_stride_33},
  {"random", "words drawn by lot", at_random},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* The same lots on every machine: they are part of the experiment. */
static void draw_lots(void)
{
  random_source lots = random_from_seed(1);
  for (size_t l = 0; l < WARP_LANES; l++) {
    random_at[l] = (size_t)random_below(&lots, 512);
    permuted_at[l] = l;
  }
  for (size_t l = WARP_LANES - 1; l > 0; l--) {
    size_t k = (size_t)random_below(&lots, l + 1), swap = permuted_at[l];
    permuted_at[l] = permuted_at[k];
    permuted_at[k] = swap;
  }
}

/* ---- kernels ---- */

__device__ __forceinline__ unsigned sum_of(unsigned x) { return x; }
__device__ __forceinline__ unsigned sum_of(uint2 x) { return x.x + x.y; }
__device__ __forceinline__ unsigned sum_of(uint4 x)
{
  return x.x + x.y + (x.z + x.w);
}

/* What is at a place: as fill_tile has it, by the width of `like`. */
__device__ __forceinline__ unsigned filling(unsigned i, const unsigned *like)
{
  return i * 2654435761u;
}

__device__ __forceinline__ uint2 filling(unsigned i, const uint2 *like)
{
  return make_uint2(2 * i * 2654435761u, (2 * i + 1) * 2654435761u);
}

__device__ __forceinline__ uint4 filling(unsigned i, const uint4 *like)
{
  return make_uint4(4 * i * 2654435761u, (4 * i + 1) * 2654435761u,
                    (4 * i + 2) * 2654435761u, (4 * i + 3) * 2654435761u);
}

__device__ __forceinline__ void fill_tile(unsigned *tile)
{
  for (unsigned i = threadIdx.x; i < TILE_WORDS; i += blockDim.x)
    tile[i] = i * 2654435761u;
  __syncthreads();
}

// begin read_once
/* One request to store and one to load: each lane writes the word at[lane],
 * and reads it again. */
#define READ_ONCE(word_bytes, word)                                       \
  __global__ void read_once_##word_bytes(unsigned *out,                   \
                                         const unsigned *at)              \
  {                                                                       \
    __shared__ __align__(16) unsigned tile[TILE_WORDS];                   \
    word *words = (word *)tile;                                           \
    unsigned mine = at[threadIdx.x];                                      \
    words[mine] = filling(mine, words);                                   \
    __syncthreads();                                                      \
    out[threadIdx.x] = sum_of(words[mine]);                               \
  }
// end read_once

// begin read_often
/* Many requests of the same pattern. From one to the next, all lanes move on
 * by a row of 128 bytes: to other words in the same banks. */
#define READ_OFTEN(word_bytes, word)                                      \
  __global__ void read_often_##word_bytes(unsigned *out,                  \
      const unsigned *at, long long *cycles)                              \
  {                                                                       \
    __shared__ __align__(16) unsigned tile[TILE_WORDS];                   \
    const unsigned row = 128 / word_bytes;                                \
    fill_tile(tile);                                                      \
    const word *words = (const word *)tile + at[threadIdx.x % 32];        \
    unsigned sum = 0, walked = 0;                                         \
    __syncthreads();                                                      \
    long long began = clock64();                                          \
    for (int i = 0; i < ROUNDS; i++) {                                    \
      _Pragma("unroll")                                                   \
      for (int k = 0; k < ROUND_LOADS; k++)                               \
        sum += sum_of(words[walked + k * row]);                           \
      walked = (walked + ROUND_LOADS * row) % (WALK_ROWS * row);          \
    }                                                                     \
    __syncthreads();                                                      \
    if (threadIdx.x == 0)                                                 \
      cycles[blockIdx.x] = clock64() - began;                             \
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;                     \
  }
// end read_often

READ_ONCE(4, unsigned)
READ_ONCE(8, uint2)
READ_ONCE(16, uint4)
READ_OFTEN(4, unsigned)
READ_OFTEN(8, uint2)
READ_OFTEN(16, uint4)

typedef void once_kernel(unsigned *out, const unsigned *at);
typedef void often_kernel(unsigned *out, const unsigned *at,
                          long long *cycles);
static const struct {
  unsigned word_bytes;
  once_kernel *once;
  often_kernel *often;
} widths[] = {
  {4, read_once_4, read_often_4},
  {8, read_once_8, read_often_8},
  {16, read_once_16, read_often_16},
};
enum { N_WIDTHS = sizeof widths / sizeof widths[0] };

/* ---- expectation ---- */

static unsigned sum_at(size_t word, unsigned word_bytes)
{
  unsigned sum = 0, n = word_bytes / 4;
  for (unsigned i = 0; i < n; i++)
    sum += (unsigned)(word * n + i) * 2654435761u;
  return sum;
}

static unsigned sum_of_walk(size_t word, unsigned word_bytes)
{
  unsigned sum = 0, row = 128 / word_bytes, walked = 0;
  for (int i = 0; i < ROUNDS; i++) {
    for (int k = 0; k < ROUND_LOADS; k++)
      sum += sum_at(word + walked + k * row, word_bytes);
    walked = (walked + ROUND_LOADS * row) % (WALK_ROWS * row);
  }
  return sum;
}

/* Wide words at a large stride, and a walk, would leave the tile. */
static int fits(const size_t *at, unsigned word_bytes)
{
  size_t furthest = 0;
  for (size_t l = 0; l < WARP_LANES; l++)
    furthest = at[l] > furthest ? at[l] : furthest;
  return (furthest + 1) * word_bytes + WALK_ROWS * 128 <= TILE_BYTES;
}

static size_t wavefronts_of(const size_t *at, unsigned word_bytes)
{
  size_t byte_at[WARP_LANES];
  for (size_t l = 0; l < WARP_LANES; l++)
    byte_at[l] = at[l] * word_bytes;
  return wavefronts_predicted(byte_at, word_bytes);
}

/* ---- one case ---- */

typedef struct {
  unsigned *d_at, *d_out;
  long long *d_cycles;
  int n_blocks, n_warps;
} machine;

static machine machine_start(void)
{
  machine m = {NULL, NULL, NULL, 1, 1};
  if (!device_is_software()) {          /* one full block for each */
    m.n_blocks = device_properties()->multiProcessorCount;
    m.n_warps = MOST_WARPS;
  }
  CUDA_CHECK(cudaMalloc(&m.d_at, WARP_LANES * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&m.d_out, (size_t)m.n_blocks * m.n_warps *
                        WARP_LANES * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&m.d_cycles, m.n_blocks * sizeof(long long)));
  return m;
}

static void machine_end(machine *m)
{
  CUDA_CHECK(cudaFree(m->d_at));
  CUDA_CHECK(cudaFree(m->d_out));
  CUDA_CHECK(cudaFree(m->d_cycles));
}

static void give_pattern(machine *m, const size_t *at)
{
  unsigned h_at[WARP_LANES];
  for (size_t l = 0; l < WARP_LANES; l++)
    h_at[l] = (unsigned)at[l];
  CUDA_CHECK(cudaMemcpy(m->d_at, h_at, sizeof h_at, cudaMemcpyHostToDevice));
}

static int compare_lanes(const char *name, unsigned word_bytes,
                         const unsigned *d_out, const size_t *at, int often)
{
  unsigned h_out[WARP_LANES], expected[WARP_LANES];
  char what[96];
  CUDA_CHECK(cudaMemcpy(h_out, d_out, sizeof h_out, cudaMemcpyDeviceToHost));
  for (size_t l = 0; l < WARP_LANES; l++)
    expected[l] = often ? sum_of_walk(at[l], word_bytes)
                        : sum_at(at[l], word_bytes);
  snprintf(what, sizeof what, "%s, %u bytes, %s", name, word_bytes,
           often ? "often" : "once");
  return compare_ints(what, (const int *)expected, (const int *)h_out,
                      WARP_LANES);
}

static int check_case(machine *m, int w, const char *name, const size_t *at)
{
  unsigned word_bytes = widths[w].word_bytes;
  give_pattern(m, at);
  poison_device(m->d_out, WARP_LANES * sizeof(unsigned));
  widths[w].once<<<1, WARP_LANES>>>(m->d_out, m->d_at);
  CUDA_CHECK_LAUNCH();
  int right = compare_lanes(name, word_bytes, m->d_out, at, 0);
  poison_device(m->d_out, WARP_LANES * sizeof(unsigned));
  widths[w].often<<<m->n_blocks, m->n_warps * WARP_LANES>>>(
      m->d_out, m->d_at, m->d_cycles);
  CUDA_CHECK_LAUNCH();
  return right & compare_lanes(name, word_bytes, m->d_out, at, 1);
}

// begin cycles_of
/* Cycles between two requests, as seen by a multiprocessor with 32 warps
 * that do nothing but read: the median over all multiprocessors. */
static double cycles_of(machine *m, int w, const size_t *at)
{
  double samples[1024];
  static long long h_cycles[1024];
  int n = m->n_blocks < 1024 ? m->n_blocks : 1024;
  give_pattern(m, at);
  for (int pass = 0; pass < 2; pass++)  /* the first one warms up */
    widths[w].often<<<m->n_blocks, m->n_warps * WARP_LANES>>>(
        m->d_out, m->d_at, m->d_cycles);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_cycles, m->d_cycles, n * sizeof *h_cycles,
                        cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++)
    samples[i] = (double)h_cycles[i] / ROUNDS / ROUND_LOADS / m->n_warps;
  timing t;
  timing_summarise(&t, samples, n);
  return t.median_us;                   /* these are cycles */
}
// end cycles_of

/* ---- experiments: `patterns` and `strides` ---- */

enum { CHECK, COUNT, MEASURE };

static int do_case(machine *m, int what, int w, const char *name,
                   unsigned stride, const size_t *at)
{
  unsigned word_bytes = widths[w].word_bytes;
  if (!fits(at, word_bytes))
    return 1;
  if (what == CHECK)
    return check_case(m, w, name, at);
  if (what == COUNT) {
    give_pattern(m, at);
    widths[w].once<<<1, WARP_LANES>>>(m->d_out, m->d_at);
    CUDA_CHECK_LAUNCH();
    printf("%s,%u,%u,%zu\n", name, stride, word_bytes,
           wavefronts_of(at, word_bytes));
    return 1;
  }
  printf("%s,%u,%u,%zu,%.4f\n", name, stride, word_bytes,
         wavefronts_of(at, word_bytes), cycles_of(m, w, at));
  return 1;
}

static int do_patterns(const options *o, machine *m, int what)
{
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++) {
    size_t at[WARP_LANES];
    for (size_t l = 0; l < WARP_LANES; l++)
      at[l] = versions[k].at(l);
    for (int w = 0; w < N_WIDTHS && options_wants(o, versions[k].name); w++)
      right &= do_case(m, what, w, versions[k].name,
                       strncmp(versions[k].name, "stride_", 7) == 0
                         ? (unsigned)at[1] : 0, at);
  }
  return right;
}

static int do_strides(machine *m, int what)
{
  int right = 1;
  for (int w = 0; w < N_WIDTHS; w++)
    for (unsigned stride = 0; stride <= MOST_STRIDE; stride++) {
      size_t at[WARP_LANES];
      for (size_t l = 0; l < WARP_LANES; l++)
        at[l] = l * stride;
      right &= do_case(m, what, w, "stride", stride, at);
    }
  return right;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv,
                            "the ways a warp can reach shared memory",
                            "patterns,strides", "patterns,strides");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  draw_lots();
  if (!o.count && !o.check && !timing_is_possible() && o.csv)
    return EXIT_SKIPPED;
  machine m = machine_start();
  int right = 1;
  if (o.count) {
    printf("version,stride_elems,word_bytes,predicted_wavefronts\n");
    strcmp(o.count, "strides") ? do_patterns(&o, &m, COUNT)
                               : do_strides(&m, COUNT);
    CUDA_CHECK(cudaDeviceSynchronize());
  } else {
    right = do_patterns(&o, &m, CHECK);
    if (!o.version)
      right &= do_strides(&m, CHECK);
    fprintf(options_remarks(&o), "check: %d patterns, strides 0 to %d: %s\n",
            o.version ? 1 : (int)N_VERSIONS, MOST_STRIDE,
            right ? "all right" : "WRONG");
  }
  if (!o.count && !o.check && right && timing_is_possible()) {
    printf("version,stride_elems,word_bytes,predicted_wavefronts,"
           "request_cycles\n");
    o.csv && strcmp(o.csv, "strides") == 0 ? do_strides(&m, MEASURE)
                                           : do_patterns(&o, &m, MEASURE);
  }
  machine_end(&m);
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
