//! title Some of them wait
//! difficulty 2
//! question Each block adds up its 128 numbers, or fewer in the last block. A colleague
//!   has put a whole step of the tree under an `if`. Repair the kernel.
//! hint Which threads come to the barrier in the first round? And which in the second?
//! hint A barrier waits for *all* threads of a block. So it must be where all of them go.
//! hint Only the addition belongs under the `if`. The barrier follows it.
//!
//! case n=1,127,128,129,500
//! buffer sums s32 (n+127)/128
//! buffer in s32 n = (mix(i+seed)%1000)
//! launch sum_blocks (n+127)/128 128
//!
//! start under_if
//! wrong under_if : threads without an addition do not come to the barrier
//!   says some threads of the block come to this barrier and others do not
//! wrong returned : threads without a number have left before the first barrier
//!   replace part[threadIdx.x] = i < n ? in[i] : 0;
//!   with if (i >= n) return; part[threadIdx.x] = in[i];
//!   says nothing has been written there before
//! wrong no_barrier : no barrier in the loop
//!   after half];
//!   replace __syncthreads();
//!   with
//!   says comes first
//! wrong no_first_barrier : none before the loop either
//!   replace __syncthreads();
//!   with
//!   says comes first

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
  __shared__ int part[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}
// end model

// begin under_if
__global__ void sum_blocks(int *sums, const int *in, int n)
{
  __shared__ int part[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2)
    if (threadIdx.x < half) {
      part[threadIdx.x] += part[threadIdx.x + half];
      __syncthreads();
    }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = part[0];
}
// end under_if
