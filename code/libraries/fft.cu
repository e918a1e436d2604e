/* Many Fourier transforms of 1024 points: by the definition, then by fast
 * transforms in the shared memory of a block, then by cuFFT.
 *
 *   nvcc -I code code/libraries/fft.cu -lcufft -o fft && ./fft
 *
 * cuFFT needs a GPU; on the software device its version is left out. */
#include <math.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/fill.h"
#include "common/memory.h"
#include "common/options.h"
#include "common/random.h"
#include "common/timing.h"
#include "libraries/library_check.h"

enum { POINTS = 1024, DIRECT_THREADS = 256 };

/* ---- kernels --------------------------------------------------------- */

// begin complex
__device__ float2 operator+(float2 a, float2 b)
{
  return make_float2(a.x + b.x, a.y + b.y);
}

__device__ float2 operator-(float2 a, float2 b)
{
  return make_float2(a.x - b.x, a.y - b.y);
}

__device__ float2 operator*(float2 a, float2 b)
{
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

/* The number exp(-2 pi i k / n). */
__device__ float2 root(int k, int n)
{
  float2 w;
  sincospif(-2.0f * (float)k / (float)n, &w.y, &w.x);
  return w;
}
// end complex

// begin direct
__global__ void fft_direct(float2 *out, const float2 *in)
{
  __shared__ float2 x[POINTS], roots[POINTS];
  size_t first = (size_t)blockIdx.x * POINTS;
  for (int i = threadIdx.x; i < POINTS; i += DIRECT_THREADS) {
    x[i] = in[first + i];
    roots[i] = root(i, POINTS);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < POINTS; k += DIRECT_THREADS) {
    float2 sum = make_float2(0.0f, 0.0f);
    for (int n = 0; n < POINTS; n++)
      sum = sum + x[n] * roots[n * k % POINTS];
    out[first + k] = sum;
  }
}
// end direct

// begin butterfly
/* The transform of n values that one thread holds in registers: those of the
 * even and of the odd ones, put together. All loops are unrolled, so that
 * every index and every root is known to the compiler. */
template <int n> __device__ __forceinline__ void butterfly(float2 *v)
{
  if constexpr (n > 1) {
    constexpr int half = n / 2;
    float2 even[half], odd[half];
#pragma unroll
    for (int k = 0; k < half; k++) {
      even[k] = v[2 * k];
      odd[k] = v[2 * k + 1];
    }
    butterfly<half>(even);
    butterfly<half>(odd);
#pragma unroll
    for (int k = 0; k < half; k++) {
      float2 turned = k == 0 ? odd[k]
                    : 4 * k == n ? make_float2(odd[k].y, -odd[k].x)
                    : odd[k] * root(k, n);
      v[k] = even[k] + turned;
      v[k + half] = even[k] - turned;
    }
  }
}
// end butterfly

// begin place
/* Where element i is in shared memory: with one gap in each 32. */
template <int padded> __device__ int place(int i)
{
  return padded ? i + i / 32 : i;
}
// end place

// begin stockham
/* POINTS / radix threads make one transform. In each pass a thread takes
 * `radix` values, a whole stride apart, transforms them in its registers,
 * and puts them where the next pass wants them. Each root is the one before
 * it times `turn`; `precise` computes each by itself. */
template <int radix, int padded, int per_block, int precise>
__global__ void fft_stockham(float2 *out, const float2 *in, size_t n)
{
  constexpr int stride = POINTS / radix;
  __shared__ float2 shared[per_block][POINTS + POINTS / 32];
  float2 *x = shared[threadIdx.y], v[radix];
  size_t transform = (size_t)blockIdx.x * per_block + threadIdx.y;
  int j = threadIdx.x;
  bool mine = transform < n;
#pragma unroll
  for (int r = 0; r < radix; r++)
    if (mine)
      v[r] = in[transform * POINTS + j + r * stride];
#pragma unroll
  for (int done = 1; done < POINTS; done *= radix) {
    if (done > 1) {
      float2 turn = root(j % done, done * radix), w = turn;
#pragma unroll
      for (int r = 1; r < radix; r++, w = w * turn)
        v[r] = v[r] * (precise ? root(r * (j % done), done * radix) : w);
    }
    butterfly<radix>(v);
    int to = j / done * done * radix + j % done;
    if (done * radix == POINTS) {
#pragma unroll
      for (int r = 0; r < radix; r++)
        if (mine)
          out[transform * POINTS + to + r * done] = v[r];
      return;
    }
    if (done > 1)
      __syncthreads();
#pragma unroll
    for (int r = 0; r < radix; r++)
      x[place<padded>(to + r * done)] = v[r];
    __syncthreads();
#pragma unroll
    for (int r = 0; r < radix; r++)
      v[r] = x[place<padded>(j + r * stride)];
  }
}
// end stockham

/* ---- launchers ------------------------------------------------------- */

static void launch_direct(float2 *d_out, const float2 *d_in, size_t n)
{
  fft_direct<<<(unsigned)n, DIRECT_THREADS>>>(d_out, d_in);
}

template <int radix, int padded, int per_block, int precise>
static void launch_stockham(float2 *d_out, const float2 *d_in, size_t n)
{
  dim3 threads(POINTS / radix, per_block);
  unsigned n_blocks = (unsigned)((n + per_block - 1) / per_block);
  fft_stockham<radix, padded, per_block, precise><<<n_blocks, threads>>>(
      d_out, d_in, n);
}

// begin cufft
#if __has_include(<cufft.h>)
#include <cufft.h>

/* A plan is made once for a length and a number of transforms. It may hold
 * memory of its own, so it is given back in the end. */
static void launch_cufft(float2 *d_out, const float2 *d_in, size_t n)
{
  static cufftHandle plan;
  static size_t n_planned;
  if (n != n_planned) {
    if (n_planned > 0)
      LIBRARY_CHECK(cufftDestroy(plan));
    LIBRARY_CHECK(cufftPlan1d(&plan, POINTS, CUFFT_C2C, (int)n));
    n_planned = n;
  }
  LIBRARY_CHECK(cufftExecC2C(plan, (cufftComplex *)d_in, d_out,
                             CUFFT_FORWARD));
}
#else
#define launch_cufft NULL
#endif
// end cufft

static void launch_copy(float2 *d_out, const float2 *d_in, size_t n)
{
  CUDA_CHECK(cudaMemcpyAsync(d_out, d_in, n * POINTS * sizeof(float2),
                             cudaMemcpyDeviceToDevice));
}

typedef struct {
  const char *name;
  const char *idea;
  void (*launch)(float2 *d_out, const float2 *d_in, size_t n);
  int share;          /* it is timed with n / share transforms */
  int is_library;
} version;

static const version versions[] = {
  {"copy", "the ceiling: every point read and written once", launch_copy,
   1, 0},
  {"direct", "the definition", launch_direct, 64, 0},
  {"radix_2", "ten passes through shared memory",
   launch_stockham<2, 0, 1, 0>, 1, 0},
  {"radix_4", "five passes", launch_stockham<4, 0, 1, 0>, 1, 0},
  {"radix_32", "two passes, 32 points in a thread's registers",
   launch_stockham<32, 0, 4, 0>, 1, 0},
  {"padded", "the same without bank conflicts",
   launch_stockham<32, 1, 4, 0>, 1, 0},
  {"precise", "each root computed by itself", launch_stockham<32, 1, 4, 1>,
   1, 0},
  {"cufft", "the library", launch_cufft, 1, 1},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* ---- checking -------------------------------------------------------- */

/* The definition, in double precision. */
static void fft_exactly(double2 *out, const float2 *in, size_t n)
{
  static double cosines[POINTS], sines[POINTS];
  for (int i = 0; i < POINTS; i++) {
    cosines[i] = cos(-2.0 * acos(-1.0) * i / POINTS);
    sines[i] = sin(-2.0 * acos(-1.0) * i / POINTS);
  }
  for (size_t t = 0; t < n; t++, in += POINTS, out += POINTS)
    for (int k = 0; k < POINTS; k++) {
      double re = 0.0, im = 0.0;
      for (int i = 0; i < POINTS; i++) {
        double c = cosines[i * k % POINTS], s = sines[i * k % POINTS];
        re += in[i].x * c - in[i].y * s;
        im += in[i].x * s + in[i].y * c;
      }
      out[k] = make_double2(re, im);
    }
}

static void fft_reference(float2 *out, const float2 *in, size_t n)
{
  double2 *exact = (double2 *)malloc(n * POINTS * sizeof(double2));
  fft_exactly(exact, in, n);
  for (size_t i = 0; i < n * POINTS; i++)
    out[i] = make_float2((float)exact[i].x, (float)exact[i].y);
  free(exact);
}

static int check(const version *v, size_t n, uint64_t seed)
{
  size_t n_bytes = n * POINTS * sizeof(float2);
  char what[96];
  float2 *h_in = (float2 *)malloc(n_bytes), *d_in, *d_out;
  float2 *h_expected = (float2 *)malloc(n_bytes);
  char *h_out = (char *)malloc(n_bytes + GUARD_BYTES);
  random_source source = random_from_seed(seed);
  snprintf(what, sizeof what, "%s, %zu transforms", v->name, n);
  random_fill_floats(&source, (float *)h_in, 2 * n * POINTS);
  if (v->launch == launch_copy)
    memcpy(h_expected, h_in, n_bytes);
  else
    fft_reference(h_expected, h_in, n);
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes + GUARD_BYTES));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  poison_device(d_out, n_bytes + GUARD_BYTES);
  v->launch(d_out, d_in, n);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes + GUARD_BYTES,
                        cudaMemcpyDeviceToHost));
  /* A transform's values are about 26 large: sums of 1024 random points. */
  int good = compare_floats_within(what, (float *)h_expected,
                                   (float *)h_out, 2 * n * POINTS, 2e-4, 1.0) &&
             compare_guard(what, h_out + n_bytes, GUARD_BYTES);
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  free(h_expected);
  free(h_out);
  return !good;
}

/* Why a version cannot run here, or NULL. */
static const char *missing(const version *v)
{
  return !v->is_library ? NULL
       : !v->launch ? "cuFFT, which this toolkit does not have"
       : device_is_software() ? "a GPU: cuFFT brings machine code, no PTX"
       : NULL;
}

static int check_versions(const options *o)
{
  int n_bad = 0;
  for (int v = 0; v < N_VERSIONS; v++) {
    if (!options_wants(o, versions[v].name))
      continue;
    if (missing(&versions[v])) {
      fprintf(options_remarks(o), "%s needs %s\n", versions[v].name,
              missing(&versions[v]));
      if (o->version)
        exit(EXIT_SKIPPED);
      continue;
    }
    for (size_t n = 1; n <= 6; n += versions[v].share > 1 ? 5 : 1)
      n_bad += check(&versions[v], n, o->seed + n);
  }
  if (n_bad == 0)
    fprintf(options_remarks(o), "every transform is right (--seed %llu)\n",
            (unsigned long long)o->seed);
  return n_bad;
}

/* ---- how far off? ---------------------------------------------------- */

enum { ERROR_TRANSFORMS = 256 };

/* The root mean square of the errors and the largest of them, both in units
 * of 2^-24 of the root mean square of the values. */
static void print_errors(const options *o)
{
  size_t n_values = (size_t)ERROR_TRANSFORMS * POINTS;
  size_t n_bytes = n_values * sizeof(float2);
  float2 *h_in = (float2 *)malloc(n_bytes), *d_in, *d_out;
  float2 *h_out = (float2 *)malloc(n_bytes);
  double2 *exact = (double2 *)malloc(n_values * sizeof(double2));
  random_source source = random_from_seed(o->seed);
  random_fill_floats(&source, (float *)h_in, 2 * n_values);
  fft_exactly(exact, h_in, ERROR_TRANSFORMS);
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, n_bytes, cudaMemcpyHostToDevice));
  printf("version,n_points,n_transforms,rms_error_u,max_error_u\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name) || missing(v) ||
        v->launch == launch_copy)
      continue;
    v->launch(d_out, d_in, ERROR_TRANSFORMS);
    CUDA_CHECK_LAUNCH();
    CUDA_CHECK(cudaMemcpy(h_out, d_out, n_bytes, cudaMemcpyDeviceToHost));
    double values = 0.0, errors = 0.0, most = 0.0;
    for (size_t k = 0; k < n_values; k++) {
      double re = h_out[k].x - exact[k].x, im = h_out[k].y - exact[k].y;
      values += exact[k].x * exact[k].x + exact[k].y * exact[k].y;
      errors += re * re + im * im;
      most = fmax(most, re * re + im * im);
    }
    double unit = 0x1p-24 * sqrt(values / (double)n_values);
    printf("%s,%d,%d,%.3f,%.2f\n", v->name, POINTS, ERROR_TRANSFORMS,
           sqrt(errors / (double)n_values) / unit, sqrt(most) / unit);
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  free(h_in);
  free(h_out);
  free(exact);
}

/* ---- measuring and counting ------------------------------------------ */

static void run(const options *o, size_t n_all, int timed)
{
  float2 *d_in, *d_out;
  double copy_gb_per_s = 0.0;
  CUDA_CHECK(cudaMalloc(&d_in, n_all * POINTS * sizeof(float2)));
  CUDA_CHECK(cudaMalloc(&d_out, n_all * POINTS * sizeof(float2)));
  random_source source = random_from_seed(o->seed);
  fill_device_floats(&source, (float *)d_in, 2 * n_all * POINTS);
  printf(!timed ? "version,n_points,n_transforms\n" : o->csv ?
         "version,n_points,n_transforms,repetitions,time_us,time_spread_us,"
         "time_per_transform_ns,gb_per_s,share_of_copy\n" : "");
  if (timed && !o->csv)
    timing_print_head();
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    size_t n = timed ? (n_all + v->share - 1) / v->share : n_all;
    if (!options_wants(o, v->name) || missing(v))
      continue;
    if (!timed) {
      if (v->launch == launch_copy || v->is_library)
        continue;
      v->launch(d_out, d_in, n);
      CUDA_CHECK_LAUNCH();
      printf("%s,%d,%zu\n", v->name, POINTS, n);
      continue;
    }
    double n_bytes = 2.0 * (double)(n * POINTS * sizeof(float2));
    timing t = timing_start(o->repetitions);
    while (timing_next(&t)) {
      v->launch(d_out, d_in, n);
      CUDA_CHECK_LAUNCH();
    }
    double gb_per_s = timing_gb_per_s(n_bytes, t.median_us);
    if (i == 0)
      copy_gb_per_s = gb_per_s;
    if (o->csv)
      printf("%s,%d,%zu,%d,%.3f,%.3f,%.3f,%.2f,%.4f\n", v->name, POINTS, n,
             t.repetitions, t.median_us, t.spread_us,
             1e3 * t.median_us / (double)n, gb_per_s,
             copy_gb_per_s > 0.0 ? gb_per_s / copy_gb_per_s : 0.0);
    else
      timing_print_row(v->name, t, n_bytes);
    fflush(stdout);
  }
  CUDA_CHECK(cudaDeviceSynchronize());
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "Fourier transforms of 1024 points",
                            "fft,errors", "fft");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  if (o.count) {
    run(&o, memory_length(&o, 8, 2 * POINTS * sizeof(float2)), 0);
    return EXIT_SUCCESS;
  }
  if (check_versions(&o) > 0)
    return EXIT_FAILURE;
  if (o.csv && strcmp(o.csv, "errors") == 0) {
    print_errors(&o);
    return EXIT_SUCCESS;
  }
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  run(&o, memory_length(&o, (size_t)1 << 16, 2 * POINTS * sizeof(float2)),
      1);
  return EXIT_SUCCESS;
}
