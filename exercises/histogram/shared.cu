//! title Bins of one's own
//! difficulty 2
//! question Count how often each of the values 0 to 63 is among n numbers. The grid has
//!   `blocks` blocks of 64 threads, and `bins` begins with zeros. Each block is to count in
//!   shared memory first, and to add its counts to `bins` when it is done: one atomic
//!   operation on global memory for each warp and half of the bins, not one for each
//!   number.
//! hint Three parts: zero the block's own bins, count, add them to the others'. What has to
//!   be between them?
//! hint The block's bins are shared by its threads, and `bins` by all blocks: both need
//!   atomicAdd.
//! hint 64 threads and 64 bins: each thread zeroes one and adds one. A barrier before the
//!   loop over the numbers and one after it.
//!
//! case n=1,64,65,1000 blocks=1,3 kind=0,1
//! words kind random equal
//! buffer bins s32 64 = 0
//! buffer in s32 n = (kind==0?mix(i+seed)%64:9)
//! launch count blocks 64
//! measure n=2000 blocks=2 kind=0
//! goal atomic_requests 2*blocks : atomic requests to global memory
//!
//! wrong global : straight to global memory
//!   says atomic requests to global memory; the goal is at most 4
//! wrong not_zeroed : the block's bins begin with anything
//!   replace mine[t] = 0;
//!   with
//!   says nothing has been written there before
//! wrong no_barrier : added while others are still counting
//!   after atomicAdd(&mine
//!   replace __syncthreads();
//!   with
//!   says comes first
//! wrong plain : the block's own bins without atomics
//!   replace atomicAdd(&mine[in[i]], 1);
//!   with mine[in[i]]++;
//!   says comes first
//! wrong overwritten : writes its counts over those of other blocks
//!   replace atomicAdd(&bins[t], mine[t]);
//!   with bins[t] = mine[t];
//!   says blocks run in any order

// begin reference
__global__ void reference(int *bins, const int *in, int n)
{
  for (int i = 0; i < n; i++)
    bins[in[i]]++;
}
// end reference

// begin model
__global__ void count(int *bins, const int *in, int n)
{
  // hole: count in shared memory, then add to bins.
  __shared__ int mine[64];
  int t = threadIdx.x;
  mine[t] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 64 + t; i < n; i += gridDim.x * 64)
    atomicAdd(&mine[in[i]], 1);
  __syncthreads();
  atomicAdd(&bins[t], mine[t]);
  // end hole
}
// end model

// begin global
__global__ void count(int *bins, const int *in, int n)
{
  for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64)
    atomicAdd(&bins[in[i]], 1);
}
// end global
