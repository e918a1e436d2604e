// A block of a cluster reaches for the shared memory of one that has ended. Each
// case is reported; then a load ends the launch and a store is lost, as without
// the checks. `ended NAME` runs one, `ended` lists them; ended.expected has the
// messages.
#include <cooperative_groups.h>
#include <stdio.h>
#include <string.h>

namespace cg = cooperative_groups;

// Block 1 ends after its barrier, block 0 looks at memory for a while.
static __device__ int *of_the_ended(int *box, volatile int *out)
{
  cg::cluster_group cluster = cg::this_cluster();

  box[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 1)
    return NULL;
  for (int i = 0; i < 20000; i++)
    out[threadIdx.x] = i;
  return cluster.map_shared_rank(box, 1);
}

__global__ void __cluster_dims__(2, 1, 1) load(int *out)
{
  __shared__ int box[32];
  int *others = of_the_ended(box, out);

  if (others != NULL)
    out[threadIdx.x] = others[threadIdx.x];
}

__global__ void __cluster_dims__(2, 1, 1) store(int *out)
{
  __shared__ int box[32];
  int *others = of_the_ended(box, out);

  if (others != NULL)
    others[threadIdx.x] = 7;
}

__global__ void __cluster_dims__(2, 1, 1) add(int *out)
{
  __shared__ int box[32];
  int *others = of_the_ended(box, out);

  if (others != NULL)
    atomicAdd(&others[threadIdx.x], 7);
}

static const struct {
  const char *name;
  void (*kernel)(int *);
} cases[] = { { "load", load }, { "store", store }, { "add", add } };

int main(int argc, char **argv)
{
  int *out;

  if (argc > 1) {
    cudaMalloc(&out, 128);
    cudaMemset(out, 0, 128);
  }
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (argc < 2)
      puts(cases[i].name);
    else if (strcmp(argv[1], cases[i].name) == 0) {
      cases[i].kernel<<<2, 32>>>(out);
      puts(cudaGetErrorName(cudaDeviceSynchronize()));
    }
  }
  if (argc > 1)
    cudaDeviceReset();
  return 0;
}
