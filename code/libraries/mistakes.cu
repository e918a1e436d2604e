/* A library believes what you say about your arrays. Memory as a lab sheet
 * asks for it, by elements, and as it should be, by bytes; each handed to our
 * own kernel and to cuBLAS.
 *
 *   nvcc -I code code/libraries/mistakes.cu -lcublas -o mistakes && ./mistakes
 */
#include "common/cublas_check.h"
#include "common/cuda_check.h"
#include "common/options.h"

enum { N = 1000, BLOCK_THREADS = 256 };

// begin scale
__global__ void scale(float *x, float factor, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= factor;
}
// end scale

static void scale_by_kernel(float *d_x)
{
  scale<<<(N + BLOCK_THREADS - 1) / BLOCK_THREADS, BLOCK_THREADS>>>(d_x, 2.0f,
                                                                    N);
  CUDA_CHECK_LAUNCH();
}

// begin scale_by_cublas
static void scale_by_cublas(float *d_x)
{
  static const float factor = 2.0f;
  static cublasHandle_t handle;
  if (!handle)
    CUBLAS_CHECK(cublasCreate(&handle));
  CUBLAS_CHECK(cublasSscal(handle, N, &factor, d_x, 1));
}
// end scale_by_cublas

typedef struct {
  const char *name;
  const char *idea;
  size_t n_bytes;
  void (*scale)(float *d_x);
} version;

static const version versions[] = {
  {"kernel_elements", "a kernel, N bytes", N, scale_by_kernel},
  {"cublas_elements", "cuBLAS, N bytes", N, scale_by_cublas},
  {"cublas_bytes", "cuBLAS, N floats", N * sizeof(float), scale_by_cublas},
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static int is_right(const version *v)
{
  static float h_x[N];
  float *d_x;
  int n_right = 0, n = (int)(v->n_bytes / sizeof(float));
  for (int i = 0; i < N; i++)
    h_x[i] = (float)i;
  CUDA_CHECK(cudaMalloc(&d_x, v->n_bytes));
  CUDA_CHECK(cudaMemcpy(d_x, h_x, v->n_bytes, cudaMemcpyHostToDevice));
  v->scale(d_x);
  cudaError_t error = cudaMemcpy(h_x, d_x, v->n_bytes,
                                 cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  if (error != cudaSuccess) {
    printf("%s: %s\n", v->name, cudaGetErrorString(error));
    return 0;
  }
  for (int i = 0; i < n; i++)
    n_right += h_x[i] == 2.0f * (float)i;
  printf("%s: %d of %d elements are right\n", v->name, n_right, N);
  return n_right == N;
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "memory by elements and by bytes", "",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  int all_right = 1;
  for (int v = 0; v < N_VERSIONS; v++)
    if (o.version ? options_wants(&o, versions[v].name) : v == 2)
      all_right = is_right(&versions[v]) && all_right;
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
