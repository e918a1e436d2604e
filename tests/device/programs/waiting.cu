/* Threads that wait for each other across warps and blocks, as tree codes and
 * hand-written grid barriers do: all blocks fit the device at once. */
#include "check.h"

/* Lanes leave a loop with a barrier in it at different times. */
__global__ void leave_early(int *rounds)
{
  int left = threadIdx.x % 7 + 1;

#pragma unroll 1
  while (left > 0) {
    left--;
    atomicAdd(&rounds[threadIdx.x], 1);
    __syncthreads();
  }
}

/* Every thread waits for the next one, the last of all for nobody: lanes of
 * a warp part and meet again in every round. */
__global__ void chain(volatile int *done, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  while (i < n) {
    if (i == n - 1) {
      done[i] = 1;
      i = n;
    } else {
      int next = done[i + 1];

      if (next != 0) {
        done[i] = next + 1;
        i = n;
      }
    }
  }
}

/* The same, with all threads of a block in step. */
__global__ void chain_in_step(volatile int *done, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  while (i < n) {
    int next = i == n - 1 ? 0 : done[i + 1];

    if (next != 0 || i == n - 1) {
      done[i] = next + 1;
      i = n;
    }
    __syncthreads();
  }
}

/* A barrier of the whole grid, made by hand. */
__global__ void grid_barriers(unsigned *arrived, int *sums, int rounds)
{
  for (int r = 0; r < rounds; r++) {
    if (threadIdx.x == 0) {
      atomicAdd(&sums[r], 1);
      __threadfence();
      atomicAdd(arrived, 1u);
      while (atomicAdd(arrived, 0u) < (r + 1) * gridDim.x)
        ;
      __threadfence();
      if (((volatile int *)sums)[r] != (int)gridDim.x)
        atomicAdd(&sums[rounds], 1);
    }
    __syncthreads();
  }
}

/* Lanes that wait for other blocks for different times meet behind the loop
 * on the software device, because programs of old add up by warps there
 * without __syncwarp. It is a race, which --check tells: on an H200 the lanes
 * do not meet, and most of these sums are wrong. */
__global__ void meet_behind_loop(volatile int *done, volatile int *sums)
{
  __shared__ volatile int parts[256];
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, sum = 0;
  int lane = threadIdx.x % 32;

  for (int i = lane; i < warp;) /* all warps before, 32 at a time */
    if (done[i] != 0) {
      __threadfence();
      sum += sums[i] % 7 + 1;
      i += 32;
    }
  parts[threadIdx.x] = sum;
  for (int half = 16; half > 0; half /= 2)
    if (lane < half)
      parts[threadIdx.x] += parts[threadIdx.x + half];
  if (lane == 0) {
    sums[warp] = parts[threadIdx.x];
    __threadfence();
    done[warp] = 1;
  }
}

int main()
{
  const int threads = 64, n = 10 * threads, rounds = 3, blocks = 132;
  int *counts = managed<int>(threads), *done = managed<int>(n);
  int *sums = managed<int>(rounds + 1);
  unsigned *arrived = managed<unsigned>(1);

  leave_early<<<1, threads>>>(counts);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < threads; i++)
    EXPECT(counts[i] == i % 7 + 1);

  chain<<<n / threads, threads>>>(done, n);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++)
    EXPECT(done[i] == n - i);

  CUDA(cudaMemset(done, 0, n * sizeof *done));
  chain_in_step<<<n / threads, threads>>>(done, n);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++)
    EXPECT(done[i] == n - i);

  grid_barriers<<<blocks, threads>>>(arrived, sums, rounds);
  CUDA(cudaDeviceSynchronize());
  for (int r = 0; r < rounds; r++)
    EXPECT(sums[r] == blocks);
  EXPECT(sums[rounds] == 0);

  const int warps = 400;
  int *ready = managed<int>(warps), *totals = managed<int>(warps);
  meet_behind_loop<<<warps / 8, 256>>>(ready, totals);
  CUDA(cudaDeviceSynchronize());
  for (int i = 0, total = 0; i < warps; i++) {
    EXPECT(totals[i] == total);
    total += total % 7 + 1;
  }
  return failures != 0;
}
