//! title The largest float
//! difficulty 3
//! question CUDA has atomicMax for integers and none for floats. Write into `largest` the
//!   largest of n floats, with compare and swap. `largest` holds -1e30 before, and numbers
//!   may be negative. No other atomic operation than atomicCAS.
//! hint atomicCAS works on integers. __float_as_int and __int_as_float turn the bits of the
//!   one into the other.
//! hint What does atomicCAS return when another thread was quicker? What can be done with
//!   that?
//! hint Read the word. As long as your number is larger than what you saw, try to swap it
//!   in, and look at what was there. If that is what you expected, you are done; else go
//!   on with it.
//!
//! case n=1,32,33,200 kind=0,1,2
//! words kind random negative rising
//! buffer largest f32 1 = -1e30
//! buffer x f32 n = (kind==0?mix(i+seed)%2000-1000:(kind==1?0-1-mix(i+seed)%500:i))
//! launch largest_float (n+63)/64 64
//!
//! wrong plain : reads, compares and writes, with others in between
//!   says comes first
//! wrong once : does not try again
//!   says should be
//! wrong unsigned_bits : compares the bits as if they were integers
//!   replace x[i] > __int_as_float(seen)
//!   with __float_as_int(x[i]) > seen
//!   says largest[0] should be
//! wrong truncated : the number becomes an integer
//!   replace __float_as_int(x[i])
//!   with (int)x[i]
//!   says largest[0] should be

// begin reference
__global__ void reference(float *largest, const float *x, int n)
{
  for (int i = 0; i < n; i++)
    if (x[i] > largest[0])
      largest[0] = x[i];
}
// end reference

// begin model
__global__ void largest_float(float *largest, const float *x, int n)
{
  // hole: let each thread try to put its number there.
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int *word = (int *)largest, seen = atomicCAS(word, 0, 0);
  while (x[i] > __int_as_float(seen)) {
    int expected = seen;
    seen = atomicCAS(word, expected, __float_as_int(x[i]));
    if (seen == expected)
      break;
  }
  // end hole
}
// end model

// begin plain
__global__ void largest_float(float *largest, const float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > largest[0])
    largest[0] = x[i];
}
// end plain

// begin once
__global__ void largest_float(float *largest, const float *x, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int *word = (int *)largest, seen = atomicCAS(word, 0, 0);
  if (x[i] > __int_as_float(seen))
    atomicCAS(word, seen, __float_as_int(x[i]));
}
// end once
