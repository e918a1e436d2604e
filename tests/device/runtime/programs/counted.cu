// Accesses whose counts are known: argument 1 is the exit status.
#include <cstdlib>

__global__ void strided(const float *in, float *out, int stride)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * stride];
}

__global__ void conflicts(float *out)
{
  __shared__ float tile[32 * 32];
  tile[threadIdx.x * 32] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x];
}

int main(int argc, char **argv)
{
  float *in, *out;
  cudaMalloc(&in, 64 * 32 * sizeof *in);
  cudaMalloc(&out, 64 * sizeof *out);
  cudaMemset(in, 0, 64 * 32 * sizeof *in);
  strided<<<2, 32>>>(in, out, 1);
  strided<<<2, 32>>>(in, out, 32);
  conflicts<<<1, 32>>>(out);
  if (argc > 2)
    strided<<<2, 32>>>(in, nullptr, 1);  // dies by an illegal address
  cudaError_t error = cudaDeviceSynchronize();
  exit(error != cudaSuccess ? 9 : argc > 1 ? atoi(argv[1]) : 0);
}
