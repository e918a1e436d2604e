/* Kernels that read and write the host's memory where it is: what crosses
 * the link is what the warps ask for, sector by sector. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/timing.h"
#include "transfers/kinds.h"

enum { BLOCK_THREADS = 256, SPREAD = 32, WINDOW = 9 };

/* ---- CPU reference ---- */

static void copy_on_host(const float *in, float *out, size_t n, size_t offset,
                         size_t in_step, size_t out_step)
{
  for (size_t i = 0; i < n; i++)
    out[i * out_step] = in[i * in_step + offset];
}

static void window_on_host(const float *in, float *out, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    float sum = 0.0f;
    for (int k = 0; k < WINDOW; k++)
      sum += in[i + k];
    out[i] = sum;
  }
}

/* ---- kernels ---- */

// begin read_floats
__global__ void read_floats(float *d_out, const float *h_in, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d_out[i] = h_in[i];
}
// end read_floats

// begin read_float4
__global__ void read_float4(float *d_out, const float *h_in, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4)
    ((float4 *)d_out)[i] = ((const float4 *)h_in)[i];
  else if (i < n / 4 + n % 4)
    d_out[n / 4 * 3 + i] = h_in[n / 4 * 3 + i];
}
// end read_float4

// begin read_shifted
__global__ void read_shifted(float *d_out, const float *h_in, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d_out[i] = h_in[i + 1];
}
// end read_shifted

// begin read_stride
__global__ void read_stride_8(float *d_out, const float *h_in, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d_out[i] = h_in[8 * i];
}

__global__ void read_stride_32(float *d_out, const float *h_in, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    d_out[i] = h_in[32 * i];
}
// end read_stride

// begin read_window
__global__ void read_window(float *d_out, const float *h_in, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0.0f;
    for (int k = 0; k < WINDOW; k++)
      sum += h_in[i + k];
    d_out[i] = sum;
  }
}
// end read_window

// begin write
__global__ void write_floats(float *h_out, const float *d_in, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    h_out[i] = d_in[i];
}

__global__ void write_stride_8(float *h_out, const float *d_in, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    h_out[8 * i] = d_in[i];
}
// end write

typedef void kernel(float *, const float *, size_t);

typedef struct {
  const char *name;     /* the kernel's */
  const char *idea;
  kernel *launched;
  int writes;           /* the output, not the input, is the host's */
  size_t offset, in_step, out_step;
} version;

static const version versions[] = {
  {"read_floats", "a float each, in order", read_floats, 0, 0, 1, 1},
  {"read_float4", "four floats each, in order", read_float4, 0, 0, 1, 1},
  {"read_shifted", "a float each, one further on", read_shifted, 0, 1, 1, 1},
  {"read_stride_8", "one float of each sector", read_stride_8, 0, 0, 8, 1},
  {"read_stride_32", "one float of each line", read_stride_32, 0, 0, 32, 1},
  {"read_window", "each float nine times", read_window, 0, 0, 1, 1},
  {"write_floats", "a float each, in order", write_floats, 1, 0, 1, 1},
  {"write_stride_8", "one float of each sector", write_stride_8, 1, 0, 1, 8},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void launch(const version *v, float *out, const float *in, size_t n)
{
  size_t n_blocks = (n + BLOCK_THREADS - 1) / BLOCK_THREADS;
  if (n > 0)
    v->launched<<<(unsigned)n_blocks, BLOCK_THREADS>>>(out, in, n);
  CUDA_CHECK_LAUNCH();
}

/* ---- memory: one side mapped, the other on the device ---- */

static size_t in_length(const version *v, size_t n)
{
  return n * v->in_step + WINDOW;
}

typedef struct {
  float *in, *out;
  size_t in_bytes, out_bytes;
} arrays;

static arrays arrays_new(const version *v, size_t n)
{
  arrays a;
  a.in_bytes = in_length(v, n) * sizeof(float);
  a.out_bytes = n * v->out_step * sizeof(float) + GUARD_BYTES;
  a.in = (float *)(v->writes ? allocate_device(a.in_bytes)
                             : allocate_mapped(a.in_bytes));
  a.out = (float *)(v->writes ? allocate_mapped(a.out_bytes)
                              : allocate_device(a.out_bytes));
  return a;
}

static void arrays_free(const version *v, arrays a)
{
  if (v->writes) {
    release_device(a.in);
    release_pinned(a.out);
  } else {
    release_pinned(a.in);
    release_device(a.out);
  }
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, size_t n)
{
  arrays a = arrays_new(v, n);
  float *h_in = (float *)allocate_pageable(a.in_bytes);
  float *h_expected = (float *)allocate_pageable(a.out_bytes);
  float *h_got = (float *)allocate_pageable(a.out_bytes);
  char what[64];
  random_fill_floats(random, h_in, in_length(v, n));
  poison_host(h_expected, a.out_bytes);
  if (v->launched == read_window)
    window_on_host(h_in, h_expected, n);
  else
    copy_on_host(h_in, h_expected, n, v->offset, v->in_step, v->out_step);
  CUDA_CHECK(cudaMemcpy(a.in, h_in, a.in_bytes, cudaMemcpyDefault));
  poison_host(h_got, a.out_bytes);
  CUDA_CHECK(cudaMemcpy(a.out, h_got, a.out_bytes, cudaMemcpyDefault));
  launch(v, a.out, a.in, n);
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaMemcpy(h_got, a.out, a.out_bytes, cudaMemcpyDefault));
  snprintf(what, sizeof what, "%s, n = %zu", v->name, n);
  /* Bytes: what lies between strided words must still hold the poison. */
  int right = compare_bytes(what, h_expected, h_got, a.out_bytes);
  arrays_free(v, a);
  free(h_in);
  free(h_expected);
  free(h_got);
  return right;
}

static int check(const options *o)
{
  static const size_t sizes[] = {0, 1, 3, 31, 33, 255, 257, 5002};
  enum { N_SIZES = sizeof sizes / sizeof sizes[0] };
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

static int count(const options *o)
{
  size_t n = memory_length(o, 1024, 2 * sizeof(float));
  printf("version,n_elems\n");
  for (int k = 0; k < N_VERSIONS; k++) {
    if (!options_wants(o, versions[k].name))
      continue;
    arrays a = arrays_new(&versions[k], n);
    if (versions[k].writes)
      CUDA_CHECK(cudaMemset(a.in, 0, a.in_bytes));
    else
      memset(a.in, 0, a.in_bytes);
    launch(&versions[k], a.out, a.in, n);
    CUDA_CHECK(cudaDeviceSynchronize());
    arrays_free(&versions[k], a);
    printf("%s,%zu\n", versions[k].name, n);
  }
  return EXIT_SUCCESS;
}

static void measure(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 22, SPREAD * sizeof(float));
  if (o->csv)
    printf("version,n_elems,time_us,spread_us,gb_per_s\n");
  else
    timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    if (!options_wants(o, v->name))
      continue;
    arrays a = arrays_new(v, n);
    if (v->writes)
      CUDA_CHECK(cudaMemset(a.in, 0, a.in_bytes));
    else
      memset(a.in, 0, a.in_bytes);
    timing t = timing_start(o->repetitions);
    while (timing_next(&t))
      launch(v, a.out, a.in, n);
    arrays_free(v, a);
    double n_bytes = (double)n * sizeof(float);
    if (o->csv)
      printf("%s,%zu,%.3f,%.3f,%.3f\n", v->name, n, t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(v->name, t, n_bytes);
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "kernels on the host's memory",
                            "zero_copy", "count");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.n_sizes > 1 || (o.n_sizes == 1 && (o.size[0] < 1 ||
                                           o.size[0] > (size_t)1 << 26)))
    options_fail(&o, "--size must be one number, 1 to 2^26");
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
