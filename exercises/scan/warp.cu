//! title So far
//! difficulty 2
//! question Each element of `out` is to be the sum of all elements of its warp up to and
//!   including its own: an inclusive scan of each 32 numbers. Use shuffles, no shared
//!   memory and no barrier. Blocks have 64 threads, and each has a number.
//! hint In the first step, each lane adds the number of the lane before it. What do the
//!   lanes know then, and whom must they ask in the second step?
//! hint Distances 1, 2, 4, 8, 16. Not every lane has a lane so far before it.
//! hint __shfl_up_sync for all lanes, and then lanes with lane >= distance add what they
//!   got.
//!
//! case blocks=1,3
//! buffer out s32 (blocks*64)
//! buffer in s32 (blocks*64) = (mix(i+seed)%1000)
//! launch scan_warps blocks 64
//! measure blocks=2
//! goal ld_requests 4 : load requests, one for each warp
//!
//! wrong no_condition : lane 0 adds its own number to itself
//!   replace if (lane >= distance)
//!   with
//!   says out[0] should be
//! wrong under_if : the shuffle is where only some lanes come
//!   says the mask does not fit the lanes that come here
//!   says wait for lane 0, which ends without coming
//! wrong down : from the other side
//!   replace __shfl_up_sync
//!   with __shfl_down_sync
//!   says should be
//! wrong thread : counts lanes from the block's beginning
//!   replace threadIdx.x % 32
//!   with threadIdx.x
//!   says out[32] should be
//! wrong exclusive : without its own number
//!   replace out[i] = sum;
//!   with out[i] = sum - in[i];
//!   says out[0] should be

// begin reference
__global__ void reference(int *out, const int *in, int blocks)
{
  for (int i = 0; i < blocks * 64; i++)
    out[i] = (i % 32 > 0 ? out[i - 1] : 0) + in[i];
}
// end reference

// begin model
__global__ void scan_warps(int *out, const int *in)
{
  // hole: scan the warp's numbers.
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int sum = in[i];
  for (int distance = 1; distance < 32; distance *= 2) {
    int before = __shfl_up_sync(0xffffffff, sum, distance);
    if (lane >= distance)
      sum += before;
  }
  out[i] = sum;
  // end hole
}
// end model

// begin under_if
__global__ void scan_warps(int *out, const int *in)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int sum = in[i];
  for (int distance = 1; distance < 32; distance *= 2)
    if (lane >= distance)
      sum += __shfl_up_sync(0xffffffff, sum, distance);
  out[i] = sum;
}
// end under_if
