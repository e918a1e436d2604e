/* A histogram under the rules of a pixel shader of 2003, and without them.
 * A shader was run once for each pixel of the image to be made. It could read
 * textures wherever it liked, but write its own pixel only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/timing.h"

enum { N_BINS = 64, BLOCK_THREADS = 64 };

// begin shade
/* The pixel of a bin: reads every value to find its own. */
__global__ void shade(int *image, const int *texture, int n)
{
  int bin = blockIdx.x * blockDim.x + threadIdx.x;
  int count = 0;
  for (int i = 0; i < n; i++)
    if (texture[i] == bin)
      count++;
  image[bin] = count;
}
// end shade

// begin scatter
/* One thread for each value, which writes where the value says. */
__global__ void scatter(int *count, const int *value, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&count[value[i]], 1);
}
// end scatter

// begin halve
/* Solution: a sum in passes. Each pixel of the smaller image adds up two of
 * the larger, and the next pass reads what this one wrote. */
__global__ void halve(int *image, const int *texture, int n)
{
  int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  int right = 2 * pixel + 1;
  if (2 * pixel < n)
    image[pixel] = texture[2 * pixel] + (right < n ? texture[right] : 0);
}
// end halve

static void launch_shade(int *d_count, int *d_value, int n)
{
  shade<<<N_BINS / BLOCK_THREADS, BLOCK_THREADS>>>(d_count, d_value, n);
}

static void launch_scatter(int *d_count, int *d_value, int n)
{
  if (n > 0)
    scatter<<<(n + BLOCK_THREADS - 1) / BLOCK_THREADS, BLOCK_THREADS>>>(
        d_count, d_value, n);
}

// begin sum_in_passes
/* The two images change places after each pass. Returns the passes. */
static int sum_in_passes(int **d_image, int **d_texture, int n)
{
  int passes = 0;
  for (; n > 1; n = (n + 1) / 2, passes++) {
    int pixels = (n + 1) / 2;
    halve<<<(pixels + BLOCK_THREADS - 1) / BLOCK_THREADS, BLOCK_THREADS>>>(
        *d_image, *d_texture, n);
    CUDA_CHECK_LAUNCH();
    int *drawn = *d_image;
    *d_image = *d_texture;
    *d_texture = drawn;
  }
  return passes;
}
// end sum_in_passes

typedef struct {
  const char *name, *idea;
  void (*launch)(int *, int *, int);
} version;

static const version versions[] = {
  {"shade", "a pixel for each bin reads all values", launch_shade},
  {"scatter", "a thread for each value writes where it must",
   launch_scatter},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int *host_ints(size_t n)
{
  int *h = (int *)calloc(n + 1, sizeof *h);
  if (!h) {
    fprintf(stderr, "pixels: error: no memory for %zu numbers\n", n);
    exit(EXIT_FAILURE);
  }
  return h;
}

static int check_sum(int n, const int *value, int *d_a, int *d_b)
{
  int expected = 0, got;
  for (int i = 0; i < n; i++)
    expected += value[i];
  CUDA_CHECK(cudaMemcpy(d_a, value, n * sizeof(int),
                        cudaMemcpyHostToDevice));
  sum_in_passes(&d_b, &d_a, n);
  CUDA_CHECK(cudaMemcpy(&got, d_a, sizeof got, cudaMemcpyDeviceToHost));
  if (got == expected)
    return 0;
  fprintf(stderr, "pixels: error: the sum of %d values in passes is %d, "
          "expected %d\n", n, got, expected);
  return 1;
}

static int check_size(const options *o, random_source *random, int n)
{
  int *value = host_ints(n), count[N_BINS] = {0}, got[N_BINS], n_bad = 0;
  int *d_value, *d_count, *d_other;
  for (int i = 0; i < n; i++) {
    value[i] = (int)random_below(random, N_BINS);
    count[value[i]]++;
  }
  CUDA_CHECK(cudaMalloc(&d_value, (n + 1) * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_other, (n + 1) * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_count, sizeof count));
  CUDA_CHECK(cudaMemcpy(d_value, value, n * sizeof(int),
                        cudaMemcpyHostToDevice));
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name))
      continue;
    CUDA_CHECK(cudaMemset(d_count, 0, sizeof count));
    versions[v].launch(d_count, d_value, n);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(got, d_count, sizeof got,
                          cudaMemcpyDeviceToHost));
    for (int bin = 0; bin < N_BINS; bin++)
      if (got[bin] != count[bin]) {
        fprintf(stderr, "pixels %s, n = %d: error: bin %d has %d, expected "
                "%d\n", versions[v].name, n, bin, got[bin], count[bin]);
        n_bad++;
        break;
      }
  }
  if (n > 0)
    n_bad += check_sum(n, value, d_value, d_other);
  CUDA_CHECK(cudaFree(d_value));
  CUDA_CHECK(cudaFree(d_other));
  CUDA_CHECK(cudaFree(d_count));
  free(value);
  return n_bad;
}

static int check(const options *o)
{
  static const int sizes[] = {0, 1, 2, 63, 64, 65, 1000, 4097};
  random_source random = random_from_seed(o->seed);
  int n_bad = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    n_bad += check_size(o, &random, sizes[i]);
  fprintf(options_remarks(o), "check: seed %llu, %s\n",
          (unsigned long long)o->seed, n_bad ? "WRONG" : "all right");
  return n_bad;
}

static void upload(int *d_value, int n)
{
  int *value = host_ints(n);
  for (int i = 0; i < n; i++)
    value[i] = i % N_BINS;      /* no two lanes of a warp meet */
  CUDA_CHECK(cudaMemcpy(d_value, value, n * sizeof(int),
                        cudaMemcpyHostToDevice));
  free(value);
}

/* Every version once, then the passes of the sum. */
static int count(const options *o)
{
  int n = o->n_sizes > 0 ? (int)o->size[0] : 4096, *d_value, *d_count;
  int *d_other;
  CUDA_CHECK(cudaMalloc(&d_value, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_other, n * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_count, N_BINS * sizeof(int)));
  CUDA_CHECK(cudaMemset(d_count, 0, N_BINS * sizeof(int)));
  upload(d_value, n);
  printf("version,n_elems,n_bins\n");
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name))
      continue;
    versions[v].launch(d_count, d_value, n);
    CUDA_CHECK_LAUNCH();
    printf("%s,%d,%d\n", versions[v].name, n, N_BINS);
  }
  if (!o->version) {
    int passes = sum_in_passes(&d_other, &d_value, n);
    for (int pass = 1; pass <= passes; pass++)
      printf("pass_%d,%d,%d\n", pass, n, 1);
  }
  CUDA_CHECK(cudaFree(d_value));
  CUDA_CHECK(cudaFree(d_other));
  CUDA_CHECK(cudaFree(d_count));
  return EXIT_SUCCESS;
}

static void measure(const options *o)
{
  enum { N = 1 << 20 };
  int *d_value, *d_count;
  CUDA_CHECK(cudaMalloc(&d_value, N * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&d_count, N_BINS * sizeof(int)));
  CUDA_CHECK(cudaMemset(d_count, 0, N_BINS * sizeof(int)));
  upload(d_value, N);
  printf("version,n_elems,time_us,time_spread_us\n");
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      versions[v].launch(d_count, d_value, N);
      CUDA_CHECK_LAUNCH();
    }
    printf("%s,%d,%.2f,%.2f\n", versions[v].name, N, t.median_us,
           t.spread_us);
  }
  CUDA_CHECK(cudaFree(d_value));
  CUDA_CHECK(cudaFree(d_count));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a histogram made by pixels",
                            "pixels", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    return count(&o);
  if (check(&o) > 0)
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
