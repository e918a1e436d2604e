// Device code in two files (nvcc -rdc=true): functions, variables, constants
// and static names of the same spelling.
#include <cstdio>

extern __device__ int shared_counter;
extern __constant__ float factors[4];
extern __device__ float far_away(float x, int i);
typedef float function(float, int);
extern __device__ function *chosen;

static __device__ int own = 1;  // the other file has one, too
static __device__ int helper(int x) { return x + own; }
__device__ int total;

__global__ void here(float *out)
{
  out[threadIdx.x] = far_away((float)threadIdx.x, threadIdx.x % 4);
  out[threadIdx.x + 32] = (*chosen)((float)threadIdx.x, 1);
  atomicAdd(&shared_counter, helper(1));
}

void elsewhere(int *result);

int main()
{
  float host[64], *out;
  cudaMalloc(&out, sizeof host);
  float values[4] = { 1, 10, 100, 1000 };
  cudaMemcpyToSymbol(factors, values, sizeof values);
  here<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  printf("%g %g %g %g\n", host[1], host[2], host[3], host[33]);
  int counter, result;
  cudaMemcpyFromSymbol(&counter, shared_counter, sizeof counter);
  printf("counter %d\n", counter);
  elsewhere(&result);
  printf("elsewhere %d\n", result);
}
