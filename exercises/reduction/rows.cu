//! title A warp for each row
//! difficulty 2
//! question Add up each row of a matrix with `rows` rows and `cols` columns. Blocks have
//!   four warps, and there is a warp for each row. Loads must touch no more sectors than
//!   they must, and there is to be no barrier.
//! hint Which elements of a row does a lane take, if neighbouring lanes are to read
//!   neighbours?
//! hint Each lane walks along the row in steps of 32, and then the warp adds up its lanes'
//!   sums with shuffles.
//! hint The row is blockIdx.x * 4 + threadIdx.x / 32. A warp without a row leaves as a
//!   whole. Lane 0 writes.
//!
//! case rows=1,4,5 cols=1,31,32,33,100
//! buffer sums s32 rows
//! buffer m s32 rows*cols = (mix(i+seed)%1000)
//! launch row_sums (rows+3)/4 128
//! measure rows=8 cols=128
//! goal ld_sectors/ld_requests 4 : sectors per load request
//! goal ld_requests rows*cols/32 : load requests
//! goal barriers 0 : barriers
//!
//! wrong thread_each : one thread for each row
//!   says load requests; the goal is at most 32
//! wrong all_write : every lane writes its own sum
//!   replace if (lane == 0)
//!   with
//!   says comes first
//! wrong no_guard : warps without a row
//!   replace if (row >= rows)
//!   with if (row < 0)
//!   says outside of the array
//! wrong pieces : each lane takes a piece of neighbours
//!   replace for (int x = lane; x < cols; x += 32)
//!   with for (int x = lane * ((cols + 31) / 32); x < min(cols, (lane + 1) * ((cols + 31) / 32)); x++)
//!   says sectors per load request; the goal is at most 4
//! wrong short_tree : the last exchange is left out
//!   replace distance > 0
//!   with distance > 1
//!   says With rows = 1 and cols = 31, sums[0] should be

// begin reference
__global__ void reference(int *sums, const int *m, int rows, int cols)
{
  for (int y = 0; y < rows; y++) {
    sums[y] = 0;
    for (int x = 0; x < cols; x++)
      sums[y] += m[y * cols + x];
  }
}
// end reference

// begin model
__global__ void row_sums(int *sums, const int *m, int rows, int cols)
{
  // hole: one warp adds up one row.
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  int sum = 0;
  for (int x = lane; x < cols; x += 32)
    sum += m[row * cols + x];
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  if (lane == 0)
    sums[row] = sum;
  // end hole
}
// end model

// begin thread_each
__global__ void row_sums(int *sums, const int *m, int rows, int cols)
{
  int row = blockIdx.x * 4 + threadIdx.x, sum = 0;
  if (threadIdx.x >= 4 || row >= rows)
    return;
  for (int x = 0; x < cols; x++)
    sum += m[row * cols + x];
  sums[row] = sum;
}
// end thread_each
