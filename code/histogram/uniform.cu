/* A sum of 64-bit integers in shared memory, in two ways that C++ and PTX
 * hold for the same: the summand is computed, or read from memory.
 *
 *   nvcc -I code code/histogram/uniform.cu -o uniform && ./uniform
 */
#include "common/compare.h"
#include "common/cuda_check.h"
#include "common/device.h"
#include "common/options.h"

enum { WARP_LANES = 32, FIRST = 5, MOST_ROUNDS = 4 };
typedef unsigned long long u64;

// begin computed
/* All lanes add x to the word that `at` names, then x + 1, and so on. */
__global__ void sum_computed(u64 *sum, const int *at, u64 x, const u64 *,
                             int rounds)
{
  __shared__ u64 words[WARP_LANES];
  words[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < rounds; i++, x += 1)
    atomicAdd(&words[at[threadIdx.x]], x);
  __syncthreads();
  sum[threadIdx.x] = words[threadIdx.x];
}
// end computed

// begin loaded
__global__ void sum_loaded(u64 *sum, const int *at, u64, const u64 *given,
                           int rounds)
{
  __shared__ u64 words[WARP_LANES];
  words[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < rounds; i++)
    atomicAdd(&words[at[threadIdx.x]], given[i * WARP_LANES + threadIdx.x]);
  __syncthreads();
  sum[threadIdx.x] = words[threadIdx.x];
}
// end loaded

typedef struct {
  const char *name, *idea;
  void (*kernel)(u64 *, const int *, u64, const u64 *, int);
} version;

static const version versions[] = {
  {"computed", "all lanes compute the same summand", sum_computed},
  {"loaded", "each lane reads its summand", sum_loaded},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* One warp, all lanes at the first word. Returns the sum; *expected: what the
 * CPU makes of it. */
static u64 sum_of(const version *v, int rounds, u64 *expected)
{
  u64 h_given[MOST_ROUNDS * WARP_LANES], *d_given, *d_sum, sum;
  int *d_at;
  *expected = 0;
  for (int i = 0; i < rounds * WARP_LANES; i++) {
    h_given[i] = FIRST + i / WARP_LANES;
    *expected += h_given[i];
  }
  CUDA_CHECK(cudaMalloc(&d_given, sizeof h_given));
  CUDA_CHECK(cudaMalloc(&d_at, WARP_LANES * sizeof *d_at));
  CUDA_CHECK(cudaMemset(d_at, 0, WARP_LANES * sizeof *d_at));
  CUDA_CHECK(cudaMalloc(&d_sum, WARP_LANES * sizeof *d_sum));
  poison_device(d_sum, WARP_LANES * sizeof *d_sum);
  CUDA_CHECK(cudaMemcpy(d_given, h_given,
                        rounds * WARP_LANES * sizeof *h_given,
                        cudaMemcpyHostToDevice));
  v->kernel<<<1, WARP_LANES>>>(d_sum, d_at, FIRST, d_given, rounds);
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(d_at));
  CUDA_CHECK(cudaFree(d_given));
  CUDA_CHECK(cudaFree(d_sum));
  return sum;
}

/* The table shows what is wrong; the check wants what must be right: a
 * compiler may get `computed` wrong, but the software device, which executes
 * PTX, may not. */
int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a sum that a compiler gets wrong",
                            "sums", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int right = 1;
  if (!o.check)
    printf("version,compiler,rounds,expected,sum\n");
  for (int k = 0; k < N_VERSIONS; k++)
    for (int rounds = 1; rounds <= MOST_ROUNDS; rounds++) {
      u64 expected, sum;
      if (!options_wants(&o, versions[k].name))
        continue;
      sum = sum_of(&versions[k], rounds, &expected);
      if (!o.check)
        printf("%s,%d.%d.%d,%d,%llu,%llu\n", versions[k].name,
               __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__,
               __CUDACC_VER_BUILD__, rounds, expected, sum);
      if (versions[k].kernel == sum_loaded || device_is_software())
        right &= sum == expected;
      if (!right)
        fprintf(stderr, "%s: error: %d rounds: the sum is %llu, must be "
                "%llu\n", versions[k].name, rounds, sum, expected);
    }
  fprintf(options_remarks(&o), "check: %d versions, %d rounds at most: %s\n",
          o.version ? 1 : (int)N_VERSIONS, MOST_ROUNDS,
          right ? "all right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
