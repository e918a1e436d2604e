/* Histograms of bytes: what the programs of this folder share. Which bytes,
 * the CPU's answer, how a kernel of any version is called, and the best one.
 *
 * n_bytes is below 2^32, so that no bin overflows. */
#ifndef CODE_HISTOGRAM_BYTES_H
#define CODE_HISTOGRAM_BYTES_H

#include "common/compare.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/picture.h"
#include "common/random.h"
#include "common/timing.h"

enum { BINS = 256, WARP_LANES = 32, PATTERN_BYTES = 1 << 20 };

/* ---- CPU reference ---- */

static void histogram_on_host(unsigned *bins, const unsigned char *data,
                              size_t n)
{
  memset(bins, 0, BINS * sizeof *bins);
  for (size_t i = 0; i < n; i++)
    bins[data[i]]++;
}

/* ---- data ---- */

static void *bytes_alloc(size_t n_bytes)
{
  void *h = malloc(n_bytes + 1);
  if (!h) {
    fflush(stdout);
    fprintf(stderr, "error: no host memory; try a smaller --size\n");
    exit(EXIT_FAILURE);
  }
  return h;
}

// begin fill_bins
/* Each byte is drawn from `bins_used` values with the same chance. They lie
 * apart by odd numbers, so that they are in different banks if they can. */
static void fill_bins(random_source *random, unsigned char *data, size_t n,
                      unsigned bins_used)
{
  for (size_t i = 0; i < n; i++)
    data[i] = (unsigned char)(7 + 37 * random_below(random, bins_used));
}
// end fill_bins

/* All bytes of the photograph, over and over. */
static void fill_photograph(unsigned char *data, size_t n)
{
  picture p = picture_of_course("pavilion.ppm");
  size_t n_picture = 3 * p.n_rows * p.n_cols;
  for (size_t i = 0; i < n; i++)
    data[i] = p.rgb[i % n_picture];
  picture_free(&p);
}

/* n bytes on the device that repeat h_pattern; the caller frees them. */
static unsigned char *repeat_on_device(const unsigned char *h_pattern,
                                       size_t n_pattern, size_t n)
{
  unsigned char *d_data;
  CUDA_CHECK(cudaMalloc(&d_data, n + 1));
  for (size_t at = 0; at < n; at += n_pattern) {
    size_t some = n - at < n_pattern ? n - at : n_pattern;
    CUDA_CHECK(cudaMemcpy(d_data + at, at ? d_data : h_pattern, some,
                          at ? cudaMemcpyDeviceToDevice
                             : cudaMemcpyHostToDevice));
  }
  return d_data;
}

/* The histogram of these n bytes. */
static void expect_repeated(unsigned *bins, const unsigned char *h_pattern,
                            size_t n_pattern, size_t n)
{
  unsigned whole[BINS];
  histogram_on_host(whole, h_pattern, n_pattern);
  histogram_on_host(bins, h_pattern, n % n_pattern);
  for (int b = 0; b < BINS; b++)
    bins[b] += whole[b] * (unsigned)(n / n_pattern);
}

/* ---- launches ---- */

/* A launch clears the bins, then counts n bytes. data begins at a multiple
 * of 16, as what cudaMalloc returns does. */
typedef void histogram_launch(unsigned *d_bins, const unsigned char *d_data,
                              size_t n);

/* A test sets this, so that few threads have to walk far. */
static unsigned most_blocks;

/* per_sm blocks for each multiprocessor, but none without work. */
static unsigned resident_blocks(size_t n_threads, unsigned block_threads,
                                unsigned per_sm)
{
  size_t most = (size_t)device_properties()->multiProcessorCount * per_sm;
  size_t n = (n_threads + block_threads - 1) / block_threads;
  if (most_blocks)
    most = most_blocks;
  return (unsigned)(n < 1 ? 1 : n < most ? n : most);
}

static void clear_bins(unsigned *d_bins)
{
  CUDA_CHECK(cudaMemsetAsync(d_bins, 0, BINS * sizeof *d_bins));
}

/* ---- the best version ---- */

enum { LANES_THREADS = 1024, LANES_BLOCKS = 2 };

// begin lanes
__global__ void __launch_bounds__(LANES_THREADS, LANES_BLOCKS)
histogram_lanes(unsigned *bins, const unsigned char *data, size_t n)
{
  __shared__ unsigned copies[BINS][WARP_LANES];
  unsigned *mine = &copies[0][threadIdx.x % WARP_LANES];
  for (int b = threadIdx.x / WARP_LANES; b < BINS;
       b += blockDim.x / WARP_LANES)
    mine[b * WARP_LANES] = 0;
  __syncthreads();
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
// end lanes

static void launch_lanes(unsigned *d_bins, const unsigned char *d_data,
                         size_t n)
{
  clear_bins(d_bins);
  histogram_lanes<<<resident_blocks(n / 16, LANES_THREADS, LANES_BLOCKS),
                    LANES_THREADS>>>(d_bins, d_data, n);
}

/* ---- check ---- */

/* Counts n bytes at d_data, and compares with what is expected. */
static int compare_bins(const char *what, histogram_launch *launch,
                        const unsigned char *d_data, size_t n,
                        const unsigned *expected)
{
  static unsigned got[BINS + GUARD_BYTES / sizeof(unsigned)];
  unsigned *d_bins;
  CUDA_CHECK(cudaMalloc(&d_bins, sizeof got));
  poison_device(d_bins, sizeof got);
  launch(d_bins, d_data, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(got, d_bins, sizeof got, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_bins));
  return compare_ints(what, (const int *)expected, (const int *)got, BINS) &
         compare_guard(what, got + BINS, GUARD_BYTES);
}

/* Sizes with and without a rest; drawn, all the same, and of the photograph,
 * whose bytes are neither; by as many blocks as fit and by two that walk
 * far. */
static int check_bytes(const char *name, histogram_launch *launch,
                       random_source *random)
{
  static const size_t sizes[] = {0, 1, 15, 16, 17, 511, 4096, 70001};
  static const char *kinds[] = {"drawn", "all the same", "photographed"};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0], MOST = 70001 };
  unsigned char *h_data = (unsigned char *)bytes_alloc(MOST);
  int right = 1;
  for (int c = 0; c < 3; c++) {
    if (c < 2)
      fill_bins(random, h_data, MOST, c == 0 ? BINS : 1);
    else
      fill_photograph(h_data, MOST);
    unsigned char *d_data = repeat_on_device(h_data, MOST, MOST);
    for (int s = 0; s < N_SIZES; s++) {
      unsigned expected[BINS];
      char what[96];
      histogram_on_host(expected, h_data, sizes[s]);
      snprintf(what, sizeof what, "%s, %zu bytes, %s", name, sizes[s],
               kinds[c]);
      most_blocks = c == 0 ? 2 : 0;
      right &= compare_bins(what, launch, d_data, sizes[s], expected);
    }
    CUDA_CHECK(cudaFree(d_data));
  }
  most_blocks = 0;
  free(h_data);
  return right;
}

#endif
