// Kernels that the page's compiler is tested with; what they must do is written as
// device/tools/launch.h explains. The names are what clang makes of them.
//! buffer y f32 100 = 1
//! buffer x f32 100 = i
//! launch _Z4axpyPfPKffi 4 32 y x f32:2 s32:100
//! expect y = 2*i+1
//! counts ld_requests 8
//! buffer t f32 1024 = 0
//! buffer a f32 1024 = i
//! launch _Z9transposePfPKf 1 32,8 t a
//! expect t = i/32+32*(i%32)
//! counts shared_ld_conflicts 0
//! counts barriers 8
//! buffer sum u32 1 = 0
//! launch _Z3addPjPKfi 2 128 sum a s32:256
//! expect sum = 32640
//! buffer n u32 4 = 0
//! launch _Z8smallestILi4EEvPjPKj 1 1 n n
//! expect n = 0 1 4 9
//! buffer r f64 8 = 0
//! launch _Z9functionsPd 1 1 r
//! expect r = 2 3 1 120 5 0x3ff0000000000000 7 _
//! launch _Z5helloi 1 2 s32:7
//! prints 0 of 7\n1 of 7\n
#include <assert.h>
#include <stdint.h>
#include <stdio.h>

#include <cooperative_groups.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

__global__ void axpy(float *y, const float *x, float a, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] += a * x[i];
}

__global__ void transpose(float *to, const float *from)
{
  __shared__ float tile[32][33];
  for (int row = threadIdx.y; row < 32; row += blockDim.y)
    tile[row][threadIdx.x] = from[32 * row + threadIdx.x];
  __syncthreads();
  for (int row = threadIdx.y; row < 32; row += blockDim.y)
    to[32 * row + threadIdx.x] = tile[threadIdx.x][row];
}

__global__ void add(unsigned int *sum, const float *x, int n)
{
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int own = i < n ? (unsigned int)x[i] : 0;
  for (int step = warp.size() / 2; step > 0; step /= 2)
    own += warp.shfl_down(own, step);
  if (warp.thread_rank() == 0)
    atomicAdd(sum, own);
}

template <int N> struct numbers {
  unsigned int number[N];
};

template <int N> __device__ __noinline__ numbers<N> squares(numbers<N> of)
{
  for (int i = 0; i < N; i++)
    of.number[i] *= of.number[i];
  return of;
}

template <int N> __global__ void smallest(unsigned int *to, const unsigned int *)
{
  numbers<N> of;
  for (int i = 0; i < N; i++)
    of.number[i] = i;
  of = squares(of);
  for (int i = 0; i < N; i++)
    to[i] = of.number[i];
}
template __global__ void smallest<4>(unsigned int *, const unsigned int *);

__device__ __noinline__ int factorial(int n)
{
  return n < 2 ? 1 : n * factorial(n - 1);
}

__global__ void functions(double *r)
{
  r[0] = sqrt(r[7] + 4);
  r[1] = __popc(0x70);
  r[2] = cos(r[7]);
  r[3] = factorial((int)r[7] + 5);
  r[4] = __half2float(__hadd(__float2half(2), __float2half(3)));
  r[5] = sin(r[7]) * sin(r[7]) + cos(r[7]) * cos(r[7]);
  r[6] = __mul64hi(7, 1ll << 62) * 4 + fmax(r[7], 3.0);
}

__global__ void hello(int n)
{
  assert(n > 0);
  printf("%d of %d\n", (int)threadIdx.x, n);
}
