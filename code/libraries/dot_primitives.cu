/* What CUB and Thrust make of the problem of dot.cu. */
#include "libraries/dot_primitives.h"

// begin cub_dot
#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>

#include "common/cuda_check.h"

struct product_at {
  const float *x, *y;
  __device__ float operator()(size_t i) const { return x[i] * y[i]; }
};

void dot_cub(float *d_out, const float *d_x, const float *d_y, size_t n,
             void *d_work, size_t *n_work_bytes)
{
  CUDA_CHECK(cub::DeviceReduce::TransformReduce(
      d_work, *n_work_bytes, thrust::counting_iterator<size_t>(0), d_out, n,
      cuda::std::plus<>{}, product_at{d_x, d_y}, 0.0f));
}
// end cub_dot

// begin thrust_dot
#include <thrust/execution_policy.h>
#include <thrust/inner_product.h>

float dot_thrust(const float *d_x, const float *d_y, size_t n)
{
  return thrust::inner_product(thrust::device, d_x, d_x + n, d_y, 0.0f);
}
// end thrust_dot
