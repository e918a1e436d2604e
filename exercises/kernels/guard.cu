//! title More threads than elements
//! difficulty 1
//! question This kernel adds two vectors of n floats. It is right whenever n is a
//!   multiple of 256, the number of threads in a block; otherwise it reads and writes
//!   beyond the arrays. Repair it: it must be right for every n.
//! hint How many blocks does the host launch for n = 257, and how many threads do they
//!   have?
//! hint Most threads of the last block have no element. What are they to do?
//! hint A thread whose i is not less than n must neither load nor store.
//!
//! case n=1,255,256,257,1000
//! buffer c f32 n
//! buffer a f32 n = (mix(i+seed)%1000)
//! buffer b f32 n = (mix(i+2*seed)%1000)
//! launch add (n+255)/256 256
//!
//! start unguarded
//! wrong unguarded : every thread takes an element, also those that have none
//!   replace if (i < n)
//!   with
//!   says With n = 1: Line
//!   says outside of the array
//! wrong one_more : the guard lets one thread too many pass
//!   replace i < n
//!   with i <= n
//!   says [1], where
//! wrong one_less : the last element is left out
//!   replace i < n
//!   with i < n - 1
//!   says nothing was ever written to c[0]
//! wrong block_only : the guard looks at the thread, not at the element
//!   replace i < n
//!   with threadIdx.x < n
//!   says With n = 257
//!   says outside of the array

// begin reference
__global__ void reference(float *c, const float *a, const float *b, int n)
{
  for (int i = 0; i < n; i++)
    c[i] = a[i] + b[i];
}
// end reference

// begin model
__global__ void add(float *c, const float *a, const float *b, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}
// end model
