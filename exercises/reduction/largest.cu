//! title Where the largest is
//! difficulty 3
//! question Find where the largest of n numbers is, with one block of one warp, and write
//!   its index. If there are several, the first one counts. The numbers may be negative.
//! hint A value and its place go through the tree together, with two shuffles in each
//!   step. What does a lane without a number bring?
//! hint Which of two equal values wins? If you don't look at the place, that depends on
//!   which lanes happen to meet.
//! hint a beats b if its value is larger, or if the values are equal and its place is less.
//!   A lane without a number brings INT_MIN and a place beyond all.
//!
//! case n=1,2,31,32,33,200 kind=0,1,2,3
//! words kind random equal negative two
//! buffer at s32 1
//! buffer x s32 n = (kind==0?mix(i+seed)%100:(kind==1?5:(kind==2?0-1-mix(i+seed)%100:(i%5==4?9:1))))
//! launch where_largest 1 32
//!
//! wrong zero : lanes without a number bring 0
//!   replace value = -2147483647 - 1
//!   with value = 0
//!   says kind = negative
//! wrong last : of equal numbers the last one wins
//!   replace other == value && other_at < place
//!   with other == value
//!   says kind = equal, at[0] should be 0
//! wrong any : of equal numbers any one wins
//!   replace || (other == value && other_at < place)
//!   with
//!   says kind =
//! wrong value_written : the number itself, and not where it is
//!   replace at[0] = place
//!   with at[0] = value
//!   says at[0] should be 0, and it is
//! wrong first_32 : as if there were no more numbers than lanes
//!   replace i < n; i += 32
//!   with i < min(n, 32); i += 32
//!   says at[0] should be

// begin reference
__global__ void reference(int *at, const int *x, int n)
{
  at[0] = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > x[at[0]])
      at[0] = i;
}
// end reference

// begin model
__global__ void where_largest(int *at, const int *x, int n)
{
  // hole: find the largest and its place.
  int value = -2147483647 - 1, place = 2147483647;
  for (int i = threadIdx.x; i < n; i += 32)
    if (x[i] > value) {
      value = x[i];
      place = i;
    }
  for (int distance = 16; distance > 0; distance /= 2) {
    int other = __shfl_down_sync(0xffffffff, value, distance);
    int other_at = __shfl_down_sync(0xffffffff, place, distance);
    if (other > value || (other == value && other_at < place)) {
      value = other;
      place = other_at;
    }
  }
  if (threadIdx.x == 0)
    at[0] = place;
  // end hole
}
// end model
