// expect: api: error never looked at | cudaMalloc returned cudaErrorMemoryAllocation
// hint: cudaErrorMemoryAllocation: 35184372088832 bytes are asked for
#include <cstdio>
int main()
{
  void *data = nullptr;
  cudaError_t error = cudaMalloc(&data, (size_t)1 << 45);
#ifdef FIXED
  if (error != cudaSuccess)
    printf("%s\n", cudaGetErrorString(error));
#else
  (void)error;
#endif
}
