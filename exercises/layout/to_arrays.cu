//! title Three arrays out of one
//! difficulty 3
//! question `points` holds n points, each with its x, y and z one after the other. Write
//!   all x into `x`, all y into `y` and all z into `z`. Neither loads nor stores may touch
//!   more sectors than their floats fill. Blocks have 64 threads and take 64 points each.
//! hint Where each thread reads the three floats of one point, a request touches 12
//!   sectors. In which order would a copy read these 192 floats?
//! hint Shared memory doesn't mind an order. Read the floats of the block's points as a copy
//!   does, wait, and then let each thread pick its point.
//! hint In round k of three, thread t reads float 64 k + t of the block's 192. After the
//!   barrier it takes floats 3 t, 3 t + 1 and 3 t + 2: 3 is odd, so there are no bank
//!   conflicts either.
//!
//! case n=1,63,64,65,200
//! buffer x f32 n
//! buffer y f32 n
//! buffer z f32 n
//! buffer points f32 (3*n) = (mix(i+seed)%1000)
//! launch split (n+63)/64 64
//! measure n=256
//! goal ld_sectors/ld_requests 4 : sectors per load request
//! goal st_sectors/st_requests 4 : sectors per store request
//! goal shared_ld_conflicts+shared_st_conflicts 0 : bank conflicts
//!
//! wrong direct : each thread reads its own point
//!   says 12 sectors per load request; the goal is at most 4
//! wrong no_barrier : a point's floats may not be there yet
//!   replace __syncthreads();
//!   with
//!   says comes first
//! wrong rest : the guard counts points where it should count floats
//!   replace first + f < 3 * n
//!   with first + f < n
//!   says nothing has been written there before
//! wrong planes : shared memory is read as if it held three arrays
//!   replace part[3 * t]
//!   with part[t]
//!   says x[1] should be

// begin reference
__global__ void reference(float *x, float *y, float *z, const float *points,
                          int n)
{
  for (int i = 0; i < n; i++) {
    x[i] = points[3 * i];
    y[i] = points[3 * i + 1];
    z[i] = points[3 * i + 2];
  }
}
// end reference

// begin model
__global__ void split(float *x, float *y, float *z, const float *points, int n)
{
  // hole: read the block's points, and write them into three arrays.
  __shared__ float part[3 * 64];
  int t = threadIdx.x, first = blockIdx.x * 3 * 64, i = blockIdx.x * 64 + t;
  for (int f = t; f < 3 * 64; f += 64)
    if (first + f < 3 * n)
      part[f] = points[first + f];
  __syncthreads();
  if (i < n) {
    x[i] = part[3 * t];
    y[i] = part[3 * t + 1];
    z[i] = part[3 * t + 2];
  }
  // end hole
}
// end model

// begin direct
__global__ void split(float *x, float *y, float *z, const float *points, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = points[3 * i];
    y[i] = points[3 * i + 1];
    z[i] = points[3 * i + 2];
  }
}
// end direct
