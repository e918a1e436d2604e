/* The kinds of atomic operations, and what they cost: in shared memory in
 * cycles of a multiprocessor for a warp's request, in global memory in
 * operations of the whole GPU a second. Each kind is checked by its effect.
 *
 *   nvcc -I code code/histogram/atomics.cu -o atomics && ./atomics
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/timing.h"

enum { WARP_LANES = 32, WORDS = 4096, MOST_WARPS = 32, MOST_BLOCKS = 1024 };

/* ---- the kinds: what one lane does to a word, and what a CPU would ---- */

// begin kinds
#define KIND(name, type, first, update, fold_to)                       \
  struct kind_##name {                                                 \
    typedef type word;                                                 \
    enum { start = first };                                            \
    static __device__ __forceinline__ word apply(word *at, word x)     \
    { return update; }                                                 \
    static word fold(word old, word x) { return fold_to; }             \
  };

KIND(increment, unsigned, 1007, atomicAdd(at, 1u), old + 1)
KIND(add, unsigned, 1007, atomicAdd(at, x), old + x)
KIND(sub, unsigned, 1007, atomicSub(at, x), old - x)
KIND(min, unsigned, 1007, atomicMin(at, x), x < old ? x : old)
KIND(max, unsigned, 0, atomicMax(at, x), x > old ? x : old)
KIND(inc, unsigned, 1007, atomicInc(at, 99u), old >= 99 ? 0 : old + 1)
KIND(and, unsigned, 1007, atomicAnd(at, ~x), old & ~x)
KIND(or, unsigned, 1007, atomicOr(at, x), old | x)
KIND(xor, unsigned, 1007, atomicXor(at, x), old ^ x)
KIND(add_u64, unsigned long long, 1007, atomicAdd(at, x), old + x)
KIND(add_f32, float, 1007, atomicAdd(at, x), old + x)
KIND(add_f64, double, 1007, atomicAdd(at, x), old + x)
// end kinds

// begin by_cas
/* Any operation can be built from "compare and swap": read, compute, and store
 * if no other thread has stored since; otherwise try again. */
static __device__ __forceinline__ unsigned add_by_cas(unsigned *at,
                                                      unsigned x)
{
  unsigned seen = *(volatile unsigned *)at, expected;
  do {
    expected = seen;
    seen = atomicCAS(at, expected, expected + x);
  } while (seen != expected);
  return seen;
}
// end by_cas

KIND(by_cas, unsigned, 1007, add_by_cas(at, x), old + x)

/* Not one of the kinds: the same without being atomic, for comparison. */
static __device__ __forceinline__ unsigned add_plainly(unsigned *at,
                                                       unsigned x)
{
  unsigned old = *(volatile unsigned *)at;
  *(volatile unsigned *)at = old + x;
  return old;
}

KIND(plain, unsigned, 1007, add_plainly(at, x), old + x)

/* ---- patterns: the word of each lane ---- */

typedef struct {
  const char *name, *idea;
  unsigned (*at)(unsigned lane, random_source *lots);
} version;

// begin patterns
static unsigned at_own(unsigned l, random_source *) { return l; }
static unsigned at_pairs(unsigned l, random_source *) { return l / 2; }
static unsigned at_eight(unsigned l, random_source *) { return l % 8; }
static unsigned at_one(unsigned, random_source *) { return 0; }
static unsigned at_bank_2(unsigned l, random_source *) { return l * 2; }
static unsigned at_bank_8(unsigned l, random_source *) { return l * 8; }
static unsigned at_bank_32(unsigned l, random_source *) { return l * 32; }
static unsigned at_drawn(unsigned, random_source *lots)
{
  return (unsigned)random_below(lots, 256);
}
// end patterns

static const version versions[] = {
  {"own", "a word of its own for each lane, in order", at_own},
  {"pairs", "a word for two lanes", at_pairs},
  {"eight", "eight words, each for four lanes", at_eight},
  {"one", "one word for all lanes", at_one},
  {"bank_2", "words of their own, two in a bank", at_bank_2},
  {"bank_8", "words of their own, eight in a bank", at_bank_8},
  {"bank_32", "words of their own, all in one bank", at_bank_32},
  {"drawn", "words drawn by lot, out of 256", at_drawn},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- kernels ---- */

// begin in_shared
/* One word for each lane, `rounds` times over, each time with another x: two
 * equal `and` in a row are as good as one. Each lane has an x of its own: see
 * uniform.cu. KEEP: what was there before is used. The first block leaves
 * what came of its words. */
template <class K, bool KEEP>
__global__ void in_shared(typename K::word *out, const unsigned *at,
                          int rounds, typename K::word x,
                          long long *cycles)
{
  typedef typename K::word word;
  __shared__ word words[WARP_LANES * WARP_LANES];
  for (int i = threadIdx.x; i < WARP_LANES * WARP_LANES; i += blockDim.x)
    words[i] = K::start;
  word *mine = &words[at[threadIdx.x % WARP_LANES]];
  word before = 0;
  x += threadIdx.x % WARP_LANES;
  __syncthreads();
  long long began = clock64();
  for (int i = 0; i < rounds; i++, x += 1) {
    word old = K::apply(mine, x);
    if (KEEP)
      before += old;
  }
  __syncthreads();
  if (threadIdx.x == 0)
    cycles[blockIdx.x] = clock64() - began;
  if (KEEP && before == (word)-1)       /* never: it must be computed */
    words[0] = before;
  if (blockIdx.x == 0)
    for (int i = threadIdx.x; i < WARP_LANES * WARP_LANES; i += blockDim.x)
      out[i] = words[i];
}
// end in_shared

// begin in_global
template <class K, bool KEEP>
__global__ void in_global(typename K::word *words, const unsigned *at,
                          unsigned span, int rounds, typename K::word x)
{
  typedef typename K::word word;
  unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / WARP_LANES;
  word *mine = &words[at[threadIdx.x % WARP_LANES] + warp * span];
  word before = 0;
  x += threadIdx.x % WARP_LANES;
  for (int i = 0; i < rounds; i++, x += 1) {
    word old = K::apply(mine, x);
    if (KEEP)
      before += old;
  }
  if (KEEP && before == (word)-1)
    *words = before;
}
// end in_global

/* ---- one case ---- */

typedef struct {
  unsigned *d_at;
  void *d_words;
  size_t n_words;
  long long *d_cycles;
  int n_blocks, n_warps;
} machine;

static machine machine_start(void)
{
  machine m = {NULL, NULL, WORDS, NULL, 2, 2};
  if (!device_is_software()) {
    m.n_blocks = device_properties()->multiProcessorCount;
    m.n_warps = MOST_WARPS;
    m.n_words = (size_t)m.n_blocks * 2 * MOST_WARPS * WARP_LANES;
  }
  CUDA_CHECK(cudaMalloc(&m.d_at, WARP_LANES * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&m.d_words, m.n_words * sizeof(double)));
  CUDA_CHECK(cudaMalloc(&m.d_cycles, MOST_BLOCKS * sizeof(long long)));
  return m;
}

static void machine_end(machine *m)
{
  CUDA_CHECK(cudaFree(m->d_at));
  CUDA_CHECK(cudaFree(m->d_words));
  CUDA_CHECK(cudaFree(m->d_cycles));
}

static void choose_words(const version *v, unsigned *at)
{
  random_source lots = random_from_seed(1);
  for (unsigned l = 0; l < WARP_LANES; l++)
    at[l] = v->at(l, &lots);
}

static void give_words(machine *m, const unsigned *at)
{
  CUDA_CHECK(cudaMemcpy(m->d_at, at, WARP_LANES * sizeof *at,
                        cudaMemcpyHostToDevice));
}

/* ---- check: each word holds what all operations make of it, in any order
 * of the lanes ---- */

template <class K>
static int compare_words(const char *what, machine *m, const unsigned *at,
                         int n_warps, int rounds, typename K::word x)
{
  typedef typename K::word word;
  static word h_words[WARP_LANES * WARP_LANES];
  double expected[WARP_LANES], got[WARP_LANES];
  CUDA_CHECK(cudaMemcpy(h_words, m->d_words, sizeof h_words,
                        cudaMemcpyDeviceToHost));
  for (unsigned l = 0; l < WARP_LANES; l++) {
    word fold = K::start;
    for (unsigned other = 0; other < WARP_LANES; other++)
      for (int i = 0; at[other] == at[l] && i < n_warps * rounds; i++)
        fold = K::fold(fold, x + (word)(i % rounds) + (word)other);
    expected[l] = (double)fold;
    got[l] = (double)h_words[at[l]];
  }
  return compare_doubles(what, expected, got, WARP_LANES);
}

template <class K, bool KEEP>
static int check_kind(machine *m, const char *kind, const version *v)
{
  typedef typename K::word word;
  enum { ROUNDS = 3 };
  unsigned at[WARP_LANES];
  char what[96];
  choose_words(v, at);
  give_words(m, at);
  snprintf(what, sizeof what, "%s, %s, shared", kind, v->name);
  poison_device(m->d_words, m->n_words * sizeof(double));
  in_shared<K, KEEP><<<m->n_blocks, 3 * WARP_LANES>>>(
      (word *)m->d_words, m->d_at, ROUNDS, (word)5, m->d_cycles);
  CUDA_CHECK_LAUNCH();
  int right = compare_words<K>(what, m, at, 3, ROUNDS, (word)5);
  snprintf(what, sizeof what, "%s, %s, global", kind, v->name);
  word h_start[WARP_LANES * WARP_LANES];
  for (int i = 0; i < WARP_LANES * WARP_LANES; i++)
    h_start[i] = K::start;
  CUDA_CHECK(cudaMemcpy(m->d_words, h_start, sizeof h_start,
                        cudaMemcpyHostToDevice));
  in_global<K, KEEP><<<3, 3 * WARP_LANES>>>((word *)m->d_words, m->d_at, 0,
                                            ROUNDS, (word)5);
  CUDA_CHECK_LAUNCH();
  return right & compare_words<K>(what, m, at, 9, ROUNDS, (word)5);
}

/* ---- measure ---- */

/* Cycles of a multiprocessor for one request of a warp, while 32 warps do
 * nothing else; the median over all multiprocessors. */
template <class K, bool KEEP>
static double cycles_of(machine *m, int rounds)
{
  typedef typename K::word word;
  double samples[MOST_BLOCKS];
  static long long h_cycles[MOST_BLOCKS];
  for (int pass = 0; pass < 2; pass++)
    in_shared<K, KEEP><<<m->n_blocks, m->n_warps * WARP_LANES>>>(
        (word *)m->d_words, m->d_at, rounds, (word)5, m->d_cycles);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_cycles, m->d_cycles,
                        m->n_blocks * sizeof *h_cycles,
                        cudaMemcpyDeviceToHost));
  for (int i = 0; i < m->n_blocks; i++)
    samples[i] = (double)h_cycles[i] / rounds / m->n_warps;
  timing t;
  timing_summarise(&t, samples, m->n_blocks);
  return t.median_us;                   /* these are cycles */
}

/* Billions of lanes' operations per second: each warp on words of its own, or
 * (span 0) all of them on the same. Not for compare and swap: of all threads
 * that try at a time only one gets through, so that the work grows with the
 * square of their number. */
template <class K, bool KEEP>
static double rate_of(const options *o, machine *m, unsigned span, int rounds)
{
  typedef typename K::word word;
  int n_blocks = 2 * m->n_blocks, n_threads = m->n_warps * WARP_LANES;
  timing t = timing_start(o->repetitions);
  while (timing_next(&t))
    in_global<K, KEEP><<<n_blocks, n_threads>>>(
        (word *)m->d_words, m->d_at, span, rounds, (word)5);
  return (double)n_blocks * n_threads * rounds / t.median_us * 1e-3;
}

enum { CHECK, SHARED, GLOBAL };

template <class K, bool KEEP>
static int do_kind(const options *o, machine *m, int what, const char *kind,
                   int rounds)
{
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    unsigned at[WARP_LANES];
    int is_plain = strcmp(kind, "plain") == 0;
    if (!options_wants(o, v->name))
      continue;
    choose_words(v, at);
    if (what == CHECK && !is_plain)
      right &= check_kind<K, KEEP>(m, kind, v);
    give_words(m, at);
    if (what == SHARED)
      printf("%s,%d,%s,%.3f\n", kind, KEEP, v->name,
             cycles_of<K, KEEP>(m, rounds));
    if (what == GLOBAL && (strcmp(v->name, "own") == 0 ||
                           strcmp(v->name, "one") == 0 ||
                           strcmp(v->name, "drawn") == 0))
      for (unsigned span = 0; span <= WARP_LANES; span += WARP_LANES) {
        if (span ? strcmp(v->name, "own") != 0
                 : strcmp(kind, "by_cas") == 0)
          continue;
        double rate = rate_of<K, KEEP>(o, m, span, span ? 32 : 4);
        printf("%s,%d,%s,%d,%.4f\n", kind, KEEP, v->name, span == 0, rate);
      }
    fflush(stdout);
  }
  return right;
}

static int do_all(const options *o, machine *m, int what)
{
  int right = 1;
#define DO(kind, keep, rounds) \
  right &= do_kind<kind_##kind, keep>(o, m, what, #kind, rounds)
  DO(plain, false, 64);
  DO(increment, false, 64);
  DO(increment, true, 64);
  DO(add, false, 64);
  DO(add, true, 64);
  DO(sub, false, 64);
  DO(min, false, 64);
  DO(max, false, 64);
  DO(inc, false, 64);
  DO(and, false, 64);
  DO(or, false, 64);
  DO(xor, false, 64);
  DO(add_u64, false, 64);
  DO(add_f32, false, 16);
  DO(add_f64, false, 16);
  DO(by_cas, false, 8);
#undef DO
  return right;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "kinds of atomic operations",
                            "shared,global", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  machine m = machine_start();
  int right = do_all(&o, &m, CHECK);
  fprintf(options_remarks(&o), "check: 15 kinds, %d patterns: %s\n",
          o.version ? 1 : (int)N_VERSIONS, right ? "all right" : "WRONG");
  int measures = !o.check && right && timing_is_possible();
  if (measures && (!o.csv || strcmp(o.csv, "shared") == 0)) {
    printf("kind,kept,version,request_cycles\n");
    do_all(&o, &m, SHARED);
  }
  if (measures && (!o.csv || strcmp(o.csv, "global") == 0)) {
    printf("kind,kept,version,same_words,gop_per_s\n");
    CUDA_CHECK(cudaMemset(m.d_words, 0, m.n_words * sizeof(double)));
    do_all(&o, &m, GLOBAL);
  }
  machine_end(&m);
  if (!o.check && right && o.csv && !measures)
    return EXIT_SKIPPED;
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
