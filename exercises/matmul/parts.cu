//! title Long sums
//! difficulty 2
//! question The elements of c = a · b are few and their sums are long, so several blocks
//!   share each of them: the third coordinate of a block, blockIdx.z, says which part of
//!   the sum over k it adds up, from blockIdx.z * part to (blockIdx.z + 1) * part, as far
//!   as `inner` goes. c holds zeros before. a has 16 rows and `inner` columns, b `inner`
//!   rows and 16 columns; blocks are 16 × 16. A colleague's version loses parts of the
//!   sums. Repair it.
//! hint How many blocks write the same element of c, and in which order?
//! hint Reading, adding and writing must be one operation.
//! hint atomicAdd works on floats, too. And where does the last part end?
//!
//! case inner=1,16,20,100 part=16
//! buffer c f32 16*16 = 0
//! buffer a f32 16*inner = (mix(i+seed)%10)
//! buffer b f32 inner*16 = (mix(i+3*seed)%10)
//! launch matmul 1,1,(inner+part-1)/part 16,16
//!
//! start plain
//! wrong plain : reads, adds and writes, with other blocks in between
//!   replace atomicAdd(&c[y * 16 + x], sum);
//!   with c[y * 16 + x] += sum;
//!   says blocks run in any order
//! wrong last_wins : writes its part over those of the others
//!   replace atomicAdd(&c[y * 16 + x], sum);
//!   with c[y * 16 + x] = sum;
//!   says blocks run in any order
//! wrong too_long : the last part goes beyond the end
//!   replace min((int)(blockIdx.z + 1) * part, inner)
//!   with (blockIdx.z + 1) * part
//!   says of the array
//! wrong all_of_it : each block adds up everything
//!   replace int k = blockIdx.z * part
//!   with int k = 0
//!   says With inner = 20

// begin reference
__global__ void reference(float *c, const float *a, const float *b, int inner)
{
  for (int y = 0; y < 16; y++)
    for (int x = 0; x < 16; x++)
      for (int k = 0; k < inner; k++)
        c[y * 16 + x] += a[y * inner + k] * b[k * 16 + x];
}
// end reference

// begin model
__global__ void matmul(float *c, const float *a, const float *b, int inner,
                       int part)
{
  int x = threadIdx.x, y = threadIdx.y;
  int end = min((int)(blockIdx.z + 1) * part, inner);
  float sum = 0;
  for (int k = blockIdx.z * part; k < end; k++)
    sum += a[y * inner + k] * b[k * 16 + x];
  atomicAdd(&c[y * 16 + x], sum);
}
// end model
