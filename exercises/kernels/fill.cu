//! title A vector of ones
//! difficulty 1
//! question `cudaMemset` writes bytes, so it cannot fill a vector of floats with ones.
//!   Write the kernel that fills x, which has n elements, with `value`.
//! hint One thread, one element.
//! hint The number of threads in the grid is a multiple of 128. n need not be one.
//! hint The element of a thread is blockIdx.x * blockDim.x + threadIdx.x, if it is less
//!   than n.
//!
//! case n=1,127,128,129,1000 value=1,7
//! buffer x f32 n
//! launch fill (n+127)/128 128
//!
//! wrong bytes : what cudaMemset does: each byte is the value
//!   replace x[i] = value;
//!   with ((unsigned *)x)[i] = 0x01010101;
//!   says x[0] should be 1
//! wrong no_guard : threads without an element write, too
//!   replace if (i < n)
//!   with
//!   says outside of the array
//! wrong first_block : only as many elements as a block has threads
//!   replace blockIdx.x * blockDim.x + threadIdx.x
//!   with threadIdx.x
//!   says With n = 129
//!   says nothing was ever written to x[128]
//! wrong one : the value is not looked at
//!   replace = value
//!   with = 1
//!   says With n = 1 and value = 7, x[0] should be 7, and it is 1

// begin reference
__global__ void reference(float *x, float value, int n)
{
  for (int i = 0; i < n; i++)
    x[i] = value;
}
// end reference

// begin model
__global__ void fill(float *x, float value, int n)
{
  // hole: fill x.
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = value;
  // end hole
}
// end model
