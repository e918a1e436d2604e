//! title Two sides
//! difficulty 2
//! question Write the even ones of n numbers to the front of `out`, in their order, and the
//!   odd ones to the back, the last of them first. A scan has already been made: places[i]
//!   says how many even numbers there are before number i.
//! hint An even number goes where places[i] says. How many odd numbers are before number i?
//! hint Before number i there are i numbers, and places[i] of them are even.
//! hint The first odd number goes to n - 1, the next one to n - 2: number i goes to
//!   n - 1 - (i - places[i]).
//!
//! case n=1,2,63,64,65,300 kind=0,1,2
//! words kind mixed even odd
//! buffer out s32 n
//! buffer in s32 n = (kind==0?2*i+(i%3>0):(kind==1?2*i:2*i+1))
//! buffer places s32 n = (kind==0?(i+2)/3:(kind==1?i:0))
//! launch partition (n+63)/64 64
//!
//! wrong in_order : the odd numbers in their order, after the even ones
//!   replace n - 1 - (i - places[i])
//!   with places[n - 1] + i - places[i]
//!   says should be
//! wrong one_off : begins one beyond the end
//!   replace n - 1 - (i - places[i])
//!   with n - (i - places[i])
//!   says outside of the array: out[
//! wrong even_only : the odd numbers are left out
//!   replace else
//!   with else if (i < 0)
//!   says nothing was ever written to
//! wrong no_guard : threads without a number
//!   replace if (i >= n)
//!   with if (i < 0)
//!   says outside of the array

// begin reference
__global__ void reference(int *out, const int *in, int n)
{
  int front = 0, back = n;
  for (int i = 0; i < n; i++)
    if (in[i] % 2 == 0)
      out[front++] = in[i];
    else
      out[--back] = in[i];
}
// end reference

// begin model
__global__ void partition(int *out, const int *in, const int *places, int n)
{
  // hole: write this thread's number to its place.
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  if (in[i] % 2 == 0)
    out[places[i]] = in[i];
  else
    out[n - 1 - (i - places[i])] = in[i];
  // end hole
}
// end model
