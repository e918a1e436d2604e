// A program with PTX for compute_90 and for compute_90a: an H200 takes the
// latter, in whichever order they come.
#include <stdio.h>

__global__ void which(int *out)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  *out = 'a';
#else
  *out = 0;
#endif
}

int main()
{
  int *out;

  cudaMallocManaged(&out, sizeof *out);
  which<<<1, 1>>>(out);
  cudaError_t error = cudaDeviceSynchronize();
  int got = *out;
  cudaFree(out);
  printf("%s, %s\n", cudaGetErrorString(error),
         got == 'a' ? "compute_90a" : "compute_90");
  return error != cudaSuccess || got != 'a';
}
