// Kernels with 240 values that a loop carries, held to fewer registers: the
// largest block, as the attributes say and as launches find it. With LIMITED,
// the compiler was given a limit for all: every block can be launched.
#include <cstdio>

static __device__ void carry(const float *in, float *out, int n)
{
  float v[240];
#pragma unroll
  for (int i = 0; i < 240; i++)
    v[i] = in[threadIdx.x + i * n];
  for (int r = 0; r < n; r++) {
#pragma unroll
    for (int i = 0; i < 240; i++)
      v[i] = v[i] * v[(i + 17) % 240] + in[r];
  }
  float s = 0;
#pragma unroll
  for (int i = 0; i < 240; i++)
    s += v[i] * i;
  out[threadIdx.x] = s;
}

#ifdef LIMITED
__global__ void free_to_use(const float *in, float *out, int n)
{
  carry(in, out, n);
}
#else
template <int N>
__global__ void __maxnreg__(N) held_to(const float *in, float *out, int n)
{
  carry(in, out, n);
}
#endif

template <class K> static void ask(K *kernel, const float *in, float *out)
{
  cudaFuncAttributes attributes;
  cudaError_t refusal = cudaSuccess;
  int most = 0;

  cudaFuncGetAttributes(&attributes, kernel);
  for (int threads = 32; threads <= 1024; threads += 32) {
    kernel<<<1, threads>>>(in, out, 0);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
      most = threads;
    else if (refusal == cudaSuccess)
      refusal = error;
  }
  int blocks = -1, grid, block;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 1024, 0);
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0);
  kernel<<<1, 1056>>>(in, out, 0);
  cudaError_t beyond = cudaGetLastError();
  printf("%d, launched %d, then %s; blocks of 1024: %d, of potential %d; 1056: "
         "%s, %s\n",
         attributes.maxThreadsPerBlock, most, cudaGetErrorName(refusal), blocks,
         block, cudaGetErrorName(beyond),
         cudaGetErrorName(cudaDeviceSynchronize()));
}

int main()
{
  float *in, *out;

  cudaMalloc(&in, 4096 * sizeof *in);
  cudaMalloc(&out, 4096 * sizeof *out);
  cudaMemset(in, 0, 4096 * sizeof *in);
#ifdef LIMITED
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, free_to_use);
  free_to_use<<<1, 1024>>>(in, out, 2);
  if (cudaGetLastError() == cudaSuccess &&
      cudaDeviceSynchronize() == cudaSuccess && attributes.numRegs <= 64 &&
      attributes.maxThreadsPerBlock == 1024)
    printf("all right\n");
#else
  ask(held_to<32>, in, out);
  ask(held_to<48>, in, out);
  ask(held_to<64>, in, out);
  ask(held_to<65>, in, out);
  ask(held_to<80>, in, out);
  ask(held_to<96>, in, out);
  ask(held_to<104>, in, out);
  ask(held_to<128>, in, out);
  ask(held_to<136>, in, out);
  ask(held_to<168>, in, out);
  ask(held_to<184>, in, out);
  ask(held_to<255>, in, out);
#endif
  return 0;
}
