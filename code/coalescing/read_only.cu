/* Reading the same words again.  What the L1 cache and its read-only path
 * save, and what a compiler may not know: that a store leaves an input as it
 * was. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"

enum { BLOCK_THREADS = 256, RADIUS = 4, WINDOW = 2 * RADIUS + 1 };

/* ---- CPU reference ---- */

/* out[i] = in[i] + … + in[i + WINDOW - 1], added in this order. */
static void window_on_host(const float *in, float *out, int n)
{
  for (int i = 0; i < n; i++) {
    float sum = 0.0f;
    for (int k = 0; k < WINDOW; k++)
      sum += in[i + k];
    out[i] = sum;
  }
}

static void scale_on_host(const float *in, float *out, int n)
{
  for (int i = 0; i < n; i++) {
    out[i] = in[i] * in[0];
    out[i + n] = in[i] + in[0];
  }
}

/* ---- kernels: each word is read nine times ---- */

// begin window
__global__ void window_plain(const float *in, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0.0f;
    for (int k = 0; k < WINDOW; k++)
      sum += in[i + k];
    out[i] = sum;
  }
}
// end window

// begin window_read_only
__global__ void window_read_only(const float *__restrict__ in,
                                 float *__restrict__ out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0.0f;
    for (int k = 0; k < WINDOW; k++)
      sum += in[i + k];
    out[i] = sum;
  }
}
// end window_read_only

__global__ void window_ldg(const float *in, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0.0f;
    for (int k = 0; k < WINDOW; k++)
      sum += __ldg(&in[i + k]);
    out[i] = sum;
  }
}

// begin window_l2
__global__ void window_l2(const float *in, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0.0f;
    for (int k = 0; k < WINDOW; k++)
      sum += __ldcg(&in[i + k]);    /* past L1, from L2 */
    out[i] = sum;
  }
}
// end window_l2

/* ---- kernels: a store between two reads of the same word ---- */

// begin scale_plain
__global__ void scale_plain(const float *in, float *out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[i] * in[0];
    out[i + n] = in[i] + in[0];
  }
}
// end scale_plain

// begin scale_restrict
__global__ void scale_restrict(const float *__restrict__ in,
                               float *__restrict__ out, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[i] * in[0];
    out[i + n] = in[i] + in[0];
  }
}
// end scale_restrict

typedef void kernel(const float *, float *, int);

typedef struct {
  const char *name;     /* the kernel's */
  const char *idea;
  kernel *launched;
  void (*reference)(const float *, float *, int);
  int outputs;          /* elements written for each one read */
} version;

static const version versions[] = {
  {"window_plain", "nine reads of each word, as they come",
   window_plain, window_on_host, 1},
  {"window_read_only", "const and __restrict__: the read-only path",
   window_read_only, window_on_host, 1},
  {"window_ldg", "__ldg: the read-only path by name",
   window_ldg, window_on_host, 1},
  {"window_l2", "__ldcg: past L1, every time from L2",
   window_l2, window_on_host, 1},
  {"scale_plain", "a store may change the input: read again",
   scale_plain, scale_on_host, 2},
  {"scale_restrict", "a store cannot change the input: read once",
   scale_restrict, scale_on_host, 2},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- launcher ---- */

static void launch(const version *v, const float *d_in, float *d_out, int n)
{
  int n_blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  if (n > 0)
    v->launched<<<n_blocks, BLOCK_THREADS>>>(d_in, d_out, n);
  CUDA_CHECK_LAUNCH();
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, int n)
{
  size_t in_bytes = (n + WINDOW - 1) * sizeof(float);
  size_t out_bytes = (size_t)n * v->outputs * sizeof(float);
  float *h_in = (float *)malloc(in_bytes);
  float *h_expected = (float *)malloc(out_bytes + 1);
  float *h_got = (float *)malloc(out_bytes + GUARD_BYTES);
  float *d_in, *d_out;
  char what[64];
  if (!h_in || !h_expected || !h_got) {
    fprintf(stderr, "error: no host memory\n");
    exit(EXIT_FAILURE);
  }
  random_fill_floats(random, h_in, n + WINDOW - 1);
  v->reference(h_in, h_expected, n);
  CUDA_CHECK(cudaMalloc(&d_in, in_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, out_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, in_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, out_bytes + GUARD_BYTES);
  launch(v, d_in, d_out, n);
  CUDA_CHECK(cudaMemcpy(h_got, d_out, out_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  snprintf(what, sizeof what, "%s, n = %d", v->name, n);
  int right = compare_floats(what, h_expected, h_got,
                             (size_t)n * v->outputs) &
              compare_guard(what, (char *)h_got + out_bytes, GUARD_BYTES);
  free(h_in);
  free(h_expected);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const int sizes[] = {0, 1, 31, 32, 33, 255, 257, 5000};
  enum { N_SIZES = 8 };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < N_SIZES && options_wants(o, versions[k].name); s++)
      right &= check_case(&versions[k], &random, sizes[s]);
  fprintf(options_remarks(o), "check: %d sizes, seed %llu: %s\n", N_SIZES,
          (unsigned long long)o->seed, right ? "all right" : "WRONG");
  return right;
}

/* ---- count and measure ---- */

static void allocate(int n, float **d_in, float **d_out)
{
  size_t in_bytes = ((size_t)n + WINDOW) * sizeof(float);
  CUDA_CHECK(cudaMalloc(d_in, in_bytes));
  CUDA_CHECK(cudaMalloc(d_out, 2 * (size_t)n * sizeof(float)));
  CUDA_CHECK(cudaMemset(*d_in, 0, in_bytes));
}

static int count(const options *o)
{
  int n = (int)memory_length(o, 1024, 3 * sizeof(float));
  float *d_in, *d_out;
  allocate(n, &d_in, &d_out);
  printf("version,n_elems\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(o, versions[k].name)) {
      launch(&versions[k], d_in, d_out, n);
      printf("%s,%d\n", versions[k].name, n);
    }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  return EXIT_SUCCESS;
}

static void measure(const options *o)
{
  int n = (int)memory_length(o, (size_t)1 << 26, 3 * sizeof(float));
  float *d_in, *d_out;
  allocate(n, &d_in, &d_out);
  if (o->csv)
    printf("version,n_elems,time_us,spread_us,gb_per_s\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    double n_bytes = (1.0 + v->outputs) * n * sizeof(float);
    if (!options_wants(o, v->name))
      continue;
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(v, d_in, d_out, n);
    if (o->csv)
      printf("%s,%d,%.3f,%.3f,%.2f\n", v->name, n, t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(v->name, t, n_bytes);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "reads the same words again",
                            "read_only", "read_only");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && (o.size[0] < 1 ||
                                           o.size[0] > 1 << 28)))
    options_fail(&o, "--size must be one number, 1 to 2^28");
  if (o.count)
    return count(&o);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
