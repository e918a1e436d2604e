//! title Gone before the barrier
//! difficulty 1
//! question Each block of 64 threads finds the largest of its 64 numbers, or fewer in the
//!   last block; all numbers are positive. The kernel is right for every n that is a
//!   multiple of 64, and has a bug. Repair it.
//! hint What do the threads do that have no number? What do the others read of them?
//! hint A thread that returns can neither load nor wait, and its word of shared memory is
//!   never written.
//! hint All threads stay. Those without a number bring one that loses against all: 0.
//!
//! case n=1,63,64,65,200
//! buffer largest s32 (n+63)/64
//! buffer in s32 n = (1+mix(i+seed)%1000)
//! launch largest_of_blocks (n+63)/64 64
//!
//! start returned
//! wrong returned : what threads without a number have not written is read
//!   replace best[t] = i < n ? in[i] : 0;
//!   with if (i >= n) return; best[t] = in[i];
//!   says nothing has been written there before
//! wrong unguarded : threads without a number load one
//!   replace i < n ? in[i] : 0
//!   with in[i]
//!   says outside of the array
//! wrong first_of_all : they bring a number, but one that may win
//!   replace i < n ? in[i] : 0
//!   with i < n ? in[i] : 1000000
//!   says With n = 1, largest[0] should be
//! wrong no_barrier : none after the loads
//!   replace __syncthreads();
//!   with
//!   says comes first

// begin reference
__global__ void reference(int *largest, const int *in, int n)
{
  for (int i = 0; i < n; i++)
    if (i % 64 == 0 || in[i] > largest[i / 64])
      largest[i / 64] = in[i];
}
// end reference

// begin model
__global__ void largest_of_blocks(int *largest, const int *in, int n)
{
  __shared__ int best[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  best[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (t < half && best[t + half] > best[t])
      best[t] = best[t + half];
    __syncthreads();
  }
  if (t == 0)
    largest[blockIdx.x] = best[0];
}
// end model
