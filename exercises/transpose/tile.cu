//! title Through a tile
//! difficulty 2
//! question Write the transpose of `in`, which has `rows` rows and `cols` columns, into
//!   `out`. Blocks have 32 × 8 threads and one tile of 32 × 32 elements each, x along the
//!   columns of `in`. Neither loads nor stores may touch more sectors than they must, and
//!   shared memory is to be free of bank conflicts.
//! hint A warp can read 32 neighbours of a row of `in`, or write 32 neighbours of a row of
//!   `out`, but these are different elements. Where can they change hands?
//! hint Read a tile by rows into shared memory, wait, and write it by rows of `out`: the
//!   block's place in `out` is its place in `in`, with x and y exchanged.
//! hint The elements of a column of the tile are 32 words apart, in one bank. With rows of
//!   33 words they are not.
//!
//! case rows=1,31,33 cols=1,32,40
//! case rows=64 cols=96
//! buffer out f32 cols*rows
//! buffer in f32 rows*cols = (mix(i+seed)%1000)
//! launch transpose (cols+31)/32,(rows+31)/32 32,8
//! measure rows=64 cols=64
//! goal ld_sectors/ld_requests 4 : sectors per load request
//! goal st_sectors/st_requests 4 : sectors per store request
//! goal shared_ld_conflicts+shared_st_conflicts 0 : bank conflicts
//!
//! wrong naive : writes a column, 32 sectors in each request
//!   says 32 sectors per store request; the goal is at most 4
//! wrong no_padding : the elements of a column are in one bank
//!   replace tile[32][33]
//!   with tile[32][32]
//!   says 3968 bank conflicts; the goal is at most 0
//! wrong no_barrier : the tile is read before others have written it
//!   replace __syncthreads();
//!   with
//!   says comes first
//! wrong same_place : the tile is turned, but not its place
//!   replace col + y < cols && row + threadIdx.x < rows
//!   with row + y < cols && col + threadIdx.x < rows
//!   replace out[(col + y) * rows + row + threadIdx.x]
//!   with out[(row + y) * rows + col + threadIdx.x]
//!   says nothing was ever written to
//! wrong guards : the guards are those of the loads
//!   replace col + y < cols && row + threadIdx.x < rows
//!   with row + y < rows && col + threadIdx.x < cols
//!   says With rows = 1 and cols = 32

// begin reference
__global__ void reference(float *out, const float *in, int rows, int cols)
{
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < cols; x++)
      out[x * rows + y] = in[y * cols + x];
}
// end reference

// begin model
__global__ void transpose(float *out, const float *in, int rows, int cols)
{
  // hole: transpose one tile.
  __shared__ float tile[32][33];
  int row = blockIdx.y * 32, col = blockIdx.x * 32;
  for (int y = threadIdx.y; y < 32; y += 8)
    if (row + y < rows && col + threadIdx.x < cols)
      tile[y][threadIdx.x] = in[(row + y) * cols + col + threadIdx.x];
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8)
    if (col + y < cols && row + threadIdx.x < rows)
      out[(col + y) * rows + row + threadIdx.x] = tile[threadIdx.x][y];
  // end hole
}
// end model

// begin naive
__global__ void transpose(float *out, const float *in, int rows, int cols)
{
  int x = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += 8) {
    int y = blockIdx.y * 32 + k;
    if (x < cols && y < rows)
      out[x * rows + y] = in[y * cols + x];
  }
}
// end naive
