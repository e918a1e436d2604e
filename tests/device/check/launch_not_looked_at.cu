// expect: api: error never looked at | cudaLaunchKernel returned | ask cudaGetLastError()
#include <cstdio>
__global__ void nothing() {}
int main()
{
#ifdef FIXED
  nothing<<<1, 1024>>>();
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
#else
  nothing<<<1, 2048>>>();
#endif
  cudaDeviceSynchronize();
}
