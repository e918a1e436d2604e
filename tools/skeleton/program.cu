/* Multiplies a vector by 2: y[i] = 2 * x[i].
 *
 *   nvcc -I code code/SLUG/SLUG.cu -o SLUG && ./SLUG */
#include "common/program.h"

enum { BLOCK_THREADS = 256 };

static void scale_reference(float *y, const float *x, size_t n)
{
  for (size_t i = 0; i < n; i++)
    y[i] = 2 * x[i];
}

// begin one_each
__global__ void SLUG_one_each(float *y, const float *x, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = 2 * x[i];
}
// end one_each

static void launch_one_each(float *d_y, const float *d_x, size_t n)
{
  unsigned n_blocks = (unsigned)((n + BLOCK_THREADS - 1) / BLOCK_THREADS);
  SLUG_one_each<<<n_blocks, BLOCK_THREADS>>>(d_y, d_x, n);
}

/* All of them are checked, measured and counted by common/program.h. */
static const program_version versions[] = {
  {"one_each", "one thread for each element", launch_one_each},
};

int main(int argc, char **argv)
{
  program p = {"multiplies a vector by 2", scale_reference, versions,
               sizeof versions / sizeof versions[0]};
  return program_run(&p, argc, argv);
}
