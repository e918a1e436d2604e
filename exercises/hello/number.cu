//! title A number for every thread
//! difficulty 1
//! question Each thread is to write its own number into its own element of `out`: the
//!   threads of block 0 are 0, 1, 2 …, those of block 1 go on where block 0 ends, and so
//!   on, so that out[k] is k. The array has an element for each thread.
//! hint A thread knows four things without being told: threadIdx.x, blockIdx.x,
//!   blockDim.x and gridDim.x. Which of them are needed here?
//! hint How many threads are there in all the blocks before mine?
//! hint Before mine there are blockIdx.x blocks of blockDim.x threads each, and in my
//!   block threadIdx.x threads.
//!
//! case blocks=1,2,3 threads=1,32,40
//! buffer out s32 (blocks*threads)
//! launch number blocks threads
//!
//! wrong only_thread : the number within the block
//!   replace blockIdx.x * blockDim.x + threadIdx.x
//!   with threadIdx.x
//!   says With blocks = 2 and threads = 1, nothing was ever written to
//! wrong sum : the block's number is added, not what it stands for
//!   replace blockIdx.x * blockDim.x + threadIdx.x
//!   with blockIdx.x + threadIdx.x
//!   says With blocks = 2 and threads = 32
//! wrong grid : the number of blocks in place of their size
//!   replace blockIdx.x * blockDim.x + threadIdx.x
//!   with blockIdx.x * gridDim.x + threadIdx.x
//!   says outside of the array
//! wrong interleaved : each block takes every gridDim.x-th element
//!   replace out[k] = k
//!   with out[threadIdx.x * gridDim.x + blockIdx.x] = k
//!   says should be 1, and it is 32

// begin reference
__global__ void reference(int *out, int blocks, int threads)
{
  for (int k = 0; k < blocks * threads; k++)
    out[k] = k;
}
// end reference

// begin model
__global__ void number(int *out)
{
  // hole: write this thread's number.
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  out[k] = k;
  // end hole
}
// end model
