/* Multiplies a vector by a number: y[i] = factor * x[i].
 *
 *   nvcc -I code code/SLUG/SLUG.cu -o SLUG && ./SLUG */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"

enum { BLOCK_THREADS = 256 };

/* ---- reference ------------------------------------------------------- */

static void scale_reference(float *y, const float *x, float factor, size_t n)
{
  for (size_t i = 0; i < n; i++)
    y[i] = factor * x[i];
}

/* ---- kernels, each one idea further ---------------------------------- */

// begin one_each
__global__ void SLUG_one_each(float *y, const float *x, float factor, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = factor * x[i];
}
// end one_each

/* ---- launchers ------------------------------------------------------- */

static void launch_one_each(float *d_y, const float *d_x, float factor,
                            size_t n)
{
  unsigned n_blocks = (unsigned)((n + BLOCK_THREADS - 1) / BLOCK_THREADS);
  SLUG_one_each<<<n_blocks, BLOCK_THREADS>>>(d_y, d_x, factor, n);
}

/* ---- versions -------------------------------------------------------- */

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(float *d_y, const float *d_x, float factor, size_t n);
} version;

static const version versions[] = {
  { "one_each", "one thread an element", launch_one_each },
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- checking -------------------------------------------------------- */

static int check_version(const version *v, const float *h_x,
                         const float *h_expected, size_t n)
{
  size_t n_bytes = n * sizeof(float);
  char what[80];
  float *d_x, *d_y;
  char *h_y = (char *)malloc(n_bytes + GUARD_BYTES);
  snprintf(what, sizeof what, "%s, n = %zu", v->name, n);
  CUDA_CHECK(cudaMalloc(&d_x, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_y, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_y, n_bytes + GUARD_BYTES);
  v->launch(d_y, d_x, 2.0f, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(
      cudaMemcpy(h_y, d_y, n_bytes + GUARD_BYTES, cudaMemcpyDeviceToHost));
  int good = compare_floats(what, h_expected, (float *)h_y, n) &&
             compare_guard(what, h_y + n_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  free(h_y);
  return good;
}

static int check_versions(const options *o)
{
  static const size_t sizes[] = { 1, 31, 32, 33, 1000, 65537 };
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    size_t n = sizes[s];
    float *h_x = (float *)malloc(n * sizeof(float));
    float *h_expected = (float *)malloc(n * sizeof(float));
    random_fill_floats(&source, h_x, n);
    scale_reference(h_expected, h_x, 2.0f, n);
    for (int i = 0; i < N_VERSIONS; i++)
      if (options_wants(o, versions[i].name))
        n_bad += !check_version(&versions[i], h_x, h_expected, n);
    free(h_x);
    free(h_expected);
  }
  if (n_bad == 0)
    fprintf(o->csv ? stderr : stdout,
            "every version agrees with the reference (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- measuring ------------------------------------------------------- */

static void allocate_pair(float **d_x, float **d_y, size_t n)
{
  CUDA_CHECK(cudaMalloc(d_x, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(d_y, n * sizeof(float)));
  CUDA_CHECK(cudaMemset(*d_x, 0, n * sizeof(float)));
}

static void measure(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 26, 2 * sizeof(float));
  double n_bytes = 2.0 * (double)n * sizeof(float);
  float *d_x, *d_y;
  allocate_pair(&d_x, &d_y, n);
  if (o->csv)
    printf("version,n_elems,repetitions,time_us,time_spread_us,gb_per_s\n");
  else
    timing_print_head();
  for (int i = 0; i < N_VERSIONS; i++) {
    if (!options_wants(o, versions[i].name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      versions[i].launch(d_y, d_x, 2.0f, n);
      CUDA_CHECK_LAUNCH();
    }
    if (o->csv)
      printf("%s,%zu,%d,%.3f,%.3f,%.2f\n", versions[i].name, n, t.repetitions,
             t.median_us, t.spread_us, timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(versions[i].name, t, n_bytes);
  }
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
}

/* Each version once, for a profiler or the software device to count; prints
 * which launch is which. */
static void count(const options *o)
{
  size_t n = memory_length(o, 4096, 2 * sizeof(float));
  float *d_x, *d_y;
  allocate_pair(&d_x, &d_y, n);
  printf("version,n_elems\n");
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name)) {
      versions[i].launch(d_y, d_x, 2.0f, n);
      CUDA_CHECK_LAUNCH();
      printf("%s,%zu\n", versions[i].name, n);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "multiplies a vector by a number",
                            "bandwidth", "versions");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o);
  return EXIT_SUCCESS;
}
