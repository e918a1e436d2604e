// expect: race: race between blocks in global memory
__device__ unsigned arrived;
__global__ void sum(volatile int *parts, int *out)
{
  __shared__ bool last;
  if (threadIdx.x == 0) {
    ((int *)parts)[blockIdx.x] = blockIdx.x + 1;
#ifdef FIXED
    __threadfence();
#endif
    last = atomicAdd(&arrived, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    int total = 0;
    for (unsigned i = 0; i < gridDim.x; i++)
      total += parts[i];
    *out = total;
  }
}
int main()
{
  int *parts, *out;
  cudaMalloc(&parts, 64);
  cudaMalloc(&out, 4);
  sum<<<16, 32>>>(parts, out);
  cudaDeviceSynchronize();
  cudaFree(parts);
  cudaFree(out);
}
