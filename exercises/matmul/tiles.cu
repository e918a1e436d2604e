//! title Tiles of both
//! difficulty 3
//! question Write c = a · b for matrices of n × n floats, stored row by row, with blocks of
//!   16 × 16 threads. Every element of a and b that a block needs is to come from global
//!   memory once for each block, not once for each thread: go through tiles of 16 × 16 in
//!   shared memory. n need not be a multiple of 16.
//! hint A block needs 16 rows of a and 16 columns of b, too much for shared memory. But in
//!   how many pieces can a sum be added up?
//! hint In each round the block loads one tile of a and one of b, with one load of each by
//!   each thread, waits, and adds 16 products to each sum. And before the next round?
//! hint What lies outside of the matrices is 0 in the tiles. No thread may leave before the
//!   last barrier. Two barriers in each round.
//!
//! case n=1,15,16,17,33
//! buffer c f32 n*n
//! buffer a f32 n*n = (mix(i+seed)%20)
//! buffer b f32 n*n = (mix(i+3*seed)%20)
//! launch matmul (n+15)/16,(n+15)/16 16,16
//! measure n=64
//! goal ld_requests 2*8*16*4 : load requests, one for each warp, matrix and round
//!
//! wrong naive : without tiles
//!   says load requests, one for each warp, matrix and round; the goal is at most 1024
//! wrong no_first : none between loading a tile and reading it
//!   replace __syncthreads();
//!   with
//!   says comes first
//! wrong no_second : none between reading a tile and loading the next one
//!   after * tile_b
//!   replace __syncthreads();
//!   with
//!   says comes first
//! wrong no_zero : what is outside of the matrix is loaded from elsewhere
//!   replace row < n && first + x < n ?
//!   with row < n ?
//!   says outside of the array: a[
//! wrong returned : threads outside of c leave, and their part of the tiles is missing
//!   after float sum = 0;
//!   replace for (
//!   with if (row >= n || col >= n) return; for (
//!   says nothing has been written there before
//! wrong whole_only : the last, incomplete tile is left out
//!   replace first < n; first += 16
//!   with first + 16 <= n; first += 16
//!   says With n = 1

// begin reference
__global__ void reference(float *c, const float *a, const float *b, int n)
{
  for (int row = 0; row < n; row++)
    for (int col = 0; col < n; col++) {
      float sum = 0;
      for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
      c[row * n + col] = sum;
    }
}
// end reference

// begin model
__global__ void matmul(float *c, const float *a, const float *b, int n)
{
  // hole: compute one element of c, with tiles.
  __shared__ float tile_a[16][16], tile_b[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float sum = 0;
  for (int first = 0; first < n; first += 16) {
    tile_a[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0;
    tile_b[y][x] = first + y < n && col < n ? b[(first + y) * n + col] : 0;
    __syncthreads();
    for (int k = 0; k < 16; k++)
      sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  if (row < n && col < n)
    c[row * n + col] = sum;
  // end hole
}
// end model

// begin naive
__global__ void matmul(float *c, const float *a, const float *b, int n)
{
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  if (row >= n || col >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}
// end naive
