//! title Half the space
//! difficulty 3
//! question Shared memory often decides how many blocks fit on an SM. This kernel is to
//!   turn the 128 elements of each block's part of `x` around, then those of `y`, and
//!   write the sum of the two into `out`: out[i] = x[its mirror image] + y[its mirror
//!   image]. It has an array for each. The host now gives it dynamic shared memory for
//!   128 numbers only, `extern __shared__ int space[]`. Write it so that this is enough.
//! hint Nothing of x is needed any more when each thread has its number of x.
//! hint The same 128 words can hold first x, then y. What must be over before y is
//!   written into them?
//! hint Four steps with a barrier between each two: write x, read x into a variable, write
//!   y, read y.
//!
//! case blocks=1,2
//! buffer out s32 (blocks*128)
//! buffer x s32 (blocks*128) = (mix(i+seed)%1000)
//! buffer y s32 (blocks*128) = (mix(i+7*seed)%1000)
//! launch mirrored_sum blocks 128 shared=512
//!
//! wrong two_arrays : takes twice the space that there is
//!   says element 128 of the dynamic shared memory, where 127 is the last
//! wrong no_barrier : y is written over what others have yet to read of x
//!   after int sum
//!   replace __syncthreads();
//!   with
//!   says comes first
//! wrong one_step : x is overwritten before anybody has read it
//!   after space[t] = x[i];
//!   replace __syncthreads();
//!   with __syncthreads(); space[t] = y[i]; __syncthreads();
//!   says out[0] should be
//! wrong static_space : more space than the host has given
//!   replace extern __shared__ int space[];
//!   with extern __shared__ int space[]; space[128 + threadIdx.x] = 0;
//!   says element 128 of the dynamic shared memory, where 127 is the last

// begin reference
__global__ void reference(int *out, const int *x, const int *y, int blocks)
{
  for (int i = 0; i < blocks * 128; i++) {
    int mirror = i / 128 * 128 + 127 - i % 128;
    out[i] = x[mirror] + y[mirror];
  }
}
// end reference

// begin model
__global__ void mirrored_sum(int *out, const int *x, const int *y)
{
  extern __shared__ int space[];
  // hole: turn x around, then y, in 128 words.
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  space[t] = x[i];
  __syncthreads();
  int sum = space[127 - t];
  __syncthreads();
  space[t] = y[i];
  __syncthreads();
  out[i] = sum + space[127 - t];
  // end hole
}
// end model

// begin two_arrays
__global__ void mirrored_sum(int *out, const int *x, const int *y)
{
  extern __shared__ int space[];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  space[t] = x[i];
  space[128 + t] = y[i];
  __syncthreads();
  out[i] = space[127 - t] + space[128 + 127 - t];
}
// end two_arrays
