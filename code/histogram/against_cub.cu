/* The histogram of CUB, which comes with the toolkit, and ours, side by side.
 *
 *   nvcc -I code code/histogram/against_cub.cu -o against && ./against
 */
#include <cub/device/device_histogram.cuh>

#include "histogram/bytes.h"

// begin cub
/* 256 bins of one value each: 257 bounds, from 0 to 256. */
static cudaError_t cub_even(void *d_temp, size_t *n_temp, unsigned *d_bins,
                            const unsigned char *d_data, size_t n)
{
  return cub::DeviceHistogram::HistogramEven(
      d_temp, *n_temp, d_data, d_bins, BINS + 1, 0, (int)BINS, (long long)n);
}

static void launch_cub(unsigned *d_bins, const unsigned char *d_data,
                       size_t n)
{
  static void *d_temp;
  static size_t n_temp, n_before = (size_t)-1;
  if (n != n_before) {                  /* asks how much it needs */
    CUDA_CHECK(cudaFree(d_temp));
    CUDA_CHECK(cub_even(NULL, &n_temp, d_bins, d_data, n));
    CUDA_CHECK(cudaMalloc(&d_temp, n_temp));
    n_before = n;
  }
  CUDA_CHECK(cub_even(d_temp, &n_temp, d_bins, d_data, n));
}
// end cub

typedef struct {
  const char *name, *idea;
  histogram_launch *launch;
} version;

static const version versions[] = {
  {"cub", "cub::DeviceHistogram::HistogramEven", launch_cub},
  {"lanes", "the last version of ladder.cu", launch_lanes},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static const struct {
  const char *name;
  unsigned bins_used;           /* 0: the photograph */
} kinds[] = {{"drawn", 256}, {"photograph", 0}, {"16_values", 16},
             {"one_value", 1}};
enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static int measure(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 29, 2);
  unsigned char *h_pattern = (unsigned char *)bytes_alloc(PATTERN_BYTES);
  unsigned *d_bins;
  int right = 1;
  CUDA_CHECK(cudaMalloc(&d_bins, BINS * sizeof *d_bins));
  printf("version,data,n_bytes,repetitions,time_us,spread_us,gb_per_s\n");
  for (int d = 0; d < N_KINDS; d++) {
    random_source random = random_from_seed(1);
    unsigned expected[BINS];
    if (kinds[d].bins_used)
      fill_bins(&random, h_pattern, PATTERN_BYTES, kinds[d].bins_used);
    else
      fill_photograph(h_pattern, PATTERN_BYTES);
    unsigned char *d_data = repeat_on_device(h_pattern, PATTERN_BYTES, n);
    expect_repeated(expected, h_pattern, PATTERN_BYTES, n);
    for (int k = 0; k < N_VERSIONS; k++) {
      const version *v = &versions[k];
      if (!options_wants(o, v->name))
        continue;
      right &= compare_bins(v->name, v->launch, d_data, n, expected);
      timing t = timing_start(o->repetitions);
      while (timing_next(&t))
        v->launch(d_bins, d_data, n);
      printf("%s,%s,%zu,%d,%.3f,%.3f,%.2f\n", v->name, kinds[d].name, n,
             t.repetitions, t.median_us, t.spread_us,
             timing_gb_per_s((double)n, t.median_us));
      fflush(stdout);
    }
    CUDA_CHECK(cudaFree(d_data));
  }
  CUDA_CHECK(cudaFree(d_bins));
  free(h_pattern);
  return right;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "CUB's histogram and ours", "times",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  random_source random = random_from_seed(o.seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(&o, versions[k].name))
      right &= check_bytes(versions[k].name, versions[k].launch, &random);
  fprintf(options_remarks(&o), "check: 8 sizes, 3 kinds of data, seed %llu: "
          "%s\n", (unsigned long long)o.seed, right ? "all right" : "WRONG");
  if (o.check || !right)
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
  if (!timing_is_possible())
    return o.csv ? EXIT_SKIPPED : EXIT_SUCCESS;
  return measure(&o) ? EXIT_SUCCESS : EXIT_FAILURE;
}
