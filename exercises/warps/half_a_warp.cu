//! title The other half is not there
//! difficulty 2
//! question The threads with a positive number are to add up these numbers, and the first
//!   of them writes the sum; where there is none, the sum is 0. Blocks are one warp. The
//!   kernel was written for GPUs older than Volta, whose warps ran in step, and its mask
//!   names lanes that never come. Repair it.
//! hint Which lanes execute the shuffles? Which lanes does the mask name?
//! hint A lane that has nothing to add can still take part. What must it add?
//! hint If the shuffles come after the `if` instead of in it, all 32 lanes execute them,
//!   and those without a positive number bring a zero.
//!
//! case blocks=1,3 kind=0,1,2
//! words kind random all none
//! buffer sums s32 blocks
//! buffer in s32 (blocks*32) = (kind==0?mix(i+seed)%200-100:(kind==1?i+1:0-i))
//! launch sum_positive blocks 32
//!
//! start inside
//! wrong inside : the lanes of the mask are not all there
//!   says the mask does not fit the lanes that come here
//! wrong active : those that are there, but the distances do not fit them
//!   says should be
//! wrong zero_late : the lanes without a positive number bring it all the same
//!   replace number > 0 ? number : 0
//!   with number
//!   says should be
//! wrong none : where nothing is positive, nothing is written
//!   replace if (threadIdx.x == 0)
//!   with if (threadIdx.x == 0 && sum > 0)
//!   says kind = none, nothing was ever written to sums[0]

// begin reference
__global__ void reference(int *sums, const int *in, int blocks)
{
  for (int block = 0; block < blocks; block++) {
    sums[block] = 0;
    for (int i = 0; i < 32; i++)
      if (in[block * 32 + i] > 0)
        sums[block] += in[block * 32 + i];
  }
}
// end reference

// begin model
__global__ void sum_positive(int *sums, const int *in)
{
  int number = in[blockIdx.x * 32 + threadIdx.x];
  int sum = number > 0 ? number : 0;
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}
// end model

// begin inside
__global__ void sum_positive(int *sums, const int *in)
{
  int number = in[blockIdx.x * 32 + threadIdx.x], sum = 0;
  if (number > 0) {
    sum = number;
    for (int distance = 16; distance > 0; distance /= 2)
      sum += __shfl_down_sync(0xffffffff, sum, distance);
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}
// end inside

// begin active
__global__ void sum_positive(int *sums, const int *in)
{
  int number = in[blockIdx.x * 32 + threadIdx.x], sum = 0;
  unsigned there = __ballot_sync(0xffffffff, number > 0);
  if (number > 0) {
    sum = number;
    for (int distance = __popc(there) / 2; distance > 0; distance /= 2)
      sum += __shfl_down_sync(there, sum, distance);
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = sum;
}
// end active
