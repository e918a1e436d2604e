/* A table in constant, shared and global memory. In every request the lanes
 * of a warp ask for 1, 2, 4 … 32 different words of it. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"

enum { N_WORDS = 1024, BLOCK_THREADS = 256, LANES = 32 };

/* Of each request: how many different words, how far apart. */
typedef struct {
  unsigned n_addresses, spread, n_rounds;
} pattern;

/* ---- CPU reference ---- */

static void look_up_on_host(int *out, const int *table, pattern p,
                            size_t n_threads)
{
  for (size_t t = 0; t < n_threads; t++) {
    unsigned first = (unsigned)t % LANES % p.n_addresses * p.spread;
    unsigned sum = 0;
    for (unsigned r = 0; r < p.n_rounds; r++)
      sum += (unsigned)table[(first + r) % N_WORDS];
    out[t] = (int)sum;
  }
}

/* ---- kernels ---- */

// begin constant
__constant__ int c_table[N_WORDS];

__global__ void look_up_constant(int *out, const int *table, pattern p)
{
  unsigned at = threadIdx.x % LANES % p.n_addresses * p.spread;
  unsigned sum = 0;
  for (unsigned r = 0; r < p.n_rounds; r++)
    sum += (unsigned)c_table[(at + r) % N_WORDS];
  out[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = (int)sum;
}
// end constant

// begin global
__global__ void look_up_global(int *out, const int *table, pattern p)
{
  unsigned at = threadIdx.x % LANES % p.n_addresses * p.spread;
  unsigned sum = 0;
  for (unsigned r = 0; r < p.n_rounds; r++)
    sum += (unsigned)table[(at + r) % N_WORDS];
  out[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = (int)sum;
}
// end global

// begin shared
__global__ void look_up_shared(int *out, const int *table, pattern p)
{
  __shared__ int s_table[N_WORDS];
  for (unsigned i = threadIdx.x; i < N_WORDS; i += blockDim.x)
    s_table[i] = table[i];
  __syncthreads();
  unsigned at = threadIdx.x % LANES % p.n_addresses * p.spread;
  unsigned sum = 0;
  for (unsigned r = 0; r < p.n_rounds; r++)
    sum += (unsigned)s_table[(at + r) % N_WORDS];
  out[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = (int)sum;
}
// end shared

// begin operand
/* The index is the loop's own: the compiler can tell that it is the same for
 * all lanes. */
__global__ void look_up_operand(int *out, const int *table, pattern p)
{
  unsigned sum = 0;
  for (unsigned r = 0; r < p.n_rounds; r++)
    sum += (unsigned)c_table[r % N_WORDS];
  out[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = (int)sum;
}
// end operand

typedef struct {
  const char *name;
  const char *idea;
  void (*kernel)(int *out, const int *table, pattern p);
  unsigned most_addresses;
} version;

static const version versions[] = {
  {"constant", "the table in constant memory", look_up_constant, LANES},
  {"global", "the table in global memory", look_up_global, LANES},
  {"shared", "a copy of it in shared memory", look_up_shared, LANES},
  {"operand", "constant, and the same for all lanes by its index",
   look_up_operand, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- launcher ---- */

typedef struct {
  int h_table[N_WORDS];
  int *d_table, *d_out;
} tables;

static void launch(const version *v, const tables *t, pattern p, int n_blocks)
{
  v->kernel<<<n_blocks, BLOCK_THREADS>>>(t->d_out, t->d_table, p);
  CUDA_CHECK_LAUNCH();
}

static void make_tables(tables *t, random_source *random, size_t n_threads)
{
  for (int i = 0; i < N_WORDS; i++)
    t->h_table[i] = (int)random_below(random, 1 << 20);
  CUDA_CHECK(cudaMemcpyToSymbol(c_table, t->h_table, sizeof t->h_table));
  CUDA_CHECK(cudaMalloc(&t->d_table, sizeof t->h_table));
  CUDA_CHECK(cudaMemcpy(t->d_table, t->h_table, sizeof t->h_table,
                        cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMalloc(&t->d_out, n_threads * sizeof(int) + GUARD_BYTES));
  poison_device(t->d_out, n_threads * sizeof(int) + GUARD_BYTES);
}

static void free_tables(tables *t)
{
  CUDA_CHECK(cudaFree(t->d_table));
  CUDA_CHECK(cudaFree(t->d_out));
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, pattern p)
{
  enum { N_BLOCKS = 3, N = N_BLOCKS * BLOCK_THREADS };
  static int h_expected[N], h_got[N + GUARD_BYTES / sizeof(int)];
  tables t;
  char what[96];
  make_tables(&t, random, N);
  look_up_on_host(h_expected, t.h_table, p, N);
  launch(v, &t, p, N_BLOCKS);
  CUDA_CHECK(cudaMemcpy(h_got, t.d_out, sizeof h_got,
                        cudaMemcpyDeviceToHost));
  free_tables(&t);
  snprintf(what, sizeof what, "%s, %u addresses, %u apart, %u rounds",
           v->name, p.n_addresses, p.spread, p.n_rounds);
  return compare_ints(what, h_expected, h_got, N) &
         compare_guard(what, h_got + N, GUARD_BYTES);
}

static int check(const options *o)
{
  static const pattern cases[] = {{1, 1, 0}, {1, 1, 1}, {2, 1, 5}, {3, 32, 7},
                                  {32, 1, 40}, {32, 32, 1030}, {5, 7, 100}};
  enum { N_CASES = sizeof cases / sizeof cases[0] };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int v = 0; v < N_VERSIONS; v++)
    for (int c = 0; c < N_CASES && options_wants(o, versions[v].name); c++)
      if (cases[c].n_addresses <= versions[v].most_addresses)
        right &= check_case(&versions[v], &random, cases[c]);
  fprintf(options_remarks(o), "check: %d patterns, seed %llu: %s\n", N_CASES,
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

/* Neighbouring words, and words that share a bank of shared memory. */
static const unsigned spreads[] = {1, 32};

static void run(const options *o, int n_blocks, unsigned n_rounds, int timed)
{
  tables t;
  random_source random = random_from_seed(o->seed);
  make_tables(&t, &random, (size_t)n_blocks * BLOCK_THREADS);
  for (int v = 0; v < N_VERSIONS; v++)
    for (unsigned s = 0; s < 2 && options_wants(o, versions[v].name); s++)
      for (unsigned n = 1; n <= versions[v].most_addresses; n *= 2) {
        pattern p = {n, spreads[s], n_rounds};
        double n_requests =
            (double)n_blocks * BLOCK_THREADS / LANES * n_rounds;
        if (!timed) {
          launch(&versions[v], &t, p, n_blocks);
          printf("%s,%u,%u,%u\n", versions[v].name, n, p.spread, n_rounds);
          continue;
        }
        timing time = timing_start(o->repetitions);
        while (timing_next(&time))
          launch(&versions[v], &t, p, n_blocks);
        if (o->csv)
          printf("%s,%u,%u,%u,%d,%.3f,%.3f,%.2f\n", versions[v].name, n,
                 p.spread, n_rounds, time.repetitions, time.median_us,
                 time.spread_us, n_requests / time.median_us);
        else
          printf("%-10s %2u addresses, %2u apart %12.2f us\n",
                 versions[v].name, n, p.spread, time.median_us);
      }
  CUDA_CHECK(cudaDeviceSynchronize());
  free_tables(&t);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "looks up words of a table",
                            "lookup", "lookup");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && (o.size[0] < 1 ||
                                           o.size[0] > 1 << 20)))
    options_fail(&o, "--size must be one number of rounds, 1 to 2^20");
  unsigned n_rounds = o.n_sizes ? (unsigned)o.size[0] : o.count ? 64 : 1024;
  if (o.count) {
    printf("version,n_addresses,spread,n_rounds\n");
    run(&o, 1, n_rounds, 0);
    return EXIT_SUCCESS;
  }
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv)
    printf("version,n_addresses,spread,n_rounds,repetitions,time_us,"
           "time_spread_us,requests_per_us\n");
  run(&o, 32 * device_properties()->multiProcessorCount, n_rounds, 1);
  return EXIT_SUCCESS;
}
