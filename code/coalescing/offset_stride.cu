/* Copies whose loads, or whose stores, start `offset` words into the array
 * or are `stride` words apart, for words of 4, 8 and 16 bytes.  What of the
 * memory's bandwidth is left? */
#include <stdio.h>
#include <stdlib.h>

#include "coalescing/sectors.h"
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/timing.h"

enum { BLOCK_THREADS = 256, MAX_OFFSET = 32, MAX_STRIDE = 128 };

/* ---- CPU reference ---- */

/* Both sides of a copy: word i goes from `from` + i * from_stride to
 * `to` + i * to_stride.  The rest of the output is left alone. */
typedef struct {
  size_t from, from_stride;
  size_t to, to_stride;
} route;

static void copy_on_host(const unsigned char *in, unsigned char *out,
                         size_t n, size_t word_bytes, route r)
{
  for (size_t i = 0; i < n; i++)
    memcpy(out + (r.to + i * r.to_stride) * word_bytes,
           in + (r.from + i * r.from_stride) * word_bytes, word_bytes);
}

/* ---- kernels ---- */

// begin load_offset
__global__ void load_offset_4(const float *in, float *out, size_t n,
                              size_t offset)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i + offset];
}
// end load_offset

__global__ void load_offset_8(const float2 *in, float2 *out, size_t n,
                              size_t offset)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i + offset];
}

__global__ void load_offset_16(const float4 *in, float4 *out, size_t n,
                               size_t offset)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i + offset];
}

// begin load_stride
__global__ void load_stride_4(const float *in, float *out, size_t n,
                              size_t stride)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i * stride];
}
// end load_stride

__global__ void load_stride_8(const float2 *in, float2 *out, size_t n,
                              size_t stride)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i * stride];
}

// begin load_stride_16
__global__ void load_stride_16(const float4 *in, float4 *out, size_t n,
                               size_t stride)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i * stride];
}
// end load_stride_16

__global__ void store_offset_4(const float *in, float *out, size_t n,
                               size_t offset)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i + offset] = in[i];
}

__global__ void store_offset_8(const float2 *in, float2 *out, size_t n,
                               size_t offset)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i + offset] = in[i];
}

__global__ void store_offset_16(const float4 *in, float4 *out, size_t n,
                                size_t offset)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i + offset] = in[i];
}

// begin store_stride
__global__ void store_stride_4(const float *in, float *out, size_t n,
                               size_t stride)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i * stride] = in[i];
}
// end store_stride

__global__ void store_stride_8(const float2 *in, float2 *out, size_t n,
                               size_t stride)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i * stride] = in[i];
}

__global__ void store_stride_16(const float4 *in, float4 *out, size_t n,
                                size_t stride)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i * stride] = in[i];
}

typedef struct {
  const char *name;     /* the kernel's */
  const char *idea;
  const char *sweep;    /* the experiment it belongs to */
  const void *kernel;
  size_t word_bytes;
  int strided;          /* the parameter is a stride, else an offset */
  int stores;           /* it moves the stores, else the loads */
} version;

static const version versions[] = {
  {"load_offset_4", "loads of floats, shifted by an offset",
   "offset", (const void *)load_offset_4, 4, 0, 0},
  {"load_offset_8", "loads of pairs of floats, shifted by an offset",
   "offset", (const void *)load_offset_8, 8, 0, 0},
  {"load_offset_16", "loads of four floats, shifted by an offset",
   "offset", (const void *)load_offset_16, 16, 0, 0},
  {"load_stride_4", "loads of floats, a stride apart",
   "stride", (const void *)load_stride_4, 4, 1, 0},
  {"load_stride_8", "loads of pairs of floats, a stride apart",
   "stride", (const void *)load_stride_8, 8, 1, 0},
  {"load_stride_16", "loads of four floats, a stride apart",
   "stride", (const void *)load_stride_16, 16, 1, 0},
  {"store_offset_4", "stores of floats, shifted by an offset",
   "store_offset", (const void *)store_offset_4, 4, 0, 1},
  {"store_offset_8", "stores of pairs of floats, shifted by an offset",
   "store_offset", (const void *)store_offset_8, 8, 0, 1},
  {"store_offset_16", "stores of four floats, shifted by an offset",
   "store_offset", (const void *)store_offset_16, 16, 0, 1},
  {"store_stride_4", "stores of floats, a stride apart",
   "store_stride", (const void *)store_stride_4, 4, 1, 1},
  {"store_stride_8", "stores of pairs of floats, a stride apart",
   "store_stride", (const void *)store_stride_8, 8, 1, 1},
  {"store_stride_16", "stores of four floats, a stride apart",
   "store_stride", (const void *)store_stride_16, 16, 1, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static const char EXPERIMENTS[] = "offset,stride,store_offset,store_stride";

/* ---- launcher ---- */

/* The kernels differ in the type of word only, so one launch serves all:
 * cudaLaunchKernel is what <<<…>>> turns into. */
static void launch(const version *v, const void *d_in, void *d_out, size_t n,
                   size_t parameter)
{
  void *arguments[] = {&d_in, &d_out, &n, &parameter};
  unsigned n_blocks = (unsigned)((n + BLOCK_THREADS - 1) / BLOCK_THREADS);
  if (n > 0)
    CUDA_CHECK(cudaLaunchKernel(v->kernel, dim3(n_blocks),
                                dim3(BLOCK_THREADS), arguments, 0, NULL));
}

static route route_of(const version *v, size_t parameter)
{
  route r = {0, 1, 0, 1};
  if (v->strided)
    *(v->stores ? &r.to_stride : &r.from_stride) = parameter;
  else
    *(v->stores ? &r.to : &r.from) = parameter;
  return r;
}

/* Bytes from the array's start to the end of the last of n words. */
static size_t extent_bytes(size_t start, size_t stride, size_t n,
                           size_t word_bytes)
{
  return n == 0 ? 0 : (start + (n - 1) * stride + 1) * word_bytes;
}

static size_t first_parameter(const version *v)
{
  return v->strided ? 1 : 0;
}

static size_t last_parameter(const version *v)
{
  return v->strided ? MAX_STRIDE : MAX_OFFSET;
}

/* A profiler takes its time for every launch, and from a sector a lane on
 * nothing new happens: of the large strides only a few are counted. */
static size_t next_counted(size_t p)
{
  return p < 32 ? p + 1 : p + 32;
}

/* ---- check ---- */

static int check_case(const version *v, random_source *random, size_t n,
                      size_t parameter)
{
  route r = route_of(v, parameter);
  size_t in_bytes = extent_bytes(r.from, r.from_stride, n, v->word_bytes);
  size_t out_bytes = extent_bytes(r.to, r.to_stride, n, v->word_bytes);
  unsigned char *h_in = (unsigned char *)malloc(in_bytes + 1);
  unsigned char *h_expected = (unsigned char *)malloc(out_bytes + 1);
  unsigned char *h_got = (unsigned char *)malloc(out_bytes + GUARD_BYTES);
  void *d_in, *d_out;
  char what[80];
  if (!h_in || !h_expected || !h_got) {
    fprintf(stderr, "error: no host memory; try a smaller --size\n");
    exit(EXIT_FAILURE);
  }
  snprintf(what, sizeof what, "%s, n = %zu, %s %zu", v->name, n,
           v->strided ? "stride" : "offset", parameter);
  random_fill_bytes(random, h_in, in_bytes);
  poison_host(h_expected, out_bytes);
  copy_on_host(h_in, h_expected, n, v->word_bytes, r);
  CUDA_CHECK(cudaMalloc(&d_in, in_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, out_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, in_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, out_bytes + GUARD_BYTES);
  launch(v, d_in, d_out, n, parameter);
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
  static const size_t sizes[] = {0, 1, 31, 32, 33, 257, 1000};
  static const size_t offsets[] = {0, 1, 7, 8, 31, 32};
  static const size_t strides[] = {1, 2, 3, 8, 127, 128};
  enum { N_SIZES = 7, N_PARAMETERS = 6 };
  random_source random = random_from_seed(o->seed);
  int right = 1;
  for (int k = 0; k < N_VERSIONS; k++)
    for (int s = 0; s < N_SIZES && options_wants(o, versions[k].name); s++)
      for (int p = 0; p < N_PARAMETERS; p++)
        right &= check_case(&versions[k], &random, sizes[s],
                            versions[k].strided ? strides[p] : offsets[p]);
  fprintf(options_remarks(o), "check: %d versions, %d sizes, %d offsets or "
          "strides, seed %llu: %s\n", o->version ? 1 : (int)N_VERSIONS,
          N_SIZES, N_PARAMETERS, (unsigned long long)o->seed,
          right ? "all right" : "WRONG");
  return right;
}

/* ---- count: every launch is one row of the table it prints ---- */

static void count_version(const version *v, size_t n)
{
  void *d_in, *d_out;
  size_t small = extent_bytes(0, 1, n, v->word_bytes);
  size_t large = extent_bytes(MAX_OFFSET, v->strided ? MAX_STRIDE : 1, n,
                              v->word_bytes);
  CUDA_CHECK(cudaMalloc(&d_in, v->stores ? small : large));
  CUDA_CHECK(cudaMalloc(&d_out, v->stores ? large : small));
  CUDA_CHECK(cudaMemset(d_in, 0, v->stores ? small : large));
  for (size_t p = first_parameter(v); p <= last_parameter(v);
       p = next_counted(p)) {
    launch(v, d_in, d_out, n, p);
    printf("%s,%zu,%zu,%zu,%zu\n", v->name, v->word_bytes, p, n,
           v->strided ? sectors_predicted(v->word_bytes, 0, p)
                      : sectors_predicted(v->word_bytes, p, 1));
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

static int count(const options *o)
{
  size_t n = o->n_sizes > 0 ? o->size[0] : 32 * 32;
  printf("version,word_bytes,%s,n_elems,predicted_sectors\n",
         strstr(o->count, "stride") ? "stride_elems" : "offset_elems");
  for (int k = 0; k < N_VERSIONS; k++)
    if (strcmp(versions[k].sweep, o->count) == 0 &&
        options_wants(o, versions[k].name))
      count_version(&versions[k], n);
  return EXIT_SUCCESS;
}

/* ---- experiments ---- */

static timing time_case(const version *v, const void *d_in, void *d_out,
                        size_t n, size_t parameter, int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t))
    launch(v, d_in, d_out, n, parameter);
  return t;
}

static timing time_copy(const void *d_in, void *d_out, size_t n_bytes,
                        int repetitions)
{
  timing t = timing_start(repetitions);
  while (timing_next(&t))
    CUDA_CHECK(cudaMemcpyAsync(d_out, d_in, n_bytes,
                               cudaMemcpyDeviceToDevice));
  return t;
}

/* The memory of a whole experiment.  All its rows use the same: how fast two
 * arrays can be copied depends a little on where they lie. */
typedef struct {
  void *d_in, *d_out;
  size_t small_bytes;   /* of the side that stays dense */
  double copy_gb_per_s; /* what a device copy of so much reaches */
} arrays;

static arrays arrays_new(int strided, int stores, size_t small_bytes,
                         int repetitions)
{
  arrays a;
  size_t large_bytes = strided ? small_bytes * MAX_STRIDE
                               : small_bytes + MAX_OFFSET * sizeof(float4);
  a.small_bytes = small_bytes;
  CUDA_CHECK(cudaMalloc(&a.d_in, stores ? small_bytes : large_bytes));
  CUDA_CHECK(cudaMalloc(&a.d_out, stores ? large_bytes : small_bytes));
  CUDA_CHECK(cudaMemset(a.d_in, 0, stores ? small_bytes : large_bytes));
  timing copy = time_copy(a.d_in, a.d_out, small_bytes, repetitions);
  a.copy_gb_per_s = timing_gb_per_s(2.0 * small_bytes, copy.median_us);
  return a;
}

static void arrays_free(arrays *a)
{
  CUDA_CHECK(cudaFree(a->d_in));
  CUDA_CHECK(cudaFree(a->d_out));
}

/* Useful bytes: those of the words, read once and written once.  Moved
 * bytes: those of the sectors that the warps touch. */
static void measure_version(const version *v, const arrays *a,
                            int repetitions)
{
  size_t n = a->small_bytes / v->word_bytes;
  for (size_t p = first_parameter(v); p <= last_parameter(v); p++) {
    timing t = time_case(v, a->d_in, a->d_out, n, p, repetitions);
    size_t sectors = v->strided ? sectors_predicted(v->word_bytes, 0, p)
                                : sectors_predicted(v->word_bytes, p, 1);
    double moved = (double)n / WARP_LANES * SECTOR_BYTES *
                   (double)(sectors + v->word_bytes);
    printf("%s,%zu,%zu,%zu,%d,%.3f,%.3f,%.2f,%.2f,%.2f\n", v->name,
           v->word_bytes, p, n, repetitions, t.median_us, t.spread_us,
           timing_gb_per_s(2.0 * a->small_bytes, t.median_us),
           timing_gb_per_s(moved, t.median_us), a->copy_gb_per_s);
  }
  fflush(stdout);
}

/* Each word size copies the same number of bytes, enough to outgrow the
 * caches.  A sweep of strides spans many times as much: fewer bytes where
 * that does not fit. */
static size_t measured_bytes(const options *o, int strided)
{
  size_t n_bytes = o->n_sizes > 0 ? o->size[0] * sizeof(float4)
                                  : (size_t)1 << 28;
  while (n_bytes > 1 << 16 &&
         n_bytes * (strided ? MAX_STRIDE + 1 : 2) > device_free_bytes() / 2)
    n_bytes /= 2;
  return n_bytes;
}

static void measure(const options *o, const char *experiment)
{
  int strided = strstr(experiment, "stride") != NULL;
  int stores = strstr(experiment, "store") != NULL;
  arrays a = arrays_new(strided, stores, measured_bytes(o, strided),
                        o->repetitions);
  printf("version,word_bytes,%s,n_elems,repetitions,time_us,spread_us,"
         "gb_per_s,sector_gb_per_s,copy_gb_per_s\n",
         strided ? "stride_elems" : "offset_elems");
  for (int k = 0; k < N_VERSIONS; k++)
    if (strcmp(versions[k].sweep, experiment) == 0 &&
        options_wants(o, versions[k].name))
      measure_version(&versions[k], &a, o->repetitions);
  arrays_free(&a);
}

/* Run plainly: one offset and one stride of each version. */
static void print_times(const options *o)
{
  timing_print_head();
  for (int k = 0; k < N_VERSIONS; k++) {
    const version *v = &versions[k];
    size_t n = (size_t)1 << 22, parameter = v->strided ? 32 : 1;
    size_t n_bytes = n * v->word_bytes;
    void *d_in, *d_out;
    char name[40];
    if (!options_wants(o, v->name))
      continue;
    CUDA_CHECK(cudaMalloc(&d_in, n_bytes * (v->stores ? 1 : parameter + 1)));
    CUDA_CHECK(cudaMalloc(&d_out, n_bytes * (v->stores ? parameter + 1 : 1)));
    timing t = time_case(v, d_in, d_out, n, parameter, o->repetitions);
    snprintf(name, sizeof name, "%s by %zu", v->name, parameter);
    timing_print_row(name, t, 2.0 * n_bytes);
    CUDA_CHECK(cudaFree(d_in));
    CUDA_CHECK(cudaFree(d_out));
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv,
                            "copies with an offset or a stride",
                            EXPERIMENTS, EXPERIMENTS);
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count)
    return count(&o);
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (o.csv)
    measure(&o, o.csv);
  else if (!o.check && timing_is_possible())
    print_times(&o);
  return EXIT_SUCCESS;
}
