// Findings in functions that were inlined: the report names the helper's line
// and who called it, from the inside to the outside; for the toolkit's headers
// it names the caller's line first. `inlined NAME` runs one case, `inlined`
// lists them; inlined.expected has the messages.
#include <cub/block/block_scan.cuh>
#include <stdio.h>
#include <string.h>

#define THREADS 64

struct cell {
  float value;
};

__device__ inline void put(cell *at, float value) { at->value = value; }

__device__ inline void put_twice(cell *at, float value)
{
  put(at, value);
  put(at + THREADS, value);
}

// The same helper for both sides of a race.
__global__ void helper_races(cell *cells)
{
  put(cells + threadIdx.x, 1.0f);
  put(cells + threadIdx.x / 64, 2.0f + threadIdx.x);
}

// A helper within a helper; one of four calls is out of bounds.
__global__ void helper_in_helper(cell *cells)
{
  put_twice(cells + threadIdx.x, 1.0f);
  put_twice(cells + 128 * THREADS / 64 + threadIdx.x, 2.0f);
}

// Two scans, each with its loop, that lack a barrier.
__global__ void storage_reused(cell *cells)
{
  using scan = cub::BlockScan<int, THREADS, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ scan::TempStorage first, second;
  int value = threadIdx.x;

  for (int i = 0; i < 3; i++)
    scan(first).ExclusiveSum(value, value);
  for (int i = 0; i < 2; i++)
    scan(second).InclusiveSum(value, value);
  cells[threadIdx.x].value = value;
}

static const char *const names[] = { "helper_races", "helper_in_helper",
                                     "storage_reused" };

int main(int argc, char **argv)
{
  const char *name = argc < 2 ? "" : argv[1];
  cell *cells;

  if (argc < 2) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      puts(names[i]);
    return 0;
  }
  cudaMalloc(&cells, 3 * THREADS * sizeof *cells);
  if (strcmp(name, "helper_races") == 0)
    helper_races<<<1, THREADS>>>(cells);
  if (strcmp(name, "helper_in_helper") == 0)
    helper_in_helper<<<1, THREADS>>>(cells);
  if (strcmp(name, "storage_reused") == 0)
    storage_reused<<<1, THREADS>>>(cells);
  if (cudaDeviceSynchronize() != cudaSuccess)
    cudaGetLastError();
  cudaFree(cells);
  return 0;
}
