/* The sum of NVIDIA's library CUB, which comes with the toolkit. It is all
 * templates and takes long to compile; so it has this file to itself. */
#include <cub/device/device_reduce.cuh>

#include "reduction/cub_sum.h"

// begin cub_sum
/* With d_temp == NULL it only says how many bytes of d_temp it wants. */
void cub_sum_floats(void *d_temp, size_t *n_temp_bytes, float *d_out,
                    const float *d_x, size_t n)
{
  CUDA_CHECK(cub::DeviceReduce::Sum(d_temp, *n_temp_bytes, d_x, d_out, n));
}
// end cub_sum

void cub_sum_doubles(void *d_temp, size_t *n_temp_bytes, double *d_out,
                     const double *d_x, size_t n)
{
  CUDA_CHECK(cub::DeviceReduce::Sum(d_temp, *n_temp_bytes, d_x, d_out, n));
}
