//! title Four for each
//! difficulty 1
//! question Each thread copies four floats: the first thread the first four, the next one
//!   the next four, and so on. Every load of a warp touches 16 sectors. Repair the kernel:
//!   it must copy all n floats, with the same launch, and a request must touch no more
//!   than 4 sectors. (There are other ways than this one, such as loads of 16 bytes; here
//!   each load is to be of one float.)
//! hint In one round of the loop, which floats do the 32 lanes of a warp read?
//! hint Neighbouring lanes must read neighbouring floats. So the four floats of one thread
//!   can't be neighbours.
//! hint A block of 64 threads has 256 floats to copy. In round k, thread t takes float
//!   64 k + t of them.
//!
//! case n=1,255,256,257,1000
//! buffer out f32 n
//! buffer in f32 n = (mix(i+seed)%1000)
//! launch copy (n+255)/256 64
//! measure n=1024
//! goal ld_sectors/ld_requests 4 : sectors per load request
//! goal st_sectors/st_requests 4 : sectors per store request
//!
//! start neighbours
//! wrong neighbours : each thread's floats are neighbours
//!   replace blockDim.x * k + threadIdx.x
//!   with 4 * threadIdx.x + k
//!   says sectors per load request; the goal is at most 4
//! wrong grid_wide : the rounds are as far apart as the whole grid, and too many
//!   replace 4 * blockDim.x * blockIdx.x + blockDim.x * k
//!   with blockDim.x * blockIdx.x + 4 * blockDim.x * gridDim.x * k
//!   says With n = 255, nothing was ever written to
//! wrong one_block : the blocks' pieces overlap
//!   replace 4 * blockDim.x * blockIdx.x
//!   with blockDim.x * blockIdx.x
//!   says With n = 1000
//! wrong no_guard : the last block copies what is not there
//!   replace if (i < n)
//!   with
//!   says outside of the array

// begin reference
__global__ void reference(float *out, const float *in, int n)
{
  for (int i = 0; i < n; i++)
    out[i] = in[i];
}
// end reference

// begin model
__global__ void copy(float *out, const float *in, int n)
{
  for (int k = 0; k < 4; k++) {
    int i = 4 * blockDim.x * blockIdx.x + blockDim.x * k + threadIdx.x;
    if (i < n)
      out[i] = in[i];
  }
}
// end model
