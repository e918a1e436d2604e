/* Solutions to exercises on coalescing: structures against arrays, and the
 * sums of a matrix's rows against those of its columns. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"

enum { BLOCK_THREADS = 128 };

/* Every problem here reads a matrix of n_rows x n_cols floats, row after
 * row, and writes n_rows or n_cols sums. */
typedef struct {
  int n_rows, n_cols;
} shape;

/* ---- CPU reference: sums in the kernels' order, so that they are equal -- */

static void row_sums_on_host(const float *in, float *out, shape s)
{
  for (int row = 0; row < s.n_rows; row++) {
    float sum = 0.0f;
    for (int col = 0; col < s.n_cols; col++)
      sum += in[(size_t)row * s.n_cols + col];
    out[row] = sum;
  }
}

static void col_sums_on_host(const float *in, float *out, shape s)
{
  for (int col = 0; col < s.n_cols; col++) {
    float sum = 0.0f;
    for (int row = 0; row < s.n_rows; row++)
      sum += in[(size_t)row * s.n_cols + col];
    out[col] = sum;
  }
}

/* ---- kernels ---- */

// begin sum_structures
typedef struct {
  float x, y, z;
} point;

/* n points one after the other. */
__global__ void sum_structures(const point *points, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = points[i].x + points[i].y + points[i].z;
}
// end sum_structures

// begin sum_arrays
/* The n x come first, then the n y, then the n z. */
__global__ void sum_arrays(const float *xyz, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = xyz[i] + xyz[n + i] + xyz[2 * n + i];
}
// end sum_arrays

// begin row_sums
/* One thread for each row: neighbours are a whole row apart. */
__global__ void row_sums(const float *in, float *out, int n_rows, int n_cols)
{
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n_rows)
    return;
  float sum = 0.0f;
  for (int col = 0; col < n_cols; col++)
    sum += in[(size_t)row * n_cols + col];
  out[row] = sum;
}
// end row_sums

// begin col_sums
/* One thread for each column: neighbours are neighbours in memory. */
__global__ void col_sums(const float *in, float *out, int n_rows, int n_cols)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= n_cols)
    return;
  float sum = 0.0f;
  for (int row = 0; row < n_rows; row++)
    sum += in[(size_t)row * n_cols + col];
  out[col] = sum;
}
// end col_sums

/* ---- launchers ---- */

static int blocks_for(int n_threads)
{
  return (n_threads + BLOCK_THREADS - 1) / BLOCK_THREADS;
}

static void launch_structures(const float *d_in, float *d_out, shape s)
{
  sum_structures<<<blocks_for(s.n_rows), BLOCK_THREADS>>>(
      (const point *)d_in, d_out, s.n_rows);
}

static void launch_arrays(const float *d_in, float *d_out, shape s)
{
  sum_arrays<<<blocks_for(s.n_cols), BLOCK_THREADS>>>(d_in, d_out, s.n_cols);
}

static void launch_row_sums(const float *d_in, float *d_out, shape s)
{
  row_sums<<<blocks_for(s.n_rows), BLOCK_THREADS>>>(d_in, d_out, s.n_rows,
                                                    s.n_cols);
}

static void launch_col_sums(const float *d_in, float *d_out, shape s)
{
  col_sums<<<blocks_for(s.n_cols), BLOCK_THREADS>>>(d_in, d_out, s.n_rows,
                                                    s.n_cols);
}

typedef struct {
  const char *name;     /* the kernel's */
  const char *idea;
  void (*launch)(const float *, float *, shape);
  int sums_rows;        /* else columns */
  shape fixed;          /* what is not 0 must be so */
} version;

static const version versions[] = {
  {"sum_structures", "x + y + z of n structures", launch_structures, 1,
   {0, 3}},
  {"sum_arrays", "x + y + z of three arrays of n", launch_arrays, 0, {3, 0}},
  {"row_sums", "a thread for each row of a matrix", launch_row_sums, 1,
   {0, 0}},
  {"col_sums", "a thread for each column of a matrix", launch_col_sums, 0,
   {0, 0}},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* The version's own shape nearest to n x n_others. */
static shape shape_for(const version *v, int n, int n_others)
{
  shape s = {n, n_others};
  if (!v->sums_rows) {
    s.n_rows = n_others;
    s.n_cols = n;
  }
  if (v->fixed.n_rows)
    s.n_rows = v->fixed.n_rows;
  if (v->fixed.n_cols)
    s.n_cols = v->fixed.n_cols;
  return s;
}

static size_t in_elems(shape s)
{
  return (size_t)s.n_rows * s.n_cols;
}

static size_t out_elems(const version *v, shape s)
{
  return v->sums_rows ? s.n_rows : s.n_cols;
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, shape s)
{
  size_t in_bytes = in_elems(s) * sizeof(float);
  size_t n_out = out_elems(v, s), out_bytes = n_out * sizeof(float);
  float *h_in = (float *)malloc(in_bytes);
  float *h_expected = (float *)malloc(out_bytes);
  float *h_got = (float *)malloc(out_bytes + GUARD_BYTES);
  float *d_in, *d_out;
  char what[80];
  if (!h_in || !h_expected || !h_got) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  random_fill_floats(random, h_in, in_elems(s));
  (v->sums_rows ? row_sums_on_host : col_sums_on_host)(h_in, h_expected, s);
  CUDA_CHECK(cudaMalloc(&d_in, in_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, out_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, in_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, out_bytes + GUARD_BYTES);
  v->launch(d_in, d_out, s);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_got, d_out, out_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  snprintf(what, sizeof what, "%s, %d x %d", v->name, s.n_rows, s.n_cols);
  int right = compare_floats(what, h_expected, h_got, n_out) &
              compare_guard(what, h_got + n_out, GUARD_BYTES);
  free(h_in);
  free(h_expected);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const int sizes[] = {1, 31, 32, 33, 127, 129, 500};
  static const int others[] = {1, 2, 37};
  enum { N_SIZES = 7, N_OTHERS = 3 };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int i = 0; i < N_SIZES && options_wants(o, versions[k].name); i++)
      for (int j = 0; j < N_OTHERS; j++)
        right &= check_case(&versions[k], &random,
                            shape_for(&versions[k], sizes[i], others[j]));
  fprintf(options_remarks(o), "check: %d shapes, seed %llu: %s\n",
          N_SIZES * N_OTHERS, (unsigned long long)o->seed,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

static void allocate(const version *v, shape s, float **d_in, float **d_out)
{
  CUDA_CHECK(cudaMalloc(d_in, in_elems(s) * sizeof(float)));
  CUDA_CHECK(cudaMalloc(d_out, out_elems(v, s) * sizeof(float)));
  CUDA_CHECK(cudaMemset(*d_in, 0, in_elems(s) * sizeof(float)));
}

static int count(const options *o)
{
  int n = o->n_sizes > 0 ? (int)o->size[0] : 128;
  printf("version,n_rows,n_cols\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    shape s = shape_for(&versions[k], n, n);
    float *d_in, *d_out;
    if (!options_wants(o, versions[k].name))
      continue;
    allocate(&versions[k], s, &d_in, &d_out);
    versions[k].launch(d_in, d_out, s);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaDeviceSynchronize());
    printf("%s,%d,%d\n", versions[k].name, s.n_rows, s.n_cols);
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
  }
  return EXIT_SUCCESS;
}

static void measure(const options *o)
{
  if (o->csv)
    printf("version,n_rows,n_cols,time_us,spread_us,gb_per_s\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    int few = v->fixed.n_rows + v->fixed.n_cols;
    int n = (int)(few ? memory_length(o, 1 << 26, (few + 1) * sizeof(float))
                      : memory_side(o, 1 << 14, sizeof(float)));
    shape s = shape_for(v, n, n);
    double n_bytes = (in_elems(s) + out_elems(v, s)) * sizeof(float);
    float *d_in, *d_out;
    if (!options_wants(o, v->name))
      continue;
    allocate(v, s, &d_in, &d_out);
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      v->launch(d_in, d_out, s);
      CUDA_CHECK_LAUNCH();
    }
    if (o->csv)
      printf("%s,%d,%d,%.3f,%.3f,%.2f\n", v->name, s.n_rows, s.n_cols,
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
  options o = options_parse(argc, argv, "solutions: coalescing",
                            "solutions", "solutions");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && (o.size[0] < 1 ||
                                           o.size[0] > 1 << 15)))
    options_fail(&o, "--size must be one number, 1 to 2^15");
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
