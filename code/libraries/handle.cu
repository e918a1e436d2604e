/* What does it cost to make a handle of cuBLAS for each call?  The same short
 * call many times, with a handle that is kept and with one that is not. The
 * host's clock, from the call until the result is there, for CALLS calls.
 *
 *   nvcc -I code code/libraries/handle.cu -lcublas -o handle && ./handle
 */
#include "common/compare.h"
#include "common/cublas_check.h"
#include "common/cuda_check.h"
#include "common/options.h"
#include "common/timing.h"

enum { N = 16384, CALLS = 50, MOST_REPETITIONS = 1000 };

static void scale_kept(float *d_x, float factor)
{
  static cublasHandle_t handle;
  if (!handle)
    CUBLAS_CHECK(cublasCreate(&handle));
  CUBLAS_CHECK(cublasSscal(handle, N, &factor, d_x, 1));
}

static void scale_each_call(float *d_x, float factor)
{
  cublasHandle_t handle;
  CUBLAS_CHECK(cublasCreate(&handle));
  CUBLAS_CHECK(cublasSscal(handle, N, &factor, d_x, 1));
  CUBLAS_CHECK(cublasDestroy(handle));
}

typedef struct {
  const char *name;
  const char *idea;
  void (*scale)(float *d_x, float factor);
} version;

static const version versions[] = {
  {"kept", "one handle for all calls", scale_kept},
  {"each_call", "a handle for each call", scale_each_call},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int check(const version *v)
{
  static float h_x[N], expected[N];
  char h_out[sizeof h_x + GUARD_BYTES];
  float *d_x;
  for (int i = 0; i < N; i++) {
    h_x[i] = (float)i;
    expected[i] = 4.0f * (float)i;
  }
  CUDA_CHECK(cudaMalloc(&d_x, sizeof h_out));
  poison_device(d_x, sizeof h_out);
  CUDA_CHECK(cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice));
  v->scale(d_x, 2.0f);
  v->scale(d_x, 2.0f);
  CUDA_CHECK(cudaMemcpy(h_out, d_x, sizeof h_out, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_x));
  return compare_floats(v->name, expected, (float *)h_out, N) &&
         compare_guard(v->name, h_out + sizeof h_x, GUARD_BYTES);
}

static void measure(const options *o)
{
  double samples_us[MOST_REPETITIONS];
  int n = o->repetitions < MOST_REPETITIONS ? o->repetitions
                                            : MOST_REPETITIONS;
  float *d_x;
  CUDA_CHECK(cudaMalloc(&d_x, N * sizeof(float)));
  CUDA_CHECK(cudaMemset(d_x, 0, N * sizeof(float)));
  printf(o->csv ? "version,n,repetitions,time_us,time_spread_us\n"
                : "version       median us    spread us\n");
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(o, v->name))
      continue;
    for (int k = -TIMING_WARM_UP; k < n; k++) {
      double start_us = timing_host_us();
      for (int call = 0; call < CALLS; call++) {
        v->scale(d_x, 2.0f);
        CUDA_CHECK(cudaDeviceSynchronize());
      }
      if (k >= 0)
        samples_us[k] = (timing_host_us() - start_us) / CALLS;
    }
    timing t;
    timing_summarise(&t, samples_us, n);
    if (o->csv)
      printf("%s,%d,%d,%.3f,%.3f\n", v->name, N, n, t.median_us,
             t.spread_us);
    else
      printf("%-10s %12.2f %12.2f\n", v->name, t.median_us, t.spread_us);
    fflush(stdout);
  }
  CUDA_CHECK(cudaFree(d_x));
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "handles of cuBLAS, kept and not",
                            "handle", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int n_bad = 0;
  for (int v = 0; v < N_VERSIONS; v++)
    if (options_wants(&o, versions[v].name))
      n_bad += !check(&versions[v]);
  if (n_bad > 0)
    return EXIT_FAILURE;
  fprintf(options_remarks(&o), "both versions are right\n");
  if (o.check || !timing_is_possible())
    return EXIT_SUCCESS;
  measure(&o);
  return EXIT_SUCCESS;
}
