//! title A rod that cools
//! difficulty 1
//! question Heat spreads along a rod of n points. In one step, the new value of a point is
//!   a quarter of its left neighbour, plus half of itself, plus a quarter of its right
//!   neighbour; the two ends keep theirs. The host does two steps, from `a` into `b` and
//!   back from `b` into `a`. Near the ends the results are wrong, though the line that
//!   computes is right. Repair the kernel.
//! hint What is in b[0] after the first step?
//! hint No thread writes the ends of `b`, so what the second step reads there is anything.
//! hint A thread that has an end copies it.
//!
//! case n=2,3,63,64,65,100
//! buffer b f32 n
//! buffer a f32 n = (16*(mix(i+seed)%100))
//! launch step (n+63)/64 64 b a s32:n
//! launch step (n+63)/64 64 a b s32:n
//!
//! start ends_forgotten
//! wrong ends_forgotten : the ends are never written
//!   replace else if (i < n)
//!   with else if (i < 0)
//!   says nothing was ever written to b[0]
//! wrong zero_ends : the ends become 0
//!   replace to[i] = from[i];
//!   with to[i] = 0;
//!   says should be
//! wrong no_guard : the ends are taken for points like all others
//!   replace i > 0 && i < n - 1
//!   with i < n
//!   says outside of the array: a[-1], where a[0] is the first element
//! wrong left_end : only the left end is copied
//!   replace else if (i < n)
//!   with else if (i == 0)
//!   says nothing was ever written to b[1]

// begin reference
__global__ void reference(float *b, float *a, int n)
{
  for (int s = 0; s < 2; s++) {
    float *from = s == 0 ? a : b, *to = s == 0 ? b : a;
    to[0] = from[0];
    to[n - 1] = from[n - 1];
    for (int i = 1; i < n - 1; i++)
      to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
  }
}
// end reference

// begin model
__global__ void step(float *to, const float *from, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
  else if (i < n)
    to[i] = from[i];
}
// end model
