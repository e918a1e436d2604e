// A barrier across all blocks of a grid, several times over.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

// Each round every block reads what another one wrote in the round before.
__global__ void rounds(int *a, int *b, int n_rounds)
{
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank(), n = grid.size();
  a[i] = i;
  for (int round = 0; round < n_rounds; round++) {
    grid.sync();
    b[i] = a[(i + blockDim.x) % n];
    grid.sync();
    a[i] = b[i];
  }
}

int main()
{
  const int block_threads = 64, n_blocks = 20, n_rounds = 7;
  const int n = block_threads * n_blocks;
  int *a, *b, rounds_arg = n_rounds, wrong = 0;
  cudaMallocManaged(&a, n * sizeof *a);
  cudaMallocManaged(&b, n * sizeof *b);
  void *arguments[] = { &a, &b, &rounds_arg };
  cudaLaunchCooperativeKernel((void *)rounds, n_blocks, block_threads,
                              arguments, 0, 0);
  cudaError_t error = cudaDeviceSynchronize();
  for (int i = 0; i < n && error == cudaSuccess; i++)
    wrong += a[i] != (i + n_rounds * block_threads) % n;
  if (error == cudaSuccess && wrong == 0)
    printf("all right\n");
  else
    printf("%s, %d wrong\n", cudaGetErrorString(error), wrong);
  return 0;
}
