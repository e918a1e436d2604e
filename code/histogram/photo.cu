/* The histogram of a colour photograph: 256 bins for each of red, green and
 * blue.
 *
 *   nvcc -I code code/histogram/photo.cu -o photo && ./photo
 */
#include "common/compare.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/picture.h"
#include "common/timing.h"
#include "histogram/plain.h"

enum { BLOCK_THREADS = 256, ALL_BINS = 3 * 256, SM_BLOCKS = 8 };

/* ---- CPU reference ---- */

// begin reference
static void photo_on_host(unsigned *bins, const unsigned char *rgb,
                          size_t n_pixels)
{
  memset(bins, 0, ALL_BINS * sizeof *bins);
  for (size_t x = 0; x < n_pixels; x++)
    for (int c = 0; c < 3; c++)
      bins[256 * c + rgb[3 * x + c]]++;
}
// end reference

/* ---- kernels ---- */

// begin global
__global__ void photo_global(unsigned *bins, const unsigned char *rgb,
                             size_t n_pixels)
{
  size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n_pixels)
    return;
  atomicAdd(&bins[rgb[3 * x]], 1u);             /* red */
  atomicAdd(&bins[256 + rgb[3 * x + 1]], 1u);   /* green */
  atomicAdd(&bins[512 + rgb[3 * x + 2]], 1u);   /* blue */
}
// end global

// begin shared
__global__ void photo_shared(unsigned *bins, const unsigned char *rgb,
                             size_t n_pixels)
{
  __shared__ unsigned mine[ALL_BINS];
  for (int b = threadIdx.x; b < ALL_BINS; b += blockDim.x)
    mine[b] = 0;
  __syncthreads();
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t x = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
       x < n_pixels; x += step) {
    atomicAdd(&mine[rgb[3 * x]], 1u);
    atomicAdd(&mine[256 + rgb[3 * x + 1]], 1u);
    atomicAdd(&mine[512 + rgb[3 * x + 2]], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < ALL_BINS; b += blockDim.x)
    if (mine[b] != 0)
      atomicAdd(&bins[b], mine[b]);
}
// end shared

static unsigned blocks_for(size_t n)
{
  return (unsigned)((n + BLOCK_THREADS - 1) / BLOCK_THREADS) + (n == 0);
}

static void clear_bins(unsigned *d_bins)
{
  CUDA_CHECK(cudaMemsetAsync(d_bins, 0, ALL_BINS * sizeof *d_bins));
}

static void launch_plain(unsigned *d_bins, const unsigned char *d_rgb,
                         size_t n_pixels)
{
  clear_bins(d_bins);
  photo_plain<<<blocks_for(n_pixels), BLOCK_THREADS>>>(d_bins, d_rgb,
                                                       n_pixels);
}

static void launch_global(unsigned *d_bins, const unsigned char *d_rgb,
                          size_t n_pixels)
{
  clear_bins(d_bins);
  photo_global<<<blocks_for(n_pixels), BLOCK_THREADS>>>(d_bins, d_rgb,
                                                        n_pixels);
}

static void launch_shared(unsigned *d_bins, const unsigned char *d_rgb,
                          size_t n_pixels)
{
  unsigned most = SM_BLOCKS * device_properties()->multiProcessorCount;
  unsigned wanted = blocks_for(n_pixels);
  clear_bins(d_bins);
  photo_shared<<<wanted < most ? wanted : most, BLOCK_THREADS>>>(
      d_bins, d_rgb, n_pixels);
}

typedef struct {
  const char *name, *idea;
  void (*launch)(unsigned *, const unsigned char *, size_t);
} version;

static const version versions[] = {
  {"global", "three atomics in global memory a pixel", launch_global},
  {"shared", "bins of its own for each block", launch_shared},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- one photograph ---- */

typedef struct {
  size_t n_pixels;
  unsigned expected[ALL_BINS], got[ALL_BINS];
  unsigned char *d_rgb;
  unsigned *d_bins;
} work;

/* The photograph, n_copies times one below the other, and its histogram. */
static work work_start(size_t n_copies)
{
  work w;
  picture p = picture_of_course("pavilion.ppm");
  size_t n = p.n_rows * p.n_cols;
  w.n_pixels = n * n_copies;
  photo_on_host(w.expected, p.rgb, n);
  for (int b = 0; b < ALL_BINS; b++)
    w.expected[b] *= (unsigned)n_copies;
  CUDA_CHECK(cudaMalloc(&w.d_rgb, 3 * w.n_pixels));
  CUDA_CHECK(cudaMalloc(&w.d_bins, sizeof w.got));
  for (size_t k = 0; k < n_copies; k++)
    CUDA_CHECK(cudaMemcpy(w.d_rgb + 3 * n * k, p.rgb, 3 * n,
                          cudaMemcpyHostToDevice));
  picture_free(&p);
  return w;
}

static void work_end(work *w)
{
  CUDA_CHECK(cudaFree(w->d_rgb));
  CUDA_CHECK(cudaFree(w->d_bins));
}

static const unsigned *work_run(work *w, const version *v, size_t n_pixels)
{
  poison_device(w->d_bins, sizeof w->got);
  v->launch(w->d_bins, w->d_rgb, n_pixels);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(w->got, w->d_bins, sizeof w->got,
                        cudaMemcpyDeviceToHost));
  return w->got;
}

static int check(const options *o)
{
  work w = work_start(1);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name))
      right &= compare_ints(versions[k].name, (const int *)w.expected,
          (const int *)work_run(&w, &versions[k], w.n_pixels), ALL_BINS);
  for (size_t n = 0; n <= 1000; n += 1000) {    /* the first 0, 1000 pixels */
    picture p = picture_of_course("pavilion.ppm");
    photo_on_host(w.expected, p.rgb, n);
    picture_free(&p);
    for (int k = 0; k < N_VERSIONS; k++)
      if (options_wants(o, versions[k].name))
        right &= compare_ints(versions[k].name, (const int *)w.expected,
            (const int *)work_run(&w, &versions[k], n), ALL_BINS);
  }
  work_end(&w);
  fprintf(options_remarks(o), "check: the photograph and parts of it: %s\n",
          right ? "all right" : "WRONG");
  return right;
}

/* ---- experiments ---- */

/* The photograph's histogram itself. */
static void print_bins(void)
{
  work w = work_start(1);
  const unsigned *bins = work_run(&w, &versions[1], w.n_pixels);
  printf("value,red,green,blue\n");
  for (int b = 0; b < 256; b++)
    printf("%d,%u,%u,%u\n", b, bins[b], bins[256 + b], bins[512 + b]);
  work_end(&w);
}

/* How many of the counts arrive without atomics: the median of many runs. */
static void print_lost(const options *o)
{
  enum { MOST_RUNS = 1000 };
  static const version plain = {"plain", "++", launch_plain};
  double samples[MOST_RUNS];
  work w = work_start(1);
  for (int r = 0; r < o->repetitions; r++) {
    const unsigned *bins = work_run(&w, &plain, w.n_pixels);
    samples[r] = 0;
    for (int b = 0; b < ALL_BINS; b++)
      samples[r] += bins[b];
  }
  timing t;
  timing_summarise(&t, samples, o->repetitions);
  printf("version,n_pixels,repetitions,n_counts,n_arrived,arrived_share\n");
  printf("plain,%zu,%d,%zu,%.0f,%.5f\n", w.n_pixels, o->repetitions,
         3 * w.n_pixels, t.median_us, t.median_us / (3.0 * w.n_pixels));
  work_end(&w);
}

/* How many photographs: one is too small for a GPU. */
static size_t wanted_copies(const options *o)
{
  return o->n_sizes ? o->size[0] : 64;
}

static void measure(const options *o)
{
  work w = work_start(wanted_copies(o));
  if (o->csv)
    printf("version,n_pixels,repetitions,time_us,spread_us,gb_per_s\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(o, versions[k].name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      versions[k].launch(w.d_bins, w.d_rgb, w.n_pixels);
    double n_bytes = 3.0 * (double)w.n_pixels;
    if (o->csv)
      printf("%s,%zu,%d,%.3f,%.3f,%.2f\n", versions[k].name, w.n_pixels,
             t.repetitions, t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(versions[k].name, t, n_bytes);
  }
  work_end(&w);
}

static int count(const options *o)
{
  work w = work_start(wanted_copies(o));
  printf("version,n_pixels\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name)) {
      versions[k].launch(w.d_bins, w.d_rgb, w.n_pixels);
      CUDA_CHECK_LAUNCH();
      printf("%s,%zu\n", versions[k].name, w.n_pixels);
    }
  CUDA_CHECK(cudaDeviceSynchronize());
  work_end(&w);
  return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "the histogram of a photograph",
                            "times,bins,lost", "photo");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    return count(&o);
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.check)
    return EXIT_SUCCESS;
  if (o.csv && strcmp(o.csv, "bins") == 0) {
    print_bins();
    return EXIT_SUCCESS;
  }
  if (!timing_is_possible())
    return o.csv ? EXIT_SKIPPED : EXIT_SUCCESS;
  if (o.csv && strcmp(o.csv, "lost") == 0)
    print_lost(&o);
  else
    measure(&o);
  return EXIT_SUCCESS;
}
