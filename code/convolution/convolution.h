/* What the listings of this chapter share: the mask, the references, and a
 * program around a table of versions that checks, counts and measures them.
 *
 * An image has n_rows × n_cols floats, row by row; a signal is an image of
 * one row.  A mask of radius r has 2 r + 1 weights, and the square mask is
 * the product of each weight with each. */
#ifndef CODE_CONVOLUTION_CONVOLUTION_H
#define CODE_CONVOLUTION_CONVOLUTION_H

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

typedef struct {
  int n_rows, n_cols, radius;
} problem;

enum {
  MOST_RADIUS = 32,
  MOST_WEIGHTS = 2 * MOST_RADIUS + 1,
  MOST_SQUARE_RADIUS = 16,
  MOST_SQUARE_WEIGHTS = (2 * MOST_SQUARE_RADIUS + 1) *
                        (2 * MOST_SQUARE_RADIUS + 1)
};

/* ---- the mask, on the device and on the host -------------------------- */

// begin masks
__constant__ float mask[MOST_WEIGHTS];
__constant__ float square[MOST_SQUARE_WEIGHTS];
// end masks

static float h_mask[MOST_WEIGHTS], h_square[MOST_SQUARE_WEIGHTS];
static float *d_mask;      /* the same weights, in global memory */
static float *d_between;   /* an image between two passes */

/* Weights whose sizes add up to 1, so that no sum grows. */
static void choose_mask(random_source *source, int radius)
{
  int n = 2 * radius + 1;
  float total = 0.0f;
  for (int j = 0; j < n; j++) {
    h_mask[j] = random_float(source);
    total += fabsf(h_mask[j]);
  }
  for (int j = 0; j < n; j++)
    h_mask[j] /= total;
  CUDA_CHECK(cudaMemcpyToSymbol(mask, h_mask, n * sizeof(float)));
  if (!d_mask)
    CUDA_CHECK(cudaMalloc(&d_mask, sizeof h_mask));
  CUDA_CHECK(cudaMemcpy(d_mask, h_mask, n * sizeof(float),
                        cudaMemcpyHostToDevice));
  if (radius > MOST_SQUARE_RADIUS)
    return;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      h_square[i * n + j] = h_mask[i] * h_mask[j];
  CUDA_CHECK(cudaMemcpyToSymbol(square, h_square, n * n * sizeof(float)));
}

/* ---- references ------------------------------------------------------- */

// begin reference_rows
static void convolve_rows(float *out, const float *in, problem p)
{
  for (int row = 0; row < p.n_rows; row++)
    for (int col = 0; col < p.n_cols; col++) {
      double sum = 0.0;
      for (int j = 0; j <= 2 * p.radius; j++) {
        int at = col + j - p.radius;
        if (at >= 0 && at < p.n_cols)
          sum += (double)h_mask[j] * in[(size_t)row * p.n_cols + at];
      }
      out[(size_t)row * p.n_cols + col] = (float)sum;
    }
}
// end reference_rows

static void convolve_cols(float *out, const float *in, problem p)
{
  for (int row = 0; row < p.n_rows; row++)
    for (int col = 0; col < p.n_cols; col++) {
      double sum = 0.0;
      for (int i = 0; i <= 2 * p.radius; i++) {
        int at = row + i - p.radius;
        if (at >= 0 && at < p.n_rows)
          sum += (double)h_mask[i] * in[(size_t)at * p.n_cols + col];
      }
      out[(size_t)row * p.n_cols + col] = (float)sum;
    }
}

// begin reference_image
static void convolve_image(float *out, const float *in, problem p)
{
  int n = 2 * p.radius + 1;
  for (int row = 0; row < p.n_rows; row++)
    for (int col = 0; col < p.n_cols; col++) {
      double sum = 0.0;
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
          int y = row + i - p.radius, x = col + j - p.radius;
          if (y >= 0 && y < p.n_rows && x >= 0 && x < p.n_cols)
            sum += (double)h_square[i * n + j] *
                   in[(size_t)y * p.n_cols + x];
        }
      out[(size_t)row * p.n_cols + col] = (float)sum;
    }
}
// end reference_image

static void copy_image(float *out, const float *in, problem p)
{
  memcpy(out, in, (size_t)p.n_rows * p.n_cols * sizeof(float));
}

/* ---- what both dimensions use ----------------------------------------- */

static __global__ void copy_groups(float4 *out, const float4 *in,
                                   size_t n_groups)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n_groups)
    out[i] = in[i];
}

static unsigned blocks_for(size_t n, size_t per_block)
{
  return (unsigned)((n + per_block - 1) / per_block);
}

static void launch_copy(float *d_out, const float *d_in, problem p)
{
  size_t n = (size_t)p.n_rows * p.n_cols, n_groups = n / 4;
  if (n_groups > 0)
    copy_groups<<<blocks_for(n_groups, 256), 256>>>(
        (float4 *)d_out, (const float4 *)d_in, n_groups);
  if (n % 4 > 0)   /* the last one to three floats */
    CUDA_CHECK(cudaMemcpy(d_out + 4 * n_groups, d_in + 4 * n_groups,
                          n % 4 * sizeof(float), cudaMemcpyDeviceToDevice));
}

// begin four_sums
/* Four neighbouring outputs of a row, from groups of four inputs.  Wherever
 * this is called, `radius` is a constant: the loops unroll, value[] becomes
 * registers, and each weight a part of its instruction. */
static __device__ __forceinline__ float4 four_sums_with(
    const float *weights, const float4 *row, int group, int n_groups,
    int radius)
{
  int beside = (radius + 3) / 4;         /* groups on either side */
  float value[4 * (2 * (MOST_RADIUS / 4) + 1)], sum[4];
#pragma unroll
  for (int g = 0; g <= 2 * beside; g++) {
    int at = group - beside + g;
    float4 four = at >= 0 && at < n_groups ? row[at] : float4{};
    value[4 * g + 0] = four.x;
    value[4 * g + 1] = four.y;
    value[4 * g + 2] = four.z;
    value[4 * g + 3] = four.w;
  }
#pragma unroll
  for (int k = 0; k < 4; k++) {
    sum[k] = 0.0f;
#pragma unroll
    for (int j = 0; j <= 2 * radius; j++)
      sum[k] += weights[j] * value[4 * beside - radius + k + j];
  }
  return make_float4(sum[0], sum[1], sum[2], sum[3]);
}

static __device__ __forceinline__ float4 four_sums(
    const float4 *row, int group, int n_groups, int radius)
{
  return four_sums_with(mask, row, group, n_groups, radius);
}
// end four_sums

/* ---- a program around a table of versions ------------------------------ */

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(float *d_out, const float *d_in, problem p);
  void (*reference)(float *out, const float *in, problem p);
  int n_passes;      /* times that it reads and writes an image */
  int most_radius;   /* what it is made for */
} version;

typedef struct {
  const char *purpose;
  const version *versions;
  int n_versions;
  const problem *checked;    /* ends with a row count of 0 */
  const problem *laddered;   /* for --csv=ladder */
  const problem *swept;      /* for --csv=radius; ends with 0 */
  const problem *counted;    /* for --count; ends with 0 */
} program;

static int check_version(const version *v, problem p, const float *h_in)
{
  size_t n_bytes = (size_t)p.n_rows * p.n_cols * sizeof(float);
  char what[96];
  snprintf(what, sizeof what, "%s, %d x %d, radius %d", v->name, p.n_rows,
           p.n_cols, p.radius);
  float *h_expected = (float *)malloc(n_bytes);
  char *h_out = (char *)malloc(n_bytes + GUARD_BYTES);
  float *d_in, *d_out;
  if (!h_expected || !h_out) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  v->reference(h_expected, h_in, p);
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMalloc(&d_between, n_bytes));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  poison_device(d_between, n_bytes);
  v->launch(d_out, d_in, p);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int good = compare_floats_within(what, h_expected, (float *)h_out,
                                   n_bytes / sizeof(float), 2e-6, 1.0) &&
             compare_guard(what, h_out + n_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_between));
  free(h_expected);
  free(h_out);
  return good;
}

static int check_versions(const options *o, const program *g)
{
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  for (const problem *p = g->checked; p->n_rows > 0; p++) {
    size_t n = (size_t)p->n_rows * p->n_cols;
    float *h_in = (float *)malloc(n * sizeof(float));
    random_fill_floats(&source, h_in, n);
    choose_mask(&source, p->radius);
    for (int i = 0; i < g->n_versions; i++)
      if (options_wants(o, g->versions[i].name) &&
          p->radius <= g->versions[i].most_radius)
        n_bad += !check_version(&g->versions[i], *p, h_in);
    free(h_in);
  }
  if (n_bad == 0)
    fprintf(options_remarks(o),
            "every version agrees with the reference (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* --size ROWSxCOLSxRADIUS; without it, what the program wants, smaller if the
 * memory is. */
static problem problem_of(const options *o, problem p)
{
  if (o->n_sizes > 0 && o->n_sizes != 3)
    options_fail(o, "--size needs rows x columns x radius");
  if (o->n_sizes == 3) {
    p.n_rows = (int)o->size[0];
    p.n_cols = (int)o->size[1];
    p.radius = (int)o->size[2];
    memory_need(o, 12.0 * (double)p.n_rows * p.n_cols);
    return p;
  }
  if (p.n_rows == 1)
    p.n_cols = (int)memory_length(o, (size_t)p.n_cols, 3 * sizeof(float));
  else
    p.n_rows = p.n_cols =
        (int)memory_side(o, (size_t)p.n_cols, 3 * sizeof(float));
  return p;
}

/* Three images on the device, the first of them filled. */
static void allocate_images(float **d_in, float **d_out, problem p,
                            uint64_t seed)
{
  random_source source = random_from_seed(seed);
  size_t n = (size_t)p.n_rows * p.n_cols;
  CUDA_CHECK(cudaMalloc(d_in, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(d_out, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_between, n * sizeof(float)));
  fill_device_floats(&source, *d_in, n);
  choose_mask(&source, p.radius);
}

static void free_images(float *d_in, float *d_out)
{
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_between));
}

static timing time_version(const version *v, float *d_out, const float *d_in,
                           problem p, int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t)) {
    v->launch(d_out, d_in, p);
    CUDA_CHECK_LAUNCH();
  }
  return t;
}

/* Every version against the copy, which is the first one, in one run. */
static void measure(const options *o, const program *g, problem p)
{
  float *d_in, *d_out;
  double n = (double)p.n_rows * p.n_cols, copy_us = 0.0;
  allocate_images(&d_in, &d_out, p, o->seed);
  for (int i = 0; i < g->n_versions; i++) {
    const version *v = &g->versions[i];
    if (p.radius > v->most_radius || (i > 0 && !options_wants(o, v->name)))
      continue;
    timing t = time_version(v, d_out, d_in, p, o->repetitions);
    if (i == 0)
      copy_us = t.median_us;
    if (o->csv)
      printf("%s,%d,%d,%d,%d,%d,%.3f,%.3f,%.2f,%.4f,%.4f\n", v->name,
             p.radius, p.n_rows, p.n_cols, v->n_passes, t.repetitions,
             t.median_us, t.spread_us, timing_gb_per_s(8.0 * n, t.median_us),
             copy_us / t.median_us, v->n_passes * copy_us / t.median_us);
    else
      timing_print_row(v->name, t, 8.0 * n);
    fflush(stdout);
  }
  free_images(d_in, d_out);
}

/* Each version once, for a profiler or the software device to count. */
static void count(const options *o, const program *g, problem p)
{
  float *d_in, *d_out;
  allocate_images(&d_in, &d_out, p, o->seed);
  for (int i = 0; i < g->n_versions; i++) {
    const version *v = &g->versions[i];
    if (!options_wants(o, v->name) || p.radius > v->most_radius)
      continue;
    v->launch(d_out, d_in, p);
    CUDA_CHECK_LAUNCH();
    for (int launch = 0; launch < v->n_passes; launch++)
      printf("%s,%d,%d,%d,%d\n", v->name, p.radius, p.n_rows, p.n_cols,
             launch + 1);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  free_images(d_in, d_out);
}

static int convolution_main(int argc, char **argv, const program *g)
{
  options o = options_parse(argc, argv, g->purpose, "ladder,radius",
                            "versions");
  options_versions(&o, g->versions, sizeof g->versions[0],
                   (size_t)g->n_versions);
  if (o.count) {
    printf("version,radius,n_rows,n_cols,pass\n");
    if (o.n_sizes > 0)
      count(&o, g, problem_of(&o, g->counted[0]));
    else
      for (const problem *p = g->counted; p->n_rows > 0; p++)
        count(&o, g, *p);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o, g) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  if (o.csv)
    printf("version,radius,n_rows,n_cols,n_passes,repetitions,time_us,"
           "time_spread_us,gb_per_s,share_of_copy,share_of_ceiling\n");
  else
    timing_print_head();
  if (!o.csv || strcmp(o.csv, "ladder") == 0)
    measure(&o, g, problem_of(&o, *g->laddered));
  else
    for (const problem *p = g->swept; p->n_rows > 0; p++)
      measure(&o, g, problem_of(&o, *p));
  return EXIT_SUCCESS;
}

#endif
