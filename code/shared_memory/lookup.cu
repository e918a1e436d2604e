/* A table that every thread looks into at a place of its own: in global
 * memory, where L1 keeps what it can, or copied into shared memory by each
 * block.  How large may the table be, and what does the carve-out do to the
 * one that L1 keeps?
 *
 *   nvcc -I code code/shared_memory/lookup.cu -o lookup && ./lookup
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"    /* and options.h */
#include "common/timing.h"

enum {
  BLOCK_THREADS = 1024,
  GROUP = 4                     /* elements that a thread takes at a time */
};

/* ---- CPU reference ---- */

static void lookup_on_host(float *out, const unsigned *in,
                           const float *table, size_t n)
{
  for (size_t i = 0; i < n; i++)
    out[i] = table[in[i]];
}

/* ---- kernels: n_groups groups of four ---- */

__global__ void copy(float4 *out, const uint4 *in, size_t n_groups)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
       i < n_groups; i += step) {
    uint4 x = in[i];
    out[i] = make_float4(__uint_as_float(x.x), __uint_as_float(x.y),
                         __uint_as_float(x.z), __uint_as_float(x.w));
  }
}

// begin in_global
__global__ void in_global(float4 *out, const uint4 *in, size_t n_groups,
                          const float *table, unsigned n_table)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
       i < n_groups; i += step) {
    uint4 x = in[i];
    out[i] = make_float4(table[x.x], table[x.y], table[x.z], table[x.w]);
  }
}
// end in_global

// begin in_shared
__global__ void in_shared(float4 *out, const uint4 *in, size_t n_groups,
                          const float *table, unsigned n_table)
{
  extern __shared__ float own[];
  for (unsigned i = threadIdx.x; i < n_table; i += blockDim.x)
    own[i] = table[i];
  __syncthreads();
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
       i < n_groups; i += step) {
    uint4 x = in[i];
    out[i] = make_float4(own[x.x], own[x.y], own[x.z], own[x.w]);
  }
}
// end in_shared

/* ---- launchers ---- */

typedef void lookup_kernel(float4 *out, const uint4 *in, size_t n_groups,
                           const float *table, unsigned n_table);

typedef struct {
  const char *name, *idea;
  lookup_kernel *kernel;
  int is_shared;
} version;

static const version versions[] = {
  {"in_global", "the table stays in global memory", in_global, 0},
  {"in_shared", "each block copies it into shared memory", in_shared, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static size_t dynamic_bytes(const version *v, unsigned n_table)
{
  return v->is_shared ? n_table * sizeof(float) : 0;
}

/* As many blocks as run at the same time. */
// begin blocks_that_run
static unsigned blocks_that_run(const version *v, unsigned n_table)
{
  int n = 0;
  if (v->is_shared)
    CUDA_CHECK(cudaFuncSetAttribute(
        v->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
        (int)device_properties()->sharedMemPerBlockOptin));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &n, v->kernel, BLOCK_THREADS, dynamic_bytes(v, n_table)));
  return (unsigned)(n * device_properties()->multiProcessorCount);
}
// end blocks_that_run

static void launch(const version *v, unsigned n_blocks, float4 *d_out,
                   const uint4 *d_in, size_t n, const float *d_table,
                   unsigned n_table)
{
  v->kernel<<<n_blocks, BLOCK_THREADS, dynamic_bytes(v, n_table)>>>(
      d_out, d_in, n / GROUP, d_table, n_table);
  CUDA_CHECK_LAUNCH();
}

/* ---- data ---- */

typedef struct {
  uint4 *d_in;
  float4 *d_out;
  float *d_table;
  size_t n;
} arrays;

static void draw_table(random_source *random, float *d_table,
                       unsigned n_table)
{
  float *h_table = (float *)malloc(n_table * sizeof(float));
  random_fill_floats(random, h_table, n_table);
  CUDA_CHECK(cudaMemcpy(d_table, h_table, n_table * sizeof(float),
                        cudaMemcpyHostToDevice));
  free(h_table);
}

/* 2^20 random places, over and over. */
static void draw_places(random_source *random, uint4 *d_in, size_t n,
                        unsigned n_table)
{
  size_t n_drawn = n < (size_t)1 << 20 ? n : (size_t)1 << 20;
  unsigned *h_in = (unsigned *)malloc(n_drawn * sizeof(unsigned));
  for (size_t i = 0; i < n_drawn; i++)
    h_in[i] = (unsigned)random_below(random, n_table);
  for (size_t at = 0; at < n; at += n_drawn)
    CUDA_CHECK(cudaMemcpy((unsigned *)d_in + at, h_in,
                          (n - at < n_drawn ? n - at : n_drawn) *
                          sizeof(unsigned), cudaMemcpyHostToDevice));
  free(h_in);
}

static arrays allocate(size_t n, unsigned most_table)
{
  arrays a = {NULL, NULL, NULL, n};
  CUDA_CHECK(cudaMalloc(&a.d_in, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&a.d_out, n * sizeof(float) + GUARD_BYTES));
  CUDA_CHECK(cudaMalloc(&a.d_table, most_table * sizeof(float)));
  return a;
}

static void release(arrays *a)
{
  CUDA_CHECK(cudaFree(a->d_in));
  CUDA_CHECK(cudaFree(a->d_out));
  CUDA_CHECK(cudaFree(a->d_table));
}

static unsigned most_table(void)
{
  return (unsigned)(device_properties()->sharedMemPerBlockOptin /
                    sizeof(float));
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, size_t n,
                      unsigned n_table)
{
  arrays a = allocate(n, n_table);
  unsigned *h_in = (unsigned *)malloc(n * sizeof(unsigned));
  float *h_table = (float *)malloc(n_table * sizeof(float));
  float *h_expected = (float *)malloc(n * sizeof(float));
  float *h_out = (float *)malloc(n * sizeof(float) + GUARD_BYTES);
  char what[96];
  draw_table(random, a.d_table, n_table);
  draw_places(random, a.d_in, n, n_table);
  CUDA_CHECK(cudaMemcpy(h_in, a.d_in, n * sizeof(unsigned),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(h_table, a.d_table, n_table * sizeof(float),
                        cudaMemcpyDeviceToHost));
  lookup_on_host(h_expected, h_in, h_table, n);
  poison_device(a.d_out, n * sizeof(float) + GUARD_BYTES);
  blocks_that_run(v, n_table);
  launch(v, 3, a.d_out, a.d_in, n, a.d_table, n_table);
  CUDA_CHECK(cudaMemcpy(h_out, a.d_out, n * sizeof(float) + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  snprintf(what, sizeof what, "%s, %zu elements, table of %u", v->name, n,
           n_table);
  int right = compare_floats(what, h_expected, h_out, n) &&
              compare_guard(what, h_out + n, GUARD_BYTES);
  release(&a);
  free(h_in);
  free(h_table);
  free(h_expected);
  free(h_out);
  return right;
}

static int check(const options *o)
{
  const unsigned tables[] = {1, 33, 12288, 12289, most_table()};
  const size_t sizes[] = {4, 1000, 12292};
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int t = 0; t < 5 && options_wants(o, versions[k].name); t++)
      for (int s = 0; s < 3; s++)
        right &= check_case(&versions[k], &random, sizes[s], tables[t]);
  fprintf(options_remarks(o), "check: tables of 1 to %u floats, seed %llu: "
          "%s\n", most_table(), (unsigned long long)o->seed,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- measuring ---- */

static timing time_lookup(const options *o, const version *v,
                          const arrays *a, unsigned n_table)
{
  unsigned n_blocks = blocks_that_run(v, n_table);
  timing t = timing_start(o->repetitions);
  while (timing_next(&t))
    launch(v, n_blocks, a->d_out, a->d_in, a->n, a->d_table, n_table);
  return t;
}

static double time_copy(const options *o, const arrays *a)
{
  unsigned n_blocks = (unsigned)((a->n / GROUP + 255) / 256);
  timing t = timing_start(o->repetitions);
  while (timing_next(&t)) {
    copy<<<n_blocks, 256>>>(a->d_out, a->d_in, a->n / GROUP);
    CUDA_CHECK_LAUNCH();
  }
  return t.median_us;
}

static arrays allocate_large(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 27, 2 * sizeof(float));
  arrays a = allocate(n / GROUP * GROUP, most_table());
  random_source random = random_from_seed(o->seed);
  draw_table(&random, a.d_table, most_table());
  return a;
}

/* Experiment `lookup`: tables of 1 KB up to all that a block may have. */
static void measure_lookup(const options *o)
{
  arrays a = allocate_large(o);
  random_source random = random_from_seed(o->seed);
  double copy_us = time_copy(o, &a);
  printf("version,table_bytes,n_elems,active_blocks,repetitions,time_us,"
         "time_spread_us,gb_per_s,share_of_copy\n");
  for (unsigned n_table = 256, last = 0; !last; n_table *= 2) {
    if (n_table >= most_table()) {
      n_table = most_table();
      last = 1;
    }
    draw_places(&random, a.d_in, a.n, n_table);
    for (int k = 0; k < N_VERSIONS; k++) {
      const version *v = &versions[k];
      if (!options_wants(o, v->name))
        continue;
      timing t = time_lookup(o, v, &a, n_table);
      printf("%s,%zu,%zu,%u,%d,%.3f,%.3f,%.2f,%.4f\n", v->name,
             n_table * sizeof(float), a.n, blocks_that_run(v, n_table) /
             (unsigned)device_properties()->multiProcessorCount,
             t.repetitions, t.median_us, t.spread_us,
             timing_gb_per_s(8.0 * (double)a.n, t.median_us),
             copy_us / t.median_us);
      fflush(stdout);
    }
  }
  release(&a);
}

/* ---- experiment `carve_out` ---- */

/* A wish for shared memory, in percent, or of the old kind. */
static const struct {
  const char *name;
  int percent;                  /* −1: the device decides */
  enum cudaFuncCache old;
} wishes[] = {
  {"default", -1, cudaFuncCachePreferNone},
  {"percent_0", 0, cudaFuncCachePreferNone},
  {"percent_10", 10, cudaFuncCachePreferNone},
  {"percent_25", 25, cudaFuncCachePreferNone},
  {"percent_40", 40, cudaFuncCachePreferNone},
  {"percent_50", 50, cudaFuncCachePreferNone},
  {"percent_75", 75, cudaFuncCachePreferNone},
  {"percent_100", 100, cudaFuncCachePreferNone},
  {"prefer_l1", -1, cudaFuncCachePreferL1},
  {"prefer_equal", -1, cudaFuncCachePreferEqual},
  {"prefer_shared", -1, cudaFuncCachePreferShared},
};
enum { N_WISHES = sizeof wishes / sizeof wishes[0] };

// begin wish
static void wish(lookup_kernel *kernel, int percent, enum cudaFuncCache old)
{
  CUDA_CHECK(cudaDeviceSetCacheConfig(old));    /* for all kernels */
  CUDA_CHECK(cudaFuncSetCacheConfig(kernel, old));
  CUDA_CHECK(cudaFuncSetAttribute(
      kernel, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
}
// end wish

static void measure_carve_out(const options *o)
{
  arrays a = allocate_large(o);
  random_source random = random_from_seed(o->seed);
  static const unsigned table_kib[] = {16, 48, 96, 160};
  double copy_us = time_copy(o, &a);
  printf("version,percent,table_bytes,n_elems,repetitions,time_us,"
         "time_spread_us,share_of_copy\n");
  for (int t = 0; t < 4; t++) {
    unsigned n_table = table_kib[t] * 1024 / sizeof(float);
    if (n_table > most_table())
      continue;
    draw_places(&random, a.d_in, a.n, n_table);
    for (int w = 0; w < N_WISHES; w++) {
      wish(in_global, wishes[w].percent, wishes[w].old);
      timing of = time_lookup(o, &versions[0], &a, n_table);
      printf("%s,%d,%u,%zu,%d,%.3f,%.3f,%.4f\n", wishes[w].name,
             wishes[w].percent, table_kib[t] * 1024, a.n, of.repetitions,
             of.median_us, of.spread_us, copy_us / of.median_us);
      fflush(stdout);
    }
  }
  wish(in_global, -1, cudaFuncCachePreferNone);
  release(&a);
}

/* ---- count ---- */

static void count(const options *o)
{
  size_t n = memory_length(o, 1 << 16, 2 * sizeof(float)) / GROUP * GROUP;
  arrays a = allocate(n, most_table());
  random_source random = random_from_seed(o->seed);
  draw_table(&random, a.d_table, most_table());
  printf("version,table_bytes,n_elems\n");
  for (unsigned n_table = 1024; n_table <= 16384; n_table *= 16) {
    draw_places(&random, a.d_in, n, n_table);
    for (int k = 0; k < N_VERSIONS; k++) {
      if (!options_wants(o, versions[k].name))
        continue;
      blocks_that_run(&versions[k], n_table);
      launch(&versions[k], 4, a.d_out, a.d_in, n, a.d_table, n_table);
      printf("%s,%zu,%zu\n", versions[k].name, n_table * sizeof(float), n);
    }
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  release(&a);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "looks into a table at random",
                            "lookup,carve_out", "lookup");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv && strcmp(o.csv, "carve_out") == 0)
    measure_carve_out(&o);
  else
    measure_lookup(&o);
  return EXIT_SUCCESS;
}
