//! title Rows and columns
//! difficulty 1
//! question Add up each column of a matrix with `rows` rows and `cols` columns, which is
//!   stored row by row, one thread for each column. A request must touch no more sectors
//!   than the lanes' floats fill.
//! hint Which elements do neighbouring lanes read in the same round of the loop?
//! hint Element (y, x) is m[y * cols + x]. A thread keeps its x and walks through all y.
//! hint Neighbouring lanes have neighbouring columns, so the loads of each round are
//!   neighbours, too. All that remains is to loop over the rows and not over the columns.
//!
//! case rows=1,3,32 cols=1,32,33,100
//! buffer sums f32 cols
//! buffer m f32 rows*cols = (mix(i+seed)%100)
//! launch column_sums (cols+63)/64 64
//! measure rows=16 cols=128
//! goal ld_sectors/ld_requests 4 : sectors per load request
//!
//! wrong rows_summed : the rows are added up
//!   replace m[y * cols + x]
//!   with m[x * cols + y]
//!   says of the array
//! wrong by_rows : as if the matrix were stored column by column
//!   replace m[y * cols + x]
//!   with m[x * rows + y]
//!   says With rows = 3 and cols = 32, sums[0] should be
//! wrong no_guard : threads without a column
//!   replace if (x >= cols)
//!   with if (x < 0)
//!   says of the array
//! wrong unset : the sum begins with anything
//!   replace float sum = 0;
//!   with float &sum = sums[x];
//!   says nothing has been written there before

// begin reference
__global__ void reference(float *sums, const float *m, int rows, int cols)
{
  for (int x = 0; x < cols; x++) {
    sums[x] = 0;
    for (int y = 0; y < rows; y++)
      sums[x] += m[y * cols + x];
  }
}
// end reference

// begin model
__global__ void column_sums(float *sums, const float *m, int rows, int cols)
{
  // hole: add up one column.
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= cols)
    return;
  float sum = 0;
  for (int y = 0; y < rows; y++)
    sum += m[y * cols + x];
  sums[x] = sum;
  // end hole
}
// end model
