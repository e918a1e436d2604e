/* y = factor * x + y with numbers of 4, 2 and 1 bytes: what narrow numbers are
 * good for where memory sets the pace.
 *
 *   nvcc -I code code/precision/axpy.cu -o axpy && ./axpy */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "precision/formats.h"

enum { BLOCK_THREADS = 256, PACKET_BYTES = 16 };

// begin axpy
/* Sixteen bytes at a time; the arithmetic is always that of floats. */
template <typename FORMAT> struct alignas(PACKET_BYTES) packet {
  enum { N = PACKET_BYTES / sizeof(typename FORMAT::type) };
  typename FORMAT::type value[N];
};

template <typename FORMAT>
__global__ void axpy(packet<FORMAT> *y, const packet<FORMAT> *x, float factor,
                     size_t n_packets)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n_packets)
    return;
  packet<FORMAT> a = x[i], b = y[i];
  for (int k = 0; k < packet<FORMAT>::N; k++)
    b.value[k] = FORMAT::narrow(factor * FORMAT::wide(a.value[k]) +
                                FORMAT::wide(b.value[k]));
  y[i] = b;
}
// end axpy

/* Fills x and y with numbers that every format holds. */
template <typename FORMAT>
__global__ void fill(typename FORMAT::type *x, typename FORMAT::type *y,
                     size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = FORMAT::narrow((float)(i % 7));
    y[i] = FORMAT::narrow((float)(i % 3));
  }
}

template <typename FORMAT>
__global__ void widen(float *out, const typename FORMAT::type *y, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = FORMAT::wide(y[i]);
}

/* ---- versions ---- */

static unsigned blocks_for(size_t n)
{
  return (unsigned)((n + BLOCK_THREADS - 1) / BLOCK_THREADS);
}

template <typename FORMAT> static void launch(void *d_y, const void *d_x,
                                              size_t n)
{
  size_t n_packets = n / packet<FORMAT>::N;
  axpy<FORMAT><<<blocks_for(n_packets), BLOCK_THREADS>>>(
      (packet<FORMAT> *)d_y, (const packet<FORMAT> *)d_x, 2.0f, n_packets);
}

template <typename FORMAT> static void prepare(void *d_x, void *d_y, size_t n)
{
  fill<FORMAT><<<blocks_for(n), BLOCK_THREADS>>>(
      (typename FORMAT::type *)d_x, (typename FORMAT::type *)d_y, n);
}

template <typename FORMAT> static void read_back(float *d_out, const void *d_y,
                                                 size_t n)
{
  widen<FORMAT><<<blocks_for(n), BLOCK_THREADS>>>(
      d_out, (const typename FORMAT::type *)d_y, n);
}

typedef struct {
  const char *name;
  const char *idea;
  size_t elem_bytes;
  void (*prepare)(void *d_x, void *d_y, size_t n);
  void (*launch)(void *d_y, const void *d_x, size_t n);
  void (*read_back)(float *d_out, const void *d_y, size_t n);
} version;

#define VERSION(name, idea, FORMAT)                                            \
  {                                                                            \
    name, idea, sizeof(FORMAT::type), prepare<FORMAT>, launch<FORMAT>,         \
        read_back<FORMAT>                                                      \
  }
static const version versions[] = {
  VERSION("float", "4 bytes", float_format),
  VERSION("half", "2 bytes", half_format),
  VERSION("bfloat16", "2 bytes", bfloat16_format),
  VERSION("e4m3", "1 byte", e4m3_format),
  VERSION("e5m2", "1 byte", e5m2_format),
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- check ---- */

/* 2 (i % 7) + i % 3 is at most 14, which e4m3 holds exactly; e5m2 rounds 9, 11
 * and 13 to the even one of its neighbours. */
static float expected_at(const version *v, size_t i)
{
  int exact = (int)(2 * (i % 7) + i % 3);
  if (v->launch != launch<e5m2_format> || exact < 9 || exact % 2 == 0)
    return (float)exact;
  return exact == 9 ? 8.0f : 12.0f;
}

static int check_version(const version *v, size_t n)
{
  float *h_expected = (float *)malloc(n * sizeof(float));
  float *h_out = (float *)malloc(n * sizeof(float)), *d_out;
  char *d_x, *d_y, guard[GUARD_BYTES];
  int right;
  CUDA_CHECK(cudaMalloc(&d_x, n * v->elem_bytes));
  CUDA_CHECK(cudaMalloc(&d_y, n * v->elem_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMalloc(&d_out, n * sizeof(float)));
  poison_device(d_y, n * v->elem_bytes + GUARD_BYTES);
  v->prepare(d_x, d_y, n);
  v->launch(d_y, d_x, n);
  v->read_back(d_out, d_y, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n * sizeof(float),
                        cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(guard, d_y + n * v->elem_bytes, sizeof guard,
                        cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < n; i++)
    h_expected[i] = expected_at(v, i);
  right = compare_floats(v->name, h_expected, h_out, n) &
          compare_guard(v->name, guard, sizeof guard);
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  CUDA_CHECK(cudaFree(d_out));
  free(h_expected);
  free(h_out);
  return right;
}

static int check(const options *o)
{
  static const size_t sizes[] = { 16, 4096, 4112, 65536 };
  int right = 1;
  for (int i = 0; i < N_VERSIONS; i++)
    if (options_wants(o, versions[i].name))
      for (int s = 0; s < 4; s++)
        right &= check_version(&versions[i], sizes[s]);
  fprintf(options_remarks(o), "check: %s\n", right ? "all right" : "WRONG");
  return right;
}

/* ---- count, measure ---- */

static void allocate(const version *v, size_t n, void **d_x, void **d_y)
{
  CUDA_CHECK(cudaMalloc(d_x, n * v->elem_bytes));
  CUDA_CHECK(cudaMalloc(d_y, n * v->elem_bytes));
}

static void count(const options *o)
{
  size_t n = o->n_sizes > 0 ? o->size[0] : 65536;
  printf("version,n_elems\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    void *d_x, *d_y;
    if (!options_wants(o, versions[i].name))
      continue;
    allocate(&versions[i], n, &d_x, &d_y);
    CUDA_CHECK(cudaMemset(d_x, 0, n * versions[i].elem_bytes));
    CUDA_CHECK(cudaMemset(d_y, 0, n * versions[i].elem_bytes));
    versions[i].launch(d_y, d_x, n);
    CUDA_CHECK_LAUNCH();
    printf("%s,%zu\n", versions[i].name, n);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
  }
}

static void measure(const options *o)
{
  size_t n = memory_length(o, (size_t)1 << 29, 2 * sizeof(float));
  if (o->csv)
    printf("version,n_elems,elem_bytes,repetitions,time_us,time_spread_us,"
           "gb_per_s\n");
  else
    timing_print_head();
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    double n_bytes = 3.0 * (double)n * (double)v->elem_bytes;
    void *d_x, *d_y;
    if (!options_wants(o, v->name))
      continue;
    allocate(v, n, &d_x, &d_y);
    v->prepare(d_x, d_y, n);
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      v->launch(d_y, d_x, n);
      CUDA_CHECK_LAUNCH();
    }
    if (o->csv)
      printf("%s,%zu,%zu,%d,%.3f,%.3f,%.2f\n", v->name, n, v->elem_bytes,
             t.repetitions, t.median_us, t.spread_us,
             timing_gb_per_s(n_bytes, t.median_us));
    else
      timing_print_row(v->name, t, n_bytes);
    CUDA_CHECK(cudaFree(d_x));
    CUDA_CHECK(cudaFree(d_y));
  }
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "y = 2 x + y in narrow numbers", "axpy",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    count(&o);
    return EXIT_SUCCESS;
  }
  if (o.csv && !timing_is_possible())
    return EXIT_SKIPPED;
  if (!check(&o))
    return EXIT_FAILURE;
  if (!o.check && timing_is_possible())
    measure(&o);
  return EXIT_SUCCESS;
}
