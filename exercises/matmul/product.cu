//! title A product of matrices
//! difficulty 1
//! question Write c = a · b: a has `rows` rows and `inner` columns, b `inner` rows and `cols`
//!   columns, all stored row by row. Blocks are 16 × 16, x along the columns of c, and each
//!   thread computes one element.
//! hint Element (row, col) of c is the sum, over k, of what in a times what in b?
//! hint a[row * inner + k] * b[k * cols + col].
//! hint Threads whose row or column is outside of c have nothing to do. Add up in a variable
//!   that begins with 0.
//!
//! case rows=1,16,17 inner=1,7 cols=1,16,20
//! buffer c f32 rows*cols
//! buffer a f32 rows*inner = (mix(i+seed)%20)
//! buffer b f32 inner*cols = (mix(i+3*seed)%20)
//! launch matmul (cols+15)/16,(rows+15)/16 16,16
//! measure rows=32 inner=8 cols=32
//! goal st_sectors/st_requests 8 : sectors per store request
//!
//! wrong transposed : x is taken for the row
//!   replace row = blockIdx.y * blockDim.y + threadIdx.y
//!   with row = blockIdx.x * blockDim.x + threadIdx.x
//!   replace col = blockIdx.x * blockDim.x + threadIdx.x;
//!   with col = blockIdx.y * blockDim.y + threadIdx.y;
//!   says should be
//! wrong rows_of_b : takes a row of b and not a column
//!   replace b[k * cols + col]
//!   with b[col * inner + k]
//!   says should be
//! wrong no_guard : threads outside of c
//!   replace if (row >= rows || col >= cols)
//!   with if (row < 0)
//!   says of the array
//! wrong one_guard : a guard for rows alone
//!   replace row >= rows || col >= cols
//!   with row >= rows
//!   says of the array
//! wrong added : adds to what c held, which is not set
//!   replace float sum = 0;
//!   with float sum = c[row * cols + col];
//!   says nothing has been written there before

// begin reference
__global__ void reference(float *c, const float *a, const float *b, int rows,
                          int inner, int cols)
{
  for (int row = 0; row < rows; row++)
    for (int col = 0; col < cols; col++) {
      float sum = 0;
      for (int k = 0; k < inner; k++)
        sum += a[row * inner + k] * b[k * cols + col];
      c[row * cols + col] = sum;
    }
}
// end reference

// begin model
__global__ void matmul(float *c, const float *a, const float *b, int rows,
                       int inner, int cols)
{
  // hole: compute one element of c.
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || col >= cols)
    return;
  float sum = 0;
  for (int k = 0; k < inner; k++)
    sum += a[row * inner + k] * b[k * cols + col];
  c[row * cols + col] = sum;
  // end hole
}
// end model
