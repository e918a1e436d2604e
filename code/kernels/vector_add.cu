/* Adds two vectors: c[i] = a[i] + b[i].  The whole way of a CUDA program:
 * allocate, copy in, launch, copy out, free. */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"    /* and options.h */
#include "common/timing.h"

enum { BLOCK_THREADS = 256, MAX_BLOCK_THREADS = 1024 };

/* ---- CPU reference ---- */

// begin add_on_host
static void add_on_host(const float *a, const float *b, float *c, int n)
{
  for (int i = 0; i < n; i++)
    c[i] = a[i] + b[i];
}
// end add_on_host

/* ---- kernels, from naive to best ---- */

// begin add_one_block
__global__ void add_one_block(const float *a, const float *b, float *c)
{
  int i = threadIdx.x;
  c[i] = a[i] + b[i];
}
// end add_one_block

// begin add_one_each
__global__ void add_one_each(const float *a, const float *b, float *c,
                             int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
// end add_one_each

__global__ void add_grid_stride(const float *a, const float *b, float *c,
                                int n)
{
  int n_threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += n_threads)
    c[i] = a[i] + b[i];
}

/* ---- launchers ---- */

// begin launch_one_block
static cudaError_t launch_one_block(const float *d_a, const float *d_b,
                                    float *d_c, int n)
{
  add_one_block<<<1, n>>>(d_a, d_b, d_c);
  return cudaGetLastError();
}
// end launch_one_block

// begin launch_one_each
static cudaError_t launch_one_each(const float *d_a, const float *d_b,
                                   float *d_c, int n)
{
  int n_blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  add_one_each<<<n_blocks, BLOCK_THREADS>>>(d_a, d_b, d_c, n);
  return cudaGetLastError();
}
// end launch_one_each

static cudaError_t launch_grid_stride(const float *d_a, const float *d_b,
                                      float *d_c, int n)
{
  int n_blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  int enough = 8 * device_properties()->multiProcessorCount;
  if (n_blocks > enough)
    n_blocks = enough;
  add_grid_stride<<<n_blocks, BLOCK_THREADS>>>(d_a, d_b, d_c, n);
  return cudaGetLastError();
}

typedef struct {
  const char *name;
  const char *idea;
  cudaError_t (*launch)(const float *, const float *, float *, int);
  int max_elems;
} version;

static const version versions[] = {
  {"one_block", "one block of n threads, so n is at most 1024",
   launch_one_block, MAX_BLOCK_THREADS},
  {"one_each", "one thread per element, as many blocks as it takes",
   launch_one_each, 1 << 28},
  {"grid_stride", "enough blocks to fill the GPU; threads take big steps",
   launch_grid_stride, 1 << 28},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- the whole flow ---- */

// begin flow
/* h_c[i] = h_a[i] + h_b[i], computed on the GPU; n > 0. */
static void add_on_device(const float *h_a, const float *h_b, float *h_c,
                          int n)
{
  size_t n_bytes = n * sizeof(float);
  float *d_a, *d_b, *d_c;

  CUDA_CHECK(cudaMalloc(&d_a, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_b, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_c, n_bytes));

  CUDA_CHECK(cudaMemcpy(d_a, h_a, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, h_b, n_bytes, cudaMemcpyHostToDevice));

  int n_blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  add_one_each<<<n_blocks, BLOCK_THREADS>>>(d_a, d_b, d_c, n);
  CUDA_CHECK_LAUNCH();

  CUDA_CHECK(cudaMemcpy(h_c, d_c, n_bytes, cudaMemcpyDeviceToHost));

  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
}
// end flow

/* ---- check ---- */

/* Two inputs, the expected sum, and space for the result and its guard. */
typedef struct {
  float *a, *b, *expected, *got;
} host_vectors;

static float *host_alloc(size_t n_bytes)
{
  float *h = (float *)malloc(n_bytes > 0 ? n_bytes : 1);
  if (!h) {
    fprintf(stderr, "error: no host memory for %zu bytes; try a smaller "
            "--size\n", n_bytes);
    exit(EXIT_FAILURE);
  }
  return h;
}

static host_vectors host_vectors_new(int n)
{
  size_t n_bytes = n * sizeof(float);
  host_vectors h = {host_alloc(n_bytes), host_alloc(n_bytes),
                    host_alloc(n_bytes), host_alloc(n_bytes + GUARD_BYTES)};
  return h;
}

static void host_vectors_free(host_vectors *h)
{
  free(h->a);
  free(h->b);
  free(h->expected);
  free(h->got);
}

/* Values at the ends of what a float can hold, over and over. */
static void fill_extremes(float *a, float *b, int n)
{
  static const float values[] = {0.0f, -0.0f, FLT_MAX, -FLT_MAX, FLT_MIN,
                                 FLT_TRUE_MIN, 1.0f, FLT_EPSILON, 16777216.0f};
  int n_values = sizeof values / sizeof values[0];
  for (int i = 0; i < n; i++) {
    a[i] = values[i % n_values];
    b[i] = values[i / n_values % n_values];
  }
}

static int check_once(const version *v, host_vectors *h, int n)
{
  size_t n_bytes = n * sizeof(float);
  char what[80];
  float *d_a, *d_b, *d_c;
  snprintf(what, sizeof what, "vector_add %s, n = %d", v->name, n);
  CUDA_CHECK(cudaMalloc(&d_a, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_b, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_c, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_a, h->a, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, h->b, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_c, n_bytes + GUARD_BYTES);
  if (n > 0)    /* a grid of no blocks would be an error */
    CUDA_CHECK(v->launch(d_a, d_b, d_c, n));
  CUDA_CHECK(cudaMemcpy(h->got, d_c, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  return compare_floats(what, h->expected, h->got, n) &
         compare_guard(what, h->got + n, GUARD_BYTES);
}

/* More threads than a block may have: the launch itself must fail, with one
 * error since CUDA 13 and with another one before. */
static int check_refused(const version *v, int n)
{
  cudaError_t error = v->launch(NULL, NULL, NULL, n);
  if (error == cudaErrorInvalidValue ||
      error == cudaErrorInvalidConfiguration)
    return 1;
  fprintf(stderr, "vector_add %s, n = %d: error: expected the launch to "
          "fail with cudaErrorInvalidValue, got %s\n",
          v->name, n, cudaGetErrorName(error));
  return 0;
}

static int check_size(const options *o, random_source *random, int n,
                      int extremes)
{
  int right = 1;
  host_vectors h = host_vectors_new(n);
  if (extremes) {
    fill_extremes(h.a, h.b, n);
  } else {
    random_fill_floats(random, h.a, n);
    random_fill_floats(random, h.b, n);
  }
  add_on_host(h.a, h.b, h.expected, n);
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(o, versions[k].name))
      continue;
    right &= n > versions[k].max_elems ? check_refused(&versions[k], n)
                                       : check_once(&versions[k], &h, n);
  }
  if (n > 0) {
    poison_host(h.got, n * sizeof(float));
    add_on_device(h.a, h.b, h.got, n);
    right &= compare_floats("vector_add, whole flow", h.expected, h.got, n);
  }
  host_vectors_free(&h);
  return right;
}

static int check(const options *o)
{
  /* The last is more than the threads of any launch of grid_stride. */
  int sizes[] = {0, 1, 31, 32, 33, 1000, 1024, 1025, (1 << 20) + 3};
  int n_sizes = sizeof sizes / sizeof sizes[0];
  random_source random = random_from_seed(o->seed);
  int right = 1;
  if (o->n_sizes > 0)
    sizes[n_sizes - 1] = (int)o->size[0];
  for (int i = 0; i < n_sizes; i++)
    right &= check_size(o, &random, sizes[i], 0);
  right &= check_size(o, &random, 1000, 1);
  fprintf(options_remarks(o), "check: %d sizes from %d to %d, seed %llu: "
          "%s\n", n_sizes, sizes[0], sizes[n_sizes - 1],
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count: every version once ---- */

static int count(const options *o)
{
  int n = o->n_sizes > 0 ? (int)o->size[0] : 1000;
  float *d_x;
  CUDA_CHECK(cudaMalloc(&d_x, 3 * n * sizeof(float)));
  CUDA_CHECK(cudaMemset(d_x, 0, 3 * n * sizeof(float)));
  printf("version,n_elems\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(o, versions[k].name) || n > versions[k].max_elems)
      continue;
    CUDA_CHECK(versions[k].launch(d_x, d_x + n, d_x + 2 * n, n));
    printf("%s,%d\n", versions[k].name, n);
  }
  CUDA_CHECK(cudaFree(d_x));
  return EXIT_SUCCESS;
}

/* ---- experiment `version`: the kernels alone, against a device copy ---- */

static timing time_version(const version *v, const float *d_a,
                           const float *d_b, float *d_c, int n,
                           int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t))
    CUDA_CHECK(v->launch(d_a, d_b, d_c, n));
  return t;
}

static void measure_versions(const options *o, int as_csv)
{
  int largest = (int)memory_length(o, 1 << 26, 3 * sizeof(float));
  float *d_a, *d_b, *d_c;
  CUDA_CHECK(cudaMalloc(&d_a, largest * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_b, largest * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_c, largest * sizeof(float)));
  CUDA_CHECK(cudaMemset(d_a, 0, largest * sizeof(float)));
  CUDA_CHECK(cudaMemset(d_b, 0, largest * sizeof(float)));
  if (as_csv)
    printf("version,n_elems,time_us,spread_us,gb_per_s\n");
  else
    timing_print_head();
  for (int k = 0; k <= N_VERSIONS; k++) {
    const char *name = k < N_VERSIONS ? versions[k].name : "copy";
    int n = k < N_VERSIONS && versions[k].max_elems < largest
                ? versions[k].max_elems : largest;
    double n_bytes = (k < N_VERSIONS ? 3.0 : 2.0) * n * sizeof(float);
    timing t;
    if (!options_wants(o, name))
      continue;
    if (k < N_VERSIONS) {
      t = time_version(&versions[k], d_a, d_b, d_c, n, o->repetitions);
    } else {
      t = timing_start(o->repetitions);
      while (timing_next(&t))
        CUDA_CHECK(cudaMemcpyAsync(d_c, d_a, n * sizeof(float),
                                   cudaMemcpyDeviceToDevice));
    }
    if (as_csv)
      printf("%s,%d,%.3f,%.3f,%.2f\n", name, n, t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(name, t, n_bytes);
  }
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
}

/* ---- experiment `size`: where the time goes ---- */

enum { MAX_REPETITIONS = 1000 };

/* One column of samples in microseconds. */
typedef struct {
  double us[MAX_REPETITIONS];
} samples;

/* The parts of one pass, each over all repetitions. */
typedef struct {
  samples alloc, copy_in, kernel, copy_out, total;
} flow_samples;

// begin time_flow
/* One pass through the flow, timed by the host's clock.  The device is
 * waited for after each part, so that each part's time is its own. */
static void time_flow(const float *h_a, const float *h_b, float *h_c, int n,
                      flow_samples *s, int pass)
{
  size_t n_bytes = n * sizeof(float);
  float *d_a, *d_b, *d_c;

  CUDA_CHECK(cudaDeviceSynchronize());
  double start = timing_host_us();
  CUDA_CHECK(cudaMalloc(&d_a, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_b, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_c, n_bytes));
  double allocated = timing_host_us();
  CUDA_CHECK(cudaMemcpy(d_a, h_a, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_b, h_b, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaDeviceSynchronize());
  double copied_in = timing_host_us();
  CUDA_CHECK(launch_one_each(d_a, d_b, d_c, n));
  CUDA_CHECK(cudaDeviceSynchronize());
  double computed = timing_host_us();
  CUDA_CHECK(cudaMemcpy(h_c, d_c, n_bytes, cudaMemcpyDeviceToHost));
  double copied_out = timing_host_us();
  CUDA_CHECK(cudaFree(d_a));
  CUDA_CHECK(cudaFree(d_b));
  CUDA_CHECK(cudaFree(d_c));
  double freed = timing_host_us();

  s->alloc.us[pass] = (allocated - start) + (freed - copied_out);
  s->copy_in.us[pass] = copied_in - allocated;
  s->kernel.us[pass] = computed - copied_in;
  s->copy_out.us[pass] = copied_out - computed;
  s->total.us[pass] = freed - start;
}
// end time_flow

static timing summary(samples *s, int repetitions)
{
  timing t = {};
  timing_summarise(&t, s->us, repetitions);
  return t;
}

static void measure_host(const float *h_a, const float *h_b, float *h_c,
                         int n, samples *s, int repetitions)
{
  for (int pass = -1; pass < repetitions; pass++) {   /* -1 warms up */
    double start = timing_host_us();
    add_on_host(h_a, h_b, h_c, n);
    if (pass >= 0)
      s->us[pass] = timing_host_us() - start;
  }
}

static void measure_flow(const float *h_a, const float *h_b, float *h_c,
                         int n, flow_samples *s, int repetitions)
{
  for (int pass = 0; pass < TIMING_WARM_UP; pass++)
    time_flow(h_a, h_b, h_c, n, s, 0);
  for (int pass = 0; pass < repetitions; pass++)
    time_flow(h_a, h_b, h_c, n, s, pass);
}

static timing measure_kernel(int n, int repetitions)
{
  float *d_x;
  CUDA_CHECK(cudaMalloc(&d_x, 3 * n * sizeof(float)));
  CUDA_CHECK(cudaMemset(d_x, 0, 3 * n * sizeof(float)));
  timing t = time_version(&versions[1], d_x, d_x + n, d_x + 2 * (size_t)n, n,
                          repetitions);
  CUDA_CHECK(cudaFree(d_x));
  return t;
}

static void print_flow_columns(flow_samples *s, int n, int repetitions)
{
  timing alloc = summary(&s->alloc, repetitions);
  timing copy_in = summary(&s->copy_in, repetitions);
  timing kernel = summary(&s->kernel, repetitions);
  timing copy_out = summary(&s->copy_out, repetitions);
  timing total = summary(&s->total, repetitions);
  double n_bytes = (double)n * sizeof(float);
  printf(",%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f",
         alloc.median_us, alloc.spread_us, copy_in.median_us,
         copy_in.spread_us, kernel.median_us, kernel.spread_us,
         copy_out.median_us, copy_out.spread_us, total.median_us,
         total.spread_us, timing_gb_per_s(2 * n_bytes, copy_in.median_us),
         timing_gb_per_s(n_bytes, copy_out.median_us));
}

static void measure_size(int n, int repetitions)
{
  static flow_samples pageable, pinned;
  static samples cpu;
  size_t n_bytes = n * sizeof(float);
  random_source random = random_from_seed(n);
  host_vectors h = host_vectors_new(n);
  float *h_a, *h_b, *h_c;
  random_fill_floats(&random, h.a, n);
  random_fill_floats(&random, h.b, n);
  measure_host(h.a, h.b, h.expected, n, &cpu, repetitions);
  poison_host(h.got, n_bytes);
  measure_flow(h.a, h.b, h.got, n, &pageable, repetitions);
  if (!compare_floats("vector_add, timed", h.expected, h.got, n))
    exit(EXIT_FAILURE);

  CUDA_CHECK(cudaMallocHost(&h_a, n_bytes));
  CUDA_CHECK(cudaMallocHost(&h_b, n_bytes));
  CUDA_CHECK(cudaMallocHost(&h_c, n_bytes));
  memcpy(h_a, h.a, n_bytes);
  memcpy(h_b, h.b, n_bytes);
  poison_host(h_c, n_bytes);
  measure_flow(h_a, h_b, h_c, n, &pinned, repetitions);
  if (!compare_floats("vector_add, timed, pinned", h.expected, h_c, n))
    exit(EXIT_FAILURE);
  CUDA_CHECK(cudaFreeHost(h_a));
  CUDA_CHECK(cudaFreeHost(h_b));
  CUDA_CHECK(cudaFreeHost(h_c));
  host_vectors_free(&h);

  timing host = summary(&cpu, repetitions);
  timing kernel = measure_kernel(n, repetitions);
  printf("%d,%d,%.3f,%.3f,%.3f,%.3f,%.2f", n, repetitions, host.median_us,
         host.spread_us, kernel.median_us, kernel.spread_us,
         timing_gb_per_s(3.0 * n * sizeof(float), kernel.median_us));
  print_flow_columns(&pageable, n, repetitions);
  print_flow_columns(&pinned, n, repetitions);
  printf("\n");
}

/* The largest size that leaves half of both memories free: three vectors on
 * the device; on the host four, and three pinned. */
static int largest_size(void)
{
  size_t host_bytes = (size_t)sysconf(_SC_PHYS_PAGES) *
                      (size_t)sysconf(_SC_PAGESIZE);
  size_t n = (size_t)1 << 28;
  while (3 * n * sizeof(float) > device_free_bytes() / 2 ||
         7 * n * sizeof(float) > host_bytes / 2)
    n /= 2;
  return (int)n;
}

static void measure_sizes(const options *o)
{
  static const char *const kinds[] = {"", "pinned_"};
  int largest = o->n_sizes > 0 ? (int)o->size[0] : largest_size();
  printf("n_elems,repetitions,cpu_us,cpu_spread_us,kernel_us,"
         "kernel_spread_us,kernel_gb_per_s");
  for (int k = 0; k < 2; k++)
    printf(",%salloc_us,%salloc_spread_us,%scopy_in_us,%scopy_in_spread_us,"
           "%slaunch_us,%slaunch_spread_us,%scopy_out_us,"
           "%scopy_out_spread_us,%stotal_us,%stotal_spread_us,"
           "%scopy_in_gb_per_s,%scopy_out_gb_per_s",
           kinds[k], kinds[k], kinds[k], kinds[k], kinds[k], kinds[k],
           kinds[k], kinds[k], kinds[k], kinds[k], kinds[k], kinds[k]);
  printf("\n");
  for (int n = 1 << 10; n <= largest; n *= 2) {
    int few = o->repetitions < 7 ? o->repetitions : 7;
    measure_size(n, n > 1 << 22 ? few : o->repetitions);
    fflush(stdout);
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "adds two vectors", "size,version",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && o.size[0] > 1 << 28))
    options_fail(&o, "--size must be one number up to 2^28");
  if (o.count)
    return count(&o);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.csv && strcmp(o.csv, "size") == 0)
    measure_sizes(&o);
  else if (!o.check && timing_is_possible())
    measure_versions(&o, o.csv != NULL);
  return EXIT_SUCCESS;
}
