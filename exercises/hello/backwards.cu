//! title Backwards
//! difficulty 1
//! question Each thread is to write its own number into `out`, counted through all
//!   blocks, but from the end: the very first thread writes 0 into the last element, the
//!   next one 1 into the element before it, and the last thread of the last block writes
//!   into out[0]. The array has an element for each thread.
//! hint First find this thread's number, as if it were to be written forwards.
//! hint How many threads are there in the whole grid?
//! hint Of n threads, number k belongs to out[n - 1 - k], and n is gridDim.x *
//!   blockDim.x.
//!
//! case blocks=1,2,5 threads=1,32,40
//! buffer out s32 (blocks*threads)
//! launch backwards blocks threads
//!
//! wrong one_too_far : number 0 goes one beyond the end
//!   replace n - 1 - k
//!   with n - k
//!   says outside of the array: out[
//! wrong in_block : each block is turned by itself
//!   replace n - 1 - k
//!   with blockIdx.x * blockDim.x + blockDim.x - 1 - threadIdx.x
//!   says With blocks = 2 and threads = 1
//! wrong value : the numbers run backwards, and so do their places
//!   replace = k;
//!   with = n - 1 - k;
//!   says should be

// begin reference
__global__ void reference(int *out, int blocks, int threads)
{
  int n = blocks * threads;
  for (int k = 0; k < n; k++)
    out[n - 1 - k] = k;
}
// end reference

// begin model
__global__ void backwards(int *out)
{
  // hole: write this thread's number into its place.
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  int n = gridDim.x * blockDim.x;
  out[n - 1 - k] = k;
  // end hole
}
// end model
