//! title As many blocks as fit
//! difficulty 2
//! question A grid with many more blocks than fit on the GPU ends with a tail, in which
//!   few are left. So the host now launches only as many blocks as fit at once, `blocks`
//!   of them with 64 threads each, and each block has to do what several did before: it
//!   takes row blockIdx.x of n rows with 64 numbers each, then the row that is gridDim.x
//!   further, and so on. From 64 times each number it subtracts the sum of its row. The
//!   kernel still does one row for each block. Repair it, so that each row is done once.
//! hint Which lines must be repeated for each row?
//! hint A loop over rows that begins with blockIdx.x. When its next round writes into
//!   `part`, who may still be reading what this round left there?
//! hint Steps of gridDim.x, and one more barrier at the end of the loop: all threads must
//!   have read part[0] before thread 0 overwrites it.
//!
//! case n=1,3,4,10 blocks=3
//! buffer out s32 n*64
//! buffer x s32 n*64 = (mix(i+seed)%1000)
//! launch centre blocks 64
//! measure n=10 blocks=3
//! goal st_requests 2*n : store requests
//!
//! start one_row
//! wrong one_row : as many rows as blocks
//!   says With n = 4 and blocks = 3
//! wrong no_end : the next row is written while the sum of this one is read
//!   after out[
//!   replace __syncthreads();
//!   with
//!   says comes first
//! wrong all_rows : each block takes all rows that follow its first
//!   replace row += gridDim.x
//!   with row++
//!   says store requests; the goal is at most 20
//! wrong no_row : a block without a row does one all the same
//!   replace row < n;
//!   with row == blockIdx.x || row < n;
//!   says outside of the array

// begin reference
__global__ void reference(int *out, const int *x, int n)
{
  for (int row = 0; row < n; row++) {
    int sum = 0;
    for (int i = 0; i < 64; i++)
      sum += x[row * 64 + i];
    for (int i = 0; i < 64; i++)
      out[row * 64 + i] = 64 * x[row * 64 + i] - sum;
  }
}
// end reference

// begin model
__global__ void centre(int *out, const int *x, int n)
{
  __shared__ int part[64];
  for (int row = blockIdx.x; row < n; row += gridDim.x) {
    int i = row * 64 + threadIdx.x;
    part[threadIdx.x] = x[i];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
      if (threadIdx.x < half)
        part[threadIdx.x] += part[threadIdx.x + half];
      __syncthreads();
    }
    out[i] = 64 * x[i] - part[0];
    __syncthreads();
  }
}
// end model

// begin one_row
__global__ void centre(int *out, const int *x, int n)
{
  __shared__ int part[64];
  int row = blockIdx.x, i = row * 64 + threadIdx.x;
  if (row >= n)
    return;
  part[threadIdx.x] = x[i];
  __syncthreads();
  for (int half = 32; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  out[i] = 64 * x[i] - part[0];
}
// end one_row
