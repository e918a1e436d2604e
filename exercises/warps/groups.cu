//! title Sums of eight
//! difficulty 2
//! question Every thread is to get the sum of the eight numbers of its own group: threads
//!   0 to 7 are a group, 8 to 15 the next one, and so on. Use shuffles, no shared memory;
//!   blocks have 64 threads, and each thread has a number.
//! hint How many exchanges does a sum of eight numbers take, if each exchange doubles
//!   what a lane knows?
//! hint Every lane needs the sum, not just the first one. Which of the shuffles lets two
//!   lanes give each other their numbers?
//! hint __shfl_xor_sync with distances 4, 2 and 1 stays within eight lanes.
//!
//! case blocks=1,3
//! buffer out s32 (blocks*64)
//! buffer in s32 (blocks*64) = (mix(i+seed)%1000)
//! launch group_sums blocks 64
//! measure blocks=2
//! goal ld_requests 4 : load requests, one for each warp
//!
//! wrong whole_warp : two exchanges too many
//!   replace distance = 4
//!   with distance = 16
//!   says out[0] should be
//! wrong down : only the first lane of a group has the sum
//!   replace __shfl_xor_sync
//!   with __shfl_down_sync
//!   says out[1] should be
//! wrong one_round : the loop ends too early
//!   replace distance > 0
//!   with distance > 1
//!   says With blocks = 1, out[0] should be
//! wrong from_memory : each lane reads all eight numbers
//!   says load requests, one for each warp; the goal is at most 4
//! wrong first_eight : the mask names the first group alone
//!   replace 0xffffffff
//!   with 0xff
//!   says the mask does not fit the lanes

// begin reference
__global__ void reference(int *out, const int *in, int blocks)
{
  for (int i = 0; i < blocks * 64; i++) {
    out[i] = 0;
    for (int k = i / 8 * 8; k < i / 8 * 8 + 8; k++)
      out[i] += in[k];
  }
}
// end reference

// begin model
__global__ void group_sums(int *out, const int *in)
{
  // hole: load a number, add up the group's, store the sum.
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = in[i];
  for (int distance = 4; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, distance);
  out[i] = sum;
  // end hole
}
// end model

// begin from_memory
__global__ void group_sums(int *out, const int *in)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = 0; k < 8; k++)
    sum += in[i / 8 * 8 + k];
  out[i] = sum;
}
// end from_memory
