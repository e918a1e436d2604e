//! title Neighbours on both sides
//! difficulty 2
//! question Each element of `out` is to be the sum of seven elements of `in`: its own, and
//!   three on either side. What would be outside of `in` counts as 0. The kernel's results
//!   may even be right, and it has a bug. Repair it.
//! hint How many different elements do the 64 threads of a block need together?
//! hint The tile needs space for the neighbours on *both* sides of the block.
//! hint 64 threads and three neighbours on each side make 70 elements. Every one of them
//!   has to be loaded by some thread, also those beyond the block's right end.
//!
//! case n=1,3,63,64,65,200
//! buffer out s32 n
//! buffer in s32 n = (mix(i+seed)%1000)
//! launch sum7 (n+63)/64 64
//!
//! start one_side
//! wrong one_side : the tile has space for the neighbours of one side only
//!   replace THREADS + 2 * R
//!   with THREADS + R
//!   says outside of the array: element 67 of `tile`, where 66 is the last
//! wrong one_short : the last neighbour is not loaded
//!   replace k < THREADS + 2 * R
//!   with k < THREADS + 2 * R - 1
//!   says nothing has been written there before
//! wrong shifted : the tile begins at the block's own first element
//!   replace first + k - R
//!   with first + k
//!   says With n = 3, out[1] should be
//! wrong no_barrier : the neighbours' warps may not have loaded yet
//!   replace __syncthreads();
//!   with
//!   says comes first
//! wrong clamped : outside of the array the nearest element is taken for 0
//!   replace from >= 0 && from < n ? in[from] : 0
//!   with in[min(max(from, 0), n - 1)]
//!   says With n = 1, out[0] should be

enum { THREADS = 64, R = 3 };

// begin reference
__global__ void reference(int *out, const int *in, int n)
{
  for (int i = 0; i < n; i++) {
    out[i] = 0;
    for (int k = i - R; k <= i + R; k++)
      if (k >= 0 && k < n)
        out[i] += in[k];
  }
}
// end reference

// begin model
__global__ void sum7(int *out, const int *in, int n)
{
  __shared__ int tile[THREADS + 2 * R];
  int first = blockIdx.x * THREADS, sum = 0;
  for (int k = threadIdx.x; k < THREADS + 2 * R; k += THREADS) {
    int from = first + k - R;
    tile[k] = from >= 0 && from < n ? in[from] : 0;
  }
  __syncthreads();
  for (int k = 0; k <= 2 * R; k++)
    sum += tile[threadIdx.x + k];
  if (first + threadIdx.x < n)
    out[first + threadIdx.x] = sum;
}
// end model
