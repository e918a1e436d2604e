//! title Sixteen bytes at a time
//! difficulty 2
//! question Copy n floats with as few load requests as possible: each thread moves four
//!   neighbouring floats with one load and one store of 16 bytes. n need not be a multiple
//!   of four; both arrays begin at a multiple of 16 bytes.
//! hint The type float4 has 16 bytes. A pointer to floats can be cast to one to float4.
//! hint How many whole groups of four are there? Which thread copies the floats after the last
//!   whole group?
//! hint Thread i copies group i if 4 i + 3 < n. If that group is not whole, the same thread
//!   copies its one, two or three floats one by one.
//!
//! case n=1,3,4,5,255,256,257,1000,1003
//! buffer out f32 n
//! buffer in f32 n = (mix(i+seed)%1000)
//! launch copy ((n+3)/4+63)/64 64
//! measure n=1024
//! goal ld_requests 8 : load requests
//! goal st_requests 8 : store requests
//!
//! wrong single : float by float
//!   says 32 load requests; the goal is at most 8
//! wrong no_rest : the floats after the last whole group are forgotten
//!   replace for (int k = 4 * i; k < n; k++)
//!   with for (int k = n; k < n; k++)
//!   says With n = 1, nothing was ever written to out[0]
//! wrong rounded_up : the last group is copied whole, though it is not
//!   replace 4 * i + 3 < n
//!   with 4 * i < n
//!   says 16 bytes at once, of which the last are beyond the end
//! wrong misaligned : begins one float too late
//!   replace ((float4 *)out)[i] = ((const float4 *)in)[i];
//!   with *(float4 *)(out + i) = *(const float4 *)(in + i);
//!   says it is 4 bytes off a multiple of 16

// begin reference
__global__ void reference(float *out, const float *in, int n)
{
  for (int i = 0; i < n; i++)
    out[i] = in[i];
}
// end reference

// begin model
__global__ void copy(float *out, const float *in, int n)
{
  // hole: copy a group of four, or what there is of it.
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 < n)
    ((float4 *)out)[i] = ((const float4 *)in)[i];
  else
    for (int k = 4 * i; k < n; k++)
      out[k] = in[k];
  // end hole
}
// end model

// begin single
__global__ void copy(float *out, const float *in, int n)
{
  int first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  for (int k = 0; k < 4; k++)
    if (first + k * blockDim.x < n)
      out[first + k * blockDim.x] = in[first + k * blockDim.x];
}
// end single
