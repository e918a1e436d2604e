//! title A block of eight
//! difficulty 2
//! question This kernel adds up the numbers of each block. It was written for blocks of
//!   32 threads, and now it is launched with 8 as well. Repair it, so that it is
//!   right for blocks of 1, 2, 4, 8, 16 and 32 threads. Each block is one warp or a part
//!   of one, and there are as many numbers as threads.
//! hint In a block of 8 threads, which lanes does the first round of the loop ask, and
//!   what do they answer?
//! hint A lane that the block does not have has no answer: what comes is anything. The
//!   mask must name those lanes, and only those, that are there.
//! hint The distances begin at half of blockDim.x. The mask of n lanes is a full one,
//!   shifted to the right by 32 - n.
//!
//! case threads=1,2,4,8,16,32 blocks=1,3
//! buffer sums s32 blocks
//! buffer in s32 (blocks*threads) = (mix(i+seed)%1000)
//! launch sum_blocks blocks threads
//!
//! start full_warp
//! wrong full_warp : asks lanes that a smaller block does not have
//!   replace unsigned n = blockDim.x, mask = 0xffffffff >> (32 - n);
//!   with unsigned n = 32, mask = 0xffffffff;
//!   says asks for a number from a lane that is not there
//!   says a block of 1 thread does not have
//! wrong first_block : all blocks add up the numbers of the first one
//!   replace in[blockIdx.x * blockDim.x + threadIdx.x]
//!   with in[threadIdx.x]
//!   says With threads = 1 and blocks = 3
//! wrong all_write : every lane writes, and only lane 0 has the sum
//!   replace if (threadIdx.x == 0)
//!   with
//!   says Nothing in the kernel says which of the two comes first
//! wrong one_short : the loop ends a round too early
//!   replace distance > 0
//!   with distance > 1
//!   says With threads = 2 and blocks = 1, sums[0] should be

// begin reference
__global__ void reference(int *sums, const int *in, int blocks, int threads)
{
  for (int block = 0; block < blocks; block++) {
    sums[block] = 0;
    for (int i = 0; i < threads; i++)
      sums[block] += in[block * threads + i];
  }
}
// end reference

// begin model
__global__ void sum_blocks(int *sums, const int *in)
{
  int sum = in[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned n = blockDim.x, mask = 0xffffffff >> (32 - n);
  for (unsigned distance = n / 2; distance > 0; distance /= 2)
    sum += __shfl_down_sync(mask, sum, distance);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}
// end model
