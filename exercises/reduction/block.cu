//! title One number of many
//! difficulty 1
//! question Each block of 128 threads adds up its 128 elements of `in`, of which the last
//!   block may have fewer, and writes the sum into its element of `sums`.
//! hint A tree: in the first round 64 threads add two numbers each, in the next one 32, and
//!   so on. What do the rounds have to wait for?
//! hint Put the numbers into shared memory, and 0 where there is none. All threads stay to
//!   the end, because all must come to the barriers.
//! hint for (half = 64; half > 0; half /= 2): if (t < half) part[t] += part[t + half], then
//!   the barrier, for all threads.
//!
//! case n=1,127,128,129,500
//! buffer sums s32 (n+127)/128
//! buffer in s32 n = (mix(i+seed)%1000)
//! launch sum_blocks (n+127)/128 128
//!
//! wrong no_barrier : a round begins before the last one is over
//!   after half];
//!   replace __syncthreads();
//!   with
//!   says comes first
//! wrong no_zero : threads without a number leave their word as it was
//!   replace part[t] = i < n ? in[i] : 0;
//!   with if (i < n) part[t] = in[i];
//!   says nothing has been written there before
//! wrong one_element : thread 0 adds all, without waiting for the others
//!   says comes first
//! wrong global : all threads add to one word, without atomics
//!   says comes first
//! wrong quarter : the first round is left out
//!   replace half = 64
//!   with half = 32
//!   says With n = 127, sums[0] should be

// begin reference
__global__ void reference(int *sums, const int *in, int n)
{
  for (int i = 0; i < n; i++)
    sums[i / 128] = (i % 128 == 0 ? 0 : sums[i / 128]) + in[i];
}
// end reference

// begin model
__global__ void sum_blocks(int *sums, const int *in, int n)
{
  // hole: add up the block's numbers.
  __shared__ int part[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half)
      part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = part[0];
  // end hole
}
// end model

// begin one_element
__global__ void sum_blocks(int *sums, const int *in, int n)
{
  __shared__ int part[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  part[t] = i < n ? in[i] : 0;
  if (t == 0) {
    int sum = 0;
    for (int k = 0; k < 128; k++)
      sum += part[k];
    sums[blockIdx.x] = sum;
  }
}
// end one_element

// begin global
__global__ void sum_blocks(int *sums, const int *in, int n)
{
  int i = blockIdx.x * 128 + threadIdx.x;
  if (threadIdx.x == 0)
    sums[blockIdx.x] = 0;
  __syncthreads();
  if (i < n)
    sums[blockIdx.x] += in[i];
}
// end global
