//! title One to the left
//! difficulty 2
//! question Element i of `out` is to be element i + 1 of `in`, and the last one, which
//!   has no right-hand neighbour, 0. Both have n elements.
//! hint What does the thread of element n - 1 read?
//! hint Two questions, one after the other: does this thread have an element? Does the
//!   element have a neighbour?
//! hint if (i < n) out[i] = …, where … is in[i + 1] or 0. A condition in front of `?`
//!   decides which of the two is loaded, so nothing beyond the end is read.
//!
//! case n=1,2,63,64,65,500
//! buffer out f32 n
//! buffer in f32 n = (1+mix(i+seed)%1000)
//! launch shift (n+63)/64 64
//!
//! wrong last_read : the last thread reads beyond the end
//!   replace i + 1 < n ? in[i + 1] : 0
//!   with in[i + 1]
//!   says outside of the array: in[
//! wrong last_unwritten : the last element is left as it was
//!   replace i < n)
//!   with i + 1 < n)
//!   says nothing was ever written to out[0]
//! wrong right : to the other side
//!   replace i + 1 < n ? in[i + 1] : 0
//!   with i > 0 ? in[i - 1] : 0
//!   says With n = 2, out[0] should be
//! wrong in_block : the neighbour is looked for within the block
//!   replace i + 1 < n ?
//!   with threadIdx.x + 1 < blockDim.x && i + 1 < n ?
//!   says With n = 65, out[63] should be

// begin reference
__global__ void reference(float *out, const float *in, int n)
{
  for (int i = 0; i < n; i++)
    out[i] = i + 1 < n ? in[i + 1] : 0;
}
// end reference

// begin model
__global__ void shift(float *out, const float *in, int n)
{
  // hole: take the right-hand neighbour.
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = i + 1 < n ? in[i + 1] : 0;
  // end hole
}
// end model
