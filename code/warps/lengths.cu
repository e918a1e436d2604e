/* Loops of unequal length: a warp walks as long as the longest of its lanes.
 * The same lengths in random order, sorted, and all equal to their mean; and
 * the exercise's solution, which gives every lane several elements in one
 * loop. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"

enum { WARP = 32, BLOCK_THREADS = 256, MOST_STEPS = 256, PER_THREAD = 16,
       WORK = 16 };

/* One step of a walk: some work of its own. */
__host__ __device__ static float one_step(float x)
{
  for (int k = 0; k < WORK; k++)
    x = fmaf(x, 0.5f, 1.0f);
  return x;
}

/* ---- kernels ---- */

// begin walk_each
__global__ void walk_each(const int *length, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = 0.0f;
  for (int k = 0; k < length[i]; k++)
    x = one_step(x);
  out[i] = x;
}
// end walk_each

// begin walk_several
__global__ void walk_several(const int *length, float *out, int n)
{
  int n_threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += n_threads) {
    float x = 0.0f;
    for (int k = 0; k < length[i]; k++)
      x = one_step(x);
    out[i] = x;
  }
}
// end walk_several

// begin walk_flat
__global__ void walk_flat(const int *length, float *out, int n)
{
  int n_threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int left = i < n ? length[i] : 0;
  float x = 0.0f;
  while (i < n) {
    if (left-- > 0) {
      x = one_step(x);
    } else {               /* this element is done: take the next one */
      out[i] = x;
      x = 0.0f;
      i += n_threads;
      left = i < n ? length[i] : 0;
    }
  }
}
// end walk_flat

/* ---- lengths ---- */

enum order { RANDOM, SORTED, EQUAL };

/* Most are short, some long: each next step comes with 31/32. */
static int random_length(random_source *random)
{
  int length = 1;
  while (length < MOST_STEPS && random_below(random, WARP) != 0)
    length++;
  return length;
}

static int by_value(const void *a, const void *b)
{
  return *(const int *)a - *(const int *)b;
}

static void fill_lengths(random_source *random, int *length, int n,
                         enum order order)
{
  long long sum = 0;
  for (int i = 0; i < n; i++)
    sum += length[i] = random_length(random);
  if (order == SORTED)
    qsort(length, n, sizeof *length, by_value);
  for (int i = 0; i < n && order == EQUAL; i++)
    length[i] = (int)((sum + n / 2) / n);
}

/* What all lanes want to walk, and what their warps must: each as long as
 * its longest lane. */
typedef struct {
  long long of_lanes, of_warps;
} steps;

// begin predict
static steps predict(const int *length, int n)
{
  steps s = {0, 0};
  for (int first = 0; first < n; first += WARP) {
    int longest = 0;
    for (int i = first; i < n && i < first + WARP; i++) {
      s.of_lanes += length[i];
      longest = length[i] > longest ? length[i] : longest;
    }
    s.of_warps += longest;
  }
  return s;
}
// end predict

/* The same where each lane walks all of its elements in one loop: a warp
 * walks as long as the longest sum. */
static steps predict_flat(const int *length, int n, int n_threads)
{
  steps s = {0, 0};
  for (int first = 0; first < n_threads; first += WARP) {
    long long longest = 0;
    for (int t = first; t < first + WARP; t++) {
      long long sum = 0;
      for (int i = t; i < n; i += n_threads)
        sum += length[i];
      s.of_lanes += sum;
      longest = sum > longest ? sum : longest;
    }
    s.of_warps += longest;
  }
  return s;
}

typedef struct {
  const char *name;
  const char *idea;
  void (*kernel)(const int *, float *, int);
  enum order order;
  int per_thread;
} version;

static const version versions[] = {
  {"random", "as they come", walk_each, RANDOM, 1},
  {"sorted", "neighbours are of similar length", walk_each, SORTED, 1},
  {"equal", "all of them the mean", walk_each, EQUAL, 1},
  {"several", "several elements a thread, a loop within a loop",
   walk_several, RANDOM, PER_THREAD},
  {"flat", "several elements a thread in one loop", walk_flat, RANDOM,
   PER_THREAD},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int blocks_for(const version *v, int n)
{
  int per_block = BLOCK_THREADS * v->per_thread;
  return (n + per_block - 1) / per_block;
}

static void launch(const version *v, const int *d_length, float *d_out, int n)
{
  v->kernel<<<blocks_for(v, n), BLOCK_THREADS>>>(d_length, d_out, n);
  CUDA_CHECK_LAUNCH();
}

static int *lengths_or_exit(int n)
{
  int *length = (int *)malloc((size_t)n * sizeof(int));
  if (!length) {
    fprintf(stderr, "error: no memory for %d lengths\n", n);
    exit(EXIT_FAILURE);
  }
  return length;
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, int n)
{
  size_t out_bytes = (size_t)n * sizeof(float);
  int *h_length = lengths_or_exit(n), *d_length;
  float *h_expected = (float *)lengths_or_exit(n), *d_out;
  char *h_got = (char *)malloc(out_bytes + GUARD_BYTES);
  char what[80];
  if (!h_got)
    exit(EXIT_FAILURE);
  fill_lengths(random, h_length, n, v->order);
  for (int i = 0; i < n; i++) {
    h_expected[i] = 0.0f;
    for (int k = 0; k < h_length[i]; k++)
      h_expected[i] = one_step(h_expected[i]);
  }
  CUDA_CHECK(cudaMalloc(&d_length, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_out, out_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_length, h_length, n * sizeof(int),
                        cudaMemcpyHostToDevice));
  poison_device(d_out, out_bytes + GUARD_BYTES);
  launch(v, d_length, d_out, n);
  CUDA_CHECK(cudaMemcpy(h_got, d_out, out_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_length));
  CUDA_CHECK(cudaFree(d_out));
  snprintf(what, sizeof what, "%s, n = %d", v->name, n);
  int right = compare_floats(what, h_expected, (const float *)h_got, n) &
              compare_guard(what, h_got + out_bytes, GUARD_BYTES);
  free(h_length);
  free(h_expected);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const int sizes[] = {1, 31, 33, 256, 257, 5000};
  enum { N_SIZES = 6 };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < N_SIZES && options_wants(o, versions[k].name); s++)
      right &= check_case(&versions[k], &random, sizes[s]);
  fprintf(options_remarks(o), "check: %d sizes, seed %llu: %s\n", N_SIZES,
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

/* The same lengths for every version, of a seed of their own. */
static steps upload(const version *v, int *d_length, int n)
{
  random_source random = random_from_seed(1);
  int *h_length = lengths_or_exit(n);
  fill_lengths(&random, h_length, n, v->order);
  CUDA_CHECK(cudaMemcpy(d_length, h_length, (size_t)n * sizeof(int),
                        cudaMemcpyHostToDevice));
  steps s = v->kernel == walk_flat
                ? predict_flat(h_length, n, blocks_for(v, n) * BLOCK_THREADS)
                : predict(h_length, n);
  free(h_length);
  return s;
}

static void allocate(int n, int **d_length, float **d_out)
{
  CUDA_CHECK(cudaMalloc(d_length, (size_t)n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(d_out, (size_t)n * sizeof(float)));
}

static int count(const options *o)
{
  int n = (int)memory_length(o, 1 << 14, 2 * sizeof(float)), *d_length;
  float *d_out;
  allocate(n, &d_length, &d_out);
  printf("version,n_elems,lane_steps,warp_steps\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    if (!options_wants(o, v->name))
      continue;
    steps s = upload(v, d_length, n);
    launch(v, d_length, d_out, n);
    printf("%s,%d,%lld,%lld\n", v->name, n, s.of_lanes, s.of_warps);
  }
  CUDA_CHECK(cudaFree(d_length));
  CUDA_CHECK(cudaFree(d_out));
  return EXIT_SUCCESS;
}

static void measure(const options *o)
{
  int n = (int)memory_length(o, (size_t)1 << 24, 2 * sizeof(float));
  int *d_length;
  float *d_out;
  allocate(n, &d_length, &d_out);
  if (o->csv)
    printf("version,n_elems,lane_steps,warp_steps,time_us,spread_us\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    if (!options_wants(o, v->name))
      continue;
    steps s = upload(v, d_length, n);
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(v, d_length, d_out, n);
    if (o->csv)
      printf("%s,%d,%lld,%lld,%.3f,%.3f\n", v->name, n, s.of_lanes,
             s.of_warps, t.median_us, t.spread_us);
    else
      timing_print_row(v->name, t, 2.0 * n * sizeof(float));
  }
  CUDA_CHECK(cudaFree(d_length));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "loops of unequal length",
                            "lengths", "lengths");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && (o.size[0] < 1 ||
                                           o.size[0] > 1 << 28)))
    options_fail(&o, "--size must be one number, 1 to 2^28");
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
