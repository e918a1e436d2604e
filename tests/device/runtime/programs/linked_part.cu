// The other file of linked_main.cu.
__device__ int shared_counter = 5;
__constant__ float factors[4];
extern __device__ int total;

static __device__ int own = 1000;
static __device__ int helper(int x) { return x + own; }

__device__ float far_away(float x, int i) { return x * factors[i]; }

typedef float function(float, int);
__device__ float doubled(float x, int) { return 2 * x; }
__device__ function *chosen = doubled;

__global__ void there(int *out)
{
  total = helper(threadIdx.x) + shared_counter;
  *out = total;
}

void elsewhere(int *result)
{
  int *out;
  cudaMalloc(&out, sizeof *out);
  there<<<1, 1>>>(out);
  cudaMemcpy(result, out, sizeof *out, cudaMemcpyDeviceToHost);
  cudaFree(out);
}
