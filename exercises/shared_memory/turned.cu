//! title Turned around
//! difficulty 1
//! question Turn the n elements of x around in place: the last becomes the first. There is
//!   one block with a thread for each element, and n is at most 256. Go through shared
//!   memory.
//! hint If each thread read its element's mirror image and wrote it at once, whose element
//!   might already be gone?
//! hint Put all elements into shared memory first. When may a thread read from there?
//! hint Write, __syncthreads(), read element n - 1 - t.
//!
//! case n=1,2,31,32,33,255,256
//! buffer x s32 n = (mix(i+seed)%1000)
//! launch turn 1 n
//!
//! wrong no_barrier : reads what another warp may not have written yet
//!   replace __syncthreads();
//!   with
//!   says comes first
//! wrong no_shared : straight from place to place
//!   says comes first
//! wrong one_off : the mirror image of the first element is beyond the end
//!   replace n - 1 - t
//!   with n - t
//!   says nothing has been written there before
//! wrong lanes_only : __syncwarp is not enough for several warps
//!   replace __syncthreads();
//!   with __syncwarp();
//!   says each warp runs at its own pace

// begin reference
__global__ void reference(int *x, int n)
{
  for (int i = 0; i < n / 2; i++) {
    int last = x[n - 1 - i];
    x[n - 1 - i] = x[i];
    x[i] = last;
  }
}
// end reference

// begin model
__global__ void turn(int *x, int n)
{
  // hole: turn x around.
  __shared__ int all[256];
  int t = threadIdx.x;
  all[t] = x[t];
  __syncthreads();
  x[t] = all[n - 1 - t];
  // end hole
}
// end model

// begin no_shared
__global__ void turn(int *x, int n)
{
  int mirrored = x[n - 1 - threadIdx.x];
  x[threadIdx.x] = mirrored;
}
// end no_shared
