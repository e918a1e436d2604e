/* How large should a tile be? The scan in one pass, with blocks of 128 to
 * 1024 threads and 4 to 16 rows of elements for each warp. */
#include <stddef.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "scan/look_back.h"

typedef void scan_kernel(unsigned *out, const unsigned *in, size_t n,
                         one_pass *work);

typedef struct {
  const char *name;
  const char *idea;
  int threads, rows, streaming;
  scan_kernel *kernel;
  void (*launch)(unsigned *d_out, const unsigned *d_in, size_t n,
                 void *d_work);
} version;

#define SHAPE(threads, rows, streaming)                              \
  {#threads "_" #rows "_" #streaming,                                \
   "threads, rows of a warp, streaming stores",                      \
   threads, rows, streaming,                                         \
   scan_warp_looks_back<threads, rows, streaming>,                   \
   launch_one_pass<threads, rows, streaming>}

static const version versions[] = {
  SHAPE(128, 4, 0), SHAPE(256, 4, 0), SHAPE(256, 8, 0), SHAPE(256, 16, 0),
  SHAPE(512, 8, 0), SHAPE(512, 12, 0), SHAPE(1024, 4, 0),
  SHAPE(1024, 8, 0), SHAPE(1024, 10, 0),
  SHAPE(128, 4, 1), SHAPE(256, 4, 1), SHAPE(256, 8, 1), SHAPE(256, 16, 1),
  SHAPE(512, 8, 1), SHAPE(512, 12, 1), SHAPE(1024, 4, 1),
  SHAPE(1024, 8, 1), SHAPE(1024, 10, 1),
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static size_t tile_of(const version *v)
{
  return (size_t)v->threads / WARP_THREADS * v->rows * ROW;
}

static unsigned *allocate(size_t n)
{
  unsigned *x = (unsigned *)malloc((n + 1) * sizeof(unsigned));
  if (!x) {
    fprintf(stderr, "error: no memory for %zu numbers\n", n);
    exit(EXIT_FAILURE);
  }
  return x;
}

static int check_version(const version *v, const unsigned *h_in,
                         const unsigned *h_expected, size_t n)
{
  size_t n_bytes = n * sizeof(unsigned);
  char *h_out = (char *)malloc(n_bytes + GUARD_BYTES);
  unsigned *d_in, *d_out;
  void *d_work;
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMalloc(&d_work, scan_work_bytes(n)));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  v->launch(d_out, d_in, n, d_work);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  int good = compare_ints(v->name, (const int *)h_expected, (int *)h_out,
                          n) &&
             compare_guard(v->name, h_out + n_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_work));
  free(h_out);
  return good;
}

static int check_versions(const options *o)
{
  static const size_t sizes[] = {1, 511, 4097, 70001};
  random_source source = random_from_seed(o->seed);
  int n_bad = 0;
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    size_t n = sizes[s];
    unsigned *h_in = allocate(n), *h_expected = allocate(n), sum = 0;
    random_fill_bytes(&source, h_in, n * sizeof(unsigned));
    for (size_t i = 0; i < n; i++) {
      h_expected[i] = sum;
      sum += h_in[i];
    }
    for (int i = 0; i < N_VERSIONS; i++)
      if (options_wants(o, versions[i].name))
        n_bad += !check_version(&versions[i], h_in, h_expected, n);
    free(h_in);
    free(h_expected);
  }
  if (n_bad == 0)
    fprintf(options_remarks(o),
            "every shape agrees with the reference (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

static void measure(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 29, 2.1 * sizeof(unsigned));
  unsigned *d_in, *d_out;
  void *d_work;
  CUDA_CHECK(cudaMalloc(&d_in, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(unsigned)));
  CUDA_CHECK(cudaMalloc(&d_work, scan_work_bytes(n)));
  /* Any numbers: nothing here depends on them. */
  CUDA_CHECK(cudaMemset(d_in, 0x5a, n * sizeof(unsigned)));
  if (o->csv)
    printf("version,n_threads,n_rows,streaming,tile_elems,blocks_at_once,"
           "tiles_at_once,n_elems,repetitions,time_us,time_spread_us,"
           "gb_per_s\n");
  else
    timing_print_head();
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name))
      continue;
    int blocks;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, v->kernel, v->threads, 0));
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      v->launch(d_out, d_in, n, d_work);
      CUDA_CHECK_LAUNCH();
    }
    double n_bytes = 2.0 * (double)n * sizeof(unsigned);
    if (o->csv)
      printf("%s,%d,%d,%d,%zu,%d,%d,%zu,%d,%.3f,%.3f,%.2f\n", v->name,
             v->threads, v->rows, v->streaming, tile_of(v), blocks,
             blocks * device_properties()->multiProcessorCount, n,
             t.repetitions, t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(v->name, t, n_bytes);
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_work));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "scans with tiles of all shapes",
                            "shapes", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    options_fail(&o, "--count: this program only measures");
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o);
  return EXIT_SUCCESS;
}
