//! title The next tile comes too early
//! difficulty 2
//! question Each of 64 threads has one number of `a`, and adds to it the products with all
//!   n numbers of `b`, which come to shared memory 64 at a time: out[i] is the sum of
//!   a[i] * b[k] for all k. There is a barrier in each round, and it is not enough. Repair
//!   the kernel.
//! hint There is a barrier between a round's stores and its loads. What is there between
//!   its loads and the next round's stores?
//! hint A warp that is done with its tile goes on and stores the next one, while another
//!   warp is still reading this one.
//! hint Put a second barrier at the end of the round, or let two tiles take turns.
//!
//! case n=1,64,65,200
//! buffer out s32 64
//! buffer a s32 64 = (mix(i+seed)%100)
//! buffer b s32 n = (mix(i+5*seed)%100)
//! launch products 1 64
//!
//! start one_barrier
//! wrong one_barrier : the next tile may overwrite this one
//!   says comes first
//! wrong first_gone : the barrier is at the wrong end
//!   replace __syncthreads();
//!   with
//!   says comes first
//! wrong rest : the last tile is taken for a whole one
//!   replace min(64, n - first)
//!   with 64
//!   says nothing has been written there before
//! wrong returned : threads without an element of b leave, and others need them
//!   replace if (first + threadIdx.x < n)
//!   with if (first + threadIdx.x >= n) break;
//!   says should be

// begin reference
__global__ void reference(int *out, const int *a, const int *b, int n)
{
  for (int i = 0; i < 64; i++) {
    out[i] = 0;
    for (int k = 0; k < n; k++)
      out[i] += a[i] * b[k];
  }
}
// end reference

// begin model
__global__ void products(int *out, const int *a, const int *b, int n)
{
  __shared__ int tile[64];
  int mine = a[threadIdx.x], sum = 0;
  for (int first = 0; first < n; first += 64) {
    if (first + threadIdx.x < n)
      tile[threadIdx.x] = b[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < min(64, n - first); k++)
      sum += mine * tile[k];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
// end model

// begin one_barrier
__global__ void products(int *out, const int *a, const int *b, int n)
{
  __shared__ int tile[64];
  int mine = a[threadIdx.x], sum = 0;
  for (int first = 0; first < n; first += 64) {
    if (first + threadIdx.x < n)
      tile[threadIdx.x] = b[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < min(64, n - first); k++)
      sum += mine * tile[k];
  }
  out[threadIdx.x] = sum;
}
// end one_barrier
