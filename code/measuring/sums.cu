/* The sum of many floats in five orders of addition, each compared with the
 * exact sum. All inputs are whole multiples of 2^-23, so that 64-bit
 * integers hold the exact sum. */
#include <math.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"    /* and options.h */
#include "common/timing.h"

enum { BLOCK_THREADS = 256, N_BLOCKS = 128,
       N_THREADS = BLOCK_THREADS * N_BLOCKS };

/* ---- CPU reference ---- */

/* x[i] is a whole number of 2^-23, and so is their sum: no rounding. */
static double exact_sum(const float *x, size_t n)
{
  int64_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += (int64_t)(x[i] * 0x1p23f);
  return (double)sum * 0x1p-23;
}

/* ---- kernels ---- */

// begin in_order
/* One thread, from the first to the last. */
__global__ void in_order(float *out, const float *x, size_t n)
{
  float sum = 0.0f;
  for (size_t i = 0; i < n; i++)
    sum += x[i];
  *out = sum;
}
// end in_order

// begin tree
/* Adds the sums of a block's threads in pairs, then in pairs of pairs … */
__device__ float sum_of_block(float sum)
{
  __shared__ float sums[BLOCK_THREADS];
  sums[threadIdx.x] = sum;
  for (int half = BLOCK_THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      sums[threadIdx.x] += sums[threadIdx.x + half];
  }
  return sums[0];       /* for thread 0 */
}

/* One sum for each block. */
__global__ void tree(float *out, const float *x, size_t n)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  float sum = 0.0f;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step)
    sum += x[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0)
    out[blockIdx.x] = sum;
}
// end tree

// begin atomic
/* The blocks add their sums as they finish. */
__global__ void atomic(float *out, const float *x, size_t n)
{
  size_t step = (size_t)gridDim.x * blockDim.x;
  float sum = 0.0f;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += step)
    sum += x[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0)
    atomicAdd(out, sum);
}
// end atomic

// begin compensated
/* One thread, in order; what rounding loses is kept beside the sum. */
__global__ void compensated(float *out, const float *x, size_t n)
{
  float sum = 0.0f, lost = 0.0f;
  for (size_t i = 0; i < n; i++) {
    float next = x[i] - lost;
    float more = sum + next;
    lost = (more - sum) - next;
    sum = more;
  }
  *out = sum;
}
// end compensated

/* One thread, in order, in double precision; rounded once at the end. */
__global__ void doubles(float *out, const float *x, size_t n)
{
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    sum += x[i];
  *out = (float)sum;
}

/* ---- launchers: d_out holds N_BLOCKS + 1 floats; the sum comes
 * first ---- */

static void launch_in_order(float *d_out, const float *d_x, size_t n)
{
  in_order<<<1, 1>>>(d_out, d_x, n);
}

static void launch_tree(float *d_out, const float *d_x, size_t n)
{
  tree<<<N_BLOCKS, BLOCK_THREADS>>>(d_out + 1, d_x, n);
  tree<<<1, BLOCK_THREADS>>>(d_out, d_out + 1, N_BLOCKS);
}

static void launch_atomic(float *d_out, const float *d_x, size_t n)
{
  CUDA_CHECK(cudaMemsetAsync(d_out, 0, sizeof(float)));
  atomic<<<N_BLOCKS, BLOCK_THREADS>>>(d_out, d_x, n);
}

static void launch_compensated(float *d_out, const float *d_x, size_t n)
{
  compensated<<<1, 1>>>(d_out, d_x, n);
}

static void launch_doubles(float *d_out, const float *d_x, size_t n)
{
  doubles<<<1, 1>>>(d_out, d_x, n);
}

/* ---- versions ---- */

/* How many roundings can meet in the result? One for each addition that a
 * summand goes through. */
static double additions_in_order(size_t n)
{
  return (double)n;
}

static double additions_of_tree(size_t n)
{
  double each = ceil((double)n / N_THREADS);
  return each + 8 + 1 + 8;      /* 2^8 threads a block, twice */
}

static double additions_of_atomic(size_t n)
{
  double each = ceil((double)n / N_THREADS);
  return each + 8 + N_BLOCKS;
}

/* Two, whatever n is, and a very little for each addition. */
static double additions_of_compensated(size_t n)
{
  return 2.0 + 4.0 * (double)n * 0x1p-24;
}

static double additions_of_doubles(size_t n)
{
  return 1.0 + (double)n * 0x1p-29;
}

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(float *, const float *, size_t);
  double (*additions)(size_t);
  size_t most;          /* elements to time: one thread is slow */
  const char *kernels[2];
} version;

static const version versions[] = {
  {"in_order", "one thread adds them all", launch_in_order,
   additions_in_order, (size_t)1 << 20, {"in_order", NULL}},
  {"compensated", "one thread, with what rounding lost",
   launch_compensated, additions_of_compensated, (size_t)1 << 20,
   {"compensated", NULL}},
  {"doubles", "one thread, in double precision", launch_doubles,
   additions_of_doubles, (size_t)1 << 20, {"doubles", NULL}},
  {"tree", "many threads, then in pairs", launch_tree, additions_of_tree,
   (size_t)1 << 28, {"tree", "tree_of_blocks"}},
  {"atomic", "many threads, blocks by atomicAdd", launch_atomic,
   additions_of_atomic, (size_t)1 << 28, {"atomic", NULL}},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check ---- */

typedef struct {
  float *h_x, *d_x, *d_out;
  size_t n;
  double exact;
} workload;

/* Random numbers in [0, 1), or all the same. */
static workload workload_new(random_source *random, size_t n, int equal)
{
  workload w;
  w.n = n;
  w.h_x = (float *)malloc((n > 0 ? n : 1) * sizeof(float));
  if (!w.h_x) {
    fprintf(stderr, "error: no host memory for %zu floats; try a smaller "
            "--size\n", n);
    exit(EXIT_FAILURE);
  }
  for (size_t i = 0; i < n; i++)
    w.h_x[i] = equal ? 0.75f + 0x1p-23f : fabsf(random_float(random));
  w.exact = exact_sum(w.h_x, n);
  CUDA_CHECK(cudaMalloc(&w.d_x, (n > 0 ? n : 1) * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&w.d_out, (N_BLOCKS + 1) * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(w.d_x, w.h_x, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  return w;
}

static void workload_free(workload *w)
{
  free(w->h_x);
  CUDA_CHECK(cudaFree(w->d_x));
  CUDA_CHECK(cudaFree(w->d_out));
}

static float sum_by(const version *v, const workload *w)
{
  float sum;
  poison_device(w->d_out, (N_BLOCKS + 1) * sizeof(float));
  v->launch(w->d_out, w->d_x, w->n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&sum, w->d_out, sizeof sum, cudaMemcpyDeviceToHost));
  return sum;
}

// begin tolerance
/* Each addition rounds: it is wrong by at most a share of 2^-24. Without
 * cancellation, a sum is wrong by at most as many of these as a summand goes
 * through additions. */
static int is_right(const version *v, const workload *w)
{
  float exact = (float)w->exact, sum = sum_by(v, w);
  double tolerance = (v->additions(w->n) + 1) * 0x1p-24;
  return compare_floats_within(v->name, &exact, &sum, 1, tolerance, 0.0);
}
// end tolerance

static int check(const options *o)
{
  static const size_t sizes[] = {0, 1, 2, 31, 257, 1000, 65537};
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int s = 0; s < 7; s++)
    for (int equal = 0; equal < 2; equal++) {
      workload w = workload_new(&random, sizes[s], equal);
      for (int k = 0; k < N_VERSIONS; k++)
        if (options_wants(o, versions[k].name))
          right &= is_right(&versions[k], &w);
      workload_free(&w);
    }
  fprintf(options_remarks(o), "check: seed %llu: %s\n",
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count, measure ---- */

static int count(const options *o)
{
  random_source random = random_from_seed(1);
  workload w = workload_new(&random, o->n_sizes > 0 ? o->size[0] : 65536, 0);
  int right = 1;
  printf("version,n_elems\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name)) {
      right &= is_right(&versions[k], &w);
      for (int i = 0; i < 2 && versions[k].kernels[i]; i++)
        printf("%s,%zu\n", versions[k].kernels[i],
               i == 0 ? w.n : (size_t)N_BLOCKS);
    }
  workload_free(&w);
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* The error in units of 2^-24 of the exact sum. */
static double error_of(const workload *w, float sum)
{
  return w->exact > 0.0 ? fabs(sum - w->exact) / w->exact * 0x1p24 : 0.0;
}

/* The same on every machine, because additions round as IEEE 754 says. Not
 * so with atomics, whose order is not known. */
static void print_errors(const options *o)
{
  random_source random = random_from_seed(1);
  printf("version,n_elems,additions,error_u,sum\n");
  for (size_t n = 1 << 8; n <= (size_t)1 << 20; n *= 4) {
    workload w = workload_new(&random, n, 0);
    for (int k = 0; k < N_VERSIONS; k++)
      if (versions[k].launch != launch_atomic &&
          options_wants(o, versions[k].name)) {
        float sum = sum_by(&versions[k], &w);
        printf("%s,%zu,%.1f,%.2f,%.9g\n", versions[k].name, n,
               versions[k].additions(n), error_of(&w, sum), sum);
      }
    workload_free(&w);
  }
}

static int is_among(float sum, const float *sums, int n)
{
  for (int i = 0; i < n; i++)
    if (sums[i] == sum)
      return 1;
  return 0;
}

/* The same numbers, added again and again: how many different sums? */
static void print_runs_of(const version *v, const workload *w)
{
  enum { RUNS = 100 };
  float different[RUNS], least = 0.0f, most = 0.0f;
  int n_different = 0;
  for (int i = 0; i < RUNS; i++) {
    float sum = sum_by(v, w);
    if (!is_among(sum, different, n_different))
      different[n_different++] = sum;
    if (i == 0 || sum < least)
      least = sum;
    if (i == 0 || sum > most)
      most = sum;
  }
  printf("%s,%zu,%d,%d,%.2f\n", v->name, w->n, (int)RUNS, n_different,
         (most - least) / w->exact * 0x1p24);
}

static void print_runs(void)
{
  random_source random = random_from_seed(1);
  workload w = workload_new(&random, (size_t)1 << 22, 0);
  printf("version,n_elems,runs,different_sums,range_u\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (versions[k].launch == launch_tree ||
        versions[k].launch == launch_atomic)
      print_runs_of(&versions[k], &w);
  workload_free(&w);
}

static void measure(const options *o)
{
  size_t most = memory_length(o, (size_t)1 << 26, sizeof(float));
  random_source random = random_from_seed(1);
  if (o->csv)
    printf("version,n_elems,repetitions,time_us,spread_us,gb_per_s,"
           "gflop_per_s,error_u\n");
  else
    timing_print_head();
  workload w = workload_new(&random, most, 0);
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    if (!options_wants(o, v->name))
      continue;
    workload some = w;
    some.n = v->most < most ? v->most : most;
    some.exact = exact_sum(w.h_x, some.n);
    double error = error_of(&some, sum_by(v, &some));
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      v->launch(w.d_out, w.d_x, some.n);
      CUDA_CHECK_LAUNCH();
    }
    double n_bytes = (double)some.n * sizeof(float);
    if (o->csv)
      printf("%s,%zu,%d,%.3f,%.3f,%.3f,%.4f,%.2f\n", v->name, some.n,
             o->repetitions, t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us),
             timing_gb_per_s((double)some.n, t.median_us), error);
    else
      timing_print_row(v->name, t, n_bytes);
  }
  workload_free(&w);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "adds floats in different orders",
                            "sums,errors,runs", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    return count(&o);
  if (o.csv && strcmp(o.csv, "errors") == 0) {
    print_errors(&o);
    return EXIT_SUCCESS;
  }
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.csv && strcmp(o.csv, "runs") == 0)
    print_runs();
  else if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
