//! title Fewer threads than elements
//! difficulty 2
//! question Double all n elements of x, whatever n is: the grid always has 3 blocks of 64
//!   threads. Neighbouring threads must work on neighbouring elements, so that no load
//!   touches more sectors than it must.
//! hint A thread has more than one element. If it begins with its own number, which
//!   comes next?
//! hint The next one is as far away as there are threads in the grid.
//! hint A loop from blockIdx.x * blockDim.x + threadIdx.x, as long as it is less than n,
//!   in steps of gridDim.x * blockDim.x.
//!
//! case n=1,64,191,192,193,1000
//! buffer x f32 n = (mix(i+seed)%1000)
//! launch twice 3 64
//! measure n=1920
//! goal ld_sectors/ld_requests 4 : sectors per load request
//!
//! wrong once : no loop
//!   replace i < n; i += step)
//!   with i < n; i += n)
//!   says With n = 193
//! wrong block_step : the step is a block, so that others' elements come again
//!   replace gridDim.x * blockDim.x
//!   with blockDim.x
//!   says blocks run in any order
//! wrong pieces : each thread takes a piece of neighbours
//!   says sectors per load request; the goal is at most 4
//! wrong one_more : the loop goes one too far
//!   replace i < n
//!   with i <= n
//!   says outside of the array: x[

// begin reference
__global__ void reference(float *x, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = 2 * x[i];
}
// end reference

// begin model
__global__ void twice(float *x, int n)
{
  // hole: double all elements.
  int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
    x[i] = 2 * x[i];
  // end hole
}
// end model

// begin pieces
__global__ void twice(float *x, int n)
{
  int threads = gridDim.x * blockDim.x, each = (n + threads - 1) / threads;
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (int i = first; i < first + each && i < n; i++)
    x[i] = 2 * x[i];
}
// end pieces
