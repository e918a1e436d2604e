/* Solutions of the exercises: the photograph by columns, bytes that begin
 * anywhere, and a maximum of floats.
 *
 *   nvcc -I code code/histogram/solutions.cu -o solutions && ./solutions
 */
#include "histogram/bytes.h"

enum { ALL_BINS = 3 * BINS, PHOTO_GROUPS = 3, PHOTO_BYTES = 48,
       MAX_THREADS = 256 };

/* ---- the photograph by columns ---- */

// begin rgb
/* 48 bytes are 16 pixels: byte k is of channel k % 3. Three times 32 KiB
 * of counters are more than a static array may have. */
__global__ void __launch_bounds__(LANES_THREADS, LANES_BLOCKS)
photo_columns(unsigned *bins, const unsigned char *rgb, size_t n)
{
  extern __shared__ unsigned columns[];
  for (int i = threadIdx.x; i < ALL_BINS * WARP_LANES; i += blockDim.x)
    columns[i] = 0;
  __syncthreads();
  unsigned *mine = &columns[threadIdx.x % WARP_LANES];
  const uint4 *groups = (const uint4 *)rgb;
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
       i < n / PHOTO_BYTES; i += step)
    for (int g = 0; g < PHOTO_GROUPS; g++) {
      uint4 group = groups[PHOTO_GROUPS * i + g];
      unsigned word[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
      for (int k = 0; k < 16; k++) {
        unsigned value = word[k / 4] >> 8 * (k % 4) & 255;
        unsigned channel = (16 * g + k) % 3;
        atomicAdd(&mine[(BINS * channel + value) * WARP_LANES], 1u);
      }
    }
  size_t rest = n - n % PHOTO_BYTES + threadIdx.x;
  if (blockIdx.x == 0 && rest < n)
    atomicAdd(&mine[(BINS * (rest % 3) + rgb[rest]) * WARP_LANES], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < ALL_BINS; b += blockDim.x) {
    unsigned sum = 0;
    for (int k = 0; k < WARP_LANES; k++)
      sum += columns[b * WARP_LANES + (b + k) % WARP_LANES];
    atomicAdd(&bins[b], sum);
  }
}
// end rgb

static void launch_rgb(unsigned *d_bins, const unsigned char *d_rgb,
                       size_t n)
{
  enum { N_BYTES = ALL_BINS * WARP_LANES * sizeof(unsigned) };
  CUDA_CHECK(cudaMemsetAsync(d_bins, 0, ALL_BINS * sizeof *d_bins));
  CUDA_CHECK(cudaFuncSetAttribute(photo_columns,
      cudaFuncAttributeMaxDynamicSharedMemorySize, N_BYTES));
  photo_columns<<<resident_blocks(n / PHOTO_BYTES, LANES_THREADS,
                                  LANES_BLOCKS),
                  LANES_THREADS, N_BYTES>>>(d_bins, d_rgb, n);
}

static int check_rgb(random_source *)
{
  static unsigned expected[ALL_BINS], got[ALL_BINS];
  picture p = picture_of_course("pavilion.ppm");
  size_t n_picture = 3 * p.n_rows * p.n_cols, sizes[] = {0, 3, 480, 4803,
                                                         n_picture};
  unsigned char *d_rgb = repeat_on_device(p.rgb, n_picture, n_picture);
  unsigned *d_bins;
  int right = 1;
  CUDA_CHECK(cudaMalloc(&d_bins, sizeof got));
  for (int s = 0; s < 5; s++) {
    memset(expected, 0, sizeof expected);
    for (size_t i = 0; i < sizes[s]; i++)
      expected[BINS * (i % 3) + p.rgb[i]]++;
    poison_device(d_bins, sizeof got);
    most_blocks = 2;
    launch_rgb(d_bins, d_rgb, sizes[s]);
    most_blocks = 0;
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(got, d_bins, sizeof got, cudaMemcpyDeviceToHost));
    right &= compare_ints("rgb", (const int *)expected, (const int *)got,
                          ALL_BINS);
  }
  CUDA_CHECK(cudaFree(d_bins));
  CUDA_CHECK(cudaFree(d_rgb));
  picture_free(&p);
  return right;
}

/* ---- bytes that begin anywhere ---- */

// begin anywhere
__global__ void __launch_bounds__(LANES_THREADS, LANES_BLOCKS)
histogram_anywhere(unsigned *bins, const unsigned char *data, size_t n)
{
  __shared__ unsigned copies[BINS][WARP_LANES];
  unsigned *mine = &copies[0][threadIdx.x % WARP_LANES];
  for (int b = threadIdx.x / WARP_LANES; b < BINS;
       b += blockDim.x / WARP_LANES)
    mine[b * WARP_LANES] = 0;
  __syncthreads();
  size_t before = -(size_t)data % 16;   /* bytes up to a multiple of 16 */
  if (before > n)
    before = n;
  if (blockIdx.x == 0 && threadIdx.x < before)
    atomicAdd(&mine[data[threadIdx.x] * WARP_LANES], 1u);
  data += before;
  n -= before;
  const uint4 *groups = (const uint4 *)data;
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n / 16;
       i += step) {
    uint4 group = groups[i];
    unsigned word[4] = {group.x, group.y, group.z, group.w};
#pragma unroll
    for (int k = 0; k < 16; k++)
      atomicAdd(&mine[(word[k / 4] >> 8 * (k % 4) & 255) * WARP_LANES], 1u);
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 16)
    atomicAdd(&mine[data[n - 1 - threadIdx.x] * WARP_LANES], 1u);
  __syncthreads();
  if (threadIdx.x < BINS) {
    unsigned sum = 0;
    for (int c = 0; c < WARP_LANES; c++)
      sum += copies[threadIdx.x][(threadIdx.x + c) % WARP_LANES];
    atomicAdd(&bins[threadIdx.x], sum);
  }
}
// end anywhere

static void launch_anywhere(unsigned *d_bins, const unsigned char *d_data,
                            size_t n)
{
  clear_bins(d_bins);
  histogram_anywhere<<<resident_blocks(n / 16, LANES_THREADS, LANES_BLOCKS),
                       LANES_THREADS>>>(d_bins, d_data, n);
}

static int check_anywhere(random_source *random)
{
  static const size_t starts[] = {0, 1, 7, 15, 16}, sizes[] = {0, 3, 100,
                                                               9001};
  static unsigned char h_data[16 + 9001];
  int right = 1;
  fill_bins(random, h_data, sizeof h_data, BINS);
  unsigned char *d_data = repeat_on_device(h_data, sizeof h_data,
                                           sizeof h_data);
  for (int s = 0; s < 5; s++)
    for (int k = 0; k < 4; k++) {
      unsigned expected[BINS];
      histogram_on_host(expected, h_data + starts[s], sizes[k]);
      right &= compare_bins("anywhere", launch_anywhere, d_data + starts[s],
                            sizes[k], expected);
    }
  CUDA_CHECK(cudaFree(d_data));
  return right;
}

/* ---- the largest of many floats ---- */

// begin largest
__device__ __forceinline__ void atomic_max_float(float *at, float x)
{
  int *word = (int *)at;
  int seen = *(volatile int *)word;
  while (x > __int_as_float(seen)) {    /* else there is nothing to do */
    int expected = seen;
    seen = atomicCAS(word, expected, __float_as_int(x));
    if (seen == expected)
      return;
  }
}

__global__ void largest_float(float *largest, const float *x, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomic_max_float(largest, x[i]);
}
// end largest

/* Any floats, negative ones, and ascending ones: there each lane of a warp
 * has more than is known, and all but one must try again. */
static int check_largest(random_source *random)
{
  enum { N = 5000, ANY = 0, NEGATIVE, ASCENDING, KINDS };
  static float h_x[N];
  float *d_x, *d_largest;
  int right = 1;
  CUDA_CHECK(cudaMalloc(&d_x, sizeof h_x));
  CUDA_CHECK(cudaMalloc(&d_largest, sizeof(float)));
  for (int kind = ANY; kind < KINDS; kind++) {
    float expected = -INFINITY, got, start = -INFINITY;
    random_fill_floats(random, h_x, N);
    for (int i = 0; i < N; i++) {
      if (kind == NEGATIVE)
        h_x[i] = -1.5f - fabsf(h_x[i]);
      if (kind == ASCENDING)
        h_x[i] = 0.5f * (float)(i - N / 2);
      expected = fmaxf(expected, h_x[i]);
    }
    CUDA_CHECK(cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(d_largest, &start, sizeof start,
                          cudaMemcpyHostToDevice));
    largest_float<<<(N + MAX_THREADS - 1) / MAX_THREADS, MAX_THREADS>>>(
        d_largest, d_x, N);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(&got, d_largest, sizeof got,
                          cudaMemcpyDeviceToHost));
    right &= compare_floats("largest", &expected, &got, 1);
  }
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_largest));
  return right;
}

/* ---- versions ---- */

typedef struct {
  const char *name, *idea;
  int (*check)(random_source *random);
} version;

static const version versions[] = {
  {"rgb", "the photograph by columns", check_rgb},
  {"anywhere", "bytes that begin anywhere", check_anywhere},
  {"largest", "a maximum of floats, by compare and swap", check_largest},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* The photograph, many times over. */
static void measure(const options *o)
{
  size_t n = 64 * (size_t)205440;
  unsigned char *h_rgb = (unsigned char *)bytes_alloc(205440);
  unsigned *d_bins;
  fill_photograph(h_rgb, 205440);
  unsigned char *d_rgb = repeat_on_device(h_rgb, 205440, n);
  CUDA_CHECK(cudaMalloc(&d_bins, ALL_BINS * sizeof *d_bins));
  printf("version,n_pixels,repetitions,time_us,spread_us,gb_per_s\n");
  timing t = timing_start(o->repetitions);
  while (timing_next(&t))
    launch_rgb(d_bins, d_rgb, n);
  printf("rgb,%zu,%d,%.3f,%.3f,%.2f\n", n / 3, t.repetitions, t.median_us,
         t.spread_us, timing_gb_per_s((double)n, t.median_us));
  CUDA_CHECK(cudaFree(d_rgb));
  CUDA_CHECK(cudaFree(d_bins));
  free(h_rgb);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "solutions on histograms", "times",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  random_source random = random_from_seed(o.seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(&o, versions[k].name))
      right &= versions[k].check(&random);
  fprintf(options_remarks(&o), "check: seed %llu: %s\n",
          (unsigned long long)o.seed, right ? "all right" : "WRONG");
  if (o.check || !right)
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
  if (!timing_is_possible())
    return o.csv ? EXIT_SKIPPED : EXIT_SUCCESS;
  measure(&o);
  return EXIT_SUCCESS;
}
