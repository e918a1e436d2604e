//! title Lost counts
//! difficulty 1
//! question Count how often each of the values 0 to 15 is among n numbers. `bins` begins
//!   with zeros. Most of the counts that this kernel makes are too small. Repair it.
//! hint bins[v]++ is three steps. What happens if another thread does its three steps in
//!   between?
//! hint Reading, adding and writing must be one operation that nothing can come between.
//! hint atomicAdd(&bins[v], 1).
//!
//! case n=1,32,63,64,65,1000 kind=0,1
//! words kind random equal
//! buffer bins s32 16 = 0
//! buffer in s32 n = (kind==0?mix(i+seed)%16:3)
//! launch count (n+63)/64 64
//!
//! start plain
//! wrong plain : two threads may read the same old count
//!   replace atomicAdd(&bins[in[i]], 1);
//!   with bins[in[i]]++;
//!   says comes first
//! wrong own : each thread counts for itself and writes at once
//!   replace atomicAdd(&bins[in[i]], 1);
//!   with atomicExch(&bins[in[i]], 1);
//!   says should be
//! wrong barrier : a barrier orders no counts
//!   replace atomicAdd(&bins[in[i]], 1);
//!   with { int old = bins[in[i]]; __syncwarp(__activemask()); bins[in[i]] = old + 1; }
//!   says bins[0] should be
//! wrong index : counts places, not numbers
//!   replace &bins[in[i]]
//!   with &bins[i % 16]
//!   says With n = 1

// begin reference
__global__ void reference(int *bins, const int *in, int n)
{
  for (int i = 0; i < n; i++)
    bins[in[i]]++;
}
// end reference

// begin model
__global__ void count(int *bins, const int *in, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&bins[in[i]], 1);
}
// end model
