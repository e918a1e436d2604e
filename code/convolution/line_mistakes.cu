/* What is wrong with a published kernel: it asks whether an input exists, and
 * not whether an output does.  And what its barrier is for.
 *
 *   nvcc -I code code/convolution/line_mistakes.cu -o line_mistakes
 *   ./line_mistakes --version guarded */
#include <stdio.h>
#include <stdlib.h>

#include "common/cuda_check.h"
#include "common/options.h"

enum { MASK_WIDTH = 5, RADIUS = MASK_WIDTH / 2, TILE_SIZE = 32,
       N_THREADS = TILE_SIZE + 2 * RADIUS };

// begin printed
__global__ void unguarded_kernel(float *out, const float *in,
                                 const float *weights, int n)
{
  __shared__ float tile[N_THREADS];
  int i_out = blockIdx.x * TILE_SIZE + threadIdx.x, i_in = i_out - RADIUS;
  if (i_in >= 0 && i_in < n)
    tile[threadIdx.x] = in[i_in];
  else
    tile[threadIdx.x] = 0.0f;
  __syncthreads();
  if (threadIdx.x < TILE_SIZE) {
    float sum = 0.0f;
    for (int j = 0; j < MASK_WIDTH; j++)
      sum += tile[threadIdx.x + j] * weights[j];
    out[i_out] = sum;
  }
}
// end printed

__global__ void hasty_kernel(float *out, const float *in,
                             const float *weights, int n)
{
  __shared__ float tile[N_THREADS];
  int i_out = blockIdx.x * TILE_SIZE + threadIdx.x, i_in = i_out - RADIUS;
  tile[threadIdx.x] = i_in >= 0 && i_in < n ? in[i_in] : 0.0f;
  if (threadIdx.x < TILE_SIZE && i_out < n) {
    float sum = 0.0f;
    for (int j = 0; j < MASK_WIDTH; j++)
      sum += tile[threadIdx.x + j] * weights[j];
    out[i_out] = sum;
  }
}

// begin guarded
__global__ void guarded_kernel(float *out, const float *in,
                               const float *weights, int n)
{
  __shared__ float tile[N_THREADS];
  int i_out = blockIdx.x * TILE_SIZE + threadIdx.x, i_in = i_out - RADIUS;
  if (i_in >= 0 && i_in < n)
    tile[threadIdx.x] = in[i_in];
  else
    tile[threadIdx.x] = 0.0f;
  __syncthreads();
  if (threadIdx.x < TILE_SIZE && i_out < n) {
    float sum = 0.0f;
    for (int j = 0; j < MASK_WIDTH; j++)
      sum += tile[threadIdx.x + j] * weights[j];
    out[i_out] = sum;
  }
}
// end guarded

typedef struct {
  const char *name;
  const char *idea;
  void (*kernel)(float *out, const float *in, const float *weights, int n);
  int n;
} version;

static const version versions[] = {
  {"printed", "as printed, with 128 elements", unguarded_kernel, 128},
  {"other_size", "the same with 100", unguarded_kernel, 100},
  {"no_barrier", "with a guard, without the barrier", hasty_kernel, 100},
  {"guarded", "with both", guarded_kernel, 100},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

/* Ones, summed by weights of one: 5 inside, 4 and 3 at the ends. */
static int is_right(const version *v)
{
  float h[128], weights[MASK_WIDTH], *d_in, *d_out, *d_weights;
  size_t n_bytes = v->n * sizeof(float);
  int n_right = 0;
  for (int i = 0; i < v->n; i++)
    h[i] = 1.0f;
  for (int j = 0; j < MASK_WIDTH; j++)
    weights[j] = 1.0f;
  CUDA_CHECK(cudaMalloc(&d_in, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_out, n_bytes));
  CUDA_CHECK(cudaMalloc(&d_weights, sizeof weights));
  CUDA_CHECK(cudaMemcpy(d_in, h, n_bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_weights, weights, sizeof weights,
                        cudaMemcpyHostToDevice));
  v->kernel<<<(v->n + TILE_SIZE - 1) / TILE_SIZE, N_THREADS>>>(
      d_out, d_in, d_weights, v->n);
  CUDA_CHECK_LAUNCH();
  cudaError_t error = cudaMemcpy(h, d_out, n_bytes, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) {
    printf("%s: %s\n", v->name, cudaGetErrorString(error));
    return 0;
  }
  CUDA_CHECK(cudaFree(d_in));
  CUDA_CHECK(cudaFree(d_out));
  CUDA_CHECK(cudaFree(d_weights));
  for (int i = 0; i < v->n; i++) {
    int from_edge = i < v->n - 1 - i ? i : v->n - 1 - i;
    n_right += h[i] == (from_edge < RADIUS ? RADIUS + 1 + from_edge
                                           : MASK_WIDTH);
  }
  printf("%s: %d of %d elements are right\n", v->name, n_right, v->n);
  return n_right == v->n;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "a published kernel", "", "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int all_right = 1;
  for (int v = 0; v < N_VERSIONS; v++)
    if (o.version ? options_wants(&o, versions[v].name) : v == 3)
      all_right &= is_right(&versions[v]);
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
