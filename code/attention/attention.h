/* What the attention programs share: the problem, random inputs, a reference
 * in double precision, and the loops that check, count and time a table of
 * versions.
 *
 * Q, K, V and the output hold a matrix of n × d bfloat16 for each head, head
 * after head. Row i of the output is the average of V's rows, weighed by
 * softmax(q_i · k_j / √d); if causal, only rows j ≤ i count. */
#ifndef CODE_ATTENTION_ATTENTION_H
#define CODE_ATTENTION_ATTENTION_H

#include <assert.h>
#include <cuda_bf16.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"
#include "common/random.h"
#include "common/rounds.h"
#include "common/timing.h"

typedef __nv_bfloat16 bf16;

typedef struct {
  int n_heads, n, d;
  int causal;
  int most_blocks;    /* of a launch that could have fewer than tiles; or 0 */
} problem;

typedef struct {
  bf16 *q, *k, *v, *out;
  float *scores;      /* n × n, for versions that keep them in memory */
} arrays;

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(const arrays *, problem);
  int keeps_scores;
} version;

static inline size_t problem_elements(problem p)
{
  return (size_t)p.n_heads * p.n * p.d;
}

/* Two operations for each product, in Q Kᵀ and in P V. */
static inline double problem_flop(problem p)
{
  return 4.0 * p.n * p.n * p.d * p.n_heads / (p.causal ? 2 : 1);
}

/* What a score is multiplied by so that exp becomes 2 to the power of it. */
static inline float problem_scale(problem p)
{
  return (float)(1.4426950408889634 / sqrt(p.d));
}

/* ---- inputs --------------------------------------------------------- */

/* Nearly normal, of variance 1: the sum of three uniform numbers. */
static inline void fill_normal(random_source *source, bf16 *x, size_t n)
{
  size_t n_drawn = (size_t)1 << 20;     /* over and over: drawing takes time */
  for (size_t i = 0; i < n && i < n_drawn; i++)
    x[i] = __float2bfloat16(random_float(source) + random_float(source) +
                            random_float(source));
  for (size_t i = n_drawn; i < n; i++)
    x[i] = x[i - n_drawn];
}

// begin inputs
/* Row i of Q is larger than normal by 2^(i % 8): the weights of the first are
 * nearly equal, those of the eighth nearly one 1 and zeros, and exp() of its
 * scores overflows unless the maximum is taken off. */
static inline void sharpen(bf16 *q, problem p)
{
  for (size_t i = 0; i < problem_elements(p); i++)
    q[i] = __float2bfloat16(__bfloat162float(q[i]) *
                            (float)(1 << i / p.d % 8));
}
// end inputs

/* ---- reference ------------------------------------------------------- */

// begin reference
/* One row of the output, in double precision and by the definition. `weights`
 * has space for n. */
static inline void reference_row(double *out, double *weights, const bf16 *q,
                                 const bf16 *k, const bf16 *v, problem p,
                                 int row)
{
  int n_keys = p.causal ? row + 1 : p.n;
  double top = -INFINITY, sum = 0.0;
  for (int j = 0; j < n_keys; j++) {
    weights[j] = 0.0;
    for (int c = 0; c < p.d; c++)
      weights[j] += (double)__bfloat162float(q[row * (size_t)p.d + c]) *
                    __bfloat162float(k[j * (size_t)p.d + c]);
    weights[j] /= sqrt(p.d);
    top = fmax(top, weights[j]);
  }
  for (int c = 0; c < p.d; c++)
    out[c] = 0.0;
  for (int j = 0; j < n_keys; j++) {
    double weight = exp(weights[j] - top);
    sum += weight;
    for (int c = 0; c < p.d; c++)
      out[c] += weight * __bfloat162float(v[j * (size_t)p.d + c]);
  }
  for (int c = 0; c < p.d; c++)
    out[c] /= sum;
}
// end reference

typedef struct {
  size_t n_rows;        /* compared */
  size_t n_wrong;       /* of them */
  size_t first_wrong;
  double worst;         /* the largest error of a row */
  double mean;
} row_errors;

/* An output row's error is the length of its difference from the reference,
 * as a share of the reference's length. bfloat16 rounds by up to 1/512; a row
 * is wrong if it misses by more than four times that. */
#define MOST_ERROR (4.0 / 512.0)

static inline row_errors compare_rows(const bf16 *got, const bf16 *q,
                                      const bf16 *k, const bf16 *v, problem p,
                                      size_t step)
{
  row_errors e = { 0, 0, 0, 0.0, 0.0 };
  double *weights = (double *)malloc((size_t)p.n * sizeof(double));
  double *expected = (double *)malloc((size_t)p.d * sizeof(double));
  for (size_t i = 0; i < (size_t)p.n_heads * p.n; i += step) {
    size_t head = i / p.n * p.n * p.d;
    double off = 0.0, length = 0.0;
    reference_row(expected, weights, q + head, k + head, v + head, p,
                  (int)(i % p.n));
    for (int c = 0; c < p.d; c++) {
      double difference = __bfloat162float(got[i * p.d + c]) - expected[c];
      off += difference * difference;
      length += expected[c] * expected[c];
    }
    double error = sqrt(off / length);
    e.n_rows++;
    e.mean += error;
    e.worst = fmax(e.worst, error);
    if (!(error <= MOST_ERROR)) {       /* asked this way, a NaN is wrong */
      if (e.n_wrong++ == 0)
        e.first_wrong = i;
    }
  }
  e.mean /= (double)e.n_rows;
  free(weights);
  free(expected);
  return e;
}

/* ---- runs --------------------------------------------------------------- */

typedef struct {
  problem p;
  arrays d;             /* on the device */
  bf16 *q, *k, *v;      /* on the host */
} workload;

static inline workload workload_make(problem p, uint64_t seed, int is_sharp,
                                     int keeps_scores)
{
  workload w;
  memset(&w, 0, sizeof w);
  w.p = p;
  size_t n = problem_elements(p), n_bytes = n * sizeof(bf16);
  random_source source = random_from_seed(seed);
  bf16 **h[3] = { &w.q, &w.k, &w.v }, **d[3] = { &w.d.q, &w.d.k, &w.d.v };
  for (int i = 0; i < 3; i++) {
    *h[i] = (bf16 *)malloc(n_bytes);
    fill_normal(&source, *h[i], n);
    if (i == 0 && is_sharp)
      sharpen(*h[i], p);
    CUDA_CHECK(cudaMalloc(d[i], n_bytes));
    CUDA_CHECK(cudaMemcpy(*d[i], *h[i], n_bytes, cudaMemcpyHostToDevice));
  }
  CUDA_CHECK(cudaMalloc(&w.d.out, n_bytes + GUARD_BYTES));
  if (keeps_scores)
    CUDA_CHECK(cudaMalloc(&w.d.scores,
                          (size_t)p.n * p.n * sizeof(float)));
  return w;
}

static inline void workload_free(workload *w)
{
  free(w->q);
  free(w->k);
  free(w->v);
  CUDA_CHECK(cudaFree(w->d.q));
  CUDA_CHECK(cudaFree(w->d.k));
  CUDA_CHECK(cudaFree(w->d.v));
  CUDA_CHECK(cudaFree(w->d.out));
  CUDA_CHECK(cudaFree(w->d.scores));
}

/* Runs v and compares every `step`-th row. */
static inline row_errors workload_errors(const workload *w, const version *v,
                                         size_t step, int *guard_holds)
{
  size_t n_bytes = problem_elements(w->p) * sizeof(bf16);
  char *got = (char *)malloc(n_bytes + GUARD_BYTES);
  poison_device(w->d.out, n_bytes + GUARD_BYTES);
  v->launch(&w->d, w->p);
  CUDA_CHECK(cudaMemcpy(got, w->d.out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  row_errors e = compare_rows((bf16 *)got, w->q, w->k, w->v, w->p, step);
  *guard_holds = compare_guard(v->name, got + n_bytes, GUARD_BYTES);
  free(got);
  return e;
}

static inline int check_problem(const options *o, const version *v, problem p,
                                size_t step)
{
  workload w = workload_make(p, o->seed, 1, v->keeps_scores);
  int is_right;
  row_errors e = workload_errors(&w, v, step, &is_right);
  if (e.n_wrong > 0) {
    fflush(stdout);
    fprintf(stderr, "%s, %d x %d x %d%s: error: %zu of %zu rows are wrong; "
            "the first is [%zu] (--seed %llu)\n", v->name, p.n_heads, p.n, p.d,
            p.causal ? ", causal" : "", e.n_wrong, e.n_rows, e.first_wrong,
            (unsigned long long)o->seed);
    is_right = 0;
  }
  workload_free(&w);
  return is_right;
}

/* Small and odd sizes for every version; few blocks, so that one of them gets
 * several tiles. On a GPU a large one too, where rows are drawn. */
static inline int check_version(const options *o, const version *v)
{
  static const problem problems[] = {
    { 2, 256, 64, 0, 3 }, { 3, 200, 128, 0, 2 }, { 2, 328, 64, 1, 2 },
    { 3, 256, 128, 1, 3 }, { 1, 40, 128, 1, 0 },
  };
  int is_right = 1;
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
    is_right &= check_problem(o, v, problems[i], 1);
  if (!device_is_software())
    for (int causal = 0; causal < 2; causal++) {
      problem large = { 4, 5000, 128, causal, 0 };
      is_right &= check_problem(o, v, large, 97);
    }
  return is_right;
}

/* d = 128 has 16 heads, d = 64 has 32; shorter sequences come in batches, so
 * that there are 16384 rows of each head's width in all. */
static inline problem problem_of(int n, int d, int causal)
{
  problem p = { 2048 / d * (16384 / n), n, d, causal, 0 };
  return p;
}

/* ---- times -------------------------------------------------------------- */

enum { REST_NS = 50000000 };

typedef struct {
  const version *v;
  problem p;
  double *samples_us;   /* one per round */
} timed_case;

/* One launch, after a rest and others of the same kind that warm up. Without
 * the rest, a fast kernel draws more power than the GPU may, and runs at the
 * clock that the kernels before it have left. */
static inline double launch_time_us(const timed_case *c, const arrays *d)
{
  struct timespec rest = { 0, REST_NS };
  nanosleep(&rest, NULL);
  timing t = timing_start(1);
  while (timing_next(&t))
    c->v->launch(d, c->p);
  return t.median_us;
}

static inline void print_time(const options *o, const timed_case *c)
{
  timing t;
  timing_summarise(&t, c->samples_us, o->repetitions);
  printf(o->csv ? "%s,%d,%d,%d,%d,%d,%.3f,%.3f,%.1f\n" :
         "%-12s %6d %6d %5d %7d %6d %12.1f %8.1f %8.1f\n", c->v->name, c->p.d,
         c->p.n, c->p.n_heads, c->p.causal, o->repetitions, t.median_us,
         t.spread_us, problem_flop(c->p) / t.median_us * 1e-6);
}

/* Times all cases in rounds, each in another random order, so that none always
 * follows the same other one. All problems have equally many numbers, so they
 * share their arrays. */
static inline void time_cases(const options *o, timed_case *cases, int n_cases)
{
  problem longest = cases[0].p;
  int keeps_scores = 0;
  for (int i = 0; i < n_cases; i++) {
    cases[i].samples_us =
        (double *)malloc((size_t)o->repetitions * sizeof(double));
    if (cases[i].p.n > longest.n)
      longest = cases[i].p;
    keeps_scores |= cases[i].v->keeps_scores;
  }
  workload w = workload_make(longest, o->seed, 0, keeps_scores);
  rounds r = rounds_start(n_cases);
  for (int round = 0; round < o->repetitions; round++) {
    rounds_shuffle(&r);
    for (int i = 0; i < n_cases; i++) {
      timed_case *c = &cases[r.order[i]];
      c->samples_us[round] = launch_time_us(c, &w.d);
    }
  }
  for (int i = 0; i < n_cases; i++) {
    print_time(o, &cases[i]);
    free(cases[i].samples_us);
  }
  fflush(stdout);
  workload_free(&w);
}

static inline void time_versions(const options *o, const version *versions,
                                 int n_versions)
{
  int is_ladder = !o->csv || strcmp(o->csv, "ladder") == 0;
  puts(o->csv ? "version,d,n,n_heads,causal,repetitions,time_us,time_spread_us,"
       "tflop_per_s" : "version           d      n heads  causal  times    "
       "median us   spread  TFLOP/s");
  for (int d = is_ladder ? 128 : 64; d <= 128; d *= 2)
    for (int causal = 0; causal < 2; causal++) {
      timed_case cases[ROUNDS_MOST_VERSIONS];
      int n_cases = 0;
      for (int n = is_ladder ? 16384 : 1024; n <= 16384; n *= 2)
        for (int i = 0; i < n_versions; i++)
          if (options_wants(o, versions[i].name)) {
            timed_case c = { &versions[i], problem_of(n, d, causal), NULL };
            assert(n_cases < ROUNDS_MOST_VERSIONS);
            cases[n_cases++] = c;
          }
      time_cases(o, cases, n_cases);
    }
}

/* How wrong each version is, on a size that the software device manages. */
static inline void print_errors(const options *o, const version *versions,
                                int n_versions)
{
  puts("version,d,n,causal,is_sharp,error_mean,error_worst");
  for (int d = 64; d <= 128; d *= 2)
    for (int is_sharp = 0; is_sharp < 2; is_sharp++)
      for (int i = 0; i < n_versions; i++) {
        if (!options_wants(o, versions[i].name))
          continue;
        problem p = { 1, 512, d, 0, 0 };
        int holds;
        workload w = workload_make(p, 1, is_sharp, versions[i].keeps_scores);
        row_errors e = workload_errors(&w, &versions[i], 1, &holds);
        printf("%s,%d,%d,%d,%d,%.6f,%.6f\n", versions[i].name, d, p.n,
               p.causal, is_sharp, e.mean, e.worst);
        workload_free(&w);
      }
}

/* Each version once, to be counted; `launches` rows for each of them, which
 * the version's launch makes. */
static inline void count_versions(const options *o, const version *versions,
                                  int n_versions)
{
  problem p = { 1, 256, 128, 0, 0 };
  if (o->n_sizes > 0)
    p.n = (int)o->size[0];
  puts("version,step,n,d,n_heads");
  for (int i = 0; i < n_versions; i++) {
    if (!options_wants(o, versions[i].name))
      continue;
    workload w = workload_make(p, o->seed, 0, versions[i].keeps_scores);
    versions[i].launch(&w.d, p);
    CUDA_CHECK(cudaDeviceSynchronize());
    for (int k = 0; k < (versions[i].keeps_scores ? 3 : 1); k++)
      printf("%s,%d,%d,%d,%d\n", versions[i].name, k, p.n, p.d, p.n_heads);
    workload_free(&w);
  }
}

static inline int attention_main(const options *o, const version *versions,
                                 int n_versions)
{
  if (o->count) {
    count_versions(o, versions, n_versions);
    return EXIT_SUCCESS;
  }
  if (o->csv && strcmp(o->csv, "errors") == 0) {
    print_errors(o, versions, n_versions);
    return EXIT_SUCCESS;
  }
  int n_bad = 0;
  for (int i = 0; i < n_versions; i++)
    if (options_wants(o, versions[i].name))
      n_bad += !check_version(o, &versions[i]);
  if (n_bad > 0)
    return EXIT_FAILURE;
  fprintf(options_remarks(o), "every version agrees (--seed %llu)\n",
          (unsigned long long)o->seed);
  if (!o->check && timing_is_possible())
    time_versions(o, versions, n_versions);
  return EXIT_SUCCESS;
}

#endif
