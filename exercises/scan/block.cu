//! title Warps in a row
//! difficulty 3
//! question One block of 256 threads scans n numbers, at most 256: out[i] is the sum of
//!   in[0] to in[i]. Scan within each warp by shuffles, then bring in what the warps before
//!   have. Two barriers are enough for each warp.
//! hint After each warp has scanned its own numbers, what does warp 3 lack? Who knows it?
//! hint The last lane of each warp has the sum of its warp. Eight such sums fit into shared
//!   memory, and they need a scan themselves.
//! hint Last lanes store their sums; barrier; each thread adds up the sums of the warps
//!   before its own, at most seven. A thread without a number brings a zero and stays.
//!
//! case n=1,32,33,255,256
//! buffer out s32 n
//! buffer in s32 n = (mix(i+seed)%1000)
//! launch scan_block 1 256
//! measure n=256
//! goal barriers 16 : barriers of all eight warps
//!
//! wrong no_barrier : the sums of other warps may not be there yet
//!   replace __syncthreads();
//!   with
//!   says comes first
//! wrong including_own : adds the own warp's sum, too
//!   replace w < warp
//!   with w <= warp
//!   says out[0] should be
//! wrong one_before : only what the warp before has
//!   replace for (int w = 0; w < warp; w++)
//!   with for (int w = warp - 1; w >= 0 && w == warp - 1; w--)
//!   says With n = 255
//! wrong first_lane : the first lane's sum is not the warp's
//!   replace lane == 31
//!   with lane == 0
//!   says should be
//! wrong many_barriers : a tree over all threads with a barrier in each step
//!   says barriers of all eight warps; the goal is at most 16

// begin reference
__global__ void reference(int *out, const int *in, int n)
{
  for (int i = 0; i < n; i++)
    out[i] = (i > 0 ? out[i - 1] : 0) + in[i];
}
// end reference

// begin model
__global__ void scan_block(int *out, const int *in, int n)
{
  // hole: scan n numbers.
  __shared__ int sums[8];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int sum = t < n ? in[t] : 0;
  for (int distance = 1; distance < 32; distance *= 2) {
    int before = __shfl_up_sync(0xffffffff, sum, distance);
    if (lane >= distance)
      sum += before;
  }
  if (lane == 31)
    sums[warp] = sum;
  __syncthreads();
  for (int w = 0; w < warp; w++)
    sum += sums[w];
  if (t < n)
    out[t] = sum;
  // end hole
}
// end model

// begin many_barriers
__global__ void scan_block(int *out, const int *in, int n)
{
  __shared__ int part[256];
  int t = threadIdx.x;
  part[t] = t < n ? in[t] : 0;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    int before = t >= step ? part[t - step] : 0;
    __syncthreads();
    part[t] += before;
    __syncthreads();
  }
  if (t < n)
    out[t] = part[t];
}
// end many_barriers
