//! title In place
//! difficulty 3
//! question A square matrix of n × n floats is to be transposed in place: there is no
//!   space for a second one. Each block of 32 × 8 threads has one tile of 32 × 32
//!   elements in its part of the grid. The grid has as many blocks as the matrix has
//!   tiles, and n need not be a multiple of 32.
//!
//!   Loads and stores are to touch no more sectors than they must, and shared memory is
//!   to be free of bank conflicts.
//! hint If every block writes its tile to the other side of the diagonal, what happens
//!   to what was there? Which block was going to read it, and has it?
//! hint No barrier reaches across blocks. So one block must own both tiles, the one
//!   above the diagonal and its mirror image, and another block has nothing to do.
//! hint Read both tiles into shared memory, wait, and write each to the other's place.
//!   A row of shared memory that is one word longer than the tile puts the elements of
//!   a column into different banks. Blocks with blockIdx.y > blockIdx.x can return.
//!
//! case n=1,2,31,32,33,64,100
//! buffer a f32 n*n = (mix(i+seed)%1000)
//! launch transpose (n+31)/32,(n+31)/32 32,8
//! measure n=64
//! goal ld_sectors/ld_requests 4 : sectors per load request
//! goal st_sectors/st_requests 4 : sectors per store request
//! goal shared_ld_conflicts+shared_st_conflicts 0 : bank conflicts
//!
//! wrong no_barrier : a warp writes what another has not put there yet
//!   replace __syncthreads();
//!   with
//!   says comes first
//!   says warp runs at its own pace
//! wrong no_owner : every block exchanges its two tiles, so each pair twice
//!   replace if (blockIdx.y > blockIdx.x)
//!   with if (blockIdx.y >= gridDim.y)
//!   says blocks run in any order
//! wrong no_guard : the last row of tiles is taken for whole
//!   replace if (row + y < n && col + threadIdx.x < n)
//!   with
//!   says With n = 1:
//!   says outside of the array
//! wrong no_padding : the elements of a column are all in one bank
//!   replace upper[TILE][TILE + 1], lower[TILE][TILE + 1]
//!   with upper[TILE][TILE], lower[TILE][TILE]
//!   says bank conflicts; the goal is at most 0
//! wrong no_shared : straight from one place to the other
//!   says sectors per load request; the goal is at most 4

enum { TILE = 32, ROWS = 8 };

// begin reference
__global__ void reference(float *a, size_t n)
{
  for (size_t row = 0; row < n; row++)
    for (size_t col = row + 1; col < n; col++) {
      float upper = a[row * n + col];
      a[row * n + col] = a[col * n + row];
      a[col * n + row] = upper;
    }
}
// end reference

// begin model
__global__ void transpose(float *a, size_t n)
{
  // hole: exchange two tiles.
  __shared__ float upper[TILE][TILE + 1], lower[TILE][TILE + 1];
  if (blockIdx.y > blockIdx.x)
    return;
  size_t row = (size_t)blockIdx.y * TILE, col = (size_t)blockIdx.x * TILE;
  for (unsigned y = threadIdx.y; y < TILE; y += ROWS) {
    if (row + y < n && col + threadIdx.x < n)
      upper[y][threadIdx.x] = a[(row + y) * n + col + threadIdx.x];
    if (col + y < n && row + threadIdx.x < n)
      lower[y][threadIdx.x] = a[(col + y) * n + row + threadIdx.x];
  }
  __syncthreads();
  for (unsigned y = threadIdx.y; y < TILE; y += ROWS) {
    if (row + y < n && col + threadIdx.x < n)
      a[(row + y) * n + col + threadIdx.x] = lower[threadIdx.x][y];
    if (col + y < n && row + threadIdx.x < n)
      a[(col + y) * n + row + threadIdx.x] = upper[threadIdx.x][y];
  }
  // end hole
}
// end model

// begin no_shared
__global__ void transpose(float *a, size_t n)
{
  size_t col = (size_t)blockIdx.x * TILE + threadIdx.x;
  for (unsigned y = threadIdx.y; y < TILE; y += ROWS) {
    size_t row = (size_t)blockIdx.y * TILE + y;
    if (row < col && col < n) {
      float upper = a[row * n + col];
      a[row * n + col] = a[col * n + row];
      a[col * n + row] = upper;
    }
  }
}
// end no_shared
