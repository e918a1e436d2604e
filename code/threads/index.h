/* A thread's number in its whole grid, 0 … threads - 1, for each of the nine
 * ways to shape grid and block: index_<grid>_<block>(). x runs fastest, then
 * y, then z; blocks come one after the other. Good for up to 2^32 threads.
 *
 * INDEX_CASES(CASE) calls CASE(name, dimensions of grid, of block) for each.
 */
#ifndef CODE_THREADS_INDEX_H
#define CODE_THREADS_INDEX_H

__device__ unsigned index_1d_1d(void)
{
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ unsigned index_1d_2d(void)
{
  unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  return blockIdx.x * (blockDim.x * blockDim.y) + thread;
}

__device__ unsigned index_1d_3d(void)
{
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
                    threadIdx.x;
  return blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + thread;
}

__device__ unsigned index_2d_1d(void)
{
  unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  return block * blockDim.x + threadIdx.x;
}

__device__ unsigned index_2d_2d(void)
{
  unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  return block * (blockDim.x * blockDim.y) + thread;
}

__device__ unsigned index_2d_3d(void)
{
  unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
                    threadIdx.x;
  return block * (blockDim.x * blockDim.y * blockDim.z) + thread;
}

__device__ unsigned index_3d_1d(void)
{
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
                   blockIdx.x;
  return block * blockDim.x + threadIdx.x;
}

__device__ unsigned index_3d_2d(void)
{
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
                   blockIdx.x;
  unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  return block * (blockDim.x * blockDim.y) + thread;
}

__device__ unsigned index_3d_3d(void)
{
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x +
                   blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
                    threadIdx.x;
  return block * (blockDim.x * blockDim.y * blockDim.z) + thread;
}

#define INDEX_CASES(CASE)                            \
  CASE(1d_1d, 1, 1) CASE(1d_2d, 1, 2) CASE(1d_3d, 1, 3) \
  CASE(2d_1d, 2, 1) CASE(2d_2d, 2, 2) CASE(2d_3d, 2, 3) \
  CASE(3d_1d, 3, 1) CASE(3d_2d, 3, 2) CASE(3d_3d, 3, 3)

#endif
