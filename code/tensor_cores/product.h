/* The frame of this chapter's programs, which multiply matrices of bfloat16:
 * C = A B, summed in float. A has a row per row of C, B is stored with a row
 * per column of C; both then hold the numbers of a sum side by side, and so
 * weights and activations of a neural network are stored.
 *
 *   static const version versions[] = { {"name", "idea", launch, …}, … };
 *   PRODUCT_MAIN(versions)
 *
 * Every version is checked with whole numbers. Their sums are exact in a
 * float, whatever the order, so each element must be the reference's, bit by
 * bit, after one rounding to bfloat16. */
#ifndef CODE_TENSOR_CORES_PRODUCT_H
#define CODE_TENSOR_CORES_PRODUCT_H

#include <cuda_bf16.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/rounds.h"
#include "common/timing.h"

typedef __nv_bfloat16 bf16;

typedef struct {
  int n_rows, n_cols, n_inner;
} shape;

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(bf16 *d_c, const bf16 *d_a, const bf16 *d_b, shape s);
  shape multiple;       /* the sizes must be multiples of these */
  int capability;       /* 90: needs 9.0 and nothing else; 80: 8.0 or more */
} version;

/* How many blocks a kernel that loops over tiles may launch. A check takes few
 * and many, so that blocks have several tiles and none. */
static int product_most_blocks = 1 << 30;

static inline int product_blocks(void)
{
  int n_blocks = device_properties()->multiProcessorCount;
  return n_blocks < product_most_blocks ? n_blocks : product_most_blocks;
}

static inline int product_can_run(const version *v)
{
  const cudaDeviceProp *p = device_properties();
  int here = 10 * p->major + p->minor;
  return v->capability == 90 ? here == 90 : here >= v->capability;
}

/* ---- inputs ------------------------------------------------------------- */

enum { INPUTS_ZEROS, INPUTS_WHOLE, INPUTS_RANDOM, N_INPUTS };
static const char *const product_inputs[] = { "zeros", "whole", "random" };

/* Zeros, whole numbers from -4 to 4, or numbers between -1 and 1: a hash of
 * the index. */
static __global__ void product_fill(bf16 *x, size_t n, unsigned seed, int kind)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u + seed;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  unsigned bits = (unsigned)(z >> 40);
  float value = kind == INPUTS_ZEROS   ? 0.0f
                : kind == INPUTS_WHOLE ? (float)(bits % 9) - 4.0f
                                       : (float)bits * 0x1p-23f - 1.0f;
  x[i] = __float2bfloat16(value);
}

typedef struct {
  bf16 *d_a, *d_b, *d_c;
  size_t n_a, n_b, n_c;
} product_matrices;

static inline product_matrices product_allocate(shape s, unsigned seed,
                                                int kind)
{
  product_matrices m;
  m.n_a = (size_t)s.n_rows * s.n_inner;
  m.n_b = (size_t)s.n_cols * s.n_inner;
  m.n_c = (size_t)s.n_rows * s.n_cols;
  CUDA_CHECK(cudaMalloc(&m.d_a, m.n_a * sizeof(bf16)));
  CUDA_CHECK(cudaMalloc(&m.d_b, m.n_b * sizeof(bf16)));
  CUDA_CHECK(cudaMalloc(&m.d_c, m.n_c * sizeof(bf16) + GUARD_BYTES));
  CUDA_CHECK(cudaMemset(m.d_a, 0, m.n_a * sizeof(bf16)));
  CUDA_CHECK(cudaMemset(m.d_b, 0, m.n_b * sizeof(bf16)));
  if (kind == INPUTS_ZEROS)
    return m;                   /* without a launch that would be counted */
  product_fill<<<(unsigned)((m.n_a + 255) / 256), 256>>>(m.d_a, m.n_a, seed,
                                                         kind);
  product_fill<<<(unsigned)((m.n_b + 255) / 256), 256>>>(m.d_b, m.n_b,
                                                         seed + 1, kind);
  CUDA_CHECK_LAUNCH();
  return m;
}

static inline void product_free(product_matrices *m)
{
  CUDA_CHECK(cudaFree(m->d_a));
  CUDA_CHECK(cudaFree(m->d_b));
  CUDA_CHECK(cudaFree(m->d_c));
}

/* ---- checking ----------------------------------------------------------- */

static inline float product_value(bf16 x)
{
  return __bfloat162float(x);
}

static inline void *product_to_host(const void *d_data, size_t n_bytes)
{
  void *h_data = malloc(n_bytes);
  if (!h_data) {
    fprintf(stderr, "error: no host memory for %zu bytes\n", n_bytes);
    exit(EXIT_FAILURE);
  }
  CUDA_CHECK(cudaMemcpy(h_data, d_data, n_bytes, cudaMemcpyDeviceToHost));
  return h_data;
}

/* The product of whole numbers, rounded once. Each number of A times a row of
 * the transpose of B: sums side by side, which the host's compiler turns into
 * vector instructions. One sum after the other would take longer here than the
 * kernels take on the software device. */
static inline float *product_reference(const bf16 *a, const bf16 *b, shape s)
{
  size_t n_rows = (size_t)s.n_rows, n_cols = (size_t)s.n_cols;
  size_t n_inner = (size_t)s.n_inner;
  float *c = (float *)calloc(n_rows * n_cols, sizeof *c);
  float *b_rows = (float *)malloc(n_inner * n_cols * sizeof *b_rows);
  if (!c || !b_rows) {
    fprintf(stderr, "error: no host memory for the reference\n");
    exit(EXIT_FAILURE);
  }
  for (size_t j = 0; j < n_cols; j++)
    for (size_t k = 0; k < n_inner; k++)
      b_rows[k * n_cols + j] = product_value(b[j * n_inner + k]);
  for (size_t i = 0; i < n_rows; i++) {
    float *sums = c + i * n_cols;
    for (size_t k = 0; k < n_inner; k++) {
      float factor = product_value(a[i * n_inner + k]);
      for (size_t j = 0; j < n_cols; j++)
        sums[j] += factor * b_rows[k * n_cols + j];
    }
    for (size_t j = 0; j < n_cols; j++)
      sums[j] = product_value(__float2bfloat16(sums[j]));
  }
  free(b_rows);
  return c;
}

static inline int product_check_shape(const version *v, shape s, unsigned seed)
{
  char what[96];
  product_matrices m = product_allocate(s, seed, INPUTS_WHOLE);
  size_t n_bytes = m.n_c * sizeof(bf16);
  poison_device(m.d_c, n_bytes + GUARD_BYTES);
  v->launch(m.d_c, m.d_a, m.d_b, s);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaDeviceSynchronize());
  bf16 *h_a = (bf16 *)product_to_host(m.d_a, m.n_a * sizeof(bf16));
  bf16 *h_b = (bf16 *)product_to_host(m.d_b, m.n_b * sizeof(bf16));
  bf16 *h_c = (bf16 *)product_to_host(m.d_c, n_bytes + GUARD_BYTES);
  float *expected = product_reference(h_a, h_b, s);
  float *got = (float *)malloc(m.n_c * sizeof *got);
  for (size_t i = 0; i < m.n_c; i++)
    got[i] = product_value(h_c[i]);
  snprintf(what, sizeof what, "%s, %d x %d x %d", v->name, s.n_rows, s.n_cols,
           s.n_inner);
  int right = compare_floats(what, expected, got, m.n_c) &&
              compare_guard(what, h_c + m.n_c, GUARD_BYTES);
  free(h_a);
  free(h_b);
  free(h_c);
  free(expected);
  free(got);
  product_free(&m);
  return right;
}

static inline int product_check(const options *o, const version *v)
{
  static const shape shapes[] = {
    { 128, 256, 64 },  { 768, 512, 320 }, { 256, 512, 704 }, { 256, 256, 128 },
    { 512, 768, 64 },  { 16, 64, 16 },    { 1, 8, 8 },       { 129, 520, 200 },
    { 200, 328, 104 }, { 256, 4352, 64 },
  };
  int n_right = 0, n_checked = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
    shape s = shapes[i];
    if (s.n_rows % v->multiple.n_rows || s.n_cols % v->multiple.n_cols ||
        s.n_inner % v->multiple.n_inner)
      continue;
    n_checked++;
    product_most_blocks = i % 2 ? 4 : 1 << 30;
    n_right += product_check_shape(v, s, (unsigned)o->seed + (unsigned)i);
  }
  product_most_blocks = 1 << 30;
  return n_right == n_checked && n_checked > 0;
}

/* ---- measuring ---------------------------------------------------------- */

enum { BATCH = 4, MOST_VERSIONS = ROUNDS_MOST_VERSIONS, MOST_ROUNDS = 100 };

static inline double product_time_us(const version *v,
                                     const product_matrices *m, shape s,
                                     int n_launches)
{
  static cudaEvent_t start, stop;
  float ms;
  if (!start) {
    CUDA_CHECK(cudaEventCreate(&start));
    CUDA_CHECK(cudaEventCreate(&stop));
  }
  v->launch(m->d_c, m->d_a, m->d_b, s);      /* warms up */
  CUDA_CHECK(cudaEventRecord(start));
  for (int i = 0; i < n_launches; i++)
    v->launch(m->d_c, m->d_a, m->d_b, s);
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaEventSynchronize(stop));
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  return 1000.0 * ms / n_launches;
}

static inline double product_tflop_per_s(shape s, double time_us)
{
  return 2e-6 * s.n_rows * s.n_cols * s.n_inner / time_us;
}

static inline void product_head(const options *o)
{
  if (o->csv)
    printf("version,inputs,n_rows,n_cols,n_inner,repetitions,time_us,"
           "time_spread_us,tflop_per_s,share_of_cublas\n");
  else
    printf("%-16s %-7s %20s %12s %10s %8s\n", "version", "inputs",
           "rows x cols x inner", "median us", "TFLOP/s", "share");
}

// begin interleaved
/* Times all versions in rounds, each in another random order: when power
 * limits the clock, a version runs at the clock that the one before has left,
 * and that must not always be the same one. */
static inline void product_measure(const options *o,
                                   const version *const *list, int n, shape s,
                                   int kind)
{
  static double samples[MOST_VERSIONS][MOST_ROUNDS];
  int n_rounds = o->repetitions < MOST_ROUNDS ? o->repetitions : MOST_ROUNDS;
  product_matrices m = product_allocate(s, (unsigned)o->seed, kind);
  rounds r = rounds_start(n);
  for (int round = 0; round < n_rounds; round++) {
    rounds_shuffle(&r);
    for (int i = 0; i < n; i++) {
      int at = r.order[i];
      int is_slow = round > 0 && samples[at][0] > 5000.0;
      samples[at][round] =
          product_time_us(list[at], &m, s, is_slow ? 1 : (int)BATCH);
    }
  }
// end interleaved
  double cublas_us = 0.0;
  for (int i = 0; i < n; i++) {
    timing t;
    timing_summarise(&t, samples[i], n_rounds);
    if (strcmp(list[i]->name, "cublas") == 0)
      cublas_us = t.median_us;
    printf(o->csv ? "%s,%s,%d,%d,%d,%d,%.3f,%.3f,%.1f,"
                  : "%-16s %-7s %6d x%5d x%5d   [%d] %12.2f (%.2f) %10.1f ",
           list[i]->name, product_inputs[kind], s.n_rows, s.n_cols, s.n_inner,
           n_rounds, t.median_us, t.spread_us,
           product_tflop_per_s(s, t.median_us));
    if (cublas_us > 0.0)
      printf("%.4f", cublas_us / t.median_us);
    printf("\n");
    fflush(stdout);
  }
  product_free(&m);
}

static inline shape product_shape(const options *o, size_t wanted)
{
  size_t side = memory_side(o, wanted, 3 * sizeof(bf16));
  shape s = { (int)side, (int)side, (int)side };
  if (o->n_sizes > 2)
    s = shape{ (int)o->size[0], (int)o->size[1], (int)o->size[2] };
  return s;
}

/* Checks the wanted versions that can run here; how many are wrong? */
static inline int product_check_all(const options *o, const version *versions,
                                    int n)
{
  int n_wrong = 0, n_checked = 0;
  for (int i = 0; i < n; i++) {
    if (!options_wants(o, versions[i].name))
      continue;
    if (!product_can_run(&versions[i])) {
      fprintf(options_remarks(o), "%s: needs compute capability %d.%d%s\n",
              versions[i].name, versions[i].capability / 10,
              versions[i].capability % 10,
              versions[i].capability == 90 ? ", no other" : "");
      continue;
    }
    n_checked++;
    n_wrong += !product_check(o, &versions[i]);
  }
  if (n_checked == 0)
    exit(EXIT_SKIPPED);
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, n_wrong ? "WRONG" : "all right");
  return n_wrong;
}

/* Each version once, to be counted. */
static inline void product_count(const options *o, const version *versions,
                                 int n)
{
  shape s = { 256, 512, 512 };
  if (o->n_sizes > 0)
    s = product_shape(o, 0);
  product_matrices m = product_allocate(s, 1, INPUTS_ZEROS);
  printf("version,n_rows,n_cols,n_inner\n");
  for (int i = 0; i < n; i++)
    if (options_wants(o, versions[i].name) && product_can_run(&versions[i])) {
      versions[i].launch(m.d_c, m.d_a, m.d_b, s);
      CUDA_CHECK_LAUNCH();
      printf("%s,%d,%d,%d\n", versions[i].name, s.n_rows, s.n_cols, s.n_inner);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  product_free(&m);
}

static inline int product_main(int argc, char **argv, const version *versions,
                               int n)
{
  options o = options_parse(argc, argv, "multiplies matrices of bfloat16",
                            "times", "versions");
  options_versions(&o, versions, sizeof versions[0], (size_t)n);
  if (o.count) {
    product_count(&o, versions, n);
    return EXIT_SUCCESS;
  }
  if (product_check_all(&o, versions, n) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  const version *wanted[MOST_VERSIONS];
  int n_wanted = 0;
  for (int i = 0; i < n; i++)
    if (options_wants(&o, versions[i].name) && product_can_run(&versions[i]))
      wanted[n_wanted++] = &versions[i];
  product_head(&o);
  product_measure(&o, wanted, n_wanted, product_shape(&o, 8192),
                  INPUTS_RANDOM);
  return EXIT_SUCCESS;
}

/* The program's main; ladder.cu takes the versions of all programs instead. */
#ifdef PRODUCT_LADDER
#define PRODUCT_MAIN(versions)
#else
#define PRODUCT_MAIN(versions) \
  int main(int argc, char **argv) \
  { \
    return product_main(argc, argv, versions, \
                        sizeof versions / sizeof versions[0]); \
  }
#endif

#endif
