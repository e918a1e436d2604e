//! title Rows with a pitch
//! difficulty 1
//! question The rows of a picture of floats are `pitch` bytes apart, more than its `cols`
//!   floats fill, so that each row begins at a good address. Double all pixels, and leave
//!   the bytes between the rows as they are. A colleague has used the pitch as a number of
//!   floats. Repair the kernel.
//! hint In which unit is the pitch, and in which does a pointer to float count?
//! hint A row's address is that of the first row plus y * pitch bytes.
//! hint Cast the pointer to char *, add y * pitch, and cast it back to float *.
//!
//! case rows=1,2,5 cols=1,16,17 pitch=128
//! buffer picture f32 (rows*pitch/4) = (mix(i+seed)%100)
//! launch brighten (cols+15)/16,(rows+3)/4 16,4
//!
//! start in_floats
//! wrong in_floats : the pitch counts floats
//!   replace (float *)((char *)picture + y * pitch)
//!   with picture + y * pitch
//!   says outside of the array
//! wrong no_pitch : as if there were no pitch
//!   replace (float *)((char *)picture + y * pitch)
//!   with picture + y * cols
//!   says With rows = 2, cols = 1 and pitch = 128
//! wrong whole_row : what is between the rows is doubled, too
//!   replace x < cols
//!   with x < pitch / 4
//!   says With rows = 1, cols = 1 and pitch = 128, picture[1] should be
//! wrong no_rows : there is no guard for rows
//!   replace && y < rows
//!   with
//!   says outside of the array

// begin reference
__global__ void reference(float *picture, size_t pitch, int rows, int cols)
{
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < cols; x++)
      picture[y * pitch / 4 + x] *= 2;
}
// end reference

// begin model
__global__ void brighten(float *picture, size_t pitch, int rows, int cols)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < cols && y < rows) {
    float *row = (float *)((char *)picture + y * pitch);
    row[x] *= 2;
  }
}
// end model
