// expect: api: host pointer used by a kernel | the host program
#include <cstdlib>
__global__ void fill(int *data) { data[threadIdx.x] = 1; }
int main()
{
#ifdef FIXED
  int *data;
  cudaMalloc(&data, 32 * sizeof *data);
#else
  int *data = (int *)malloc(32 * sizeof *data);
#endif
  fill<<<1, 32>>>(data);
  cudaDeviceSynchronize();
#ifdef FIXED
  cudaFree(data);
#endif
}
