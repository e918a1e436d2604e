/* How much does L2 fetch when a load misses?  A program may ask for 32, 64 or
 * 128 bytes: cudaLimitMaxL2FetchGranularity, a hint.  Copies of floats that
 * are a stride apart, for each of them; and with more or fewer floats, so
 * that the same stride spans more or less memory. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"    /* and options.h */
#include "common/timing.h"

enum { BLOCK_THREADS = 256, MAX_STRIDE = 128 };

/* ---- CPU reference ---- */

static void copy_on_host(float *out, const float *in, size_t n,
                         size_t stride)
{
  for (size_t i = 0; i < n; i++)
    out[i] = in[i * stride];
}

/* ---- kernels ---- */

__global__ void fetched(float *out, const float *in, size_t n, size_t stride)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i * stride];
}

// begin fetch_by
/* The device may round the number, or ignore it: what does it say it does? */
static size_t fetch_by(size_t n_bytes)
{
  CUDA_CHECK(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, n_bytes));
  CUDA_CHECK(cudaDeviceGetLimit(&n_bytes, cudaLimitMaxL2FetchGranularity));
  return n_bytes;
}
// end fetch_by

typedef struct {
  const char *name;
  const char *idea;
  size_t n_bytes;       /* 0: as the program finds it */
} version;

static const version versions[] = {
  {"as_found", "what L2 does by itself", 0},
  {"by_32", "asked to fetch 32 bytes", 32},
  {"by_64", "asked to fetch 64 bytes", 64},
  {"by_128", "asked to fetch 128 bytes", 128},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static const size_t strides[] = {1, 2, 4, 8, 16, 32, 64, MAX_STRIDE};
enum { N_STRIDES = sizeof strides / sizeof strides[0] };

/* Sets the limit of a version; returns what the device then says. */
static size_t set_limit(const version *v)
{
  static size_t found = 0;
  if (found == 0)
    CUDA_CHECK(cudaDeviceGetLimit(&found, cudaLimitMaxL2FetchGranularity));
  return fetch_by(v->n_bytes ? v->n_bytes : found);
}

static void launch(float *d_out, const float *d_in, size_t n, size_t stride)
{
  unsigned n_blocks = (unsigned)((n + BLOCK_THREADS - 1) / BLOCK_THREADS);
  fetched<<<n_blocks, BLOCK_THREADS>>>(d_out, d_in, n, stride);
  CUDA_CHECK_LAUNCH();
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, size_t n,
                      size_t stride)
{
  size_t in_bytes = ((n - 1) * stride + 1) * sizeof(float);
  size_t out_bytes = n * sizeof(float);
  float *h_in = (float *)malloc(in_bytes);
  float *h_expected = (float *)malloc(out_bytes);
  char *h_got = (char *)malloc(out_bytes + GUARD_BYTES);
  float *d_in, *d_out;
  char what[64];
  if (!h_in || !h_expected || !h_got) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  snprintf(what, sizeof what, "%s, n = %zu, stride %zu", v->name, n, stride);
  random_fill_bytes(random, h_in, in_bytes);
  copy_on_host(h_expected, h_in, n, stride);
  CUDA_CHECK(cudaMalloc(&d_in, in_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, out_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, in_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, out_bytes + GUARD_BYTES);
  launch(d_out, d_in, n, stride);
  CUDA_CHECK(cudaMemcpy(h_got, d_out, out_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  int right = compare_bytes(what, h_expected, h_got, out_bytes) &
              compare_guard(what, h_got + out_bytes, GUARD_BYTES);
  free(h_in);
  free(h_expected);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const size_t sizes[] = {1, 31, 32, 257, 1000};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(o, versions[k].name))
      continue;
    set_limit(&versions[k]);
    for (int s = 0; s < N_SIZES; s++)
      for (int p = 0; p < N_STRIDES; p++)
        right &= check_case(&versions[k], &random, sizes[s], strides[p]);
  }
  set_limit(&versions[0]);
  fprintf(options_remarks(o), "check: %d sizes, %d strides, seed %llu: %s\n",
          N_SIZES, N_STRIDES, (unsigned long long)o->seed,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

static size_t allocate(const options *o, float **d_out, float **d_in)
{
  size_t n = memory_length(o, (size_t)1 << 25,
                           (MAX_STRIDE + 1.0) * sizeof(float));
  CUDA_CHECK(cudaMalloc(d_in, n * MAX_STRIDE * sizeof(float)));
  CUDA_CHECK(cudaMalloc(d_out, n * sizeof(float)));
  CUDA_CHECK(cudaMemset(*d_in, 0, n * MAX_STRIDE * sizeof(float)));
  return n;
}

static int count(const options *o)
{
  float *d_out, *d_in;
  size_t n = allocate(o, &d_out, &d_in);
  printf("version,limit_bytes,stride_elems,n_elems\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(o, versions[k].name))
      continue;
    size_t now = set_limit(&versions[k]);
    for (int p = 0; p < N_STRIDES; p++) {
      launch(d_out, d_in, n, strides[p]);
      CUDA_CHECK(cudaDeviceSynchronize());
      printf("%s,%zu,%zu,%zu\n", versions[k].name, now, strides[p], n);
    }
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  return EXIT_SUCCESS;
}

/* The same strides over a sixteenth of the memory, a quarter of it, all. */
static void measure_footprints(const options *o)
{
  float *d_out, *d_in;
  size_t most = allocate(o, &d_out, &d_in);
  set_limit(&versions[0]);
  printf("stride_elems,n_elems,footprint_bytes,repetitions,time_us,spread_us,"
         "load_ps\n");
  for (int p = 0; p < N_STRIDES; p++)
    for (size_t n = most / 16; n > 0 && n <= most; n *= 4) {
      timing t = timing_start(o->repetitions);
      while (timing_next(&t))
        launch(d_out, d_in, n, strides[p]);
      printf("%zu,%zu,%zu,%d,%.3f,%.3f,%.3f\n", strides[p], n,
             n * strides[p] * sizeof(float), t.repetitions, t.median_us,
             t.spread_us, 1e6 * t.median_us / (double)n);
      fflush(stdout);
    }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

static void measure(const options *o)
{
  float *d_out, *d_in;
  size_t n = allocate(o, &d_out, &d_in);
  if (o->csv)
    printf("version,limit_bytes,stride_elems,n_elems,repetitions,time_us,"
           "spread_us,gb_per_s\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(o, versions[k].name))
      continue;
    size_t now = set_limit(&versions[k]);
    for (int p = 0; p < N_STRIDES; p++) {
      timing t = timing_start(o->repetitions);
      while (timing_next(&t))
        launch(d_out, d_in, n, strides[p]);
      double n_bytes = 2.0 * (double)n * sizeof(float);
      if (o->csv) {
        printf("%s,%zu,%zu,%zu,%d,%.3f,%.3f,%.2f\n", versions[k].name, now,
               strides[p], n, t.repetitions, t.median_us, t.spread_us,
               timing_gb_per_s(n_bytes, t.median_us));
      } else {
        char name[40];
        snprintf(name, sizeof name, "%s, stride %zu", versions[k].name,
                 strides[p]);
        timing_print_row(name, t, n_bytes);
      }
      fflush(stdout);
    }
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "how much L2 fetches at a time",
                            "granularity,footprint", "granularity");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    return count(&o);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.csv && strcmp(o.csv, "footprint") == 0)
    measure_footprints(&o);
  else if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
