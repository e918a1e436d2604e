//! title Read before it is written
//! difficulty 2
//! question Each element is to become the sum of all elements of its block up to and
//!   including it. Blocks have 128 threads, and each thread has an element. There is a
//!   barrier in every round, and it is not enough. Repair the kernel.
//! hint In one round, thread t writes part[t], and thread t + step reads it. Which of the
//!   two should come first?
//! hint All threads must have read before any of them writes.
//! hint Read into a variable, wait, write, and wait again before the next round reads.
//!
//! case blocks=1,2
//! buffer x s32 (blocks*128) = (mix(i+seed)%1000)
//! launch prefix blocks 128
//!
//! start one_barrier
//! wrong one_barrier : a thread may write what another has yet to read
//!   says comes first
//! wrong no_last_barrier : the next round may read what this one has not written
//!   after += before;
//!   replace __syncthreads();
//!   with
//!   says comes first
//! wrong under_if : the barriers are where only some threads go
//!   replace step *= 2) {
//!   with step *= 2) if (t >= step) {
//!   says some threads of the block come to this barrier and others do not
//!   says lane 0 is not
//! wrong half : the distances are halved, not doubled
//!   replace step = 1; step < 128; step *= 2
//!   with step = 64; step > 1; step /= 2
//!   says should be

// begin reference
__global__ void reference(int *x, int blocks)
{
  for (int i = 0; i < blocks * 128; i++)
    if (i % 128 > 0)
      x[i] += x[i - 1];
}
// end reference

// begin model
__global__ void prefix(int *x)
{
  __shared__ int part[128];
  int i = blockIdx.x * 128 + threadIdx.x, t = threadIdx.x;
  part[t] = x[i];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    int before = t >= step ? part[t - step] : 0;
    __syncthreads();
    part[t] += before;
    __syncthreads();
  }
  x[i] = part[t];
}
// end model

// begin one_barrier
__global__ void prefix(int *x)
{
  __shared__ int part[128];
  int i = blockIdx.x * 128 + threadIdx.x, t = threadIdx.x;
  part[t] = x[i];
  __syncthreads();
  for (int step = 1; step < 128; step *= 2) {
    if (t >= step)
      part[t] += part[t - step];
    __syncthreads();
  }
  x[i] = part[t];
}
// end one_barrier
