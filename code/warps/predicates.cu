/* Conditions that need no branch: the compiler computes a predicate for each
 * lane, and each instruction says whose it obeys.  Look at the code that
 * comes out. */
#include <stdio.h>
#include <stdlib.h>

#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/memory.h"
#include "common/options.h"

enum { BLOCK_THREADS = 256 };

// begin shift
__global__ void shift(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], z;
  if (x < 0.0f)
    z = x - 2.0f;
  else
    z = x + 2.0f;
  out[i] = z;
}
// end shift

// begin shift_or_root
__global__ void shift_or_root(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], z;
  if (x < 0.0f)
    z = x - 2.0f;
  else
    z = sqrtf(x);
  out[i] = z;
}
// end shift_or_root

// begin store_if
__global__ void store_if(const float *in, float *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  out[i] = x;
  if (x < 0.0f)
    out[i] = 0.0f;
}
// end store_if

static float shift_on_host(float x) { return x < 0 ? x - 2 : x + 2; }
static float root_on_host(float x) { return x < 0 ? x - 2 : sqrtf(x); }
static float store_on_host(float x) { return x < 0 ? 0 : x; }

typedef struct {
  const char *name;     /* the kernel's */
  const char *idea;
  void (*kernel)(const float *, float *);
  float (*reference)(float);
} version;

static const version versions[] = {
  {"shift", "an addition on either side", shift, shift_on_host},
  {"shift_or_root", "an addition or a root", shift_or_root, root_on_host},
  {"store_if", "a store on one side", store_if, store_on_host},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static void launch(const version *v, const float *d_in, float *d_out, int n)
{
  v->kernel<<<n / BLOCK_THREADS, BLOCK_THREADS>>>(d_in, d_out);
  CUDA_CHECK_LAUNCH();
}

enum { N = 4 * BLOCK_THREADS };

static int check_version(const version *v, random_source *random,
                         float *h_in, int only_count)
{
  static float h_expected[N], h_got[N + GUARD_BYTES / sizeof(float)];
  float *d_in, *d_out;
  random_fill_floats(random, h_in, N);
  for (int i = 0; i < N; i++)
    h_expected[i] = v->reference(h_in[i]);
  CUDA_CHECK(cudaMalloc(&d_in, N * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&d_out, sizeof h_got));
  CUDA_CHECK(cudaMemcpy(d_in, h_in, N * sizeof(float),
                        cudaMemcpyHostToDevice));
  poison_device(d_out, sizeof h_got);
  launch(v, d_in, d_out, N);
  CUDA_CHECK(cudaMemcpy(h_got, d_out, sizeof h_got, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  if (only_count)
    printf("%s,%d\n", v->name, N);
  return compare_floats(v->name, h_expected, h_got, N) &
         compare_guard(v->name, h_got + N, GUARD_BYTES);
}

int main(int argc, char **argv)
{
  static float h_in[N];
  options o = options_parse(argc, argv, "conditions that need no branch", "",
                            "predicates");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  random_source random = random_from_seed(o.count ? 1 : o.seed);
  int right = 1;
  if (o.count)
    printf("version,n_elems\n");
  for (int k = 0; k < N_VERSIONS; k++)
    if (options_wants(&o, versions[k].name))
      right &= check_version(&versions[k], &random, h_in, o.count != NULL);
  if (!o.count)
    printf("check: %d elements, seed %llu: %s\n", N,
           (unsigned long long)o.seed, right ? "all right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
