/* Every thread says who it is: in the nine ways to shape grid and block, with
 * two of everything in each dimension that is used.
 *
 *   nvcc -I code code/threads/who.cu -o who && ./who --version 2d_2d */
#include <stdio.h>

#include "common/cuda_check.h"
#include "common/options.h"
#include "threads/index.h"

// begin who
__device__ void say(unsigned index)
{
  printf("block (%u, %u, %u)  thread (%u, %u, %u)  index %u\n",
         blockIdx.x, blockIdx.y, blockIdx.z,
         threadIdx.x, threadIdx.y, threadIdx.z, index);
}

__global__ void who(void)
{
  say(index_2d_2d());
}

/* dim3 fills up with ones. */
static void launch_example(void)
{
  dim3 grid(2, 2), block(2, 2);
  printf("grid %u x %u x %u, block %u x %u x %u\n", grid.x, grid.y, grid.z,
         block.x, block.y, block.z);
  who<<<grid, block>>>();
  CUDA_CHECK_LAUNCH();
}
// end who

#define KERNEL(name, grid_dims, block_dims) \
  __global__ void who_##name(void) { say(index_##name()); }
INDEX_CASES(KERNEL)

typedef struct {
  const char *name;
  const char *idea;
  void (*kernel)(void);
  int grid_dims, block_dims;
} version;

static const version versions[] = {
  {"example", "two by two blocks of two by two threads", NULL, 2, 2},
#define ROW(name, grid_dims, block_dims)                                   \
  {#name, #grid_dims "D grid of " #block_dims "D blocks", who_##name,      \
   grid_dims, block_dims},
  INDEX_CASES(ROW)
};
enum { N_VERSIONS = sizeof versions / sizeof versions[0] };

static dim3 two_in_each(int dims)
{
  return dim3(2, dims > 1 ? 2 : 1, dims > 2 ? 2 : 1);
}

int main(int argc, char **argv)
{
  options o = options_parse(argc, argv, "every thread says who it is", "",
                            "");
  options_versions(&o, versions, sizeof versions[0], N_VERSIONS);
  for (int i = 0; i < N_VERSIONS; i++) {
    const version *v = &versions[i];
    if (!options_wants(&o, v->name))
      continue;
    if (v->kernel) {
      printf("%s:\n", v->idea);
      v->kernel<<<two_in_each(v->grid_dims), two_in_each(v->block_dims)>>>();
      CUDA_CHECK_LAUNCH();
    } else {
      launch_example();
    }
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  return EXIT_SUCCESS;
}
