// What the preference between L1 and shared memory makes of occupancy. The
// numbers are an H200's; devices of another compute capability are let off.
#include "check.h"

__global__ void kernel(float *x)
{
  extern __shared__ float box[];

  box[threadIdx.x] = *x;
  __syncthreads();
  *x = box[threadIdx.x ^ 1];
}

int main()
{
  static const cudaFuncCache configs[] = { cudaFuncCachePreferNone,
                                           cudaFuncCachePreferShared,
                                           cudaFuncCachePreferL1,
                                           cudaFuncCachePreferEqual };
  static const int expected[] = { 32, 32, 1, 26 };
  int major, n;
  size_t bytes;

  CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  if (major != 9)
    return 0;
  for (int i = 0; i < 4; i++) {
    CUDA(cudaFuncSetCacheConfig(kernel, configs[i]));
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, 32, 4096));
    EXPECT(n == expected[i]);
  }
  CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 1, 32));
  EXPECT(bytes == 49152);
  CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 4, 32));
  EXPECT(bytes == 33792);
  CUDA(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1));
  CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 8, 32));
  EXPECT(bytes == 1024);
  EXPECT(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 16, 32) ==
         cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            232448));
  CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 1, 32));
  EXPECT(bytes == 232448);
  CUDA(cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferNone));
  CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 5, 32));
  EXPECT(bytes == 46592);
  EXPECT(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, kernel, 3, 1024) ==
         cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT(cudaFuncSetCacheConfig(kernel, (cudaFuncCache)4) ==
         cudaErrorInvalidValue);
  return failures != 0;
}
