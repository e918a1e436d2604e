// expect: api: launch beyond a limit | = 2048 threads: at most 1024
#include <cstdio>
__global__ void nothing() {}
int main()
{
#ifdef FIXED
  nothing<<<2, 1024>>>();
#else
  nothing<<<1, 2048>>>();
#endif
  if (cudaGetLastError() != cudaSuccess)
    printf("refused\n");
  cudaDeviceSynchronize();
}
