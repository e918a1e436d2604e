//! title A frame
//! difficulty 1
//! question A picture has `rows` rows of `cols` pixels. Set the pixels of its outermost
//!   rows and columns to 0, and leave all others as they are. The grid has at least as
//!   many threads as the picture has pixels in both directions; blocks are 16 × 8.
//! hint Which of x and y counts columns, which rows?
//! hint A pixel is in the frame if it is in the first or last row, or in the first or
//!   last column. Does this thread have a pixel at all?
//! hint The pixel in row y and column x is picture[y * cols + x].
//!
//! case rows=1,2,8,9 cols=1,3,16,17
//! buffer picture s32 rows*cols = (1+i%50)
//! launch frame (cols+15)/16,(rows+7)/8 16,8
//!
//! wrong corners : only the four corners
//!   replace x == 0 || y == 0 || x == cols - 1 || y == rows - 1
//!   with (x == 0 || x == cols - 1) && (y == 0 || y == rows - 1)
//!   says With rows = 1 and cols = 3
//! wrong swapped : rows and columns have changed places
//!   replace y * cols + x
//!   with x * rows + y
//!   says With rows = 8 and cols = 3
//! wrong no_guard : threads without a pixel write, too
//!   replace x < cols && y < rows &&
//!   with
//!   says of the array
//! wrong beyond : the last row is taken to be `rows`
//!   replace y == rows - 1
//!   with y == rows
//!   says With rows = 2 and cols = 3

// begin reference
__global__ void reference(int *picture, int rows, int cols)
{
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < cols; x++)
      if (x == 0 || y == 0 || x == cols - 1 || y == rows - 1)
        picture[y * cols + x] = 0;
}
// end reference

// begin model
__global__ void frame(int *picture, int rows, int cols)
{
  // hole: set this thread's pixel to 0 if it is in the frame.
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows &&
      (x == 0 || y == 0 || x == cols - 1 || y == rows - 1))
    picture[y * cols + x] = 0;
  // end hole
}
// end model
