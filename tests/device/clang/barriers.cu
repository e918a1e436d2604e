/* A number that one thread writes into shared memory, and all threads read
 * after a barrier: no compiler may move the load across it. The variables are
 * in functions of their own, where clang sees that nothing else has their
 * address. */
#include <cooperative_groups.h>
#include <stdio.h>

#define HAND_OUT(name, barrier)                                                \
  static __device__ int name(int number)                                       \
  {                                                                            \
    __shared__ int handed;                                                     \
    if (threadIdx.x == 0)                                                      \
      handed = number;                                                         \
    barrier;                                                                   \
    return handed;                                                             \
  }

HAND_OUT(by_barrier, __syncthreads())
HAND_OUT(by_count, __syncthreads_count(1))
HAND_OUT(by_and, __syncthreads_and(1))
HAND_OUT(by_or, __syncthreads_or(0))
HAND_OUT(by_warp, __syncwarp())
HAND_OUT(by_group, cooperative_groups::this_thread_block().sync())
HAND_OUT(by_tile, cooperative_groups::tiled_partition<32>(
                      cooperative_groups::this_thread_block())
                      .sync())

enum { N_WAYS = 7, THREADS = 32 };

__global__ void hand_out(int *out)
{
  int number = threadIdx.x == 0 ? 10 : 0;
  int got[N_WAYS] = { by_barrier(number),  by_count(number + 1),
                      by_and(number + 2),  by_or(number + 3),
                      by_warp(number + 4), by_group(number + 5),
                      by_tile(number + 6) };
  for (int i = 0; i < N_WAYS; i++)
    out[threadIdx.x * N_WAYS + i] = got[i];
}

int main(void)
{
  int *d_out, out[THREADS * N_WAYS], wrong = 0;

  if (cudaMalloc(&d_out, sizeof out) != cudaSuccess)
    return 1;
  hand_out<<<1, THREADS>>>(d_out);
  if (cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  for (int i = 0; i < THREADS * N_WAYS; i++)
    wrong += out[i] != 10 + i % N_WAYS;
  printf("%d wrong\n", wrong);
  return cudaFree(d_out) != cudaSuccess;
}
